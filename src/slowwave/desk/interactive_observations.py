"""Review of traits at a terminal: one at a time, one key decides."""

from typing import Any

from slowwave.desk.cli.verb import Desk
from slowwave.desk.person import ask, channel_of, require_terminal
from slowwave.desk.screens.parts import plain
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.facts.text import cut
from slowwave.wiring import House

_KEYS = "[c]onfirm  [e]dit  [d]rop  [s]kip  [q]uit: "
_DECISIONS = {"c": "confirm", "e": "edit", "d": "drop"}
_DONE = {"confirm": "confirmed", "edit": "changed", "drop": "dropped"}


def review_observations(desk: Desk) -> dict[str, Any]:
    """Ask about each trait that needs review; the ids by what became of them.

    Raises:
        NothingToDoError: Nothing needs review.
        NeedsPersonError: Nobody is at a terminal, or they did not say that they decide.
    """
    house = desk.house(must_exist=True)
    rows = house.observations(everything=False)["observations"]
    if not rows:
        raise NothingToDoError("no observation awaits your review", hint="`slowwave observations list --all`")
    require_terminal(desk)
    console = desk.console()
    decided: dict[str, list[str]] = {"confirmed": [], "changed": [], "dropped": [], "skipped": []}
    channel = ""
    for number, row in enumerate(rows, 1):
        console.print(
            plain(f"\n{number} of {len(rows)}  {row['id']}  said {row['ts'][:10] or 'some day'}", style="dim")
        )
        console.print(plain(row["obs"], style="bold"))
        key = _key(console)
        if key == "q":
            break
        if key == "s":
            decided["skipped"].append(row["id"])
            continue
        channel = channel or channel_of(desk, house, "", "decide about these observations yourself")
        word = _decide(house, row["id"], _DECISIONS[key])
        decided[word].append(row["id"])
        console.print(plain(f"{word} {row['id']}", style="bold"))
    return decided


def _key(console: Any) -> str:
    while answer := ask(_KEYS):
        key = answer.strip().lower()[:1]
        if key in (*_DECISIONS, "s", "q"):
            return key
        if key:
            console.print(plain(f"{cut(answer.strip(), 20)} is no key here; c, e, d, s and q are", style="yellow"))
    return "q"  # the terminal was closed


def _decide(house: House, name: str, decision: str) -> str:
    text = ask("in your own words: ").strip() if decision == "edit" else ""
    try:
        house.decide_observation(name, decision, text=text)
    except UsageError:
        return "skipped"
    return _DONE[decision]
