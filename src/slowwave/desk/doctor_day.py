"""The doctor's look at the files of the day: what could not be read, what failed, what waits."""

from collections.abc import Iterator

from slowwave.desk.finding import Finding
from slowwave.disk.durable import read_whole
from slowwave.wake.goals import read_goals
from slowwave.wake.state import read_state
from slowwave.wiring import House
from slowwave.wiring.verbs_observations import observations_of
from slowwave.wiring.verbs_triage import commitments_of


def look_at_day(house: House) -> Iterator[Finding]:
    """Warnings about what people or other programs wrote; one line that all is well where it is."""
    findings = [*_state(house), *_lists(house)]
    yield from findings
    if not findings:
        yield Finding(severity="ok", code="day", message="the files of the day can be read")


def _state(house: House) -> Iterator[Finding]:
    places = house.home.day
    state = read_state(places, house.clock(), only_reads=True)
    for warning in state.warnings:
        yield _warned(places.loop_state, warning, "the next tick begins what is missing anew")
    for name, one in sorted(state.errors.items()):
        message = f"{name} failed {one.count:,} times, last {one.moment}: {one.message}"
        yield _warned(places.loop_state, message, "`slowwave wake status` shows whether it goes on failing")


def _lists(house: House) -> Iterator[Finding]:
    places = house.home.day
    rejected = (read_whole(places.rejected) or b"").count(b"\n")
    if rejected:
        yield _warned(places.rejected, f"{rejected:,} lines were no captures", "each stands there with its reason")
    for fault in read_goals(places).faults:
        yield _warned(places.goals / fault.file, f"this is no goal: {fault.reason}", "mend or remove it")
    malformed = observations_of(house).read().malformed
    if malformed:
        message = f"{malformed:,} lines are no observations"
        yield _warned(places.observations, message, "mend or remove them; they are stepped over")
    owed = commitments_of(house).look()
    if owed.is_damaged or owed.unreadable:
        message = "this is no list" if owed.is_damaged else f"{owed.unreadable:,} records state nothing"
        yield _warned(places.commitments, message, "mend it; a file that is no list is kept aside at the next write")


def _warned(path: object, message: str, remedy: str) -> Finding:
    return Finding(severity="warning", code="day", file=str(path), message=message, remedy=remedy)
