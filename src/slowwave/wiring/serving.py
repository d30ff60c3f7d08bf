"""What the endpoints and the schedule ask of a home."""

from slowwave.facts.refusal import SlowwaveError


class BadCaptureError(SlowwaveError):
    """Something that should be stored is no capture.

    Attributes:
        number: Which one of those sent, from 0.
    """

    code = "bad_capture"

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"capture {number} is none: {reason}", hint="see docs/http.md for the form of a capture")
        self.number = number
