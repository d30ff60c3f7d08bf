"""How the window of a context looks on a terminal: tables with bars, 80 columns wide, the same without colour."""

from collections.abc import Iterable, Sequence

from slowwave.desk.screens.cost import usd
from slowwave.desk.screens.parts import Described, Grid, Lines, count, heading, hint, plain, table
from slowwave.facts.text import cut

_BAR = 24  # characters of the longest bar
_SHORT_BAR = 10  # of one with words behind it
_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_TURNS_SHOWN = 12  # the largest; --json has all
_TOOLS_SHOWN = 12
_TOOL_CHARACTERS = 24  # of a tool's name: those of servers are long
_TITLE_CHARACTERS = 43  # of words in the last column: 80 are a screen's width
_ABOUT_CHARACTERS = 36  # the same, where more stands before them
_UNNAMED = "(before the first message)"
_MICRO = 1e-6
_LEAST_SHARE = 0.005  # that is shown as a number; smaller ones would look like nothing
_COMES_ON_TOP = "Estimated; instructions and tools that the file does not hold come on top."


def window_lines(told: Described) -> Lines:
    """By kind, by tool, by turn; the largest; what could go, and what that costs now."""
    if not told["tokens"]:
        return [heading("Nothing stands in the window."), *_beside(told)]
    lines: Lines = [*_head(told), plain(), _barred(told["by_kind"], "kind", "items")]
    for part in (_tools(told["by_tool"]), _turns(told["by_turn"]), _largest(told["largest"]), _going(told)):
        if part:
            lines += [plain(), *part]
    return [*lines, plain(), *_money(told), plain(_COMES_ON_TOP, style="dim")]


def percent(share: float) -> str:
    """A share of the window; one that is there never looks like nothing."""
    return "<1%" if 0 < share < _LEAST_SHARE else f"{share:.0%}"


def _head(told: Described) -> Lines:
    fits = f"{percent(told['tokens'] / told['fits'])} of the {told['fits']:,} that fit" if told["fits"] else ""
    whose = ", ".join(filter(None, (told["format"], told["model"], fits)))
    return [heading(f"{told['tokens']:,} tokens in the window"), plain(whose, style="dim"), *_beside(told)]


def _beside(told: Described) -> Lines:
    images, sub_agents = told["images"], told["sub_agents"]
    sentences = (
        (told["before_compaction"], "more stand before the last compaction and are shown to nobody"),
        (sub_agents["tokens"], "of them stand in conversations of sub-agents, each in a window of its own"),
        (images["tokens"], f"of them are {count(images['count'], 'image')}"),
    )
    return [plain(f"{tokens:,} {what}", style="dim") for tokens, what in sentences if tokens]


def _tools(rows: Sequence[Described]) -> Lines:
    shown = [{**row, "tool": cut(row["tool"], _TOOL_CHARACTERS)} for row in rows[:_TOOLS_SHOWN]]
    return [_barred(shown, "tool", "uses"), *_more(len(rows) - len(shown), "tool")] if rows else []


def _turns(rows: Sequence[Described]) -> Lines:
    largest = sorted(rows, key=lambda row: (-row["tokens"], row["turn"]))[:_TURNS_SHOWN]
    shown = sorted(largest, key=lambda row: int(row["turn"]))
    bars = _bars([row["tokens"] for row in shown], _SHORT_BAR)
    cells = [
        (
            row["turn"],
            f"{row['tokens']:,}",
            percent(row["share"]),
            bar,
            cut(row["title"] or _UNNAMED, _TITLE_CHARACTERS),
        )
        for row, bar in zip(shown, bars, strict=True)
    ]
    smaller = _more(len(rows) - len(shown), "smaller turn")
    return [table(("turn", "tokens", "share", "", "began with"), cells), *smaller]


def _largest(rows: Sequence[Described]) -> Lines:
    cells = [
        (
            f"[{row['index']}]",
            f"{row['tokens']:,}",
            row["kind"],
            cut(row["tool"], _TOOL_CHARACTERS // 2),
            _end_of(row["about"]),
        )
        for row in rows
    ]
    return [table(("largest", "tokens", "kind", "tool", "what"), cells)] if rows else []


def _going(told: Described) -> Lines:
    going = told["could_go"]
    if not going["by_detector"]:
        return []
    cells = [
        (
            row["detector"],
            f"{row['found']['tokens']:,} in {count(row['found']['items'], 'item')}",
            f"{row['tokens']:,}",
        )
        for row in going["by_detector"]
    ]
    part = f"{going['tokens']:,} tokens ({percent(going['share'])})"
    line = f"{part} could go in {count(going['operations'], 'operation')}"
    return [
        table(("seen by", "tokens", "could go"), cells),
        plain(line if going["operations"] else "Nothing could go: what was seen is new, pinned or named later."),
    ]


def _money(told: Described) -> Lines:
    lines: Lines = []
    if told["next_turn_micros"]:
        warm, cold = (usd(told["next_turn_micros"][key] * _MICRO) for key in ("warm", "cold"))
        lines.append(plain(f"To send all this again costs {warm} warm, {cold} cold."))
    edit = told["edit_now"]
    if edit:
        worth = "is worth it" if edit["is_applied"] else "is not worth it"
        lines += [plain(f"An edit now {worth}: {edit['reason']}."), *_gain(edit)]
        lines.append(hint("`slowwave hygiene plan FILE` shows what would be taken out."))
    return lines


def _gain(edit: Described) -> Lines:
    turns, money = edit["break_even_turns"], edit["net_money_micros"]
    when = "never pays for itself" if turns is None else f"pays for itself after {count(turns, 'request')}"
    gain = f"{edit['net_tokens']:+,} tokens" if money is None else _signed(money)
    how = "It has paid for itself at once" if turns == 0 else f"It {when}"
    later = count(edit["expected_turns"], "request")
    return [plain(f"{how}; {later} from now it stands at {gain}.", style="dim")]


def _signed(micros: int) -> str:
    return f"{'-' if micros < 0 else '+'}{usd(abs(micros) * _MICRO)}"


def _barred(rows: Sequence[Described], name: str, number: str) -> Grid:
    """Rows with their share of the window as a bar; the longest fills its column."""
    bars = _bars([row["tokens"] for row in rows], _BAR)
    cells = [
        (row[name], f"{row[number]:,}", f"{row['tokens']:,}", percent(row["share"]), bar)
        for row, bar in zip(rows, bars, strict=True)
    ]
    return table((name, number, "tokens", "share", ""), cells)


def _bars(numbers: Iterable[int], width: int) -> list[str]:
    held = list(numbers)
    most = max(held, default=0) or 1
    eighths = [max(1, number * width * len(_EIGHTHS) // most) if number else 0 for number in held]
    return ["█" * (each // len(_EIGHTHS)) + _EIGHTHS[each % len(_EIGHTHS)] for each in eighths]


def _end_of(text: str) -> str:
    """A path by its end, which tells more of it; other words by their beginning."""
    is_path = "/" in text and " " not in text and "://" not in text
    if is_path and len(text) > _ABOUT_CHARACTERS:
        return f"…{text[1 - _ABOUT_CHARACTERS :]}"
    return cut(text, _ABOUT_CHARACTERS)


def _more(number: int, word: str) -> Lines:
    return [plain(f"and {count(number, f'more {word}')}: --json has all", style="dim")] if number > 0 else []
