"""How scorecards of hygiene look."""

from slowwave.desk.screens.parts import Described, Lines, count, heading, plain, table


def score_lines(told: Described) -> Lines:
    """What holds, what is saved, what was wanted again, how fast."""
    saved, again = told["saved"], told["refetched"]
    rows = [(agent, *_quartiles(each)) for agent, each in saved["by_agent"].items()]
    rows += [("50,000 tokens and more", *_quartiles(saved["large"])), ("all", *_quartiles(saved["all"]))]
    return [
        heading(f"{count(told['recordings'], 'recording')}, {told['unread']:,} files that are none"),
        table(("must hold", "share"), [(name, f"{share:.2%}") for name, share in told["hard"].items()]),
        plain(),
        table(("tokens saved", "recordings", "lower quartile", "median", "upper quartile"), rows),
        plain(),
        plain(
            f"wanted again: {again['needed_share']:.2%} of {again['pruned']:,} items; "
            f"with repeats of what a newer result had replaced: {again['share']:.2%}"
        ),
        plain(f"{told['megabytes_a_second']:,} MB a second, proof included", style="dim"),
        plain(f"profile {told['profile'][:16]}", style="dim"),
    ]


def gate_lines(told: Described) -> Lines:
    """What became worse."""
    if told["passed"]:
        return [heading("Nothing is worse than before.")]
    return [heading(count(len(told["regressions"]), "regression")), *map(plain, told["regressions"])]


def _quartiles(each: Described) -> tuple[str, str, str, str]:
    return f"{each['count']:,}", f"{each['lower']:.1%}", f"{each['median']:.1%}", f"{each['upper']:.1%}"
