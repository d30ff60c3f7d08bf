"""Lens "fix by variant": a command fails, the same command in another form passes, and nothing was edited between.

Only three differences count: a ``NAME=value`` before it, a wrapper around it (or the path of its program), a flag in
place of one that the error calls unknown, or one that the error names. Without "nothing edited between" four findings
in five are noise (study/mining-notes).
"""

from collections.abc import Iterator, Sequence

from slowwave.mining import failures, masks, programs, variant_claims
from slowwave.mining.commands import Simple, program_name
from slowwave.mining.events import Event, Timeline
from slowwave.mining.finding import Finding
from slowwave.mining.forms import Form, difference, form
from slowwave.mining.pairs import Pair

REACH = 60  # records between the failure and the form that works
_FILLERS = frozenset({"echo", "printf", "true", "sleep", "pwd", ":", "source", ".", "export", "date", "ls"})


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each cure: what it cures in one command and another is one thing to know."""
    groups: dict[tuple[str, ...], list[Pair]] = {}
    for line in lines:
        for pair in _pairs(line):
            groups.setdefault(pair.cure, []).append(pair)
    worth = (group for _, group in sorted(groups.items()) if _is_worth(group) and not _has_failed_too(group[0], lines))
    return tuple(variant_claims.tell(group, lines) for group in worth)


def _pairs(line: Timeline) -> Iterator[Pair]:
    events = line.events
    for number, failed in enumerate(events):
        commands = _significant(failed)
        if failed.failure is None or len(commands) != 1 or not (failed.failure.is_worded or failed.failure.is_timeout):
            continue
        if _was_planned(line, failed):
            continue
        before = form(commands[0])
        for passed in events[number + 1 :]:
            if passed.call.file != failed.call.file or passed.call.line - failed.call.line > REACH:
                break
            pair = _pair(line, (failed, passed), before)
            if pair:
                yield pair
                break
            if passed.is_change:
                break


def _significant(event: Event) -> tuple[Simple, ...]:
    return tuple(command for command in event.simple if command.program not in _FILLERS)


def _was_planned(line: Timeline, failed: Event) -> bool:
    near = [entry.text for entry in line.entries[max(0, failed.at - 4) : failed.at + 1]]
    return failures.is_planned(near)


def _pair(line: Timeline, events: tuple[Event, Event], before: Form) -> Pair | None:
    failed, passed = events
    commands = _significant(passed)
    if not commands or not passed.has_passed or failed.failure is None or failed.folder != passed.folder:
        return None
    after = form(commands[0])
    output = failed.result.text if failed.result else ""
    what = difference(before, after, failed.failure, output) if before.program else ""
    if not what:
        return None
    return Pair(
        timeline=line,
        failed=failed,
        passed=passed,
        failure=failed.failure,
        before=before,
        after=after,
        difference=what,
    )


def _is_worth(group: Sequence[Pair]) -> bool:
    """Not what everybody knows: a flag of an everyday tool, a failure that every code base has."""
    first = group[0]
    sessions = {pair.timeline.session.id for pair in group}
    if first.failure.is_timeout:
        return first.difference == "flag"
    if first.difference == "flag":
        is_common = program_name(first.before.program) in programs.everyday()
        return len(sessions) > 1 or not is_common
    return not failures.is_everyday(first.failure.message) and len(masks.real_words(first.template)) > 1


def _has_failed_too(pair: Pair, lines: Sequence[Timeline]) -> bool:
    """Whether the form that passed failed elsewhere with the very error it is said to cure: then it was chance."""
    if pair.failure.is_timeout:
        return False
    return any(
        event.failure is not None
        and masks.template(event.failure.line) == pair.template
        and any(_is_same_form(form(command), pair.after) for command in _significant(event))
        for line in lines
        for event in line.events
    )


def _is_same_form(one: Form, other: Form) -> bool:
    return (one.wrapper, one.assignments, one.args) == (other.wrapper, other.assignments, other.args)
