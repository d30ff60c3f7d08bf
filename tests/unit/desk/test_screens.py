"""What a person sees: rows that ``grep`` finds, words that stay apart, lines that keep their indent."""

import io
from typing import Any

from rich.console import Console

from slowwave.desk.screens import hit_lines, review_lines, session_lines
from slowwave.desk.screens.parts import Lines, table


def shown(lines: Lines, *, terminal: bool = False) -> list[str]:
    """The lines as 80 columns have them, at a terminal or in a pipe."""
    out = io.StringIO()
    console = Console(file=out, width=80, soft_wrap=not terminal, force_terminal=terminal, color_system=None)
    for line in lines:
        console.print(line)
    return out.getvalue().splitlines()


def item(**changes: Any) -> dict[str, Any]:
    """An item as ``review list`` describes it."""
    plain = {"id": "i-1", "type": "memory", "kind": "precedent", "claim": "Claim.", "path": "projects/a/b.md"}
    return {**plain, "status": "pending", "gist": "", "evidence": [], **changes}


def test_off_a_terminal_a_row_is_a_line() -> None:
    """However long its cells, aligned, and without a break within a cell; a terminal folds to its width."""
    rows = [("a" * 60, "b" * 60), ("猫", "with\na break")]
    assert shown([table(("one", "two"), rows)]) == [
        f"one{' ' * 57}  two",
        f"{'a' * 60}  {'b' * 60}",
        f"猫{' ' * 58}  with a break",
    ]
    assert max(map(len, shown([table(("one", "two"), rows)], terminal=True))) <= 80


def test_sessions_left_out_of_a_listing_are_counted() -> None:
    """A bounded listing says how many more there are."""
    session = {"id": "x", "agent": "codex", "slug": "a", "started": None, "prompts": 1, "bytes": 1}
    assert shown(session_lines([session], 3))[-1].startswith("2 more")


def test_a_match_keeps_the_blanks_around_it() -> None:
    """Before, match and after are joined with the white space that stands between them."""
    hit = {
        "line": 4,
        "column": 9,
        "speaker": "agent",
        "before": "\n the App\t",
        "match": "makes",
        "after": " tokens \n",
    }
    found = {"total": 1, "truncated": False, "hits": [hit]}
    assert shown(hit_lines(found))[1] == "4:9 agent the App makes tokens"


def test_each_line_of_a_gist_is_indented() -> None:
    """A list in a gist stays below its claim."""
    assert "  - two" in shown(review_lines([item(gist="- one\n- two")]))


def test_accepted_items_do_not_await_a_review() -> None:
    """The heading counts what waits for a decision apart from what waits for merge."""
    three = [item(), item(status="accepted"), item(status="accepted")]
    assert shown(review_lines(three))[0] == "1 item awaits your review, 2 accepted items wait for merge"
    assert shown(review_lines(three[1:]))[0] == "2 accepted items wait for merge"
