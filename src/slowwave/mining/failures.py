"""Whether a call failed, and the one line that says why: read from its output, not trusted from a flag.

``… | head`` swallows an exit status, so the text is read as well; what readers such as ``grep`` or ``git log`` print
is other people's text and is not (study/mining-notes: "Failure must be read, not trusted").
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from slowwave.facts.text import fold
from slowwave.mining import programs, tables
from slowwave.mining.commands import Simple
from slowwave.records.entries import Entry

LINE_CHARACTERS = 600  # of a line that a pattern sees; the pathological case is cut, not searched
HEAD_LINES = 400  # of an output
TAIL_LINES = 400
TIMEOUT_STATUSES = (124, 143)  # of ``timeout`` when it had to kill, and of what was killed by it
MOST_LINES = 40  # with a message, kept of one failure
_HEADER = re.compile(r"^(?:Command|Chunk ID|Wall time|Process exited|Original token count|Exit code|Output)\b.*$")
_STILL_RUNNING = re.compile(r"Process running with session ID (\d+)")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:?|exit_code:?) (-?\d+)", re.MULTILINE)
_LABEL = re.compile(r"^\s*(?:E   +|(?:ERROR|FAILED) \S+::\S+ - |\[[\w:./-]+\]\s+)")
_PLACE = re.compile(
    r"^\s*(?:(?:zsh|bash|sh|fish|\(eval\))(?:: line)?(?::? ?\d+)?: |[\w./@\\-]+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:? )"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failed call.

    Attributes:
        line: The line of its output that says most, raw; empty when the output says nothing.
        is_worded: Whether that line carries a message and not only a verdict.
        lines: Every line that carries a message, raw, in order, at most ``MOST_LINES``.
        is_timeout: Whether it was killed because it did not end.
    """

    line: str
    is_worded: bool
    lines: tuple[str, ...] = ()
    is_timeout: bool = False

    @property
    def message(self) -> str:
        """The decisive line without its place (file, line, shell), white space folded."""
        return bare(self.line)


def bare(line: str) -> str:
    """An error line without the place it names first, white space folded."""
    return fold(_PLACE.sub("", _LABEL.sub("", line[:LINE_CHARACTERS])))


def _patterns(name: str) -> re.Pattern[str]:
    return tables.pattern("failures", name)


def read_failure(result: Entry, commands: Sequence[Simple]) -> Failure | None:
    """The failure a result tells of, or None; a rejected call has not failed."""
    if result.is_rejected or _STILL_RUNNING.search(result.text[:300]):
        return None
    lines = _lines(result.text)
    status = _status(result)
    if _is_silent_miss(commands, status, lines):
        return None
    flagged = result.is_error or status not in (None, 0)
    if not flagged and not (commands and _is_speaker(commands) and any(_says_failure(line) for line in lines)):
        return None
    is_timeout = status in TIMEOUT_STATUSES or any(
        _patterns("timeouts").search(line[:LINE_CHARACTERS]) for line in lines
    )
    worded = tuple(line for line in lines if is_message(line) and not _patterns("labels").search(line))[:MOST_LINES]
    if worded:
        strong = next((line for line in worded if _patterns("strong").search(line[:LINE_CHARACTERS])), worded[0])
        return Failure(line=strong, is_worded=True, lines=worded, is_timeout=is_timeout)
    verdict = next((line for line in lines if _patterns("verdicts").search(line)), "")
    return Failure(line=verdict or next(iter(lines), ""), is_worded=False, is_timeout=is_timeout)


def is_message(line: str) -> bool:
    """Whether a line of output says what went wrong."""
    return _patterns("messages").search(line[:LINE_CHARACTERS]) is not None


def is_planned(texts: Iterable[str]) -> bool:
    """Whether words near a failure say that it was meant to fail."""
    return any(_patterns("planned").search(text[:2_000]) for text in texts)


def is_everyday(message: str) -> bool:
    """Whether every code base has this failure."""
    return _patterns("everyday").search(message[:LINE_CHARACTERS]) is not None


def running_session(result: Entry) -> str:
    """The number under which a command that has not ended is polled; empty when it has ended."""
    found = _STILL_RUNNING.search(result.text[:300])
    return found.group(1) if found else ""


def _says_failure(line: str) -> bool:
    return _patterns("text_failures").search(line[:LINE_CHARACTERS]) is not None


def _lines(text: str) -> tuple[str, ...]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > HEAD_LINES + TAIL_LINES:
        lines = lines[:HEAD_LINES] + lines[-TAIL_LINES:]
    return tuple(line for line in lines if not _HEADER.match(line[:LINE_CHARACTERS]))


def _status(result: Entry) -> int | None:
    if result.exit_status is not None:
        return result.exit_status
    found = _EXIT.search(result.text[:300])
    return int(found.group(1)) if found else None


def _is_silent_miss(commands: Sequence[Simple], status: int | None, lines: Sequence[str]) -> bool:
    """``grep`` that found nothing, ``diff`` that found something: status 1 and no word of an error."""
    if status not in (None, 1) or not commands:
        return False
    deciding = commands[-1]
    return programs.is_in(deciding, "silent_misses") and not any(
        line.startswith(deciding.program + ":") for line in lines
    )


def _is_speaker(commands: Sequence[Simple]) -> bool:
    """Whether the output is the commands' own: at least one of them does more than show what others wrote."""
    return any(
        not programs.is_in(command, "readers") and command.program not in {"cd", "set", "export"}
        for command in commands
        if command.joint not in {"|", "|&"}
    )
