"""Lens "guess, list, read": a guessed path fails, its folder is listed, and the thing is found under another name.

Once is everybody's day; the same wrong guess in two sessions says that the name misleads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import quoting
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part

LENS = "guess_list_read"
FEWEST_SESSIONS = 2
REACH = 12  # calls from one step to the next
NAME_LENGTH = 30  # of a name in a listing; what is longer is no plain name
MOST_NAMED = 5  # names of a folder's contents in a claim
_WRONG = ("no such file", "does not exist", "not found", "cannot find", "cannot open")
_FOLDER = ("is a directory", "eisdir", "illegal operation on a directory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """One wrong guess: the path, what it really was, and the calls that showed it."""

    timeline: Timeline
    failed: Event
    listed: Event
    guess: str
    truth: str
    is_folder: bool


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each guess that two sessions or more made and corrected in the same way."""
    groups: dict[tuple[str, str], list[Guess]] = {}
    for line in lines:
        for guess in _guesses(line):
            groups.setdefault((guess.guess, guess.truth), []).append(guess)
    return tuple(_finding(group) for _, group in sorted(groups.items()) if _sessions(group) >= FEWEST_SESSIONS)


def _sessions(group: Sequence[Guess]) -> int:
    return len({guess.timeline.session.id for guess in group})


def _guesses(line: Timeline) -> Iterator[Guess]:
    for number, event in enumerate(line.events):
        if event.failure is None or not event.reads:
            continue
        message = event.failure.line.lower()
        near = line.events[number + 1 : number + 1 + REACH]
        named = [path for path in event.reads if path.rsplit("/", 1)[-1].lower() in message]
        path = next(iter(named or (event.reads if len(event.reads) == 1 else ())), "")
        if path and any(word in message for word in _FOLDER):
            listed = next((e for e in near if any(_same(line, path, p) for p in e.lists)), None)
            if listed is not None:
                name = line.relative(path)
                yield Guess(timeline=line, failed=event, listed=listed, guess=name, truth=name, is_folder=True)
        elif path and any(word in message for word in _WRONG):
            yield from _corrected(line, event, path, near)


def _corrected(line: Timeline, failed: Event, path: str, near: Sequence[Event]) -> Iterator[Guess]:
    """The listing and the read of a like-named path that followed, where they did."""
    for number, listed in enumerate(near):
        if not any(_is_above(line, folder, path) for folder in listed.lists):
            continue
        for read in near[number + 1 :]:
            truth = next((p for p in read.reads if read.has_passed and _is_like(path, p)), "")
            if truth:
                yield Guess(
                    timeline=line,
                    failed=failed,
                    listed=listed,
                    guess=line.relative(path),
                    truth=line.relative(truth),
                    is_folder=False,
                )
                return


def _same(line: Timeline, one: str, other: str) -> bool:
    return line.relative(one) == line.relative(other)


def _is_above(line: Timeline, folder: str, path: str) -> bool:
    """Whether a listing of the folder could have shown the path."""
    above, below = line.relative(folder), line.relative(path)
    return (
        above == "." or below.startswith(above.rstrip("/") + "/") or above.startswith(str(PurePosixPath(below).parent))
    )


def _is_like(guess: str, truth: str) -> bool:
    """Whether two paths are names of one thing: same file elsewhere, same stem, or most parts of the name."""
    one, other = PurePosixPath(guess), PurePosixPath(truth)
    if one == other:
        return False
    ours, theirs = _name_parts(one.stem), _name_parts(other.stem)
    return one.name == other.name or (bool(ours & theirs) and 2 * len(ours & theirs) >= max(len(ours), len(theirs)))


def _name_parts(stem: str) -> frozenset[str]:
    return frozenset(part for part in stem.lower().replace("-", "_").replace(".", "_").split("_") if len(part) > 2)


def _finding(group: Sequence[Guess]) -> Finding:
    first, sessions = group[0], _sessions(group)
    guess, truth = quoting.code(first.guess), quoting.code(first.truth)
    if first.is_folder:
        claim = (
            f"{guess} is a folder{_contents(first)}, not a file: list it instead of reading it, "
            f"as {sessions} sessions tried first."
        )
    else:
        claim = f"There is no {guess} here; what it is taken for is {truth} ({sessions} sessions guessed wrong first)."
    return Finding(
        lens=LENS,
        subject=f"guessed {first.guess}",
        kind=Kind.SEMANTIC,
        claim=claim,
        gist=(
            f"In {sessions} sessions a read of {guess} failed, then a listing showed what is there. "
            f"Go to {truth} at once{', by listing it' if first.is_folder else ''}."
        ),
        entities=tuple(dict.fromkeys((Entity("file", first.truth), Entity("file", first.guess)))),
        quotes=_quotes(group),
        parts=(Part(name="guessed wrong in sessions", value=4.0 + min(2.0, 0.6 * sessions)),),
    )


def _contents(guess: Guess) -> str:
    """What the listing showed, where it is a plain list of names."""
    text = guess.listed.result.text if guess.listed.result else ""
    names = [name.strip() for name in text.split("\n") if name.strip()]
    plain = [name for name in names if len(name) <= NAME_LENGTH and " " not in name and ":" not in name]
    if not plain or len(plain) < len(names):
        return ""
    rest = " and more" if len(plain) > MOST_NAMED else ""
    return f" (with {', '.join(plain[:MOST_NAMED])}{rest})"


def _quotes(group: Sequence[Guess]) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = []
    for guess in group[:4]:
        session = guess.timeline.session.id
        quotes.append(quoting.raw_line(session, guess.failed.line or guess.failed.reads[0]))
        quotes.append(quoting.raw_line(session, guess.failed.failure.line if guess.failed.failure else ""))
        quotes.append(quoting.raw_line(session, guess.listed.line))
    return quoting.distinct(quotes)
