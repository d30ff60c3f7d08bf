"""Lines in the user's crontab, between two of ours. Pure.

Cron has no memory: what was due while the machine was off is made up for by the line that looks every quarter of an
hour, and that line too keeps the hours of a zone which is not cron's own.
"""

import shlex
from collections.abc import Iterator

from slowwave.desk.schedule.moments import clock_of
from slowwave.desk.schedule.plan import MARK, Plan, ScheduleError, check_word

_QUIET = ">/dev/null 2>&1"  # cron writes a mail about anything that is said


def with_ours(table: str, plan: Plan) -> str:
    """A crontab with our lines, in place of those that stood there before.

    Raises:
        ScheduleError: Our marks in it do not pair.
    """
    kept = without_ours(table, plan.label)
    joined = kept if not kept or kept.endswith("\n") else f"{kept}\n"
    return joined + "".join(f"{line}\n" for line in lines(plan))


def without_ours(table: str, label: str) -> str:
    """A crontab without our lines; all others byte for byte.

    Raises:
        ScheduleError: Our marks in it do not pair.
    """
    begin, end = _marks(label)
    kept: list[str] = []
    is_ours = False
    for line in table.splitlines(keepends=True):
        said = line.strip()
        if said in (begin, end):
            if (said == begin) == is_ours:
                raise _unpaired(label)
            is_ours = not is_ours
        elif not is_ours:
            kept.append(line)
    if is_ours:
        raise _unpaired(label)
    return "".join(kept)


def lines(plan: Plan) -> tuple[str, ...]:
    """Our lines, the two around them among them."""
    begin, end = _marks(plan.label)
    return (begin, f"# {MARK}", *_jobs(plan), end)


def _jobs(plan: Plan) -> Iterator[str]:
    yield f"*/5 * * * * {_command(plan, 'wake')}"
    for name, hour in plan.hours.items():
        hours, minutes = clock_of(hour)
        yield f"{minutes} {hours} * * * {_command(plan, 'schedule', 'run', name)}"
    yield f"*/15 * * * * {_command(plan, 'schedule', 'run')}"


def _command(plan: Plan, *command: str) -> str:
    words = [shlex.quote(check_word(word)) for word in plan.words(*command)]
    path = [f"PATH={shlex.quote(check_word(plan.path))}"] if plan.path else []
    # A percent sign would end the line for cron, whatever the shell thinks of quotes.
    return " ".join((*path, *words, _QUIET)).replace("%", "\\%")


def _marks(label: str) -> tuple[str, str]:
    return f"# >>> {label} >>>", f"# <<< {label} <<<"


def _unpaired(label: str) -> ScheduleError:
    begin, end = _marks(label)
    return ScheduleError(
        f"in your crontab `{begin}` and `{end}` do not pair, so nothing in it was changed",
        hint="mend them with `crontab -e`, then run this again",
    )
