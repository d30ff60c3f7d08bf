"""Lens "lockstep": one value is written by hand in three files or more, and that happens again.

A rename does it once. When the same files take the same step twice, they hold copies of one value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import quoting
from slowwave.mining.accounts import account
from slowwave.mining.edits import Edit, change
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part

LENS = "lockstep"
FEWEST_FILES = 3
FEWEST_TIMES = 2
LONGEST_VALUE = 60  # characters; longer is a block of code, not a value
MOST_NAMED = 6  # files a claim names


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One value changed in several files within a turn."""

    timeline: Timeline
    old: str
    new: str
    files: tuple[str, ...]
    edits: tuple[tuple[Event, Edit], ...]


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each set of files that took the same step twice or more."""
    steps = [step for line in lines for step in _steps(line)]
    groups: list[list[Step]] = []
    for step in steps:
        home = next((group for group in groups if _is_same_set(group[0], step)), None)
        if home is None:
            groups.append([step])
        else:
            home.append(step)
    return tuple(_finding(group) for group in groups if len({(s.old, s.new) for s in group}) >= FEWEST_TIMES)


def _steps(line: Timeline) -> list[Step]:
    found: dict[tuple[int, str, str], list[tuple[Event, Edit]]] = {}
    for event in line.events:
        if not event.has_passed:
            continue
        for edit in event.edits:
            old, new = change(edit) if edit.old else ("", "")
            if old and new and max(len(old), len(new)) <= LONGEST_VALUE and any(c.isalnum() for c in old + new):
                found.setdefault((event.turn, old, new), []).append((event, edit))
    steps: list[Step] = []
    for (_, old, new), edits in found.items():
        files = tuple(dict.fromkeys(line.relative(edit.path) for _, edit in edits))
        if len(files) >= FEWEST_FILES:
            steps.append(Step(timeline=line, old=old, new=new, files=files, edits=tuple(edits)))
    return steps


def _is_same_set(one: Step, other: Step) -> bool:
    shared = len(set(one.files) & set(other.files))
    return shared >= FEWEST_FILES and 2 * shared >= max(len(one.files), len(other.files))


def _finding(group: Sequence[Step]) -> Finding:
    shared = [name for name in group[0].files if all(name in step.files for step in group)]
    files = shared if len(shared) >= FEWEST_FILES else list(group[0].files)
    sessions = len({step.timeline.session.id for step in group})
    moves = quoting.listed([f"{quoting.code(step.old, 30)} to {quoting.code(step.new, 30)}" for step in group[:2]])
    named = quoting.listed([quoting.code(name, 50) for name in files[:MOST_NAMED]])
    rest = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
    return Finding(
        lens=LENS,
        subject="lockstep " + " ".join(sorted(files)[:3]),
        kind=Kind.PROCEDURAL,
        claim=quoting.fragment(
            f"One value stands by hand in {len(files)} files and must be changed in all of them: {named}{rest}.", 300
        ),
        gist=(
            f"{len(group)} times in {quoting.sessions_word(sessions)} one edit went through these files in turn, such "
            f"as {moves}. When one of them changes, change the others in the same commit."
        ),
        entities=tuple(Entity("file", name) for name in files[:MOST_NAMED]),
        quotes=_quotes(group),
        parts=(
            Part(name="files in step", value=5.5 + min(1.0, 0.2 * len(files))),
            Part(name="times", value=min(1.5, 0.5 * len(group))),
        ),
    )


def _quotes(group: Sequence[Step]) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = []
    for step in group[:3]:
        session = step.timeline.session.id
        first = step.edits[0][0].at
        told = account(
            step.timeline, (first - 6, step.edits[-1][0].at + 10), f"{step.old} {step.new}", keys=(step.new,)
        )
        quotes.append(told.quote if told else None)
        for _, edit in step.edits[:2]:
            quotes.append(quoting.raw_line(session, next((t for t in edit.new.split("\n") if step.new in t), "")))
    return quoting.distinct(quotes)
