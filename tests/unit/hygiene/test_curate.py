"""The library call: messages of every form in, the same messages out but for what is dead, and errors said aloud."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from made_contexts import scripts
from small_contexts import Beat, anthropic, bash, call, chat, lines, notice, read, responses, say, user

import slowwave
from slowwave.facts.limits import JSON_DEPTH
from slowwave.hygiene.curate import LIST_WIRES, curate, curate_with_plan
from slowwave.hygiene.document import UnknownContextError, of_messages
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.protection import Protected, Protection, Status
from slowwave.hygiene.shapes import check_shape, new_defects

NEWEST = [bash(f"tool {letter}", f"out {letter}") for letter in "abcde"]
BEATS: Sequence[Beat] = [
    user("See what is there."),
    read("/shop/cart.py", lines(400)),
    say("I decided to keep SQLite, because the file travels with the project."),
    call("Edit", "done", file_path="/shop/cart.py", old_string="a", new_string="b"),
    read("/shop/cart.py", lines(400, "line")),
    *NEWEST,
    user("Thanks."),
    user("Go on."),
]
MAKERS: dict[str, Callable[[Sequence[Beat]], list[dict[str, Any]]]] = {
    "anthropic-messages": anthropic,
    "openai-chat": chat,
    "openai-responses": responses,
}


def _plain(beats: Sequence[Beat]) -> list[dict[str, Any]]:
    """A list of no provider's: roles and contents, tools among them."""
    roles = {"user": "user", "notice": "user", "say": "assistant"}
    found: list[dict[str, Any]] = []
    for number, beat in enumerate(beats):
        if beat.kind in roles:
            found.append({"role": roles[beat.kind], "content": beat.text, "extra": number})
        elif beat.kind == "call":
            function = {"name": beat.tool, "arguments": json.dumps(beat.args)}
            call_id = f"c{number}"
            found.append({"role": "assistant", "content": "", "tool_calls": [{"id": call_id, "function": function}]})
            found.append({"role": "tool", "tool_call_id": call_id, "content": beat.result})
    return found


@pytest.mark.parametrize("make", [*MAKERS.values(), _plain])
def test_the_dead_result_is_stubbed_and_all_else_is_the_same_object(
    make: Callable[[Sequence[Beat]], list[dict[str, Any]]],
) -> None:
    """In every form; what was given is not changed, down to its last value."""
    messages = make(BEATS)
    before = copy.deepcopy(messages)
    out = curate(messages)
    assert messages == before
    changed = [at for at, (old, new) in enumerate(zip(messages, out, strict=True)) if old is not new]
    assert len(changed) == 1
    assert "[slowwave:pruned Read result (" in json.dumps(out[changed[0]])
    assert {key: value for key, value in out[changed[0]].items() if key not in ("content", "output")} == {
        key: value for key, value in messages[changed[0]].items() if key not in ("content", "output")
    }
    assert curate(out) == out
    assert all(one is other for one, other in zip(out, curate(out), strict=True))


@pytest.mark.parametrize("wire", MAKERS)
@given(beats=scripts())
@settings(max_examples=25, deadline=None)
def test_words_of_people_and_shapes_survive_whatever_happened(wire: str, beats: list[Beat]) -> None:
    """A second run changes nothing, no call loses its result, and everything typed stands where it stood."""
    messages = MAKERS[wire](beats)
    found = curate_with_plan(messages, wire=wire, terms=Terms(min_saving=1))
    assert len(found.messages) == len(messages)
    told = json.dumps(found.messages, ensure_ascii=False)
    assert all(json.dumps(beat.text, ensure_ascii=False)[1:-1] in told for beat in beats if beat.kind == "user")
    old, new = (check_shape(of_messages(each, wire=wire)) for each in (messages, found.messages))
    assert new_defects(old, new) == ()
    assert curate(found.messages, wire=wire, terms=Terms(min_saving=1)) == found.messages


def test_the_plan_says_what_was_done_and_what_it_saves() -> None:
    """The sister of the call."""
    found = curate_with_plan(anthropic(BEATS))
    (operation,) = found.plan.operations
    assert operation.request.detector == "stale_read"
    assert found.plan.before - found.plan.after == operation.saved > 2_000
    assert found.plan.rejected == ()


def test_pins_protection_and_terms_are_kept() -> None:
    """Each of them keeps the result that would go."""
    messages = anthropic(BEATS)
    (operation,) = curate_with_plan(messages).plan.operations
    item = operation.changes[0].item
    protection = Protection(ranges=(Protected(start=item.index, end=None, status=Status.QUARANTINED),))
    for out in (
        curate(messages, pinned=[item.digest]),
        curate(messages, pinned=[item.id]),
        curate(messages, protection=protection),
        curate(messages, protection=Protection(trouble="it could not be read")),
        curate(messages, terms=Terms(min_saving=1_000_000)),
    ):
        assert all(one is other for one, other in zip(messages, out, strict=True))


def test_thoughts_that_may_be_bound_keep_what_stands_before_them_unless_the_model_is_known() -> None:
    """A signed thought of nobody we know counts as bound; of an older model it does not."""
    messages = anthropic(BEATS)
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    messages.insert(4, {"role": "assistant", "content": [thought]})
    assert curate(messages) == messages
    assert curate(messages, terms=Terms(model="claude-opus-4-5-20251101")) != messages
    assert curate(messages, terms=Terms(model="claude-sonnet-5-5")) == messages


def test_times_in_the_messages_count_where_a_present_is_given() -> None:
    """A warm cache and a change far back: not worth it; cold, it is."""
    at = datetime(2026, 5, 4, 9, tzinfo=UTC)
    messages = [{**each, "timestamp": at.isoformat()} for each in anthropic(BEATS)]
    messages[-1:-1] = [{"role": "assistant", "content": "x" * 400_000}]
    terms = Terms(now=at, turns=1, window=10**9, min_saving=100)
    assert curate_with_plan(messages, terms=terms).plan.rejected[0].code == "CACHE_LOSS"
    assert curate(messages, terms=Terms(now=at.replace(hour=12), turns=1, min_saving=100)) != messages


class _Model:
    """Such as a client library's own message."""

    role = "user"
    content = "hello"


def _deep(levels: int) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for _ in range(levels):
        held = {"a": held}
    return {"role": "user", "content": "x", "extra": held}


_ROUND: dict[str, Any] = {"role": "user", "content": "x"}
_ROUND["self"] = _ROUND
UNREADABLE: dict[str, Any] = {
    "a text": "hello",
    "a request": {"model": "m", "messages": [{"role": "user", "content": "x"}]},
    "an iterator": iter([{"role": "user", "content": "x"}]),
    "no dicts": ["hello"],
    "an object": [{"role": "user", "content": "x"}, _Model()],
    "an object inside": [{"role": "assistant", "content": [_Model()]}],
    "a tuple": [{"role": "user", "content": ("a", "b")}],
    "bytes": [{"role": "user", "content": b"x"}],
    "a moment": [{"role": "user", "content": "x", "at": datetime(2026, 1, 1, tzinfo=UTC)}],
    "a decimal": [{"role": "user", "content": "x", "cost": Decimal(1)}],
    "a number for a key": [{"role": "user", "content": "x", 1: 2}],
    "infinity": [{"role": "user", "content": "x", "score": float("inf")}],
    "no number": [{"role": "user", "content": "x", "score": [float("nan")]}],
    "too deep": [_deep(JSON_DEPTH)],
    "a circle": [_ROUND],
    "roles of others": [{"role": "model", "parts": [{"text": "x"}]}],
    "no roles": [{"text": "x"}],
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_an_error_that_says_so(name: str) -> None:
    """Never a list that looks as if it had been looked at."""
    with pytest.raises(UnknownContextError) as caught:
        curate(UNREADABLE[name])
    assert caught.value.message
    assert caught.value.hint


def test_a_form_is_asked_for_by_a_name_that_is_known() -> None:
    """Names of agents' own files are none for lists."""
    for wire in ("claude-code", "nobody"):
        with pytest.raises(UnknownContextError, match=wire):
            curate(anthropic(BEATS), wire=wire)
    assert set(LIST_WIRES) == set(MAKERS)


def test_no_messages_are_no_messages() -> None:
    """An empty list is one."""
    none: list[dict[str, Any]] = []
    found = curate_with_plan(none)
    assert (found.messages, found.plan.operations) == ([], ())


def test_values_that_json_has_another_way_stay_what_they_are() -> None:
    """Large numbers and halves of a pair stand in what comes back as they came."""
    messages = anthropic(BEATS)
    messages[2] = {**messages[2], "odd": [2**80, True, "\ud800"]}
    out = curate(messages)
    assert out[2] is not messages[2]
    assert out[2]["odd"] is messages[2]["odd"]


def test_a_reminder_said_again_is_collapsed_in_a_person_s_place() -> None:
    """What a program put there goes; what the person typed beside it stays."""
    reminder = notice("The list of things to do is empty; nobody has asked for it since. " * 40)
    messages = anthropic([reminder, say("a"), reminder, say("b"), reminder, say("c"), *BEATS])
    out = curate(messages)
    assert "newest copy below" in out[0]["content"]
    assert out[4] is messages[4]


def test_the_call_is_loaded_when_it_is_asked_for() -> None:
    """`import slowwave` loads nothing of it; the name is there all the same."""
    assert "curate" in dir(slowwave)
    assert slowwave.curate is curate
    script = "import sys, slowwave; print([m for m in sys.modules if m.startswith('slowwave.')])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
