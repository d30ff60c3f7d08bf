"""Lens "trailer sets": commits made for one person end with the same trailers, those of others do not.

Computed from the commit commands themselves. The trailer that an agent adds by itself counts for nothing alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import quoting
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part

LENS = "trailer_sets"
FEWEST_SESSIONS = 2
COMMAND_CHARACTERS = 8_000  # of a commit command; its message ends in the trailers
_TRAILER = re.compile(r"^([A-Z][A-Za-z]+(?:-[A-Za-z]+)+): (\S.{0,120})$", re.MULTILINE)
_OWN = frozenset({"co-authored-by", "generated-by"})
_HOME = re.compile(r"^(/(?:home|Users)/[^/]+|[A-Z]:\\Users\\[^\\]+)")
_ADDRESS = re.compile(r"\s*<[^>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit command with its trailers as written: key, value, whole line."""

    timeline: Timeline
    event: Event
    home: str
    trailers: tuple[tuple[str, str, str], ...]

    @property
    def keys(self) -> frozenset[str]:
        """The trailers' names, lower case."""
        return frozenset(key.lower() for key, _, _ in self.trailers)


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each person whose commits carry a trailer set of their own in two sessions or more."""
    homes: dict[tuple[str, str], list[Commit]] = {}
    for commit in (commit for line in lines for commit in _commits(line)):
        homes.setdefault((commit.home, ""), []).append(commit)
    every = [commit for commits in homes.values() for commit in commits]
    found = (_finding(home, commits, every) for (home, _), commits in sorted(homes.items()) if home)
    return tuple(finding for finding in found if finding is not None)


def _commits(line: Timeline) -> list[Commit]:
    home = _HOME.match(line.session.cwd)
    return [
        Commit(
            timeline=line,
            event=event,
            home=home.group(1) if home else "",
            trailers=_trailers(event.line),
        )
        for event in line.events
        if event.has_passed and any(c.program == "git" and "commit" in c.words[:4] for c in event.simple)
    ]


def _trailers(command: str) -> tuple[tuple[str, str, str], ...]:
    """Key, value and whole line of each; a quote that closes the message is no part of the last."""
    hits = _TRAILER.finditer(command[:COMMAND_CHARACTERS])
    return tuple((hit.group(1), hit.group(2).rstrip("\"'"), hit.group().rstrip("\"'")) for hit in hits)


def _finding(home: str, commits: Sequence[Commit], every: Sequence[Commit]) -> Finding | None:
    always = frozenset.intersection(*(commit.keys for commit in commits))
    sessions = {commit.timeline.session.id for commit in commits}
    if len(sessions) < FEWEST_SESSIONS or not always - _OWN:
        return None
    first = commits[0]
    shown = [(key, value) for key, value, _ in first.trailers if key.lower() in always]
    named = quoting.listed([f"`{key}: {_ADDRESS.sub('', value)}`" for key, value in shown])
    others = [commit for commit in every if commit.home != home]
    contrast = _contrast(always, others)
    who = home.rsplit("/", 1)[-1]
    return Finding(
        lens=LENS,
        subject=f"trailers {home}",
        kind=Kind.PROCEDURAL,
        claim=quoting.fragment(
            f"Commits made from {home} end with the trailers {named}{contrast}: follow the committing user's own set.",
            300,
        ),
        gist=(
            f"All {len(commits)} commits of {len(sessions)} sessions under {home} ({who}) carry this set. "
            f"{_rest(others)}Take the trailers from the user one commits for, not from the log of the repository."
        ),
        entities=tuple(Entity("concept", key) for key, _ in shown),
        quotes=_quotes(commits, others, always),
        parts=(
            Part(name="commits agree", value=4.8 + min(1.2, 0.4 * len(commits))),
            Part(name="others differ", value=0.8 if contrast else 0.0),
        ),
    )


def _contrast(always: frozenset[str], others: Sequence[Commit]) -> str:
    if not others:
        return ""
    theirs = sorted({key for commit in others for key, _, _ in commit.trailers if key.lower() not in always})
    return (
        f", while commits of other users carry {quoting.listed([f'`{key}`' for key in theirs])}"
        if theirs
        else ", which other users' commits lack"
    )


def _rest(others: Sequence[Commit]) -> str:
    homes = sorted({commit.home for commit in others if commit.home})
    return f"Commits from {quoting.listed(homes)} in the same batch do not. " if homes else ""


def _quotes(commits: Sequence[Commit], others: Sequence[Commit], always: frozenset[str]) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = []
    seen: set[str] = set()
    for commit in commits:
        if commit.timeline.session.id in seen:
            continue
        seen.add(commit.timeline.session.id)
        lines = [line for key, _, line in commit.trailers if key.lower() in always]
        quotes.append(quoting.raw_line(commit.timeline.session.id, "\n".join(lines)))
    for commit in others:
        if commit.timeline.session.id not in seen and commit.trailers:
            seen.add(commit.timeline.session.id)
            quotes.append(quoting.raw_line(commit.timeline.session.id, commit.trailers[-1][2]))
    return quoting.distinct(quotes)
