"""Errors of the endpoints."""

from slowwave.facts.refusal import SlowwaveError


class NoLoopError(SlowwaveError):
    """A tick was asked for where no waking loop runs."""

    code = "no_loop"

    def __init__(self) -> None:
        super().__init__(
            "no waking loop runs in this process, so nothing was consolidated",
            hint="start one with its endpoints: `slowwave up`, or `slowwave wake --listen 8765`",
        )


class AddressTakenError(SlowwaveError):
    """The endpoints' address cannot be listened on."""

    code = "address_taken"
