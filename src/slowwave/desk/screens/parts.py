"""Pieces that several screens share: plain lines, headings, tables, quotes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from slowwave.facts.text import cut, fold, showable

Described = Mapping[str, Any]
"""A command's data, as its envelope holds it."""

Lines = list[Text | Table]

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


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table without lines; every cell safe to show."""
    made = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(Text(showable(str(cell))) for cell in row))
    return made


def quoted(evidence: Described) -> Text:
    """One quote with who said it and where."""
    where = f"{evidence['sessionId']}:{evidence['line']}"
    text = Text(f"    {evidence['speaker']:<6}", style="dim")
    text.append(f" “{cut(fold(showable(evidence['quote'])), QUOTE_WIDTH)}”", style="none")
    text.append(f"  {showable(where)}", style="dim")
    return text


def count(number: int, word: str, many: str = "") -> str:
    """A number with its word: ``1 memory``, ``2 memories``."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"
