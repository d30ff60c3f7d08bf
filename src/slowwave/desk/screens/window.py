"""How the window of a context looks on a terminal."""

from collections.abc import Iterable

from slowwave.desk.screens.parts import Described, Lines, heading, plain, table

_BAR = 24  # characters of the longest bar
_TURNS_SHOWN = 12  # the largest; --json has all
_TOOLS_SHOWN = 12


def window_lines(told: Described) -> Lines:
    """By kind, by tool, by turn; the largest; what could go, and what that costs now."""
    total = told["tokens"]
    before = told["before_compaction"]
    lines: Lines = [heading(f"{total:,} tokens in the window ({told['format']}{_model(told)})")]
    if before:
        lines.append(plain(f"{before:,} more stand before the last compaction and are shown to nobody", style="dim"))
    lines += [plain(), table(("kind", "tokens", ""), _rows(told["by_kind"].items(), total))]
    tools = list(told["by_tool"].items())[:_TOOLS_SHOWN]
    if tools:
        lines += [plain(), table(("tool", "tokens", ""), _rows(tools, total))]
    turns = sorted(told["by_turn"], key=lambda turn: -turn["tokens"])[:_TURNS_SHOWN]
    lines += [
        plain(),
        table(("turn", "tokens", "began with"), [(t["turn"], f"{t['tokens']:,}", t["title"]) for t in turns]),
    ]
    largest = [(f"[{each['index']}]", f"{each['tokens']:,}", each["about"]) for each in told["largest"]]
    lines += [plain(), table(("largest", "tokens", "what"), largest)]
    return [*lines, plain(), *_worth(told)]


def _worth(told: Described) -> Lines:
    going, next_turn, edit = told["could_go"], told["next_turn_micros"], told["edit_now"]
    lines: Lines = [plain(f"could go: {going['tokens']:,} tokens in {going['operations']:,} operations", style="bold")]
    lines += [plain(f"  {name}: {tokens:,}") for name, tokens in going["by_detector"].items()]
    if next_turn:
        lines.append(
            plain(f"the next turn costs ${next_turn['warm'] / 1e6:.4f} warm, ${next_turn['cold'] / 1e6:.4f} cold")
        )
    if edit:
        verb = "worth it" if edit["is_applied"] else "not worth it"
        lines.append(plain(f"an edit now is {verb}: {edit['reason']}"))
    return lines


def _rows(pairs: Iterable[tuple[str, int]], total: int) -> list[tuple[str, str, str]]:
    held = list(pairs)
    most = max((count for _, count in held), default=1) or 1
    return [
        (name, f"{count:,}", f"{'█' * max(1, count * _BAR // most)} {count / (total or 1):.0%}") for name, count in held
    ]


def _model(told: Described) -> str:
    return f", {told['model']}" if told["model"] else ""
