"""The window: every token is counted once, by kind, by tool and by turn."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from small_contexts import BEGUN, MAKERS, Beat, bash, call, claude_code, lines, notice, say, think, user

from slowwave.hygiene.about import ABOUT_CHARACTERS, READ_CHARACTERS, TITLE_CHARACTERS
from slowwave.hygiene.decide import Rules, propose
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.items import Kind
from slowwave.hygiene.scene import Scene, read_scene
from slowwave.hygiene.tokens import IMAGE_TOKENS
from slowwave.hygiene.window import Window, window_of

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
COMPACTED = (
    b'{"type":"system","subtype":"compact_boundary","uuid":"c","parentUuid":null,"logicalParentUuid":null,'
    b'"timestamp":"2026-05-04T10:00:00Z","sessionId":"11111111-2222-4333-8444-555555555555",'
    b'"compactMetadata":{"trigger":"auto","preTokens":9}}\n'
)


def _scene(beats: list[Beat], wire: str = "claude-code") -> Scene:
    return read_scene(read_document(MAKERS[wire](beats)))


def _window(scene: Scene, *, top: int = 3, **terms: Any) -> Window:
    return window_of(scene, propose(scene, Rules()), Terms(**{"now": NOW, **terms}), top=top)


@pytest.mark.parametrize("wire", MAKERS)
def test_every_token_is_counted_once(wire: str) -> None:
    """Kinds and turns add up to the whole, and tools to calls and results; so do their shares."""
    told = _window(_scene(BEATS, wire)).as_json()
    by_kind = {row["kind"]: row["tokens"] for row in told["by_kind"]}
    assert sum(by_kind.values()) == told["tokens"] > 0
    assert sum(row["share"] for row in told["by_kind"]) == pytest.approx(1, abs=0.001)
    assert sum(turn["tokens"] for turn in told["by_turn"]) == told["tokens"]
    assert sum(row["tokens"] for row in told["by_tool"]) == by_kind["call"] + by_kind["result"]
    assert [(row["tool"], row["uses"]) for row in told["by_tool"]] == [("Bash", 8)]


def test_what_could_go_is_counted_where_it_stands() -> None:
    """By turn, by tool and by detector it is the same sum: the second ``ls`` says what the first one said."""
    told = _window(_scene(BEATS)).as_json()
    going = told["could_go"]["tokens"]
    assert going > 0
    assert [row["could_go"] for row in told["by_turn"] if row["could_go"]] == [going]
    assert [row["could_go"] for row in told["by_tool"]] == [going]
    (found,) = told["could_go"]["by_detector"]
    assert (found["detector"], found["found"]["items"], found["tokens"]) == ("dup_call", 1, going)
    assert found["found"]["tokens"] > going


def test_what_a_detector_sees_and_a_rule_keeps_is_told_apart() -> None:
    """Among the newest results nothing goes, and still it is seen."""
    (found,) = _window(_scene([user("Look."), bash("ls", lines(60)), bash("ls", lines(60))])).found
    assert (found.items, found.going) == (1, 0)


def test_turns_carry_the_words_they_began_with() -> None:
    """Folded, and cut where they are long; what stands before the first message has none."""
    turns = _window(_scene([say("Hello."), *BEATS, user("One\n\n\ttwo\x1b[31m")])).turns
    assert [turn.title for turn in turns[-3:]] == ["Fine.", "Go on.", "One two\u241b[31m"]
    assert (turns[0].number, turns[0].title) == (0, "")
    assert turns[1].title.startswith("See what is there")
    assert turns[1].title.endswith("…")
    assert len(turns[1].title) <= TITLE_CHARACTERS


def test_the_largest_items_say_what_they_are_about() -> None:
    """A result by the command or path of its call, other calls by their arguments, words by their beginning."""
    beats = [
        user(lines(50)),
        call("Read", lines(40), file_path="/shop/cart.py"),
        bash("make\n  all", lines(30)),
        call("Fetch", lines(20), url="https://example.org", deep={"password": "x"}, page=3),
    ]
    window = _window(_scene(beats), top=4)
    assert [(item.kind, item.tool, about) for item, about in window.largest[1:]] == [
        (Kind.RESULT, "Read", "/shop/cart.py"),
        (Kind.RESULT, "Bash", "make all"),
        (Kind.RESULT, "Fetch", "https://example.org 3"),
    ]
    assert window.largest[0][1].startswith("row aa of the log")
    assert len(window.largest[0][1]) <= ABOUT_CHARACTERS


def test_words_are_shown_as_whoever_shows_them_has_them() -> None:
    """Before anything is cut off, under the names of their arguments, and not more than is needed."""
    scene = _scene([user("k" * 2 * READ_CHARACTERS), call("Sign", lines(9), password="hush")])
    asked: list[tuple[int, str]] = []

    def tell(words: str, name: str) -> str:
        asked.append((len(words), name))
        return "masked"

    window = window_of(scene, propose(scene, Rules()), Terms(now=NOW), top=2, tell=tell)
    assert [about for _, about in window.largest] == ["masked", "masked"]
    assert window.turns[0].title == "masked"
    assert sorted(asked) == [(4, "password"), (READ_CHARACTERS, ""), (READ_CHARACTERS, "")]


def test_what_stands_before_a_compaction_is_no_part_of_the_window() -> None:
    """It is counted by itself, and named nowhere."""
    whole = claude_code(BEATS)
    head, tail = whole.splitlines(keepends=True)[:9], whole.splitlines(keepends=True)[9:]
    scene = read_scene(read_document(b"".join([*head, COMPACTED, *tail])))
    told = _window(scene, top=99).as_json()
    assert told["before_compaction"] > told["tokens"] > 0
    assert [row["turn"] for row in told["by_turn"]] == [2, 3]
    assert all(row["index"] >= len(head) for row in told["largest"])


def test_images_and_sub_agents_are_told_beside() -> None:
    """An image counts as a fixed number of tokens; a sub-agent's conversation has a window of its own."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
    content = claude_code([user("Look."), call("Shot", [image, image]), say("Seen.")])
    told = _window(read_scene(read_document(content))).as_json()
    assert (told["images"]["count"], told["images"]["tokens"]) == (2, 2 * IMAGE_TOKENS)
    assert told["sub_agents"]["tokens"] == 0
    aside = content.replace(b'"isSidechain": false', b'"isSidechain": true')
    told = _window(read_scene(read_document(aside))).as_json()
    assert told["sub_agents"]["tokens"] == told["tokens"] > 0


def test_what_an_edit_costs_now_depends_on_the_cache() -> None:
    """Weeks later none holds the conversation; a moment later one does, and a change has to pay for itself."""
    scene = _scene(BEATS)
    assert _window(scene, min_saving=1).as_json()["edit_now"]["break_even_turns"] == 0
    warm = _window(scene, min_saving=1, now=BEGUN + timedelta(minutes=22)).as_json()
    assert warm["edit_now"]["break_even_turns"] > 0
    assert 0 < warm["next_turn_micros"]["warm"] < warm["next_turn_micros"]["cold"]
    assert _window(_scene([user("Hello.")])).as_json()["edit_now"] is None


def test_a_model_without_a_price_costs_nothing_that_could_be_told() -> None:
    """No figure is made up; a named model counts instead of the recorded one."""
    told = _window(_scene(BEATS), model="nobody-knows-1").as_json()
    assert (told["model"], told["fits"], told["next_turn_micros"]) == ("nobody-knows-1", 0, None)
    told = _window(_scene(BEATS), model="claude-haiku-4-5").as_json()
    assert told["fits"] == 200_000


def test_a_context_with_nothing_in_it_has_no_shares() -> None:
    """Nothing is divided by nothing."""
    told = _window(_scene([user("")]), top=0).as_json()
    assert (told["tokens"], told["largest"], told["by_tool"]) == (0, [], [])
    assert told["could_go"] == {"operations": 0, "tokens": 0, "share": 0.0, "by_detector": []}
