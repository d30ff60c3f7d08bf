"""Intake: the one door through which captures reach the files of the day, each once, filed by the day it arrives on.

A capture is stored once whichever way it comes. Its id tells the same from another; between the scan of sessions and
the live ways in, its words do too, because a producer of its own may have named it, or not have known the session.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo

from slowwave.disk.jsonl import append_lines
from slowwave.disk.places import Places
from slowwave.facts.capture import Capture
from slowwave.facts.limits import MOST_CAPTURE_BYTES
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.text import fold, is_visible
from slowwave.records.captures import capture_line, identified, local_day, words_of
from slowwave.records.secrets import Secrets
from slowwave.wake.holding import Hold
from slowwave.wake.standing import standing_captures

SCAN = "scan"
"""Source of a capture that the scan of sessions found."""
_CLOCKS_APART = timedelta(days=1)  # between the day of what was said and the first file it may stand in


class CaptureEmptyError(SlowwaveError):
    """A capture without words, or with invisible ones only."""

    code = "capture_empty"


class CaptureTooLongError(SlowwaveError):
    """A capture that would not fit on a line that readers accept."""

    code = "capture_too_long"

    @classmethod
    def of(cls, size: str) -> "CaptureTooLongError":
        """For a capture of so many bytes, in words."""
        return cls(
            f"a capture has at most {MOST_CAPTURE_BYTES:,} bytes with its id and moment, and this one has {size}",
            hint="keep a long text in a file, and capture where it lies",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A capture as it stands in its file; ``is_new`` is False where it stood there before."""

    capture: Capture
    is_new: bool


class Intake:
    """The way in.

    Args:
        places: The files of the day.
        hold: The lock of the day.
        clock: The present.
        zone: The loop's, whose date names the file.
        secrets: What masks words before they are written.
    """

    def __init__(self, places: Places, hold: Hold, clock: Clock, zone: tzinfo, secrets: Secrets) -> None:
        self._places = places
        self._hold = hold
        self._clock = clock
        self._zone = zone
        self._secrets = secrets

    def put(self, captures: Sequence[Capture]) -> tuple[Stored, ...]:
        """Store captures durably, in order; those that stand in a file already, and equal ones among them, once.

        A capture without an id gets its content id; one that comes from the scan always does. Ids of other producers
        are kept.

        Raises:
            CaptureEmptyError: One has no words; nothing was stored.
            CaptureTooLongError: One is too long; nothing was stored.
        """
        ready = [self.ready(capture) for capture in captures]
        if not ready:
            return ()
        with self._hold("capture"):
            today = self._clock().astimezone(self._zone).date()
            known = _Known(self._zone)
            first = min(_day(capture, self._zone) for capture in ready) - _CLOCKS_APART
            for capture in standing_captures(self._places, zone=self._zone, since=first.isoformat()):
                known.add(capture)
            stored: list[Stored] = []
            for capture in ready:
                twin = known.twin(capture)
                stored.append(Stored(capture=twin or capture, is_new=twin is None))
                if twin is None:
                    known.add(capture)
            lines = [capture_line(one.capture) for one in stored if one.is_new]
            append_lines(self._places.captures / f"{today.isoformat()}.jsonl", lines)
        return tuple(stored)

    def ready(self, capture: Capture) -> Capture:
        """The capture as it will be stored: secrets masked, ends trimmed, with its id.

        Raises:
            CaptureEmptyError: It has no words.
            CaptureTooLongError: It is too long.
        """
        text = self._secrets.mask(words_of(capture.text))
        if not is_visible(text):
            raise CaptureEmptyError("a capture needs words", hint="say what is to be kept, or pass - and pipe it in")
        masked = replace(capture, text=text)
        if not fold(masked.id) or masked.source == SCAN:
            masked = identified(masked, self._zone)
        size = len(capture_line(masked))
        if size > MOST_CAPTURE_BYTES:
            raise CaptureTooLongError.of(f"{size:,}")
        return masked


class _Known:
    """Captures that stand in files, by what tells them apart."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._by_id: dict[str, Capture] = {}
        self._by_words: dict[tuple[str, str, str], list[Capture]] = {}

    def add(self, capture: Capture) -> None:
        """One more; of one id the first counts."""
        if self._by_id.setdefault(capture.id, capture) is capture:
            self._by_words.setdefault(self._words(capture), []).append(capture)
            if capture.session_id:
                self._by_words.setdefault(_in_session(capture), []).append(capture)

    def twin(self, capture: Capture) -> Capture | None:
        """The stored capture that is this one; None where it is new."""
        if same := self._by_id.get(capture.id):
            return same
        near = self._by_words.get(self._words(capture), [])
        if capture.session_id:
            near = [*near, *self._by_words.get(_in_session(capture), [])]
        return next((one for one in near if _crosses(capture, one)), None)

    def _words(self, capture: Capture) -> tuple[str, str, str]:
        return (capture.tag.value, fold(capture.text), local_day(capture, self._zone).isoformat())


def _in_session(capture: Capture) -> tuple[str, str, str]:
    return (capture.tag.value, fold(capture.text), f"in {capture.session_id}")


def _crosses(one: Capture, other: Capture) -> bool:
    """Whether two with the same words came one by the scan and one live, and not from two sessions that are named."""
    is_apart = bool(one.session_id and other.session_id) and one.session_id != other.session_id
    return (one.source == SCAN) != (other.source == SCAN) and not is_apart


def _day(capture: Capture, zone: tzinfo) -> date:
    return capture.ts.astimezone(zone).date()
