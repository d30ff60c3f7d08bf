"""Curation: what comes of a wish, proved from the new bytes; what cannot be proved is refused whole."""

import hashlib
import json
from typing import Any

import pytest
from small_contexts import (
    MAKERS,
    SESSION,
    Beat,
    anthropic,
    bash,
    call,
    claude_code,
    lines,
    notice,
    read,
    say,
    think,
    user,
)

from slowwave.hygiene import curation as curation_module
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.items import Kind
from slowwave.hygiene.names import names_of
from slowwave.hygiene.protection import Protected, Protection, Status
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.rewrite import rewrite
from slowwave.hygiene.splice import SpliceError
from slowwave.hygiene.thinking import Policy

TAIL = [*[bash(f"tool {letter}", f"out {letter}") for letter in "abcde"], user("Thanks."), user("Go on.")]
TWICE = [user("Begin."), bash("git status", lines(40)), say("Hm."), bash("git status", lines(40)), *TAIL]
TERMS = Terms(min_saving=1)


def _curated(raw: bytes, *, wire: str = "", **wish: Any) -> Curated:
    return curate_document(read_document(raw, wire=wire), Wish(**{"terms": TERMS, **wish}))


def _content(curated: Curated) -> bytes:
    return b"".join(curated.content())


def _codes(curated: Curated) -> list[str]:
    return [each.code for each in curated.plan.rejected]


def _ops(*ops: dict[str, Any]) -> bytes:
    return json.dumps({"ops": [{"rationale": "it has served", **op} for op in ops]}).encode()


def _fed_back(curated: Curated) -> bytes:
    return json.dumps(curated.as_json()).encode()


def _rich() -> list[Beat]:
    """Work in which every detector finds something, with names in what it finds."""
    edit = call("Edit", "ok", file_path="/shop/cart.py", old_string="a", new_string="b")
    told = lines(30) + "\nthe bucket is marmot-larch-{}\n" + lines(30, "step")
    return [
        user("Begin."),
        read("/shop/cart.py", told.format(1)),
        edit,
        *[bash("git status", told.format(2)) for _ in range(3)],
        *[bash("pytest -q", told.format(number)) for number in (3, 4, 5)],
        *[notice("The list of things to do is empty; nobody has asked for anything since. " * 3) for _ in range(3)],
        *[say("On we go.") for _ in range(16)],
        *TAIL,
    ]


@pytest.mark.parametrize("wire", MAKERS)
def test_a_curation_is_proved_and_says_what_it_is(wire: str) -> None:
    """The revision is that of the bytes it gives, its parent that of the bytes it was planned for."""
    raw = MAKERS[wire](TWICE)
    curated = _curated(raw)
    told = _content(curated)
    assert len(curated.plan.operations) == 1
    assert curated.revision == hashlib.sha256(told).hexdigest()
    assert curated.parent == hashlib.sha256(raw).hexdigest()
    assert curated.as_json()["format"] == wire
    assert len(told) < len(raw)
    assert not _curated(told, wire=wire).plan.operations


@pytest.mark.parametrize("wire", MAKERS)
def test_proposing_nothing_changes_nothing(wire: str) -> None:
    """The revision is the parent, and no session id is made."""
    raw = MAKERS[wire]([user("Hm."), say("Yes."), *TAIL])
    curated = _curated(raw)
    assert (_content(curated), curated.revision, curated.rename, curated.settings) == (raw, curated.parent, None, {})


def test_a_fork_has_a_session_id_of_its_own_unless_it_keeps_the_old_one() -> None:
    """The same curation of the same bytes gives the same id; other bytes give another."""
    raw = claude_code(TWICE)
    curated, again = _curated(raw), _curated(raw)
    assert curated.rename is not None
    assert curated.rename == again.rename
    old, new = curated.rename
    assert old == SESSION
    assert len(new) == len(SESSION)
    assert [len(part) for part in new.split("-")] == [8, 4, 4, 4, 12]
    context = read_context(read_document(_content(curated)))
    assert context.session == new
    assert SESSION.encode() not in _content(curated)
    kept = _curated(raw, keeps_session=True)
    assert kept.rename is None
    assert _content(kept) == _content(curated).replace(new.encode(), SESSION.encode())
    other = _curated(claude_code([*TWICE, say("More.")]))
    assert other.rename is not None
    assert other.rename[1] != new


def test_a_call_that_names_its_own_session_is_no_hindrance() -> None:
    """What the agent asked about itself are words, and stay."""
    beats = [*TWICE[:2], call("read_lines", "x", sessionId=SESSION), call("T", SESSION, id=SESSION), *TWICE[2:]]
    curated = _curated(claude_code(beats))
    assert len(curated.plan.operations) == 1
    context = read_context(read_document(_content(curated)))
    assert [dict(item.args) for item in context.items if item.kind is Kind.CALL][1:3] == [
        {"sessionId": SESSION},
        {"id": SESSION},
    ]


@pytest.mark.parametrize("wire", MAKERS)
def test_a_plan_fed_back_does_what_it_said(wire: str) -> None:
    """Byte for byte: what keeps a name in the proposal keeps it when the proposal is carried out."""
    raw = MAKERS[wire](_rich())
    proposed = _curated(raw)
    assert len(proposed.plan.operations) >= 5
    assert any(change.kept_lines for each in proposed.plan.operations for change in each.changes)
    carried = _curated(raw, answer=_fed_back(proposed))
    assert not _codes(carried)
    assert _content(carried) == _content(proposed)
    assert carried.as_json()["operations"] == proposed.as_json()["operations"]


@pytest.mark.parametrize("wire", MAKERS)
def test_a_part_of_a_plan_does_that_part(wire: str) -> None:
    """Each operation does what it did in the whole, so that no name is lost by leaving others out."""
    raw = MAKERS[wire](_rich())
    whole = _curated(raw).as_json()
    for number, operation in enumerate(whole["operations"]):
        alone = _curated(raw, answer=json.dumps({"operations": [operation]}).encode())
        assert alone.as_json()["operations"] == [whole["operations"][number]]
        assert names_of(raw.decode()) <= names_of(_content(alone).decode()) | {SESSION.encode()}


def test_an_answer_of_somebody_else_is_carried_out_as_asked() -> None:
    """Names do not hold back what somebody wants gone, detector or not."""
    raw = claude_code(_rich())
    index = next(item.index for item in read_context(read_document(raw)).items if item.kind is Kind.RESULT)
    curated = _curated(raw, answer=_ops({"op": "prune_tool_results", "range": [index, index + 1]}))
    ((change,),) = (each.changes for each in curated.plan.operations)
    assert change.kept_lines == 0
    again = _curated(raw, answer=_fed_back(curated))
    assert _content(again) == _content(curated)


def test_what_a_detector_no_longer_sees_is_stale() -> None:
    """A plan stands as long as what it rests on does."""
    proposed = _curated(claude_code(TWICE)).as_json()
    grown = claude_code([*TWICE, say("More."), user("And more.")])
    assert not _codes(_curated(grown, answer=json.dumps(proposed).encode()))
    changed = claude_code([*TWICE[:3], bash("git status", lines(41)), *TAIL])
    assert _codes(_curated(changed, answer=json.dumps(proposed).encode())) == ["STALE_REVISION"]


@pytest.mark.parametrize("status", list(Status))
def test_what_is_under_review_stays_and_the_rest_is_done(status: Status) -> None:
    """A second run would not touch it either, so that it is no trouble."""
    raw = claude_code(
        [*TWICE[:2], bash("git log", lines(40, "step")), *TWICE[2:4], bash("git log", lines(40, "step")), *TAIL]
    )
    held = Protection(ranges=(Protected(start=2, end=3, status=status, memory="a.md"),))
    curated = _curated(raw, protect=lambda session: held if session == SESSION else Protection())
    touched = [change.item.index for each in curated.plan.operations for change in each.changes]
    assert touched == ([4] if status is Status.QUARANTINED else [2, 4])
    assert not _codes(curated)


def test_what_a_person_pinned_stays_in_the_second_look_too() -> None:
    """By its digest; the copy that stays is pinned as well."""
    raw = claude_code(
        [*TWICE[:2], bash("git log", lines(40, "step")), *TWICE[2:4], bash("git log", lines(40, "step")), *TAIL]
    )
    pinned = next(item for item in read_context(read_document(raw)).items if item.kind is Kind.RESULT)
    curated = _curated(raw, pinned=[pinned.digest])
    assert [change.item.index for each in curated.plan.operations for change in each.changes] == [4]


def test_an_answer_that_is_not_worth_it_is_refused() -> None:
    """By the terms of the wish."""
    assert _codes(_curated(claude_code(TWICE), terms=Terms(min_saving=10_000))) == ["BELOW_MIN_SAVING"]


def test_thoughts_behind_a_change_go_in_the_conversation_that_changed() -> None:
    """A sub-agent's change takes out a sub-agent's thoughts, the conversation's its own."""
    beats = [user("Begin."), bash("a", lines(40)), think("One."), bash("a", lines(40)), think("Two."), say("x"), *TAIL]
    records = [json.loads(line) for line in claude_code(beats, model="a-model-nobody-knows").splitlines()]
    aside = [json.loads(line) for line in claude_code(beats[:6], model="a-model-nobody-knows").splitlines()]
    for number, record in enumerate(aside):
        record |= {"isSidechain": True, "uuid": f"side-{number}", "parentUuid": None}
        for block in record["message"]["content"] if isinstance(record["message"]["content"], list) else ():
            block |= {key: f"side-{block[key]}" for key in ("id", "tool_use_id") if key in block}
        record["message"]["id"] = f"side-{number}"
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in [*aside, *records])
    curated = _curated(raw, thinking=Policy.STRIP)
    assert curated.plan.operations
    sides = {change.item.is_sidechain for each in curated.plan.operations for change in each.changes}
    left = read_context(read_document(_content(curated)))
    assert {item.is_sidechain for item in left.items if item.kind is Kind.THINKING} == {True, False} - sides


def test_a_value_that_cannot_be_written_refuses_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a refusal like any other, and no crash."""

    def fail(*_: Any, **__: Any) -> Any:
        raise SpliceError("there is no member 'x'")

    curated = _curated(claude_code(TWICE))
    with monkeypatch.context() as failing:
        failing.setattr(curation_module, "rewrite", fail)
        refused = _curated(claude_code(TWICE))
    assert _codes(refused) == ["REPLAY_DIFF"]
    assert (refused.revision, refused.plan.operations) == (curated.parent, ())


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda raw: raw.replace(b"Begin.", b"Begun."), "REPLAY_DIFF"),
        (lambda raw: raw.replace(b'"tool_use_id": "toolu_0003"', b'"tool_use_id": "toolu_0001"'), "SHAPE_"),
        (lambda raw: raw.replace(b"row aa of the log", b"row ab of the log", 1), "REPLAY_DIFF"),
        (lambda raw: b"\n".join(raw.split(b"\n")[:-3]), "REPLAY_DIFF"),
        (lambda raw: raw[:9], "REPLAY_DIFF"),
        (lambda raw: raw[:0], "REPLAY_DIFF"),
    ],
)
def test_bytes_that_say_something_else_refuse_all(monkeypatch: pytest.MonkeyPatch, spoil: Any, code: str) -> None:
    """Whatever went wrong on the way: the result is read again from its bytes before anybody believes it."""
    real = rewrite
    monkeypatch.setattr(
        curation_module, "rewrite", lambda *given, **more: iter((spoil(b"".join(real(*given, **more))),))
    )
    curated = _curated(claude_code(TWICE))
    assert len(_codes(curated)) == 1
    assert _codes(curated)[0].startswith(code)
    assert not curated.plan.operations


def test_a_request_whose_beginning_the_provider_holds_cannot_be_changed() -> None:
    """What stands before it is not here."""
    items = json.loads(MAKERS["openai-responses"](TWICE))
    raw = json.dumps({"previous_response_id": "resp_1", "input": items}).encode()
    assert _codes(_curated(raw)) == ["SHAPE_SERVER_HELD"]


def test_one_bad_line_costs_only_itself() -> None:
    """A record wrapped into a text shows a result that cannot be written; the others go."""
    beats = [*TWICE[:2], bash("git log", lines(40, "step")), *TWICE[2:4], bash("git log", lines(40, "step")), *TAIL]
    rows = claude_code(beats).splitlines()
    rows[2] = json.dumps(rows[2].decode()).encode()
    curated = _curated(b"\n".join(rows) + b"\n")
    assert [change.item.index for each in curated.plan.operations for change in each.changes] == [4]
    index = _ops({"op": "prune_tool_results", "range": [2, 3]})
    assert _codes(_curated(b"\n".join(rows) + b"\n", answer=index)) == ["OPAQUE_ITEM"]


def test_a_list_of_messages_is_proved_as_well() -> None:
    """Its provider's rules may be those of another than its form's."""
    raw = json.dumps({"model": "m", "messages": anthropic(TWICE)}).encode()
    curated = _curated(raw, provider="anthropic")
    assert json.loads(_content(curated))["model"] == "m"
    assert len(curated.plan.operations) == 1


def test_a_sub_agents_copy_is_no_newer_copy_of_the_conversations() -> None:
    """Its window is another one; what stands only there is not seen by the conversation."""
    records = [json.loads(line) for line in claude_code(TWICE).splitlines()]
    for record in records[4:6]:
        record["isSidechain"] = True
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    assert not _curated(raw).plan.operations
    assert len(_curated(claude_code(TWICE)).plan.operations) == 1
