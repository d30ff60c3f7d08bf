"""Schedulers made for tests: ``systemctl``, ``launchctl`` and ``crontab`` that note what they are told."""

import json
import sys
from pathlib import Path

_PROGRAM = """#!{python}
import json, os, sys
from pathlib import Path
kept = Path({kept!r})
name, words = Path(sys.argv[0]).name, sys.argv[1:]
with (kept / "told.jsonl").open("a") as told:
    told.write(json.dumps([name, *words]) + "\\n")
active, table = kept / "active", kept / "table"
is_active = set(active.read_text().split("\\n")) if active.exists() else set()
def keep():
    active.write_text("\\n".join(sorted(is_active)))
if (kept / "refuses").exists():
    sys.exit((kept / "refuses").read_text())
if name == "systemctl":
    assert words[0] == "--user", words
    verb, units = words[1], [word for word in words[2:] if not word.startswith("-")]
    folder = Path(os.environ["HOME"]) / ".config" / "systemd" / "user"
    if verb == "enable":
        missing = [unit for unit in units if not (folder / unit).is_file()]
        if missing:
            sys.exit("no such unit: " + " ".join(missing))
        is_active |= set(units)
    elif verb == "disable":
        is_active -= set(units)
    elif verb == "is-active":
        sys.exit(0 if set(units) <= is_active else 3)
    keep()
elif name == "launchctl":
    verb, place = words[0], words[-1]
    label = Path(place).name.removesuffix(".plist")
    if verb == "print":
        sys.exit(0 if label in is_active else 113)
    if verb == "bootstrap":
        if label in is_active or not Path(place).is_file():
            sys.exit("Bootstrap failed: 5: Input/output error")
        is_active.add(label)
    elif verb == "bootout":
        is_active.discard(label)
    keep()
elif words == ["-l"]:
    if not table.exists():
        sys.exit("no crontab for ann")
    sys.stdout.buffer.write(table.read_bytes())
elif words == ["-"]:
    table.write_bytes(sys.stdin.buffer.read())
elif words == ["-r"]:
    table.unlink()
else:
    sys.exit("usage")
"""


class Schedulers:
    """A user's folder and a search path on which these schedulers stand."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.user = folder / "ann"
        self.programs = folder / "programs"
        self._kept = folder / "kept"
        for place in (self.user, self.programs, self._kept):
            place.mkdir()
        for name in names:
            program = self.programs / name
            program.write_text(_PROGRAM.format(python=sys.executable, kept=str(self._kept)), "utf-8")
            program.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """Variables of a command that finds them and nothing else of the machine's."""
        return {"HOME": str(self.user), "PATH": str(self.programs), "NO_COLOR": "1"}

    def told(self) -> list[list[str]]:
        """What they were told so far, in order; then it is forgotten."""
        path = self._kept / "told.jsonl"
        said = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
        path.unlink(missing_ok=True)
        return said

    def active(self) -> list[str]:
        """Names of what is active."""
        path = self._kept / "active"
        return [name for name in path.read_text("utf-8").split("\n") if name] if path.exists() else []

    @property
    def table(self) -> bytes | None:
        """The user's crontab."""
        path = self._kept / "table"
        return path.read_bytes() if path.exists() else None

    @table.setter
    def table(self, content: bytes) -> None:
        (self._kept / "table").write_bytes(content)

    def refuse(self, words: str) -> None:
        """From now on every one of them fails with these words."""
        (self._kept / "refuses").write_text(words, "utf-8")
