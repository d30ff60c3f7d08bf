"""The scan of sessions for tags: what the live ways in did not take, of every agent, from where it was left.

Captures are stored before the state says how far the scan came. A crash in between reads the same bytes again, and the
intake finds every capture of them stored. Bytes in which no tag begins are stepped over without reading the session.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import BinaryIO

from slowwave.disk.fence import open_beneath, relative_to_root
from slowwave.disk.places import Places
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.ids import digest
from slowwave.facts.limits import CAPTURES_A_STEP, READ_BLOCK_BYTES, SESSIONS_A_STEP
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.text import fold
from slowwave.records.recording import load
from slowwave.records.session import Session, SessionFile
from slowwave.wake.holding import Hold
from slowwave.wake.intake import SCAN, CaptureEmptyError, CaptureTooLongError, Intake
from slowwave.wake.scan_state import ScanMark, ScanState, digests, read_scan_state, write_scan_state
from slowwave.wake.spoken import Since, Spoken, heed

_NAMES = "|".join(Tag).encode("ascii")
_BEGINS = re.compile(
    rb"(?:<|\\u003c)(?:" + _NAMES + rb")|\\u00(?:[46][1-9a-f]|[57][0-9a]|2d)", re.IGNORECASE
)  # or letters that are escaped, as no program that writes sessions does: there the session is read
_OVERLAP = 64  # bytes that the longest beginning may lie across two blocks
_ORIGIN_DIGITS = 24
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """What is new of one file of a session: behind which line, whether a tag may begin in it, how far it will be."""

    line: int
    may_hold: bool
    mark: ScanMark


class Scan:
    """One scan over sessions.

    Args:
        places: The files of the day.
        hold: The lock of the day.
        intake: The way in.
        clock: The present, for what was said without a moment.
        zone: The loop's, in which captures are dated.
    """

    def __init__(self, places: Places, hold: Hold, intake: Intake, *, clock: Clock, zone: tzinfo) -> None:
        self._places = places
        self._hold = hold
        self._intake = intake
        self._clock = clock
        self._zone = zone
        self._counts: Counter[str] = Counter()
        self._waiting: list[Capture] = []

    def run(self, sessions: Iterable[Session]) -> Mapping[str, int]:
        """Scan what is new, and say how much of what was found.

        Args:
            sessions: All there are; what is known of files of others is forgotten where they are gone.

        Returns:
            ``sessions`` that grew, captures ``stored`` and ``known``, ``tainted`` and ``from_outside`` ones that were
            refused, ``too_long`` and ``empty`` ones, tags ``unclosed``, files ``unreadable``, ``state_lost``. Each is
            left out where it is 0.

        Raises:
            NewerFormatError: A newer slowwave wrote the state; nothing was done.
        """
        state = read_scan_state(self._places.scan_state)
        self._counts["state_lost"] += state.was_lost
        ordered = sorted(sessions, key=lambda session: (session.started or _EPOCH, session.id, str(session.path)))
        is_changed = _forget(state, ordered) or state.was_lost
        for session in ordered:
            fresh = [self._fresh(session, file, state) for file in session.files]
            if not any(fresh):
                continue
            is_changed = True
            self._counts["sessions"] += 1
            self._scan(session, fresh, state)
            if len(self._waiting) >= CAPTURES_A_STEP or self._counts["sessions"] % SESSIONS_A_STEP == 0:
                self._store(state)
        if is_changed:
            self._store(state)
        return +self._counts

    def _fresh(self, session: Session, file: SessionFile, state: ScanState) -> Fresh | None:
        """What is new of a file; None where nothing is, or where it cannot be read now."""
        known, now = state.marks.get(str(file.path)), file.identity
        if known and (known.device, known.inode, known.mtime_ns, known.offset) == (
            now.device,
            now.inode,
            now.mtime_ns,
            file.bytes_read,
        ):
            return None
        try:
            with open_beneath(session.root, relative_to_root(session.root, file.path)) as stream:
                goes_on = known is not None and _goes_on(stream, file, known)
                offset, line = (known.offset, known.lines) if known and goes_on else (0, 0)
                may_hold = _may_hold(stream, offset, file.bytes_read)
                head, tail = digests(stream, file.bytes_read)
        except (OSError, SlowwaveError):
            self._counts["unreadable"] += 1
            return None
        mark = ScanMark(
            device=now.device,
            inode=now.inode,
            mtime_ns=now.mtime_ns,
            offset=file.bytes_read,
            lines=file.lines,
            head=head,
            tail=tail,
        )
        return Fresh(line=line, may_hold=may_hold, mark=mark)

    def _scan(self, session: Session, fresh: Sequence[Fresh | None], state: ScanState) -> None:
        """Read what is new of a session, and note how far it came."""
        ends = [file.bytes_read for file in session.files]
        reached = ends
        if any(one is not None and one.may_hold for one in fresh):
            recording = load(session, ends=ends)
            reached = list(recording.ends)
            since = [
                Since(line=one.line) if one else Since(line=file.lines, is_whole=True)
                for one, file in zip(fresh, session.files, strict=True)
            ]
            heeded = heed(recording, since)
            self._counts.update(heeded.refused)
            self._counts["unclosed"] += heeded.unclosed
            for spoken in heeded.spoken:
                self._keep(session, spoken, state)
        for one, file, end in zip(fresh, session.files, reached, strict=True):
            if one is not None and end == file.bytes_read:
                state.marks[str(file.path)] = one.mark
            elif one is not None:
                self._counts["unreadable"] += 1

    def _keep(self, session: Session, spoken: Spoken, state: ScanState) -> None:
        """Have a capture wait to be stored; one whose saying a capture was made of is known."""
        entry, tagged = spoken.entry, spoken.tagged
        capture = Capture(
            id="",
            ts=(entry.ts or session.ended or self._clock()).astimezone(self._zone),
            tag=tagged.tag,
            text=tagged.text,
            source=SCAN,
            session_id=session.id,
            line=entry.line,
            speaker=entry.speaker.value,
        )
        try:
            ready = self._intake.ready(capture)
        except CaptureTooLongError:
            self._counts["too_long"] += 1
            return
        except CaptureEmptyError:
            self._counts["empty"] += 1
            return
        origin = digest(entry.origin, ready.tag, fold(ready.text))[:_ORIGIN_DIGITS]
        if origin in state.origins:
            self._counts["known"] += 1
            return
        state.remember(origin)
        self._waiting.append(ready)

    def _store(self, state: ScanState) -> None:
        """Store what waits, then say how far the scan came."""
        for stored in self._intake.put(self._waiting):
            self._counts["stored" if stored.is_new else "known"] += 1
        self._waiting.clear()
        with self._hold("scan"):
            write_scan_state(self._places.scan_state, state)


def _goes_on(stream: BinaryIO, file: SessionFile, known: ScanMark) -> bool:
    """Whether a file is the one that was scanned, with as much or more behind it."""
    if (known.device, known.inode) != (file.identity.device, file.identity.inode) or file.bytes_read < known.offset:
        return False
    return digests(stream, known.offset) == (known.head, known.tail)


def _may_hold(stream: BinaryIO, start: int, end: int) -> bool:
    """Whether a tag may begin in a stretch of a file."""
    stream.seek(start)
    left, before = end - start, b""
    while left > 0 and (block := stream.read(min(left, READ_BLOCK_BYTES))):
        if _BEGINS.search(before + block):
            return True
        left -= len(block)
        before = block[-_OVERLAP:]
    return False


def _forget(state: ScanState, sessions: Sequence[Session]) -> bool:
    """Drop the marks of files that are gone; whether there were any."""
    here = {str(file.path) for session in sessions for file in session.files}
    gone = [name for name in state.marks if name not in here and not Path(name).exists()]
    for name in gone:
        del state.marks[name]
    return bool(gone)
