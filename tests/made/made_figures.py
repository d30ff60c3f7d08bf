"""The figures of ``docs/tested.md``, counted in the tests themselves; run as a program it writes them into the page."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from made_source import PACKAGE, ROOT

PAGE = ROOT / "docs" / "tested.md"
TESTS = ROOT / "tests"
BEGIN, END = "<!-- figures: written by `make docs` -->\n", "<!-- end of figures -->"
ABOUT = {
    "unit": "one module each, pure rooms, no disk",
    "story": "real files, real git, real SQLite, whole commands",
    "laws": "laws of the design, by property and over whole nights",
    "attack": "hostile transcripts, answers, messages, repositories; secrets",
    "crash": "a night killed at each of its disk-changing calls",
    "house": "sizes, names, edges, documents",
}
Test = ast.FunctionDef


@cache
def all_tests() -> tuple[tuple[Path, Test], ...]:
    """Every test function with its file."""
    return tuple(
        (path.relative_to(TESTS), node)
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, Test) and node.name.startswith("test_")
    )


@cache
def figures() -> str:
    """The table between the markers."""
    counts = Counter(path.parts[0] if len(path.parts) > 1 else "story" for path, _ in all_tests())
    rows = [f"| `tests/{name}` | {ABOUT[name]} | {counts[name]:,} |" for name in ABOUT]
    ours = sum(path.read_text("utf-8").count("\n") for path in PACKAGE.rglob("*.py"))
    theirs = sum(path.read_text("utf-8").count("\n") for path in TESTS.rglob("*.py"))
    properties = sum("given(" in ast.unparse(node.decorator_list[-1]) for _, node in all_tests() if node.decorator_list)
    total = f"{sum(counts.values()):,} test functions, {properties} of them over generated values"
    size = f"{theirs:,} lines of tests for {ours:,} lines of source"
    return "\n".join(["| folder | what | test functions |", "|---|---|---|", *rows, "", f"{total}; {size}.", ""])


def filled(page: str) -> str:
    """The page with today's figures."""
    return re.sub(
        f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: f"{BEGIN}\n{figures()}\n{END}", page, flags=re.DOTALL
    )


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
