"""Review at a terminal: one item at a time, with its evidence in its context; one key decides.

Looking is free. Before the first decision the person is asked once whether they are one.
"""

from typing import Any

from slowwave.desk.cli.verb import Desk
from slowwave.desk.person import ask, channel_of, require_terminal
from slowwave.desk.screens.parts import hint, plain
from slowwave.desk.screens.review import context_lines, item_lines
from slowwave.facts.refusal import NothingToDoError
from slowwave.facts.text import cut
from slowwave.wiring import House

_KEYS = "[a]ccept  [r]eject  [s]kip  [c]ontext  [q]uit: "
_CLAIM_SHOWN = 90  # enough to see that it was the one that was meant


def review_at_terminal(desk: Desk) -> dict[str, Any]:
    """Ask about each waiting item; what was decided, by id.

    Raises:
        NothingToDoError: Nothing waits.
        NeedsPersonError: Nobody is at a terminal, or they did not say that they decide.
    """
    house = desk.house(must_exist=True)
    items = [item for item in house.review_list() if item["status"] == "pending"]
    if not items:
        raise NothingToDoError("nothing awaits your review", hint="`slowwave sleep` runs a night")
    require_terminal(desk)
    return _Dialogue(desk, house).go_through(items)


class _Dialogue:
    """One sitting: what was decided so far, and how the person was recognised once they decided anything."""

    def __init__(self, desk: Desk, house: House) -> None:
        self._desk = desk
        self._house = house
        self._console = desk.console()
        self._channel = ""
        self._decided: dict[str, list[str]] = {"accepted": [], "rejected": [], "skipped": []}

    def go_through(self, items: list[dict[str, Any]]) -> dict[str, Any]:
        """Show each item and act on a key; the ids by what became of them."""
        for number, item in enumerate(items, 1):
            self._console.print(plain(f"\n{number} of {len(items)}", style="dim"))
            for line in item_lines(item):
                self._console.print(line)
            key = self._key_for(item)
            if key == "q":
                break
            self._decide(item, key)
        self._say_the_end(len(items))
        return self._decided

    def _key_for(self, item: dict[str, Any]) -> str:
        while answer := ask(_KEYS):
            key = answer.strip().lower()
            if key[:1] == "c":
                for line in context_lines(self._house.context(item["evidence"])):
                    self._console.print(line)
            elif key[:1] in ("a", "r", "s", "q"):
                return key[:1]
            elif key:
                self._console.print(plain(f"{cut(key, 20)} is no key here; a, r, s, c and q are", style="yellow"))
        return "q"  # the terminal was closed

    def _decide(self, item: dict[str, Any], key: str) -> None:
        name = item["id"]
        if key == "s":
            self._decided["skipped"].append(name)
            self._console.print(plain(f"skipped {name}; it goes on waiting", style="dim"))
            return
        why = ask("why (may be empty): ").strip() if key == "r" else ""
        self._channel = self._channel or channel_of(self._desk, self._house, "", "decide about these items yourself")
        if key == "a":
            self._house.accept([name], channel=self._channel)
            way_back = f"`slowwave review reject {name}` takes that back"
        else:
            self._house.reject([name], channel=self._channel, why=why)
            way_back = f"`slowwave review accept {name}` takes that back"
        word = "accepted" if key == "a" else "rejected"
        self._decided[word].append(name)
        self._console.print(plain(f"{word} {name}: {cut(item['claim'], _CLAIM_SHOWN)}", style="bold"))
        self._console.print(plain(f"  {way_back}", style="dim"))

    def _say_the_end(self, total: int) -> None:
        counts = {word: len(names) for word, names in self._decided.items()}
        counts["not looked at"] = total - sum(counts.values())
        self._console.print(plain())
        self._console.print(plain(", ".join(f"{count} {word}" for word, count in counts.items() if count)))
        if self._decided["accepted"]:
            self._console.print(hint("`slowwave merge` lands what you accepted"))
