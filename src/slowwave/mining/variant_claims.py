"""What a fix by variant says: claim, gist, quotes and score of one group of pairs."""

from collections.abc import Sequence

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import masks, quoting
from slowwave.mining.accounts import Account, account
from slowwave.mining.commands import program_name
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.forms import form
from slowwave.mining.pairs import Pair

LENS = "failure_and_fix"
LONGEST = 100  # characters of a command that a claim shows whole


def tell(group: Sequence[Pair], lines: Sequence[Timeline]) -> Finding:
    """The finding a group of pairs makes: one error, one form that works, in one or more sessions."""
    pair = group[0]
    told = account(pair.timeline, (pair.failed.at, pair.passed.at + 16), pair.failure.message, keys=_keys(pair))
    others = _same_error(pair, group, lines)
    again = _used_again(pair, lines)
    sessions = {p.timeline.session.id for p in group} | {line.session.id for line, _ in others}
    parts = [Part(name="a form of the command works", value=7.0)]
    parts += [Part(name="agent says why", value=0.6)] if told else []
    parts += [Part(name="other sessions", value=min(1.0, 0.5 * (len(sessions) - 1)))] if len(sessions) > 1 else []
    parts += [Part(name="used again", value=min(0.6, 0.2 * again))] if again else []
    return Finding(
        lens=LENS,
        subject=f"variant {pair.before.name} {' '.join(masks.real_words(pair.template)[:6])}",
        kind=Kind.ERROR_PATTERN,
        claim=_claim(pair),
        gist=_gist(pair, told, len(sessions), again),
        entities=_entities(pair),
        quotes=_quotes(pair, told, group, others),
        parts=tuple(parts),
    )


def _keys(pair: Pair) -> tuple[str, ...]:
    """What was new in the form that works."""
    words = [word for word in pair.after.wrapper if word not in pair.before.wrapper and word != "--"]
    words += [word.split("=", 1)[0] for word in pair.after.assignments if word not in pair.before.assignments]
    words += [word for word in pair.after.args if word not in pair.before.args]
    return tuple(words)


def _claim(pair: Pair) -> str:
    error = quoting.said(pair.failure.message)
    before, after = quoting.code(pair.before.raw, 80), quoting.code(pair.after.raw, 100)
    if pair.failure.is_timeout:
        endless = quoting.code(pair.before.bare, 80)
        return f"{endless} does not end by itself here and was killed by a timeout; {after} ends and passes."
    missing = _missing_program(pair)
    if missing:
        return f"`{missing}` is not on the shell's PATH here ({error}); run it as {after} instead of {before}."
    if len(pair.after.raw) > LONGEST and pair.difference in {"assignment", "wrapper"}:
        new = quoting.code(" ".join(_new_words(pair)), 120)
        return f"{before} fails here with {error} and passes with {new} in front of it, nothing else changed."
    return f"{before} fails here with {error}, while {after} passes with nothing else changed."


def _new_words(pair: Pair) -> list[str]:
    """What stands before the form that passed and not before the one that failed."""
    return [
        *(word for word in pair.after.assignments if word not in pair.before.assignments),
        *(pair.after.wrapper if pair.after.wrapper != pair.before.wrapper else ()),
    ]


def _missing_program(pair: Pair) -> str:
    name = program_name(pair.before.program)
    lowered = pair.failure.message.lower()
    return name if "not found" in lowered and name.lower() in lowered and pair.difference in {"wrapper", "path"} else ""


def _gist(pair: Pair, told: Account | None, sessions: int, again: int) -> str:
    where = "one session" if sessions == 1 else f"{sessions} sessions"
    text = [
        (
            f"Seen in {where}: {quoting.code(pair.before.raw, 80)} failed, no file was edited, and "
            f"{quoting.code(pair.after.raw, 100)} passed. The output reads {quoting.said(pair.failure.message)}."
        )
    ]
    if told:
        text.append(f"The agent's account: {quoting.said(told.text)}.")
    if again:
        text.append(f"The form that works was used {again} more times afterwards.")
    text.append("Use that form first, and do not take this error for a fault of the change under test.")
    return " ".join(text)


def _entities(pair: Pair) -> tuple[Entity, ...]:
    names = [Entity("command", pair.before.name[:100])]
    names += [Entity("command", " ".join(pair.after.wrapper))] if pair.after.wrapper else []
    names += [Entity("concept", assignment[:100]) for assignment in pair.after.assignments]
    return tuple(dict.fromkeys(names))


def _quotes(
    pair: Pair, told: Account | None, group: Sequence[Pair], others: Sequence[tuple[Timeline, Event]]
) -> tuple[Quote, ...]:
    session = pair.timeline.session.id
    quotes: list[Quote | None] = [
        quoting.raw_line(session, pair.failure.line),
        quoting.raw_line(session, pair.after.raw.split("\n", 1)[0]),
        told.quote if told else None,
    ]
    for other in group[1:]:
        quotes.append(quoting.raw_line(other.timeline.session.id, other.failure.line))
        quotes.append(quoting.raw_line(other.timeline.session.id, other.after.raw.split("\n", 1)[0]))
    for line, event in others:
        if event.failure:
            quotes.append(quoting.raw_line(line.session.id, event.failure.line))
            near = account(line, (event.at, event.at + 8), event.failure.message)
            quotes.append(near.quote if near else None)
    return quoting.distinct(quotes)


def _same_error(pair: Pair, group: Sequence[Pair], lines: Sequence[Timeline]) -> list[tuple[Timeline, Event]]:
    """One failure with the same template in each other session."""
    known = {p.timeline.session.id for p in group}
    found: list[tuple[Timeline, Event]] = []
    for line in lines:
        if line.session.id in known:
            continue
        event = next((e for e in line.events if _has_template(e, pair.template)), None)
        if event:
            found.append((line, event))
    return found


def _has_template(event: Event, template: str) -> bool:
    return event.failure is not None and any(masks.template(text) == template for text in event.failure.lines)


def _used_again(pair: Pair, lines: Sequence[Timeline]) -> int:
    """How often the working wrapper or assignment was used after it had been found."""
    mark = (pair.after.wrapper, pair.after.assignments)
    count = 0
    for line in lines:
        for event in line.events:
            is_later = line.session.id != pair.timeline.session.id or event.at > pair.passed.at
            forms = [form(command) for command in event.simple] if is_later else []
            count += any((f.wrapper, f.assignments) == mark and f.program == pair.after.program for f in forms)
    return count if any(mark) else 0
