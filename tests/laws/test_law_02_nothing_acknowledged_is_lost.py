"""Law 2: nothing acknowledged is lost; whatever a command has answered for is on the disk before it answers."""

from pathlib import Path

import pytest
from made_nights import Place, fix_session, promise_session, write_all
from made_samples import token_of
from traced import Call, run_traced

WRITING = (
    "open,openat,creat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,write,pwrite64,writev,"
    "ftruncate,fsync,fdatasync"
)
REBUILT = (
    "index.db",
    "search.db",
    "locks/",
    "night/",
    "corpus/.git/index",
    "corpus/.git/worktrees/",
    "corpus/.git/logs/",
)
"""What any command makes anew from the rest, and git's own diary: what a power cut takes of them is no loss."""


class Disk:
    """What a power cut would take: bytes written and not flushed, names made or removed in folders not flushed."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.bytes: set[str] = set()
        self.names: dict[str, set[str]] = {}

    def see(self, call: Call) -> None:
        """Take one system call into account."""
        path = call.path
        if call.name in ("write", "pwrite64", "writev", "ftruncate"):
            self.bytes.add(path)
        elif call.name in ("fsync", "fdatasync"):
            self.bytes.discard(path)
            self.names.pop(path, None)
        elif call.name.startswith("rename"):
            self._renamed(path, call.other_path)
        elif call.name.startswith("link"):
            self._named(call.other_path)
        elif call.name.startswith("unlink"):
            self._gone(path)
        elif call.name.startswith("mkdir") or "O_CREAT" in call.arguments:
            self._named(path)

    def at_risk(self) -> list[str]:
        """Everything of the home that cannot be rebuilt and is not safe yet."""
        names = {name for held in self.names.values() for name in held}
        return sorted(path for path in self.bytes | names if self._matters(path))

    def _matters(self, path: str) -> bool:
        if not path.startswith(f"{self.home}/"):
            return False
        name = path.removeprefix(f"{self.home}/")
        is_checkout = name.startswith("corpus/") and not name.startswith("corpus/.git/")
        return not is_checkout and not name.startswith(REBUILT)

    def _named(self, path: str) -> None:
        self.names.setdefault(str(Path(path).parent), set()).add(path)

    def _gone(self, path: str) -> None:
        self.bytes.discard(path)
        held = self.names.get(str(Path(path).parent), set())
        is_journal = path.endswith("-journal")
        held.discard(path)
        if is_journal:  # one that comes back takes its transaction back
            self._named(path)

    def _renamed(self, old: str, new: str) -> None:
        if old in self.bytes:
            self.bytes.discard(old)
            self.bytes.add(new)
        self.names.get(str(Path(old).parent), set()).discard(old)
        self._named(new)


def test_law_2_the_disk_of_this_test_knows_what_is_at_risk(tmp_path: Path) -> None:
    """A file written beside its place and renamed is safe when it and then its folder were flushed, and not before."""
    disk = Disk(tmp_path)
    part, whole = tmp_path / ".part", tmp_path / "state"

    def see(name: str, arguments: str, result: str = "0") -> list[str]:
        disk.see(Call(process=1, name=name, arguments=arguments, result=result))
        return disk.at_risk()

    assert see("openat", f'AT_FDCWD, "{part}", O_WRONLY|O_CREAT', f"3<{part}>") == [str(part)]
    see("write", f'3<{part}>, ""..., 5')
    assert see("fsync", f"3<{part}>") == [str(part)]
    assert see("rename", f'"{part}", "{whole}"') == [str(whole)]
    assert see("fsync", f"4<{tmp_path}>") == []


@pytest.mark.slow
def test_law_2_what_is_answered_for_is_on_the_disk(tmp_path: Path) -> None:
    """When a command's answer leaves it, no byte and no name of what it wrote is only in memory."""
    place = Place(tmp_path)
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    token = token_of(place)
    yes = ("--yes-i-am-a-person", token)
    items: dict[str, str] = {}
    for verb in ("sleep", "accept", "merge", "confirm", "undo"):
        words = {
            "sleep": ("sleep",),
            "accept": ("review", "accept", items.get("memory", ""), *yes),
            "merge": ("merge", *yes),
            "confirm": ("task", "confirm", items.get("task", ""), *yes),
            "undo": ("undo", items.get("memory", ""), *yes),
        }[verb]
        common = ("--json", "--home", str(place.home), "--at", "2026-02-01T03:30:00Z")
        ended, calls = run_traced((*words, *common), WRITING, tmp_path / "log", place.environment())
        assert ended.returncode == 0, ended.stderr
        disk, has_answered = Disk(place.home), False
        for call in calls:
            if call.name == "write" and call.arguments.startswith("1<pipe") and call.process == calls[0].process:
                assert disk.at_risk() == [], verb
                has_answered = True
            disk.see(call)
        assert has_answered
        assert disk.at_risk() == [], verb
        if verb == "sleep":
            listed = place.run("review", "list").content["items"]
            items = {item["type"]: item["id"] for item in listed}
