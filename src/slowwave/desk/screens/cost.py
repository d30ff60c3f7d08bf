"""How the cost of models looks: sums, what is left of today, single calls, prices."""

from collections.abc import Sequence

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table

_ROWS_SHOWN = 15  # of one table: a screen holds three
_CALLS_SHOWN = 200  # with --calls; --json has more


def cost_lines(told: Described, *, with_calls: bool, with_prices: bool) -> Lines:
    """What was asked and what it cost, what is left, and what was asked for beside."""
    lines: Lines = [heading(f"Models, {told['from']} to {told['today']}"), *_asked(told)]
    if told["calls"]:
        for title, key, names in (
            ("day", "byDay", ("day",)),
            ("phase", "byPhase", ("consumer", "phase")),
            ("model", "byModel", ("model",)),
        ):
            lines += [plain(), *_sums(title, told[key], names)]
    if with_calls and told["calls"]:
        lines += [plain(), *_calls(told)]
    lines += [plain(), *_left(told)]
    if with_prices:
        lines += [plain(), *_prices(told["prices"])]
    return [*lines, *_what_else(told, with_calls=with_calls, with_prices=with_prices)]


def _asked(told: Described) -> Lines:
    if not told["everAsked"]:
        return [plain("No model was ever asked: nothing was spent.")]
    if not told["calls"]:
        return [plain("No model was asked in these days.")]
    total = told["total"]
    return [
        plain(f"{count(total['calls'], 'call')}, {total['tokens']:,} tokens, {usd(total['usd'])}"),
    ]


def usd(money: float) -> str:
    """An amount, with parts of a cent where it is small."""
    return f"${money:,.2f}" if money >= 1 or not money else f"${money:,.4f}"


def _sums(title: str, rows: Sequence[Described], names: Sequence[str]) -> Lines:
    cells = [
        (
            " · ".join(row[name] for name in names),
            f"{row['calls']:,}",
            f"{row['inputTokens']:,}",
            f"{row['outputTokens']:,}",
            usd(row["usd"]),
        )
        for row in rows[:_ROWS_SHOWN]
    ]
    lines: Lines = [table((title, "calls", "tokens sent", "answered", "cost"), cells)]
    return [*lines, *_more(len(rows) - len(cells))]


def _calls(told: Described) -> Lines:
    shown = told["calls"][:_CALLS_SHOWN]
    cells = [
        (
            call["moment"],
            call["consumer"],
            call["run"],
            call["reason"],
            call["model"],
            call["status"],
            f"{call['inputTokens']:,}",
            f"{call['cacheReadTokens']:,}",
            f"{call['outputTokens']:,}",
            usd(call["usd"]),
            f"{call['seconds']:,.1f}",
        )
        for call in shown
    ]
    columns = ("moment", "for", "run", "reason", "model", "status", "sent", "cached", "answered", "cost", "seconds")
    lines: Lines = [table(columns, cells), *_more(len(told["calls"]) - len(shown) + told["moreCalls"])]
    if any(call["status"] == "reserved" for call in shown):
        lines.append(
            hint("reserved: it goes on, or its process died; it counts in full, which is the most it can cost")
        )
    return lines


def _more(number: int) -> Lines:
    return (
        [hint(f"{number:,} more rows: --json has them, up to its own bound, or ask for fewer --days")] if number else []
    )


def _left(told: Described) -> Lines:
    cells = [
        (
            pool["consumer"],
            f"{pool['left']['calls']:,} of {pool['caps']['calls']:,}",
            f"{pool['left']['tokens']:,} of {pool['caps']['tokens']:,}",
            f"{usd(pool['left']['usd'])} of {usd(pool['caps']['usd'])}",
            f"{pool['left']['seconds']:,.0f} of {pool['caps']['seconds']:,.0f}",
        )
        for pool in told["consumers"]
    ]
    money = told["money"]
    return [
        table(("left today for", "calls", "tokens", "money", "seconds"), cells),
        plain(f"All together may still spend {usd(money['left'])} of {usd(money['cap'])} today."),
        plain(f"It opens again at {told['opensAgain']}.", style="dim"),
    ]


def _prices(prices: Described) -> Lines:
    lines: Lines = [
        plain(f"Prices as of {prices['asOf']} ({prices['source']}), in US dollars for a million tokens."),
    ]
    price = prices["price"]
    if not prices["model"]:
        return [*lines, plain("No model is configured, so no price is used.")]
    if price is None:
        lines.append(plain(f"No price is known for {prices['model']}: it is not asked.", style="yellow"))
        return [
            *lines,
            hint("`slowwave config set models.input_price 1.0`, and models.output_price; 0 where it is free"),
        ]
    figures = f"{price['input']:g} sent, {price['output']:g} answered, {price['cacheRead']:g} cached"
    lines.append(plain(f"{prices['model']}: {figures}, {price['cacheWrite']:g} put into the cache ({price['source']})"))
    if price["longFrom"]:
        dearer = f"{price['longInput']:g} sent, {price['longOutput']:g} answered"
        lines.append(plain(f"  past {price['longFrom']:,} tokens sent: {dearer}"))
    return lines


def _what_else(told: Described, *, with_calls: bool, with_prices: bool) -> Lines:
    if not told["model"]:
        return [hint("No model is configured: rules propose, at no cost (docs/models.md).")]
    if told["calls"] and not with_calls:
        return [hint("`slowwave cost --calls` shows every call with its reason")]
    return [] if with_prices else [hint("`slowwave cost --prices` shows what the configured model costs")]
