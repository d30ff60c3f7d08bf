"""The doctor: looks at everything slowwave owns, changes nothing, and says for each finding what to do."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from slowwave.corpus import gate
from slowwave.corpus.tree import TreeFile, tree_files
from slowwave.disk.config import config_path
from slowwave.disk.fence import FenceError
from slowwave.disk.git import Git
from slowwave.disk.home import Home
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import DamageError, SlowwaveError
from slowwave.facts.text import showable
from slowwave.sleep.nights import unfinished
from slowwave.wiring import House, home_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing the doctor saw: ``ok``, ``info``, ``warning`` or ``damage``, where, and what to do."""

    severity: str
    code: str
    message: str
    file: str = ""
    remedy: str = ""


def examine_home(*, home: Path | None, environment: Mapping[str, str], clock: Clock) -> list[dict[str, str]]:
    """Everything the doctor finds, worst first."""
    place = Home(home_folder(home, environment))
    findings = [*_program(place, environment), *_home(place, environment, clock)]
    order = {"damage": 0, "warning": 1, "info": 2, "ok": 3}
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
        yield _failed(error, "")
    else:
        yield Finding(severity="ok", code="git", message=f"git is {program}")


def _home(place: Home, environment: Mapping[str, str], clock: Clock) -> Iterator[Finding]:
    try:
        is_there = place.check_format()
    except SlowwaveError as error:
        yield _failed(error, str(place.format_file))
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
    if damage:
        return
    try:
        house = House(place, environment=environment, clock=clock)
    except SlowwaveError as error:
        yield _failed(error, str(place.root))
        return
    try:
        yield from _sources(house)
        yield from _corpus(house)
        yield from _nights(house)
        yield Finding(severity="ok", code="secrets", message=f"secrets are found by {house.secrets.detectors()}")
    finally:
        house.close()


def _failed(error: SlowwaveError, file: str) -> Finding:
    severity = "damage" if isinstance(error, DamageError) else "warning"
    return Finding(severity=severity, code=error.code, file=file, message=error.message, remedy=error.hint)


def _modes(place: Home) -> Iterator[Finding]:
    for path in (place.root, place.state_db):
        if path.exists() and path.stat().st_mode & 0o077:
            yield Finding(
                severity="warning",
                code="mode",
                file=str(path),
                message="others on this machine can read it",
                remedy=f"chmod go-rwx {path}",
            )


def _databases(place: Home) -> Iterator[Finding]:
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


def _corpus(house: House) -> Iterator[Finding]:
    if not house.door.exists:
        yield Finding(severity="info", code="no_corpus", message="no corpus yet", remedy="run `slowwave sleep`")
        return
    try:
        house.door.check()
        faults = house.door.verify(is_thorough=True)
    except SlowwaveError as error:
        yield _failed(error, str(house.home.corpus))
        return
    for fault in faults:
        yield Finding(
            severity="damage",
            code=fault.code,
            file=fault.path,
            message=fault.message,
            remedy="restore the corpus from a backup or a clone",
        )
    files = list(tree_files(house.home.corpus))
    paths = frozenset(file.path for file in files)
    for file in files:
        yield from _file(house, file, paths)
    yield from _edits(house)
    yield Finding(severity="ok", code="corpus", message=f"{len(files)} files in the corpus")


def _file(house: House, file: TreeFile, paths: frozenset[str]) -> Iterator[Finding]:
    try:
        content = file.load()
    except (OSError, FenceError) as error:
        yield Finding(severity="warning", code="unreadable", file=file.path, message=str(error))
        return
    for refusal in gate.check(file.path, content, exists=lambda path: path in paths, secrets=house.secrets):
        yield Finding(
            severity="warning",
            code=refusal.code,
            file=refusal.path,
            message=refusal.message,
            remedy="edit the file; nothing else is blocked by it",
        )


def _edits(house: House) -> Iterator[Finding]:
    changed = house.door.git.run("status", "--porcelain", "-z").split(b"\0")
    for line in changed:
        name = line[3:].decode("utf-8", "replace")
        if name:
            yield Finding(
                severity="info",
                code="uncommitted",
                file=name,
                message="edited by hand and not committed",
                remedy=f"commit it when it is right: git -C {house.home.corpus} commit",
            )


def _nights(house: House) -> Iterator[Finding]:
    interrupted = unfinished(house.state)
    if interrupted is not None:
        yield Finding(
            severity="warning",
            code="unfinished_night",
            message=f"night {interrupted.run_id} was interrupted",
            remedy="`slowwave sleep` goes on with it",
        )
