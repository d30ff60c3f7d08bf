"""The history processor without the package it is for: what it reads, what it changes, and that it does so for good."""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from made_contexts import scripts
from made_runs import BEGUN, Part, Said, called, reply, request, returned, run_of, typed
from small_contexts import Beat, anthropic, bash, call, lines, read, say, user

from slowwave.facts.markers import STUB_BEGIN
from slowwave.hygiene import history
from slowwave.hygiene.document import UnknownContextError
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.history import CleanHistory
from slowwave.hygiene.parts import as_records
from slowwave.hygiene.scene import NEWEST_RESULTS

NEWEST = [bash(f"tool {letter}", f"out {letter}") for letter in "abcde"]
BEATS: Sequence[Beat] = [
    user("Put the cart right."),
    read("/shop/cart.py", lines(400)),
    call("Edit", "done", file_path="/shop/cart.py", old_string="a", new_string="b"),
    read("/shop/cart.py", lines(400, "line")),
    *NEWEST,
]
DEAD = 2
"""Where the first reading stands."""
COLD, WARM = BEGUN + timedelta(hours=1), BEGUN + timedelta(seconds=90)


def _clean(now: datetime = COLD, **more: Any) -> CleanHistory:
    return CleanHistory(clock=lambda: now, **more)


def _contents(messages: Sequence[Said]) -> list[Any]:
    return [part.content for each in messages for part in each.parts if part.part_kind == "tool-return"]


def _stubs(messages: Sequence[Said]) -> list[int]:
    texts = [str(part.content) for each in messages for part in each.parts]
    return [at for at, text in enumerate(texts) if text.startswith(STUB_BEGIN)]


def test_only_the_content_of_the_dead_result_changes() -> None:
    """Everything else is the very same object, and what was given stays as it was."""
    messages = run_of(BEATS)
    before = copy.deepcopy(messages)
    out = _clean()(messages)
    assert messages == before
    assert [at for at, (old, new) in enumerate(zip(messages, out, strict=True)) if old is not new] == [DEAD]
    old, new = messages[DEAD], out[DEAD]
    assert new == replace(old, parts=[replace(old.parts[0], content=new.parts[0].content)])
    assert new.parts[0].content.startswith(f"{STUB_BEGIN}Read result (")


def test_what_was_stubbed_stays_stubbed_the_same_way_though_it_comes_whole_again() -> None:
    """At each later call, also when a person's second turn makes all of it recent, and whatever the cache is like."""
    clean, seen = _clean(), list[str]()
    run = run_of([*BEATS, user("Thanks."), say("Welcome."), *BEATS[1:], user("Go on.")])
    for end in range(len(run_of(BEATS)), len(run) + 1):
        seen.append(_contents(clean(run[:end]))[0])
    assert seen[0].startswith(STUB_BEGIN)
    assert set(seen) == {seen[0]}


def test_what_stands_there_as_a_stub_already_is_left_alone() -> None:
    """Whoever keeps what the processor gives it back gets the very same objects again."""
    clean = _clean()
    once = clean(run_of(BEATS))
    assert all(one is other for one, other in zip(once, clean(once), strict=True))
    assert all(one is other for one, other in zip(once, _clean()(once), strict=True))


def test_a_run_that_begins_anew_knows_nothing_of_another() -> None:
    """The same call id with the same words in another run is its own: nothing has superseded it there."""
    clean = _clean()
    clean(run_of(BEATS))
    short = run_of([*BEATS[:2], *NEWEST], conversation_id="run-2")
    assert clean(short) == short
    unnamed = [replace(each, conversation_id=None) for each in run_of([*BEATS[:2], *NEWEST])]
    assert clean(unnamed) == unnamed
    assert _stubs(clean(run_of(BEATS, conversation_id="run-2")))


def test_a_result_that_is_among_the_newest_again_is_whole_again() -> None:
    """Somebody went back to an earlier message."""
    clean = _clean()
    run = run_of(BEATS)
    assert _stubs(clean(run))
    assert clean(run[: DEAD + 1]) == run[: DEAD + 1]
    assert _contents(clean(run))[0].startswith(STUB_BEGIN)


def test_a_result_with_other_words_is_another_result() -> None:
    """Servers that number the calls of each reply anew give one id to several."""
    clean = _clean()
    run = run_of(BEATS)
    clean(run)
    part = replace(run[DEAD].parts[0], content=lines(400, "other"))
    run[DEAD] = replace(run[DEAD], parts=[part])
    assert "400 lines" in _contents(_clean()(run))[0]
    assert _contents(clean(run))[0] == _contents(_clean()(run))[0]


def test_a_warm_cache_is_not_thrown_away_for_little() -> None:
    """The change is far back and much stands behind it; cold, it is done at once."""
    late = [say("word " * 60_000), *NEWEST]
    run = run_of([*BEATS, *late])
    last = run[-2].timestamp
    assert last is not None
    assert _stubs(_clean(last + timedelta(seconds=20))(run)) == []
    assert _stubs(_clean(last + timedelta(seconds=20), terms=Terms(turns=1_000))(run)) != []
    assert _stubs(_clean(last + timedelta(seconds=301))(run)) != []


def test_the_time_of_the_last_reply_counts_and_not_that_of_a_tool() -> None:
    """A tool that runs for ten minutes lets the cache go cold."""
    run = run_of([*BEATS, say("word " * 60_000), *NEWEST])
    last = run[-2].timestamp
    assert last is not None
    run[-1] = replace(run[-1], timestamp=last + timedelta(minutes=10))
    assert _stubs(_clean(last + timedelta(minutes=10))(run)) != []


def test_the_model_that_answered_last_is_weighed_by_its_own_cache() -> None:
    """Half an hour for one maker's, five minutes for another's."""
    late = [say("word " * 60_000), *NEWEST]
    for provider, model, is_cold in (("openai", "gpt-5.6", False), ("anthropic", "claude-opus-4-5", True)):
        run = run_of([*BEATS, *late], provider_name=provider, model_name=model)
        last = run[-2].timestamp
        assert last is not None
        assert bool(_stubs(_clean(last + timedelta(minutes=10))(run))) is is_cold


def test_a_thought_that_may_be_bound_keeps_what_stands_before_it() -> None:
    """Of a model that binds, or that nobody knows; not of one that does not, and not an unsigned one."""
    for model, signature, is_changed in (
        ("claude-sonnet-5-5", "c2ln", False),
        ("function:scripted", "c2ln", False),
        ("function:scripted", None, True),
        ("gpt-5.5", "Z2VoZWlt", True),
    ):
        run = run_of(BEATS, model_name=model)
        run[9] = replace(run[9], parts=[Part(part_kind="thinking", content="Hm.", signature=signature), *run[9].parts])
        assert bool(_stubs(_clean()(run))) is is_changed


KEPT: dict[str, Any] = {
    "a refusal": {"outcome": "denied"},
    "a call to be made again": {"outcome": "retried"},
    "an interruption": {"outcome": "interrupted"},
    "a kind of the package's own": {"tool_kind": "tool-search"},
    "a provider's own": {"part_kind": "builtin-tool-return"},
}


@pytest.mark.parametrize("name", KEPT)
def test_results_that_are_not_a_tool_s_own_words_stay(name: str) -> None:
    """What a person said in a refusal, what the package reads again."""
    run = run_of(BEATS)
    run[DEAD] = replace(run[DEAD], parts=[replace(run[DEAD].parts[0], **KEPT[name])])
    assert _clean()(run) == run


def test_pinned_results_stay() -> None:
    """By the digest that a stub would name."""
    stub = _contents(_clean()(run_of(BEATS)))[0]
    digest = stub.split("recall ")[1][:16]
    assert _stubs(_clean(pinned=[digest])(run_of(BEATS))) == []


def test_what_a_stub_stands_for_can_be_recalled() -> None:
    """By its digest, for as long as the run is remembered."""
    clean = _clean()
    digest = _contents(clean(run_of(BEATS)))[0].split("recall ")[1][:16]
    assert clean.recall(digest) == lines(400)
    assert clean.recall("0" * 16) == "Nothing is kept under this digest."


def test_only_so_many_runs_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one longest not seen is forgotten first."""
    monkeypatch.setattr(history, "MOST_RUNS", 2)
    clean = _clean()
    for name in ("a", "b", "a", "c"):
        clean(run_of(BEATS, conversation_id=name))
    assert list(clean._runs) == ["a", "c"]


def test_structured_and_pictured_contents_become_a_stub_too() -> None:
    """What a model is told of them is what is judged; the words of a picture's neighbours stay."""

    @dataclass(kw_only=True)
    class _Told(Part):
        def model_response_str(self) -> str:
            return json.dumps(self.content)

    rows = [{"row": f"row {line}"} for line in lines(400).split("\n")]
    run = run_of(BEATS)
    old = run[DEAD].parts[0]
    told = _Told(**{**vars(old), "content": rows})
    run[DEAD] = replace(run[DEAD], parts=[told])
    out = _clean()(run)[DEAD].parts[0]
    assert isinstance(out.content, str)
    assert out.content.startswith(STUB_BEGIN)
    pictured = replace(old, content=["a picture of the cart", object()], files=[object()])
    with_words = _Told(**{**vars(pictured), "content": "a picture of the cart"})
    run[DEAD] = replace(run[DEAD], parts=[with_words])
    assert as_records(run).records[DEAD]["content"][0]["content"] == [
        {"type": "text", "text": "a picture of the cart"},
        {"type": "image"},
    ]


def test_every_kind_of_part_has_its_place_or_none() -> None:
    """Program-made parts are nobody's words, unknown ones are not shown, a compaction begins the window anew."""
    run = [
        request(typed("before")),
        reply(Part(part_kind="text", content="also before")),
        request(
            Part(part_kind="compaction", content="Summed up."),
            Part(part_kind="system-prompt", content="Be brief."),
            Part(part_kind="tool-availability-delta", content="new"),
            typed(["two", Part(part_kind="", content="three"), object()]),
        ),
        reply(
            Part(part_kind="text", content="Well."),
            Part(part_kind="file", content=object()),
            Part(part_kind="builtin-tool-call", tool_name="web_search", tool_call_id="w1", args='{"query": "x"}'),
            Part(part_kind="builtin-tool-return", tool_name="web_search", tool_call_id="w1", content="found"),
            called("Bash", "c1", '{"command": "ls"}'),
            called("Bash", "c2", "{not json"),
            model_name="m",
            provider_name="p",
        ),
        request(
            returned("Bash", "c1", "a", outcome="failed"),
            Part(part_kind="retry-prompt", tool_name="Bash", tool_call_id="c2", content="again"),
            Part(part_kind="retry-feedback", content="That was none."),
        ),
    ]
    told = as_records(run)
    assert [each["role"] for each in told.records] == [
        "system",
        "system",
        "user",
        "assistant",
        "user",
        "user",
        "system",
    ]
    assert [block["type"] for block in told.records[2]["content"]] == ["text", "text", "image"]
    assert [block["type"] for block in told.records[3]["content"]] == [
        "text",
        "server_tool_use",
        "builtin_tool_result",
        "tool_use",
        "tool_use",
    ]
    assert [block.get("input") for block in told.records[3]["content"][3:]] == [{"command": "ls"}, {}]
    assert [each["content"][0]["is_error"] for each in told.records[4:6]] == [True, True]
    assert dict(told.places) == {4: (4, 0)}
    assert (told.provider, told.model) == ("p", "m")


@pytest.mark.parametrize("messages", [[{"role": "user", "content": "x"}], ["x"], [request(typed("x")), anthropic([])]])
def test_messages_of_others_are_an_error(messages: list[Any]) -> None:
    """That says who takes care of them."""
    with pytest.raises(UnknownContextError, match="pydantic-ai") as caught:
        _clean()(messages)
    assert "slowwave.curate" in caught.value.hint


def test_nothing_is_nothing() -> None:
    """No messages, and messages too few to look at."""
    assert _clean()([]) == []
    run = run_of([user("a"), *NEWEST[:NEWEST_RESULTS]])
    assert all(one is other for one, other in zip(run, _clean()(run), strict=True))


@given(beats=scripts())
@settings(max_examples=40, deadline=None)
def test_whatever_happens_stubs_stay_and_all_else_does(beats: list[Beat]) -> None:
    """Request by request: only results change, each stub is the same ever after, no result loses its call."""
    run = run_of([beat for beat in beats if isinstance(beat.result, str)])
    clean = _clean(terms=Terms(min_saving=1))
    known: dict[str, str] = {}
    for end in range(1, len(run) + 1):
        out = clean(run[:end])
        for old, new in zip(run[:end], out, strict=True):
            assert [(one.part_kind, one.tool_call_id) for one in old.parts] == [
                (one.part_kind, one.tool_call_id) for one in new.parts
            ]
            for one, other in zip(old.parts, new.parts, strict=True):
                assert one is other or one.part_kind == "tool-return"
                if one is not other:
                    assert known.setdefault(one.tool_call_id, other.content) == other.content
                else:
                    assert one.tool_call_id not in known or one.part_kind != "tool-return"
