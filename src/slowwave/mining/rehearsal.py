"""The contract's own judgement, held over entries in memory, so that nothing is handed over that proof would refuse.

Proof looks again, in the raw lines. A quote that fails here is left out; a finding is lost only when too few are left.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from slowwave.facts.answer import Candidate, Commitment
from slowwave.facts.evidence import Quote, Speaker
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import CLAIM_CHARACTERS, GIST_CHARACTERS, MOST_ENTITIES, SECRET_REACH_CHARACTERS
from slowwave.facts.markers import injected_spans
from slowwave.facts.refusal import Refusal
from slowwave.facts.text import cut, fold
from slowwave.mining.finding import Finding
from slowwave.proof.batch import Batch, whole_batch
from slowwave.proof.candidates import judge_candidate
from slowwave.proof.commitments import judge_commitment
from slowwave.proof.places import Place
from slowwave.proof.quotes import Found
from slowwave.proof.spans import DecodedText, Spot, Words
from slowwave.proof.verdict import Court
from slowwave.records.entries import Entry
from slowwave.records.recording import Recording
from slowwave.records.secrets import Secrets

MOST_VALUES = 400  # strings looked at in one call's arguments
MOST_PLACES = 12  # of one quote; more of them decide nothing
_OF_QUOTE = re.compile(r"\.evidence\[(\d+)\]")


class Rehearsal:
    """Judges findings of one batch before proof does."""

    def __init__(
        self,
        recordings: Sequence[Recording],
        new_from: Mapping[SessionId, tuple[int, ...]] | None,
        secrets: Secrets,
    ) -> None:
        sessions = [recording.session for recording in recordings]
        whole = whole_batch(sessions)
        self._batch = whole if new_from is None else Batch(sessions=whole.sessions, new_from=new_from)
        self._recordings = {recording.session.id: recording for recording in recordings}
        self._secrets = secrets
        self._texts: dict[SessionId, tuple[tuple[Entry, int, str], ...]] = {}

    def prove(self, finding: Finding) -> Finding:
        """The finding with the quotes that will hold, or dropped with the reason it would be refused."""
        if finding.dropped:
            return finding
        quotes = list(finding.quotes)
        while True:
            verdict = judge_candidate(candidate(replace(finding, quotes=tuple(quotes))), "", self._court(quotes))
            if verdict.proved is not None:
                return replace(finding, quotes=tuple(quotes))
            unfit = {int(hit.group(1)) for refusal in verdict.refusals if (hit := _OF_QUOTE.match(refusal.path))}
            if not unfit:
                return replace(finding, dropped=_reason(verdict.refusals))
            quotes = [quote for at, quote in enumerate(quotes) if at not in unfit]

    def is_sound(self, commitment: Commitment) -> bool:
        """Whether proof would take a commitment."""
        return judge_commitment(commitment, "", self._court([commitment.evidence])).proved is not None

    def _court(self, quotes: Iterable[Quote]) -> Court:
        places = {quote: self._places(quote) for quote in quotes}
        recalled = {id_: self._recalled(id_) for id_ in dict.fromkeys(quote.session_id for quote in places)}
        found = Found(places=places, recalled=recalled, unreadable=frozenset())
        return Court(batch=self._batch, secrets=self._secrets, found=found)

    def _places(self, quote: Quote) -> tuple[Place, ...]:
        words = Words(folded=fold(quote.quote))
        found: list[Place] = []
        for entry, string, text in self._strings(quote.session_id):
            if len(found) < MOST_PLACES and all(run in text for run in words.longest):
                found += [self._place(quote, entry, string, (text, spot)) for spot in DecodedText(text).spots(words)]
        return tuple(sorted(found, key=lambda place: place.order)[:MOST_PLACES])

    def _place(self, quote: Quote, entry: Entry, string: int, where: tuple[str, Spot]) -> Place:
        text, spot = where
        is_recalled = any(start < spot.end and spot.start < end for start, end in injected_spans(text))
        is_nobodys = is_recalled or entry.injected or (entry.speaker is Speaker.USER and entry.is_sidechain)
        first = max(0, spot.start - SECRET_REACH_CHARACTERS)
        secrets = self._secrets.find(text[first : spot.end + SECRET_REACH_CHARACTERS])
        return Place(
            session_id=quote.session_id,
            file=entry.file,
            line=entry.line,
            part=entry.part,
            field=entry.fields[0] if entry.fields else "",
            string=string,
            start=spot.start,
            end=spot.end,
            words=fold(quote.quote),
            before=spot.before,
            after=spot.after,
            speaker=Speaker.SYSTEM if is_nobodys else entry.speaker,
            kind=entry.kind,
            is_tainted=entry.is_tainted,
            is_sidechain=entry.is_sidechain,
            origin=entry.origin or f"{entry.file}:{entry.line}.{entry.part}",
            is_new=not is_recalled and self._batch.is_new(quote.session_id, entry.file, entry.line),
            is_recalled=is_recalled,
            is_secret=any(s.start + first < spot.end and spot.start < s.end + first for s in secrets),
        )

    def _recalled(self, session: SessionId) -> tuple[str, ...]:
        return tuple(text[start:end] for _, _, text in self._strings(session) for start, end in injected_spans(text))

    def _strings(self, session: SessionId) -> tuple[tuple[Entry, int, str], ...]:
        """Every string of a session's entries, numbered; copies are one observation with what they copy."""
        if session not in self._texts:
            recording = self._recordings.get(session)
            entries = [entry for entry in recording.entries if not entry.is_copy] if recording else []
            texts = [(entry, text) for entry in entries for text in _texts(entry)]
            self._texts[session] = tuple((entry, number, text) for number, (entry, text) in enumerate(texts))
        return self._texts[session]


def candidate(finding: Finding) -> Candidate:
    """A finding in the form of an answer."""
    return Candidate(
        kind=finding.kind,
        claim=finding.claim,
        gist=cut(finding.gist, GIST_CHARACTERS),
        entities=finding.entities[:MOST_ENTITIES],
        evidence=finding.quotes,
    )


def is_one_sentence(claim: str) -> bool:
    """Whether a claim has the length the contract takes."""
    return 0 < len(claim) <= CLAIM_CHARACTERS


def _reason(refusals: Sequence[Refusal]) -> str:
    return f"proof would refuse it: {', '.join(dict.fromkeys(refusal.code for refusal in refusals))}"


def _texts(entry: Entry) -> Iterator[str]:
    """The entry's text, and the strings inside its arguments that are another text."""
    yield entry.text
    yield from (text for text in _inner(entry.args) if text != entry.text)


def _inner(value: Any) -> Iterator[str]:
    """The strings inside a call's arguments, breadth first, at most ``MOST_VALUES`` values looked at."""
    waiting: list[Any] = [value] if value else []
    for at in range(MOST_VALUES):
        if at >= len(waiting):
            return
        item = waiting[at]
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
