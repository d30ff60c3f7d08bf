"""A log of revisions with real files: two programs at once, full disks, writers in between, and hands that tamper."""

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from made_revisions import (
    FIRST,
    SECOND,
    change,
    curate,
    grow,
    line,
    lines,
    renamed,
    revisions,
    sha,
    stubbed,
    write,
)

from slowwave.disk.exchange import exchange
from slowwave.disk.fence import FenceError
from slowwave.disk.trouble import DiskFullError, FlushError
from slowwave.facts.refusal import DamageError
from slowwave.hygiene import keeper as keeper_module
from slowwave.hygiene import placing
from slowwave.hygiene.entries import Cause
from slowwave.hygiene.log import HEAD, LOG
from slowwave.hygiene.placing import StaleError, TargetExistsError
from slowwave.hygiene.revise import Revisions

BEGIN = lines(FIRST, "a", "long b", "c", "long d")
MADE = str(Path(__file__).resolve().parents[2] / "made")
FORKER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from made_revisions import curate, revisions
from slowwave.facts.refusal import SlowwaveError
log, source = revisions(Path(sys.argv[2])), Path(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[5])):
    target = source if sys.argv[4] == "-" else source.with_name(f"{sys.argv[4]}-{number}.jsonl")
    try:
        curate(log, source, target, old="aaaa-1", new="" if target == source else f"{sys.argv[4]}-{number}")
        print("done", flush=True)
    except SlowwaveError as error:
        print(error.code, flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home."""
    return tmp_path / "home"


@pytest.fixture
def log(home: Path) -> Revisions:
    """Its log."""
    return revisions(home)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session that rests."""
    return write(tmp_path / "first.jsonl", BEGIN)


def together(home: Path, session: Path, names: list[str], times: int) -> list[list[str]]:
    """Programs that curate one session at the same time, and what each said of every try."""
    words = [sys.executable, "-c", FORKER, MADE, str(home), str(session)]
    running = [
        subprocess.Popen([*words, name, str(times)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in names
    ]
    for each in running:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    return [each.communicate("go\n", timeout=60)[0].split() for each in running]


# Two programs


def test_two_programs_that_fork_at_once_keep_one_chain(home: Path, session: Path, log: Revisions) -> None:
    """Every fork is written and every line follows the one before."""
    assert together(home, session, ["x", "y"], 8) == [["done"] * 8] * 2
    audit = log.verify()
    assert (audit.entries, audit.originals, audit.flaws, audit.notes) == (16, 1, (), ())
    assert len(list(session.parent.glob("[xy]-*.jsonl"))) == 16


def test_of_two_programs_that_replace_one_file_one_wins(home: Path, session: Path, log: Revisions) -> None:
    """The other finds its plan stale, or has nothing left to do, and the file is curated once."""
    said = sorted(word for words in together(home, session, ["-", "-"], 1) for word in words)
    assert said in (["STALE_REVISION", "done"], ["done", "nothing_to_do"])
    assert session.read_bytes() == stubbed(BEGIN)
    assert [each.cause for each in log.entries()] == [Cause.APPLY]


# Somebody writes in between


def in_between(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Have something happen in the very instant before two files are exchanged."""

    def swap(one: Path, other: Path) -> bool:
        monkeypatch.setattr(placing, "exchange", exchange)
        act()
        return exchange(one, other)

    monkeypatch.setattr(placing, "exchange", swap)


def test_a_line_added_in_the_last_instant_is_kept(
    log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was appended to the file that came out, and goes behind the one that went in."""
    in_between(monkeypatch, lambda: grow(session, line(FIRST, "late")))
    made = curate(log, session, session)
    assert session.read_bytes() == stubbed(BEGIN) + line(FIRST, "late")
    log.restore(session, made.before, session, rename=renamed, actor="ann")
    assert session.read_bytes() == BEGIN + line(FIRST, "late")


@pytest.mark.parametrize("way", ["rewritten", "cut", "replaced"])
def test_a_file_that_is_changed_in_the_last_instant_is_left_alone(
    log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """What somebody else put there is put back, and the log says that the change never came to be."""
    other = {"rewritten": BEGIN.replace(b"a", b"A", 1), "cut": BEGIN[:-9], "replaced": b"another\n"}[way]

    def act() -> None:
        if way == "replaced":
            write(session.with_name("new"), other).replace(session)
        else:
            session.write_bytes(other)

    in_between(monkeypatch, act)
    with pytest.raises(StaleError):
        curate(log, session, session)
    assert session.read_bytes() == other
    assert [each.cause for each in log.entries()] == [Cause.APPLY, Cause.ABANDONED]
    assert [each.closes for each in log.entries()] == [0, 1]
    assert log.verify().flaws == ()
    assert sorted(path.name for path in session.parent.iterdir()) == ["first.jsonl", "home"]


def test_without_exchange_a_change_is_still_seen(
    log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system cannot exchange, a last look has to do."""

    def never(one: Path, other: Path) -> bool:
        grow(session, line(FIRST, "late"))
        return False

    monkeypatch.setattr(placing, "exchange", never)
    with pytest.raises(StaleError):
        curate(log, session, session)
    assert session.read_bytes() == BEGIN + line(FIRST, "late")
    monkeypatch.setattr(placing, "exchange", lambda *_: False)
    curate(log, session, session)
    assert session.read_bytes() == stubbed(BEGIN) + line(FIRST, "late")
    assert log.verify().flaws == ()


def test_a_name_that_is_taken_in_the_last_instant_stays_taken(
    log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fork lands on nothing."""
    taken = session.with_name("second.jsonl")
    real = os.link

    def link(part: Path, target: Path) -> None:
        taken.write_bytes(b"quicker\n")
        real(part, target)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(TargetExistsError):
        curate(log, session, taken, old=FIRST, new=SECOND)
    assert taken.read_bytes() == b"quicker\n"
    assert [each.cause for each in log.entries()] == [Cause.APPLY, Cause.ABANDONED]


def test_a_disk_without_second_names_takes_forks_too(
    log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system on which links cannot be made."""

    def link(part: Path, target: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    fork = session.with_name("second.jsonl")
    curate(log, session, fork, old=FIRST, new=SECOND)
    assert fork.read_bytes() == stubbed(BEGIN).replace(FIRST.encode(), SECOND.encode())


def test_a_link_that_is_put_there_in_the_last_instant_is_not_followed(
    log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither written through nor replaced."""
    outside = write(session.with_name("outside"), b"outside\n")

    def act() -> None:
        session.unlink()
        session.symlink_to(outside)

    in_between(monkeypatch, act)
    with pytest.raises(StaleError):
        curate(log, session, session)
    assert session.is_symlink()
    assert outside.read_bytes() == b"outside\n"
    with pytest.raises(FenceError):
        curate(log, session, session)


# Full and failing disks


def test_a_disk_that_fills_at_any_write_leaves_the_old_file(
    home: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room ends at the first, second, ... write: the file is as it was, and a next start finds nothing amiss."""
    real, left = os.write, 0

    def write_some(descriptor: int, content: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, "No space left on device")
        left -= 1
        return real(descriptor, content)

    for number in range(40):
        shutil.rmtree(home, ignore_errors=True)
        write(session, BEGIN)
        with monkeypatch.context() as full:
            full.setattr(os, "write", write_some)
            left = number
            try:
                curate(revisions(home), session, session)
            except DiskFullError:
                pass
            else:
                break
        log = revisions(home)
        audit = log.verify()
        assert (audit.flaws, audit.notes) == ((), ()), number
        assert session.read_bytes() == BEGIN
        assert {each.cause for each in log.entries()} <= {Cause.APPLY, Cause.ABANDONED}
        assert len(list(log.entries())) in (0, 2)
        assert sorted(path.name for path in session.parent.iterdir()) == ["first.jsonl", "home"]
    assert number > 5
    assert session.read_bytes() == stubbed(BEGIN)


def test_a_flush_that_fails_at_any_place_ends_in_the_old_or_the_new_file(
    home: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command ends at once; the next start settles what it left, and the log agrees with the file."""
    real, left = os.fsync, 0

    def flush(descriptor: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    for number in range(60):
        shutil.rmtree(home, ignore_errors=True)
        write(session, BEGIN)
        with monkeypatch.context() as failing:
            failing.setattr(os, "fsync", flush)
            left = number
            try:
                curate(revisions(home), session, session)
            except FlushError:
                pass
            else:
                break
        agree(revisions(home), session)
    assert number > 10


def agree(log: Revisions, session: Path) -> None:
    """The file is the old or the new one, and the log says which."""
    audit = log.verify()
    assert (audit.flaws, audit.notes) == ((), ())
    causes = [each.cause for each in log.entries()]
    if session.read_bytes() == BEGIN:
        assert causes in ([], [Cause.APPLY, Cause.ABANDONED])
    else:
        assert session.read_bytes() == stubbed(BEGIN)
        assert causes == [Cause.APPLY]
    assert sorted(path.name for path in session.parent.iterdir()) == ["first.jsonl", "home"]


def test_a_real_disk_without_room(session: Path, tmp_path: Path) -> None:
    """A file system of 400 kilobytes: the session on it stays what it was."""
    mount = ctypes.CDLL(None, use_errno=True)
    small = tmp_path / "small"
    small.mkdir()
    if sys.platform != "linux" or mount.mount(b"tmpfs", bytes(small), b"tmpfs", 0, b"size=400k") != 0:
        pytest.skip("this user may not mount a file system")
    try:
        moved = write(small / "first.jsonl", BEGIN * 2_000)
        log = revisions(tmp_path / "home")
        with pytest.raises(DiskFullError):
            curate(log, moved, moved)
        with pytest.raises(DiskFullError):
            log.commit(change(moved, moved, BEGIN * 4_000))
        assert moved.read_bytes() == BEGIN * 2_000
        assert [path.name for path in small.iterdir()] == ["first.jsonl"]
        assert log.verify().flaws == ()
    finally:
        assert mount.umount(bytes(small)) == 0


# Crashes that a kill does not show


def test_a_change_whose_folder_is_gone_is_abandoned(
    home: Path, log: Revisions, session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A target that never came to be, in a folder that nobody finds any more, stops no start."""
    (tmp_path / "away").mkdir()

    def die(*_: object) -> None:
        raise FlushError("the power went")

    with monkeypatch.context() as dying:
        dying.setattr(keeper_module, "place_new", die)
        with pytest.raises(FlushError):
            curate(log, session, tmp_path / "away" / "second.jsonl", old=FIRST, new=SECOND)
    shutil.rmtree(tmp_path / "away")
    assert [each.cause for each in revisions(home).entries()] == [Cause.APPLY, Cause.ABANDONED]
    assert not any((home / "revisions" / "journal").iterdir())


def test_a_line_added_before_a_crash_is_passed_on_by_the_next_start(
    home: Path, log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exchange was made, the late line was not yet passed on: it is, once, and after the lines added since."""

    def die(*_: object) -> None:
        raise FlushError("the power went")

    in_between(monkeypatch, lambda: grow(session, line(FIRST, "late")))
    with monkeypatch.context() as dying:
        dying.setattr(keeper_module, "pass_on", die)
        with pytest.raises(FlushError):
            curate(log, session, session)
    grow(session, line(FIRST, "later"))
    for _ in range(2):
        assert len(log.history(session)) == 1
        assert session.read_bytes() == stubbed(BEGIN) + lines(FIRST, "later", "late")
    assert sorted(path.name for path in session.parent.iterdir()) == ["first.jsonl", "home"]


def test_a_third_file_that_came_out_before_a_crash_is_put_back(
    home: Path, log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody replaced the file in the last instant, and we died before we could put theirs back."""
    real = exchange

    def swap(one: Path, other: Path) -> bool:
        write(session.with_name("new"), b"another\n").replace(session)
        real(one, other)
        raise FlushError("the power went")

    with monkeypatch.context() as dying:
        dying.setattr(placing, "exchange", swap)
        with pytest.raises(FlushError):
            curate(log, session, session)
    assert session.read_bytes() == stubbed(BEGIN)
    assert [each.cause for each in revisions(home).entries()] == [Cause.APPLY, Cause.ABANDONED]
    assert session.read_bytes() == b"another\n"


def test_a_purge_that_was_broken_off_is_ended(
    home: Path, log: Revisions, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line says that it is gone, so it goes."""
    made = curate(log, session, session)

    def die(*_: object) -> None:
        raise FlushError("the power went")

    with monkeypatch.context() as dying:
        dying.setattr(type(log._keeper.blobs), "remove", die)
        with pytest.raises(FlushError):
            log.purge(made.before, why="", actor="ann")
    assert blob(home, made.before).exists()
    assert revisions(home).verify().purged == 1
    assert not blob(home, made.before).exists()


def test_a_journal_that_is_no_journal_stops_writing_and_is_named(
    home: Path, log: Revisions, session: Path, tmp_path: Path
) -> None:
    """What cannot be read is set aside; what says something else is damage, and nothing is removed for it."""
    made = curate(log, session, session)
    step = home / "revisions" / "journal" / "change.json"
    step.write_bytes(b"{")
    assert [each.where for each in log.verify().notes] == ["journal/change.json.broken"]
    step.with_name("change.json.broken").unlink()
    for payload in ("{}", '{"sequence": 9, "before": "../../x", "target": "/", "is_new": true}'):
        step.write_text(f'{{"name": "change", "payload": {payload}}}')
        with pytest.raises(DamageError):
            log.undo(session, session, rename=renamed, actor="ann")
    assert [each.where for each in log.verify().notes] == ["journal/change.json"]
    assert blob(home, made.before).exists()
    assert session.read_bytes() == stubbed(BEGIN)


# Hands that tamper


def blob(home: Path, digest: str) -> Path:
    """Where an original lies."""
    return home / "revisions" / "blobs" / digest[:2] / digest


@pytest.fixture
def history(log: Revisions, session: Path) -> list[str]:
    """A log with three originals of one session; their digests."""
    made = []
    for number, word in enumerate(("long", "short", "kept")):
        grow(session, lines(FIRST, f"e{number}", f"short f{number}", f"kept g{number}"))
        made.append(curate(log, session, session, word=word).before)
    return made


def test_an_untouched_log_verifies(log: Revisions, history: list[str]) -> None:
    """Three lines, three originals, nothing else."""
    audit = log.verify()
    assert (audit.entries, audit.originals, audit.purged, audit.flaws, audit.notes) == (3, 3, 0, (), ())


def test_every_line_and_original_that_is_touched_is_named(home: Path, log: Revisions, history: list[str]) -> None:
    """A flipped bit, a missing original, two that changed places, a removed line, a cut end: each is told."""
    folder = home / "revisions"
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def told() -> list[tuple[str, str]]:
        found = [(each.code, each.where) for each in log.verify().flaws]
        for path, content in whole.items():
            path.write_bytes(content)
        return found

    def name(digest: str) -> str:
        return blob(home, digest).relative_to(folder).as_posix()

    first, second, third = history
    flipped = bytearray(whole[blob(home, first)])
    flipped[5] ^= 4
    blob(home, first).write_bytes(flipped)
    assert told() == [("blob_changed", name(first))]
    blob(home, second).unlink()
    assert told() == [("blob_missing", name(second))]
    blob(home, second).write_bytes(whole[blob(home, third)])
    blob(home, third).write_bytes(whole[blob(home, second)])
    assert sorted(told()) == sorted([("blob_changed", name(second)), ("blob_changed", name(third))])
    raw = whole[folder / LOG].splitlines(keepends=True)
    (folder / LOG).write_bytes(raw[0] + raw[1].replace(b'"ann"', b'"eve"') + raw[2])
    assert told() == [("log_line", f"{LOG}:2")]
    (folder / LOG).write_bytes(raw[0] + raw[2])
    assert [code for code, _ in told()] == ["log_chain", "log_cut"]
    (folder / LOG).write_bytes(raw[0] + raw[2] + raw[1])
    assert "log_chain" in [code for code, _ in told()]
    (folder / LOG).write_bytes(raw[0] + raw[1])
    assert told() == [("log_cut", LOG)]
    (folder / HEAD).write_bytes(whole[folder / HEAD].replace(b'"count":3', b'"count":2'))
    assert told() == [("log_head", HEAD)]
    assert told() == []


def test_nothing_is_written_to_a_damaged_log(home: Path, log: Revisions, session: Path, history: list[str]) -> None:
    """Nor is anything restored by it; the file and the log stay as they are."""
    file = home / "revisions" / LOG
    file.write_bytes(file.read_bytes().replace(b'"ann"', b'"eve"', 1))
    before = file.read_bytes(), session.read_bytes()
    tries: list[Callable[[], object]] = [
        lambda: curate(log, session, session, word="f"),
        lambda: log.restore(session, history[0], session, rename=renamed, actor="ann"),
        lambda: log.history(session),
        lambda: log.purge(history[0], why="", actor="ann"),
    ]
    for attempt in tries:
        with pytest.raises(DamageError) as caught:
            attempt()
        assert caught.value.exit_status == 4
    assert (file.read_bytes(), session.read_bytes()) == before


def test_nothing_is_restored_from_a_damaged_original(
    home: Path, log: Revisions, session: Path, history: list[str]
) -> None:
    """Of any original on the way, and nothing is left where it would have gone."""
    content = session.read_bytes()
    for digest in history:
        path = blob(home, digest)
        true = path.read_bytes()
        path.write_bytes(true[:-1] + b" ")
        with pytest.raises(DamageError):
            log.restore(session, history[0], session.with_name("out.jsonl"), rename=renamed, actor="ann")
        path.write_bytes(true)
    assert session.read_bytes() == content
    assert sorted(path.name for path in session.parent.iterdir()) == ["first.jsonl", "home"]
    audit = log.verify()
    assert (audit.flaws, audit.notes) == ((), ())


def test_a_log_that_was_taken_away_whole_is_missed(home: Path, log: Revisions, session: Path) -> None:
    """Head and all: the originals tell of it, and no new one is begun over them."""
    curate(log, session, session)
    (home / "revisions" / LOG).unlink()
    (home / "revisions" / HEAD).unlink()
    assert [each.code for each in log.verify().flaws] == ["log_cut"]
    grow(session, line(FIRST, "long e"))
    with pytest.raises(DamageError):
        curate(log, session, session)


def test_strangers_are_named_and_no_damage(home: Path, log: Revisions, history: list[str]) -> None:
    """Files that slowwave did not write, and originals that no line names."""
    folder = home / "revisions"
    (folder / "notes.txt").write_bytes(b"x")
    (folder / "blobs" / "readme").write_bytes(b"x")
    (folder / "journal" / "x.json.broken").write_bytes(b"x")
    (folder / "blobs" / sha(b"y")[:2]).mkdir(exist_ok=True)
    blob(home, sha(b"y")).write_bytes(b"y")
    audit = log.verify()
    assert audit.flaws == ()
    assert sorted((each.code, each.where) for each in audit.notes) == [
        ("blob_unnamed", f"blobs/{sha(b'y')[:2]}/{sha(b'y')}"),
        ("foreign_file", "blobs/readme"),
        ("foreign_file", "journal/x.json.broken"),
        ("foreign_file", "notes.txt"),
    ]


def test_a_link_in_an_originals_place_is_damage(home: Path, log: Revisions, history: list[str]) -> None:
    """Even to the very bytes."""
    path = blob(home, history[1])
    path.rename(home / "elsewhere")
    path.symlink_to(home / "elsewhere")
    assert [each.code for each in log.verify().flaws] == ["blob_changed"]


def test_everything_is_for_its_owner_alone(home: Path, history: list[str]) -> None:
    """Folders are 0700 and files 0600, all of them."""
    found = {(path.is_dir(), path.stat().st_mode & 0o777) for path in (home / "revisions").rglob("*")}
    assert found == {(True, 0o700), (False, 0o600)}


# Large files

LARGE = """
import os, resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from made_revisions import OLD, renamed, revisions
from slowwave.hygiene.entries import Cause
from slowwave.hygiene.keeper import Change
from slowwave.hygiene.placing import digests_at

def blocks(count):
    line = b'{"sessionId":"aaaa-1","text":"%s"}\\n' % (b"x" * 962)
    return (line * 1_048 for _ in range(count))

home, session = Path(sys.argv[2]), Path(sys.argv[3])
with session.open("wb") as stream:
    stream.writelines(blocks(200))
os.utime(session, (OLD, OLD))
size = session.stat().st_size
with session.open("rb") as stream:
    digest = digests_at(stream, [size])[size]
log, fork, out = revisions(home), session.with_name("second.jsonl"), session.with_name("out.jsonl")
made = log.commit(Change(
    source=session, target=fork, digest=digest, length=size, content=lambda: blocks(2), cause=Cause.APPLY,
    actor="ann", session_old="aaaa-0", session_new="aaaa-1",
))
with fork.open("ab") as stream:
    stream.writelines(blocks(10))
log.restore(fork, made.before, out, rename=renamed, actor="ann")
assert out.stat().st_size == size + size // 20
assert log.verify().flaws == ()
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.slow
def test_two_hundred_megabytes_take_no_memory(home: Path, session: Path) -> None:
    """Committing, restoring and verifying hold blocks: 100 MB are enough for the program and all that it imports."""
    words = [sys.executable, "-c", LARGE, MADE, str(home), str(session)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=250, check=False)
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) < 100 * 1024
