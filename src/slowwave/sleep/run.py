"""Walk the night's table: phase by phase, each seeing what those before it wrote, none stopping the others.

The night is begun on disk before its first phase and finished after its last; a night found unfinished goes on with
its own moment, so that a crash leaves no trace in what is written.
"""

from collections.abc import Sequence
from dataclasses import replace

from slowwave.disk.trouble import DiskError
from slowwave.facts.refusal import DamageError, Refusal, SlowwaveError, UsageError
from slowwave.sleep.plan import Night, PhaseResult, PhaseRun, PhaseStatus, Row


def walk(night: Night, table: Sequence[Row]) -> tuple[PhaseRun, ...]:
    """Run the phases of the table that were asked for, in order; vital ones always run.

    Raises:
        UsageError: A phase was asked for that does not exist.
        SlowwaveError: A vital phase failed, or the disk did; nothing after it ran.
    """
    check_names(night.options.phases, table)
    for number, row in enumerate(table, 1):
        night.progress.phase(row.name, number, len(table))
        began = night.seconds()
        result = _run(night, row)
        night.walked.append(PhaseRun(name=row.name, result=result, seconds=night.seconds() - began))
    return tuple(night.walked)


def check_names(asked: Sequence[str], table: Sequence[Row]) -> None:
    """Refuse phases that the table does not have.

    Raises:
        UsageError: One is unknown; the message names those that exist.
    """
    names = [row.name for row in table]
    unknown = [name for name in asked if name not in names]
    if unknown:
        raise UsageError(f"no phase is called {unknown[0]}", hint=f"phases are: {', '.join(names)}")


def _run(night: Night, row: Row) -> PhaseResult:
    if night.options.phases and row.name not in night.options.phases and not row.is_vital:
        return PhaseResult(status=PhaseStatus.SKIPPED, reason="not asked for")
    try:
        return row.run(night)
    except SlowwaveError as error:
        if row.is_vital or isinstance(error, DiskError | DamageError):
            raise
        refusal = Refusal(code=error.code, path=row.name, message=error.message)
        return PhaseResult(status=PhaseStatus.FAILED, reason=error.message, refusals=(refusal,))


def with_seconds(night: Night, first: float, later: float) -> Night:
    """The night with its time bound: a first night shows something soon, later ones take what they need."""
    return replace(night, options=replace(night.options, seconds=first if night.record.is_first else later))
