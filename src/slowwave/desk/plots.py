"""Pictures, drawn the same from the same figures: the one file that knows the plotting library.

SVG and PNG, by the file's ending. Neither a date nor chance gets in, nor what the machine's own settings of the library
say. Text is drawn as outlines, so that a picture looks the same where its font is missing.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slowwave.desk.screens.window import percent
from slowwave.disk.durable import write_atomic
from slowwave.facts.refusal import ExtraMissingError, UsageError
from slowwave.facts.text import fold, showable
from slowwave.hygiene.items import Kind
from slowwave.hygiene.window import KINDS, Tool, Turn, Window

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEFT = 0.03  # of the sheet's width: where all headings begin
_SIZE = (12.0, 7.0)  # inches: 1200 x 700 points at so many dots
_DOTS = 100
_ENDINGS = (".svg", ".png")
_COLOURS: Mapping[Kind, str] = {
    Kind.SYSTEM: "#8c8c8c",
    Kind.USER: "#d55e00",
    Kind.NOTICE: "#e69f00",
    Kind.SUMMARY: "#cc79a7",
    Kind.ASSISTANT: "#009e73",
    Kind.THINKING: "#a6dccb",
    Kind.CALL: "#56b4e9",
    Kind.RESULT: "#0072b2",
}
"""After Okabe and Ito, whose colours people tell apart who see few of them; neighbours differ in lightness too."""
_LABELS: Mapping[Kind, str] = {Kind.NOTICE: "notices", Kind.CALL: "calls", Kind.RESULT: "results"}
_INK, _FAINT, _LINE = "#222222", "#666666", "#e4e4e4"
_GOING = "could go"
_MOST_BARS = 60  # of turns; where there are more, several share a bar
_FEWEST_BARS = 8  # whose room is kept, so that one turn alone is no wall of colour
_MOST_TICKS = 16
_MOST_TOOLS = 10  # bars, the last for all others
_NAME_CHARACTERS = 44  # of the file, in the title
_TOOL_CHARACTERS = 18
_OURS: Mapping[str, str] = {"one run": "ours, one run", "ten rounds": "ours, ten rounds"}
"""Methods of a benchmark that are ours, by their names there."""
_BESIDE = ((12, 0, "left"), (-12, 0, "right"), (0, 16, "center"), (0, -16, "center"), (12, 14, "left"),
           (12, -14, "left"), (-12, 14, "right"), (-12, -14, "right"), (12, 28, "left"))  # fmt: skip
"""Where a point's name may stand, in points from it, the best first."""
_NO_GLYPH = "□"  # for what the font cannot draw
_SETTINGS: Mapping[str, Any] = {
    "svg.hashsalt": "slowwave",
    "svg.fonttype": "path",
    "text.parse_math": False,  # a name with dollars in it is a name
    "font.family": ["DejaVu Sans"],  # comes with the library
    "font.size": 10,
    "text.color": _INK,
    "axes.edgecolor": _LINE,
    "axes.labelcolor": _FAINT,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "hatch.color": "#ffffff",
    "hatch.linewidth": 1.4,
}


def check_picture(path: Path) -> None:
    """Whether a picture can be drawn there, for whoever has to read much before.

    Raises:
        UsageError: The file's ending names no picture.
        ExtraMissingError: The plotting library is not installed.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError(f"{path.name} names no picture", hint=f"end it in {' or '.join(_ENDINGS)}")
    _library()


def draw_window(window: Window, name: str, path: Path) -> None:
    """Where a window goes: the whole of it by kind, then turn by turn and tool by tool.

    Args:
        window: What is drawn.
        name: Of the file it was read from.
        path: Where the picture goes.

    Raises:
        UsageError: The file's ending names no picture.
        ExtraMissingError: The plotting library is not installed.
        DiskError: It could not be written.
    """
    title = f"{window.tokens:,} tokens in the window of {_middle_cut(name, _NAME_CHARACTERS)}"
    with _sheet(path, title, _told(window)) as figure:
        _draw_kinds(figure.add_axes((_LEFT, 0.79, 1 - 2 * _LEFT, 0.05)), window)
        width = 0.49 if window.tools else 0.9
        _draw_turns(figure.add_axes((0.07, 0.07, width, 0.58)), window.turns)
        if window.tools:
            _draw_tools(figure.add_axes((0.725, 0.07, 0.245, 0.58)), window.tools, window.tokens)


def draw_savings(rows: Sequence[tuple[str, float, int]], path: Path) -> None:
    """Methods by the share of tokens they save and by the canaries they lose; raises as ``draw_window`` does."""
    told = "Each point is a method. The further right and the lower, the better."
    with _sheet(path, "What is saved, and what is lost for it", told) as figure:
        axes = figure.add_axes((0.07, 0.12, 0.88, 0.66))
        _draw_points(figure, axes, rows)


@contextmanager
def _sheet(path: Path, title: str, told: str) -> Iterator["Figure"]:
    """An empty sheet with its heading, which is written when all is drawn."""
    check_picture(path)
    library = _library()
    from matplotlib.figure import Figure

    form = path.suffix.lower()[1:]
    named = {"Title": _drawable(title), "Date": None, "Creator": None} if form == "svg" else {"Software": None}
    with library.rc_context():
        library.rcdefaults()
        library.rcParams.update(_SETTINGS)
        figure = Figure(figsize=_SIZE, dpi=_DOTS, facecolor="#ffffff")
        figure.text(_LEFT, 0.94, _drawable(title), fontsize=17, fontweight="bold", va="center")
        figure.text(_LEFT, 0.888, _drawable(told), fontsize=11, color=_FAINT, va="center")
        yield figure
        held = io.BytesIO()
        figure.savefig(held, format=form, metadata=named)
    write_atomic(path, held.getvalue())


def _library() -> Any:
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise ExtraMissingError("drawing", "plots") from error
    return mpl


def _told(window: Window) -> str:
    """What the heading says beside the total."""
    whole = window.tokens or 1
    parts = [window.wire, window.model]
    parts += [f"{percent(window.tokens / window.fits)} of the {window.fits:,} that fit"] if window.fits else []
    parts += [f"{window.going:,} could go ({percent(window.going / whole)})"] if window.going else []
    parts += [f"{window.before:,} before the last compaction"] if window.before else []
    return "  ·  ".join(filter(None, parts))


def _draw_kinds(axes: "Axes", window: Window) -> None:
    """One bar for the whole window, and below it each kind with its colour: the legend of all that follows."""
    axes.set_axis_off()
    if not window.tokens:
        return
    axes.set_xlim(0, window.tokens)
    left = 0
    for kind in KINDS:
        tokens = window.kinds.get(kind, 0)
        if tokens:
            label = f"{_LABELS.get(kind, kind.value)} {percent(tokens / window.tokens)}"
            axes.barh(0, tokens, left=left, height=1, color=_COLOURS[kind], label=label, linewidth=0)
            left += tokens
    if window.going:
        axes.barh(0, 0, color="#bbbbbb", hatch="////", label=_GOING)
    axes.set_ylim(-0.5, 0.5)
    axes.legend(
        loc="upper left", bbox_to_anchor=(-0.003, -0.1), ncols=len(KINDS) + 1, frameon=False, fontsize=10.5,
        handlelength=1, handleheight=1, handletextpad=0.5, columnspacing=1.6, borderaxespad=0,
    )  # fmt: skip


def _draw_turns(axes: "Axes", turns: Sequence[Turn]) -> None:
    """A bar for a turn, its kinds one above the other, and over them what could go."""
    step = -(-len(turns) // _MOST_BARS) or 1
    bars = [turns[at : at + step] for at in range(0, len(turns), step)]
    places = range(len(bars))
    below = [0] * len(bars)
    for kind in KINDS:
        heights = [sum(turn.kinds.get(kind, 0) for turn in held) for held in bars]
        if any(heights):
            axes.bar(places, heights, bottom=below, width=0.8, color=_COLOURS[kind], linewidth=0)
            below = [low + height for low, height in zip(below, heights, strict=True)]
    going = [sum(turn.going for turn in held) for held in bars]
    under = [whole - part for whole, part in zip(below, going, strict=True)]
    axes.bar(places, going, bottom=under, width=0.8, facecolor="none", edgecolor="#ffffff", hatch="////", linewidth=0)
    axes.set_xlim(-0.6, max(len(bars), _FEWEST_BARS) - 0.4)
    every = -(-len(bars) // _MOST_TICKS) or 1
    axes.set_xticks(list(places)[::every], [str(held[0].number) for held in bars[::every]])
    _plain(axes, "Tokens by turn of a person" + (f", {step} turns to a bar" if step > 1 else ""), _LEFT)
    _whole_numbers(axes)
    axes.grid(axis="y", color=_LINE, linewidth=0.8)


def _draw_tools(axes: "Axes", tools: Sequence[Tool], whole: int) -> None:
    """A bar for a tool, the largest on top: its calls, its results, and over them what could go."""
    shown = list(tools) if len(tools) <= _MOST_TOOLS else [*tools[: _MOST_TOOLS - 1], _others(tools[_MOST_TOOLS - 1 :])]
    most = max(tool.tokens for tool in shown) or 1
    for place, tool in enumerate(shown):
        axes.barh(place, tool.calls, height=0.62, color=_COLOURS[Kind.CALL], linewidth=0)
        axes.barh(place, tool.results, left=tool.calls, height=0.62, color=_COLOURS[Kind.RESULT], linewidth=0)
        axes.barh(
            place, tool.going, left=tool.tokens - tool.going, height=0.62,
            facecolor="none", edgecolor="#ffffff", hatch="////", linewidth=0,
        )  # fmt: skip
        told = f"{tool.tokens:,}  {percent(tool.tokens / (whole or 1))}"
        axes.text(tool.tokens + most * 0.03, place, told, va="center", fontsize=9, color=_FAINT)
    axes.set_xlim(0, most * 1.48)  # the rest is for the longest figures
    axes.set_ylim(max(len(shown), _FEWEST_BARS) - 0.5, -0.5)
    axes.set_yticks(
        range(len(shown)), [_drawable(_middle_cut(tool.name, _TOOL_CHARACTERS)) for tool in shown], color=_INK
    )
    axes.set_xticks([])
    _plain(axes, "Tokens by tool", 0.588)
    axes.spines["bottom"].set_visible(False)


def _others(tools: Sequence[Tool]) -> Tool:
    return Tool(
        name=f"{len(tools)} others",
        uses=sum(tool.uses for tool in tools),
        calls=sum(tool.calls for tool in tools),
        results=sum(tool.results for tool in tools),
        going=sum(tool.going for tool in tools),
    )


def _draw_points(figure: "Figure", axes: "Axes", rows: Sequence[tuple[str, float, int]]) -> None:
    most = max((lost for _, _, lost in rows), default=0) or 1
    axes.set_xlim(0, min(1.0, round(max((saved for _, saved, _ in rows), default=1.0) + 0.3, 1)))
    axes.set_ylim(-0.07 * most, 1.1 * most)
    _plain(axes, "Canaries lost", _LEFT)
    _whole_numbers(axes)
    axes.set_xlabel("share of all tokens that is saved", labelpad=10)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(color=_LINE, linewidth=0.8)
    for name, saved, lost in rows:
        colour = _COLOURS[Kind.RESULT if name in _OURS else Kind.USER]
        axes.scatter([saved], [lost], s=130, color=colour, edgecolors="#ffffff", linewidths=1.5, zorder=3)
    _label(figure, axes, sorted(rows, key=lambda row: (row[2], row[1], row[0])))


def _label(figure: "Figure", axes: "Axes", rows: Sequence[tuple[str, float, int]]) -> None:
    """Each point with its name, where no other name and no point is in its way, if there is such a place."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.transforms import Bbox

    if not rows:
        return
    FigureCanvasAgg(figure)  # measures what the figure holds
    spots = axes.transData.transform([(saved, lost) for _, saved, lost in rows])
    taken = [Bbox.from_extents(x - 9, y - 9, x + 9, y + 9) for x, y in spots]
    for name, saved, lost in rows:
        told = f"{_OURS.get(name, name)}  ({saved:.0%}, {lost:,})"
        label = axes.annotate(_drawable(told), (saved, lost), (0, 0), textcoords="offset points", fontsize=10.5)
        label.set(
            va="center", bbox={"facecolor": "#ffffff", "edgecolor": "none", "pad": 1.5}
        )  # no line goes through it
        for across, up, side in _BESIDE:
            label.set(position=(across, up), ha=side)
            box = label.get_window_extent()
            if not any(box.overlaps(other) for other in taken) and axes.bbox.containsx(box.x1):
                break
        taken.append(box)


def _plain(axes: "Axes", title: str, left: float) -> None:
    """No frame, and a heading that begins at a part of the sheet's width."""
    top = axes.get_position().y1
    axes.figure.text(left, top + 0.04, title, fontsize=12, fontweight="bold", va="center")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_axisbelow(True)


def _whole_numbers(axes: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _middle_cut(name: str, most: int) -> str:
    """A name without its middle where it is long: what tells it apart stands at either end."""
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[1 - half :]}"


def _drawable(text: str) -> str:
    """The text with a sign for whatever the font has no picture of."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont(_SETTINGS["font.family"][0])).get_charmap()
    return "".join(each if ord(each) in known else _NO_GLYPH for each in showable(fold(text)))
