"""What is wrong with a memory file, as one error that lists everything."""

from slowwave.facts.refusal import DamageError, Refusal


class FormatError(DamageError):
    """A file is no memory; ``refusals`` lists everything that is wrong with it."""

    code = "bad_memory"

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(
            "; ".join(f"{refusal.path}: {refusal.message}" for refusal in refusals),
            hint="correct the file by hand, or take its last good version from the corpus's history",
        )
        self.refusals = refusals


def fault(path: str, code: str, message: str) -> FormatError:
    """An error about one thing."""
    return FormatError((Refusal(code=code, path=path, message=message),))
