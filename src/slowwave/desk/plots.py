"""Pictures, drawn the same from the same figures: the one file that knows the plotting library.

SVG and PNG by the file's ending. No date, no chance and no global state gets in.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from slowwave.disk.durable import write_atomic
from slowwave.facts.refusal import ExtraMissingError, UsageError
from slowwave.hygiene.items import Kind
from slowwave.hygiene.window import KINDS, Window

_SIZE = (12.0, 7.0)  # inches, 1200 x 700 points in a PNG
_DOTS = 100
_COLOURS = {
    Kind.SYSTEM: "#999999",
    Kind.USER: "#D55E00",
    Kind.NOTICE: "#F0E442",
    Kind.SUMMARY: "#CC79A7",
    Kind.ASSISTANT: "#009E73",
    Kind.THINKING: "#B7E0D2",
    Kind.CALL: "#56B4E9",
    Kind.RESULT: "#0072B2",
}
"""Okabe and Ito's palette, which people who see colours otherwise can tell apart."""
_LABELS = {Kind.NOTICE: "notices", Kind.CALL: "calls", Kind.RESULT: "results"}
_MOST_TURNS = 60  # bars; more turns are drawn several to a bar
_MOST_TOOLS = 10
_ENDINGS = (".svg", ".png")


def draw_window(window: Window, title: str, path: Path) -> None:
    """Where a window goes: turns by kind on the left, tools on the right.

    Raises:
        UsageError: The file's ending names no picture.
        ExtraMissingError: The plotting library is not installed.
        DiskError: It could not be written.
    """
    figure = _figure(path)
    left, right = figure.subplots(1, 2, width_ratios=(3, 1))
    turns = _merged([[turn.kinds.get(kind, 0) for kind in KINDS] for turn in window.turns])
    below = [0] * len(turns)
    for place, kind in enumerate(KINDS):
        heights = [row[place] for row in turns]
        if any(heights):
            left.bar(
                range(len(turns)), heights, bottom=below, color=_COLOURS[kind], label=_LABELS.get(kind, kind.value)
            )
            below = [low + height for low, height in zip(below, heights, strict=True)]
    left.set_xlabel("turns of a person" if len(turns) == len(window.turns) else "turns of a person, several to a bar")
    left.set_ylabel("tokens, estimated")
    left.legend(frameon=False, fontsize=9)
    tools = list(window.tools[:_MOST_TOOLS])[::-1]
    right.barh([name[:24] for name, _ in tools], [count for _, count in tools], color=_COLOURS[Kind.RESULT])
    right.set_xlabel("tokens of calls and results")
    saved = window.plan.before - window.plan.after
    figure.suptitle(f"{title}: {window.tokens:,} tokens in the window, {saved:,} could go", fontsize=13)
    for axes in (left, right):
        _plain(axes)
    _save(figure, path)


def draw_savings(rows: Sequence[tuple[str, float, int]], path: Path) -> None:
    """Methods by the share of tokens they save and the canaries they lose; raises as ``draw_window`` does."""
    figure = _figure(path)
    axes = figure.subplots()
    for name, saved, lost in rows:
        is_ours = name in ("one run", "ten rounds")
        axes.scatter([saved], [lost], s=90, color=_COLOURS[Kind.ASSISTANT if is_ours else Kind.USER])
        label = f"ours, {name}" if is_ours else name
        axes.annotate(label, (saved, lost), xytext=(8, 8 if name != "ten rounds" else 20), textcoords="offset points")
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of tokens saved")
    axes.set_ylabel("canaries lost")
    figure.suptitle("What is saved, and what it costs", fontsize=13)
    _plain(axes)
    _save(figure, path)


def _figure(path: Path) -> Any:
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError(
            f"{path.name} is no picture that can be drawn", hint=f"end its name in {' or '.join(_ENDINGS)}"
        )
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ExtraMissingError("drawing", "plots") from error
    return Figure(figsize=_SIZE, dpi=_DOTS, layout="constrained")


def _save(figure: Any, path: Path) -> None:
    from matplotlib import rc_context

    held = io.BytesIO()
    kind = path.suffix.lower()[1:]
    with rc_context({"svg.hashsalt": "slowwave", "svg.fonttype": "none"}):
        figure.savefig(held, format=kind, metadata={"Date": None} if kind == "svg" else {"Software": None})
    write_atomic(path, held.getvalue())


def _plain(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.ticklabel_format(style="plain", axis="x") if axes.get_xlabel().startswith("tokens") else None
    axes.tick_params(labelsize=9)


def _merged(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows, several added up where there are more than fit."""
    step = -(-len(rows) // _MOST_TURNS) if rows else 1
    return [[sum(column) for column in zip(*rows[at : at + step], strict=True)] for at in range(0, len(rows), step)]
