"""Lens "standing untracked": the same untracked folders stand in `git status` of several sessions, kept out by hand.

Said only when somebody spoke of them: what a status prints and nobody minds is no trap.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import quoting
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.sentences import Sentence, split

LENS = "standing_untracked"
FEWEST_SESSIONS = 2
MOST_NAMED = 5
LONGEST = 300  # characters of a sentence that can be quoted
_SHORT = re.compile(r"^\?\? (\S.*?)\s*$", re.MULTILINE)
_LONG = re.compile(r"^Untracked files:\n(?:  \(.*\)\n)?((?:\t\S.*\n?)+)", re.MULTILINE)
_REMARK = re.compile(
    r"(?i)\b(?:untracked|unrelated|git-?ignored?|left \S+.{0,40} alone|leave|keep(?:ing)? .{0,60} out|not commit)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A sentence that speaks of untracked files, and how many of the standing ones it names."""

    timeline: Timeline
    speaker: Speaker
    sentence: Sentence
    named: int


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding a project whose untracked names were seen in two sessions and spoken of."""
    projects: dict[str, list[Timeline]] = {}
    for line in lines:
        projects.setdefault(line.session.project, []).append(line)
    found = (_project(project, group) for project, group in sorted(projects.items()))
    return tuple(finding for finding in found if finding is not None)


def untracked(text: str) -> tuple[str, ...]:
    """Names that a `git status`, short or long, shows as untracked."""
    names = _SHORT.findall(text)
    for block in _LONG.findall(text):
        names += [name.strip() for name in block.split("\n") if name.strip()]
    return tuple(dict.fromkeys(names))


def _project(project: str, lines: Sequence[Timeline]) -> Finding | None:
    seen: dict[str, dict[str, Event]] = {}
    for line in lines:
        for event in line.events:
            is_status = any(c.program == "git" and "status" in c.words for c in event.simple)
            for name in untracked(event.result.text) if is_status and event.result else ():
                seen.setdefault(name, {}).setdefault(line.session.id, event)
    standing = [n for n, where in seen.items() if len(where) >= FEWEST_SESSIONS and not _is_added(n, lines)]
    remarks = sorted(_remarks(lines, standing), key=lambda remark: -remark.named)
    if not standing or not remarks:
        return None
    return _finding(project, standing, seen, remarks)


def _is_added(name: str, lines: Sequence[Timeline]) -> bool:
    """Whether somebody put the name under version control, or wrote it in one of the sessions: then it is work."""
    bare = name.rstrip("/")
    for line in lines:
        for event in line.events:
            if any(line.relative(edit.path).startswith(bare) for edit in event.edits):
                return True
            if any(
                c.program == "git" and "add" in c.words and (bare in c.words or name in c.words) for c in event.simple
            ):
                return True
    return False


def _remarks(lines: Sequence[Timeline], names: Sequence[str]) -> Iterator[Remark]:
    marks = [name.rstrip("/") for name in names]
    for line, speaker in product(lines, (Speaker.USER, Speaker.AGENT)):
        for entry in line.talk(0, len(line.entries), speaker=speaker):
            for sentence in split(entry.text):
                named = sum(mark in sentence.text for mark in marks)
                is_about = named or "untracked" in sentence.text
                if is_about and _REMARK.search(sentence.text) and len(sentence.text) < LONGEST:
                    yield Remark(timeline=line, speaker=speaker, sentence=sentence, named=named)


def _finding(
    project: str, names: Sequence[str], seen: dict[str, dict[str, Event]], remarks: Sequence[Remark]
) -> Finding:
    sessions = len({session for name in names for session in seen[name]})
    named = quoting.listed([quoting.code(name, 40) for name in names[:MOST_NAMED]])
    stand = "keeps" if len(names) == 1 else "keep"
    said = [quoting.said(remark.sentence.text) for remark in remarks[:3]]
    return Finding(
        lens=LENS,
        subject=f"untracked {project}",
        kind=Kind.SEMANTIC,
        claim=(
            f"{named} {stand} standing untracked in the worktree ({sessions} sessions), as .gitignore does not cover "
            f"{'it' if len(names) == 1 else 'them'}: stage files by name and keep them out of commits."
        ),
        gist=(
            f"`git status` showed them in {sessions} sessions and nobody added them. "
            f"Said about them: {quoting.listed(said)}. "
            "They are local tool state, not work: never `git add -A` here, and offer an ignore rule."
        ),
        entities=tuple(Entity("file", name) for name in names[:MOST_NAMED]),
        quotes=_quotes(names, seen, remarks),
        parts=(
            Part(name="untracked in sessions", value=4.4 + min(1.6, 0.5 * sessions)),
            Part(name="spoken of", value=min(1.0, 0.4 * len(remarks))),
            Part(name="a person asked", value=0.6 if any(r.speaker is Speaker.USER for r in remarks) else 0.0),
        ),
    )


def _quotes(names: Sequence[str], seen: dict[str, dict[str, Event]], remarks: Sequence[Remark]) -> tuple[Quote, ...]:
    by_session: dict[str, Remark] = {}
    for remark in remarks:
        by_session.setdefault(remark.timeline.session.id, remark)
    first = [*by_session.values(), *(r for r in remarks if r.speaker is Speaker.USER)]
    quotes: list[Quote | None] = [quoting.raw_line(r.timeline.session.id, r.sentence.raw) for r in first]
    for event in seen[names[0]].values():
        text = event.result.text if event.result else ""
        quotes.append(quoting.raw_line(event.session, next((t for t in text.split("\n") if names[0] in t), "")))
    quotes += [quoting.raw_line(r.timeline.session.id, r.sentence.raw) for r in remarks[:4]]
    return quoting.distinct(quotes)
