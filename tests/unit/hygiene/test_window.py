"""The window: every token is counted once, by kind, by tool and by turn."""

from datetime import UTC, datetime

import pytest
from small_contexts import MAKERS, bash, lines, notice, say, think, user

from slowwave.hygiene.decide import Rules, propose
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.scene import read_scene
from slowwave.hygiene.window import TITLE_CHARACTERS, Window, window_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)
BEATS = [
    user("See what is there, and say it in one word, please, since there is little time left for anything."),
    notice("The list of things to do is empty."),
    think("Let me see."),
    bash("ls", lines(60)),
    bash("ls", lines(60)),
    say("Much."),
    user("Fine."),
    bash("df", lines(9)),
    *[bash(f"tool {letter}", "out") for letter in "abcde"],
    user("Go on."),
]


def _window(wire: str, *, top: int = 3) -> Window:
    scene = read_scene(read_document(MAKERS[wire](BEATS)))
    return window_of(scene, propose(scene, Rules()), Terms(now=NOW), top=top)


@pytest.mark.parametrize("wire", MAKERS)
def test_every_token_is_counted_once(wire: str) -> None:
    """Kinds and turns add up to the whole, and tools to calls and results."""
    told = _window(wire).as_json()
    assert sum(told["by_kind"].values()) == told["tokens"] > 0
    assert sum(turn["tokens"] for turn in told["by_turn"]) == told["tokens"]
    assert sum(told["by_tool"].values()) == told["by_kind"]["call"] + told["by_kind"]["result"]


def test_turns_carry_the_words_they_began_with() -> None:
    """Cut where they are long."""
    turns = _window("claude-code").turns
    assert [turn.title for turn in turns[-2:]] == ["Fine.", "Go on."]
    long = next(turn.title for turn in turns if turn.title.startswith("See"))
    assert len(long) == TITLE_CHARACTERS + 1


def test_the_largest_items_say_what_they_are_about() -> None:
    """By the command of the call behind a result."""
    window = _window("claude-code", top=2)
    assert [about for _, about in window.largest] == ["Bash: ls", "Bash: ls"]


def test_what_could_go_is_told_with_what_it_costs_now() -> None:
    """The recording is weeks old, so that no cache holds it."""
    told = _window("claude-code").as_json()
    assert told["could_go"]["by_detector"].keys() == {"dup_call"}
    assert told["could_go"]["tokens"] > 0
    assert told["edit_now"]["code"] in ("", "BELOW_MIN_SAVING")
    assert 0 < told["next_turn_micros"]["warm"] < told["next_turn_micros"]["cold"]


def test_a_model_without_a_price_costs_nothing_that_could_be_told() -> None:
    """No figure is made up."""
    scene = read_scene(read_document(MAKERS["claude-code"](BEATS)))
    window = window_of(scene, propose(scene, Rules()), Terms(now=NOW, model="nobody-knows-1"), top=1)
    assert window.as_json()["next_turn_micros"] is None
