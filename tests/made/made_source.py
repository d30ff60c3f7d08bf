"""Our own source as the house tests read it: files, trees, tracked files."""

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "slowwave"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """One file of ours: its name below the package, its text, its tree."""

    name: str
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The room it stands in; empty for the package's own files."""
        return self.name.split("/")[0] if "/" in self.name else ""


@cache
def sources() -> tuple[Source, ...]:
    """Every module of the package, in order of name."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        found.append(Source(name=path.relative_to(PACKAGE).as_posix(), text=text, tree=ast.parse(text)))
    return tuple(found)


def functions() -> Iterator[tuple[Source, Function]]:
    """Every function and method."""
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, Function):
                yield source, node


@cache
def imports(source: Source) -> tuple[str, ...]:
    """Every module that a file imports, by its whole name, wherever in the file it does so."""
    return tuple(_imports(source))


def _imports(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def words_of(name: str) -> list[str]:
    """The words of an identifier, lower case: ``_SomeName_of2`` is some, name, of, 2."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that git keeps for us and that is there now."""
    git = shutil.which("git") or "git"
    listed = subprocess.run([git, "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True).stdout
    return tuple(path for name in listed.decode().split("\0") if name and (path := ROOT / name).is_file())
