"""The doctor: looks at everything slowwave owns, changes nothing, and says for each finding what to do."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from slowwave.desk.doctor_budget import look_at_ledger
from slowwave.desk.doctor_corpus import look_at_book, look_at_corpus
from slowwave.desk.doctor_day import look_at_day
from slowwave.desk.finding import Finding, failed
from slowwave.disk.config import config_path
from slowwave.disk.git import Git, GitMissingError, GitTooOldError
from slowwave.disk.home import Home
from slowwave.disk.trouble import explain
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.text import showable
from slowwave.sleep.nights import unfinished
from slowwave.wiring import House, home_folder


def examine_home(*, home: Path | None, environment: Mapping[str, str], clock: Clock) -> list[dict[str, str]]:
    """Everything the doctor finds, worst first."""
    place = Home(home_folder(home, environment))
    findings = [*_program(place, environment), *_home(place, environment, clock)]
    order = {"damage": 0, "error": 1, "warning": 2, "info": 3, "ok": 4}
    return [_described(finding) for finding in sorted(findings, key=lambda f: order[f.severity])]


def _described(finding: Finding) -> dict[str, str]:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "file": showable(finding.file),
        "message": showable(finding.message),
        "remedy": finding.remedy,
    }


def _program(place: Home, environment: Mapping[str, str]) -> Iterator[Finding]:
    try:
        program = Git(place.root, environment=environment).program
    except SlowwaveError as error:
        yield failed(error, "")
    else:
        yield Finding(severity="ok", code="git", message=f"git is {program}")


def _home(place: Home, environment: Mapping[str, str], clock: Clock) -> Iterator[Finding]:
    try:
        is_there = place.check_format()
    except SlowwaveError as error:
        yield failed(error, str(place.format_file))
        return
    if not is_there:
        yield Finding(
            severity="info", code="no_home", message=f"no home at {place.root} yet", remedy="run `slowwave sleep`"
        )
        return
    yield Finding(severity="ok", code="home", message=f"home at {place.root}, settings in {config_path(place.root)}")
    yield from _modes(place)
    damage = list(_databases(place))
    yield from damage
    if any(finding.file == str(place.state_db) for finding in damage):
        return
    try:
        house = House(place, environment=environment, clock=clock)
    except SlowwaveError as error:
        if error.code not in _SAID_OF_PROGRAM:
            yield failed(error, str(place.root))
        return
    try:
        for look in (_sources, look_at_corpus, look_at_book, look_at_ledger, look_at_day, _nights):
            yield from _as_far_as_it_goes(look, house)
        yield Finding(severity="ok", code="secrets", message=f"secrets are found by {house.secrets.detectors()}")
    finally:
        house.close()


_SAID_OF_PROGRAM = (GitMissingError.code, GitTooOldError.code)


def _as_far_as_it_goes(look: Callable[[House], Iterator[Finding]], house: House) -> Iterator[Finding]:
    """What one look finds; what stops it is a finding too, and the other looks go on."""
    try:
        yield from look(house)
    except SlowwaveError as error:
        yield failed(error, str(house.home.root))
    except OSError as error:
        yield failed(explain(error, str(error.filename or house.home.root)), str(error.filename or house.home.root))


def _modes(place: Home) -> Iterator[Finding]:
    for path in (place.root, place.state_db, place.budget_db, place.wake_db):
        if path.exists() and path.stat().st_mode & 0o077:
            yield Finding(
                severity="warning",
                code="mode",
                file=str(path),
                message="others on this machine can read it",
                remedy=f"chmod go-rwx {path}",
            )


def _databases(place: Home) -> Iterator[Finding]:
    for path in (place.index_db, place.search_db):
        if path.is_symlink() or (path.exists() and not path.is_file()):
            yield Finding(
                severity="damage",
                code="not_a_file",
                file=str(path),
                message="this should be a database file and is none, so commands fail on it",
                remedy="move it away: it is rebuilt from what it indexes",
            )
    if not place.state_db.exists():
        return
    try:
        with sqlite3.connect(f"file:{place.state_db}?mode=ro", uri=True) as sql:
            verdict = str(sql.execute("PRAGMA quick_check").fetchone()[0])
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        yield Finding(
            severity="damage",
            code="state_damaged",
            file=str(place.state_db),
            message=f"the state database is damaged: {verdict}",
            remedy="move it aside: the next night adopts what stands on branch pending and reads sessions again",
        )


def _sources(house: House) -> Iterator[Finding]:
    for source in house.sources():
        if not source.root.is_dir():
            yield Finding(
                severity="info",
                code="source_missing",
                file=str(source.root),
                message="this transcript folder is not there",
                remedy="`slowwave init --transcripts DIR` names another",
            )
    found = house.find()
    unread = [skip for skip in found.report.skipped if skip.reason == "permission"]
    for skip in unread:
        yield Finding(
            severity="warning",
            code="unreadable",
            file=str(skip.path),
            message="this transcript may not be read",
            remedy="check its owner and mode",
        )
    lost = sum(found.report.losses.values())
    if lost:
        yield Finding(
            severity="info",
            code="losses",
            message=f"{lost} places in transcripts could not be read",
            remedy="`slowwave transcripts doctor` lists them",
        )
    yield Finding(severity="ok", code="sessions", message=f"{len(found.sessions)} sessions found")


def _nights(house: House) -> Iterator[Finding]:
    interrupted = unfinished(house.state)
    if interrupted is not None:
        yield Finding(
            severity="warning",
            code="unfinished_night",
            message=f"night {interrupted.run_id} was interrupted",
            remedy="`slowwave sleep` goes on with it",
        )
