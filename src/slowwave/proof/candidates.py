"""Judging a candidate: enough distinct quotes, spoken by somebody, one of them new, a wish in its owner's words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from slowwave.facts.answer import Candidate, ProvedCandidate
from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import FEWEST_QUOTES, MOST_QUOTES
from slowwave.facts.memory import Kind
from slowwave.facts.refusal import Refusal
from slowwave.proof.assignment import Want, assign, first_repeat, unmet
from slowwave.proof.places import Place
from slowwave.proof.preference import is_preference
from slowwave.proof.recall import repeats
from slowwave.proof.verdict import Court, Verdict


def judge_candidate(candidate: Candidate, path: str, court: Court) -> Verdict[ProvedCandidate]:
    """Prove a candidate, or say everything that speaks against it."""
    refusals = [*_count_refusals(candidate, path), *_text_refusals(candidate, path, court)]
    quotes = candidate.evidence[:MOST_QUOTES]
    for at, quote in enumerate(quotes):
        refusals.extend(court.quote_refusals(quote, f"{path}.evidence[{at}]"))
    places = [_places(candidate, at, court) for at in range(len(quotes))]
    standing = [at for at, found in enumerate(places) if found]
    repeat = first_repeat([places[at] for at in standing])
    if repeat is not None:
        refusals.append(_same_evidence(f"{path}.evidence[{standing[repeat]}].quote"))
    elif quotes and len(standing) == len(quotes):
        refusals.extend(_whole_refusals(candidate, path, places))
    if refusals:
        return Verdict(proved=None, refusals=tuple(refusals))
    chosen = assign(places, [want for want, _ in _wants(candidate, path)])
    if chosen is None:
        raise AssertionError("an assignment that meets every want was found a moment ago")
    evidence = tuple(place.evidence(quote) for place, quote in zip(chosen, quotes, strict=True))
    return Verdict(proved=ProvedCandidate(candidate=candidate, evidence=evidence), refusals=())


def _count_refusals(candidate: Candidate, path: str) -> Iterator[Refusal]:
    count = len(candidate.evidence)
    if count < FEWEST_QUOTES:
        yield Refusal(
            code="too_few_quotes",
            path=f"{path}.evidence",
            message=f"A candidate rests on at least {FEWEST_QUOTES} quotes, this has {count}; add quotes or drop it.",
        )
    if count > MOST_QUOTES:
        yield Refusal(
            code="too_much_evidence",
            path=f"{path}.evidence",
            message=f"A candidate has at most {MOST_QUOTES} quotes, this one has {count:,}; keep the best.",
        )


def _text_refusals(candidate: Candidate, path: str, court: Court) -> Iterator[Refusal]:
    yield from court.text_refusals(candidate.claim, f"{path}.claim")
    yield from court.text_refusals(candidate.gist, f"{path}.gist")
    for at, entity in enumerate(candidate.entities):
        yield from court.text_refusals(str(entity), f"{path}.entities[{at}]")


def _places(candidate: Candidate, at: int, court: Court) -> tuple[Place, ...]:
    """Where a quote stands; nothing is new in a session that was shown the claim before."""
    quote = candidate.evidence[at]
    places = court.places(quote)
    if places and repeats(candidate.claim, court.found.recalled.get(quote.session_id, ())):
        return tuple(replace(place, is_new=False) for place in places)
    return places


def _whole_refusals(candidate: Candidate, path: str, places: Sequence[Sequence[Place]]) -> Iterator[Refusal]:
    """What is wrong with the quotes taken together, each judged by the best place it can have."""
    wants = _wants(candidate, path)
    for at in unmet(places, [want for want, _ in wants]):
        yield wants[at][1]


def _wants(candidate: Candidate, path: str) -> list[tuple[Want, Refusal]]:
    """What at least one quote must be, and the refusal where none can."""
    spoken = Refusal(
        code="tool_only_evidence",
        path=f"{path}.evidence",
        message="No quote was spoken by the user or the agent; add one that was.",
    )
    new = Refusal(
        code="no_new_evidence",
        path=f"{path}.evidence",
        message="No quote comes from a new part of a session; add one that does, or drop the candidate.",
    )
    wants: list[tuple[Want, Refusal]] = [
        (_is_decided if candidate.kind is Kind.PRECEDENT else _is_spoken, spoken),
        (_is_new, new),
    ]
    if is_preference(candidate):
        user = Refusal(
            code="speaker_mismatch",
            path=f"{path}.evidence",
            message="What a person prefers must be in that person's own words; add a quote of the user.",
        )
        wants.append((_is_users, user))
    return wants


def _is_spoken(place: Place) -> bool:
    return place.is_spoken


def _is_decided(place: Place) -> bool:
    """A decision is somebody's own: text planted in a page and repeated is not."""
    return place.is_spoken and not place.is_tainted


def _is_new(place: Place) -> bool:
    return place.is_new


def _is_users(place: Place) -> bool:
    return place.speaker is Speaker.USER and not place.is_tainted


def _same_evidence(path: str) -> Refusal:
    return Refusal(
        code="same_evidence",
        path=path,
        message="This quote and an earlier one are one span, overlap, or copies of one record; quote another place.",
    )
