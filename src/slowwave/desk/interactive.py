"""Review at a terminal: one item at a time, with its evidence in its context; one key decides."""

from typing import Any

from slowwave.desk.cli.verb import Desk
from slowwave.desk.person import ask, channel_of
from slowwave.desk.screens.parts import hint, plain, quoted
from slowwave.desk.screens.review import item_lines
from slowwave.facts.refusal import NothingToDoError
from slowwave.wiring import House

_KEYS = "[a]ccept  [r]eject  [s]kip  [c]ontext  [q]uit: "


def review_at_terminal(desk: Desk) -> dict[str, Any]:
    """Ask about each waiting item; what was decided, by id.

    Raises:
        NothingToDoError: Nothing waits.
        NeedsPersonError: Nobody is at a terminal.
    """
    house = desk.house(must_exist=True)
    items = [item for item in house.review_list() if item["status"] == "pending"]
    if not items:
        raise NothingToDoError("nothing awaits your review", hint="`slowwave sleep` runs a night")
    channel = channel_of(desk, house, "", f"go through {len(items)} items now")
    console = desk.console()
    decided: dict[str, list[str]] = {"accepted": [], "rejected": [], "skipped": []}
    for number, item in enumerate(items, 1):
        console.print(plain(f"\n{number} of {len(items)}", style="dim"))
        for line in item_lines(item):
            console.print(line)
        key = _decision(desk, house, item)
        if key == "q":
            break
        _decide(house, item["id"], key, channel, decided)
    console.print(hint("`slowwave merge` lands what you accepted") if decided["accepted"] else plain())
    return decided


def _decision(desk: Desk, house: House, item: dict[str, Any]) -> str:
    while answer := ask(_KEYS):
        key = answer.strip().lower()[:1]
        if key == "c":
            _show_context(desk, house, item)
        elif key in ("a", "r", "s", "q"):
            return key
    return "q"  # the terminal was closed


def _show_context(desk: Desk, house: House, item: dict[str, Any]) -> None:
    console = desk.console()
    for evidence in item["evidence"]:
        console.print(quoted(evidence))
        for line in house.context(evidence):
            here = ">" if line["line"] == evidence["line"] else " "
            console.print(plain(f"   {here}{line['line']:>6} {line['speaker']:<6} {line['text']}", style="dim"))


def _decide(house: House, item: str, key: str, channel: str, decided: dict[str, list[str]]) -> None:
    if key == "a":
        house.accept([item], channel=channel)
        decided["accepted"].append(item)
    elif key == "r":
        house.reject([item], channel=channel, why=ask("why (may be empty): ").strip())
        decided["rejected"].append(item)
    else:
        decided["skipped"].append(item)
