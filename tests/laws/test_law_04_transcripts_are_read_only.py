"""Law 4: no transcript is written; every open below the transcripts is for reading, whatever command runs.

The law's one exception, ``hygiene apply --in-place``, is not built yet.
"""

from pathlib import Path

import pytest
from made_nights import Place, fix_session, write_all
from made_samples import sample_place, token_of
from traced import Call, run_traced

READING = (
    "open,openat,openat2,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,"
    "rmdir,truncate,ftruncate,chmod,fchmod,fchmodat,chown,fchown,fchownat,utimensat,setxattr,fsetxattr,removexattr,"
    "write,pwrite64,writev,fallocate,copy_file_range"
)
"""Calls that could change a file or folder, and those that open one."""
MAY = frozenset({"open", "openat", "openat2"})
CHANGES = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE")


def everything(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Each file and folder below a root: its bytes, when it was changed, its mode."""
    found = {}
    for path in sorted(root.rglob("*")):
        told = path.lstat()
        found[str(path)] = (path.read_bytes() if path.is_file() else b"", told.st_mtime_ns, told.st_mode)
    return found


def offences(calls: tuple[Call, ...], root: Path) -> list[Call]:
    """Calls below a root that are more than an open for reading."""
    below = [call for call in calls if f"{root}/" in f"{call.path}/" or f"{root}/" in f"{call.other_path}/"]
    return [call for call in below if call.name not in MAY or any(flag in call.arguments for flag in CHANGES)]


@pytest.mark.slow
def test_law_4_no_transcript_is_opened_for_writing(tmp_path: Path) -> None:
    """A night, a look at each item and the bounded tools open transcripts for reading alone and change nothing."""
    place = sample_place(tmp_path)
    token_of(place)
    before = everything(place.transcripts)
    session = min(place.transcripts.glob("claude/projects/*/*.jsonl")).stem
    opened = 0
    for words in (
        ("sleep",),
        ("review", "list"),
        ("transcripts", "doctor"),
        ("transcripts", "search", session, "the"),
        ("transcripts", "lines", session, "1", "5"),
        ("consolidate", str(place.transcripts)),
        ("doctor",),
    ):
        common = ("--home", str(place.home), "--at", "2026-02-01T03:30:00Z")
        ended, calls = run_traced((*words, *common), READING, tmp_path / "log", place.environment())
        assert ended.returncode == 0, ended.stderr
        assert offences(calls, place.transcripts) == [], words
        opened += sum(call.path.startswith(str(place.transcripts)) for call in calls)
    assert everything(place.transcripts) == before
    assert opened > len(before)  # the trace did see the sessions being read


def test_law_4_files_without_write_permission_are_enough(tmp_path: Path) -> None:
    """A night over files and folders that nobody may write to ends like any other."""
    place = Place(tmp_path)
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    folders = [path for path in place.transcripts.rglob("*") if path.is_dir()]
    for path in place.transcripts.rglob("*.jsonl"):
        path.chmod(0o400)
    for folder in folders:
        folder.chmod(0o500)
    try:
        night = place.sleep()
    finally:
        place.close()
        for folder in folders:
            folder.chmod(0o700)
    assert night["memories"]
