"""The reference pages say what the code says: every command, every code, every dependency."""

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest
from made_commands import PAGE, page, walk
from made_source import ROOT, imports, sources
from typer.core import TyperGroup
from typer.main import get_command

from slowwave.corpus import gate
from slowwave.desk.cli import app

REFUSALS = (ROOT / "docs" / "refusals.md").read_text("utf-8")
DEPENDENCIES = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
MODULES = {
    "PyYAML": "yaml",
    "kingfisher-secret-scanner": "kingfisher_sdk",
    "markdown-it-py": "markdown_it",
    "pydantic-ai-slim": "pydantic_ai",
}
"""Packages that are imported under another name."""
LOSSES = ("torn", "binary", "not_object", "too_long", "too_deep", "bad_json", "unreadable")


def test_the_page_of_commands_is_what_the_command_line_says() -> None:
    """``docs/commands.md`` names every command with every option; `make docs` writes it again."""
    assert PAGE.read_text("utf-8") == page()


def test_every_command_and_option_says_what_it_is_for() -> None:
    """Nothing on the command line is without a sentence."""
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    silent = []
    for words, command in walk(root, ("slowwave",)):
        silent += [] if command.help else [" ".join(words)]
        silent += [f"{' '.join(words)} {one.name}" for one in command.params if not getattr(one, "help", None)]
    assert silent == []


def codes() -> Iterator[str]:
    """Every code that is written in the source as a literal: of refusals, faults, findings and errors."""
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call):
                yield from _literals(k.value for k in node.keywords if k.arg == "code")
                if ast.unparse(node.func).rsplit(".", 1)[-1] in ("_refusal", "fault") and node.args:
                    yield from (c for c in _literals(node.args[:2]) if re.fullmatch(r"[a-z]+(_[a-z]+)+|secret", c))
            if isinstance(node, ast.ClassDef):
                for line in node.body:
                    named = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
                    if any(isinstance(one, ast.Name) and one.id == "code" for one in named):
                        yield from _literals([getattr(line, "value", None)])


def _literals(nodes: object) -> Iterator[str]:
    assert hasattr(nodes, "__iter__")
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_code_is_explained_once() -> None:
    """What slowwave says no with stands in ``docs/refusals.md``, and nothing else does."""
    told = re.findall(r"^\| `([A-Za-z_]+)` \|", REFUSALS, re.MULTILINE)
    told += re.findall(r"`([a-z_]+)`(?=[,.])", REFUSALS.split("## What `doctor` finds")[1].split("\n", 3)[3])
    spoken = {*codes(), *gate.CODES, *(f"lost_{reason}" for reason in LOSSES)}
    assert spoken - set(told) == set(), "not explained"
    assert set(told) - spoken == set(), "explained, and never said"
    assert len(told) == len(set(told))


def test_the_reasons_of_losses_are_those_of_the_readers() -> None:
    """The reasons explained are the ones that reading gives."""
    given = set()
    for source in sources():
        if source.room == "records":
            given |= set(re.findall(r'(?:Loss|Gap)\("([a-z_]+)"', source.text))
            given |= (
                set(re.findall(r'return "([a-z_]+)"', source.text)) if source.name == "records/recovery.py" else set()
            )
            given |= set(re.findall(r'else "(bad_json)"', source.text))
    assert given == set(LOSSES)


def rows() -> dict[str, set[str]]:
    """Each package of the table with the files that import it."""
    found: dict[str, set[str]] = {}
    for names, files in re.findall(r"^\| ([^|]+) \|[^|]*\|[^|]*\| ([^|]+) \|", DEPENDENCIES, re.MULTILINE):
        if "git " in names or names == "package" or set(names) == {"-"}:
            continue
        for name in names.split(","):
            found[name.strip()] = set(re.findall(r"`([^`]+)`", files))
    return found


def test_the_table_of_dependencies_is_that_of_the_project() -> None:
    """Exactly the packages needed at run time are listed, those of the extras too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    needed = {re.split(r"[<>=!~\[ ]", line)[0].lower() for line in lines}
    assert {name.lower() for name in rows()} == needed


@pytest.mark.parametrize("package", rows())
def test_a_package_is_imported_where_the_table_says(package: str) -> None:
    """By the files named, or below the folders named, and nowhere else."""
    module = MODULES.get(package, package.replace("-", "_"))
    importing = {s.name for s in sources() if any(n == module or n.startswith(f"{module}.") for n in imports(s))}
    importing |= {s.name for s in sources() if f'"{module}"' in s.text and "import_module" in s.text}
    named = rows()[package]
    assert {
        next((one for one in named if file == one or file.startswith(f"{one}/")), file) for file in importing
    } == named
