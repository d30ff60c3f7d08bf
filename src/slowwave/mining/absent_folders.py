"""Lens "guess, list, read", for folders: sessions look for files in a folder that does not exist here.

Each guesses another file, so the folder is what misleads. Said only when it never turned up in any session, and when
somebody told or showed where the things are.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import compose, phrasing, quoting, rewording
from slowwave.mining.accounts import Account, account
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.standing import fault

LENS = "guess_list_read"
FEWEST_SESSIONS = 2
LONGEST = 160  # characters of the agent's account in a claim
REACH = 8  # calls behind a wrong guess in which the right place is found
_WRONG = ("no such file", "does not exist", "not found", "can't read", "cannot find")


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One file looked for in a folder, and where the session went on reading."""

    timeline: Timeline
    event: Event
    folder: str
    path: str
    found: str


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each absent folder that two sessions or more of a project looked into."""
    groups: dict[tuple[str, str], list[Miss]] = {}
    known = {(line.session.project, folder) for line in lines for folder in _known(line)}
    for line in lines:
        for miss in _misses(line):
            if (line.session.project, miss.folder) not in known:
                groups.setdefault((line.session.project, miss.folder), []).append(miss)
    found = (_finding(misses) for _, misses in sorted(groups.items()) if len(_by_session(misses)) >= FEWEST_SESSIONS)
    return tuple(finding for finding in found if finding is not None)


def _by_session(misses: Sequence[Miss]) -> list[Miss]:
    """The first miss of each session."""
    return list({miss.timeline.session.id: miss for miss in reversed(misses)}.values())[::-1]


def _known(line: Timeline) -> Iterator[str]:
    """Folders that hold something a call showed or wrote."""
    for event in line.events:
        if event.has_passed:
            for path in (*event.reads, *event.lists, *(edit.path for edit in event.edits)):
                inner = PurePosixPath(line.relative(path))
                yield str(inner)
                yield from (str(parent) for parent in inner.parents)


def _misses(line: Timeline) -> Iterator[Miss]:
    for number, event in enumerate(line.events):
        message = event.failure.line.lower() if event.failure else ""
        if not event.reads or not any(word in message for word in _WRONG):
            continue
        path = line.relative(event.reads[0])
        folder = str(PurePosixPath(path).parent)
        if folder != "." and not path.startswith(("/", "~", "$")):
            found = _found(line, line.events[number + 1 : number + 1 + REACH])
            yield Miss(timeline=line, event=event, folder=folder, path=path, found=found)


def _found(line: Timeline, near: Sequence[Event]) -> str:
    """The folder of the next file that was read; empty for none."""
    paths = (path for event in near if event.has_passed for path in event.reads)
    inner = (PurePosixPath(line.relative(path)) for path in paths)
    return next((str(path.parent) for path in inner if not path.is_absolute() and str(path.parent) != "."), "")


def _finding(misses: Sequence[Miss]) -> Finding | None:
    firsts = _by_session(misses)
    folder = firsts[0].folder
    places = Counter(miss.found for miss in firsts if miss.found)
    place = min(places, key=lambda name: (-places[name], name)) if places else ""
    told = _told(firsts)
    if (not place or places[place] < FEWEST_SESSIONS) and told is None:
        return None
    where = f"what they wanted was in {quoting.code(place, 60)}" if place and places[place] >= FEWEST_SESSIONS else ""
    account_told = _whole(told)
    said = f"the agent's account: {account_told}" if account_told else ""
    if not where and not said:
        return None
    guesses = quoting.listed([quoting.code(miss.path, 60) for miss in firsts[:3]])
    return Finding(
        lens=LENS,
        subject=f"absent {folder}",
        kind=Kind.SEMANTIC,
        claim=(
            f"There is no {quoting.code(folder, 60)} here, though {len(firsts)} sessions looked in it first; "
            f"{where or said}."
        ),
        gist=(
            f"Looked for in vain: {guesses}. "
            + " ".join(f"{part[0].upper()}{part[1:]}." for part in (where, said) if part)
            + " List the tree before guessing a path."
        ),
        entities=tuple(Entity("file", name) for name in dict.fromkeys((folder, place)) if name),
        quotes=_quotes(firsts, told),
        parts=(
            Part(name="guessed wrong in sessions", value=4.4 + min(2.0, 0.6 * len(firsts))),
            Part(name="told", value=0.6 if told else 0.0),
        ),
    )


def _whole(told: Account | None) -> str:
    """The agent's sentence, whole and in slightly other words; empty where it does not stand alone."""
    plain = phrasing.telling(told.text) if told else ""
    return compose.lowered(rewording.unrun(plain, LONGEST)) if plain and not fault(plain) else ""


def _told(misses: Sequence[Miss]) -> Account | None:
    """The sentence that says where things are: it names the folder, or what stands in its place."""
    for miss in misses:
        name = miss.folder.rsplit("/", 1)[-1]
        near = account(miss.timeline, (miss.event.at, miss.event.at + 12), miss.path, keys=(name, miss.found or name))
        if near and name in near.text:
            return near
    return None


def _quotes(misses: Sequence[Miss], told: Account | None) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = [told.quote if told else None]
    for miss in misses[:4]:
        session = miss.timeline.session.id
        failure = miss.event.failure.line if miss.event.failure else ""
        shown = failure if miss.path.rsplit("/", 1)[-1] in failure else miss.event.line or miss.event.reads[0]
        quotes.append(quoting.raw_line(session, shown))
        name = miss.folder.rsplit("/", 1)[-1]
        near = account(miss.timeline, (miss.event.at, miss.event.at + 12), miss.path, keys=(name, miss.found or name))
        quotes.append(near.quote if near else None)
    return quoting.distinct(quotes)
