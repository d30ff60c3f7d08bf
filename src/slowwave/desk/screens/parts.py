"""Pieces that several screens share: plain lines, headings, tables, quotes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from slowwave.facts.text import cut, fold, showable

Described = Mapping[str, Any]
"""A command's data, as its envelope holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Rows under headings: folded to the width of a terminal; elsewhere one row a line, however long, for ``grep``."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """What ``rich`` shows."""
        if not console.soft_wrap:
            made = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
            for column in self.columns:
                made.add_column(column, overflow="fold")
            for row in self.rows:
                made.add_row(*(Text(cell) for cell in row))
            yield made
            return
        every = [self.columns, *self.rows]
        widths = [max(cell_len(row[at]) for row in every) for at in range(len(self.columns))]
        for row in every:
            padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
            yield Text("  ".join(padded).rstrip(), no_wrap=True, overflow="ignore")


Lines = list[Text | Grid]

QUOTE_WIDTH = 300  # a person judges by the words around; more hides the next item


def plain(text: object = "", style: str = "") -> Text:
    """One line of text, safe to show."""
    return Text(showable(str(text)), style=style)


def heading(text: str) -> Text:
    """A line that begins a part."""
    return Text(text, style="bold")


def hint(text: str) -> Text:
    """A line that says what to do next."""
    return Text(text, style="cyan")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Grid:
    """A table without lines; every cell safe to show, on one line."""
    return Grid(columns=columns, rows=[[fold(showable(str(cell))) for cell in row] for row in rows])


def quoted(evidence: Described) -> Text:
    """One quote with who said it and where."""
    where = f"{evidence['sessionId']}:{evidence['line']}"
    text = Text(f"    {evidence['speaker']:<6}", style="dim")
    text.append(f" “{cut(fold(showable(evidence['quote'])), QUOTE_WIDTH)}”", style="none")
    text.append(f"  {showable(where)}", style="dim")
    return text


def paragraph(text: str, *, indent: str = "  ", style: str = "") -> list[Text]:
    """A text of several lines, each with the same indent."""
    return [plain(f"{indent}{line}", style=style) for line in text.splitlines()]


def count(number: int, word: str, many: str = "") -> str:
    """A number with its word: ``1 memory``, ``2 memories``."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"
