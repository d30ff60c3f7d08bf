"""Pieces: a text cut into words, figures and marks, each with its place; one pass, no backtracking over the text."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from slowwave.facts.limits import MOST_WHEN_CHARACTERS

_RULES = {
    "junk": r"[^\W\d_][\w+.-]{0,19}://[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})*"
    r"|\d+(?P<js>[.:/-])\d+(?:(?P=js)\d+){2,}|[€$£¥#§]\d[\d.,]*|\d[\d.,]*\s?[€$£¥%°]",
    "moment": r"(?P<my>\d{4})-(?P<mm>\d{2})-(?P<md>\d{2})[Tt](?P<mh>\d{2}):?(?P<mi>\d{2})"
    r"(?::?(?P<ms>\d{2})(?:[.,]\d{1,9})?)?(?P<mz>[Zz]|[+-]\d{2}(?::?\d{2})?)?(?!\w)",
    "iso": r"(?P<iy>\d{4})-(?P<im>\d{2})-(?P<id>\d{2})(?![\w-])",
    "ymd": r"(?P<yy>\d{4})[/.](?P<ym>\d{1,2})[/.](?P<yd>\d{1,2})(?![\w/])",
    "dmy": r"(?P<na>\d{1,2})(?P<ns>[/.-])(?P<nb>\d{1,2})(?P=ns)(?P<ny>\d{4}|\d{2})(?![\w/])",
    "dm": r"(?P<da>\d{1,2})(?:/(?P<db>\d{1,2})(?![\w/])|\.[ ]?(?P<dc>0?[1-9]|1[0-2])\.(?!\d))",
    "version": r"\d{1,6}(?:\.\d{1,6}){2,}",
    "time": r"(?P<th>\d{1,2})(?::(?P<tm>\d{2})(?::(?P<ts>\d{2})(?:[.,]\d{1,9})?)?|\s?[hH]\s?(?P<tf>\d{2}))"
    r"(?:(?P<tz>[Zz]|[ ]?\+\d{2}:?\d{2})\b)?(?![\d:])",
    "dotted": r"(?P<oh>\d{1,2})\.(?P<om>[0-5]\d)(?![\d.]\d|\d)",
    "decimal": r"(?P<dw>\d{1,6})[.,](?P<df>\d{1,3})(?![\d.,]\d|\d)",
    "ordinal": r"(?P<ord>\d{1,2})(?:st|nd|rd|th|er|ère|ème|[ºª]|e(?!\w)|\.(?=\s+\S))(?![\w.])",
    "number": r"(?P<int>\d{1,6})(?!\d)",
    "digits": r"\d+",
    "meridiem": r"(?P<mer>[AaPp])\.[ ]?[Mm]\.?(?!\w)",
    "dots": r"[^\W\d_]{1,60}(?:\.[^\W\d_]\w{0,60})+",
    "word": r"[^\W\d_]\w*(?:['\u2019][^\W\d_]+)*",
    "stop": r"[.!?;\n\u2026]+",
    "comma": r"[,:()\[\]\"]",
    "dash": r"[-\u2013\u2014]+",
    "other": r"[^\s]",
}
_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _RULES.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One piece of a text.

    Attributes:
        kind: Name of the rule that cut it.
        text: As tables spell it: lower case, without accents.
        start: Offset of its first character.
        end: Offset behind its last one.
        numbers: Its figures, in the order in which the rule names them; None for one that is not there.
        is_padded: Whether its first figure begins with a nought.
        zone: Offset from UTC in minutes, where it names one.
    """

    kind: str
    text: str
    start: int
    end: int
    numbers: tuple[float | None, ...] = ()
    is_padded: bool = False
    zone: int | None = None


def clean(text: str) -> str:
    """A text in composed form, cut where nobody names a time any more; what is no Unicode is replaced."""
    cut = text[:MOST_WHEN_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", cut).replace("\u00a0", " ").replace("\u202f", " ")


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """A word as tables spell it: lower case, without accents, straight apostrophes."""
    apart = unicodedata.normalize("NFD", word.casefold().replace("\u2019", "'"))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces of a cleaned text; a hyphen between letters parts words and is none."""
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Piece]:
    for match in _ANY.finditer(text):
        kind = match.lastgroup or "other"
        start, end = match.span()
        if kind == "dash" and _joins(text, start, end):
            continue
        read = _FIGURES.get(kind)
        numbers = read(match) if read else ()
        is_padded = bool(numbers) and match.group().startswith("0")
        zone = _minutes(match.group(_ZONES[kind])) if kind in _ZONES else None
        yield Piece(
            kind=kind,
            text=_spelled(match, kind),
            start=start,
            end=end,
            numbers=numbers,
            is_padded=is_padded,
            zone=zone,
        )


def _joins(text: str, start: int, end: int) -> bool:
    return end - start == 1 and text[start - 1 : start].isalpha() and text[end : end + 1].isalpha()


def _spelled(match: re.Match[str], kind: str) -> str:
    if kind == "meridiem":
        return f"{match.group('mer').lower()}m"
    return fold(match.group()) if kind == "word" else match.group()


def _minutes(offset: str | None) -> int | None:
    if not offset:
        return None
    if offset in "Zz":
        return 0
    figures = offset.strip().replace(":", "")
    minutes = int(figures[1:3]) * 60 + int(figures[3:5] or 0)
    return -minutes if figures[0] == "-" else minutes


def _named(*names: str) -> Callable[[re.Match[str]], tuple[float | None, ...]]:
    def read(match: re.Match[str]) -> tuple[float | None, ...]:
        return tuple(None if (found := match.group(name)) is None else int(found) for name in names)

    return read


def _day_month(match: re.Match[str]) -> tuple[float | None, ...]:
    is_dotted = match.group("dc") is not None
    return (int(match.group("da")), int(match.group("dc") or match.group("db")), 1 if is_dotted else 0)


def _day_month_year(match: re.Match[str]) -> tuple[float | None, ...]:
    year = int(match.group("ny"))
    is_dotted = match.group("ns") == "."
    return (int(match.group("na")), int(match.group("nb")), 1 if is_dotted else 0, year + 2000 if year < 100 else year)


def _clock(match: re.Match[str]) -> tuple[float | None, ...]:
    minute = match.group("tm") or match.group("tf")
    return (int(match.group("th")), int(minute), int(match.group("ts") or 0))


_ZONES = {"time": "tz", "moment": "mz"}
_FIGURES: dict[str, Callable[[re.Match[str]], tuple[float | None, ...]]] = {
    "moment": _named("my", "mm", "md", "mh", "mi", "ms"),
    "iso": _named("iy", "im", "id"),
    "ymd": _named("yy", "ym", "yd"),
    "dmy": _day_month_year,
    "dm": _day_month,
    "time": _clock,
    "dotted": _named("oh", "om"),
    "decimal": lambda match: (float(f"{match.group('dw')}.{match.group('df')}"),),
    "ordinal": _named("ord"),
    "number": _named("int"),
}
