"""Leads: where rules saw something, for somebody else to look; lens names and line numbers, no word of a session.

A rule's claim would be repeated by whoever reads it, and its quotes cited unread. So neither is handed on: a lead says
where to look, and what stands there has to be read through the tools like everything else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import LEADS_A_SESSION, LINES_A_LEAD
from slowwave.mining.finding import Finding
from slowwave.proof.places import Place
from slowwave.proof.quotes import locate
from slowwave.sleep.engine import Reading, Verdict

COMMITMENT = "commitment"
"""The lens of a lead to where somebody promised something."""

_File = tuple[SessionId, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """Lines of one file of a session that one lens pointed at.

    Attributes:
        lens: The lens's name, as the miner spells it.
        file: 0 for the session's main file, then its side files in order of name.
        lines: Physical lines, from 1, rising.
    """

    lens: str
    file: int
    lines: tuple[int, ...]

    def shown(self) -> dict[str, Any]:
        """As ``list_sessions`` shows it."""
        return {"lens": self.lens, "file": self.file, "lines": list(self.lines)}


def leads_of(mined: Verdict, reading: Reading) -> Mapping[SessionId, tuple[Lead, ...]]:
    """Places to look, by session: first what the rules kept, then promises, then near misses, best first.

    At most ``LEADS_A_SESSION`` a session and ``LINES_A_LEAD`` lines each; sessions without any have no entry. Lines
    that only repeat what slowwave had put into the session are no place to look, nor is a quote that stands nowhere.

    Args:
        mined: What the mined engine made of the same batch; its findings carry the quotes.
        reading: The batch; places beyond the bytes it was planned on are not looked at.
    """
    kept: Sequence[Finding] = mined.findings.get("kept", ())
    dropped: Sequence[Finding] = mined.findings.get("dropped", ())
    places = locate([quote for finding in (*kept, *dropped) for quote in finding.quotes], reading.batch)
    pointed = [
        *(lead for finding in kept for lead in _leads(finding, places)),
        *_promises(mined),
        *(lead for finding in dropped for lead in _leads(finding, places)),
    ]
    found: dict[SessionId, list[Lead]] = {}
    for session, lead in pointed:
        known = found.setdefault(session, [])
        if len(known) < LEADS_A_SESSION and not any(_covers(other, lead) for other in known):
            known.append(lead)
    return {session: tuple(leads) for session, leads in sorted(found.items())}


def _leads(finding: Finding, places: Mapping[Quote, Sequence[Place]]) -> Iterator[tuple[SessionId, Lead]]:
    """One lead for each file that a finding's quotes stand in."""
    lines: dict[_File, dict[int, None]] = {}
    for quote in finding.quotes:
        best = next((place for place in places.get(quote, ()) if not place.is_recalled), None)
        if best is not None:
            lines.setdefault((best.session_id, best.file), {})[best.line] = None
    for (session, file), met in lines.items():
        # A lens puts first what a finding is about: those lines stay where there are too many.
        yield session, Lead(lens=finding.lens, file=file, lines=tuple(sorted(list(met)[:LINES_A_LEAD])))


def _promises(mined: Verdict) -> Iterator[tuple[SessionId, Lead]]:
    for commitment in mined.proved.commitments:
        evidence = commitment.evidence
        yield evidence.session_id, Lead(lens=COMMITMENT, file=evidence.file, lines=(evidence.line,))


def _covers(known: Lead, lead: Lead) -> bool:
    """Whether a lead says nothing that one before it did not say."""
    return (known.lens, known.file) == (lead.lens, lead.file) and set(lead.lines) <= set(known.lines)
