"""A night put together: the phase table, what each phase gets, and the report at the end."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any

from slowwave.disk.lock import WriterLock
from slowwave.facts.ids import RunId
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import NothingToDoError, SlowwaveError
from slowwave.sleep.consent import require_consent
from slowwave.sleep.consolidator import consolidate
from slowwave.sleep.engine import Engine
from slowwave.sleep.integrity import check_integrity
from slowwave.sleep.nights import NightRecord, abandon, begin, is_first_night, unfinished
from slowwave.sleep.plan import Night, NightOptions, Progress, Row
from slowwave.sleep.preflight import preflight
from slowwave.sleep.report import close_night, report
from slowwave.sleep.run import check_names, walk, with_seconds
from slowwave.sleep.task_detection import detect_tasks
from slowwave.wiring.engines import AbsentEngine, Chosen, engine_named, engine_of_records
from slowwave.wiring.premises import Premises
from slowwave.wiring.transcripts import Found


def night_table(house: Premises) -> tuple[Row, ...]:
    """The phases of a night, in order. A new one is one file and one line here."""
    from slowwave.wiring.day_phases import checks_in, coaches, rolls_up, triages
    from slowwave.wiring.hygiene_phase import proposes

    return (
        Row("preflight", preflight, is_vital=True),
        Row("roll_up", rolls_up(house)),
        Row("check_in", checks_in(house)),
        Row("commitment_triage", triages(house)),
        Row("integrity", check_integrity, is_vital=True),
        Row("hygiene", proposes(house)),
        Row("trace_consolidation", consolidate),
        Row("task_detection", detect_tasks),
        Row("coaching", coaches(house)),
        Row("report", report),
    )


def sleep(
    house: Premises,
    options: NightOptions,
    *,
    engine_name: str,
    moment: datetime,
    resume: bool,
    progress: Progress,
    seconds: Callable[[], float],
) -> Mapping[str, Any]:
    """Run a night, or finish one that was interrupted; one at a time.

    Raises:
        NothingToDoError: No transcripts, or ``--resume`` with nothing to resume.
        LockedError: Another night runs.
        SlowwaveError: Preflight or integrity stopped the night.
    """
    table = night_table(house)
    check_names(options.phases, table)
    interrupted = None if options.dry_run else unfinished(house.state)
    if resume and unfinished(house.state) is None:
        raise NothingToDoError("no night was interrupted", hint="`slowwave sleep` starts one")
    chosen = (
        _taken_up(house, interrupted, options, asked=engine_name)
        if interrupted
        else _chosen(house, engine_name, options)
    )
    with nullcontext() if house.is_read_only and options.dry_run else _night_lock(house):
        if not options.dry_run:
            house.begin_corpus(moment)
        found = house.find()
        _refuse_nothing(house, found, options)
        record = interrupted or _record(house, options, chosen, moment)
        options = replace(options, phases=record.phases, again=record.again)
        night = _night(
            house, record, options=options, engine=chosen.engine, found=found, progress=progress, seconds=seconds
        )
        night = replace(night, present=max(moment, record.moment))
        try:
            walk(night, table)
        except SlowwaveError:
            if not options.dry_run:
                abandon(house.state, record.run_id)
            raise
        return {**close_night(night), "notes": [chosen.note] if chosen.note else []}


def _chosen(house: Premises, name: str, options: NightOptions) -> Chosen:
    """The engine asked for, with the person's consent to where it sends what it reads.

    Raises:
        ConsentNeededError: It would send transcripts where the person has not said that they may go.
    """
    if options.replay:
        return engine_of_records(house, options.replay)
    chosen = engine_named(name, house, leads=options.leads, keep_turns=options.keep_turns)
    if not options.dry_run:
        require_consent(house.state, chosen.engine.destination)
    return chosen


def _taken_up(house: Premises, record: NightRecord, options: NightOptions, *, asked: str) -> Chosen:
    """The engine that began a night; where it is not to be had, or another one is asked for, the night ends without it.

    Whoever asks for rules by name does not want a model asked, whatever was begun before.
    """
    if asked not in ("auto", record.engine) and not options.replay:
        why = f"the night was begun with the engine {record.engine}, and {asked} was asked for"
        note = f"{why}: the interrupted night was ended without it; run this again for a night of your own"
        return Chosen(engine=AbsentEngine(name=record.engine, profile=record.profile, why=why), note=note)
    try:
        chosen = _chosen(house, record.engine, options)
    except SlowwaveError as error:
        return Chosen(engine=AbsentEngine(name=record.engine, profile=record.profile, why=error.message))
    if chosen.engine.profile == record.profile:
        return chosen
    why = f"the night was begun by {record.profile}, and now there is {chosen.engine.profile}"
    return Chosen(engine=AbsentEngine(name=record.engine, profile=record.profile, why=why))


def _night_lock(house: Premises) -> WriterLock:
    """One night at a time: a second one is told who runs the first, without waiting."""
    return WriterLock(
        house.home.locks / "night", command="slowwave sleep", clock=house.clock, on_wait=None, seconds=0.0
    )


def _refuse_nothing(house: Premises, found: Found, options: NightOptions) -> None:
    _refuse_unreadable(found)
    known = house.state.connection.execute("SELECT 1 FROM sources WHERE sessions > 0").fetchone()
    if found.sessions or known or options.accept_empty:
        return
    roots = ", ".join(found.roots) or "the usual folders"
    left_out = ", ".join(f"{number:,} {reason}" for reason, number in sorted(found.left_out().items()))
    raise NothingToDoError(
        f"no session was found under {roots}" + (f" (not read: {left_out})" if left_out else ""),
        hint="name the folder: slowwave init --transcripts DIR; or see the demo: slowwave demo",
    )


class SourceUnreadableError(SlowwaveError):
    """A folder of transcripts is there and may not be read."""

    code = "source_unreadable"


def _refuse_unreadable(found: Found) -> None:
    """A source that may not be read is neither empty nor done.

    Raises:
        SourceUnreadableError: Its folder refuses this user.
    """
    denied = {str(skipped.path) for skipped in found.report.skipped if skipped.reason == "permission"}
    for root in sorted(denied & set(found.roots)):
        raise SourceUnreadableError(
            f"{root} may not be read by this user", hint="check its owner and mode, then run the night again"
        )


def _record(house: Premises, options: NightOptions, chosen: Chosen, moment: datetime) -> NightRecord:
    engine = chosen.engine
    if options.dry_run:
        return NightRecord(
            run_id=RunId("dry-run-" + stamp(moment)),
            moment=moment,
            profile=engine.profile,
            engine=engine.name,
            phases=options.phases,
            again=options.again,
            since=options.since,
            any_marks=chosen.any_marks,
            is_first=is_first_night(house.state, engine.profile),
        )
    return begin(
        house.state,
        moment=moment,
        profile=engine.profile,
        engine=engine.name,
        phases=options.phases,
        again=options.again,
        since=options.since,
        any_marks=chosen.any_marks,
    )


def _night(
    house: Premises,
    record: NightRecord,
    *,
    options: NightOptions,
    engine: Engine,
    found: Found,
    progress: Progress,
    seconds: Callable[[], float],
) -> Night:
    night = Night(
        record=record,
        options=options,
        home=house.home,
        state=house.state,
        door=house.door,
        sessions=found.sessions,
        roots=found.roots,
        secrets=house.secrets,
        engine=engine,
        progress=progress,
        seconds=seconds,
        began=seconds(),
        present=record.moment,
        skipped=found.left_out(),
        on_wait=house.on_wait,
    )
    if options.seconds:
        return night
    settings = house.config.sleep
    # Rules show something within a minute; whoever is asked takes minutes a batch, and the budget bounds that.
    first = settings.night_seconds if engine.destination else settings.first_night_seconds
    return with_seconds(night, first, settings.night_seconds)
