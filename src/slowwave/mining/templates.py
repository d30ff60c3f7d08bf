"""Lens "recurring error": one error template in two sessions, or three times apart in one, with its explanation.

Failures that every code base has are left out, and a shape that nobody explained is only a log line, so it is dropped.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import compose, failures, masks, phrasing, quoting, rewording
from slowwave.mining.accounts import Account, account
from slowwave.mining.commands import Simple
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.lexicon import load
from slowwave.mining.standing import fault

LENS = "recurring_error_shape"
FEWEST_SESSIONS = 2
FEWEST_OCCASIONS = 3  # separated ones, where it is one session (spec 03)
_MASK = re.compile(r"<\w+>(?: ?<\w+>)*")
MOST_WHY = 130  # characters of the explanation in a claim
APART = 20  # entries between two occasions
ACCOUNT_REACH = 14  # entries behind a failure in which it is explained
Hit = tuple[Timeline, Event, str]


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each error shape that comes back; dropped where nobody says what it means."""
    shapes: dict[str, list[Hit]] = {}
    for line in lines:
        for event in line.events:
            for text in dict.fromkeys(event.failure.lines if event.failure else ()):
                shape = masks.template(text)
                if _is_telling(shape):
                    shapes.setdefault(shape, []).append((line, event, text))
    return tuple(_finding(hits) for _, hits in sorted(shapes.items()) if _is_recurring(hits))


def _is_recurring(hits: Sequence[Hit]) -> bool:
    return len(_sessions(hits)) >= FEWEST_SESSIONS or len(_occasions(hits)) >= FEWEST_OCCASIONS


def _occasions(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that stand apart from the one before: another session, or ``APART`` records later."""
    apart: list[Hit] = []
    for hit in hits:
        line, event, _ = hit
        is_near = bool(apart) and apart[-1][0] is line and event.at - apart[-1][1].at < APART
        if not is_near:
            apart.append(hit)
    return apart


def _is_telling(shape: str) -> bool:
    return len(masks.real_words(shape)) >= masks.FEWEST_WORDS and not failures.is_everyday(shape)


def _sessions(hits: Sequence[Hit]) -> set[str]:
    return {line.session.id for line, _, _ in hits}


def _finding(hits: Sequence[Hit]) -> Finding:
    _, event, text = hits[0]
    sessions = len(_sessions(hits))
    told = _explained(hits)
    message = quoting.said(_shown(text))
    command = _command(event.simple)
    often = f"{sessions} sessions" if sessions > 1 else f"{len(_occasions(hits))} times in one session"
    why = _why(told)
    finding = Finding(
        lens=LENS,
        subject="error " + " ".join(masks.real_words(masks.template(text))[:6]),
        kind=Kind.ERROR_PATTERN,
        claim=f"{message} comes back ({often}{command}){why}.",
        gist=(
            f"Seen {len(hits)} times in {quoting.sessions_word(sessions)}{command}. "
            + (f"What the agent found: {quoting.said(told.text, 110)}. " if told else "")
            + "Look for this cause first when it shows up again."
        ),
        entities=(Entity("command", event.simple[0].program),) if event.simple else (),
        quotes=_quotes(hits, told),
        parts=(
            Part(name="same error in sessions", value=3.4 + min(1.6, 0.6 * sessions)),
            Part(name="explained", value=1.0 if told else 0.0),
        ),
    )
    return finding if told else replace(finding, dropped="nobody says what the error means")


def _shown(text: str) -> str:
    """An error line for a claim: paths, numbers and the like left out where it would be long with them."""
    bare = failures.bare(text)
    return bare if len(bare) <= quoting.FRAGMENT_LENGTH else _MASK.sub("…", masks.template(text))


def _why(told: Account | None) -> str:
    """The explanation as the claim's second half; empty where it does not stand alone."""
    plain = phrasing.telling(told.text) if told else ""
    whole = rewording.unrun(plain, MOST_WHY) if plain and not fault(plain) else ""
    return f"; the agent's explanation: {compose.lowered(whole)}" if whole else ""


def _command(simple: Sequence[Simple]) -> str:
    return f", from {quoting.code(simple[0].raw, 50)}" if simple else ""


def _explained(hits: Sequence[Hit]) -> Account | None:
    """The first account that states a cause."""
    for line, event, text in hits:
        told = account(line, (event.at + 1, event.at + ACCOUNT_REACH), failures.bare(text))
        if told and load("answers").has(told.text, "cause", "diagnosis"):
            return told
    return None


def _quotes(hits: Sequence[Hit], told: Account | None) -> tuple[Quote, ...]:
    quotes: list[Quote | None] = [told.quote if told else None]
    seen: set[str] = set()
    for line, event, text in hits:
        if line.session.id not in seen:
            seen.add(line.session.id)
            quotes.append(quoting.raw_line(line.session.id, text))
            near = account(line, (event.at + 1, event.at + ACCOUNT_REACH), failures.bare(text))
            quotes.append(near.quote if near else None)
    return quoting.distinct(quotes)
