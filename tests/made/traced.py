"""Commands run under strace, and the system calls they made as values."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

_LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (.*)$")
_BEGUN = re.compile(r"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
_ENDED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
_NAMED = re.compile(r"\d+<(/[^>]*)>")
_FIRST = re.compile(r"^(?:(?:AT_FDCWD|\d+)(?:<(/[^>]*)>)?, )?\"((?:[^\"\\]|\\.)*)\"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One system call that succeeded: who made it, its name, its arguments as strace shows them, its result."""

    process: int
    name: str
    arguments: str
    result: str

    @property
    def path(self) -> str:
        """The file it is about: the one it opened, the descriptor's, else the first that it names."""
        if self.name in ("open", "openat", "openat2") and (opened := _NAMED.search(self.result)):
            return opened[1]
        named = _FIRST.match(self.arguments)
        if named is None:
            held = _NAMED.match(self.arguments)
            return held[1] if held else ""
        return named[2] if named[2].startswith("/") else str(Path(named[1] or "/") / named[2])

    @property
    def other_path(self) -> str:
        """The second file it names, as a rename's new name."""
        named = list(re.finditer(r"(?:(?:AT_FDCWD|\d+)(?:<(/[^>]*)>)?, )?\"((?:[^\"\\]|\\.)*)\"", self.arguments))
        if len(named) < 2:
            return ""
        folder, name = named[1].groups()
        return name if name.startswith("/") else str(Path(folder or "/") / name)


def run_traced(
    words: Sequence[str], calls: str, log: Path, environment: Mapping[str, str]
) -> tuple["subprocess.CompletedProcess[str]", tuple[Call, ...]]:
    """Run slowwave and every program it starts under strace; its end, and the calls that succeeded, in order."""
    tracer = shutil.which("strace")
    if tracer is None:
        pytest.skip("strace is not installed; `sh bin/system-packages` installs it")
    command = [tracer, "--seccomp-bpf", "-f", "-y", "-qq", "-s", "0", "-e", f"trace={calls}", "-o", str(log)]
    ended = subprocess.run(
        [*command, sys.executable, "-m", "slowwave", *words],
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return ended, read_log(log.read_text("utf-8", "replace"))


def read_log(text: str) -> tuple[Call, ...]:
    """The calls of a log, those that were cut in two put together again, failed ones left out."""
    begun: dict[tuple[str, str], str] = {}
    found: list[Call] = []
    for raw in text.splitlines():
        line = raw
        if match := _BEGUN.match(line):
            begun[match[1], match[2]] = match[3]
            continue
        if match := _ENDED.match(line):
            line = f"{match[1]} {match[2]}({begun.pop((match[1], match[2]), '')}{match[3]}"
        if (match := _LINE.match(line)) and not match[4].startswith("-1"):
            found.append(Call(process=int(match[1]), name=match[2], arguments=match[3], result=match[4]))
    return tuple(found)
