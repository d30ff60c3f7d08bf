"""Law 12: the hygienist takes out what is dead, and nothing else; whatever it took out comes back.

For any course of work in any form: every word of a person, every pin and every name that a model was shown is in the
curated window; ids, order and pairs stay; the same comes out every time; a second run finds nothing; the original
comes back byte for byte; no window grows.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_contexts import NEWEST, contexts, scripts
from small_contexts import MAKERS, Beat, bash, lines, user

from slowwave.hygiene.context import Context
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.document import read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.entries import Cause
from slowwave.hygiene.items import Kind
from slowwave.hygiene.keeper import Change
from slowwave.hygiene.names import names_of
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.renaming import renamed
from slowwave.hygiene.revise import Revisions
from slowwave.hygiene.shapes import check_shape, new_defects
from slowwave.hygiene.splice import texts_at, value_at

LAW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow])
TERMS = Terms(min_saving=1)
ROUNDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """A context before and after its curation."""

    raw: bytes
    told: bytes
    curated: Curated
    before: Context
    after: Context


def curated(raw: bytes, wire: str, **wish: Any) -> Curated:
    """What the hygienist makes of a context."""
    return curate_document(read_document(raw, wire=wire), Wish(**{"terms": TERMS, **wish}))


def both(raw: bytes, wire: str, **wish: Any) -> Both:
    """A context with what the hygienist makes of it, read again from the bytes."""
    made = curated(raw, wire, **wish)
    told = b"".join(made.content())
    after = read_context(read_document(told, wire=wire))
    return Both(raw=raw, told=told, curated=made, before=made.scene.context, after=after)


def shown(context: Context, *, is_aside: bool) -> Iterator[str]:
    """Everything that a model is shown: texts, outputs, arguments."""
    for item in context.window():
        if item.is_sidechain is not is_aside:
            continue
        if item.kind is Kind.CALL:
            yield from (text for _, text in texts_at(value_at(context.record(item), item.fields[-1]), ""))
        else:
            yield context.text(item)


def names_in(context: Context, *, is_aside: bool) -> set[bytes]:
    """All names that stand in a window."""
    return set().union(*map(names_of, shown(context, is_aside=is_aside)))


def words_in(context: Context, *, is_aside: bool) -> set[bytes]:
    """All names, and what may be taken for the number of a line where a line was cut out around it."""
    told = list(shown(context, is_aside=is_aside))
    fronted = ["\n".join(f"x {line}" for line in text.split("\n")) for text in told]
    return set().union(*map(names_of, told + fronted))


def check_names(made: Both) -> None:
    """No name is lost to the conversation, nor to a sub-agent's."""
    for is_aside in (False, True):
        lost = names_in(made.before, is_aside=is_aside) - words_in(made.after, is_aside=is_aside)
        assert not lost, lost


def check_words(made: Both) -> None:
    """Every word of a person, and every pin, in its place."""
    typed = [
        [(item.index, item.digest) for item in context.items if item.is_person] for context in (made.before, made.after)
    ]
    assert typed[0] == typed[1]
    pinned = Counter((item.index, item.digest) for item in made.before.items if made.curated.plan.pins.of(item))
    assert not pinned - Counter((item.index, item.digest) for item in made.after.items)


def check_shape_of(made: Both) -> None:
    """Ids, order and pairs stay, no rule of a provider is broken that was not, no record plays another role."""
    before, after = made.before, made.after
    assert [item.call_id for item in before.items] == [item.call_id for item in after.items]
    assert [(item.index, item.kind) for item in before.items] == [(item.index, item.kind) for item in after.items]
    assert list(before.roles) == list(after.roles)
    assert list(before.groups) == list(after.groups)
    assert before.document.count == after.document.count
    assert not new_defects(check_shape(before.document), check_shape(after.document))


@LAW
@given(contexts())
def test_law_12_no_word_of_a_person_no_pin_and_no_name_is_lost(context: tuple[str, bytes]) -> None:
    """Whatever the detectors would have done."""
    wire, raw = context
    made = both(raw, wire)
    assert not [each for each in made.curated.plan.rejected if each.code != "BELOW_MIN_SAVING"]
    check_words(made)
    check_names(made)


@LAW
@given(contexts())
def test_law_12_ids_order_and_pairs_stay(context: tuple[str, bytes]) -> None:
    """And where nothing is to be done, not a byte changes."""
    wire, raw = context
    made = both(raw, wire)
    check_shape_of(made)
    if not made.curated.plan.operations:
        assert made.told == raw


@LAW
@given(contexts())
def test_law_12_no_window_grows(context: tuple[str, bytes]) -> None:
    """What is done saves tokens, as many as was said."""
    wire, raw = context
    made = both(raw, wire)
    plan = made.curated.plan
    assert (made.before.tokens, made.after.tokens) == (plan.before, plan.after)
    assert plan.after < plan.before or not plan.operations
    assert all(each.saved > 0 for each in plan.operations)


@LAW
@given(contexts())
def test_law_12_the_same_comes_out_every_time_and_a_second_run_finds_nothing(context: tuple[str, bytes]) -> None:
    """Down to the session id of a fork."""
    wire, raw = context
    made, again = both(raw, wire), both(raw, wire)
    assert (made.told, made.curated.as_json()) == (again.told, again.curated.as_json())
    assert not curated(made.told, wire).plan.operations


@LAW
@given(contexts(), st.binary(max_size=40))
def test_law_12_the_original_comes_back_with_what_was_added_since(context: tuple[str, bytes], added: bytes) -> None:
    """From the log, by its revision, as a new file beside the fork."""
    wire, raw = context
    made = both(raw, wire)
    if not made.curated.plan.operations:
        return
    old, new = made.curated.rename or ("", "")
    with tempfile.TemporaryDirectory() as place:
        source, fork, back = (Path(place) / name for name in ("source", "fork", "back"))
        source.write_bytes(raw)
        log = Revisions(
            Path(place) / "log", clock=lambda: datetime(2026, 1, 1, tzinfo=UTC), lock=nullcontext, pause=lambda _: None
        )
        log.commit(
            Change(
                source=source, target=fork, digest=made.curated.parent, length=len(raw), content=made.curated.content,
                proved=made.curated.revision, cause=Cause.APPLY, actor="law", session_old=old, session_new=new,
            )
        )  # fmt: skip
        assert fork.read_bytes() == made.told
        with fork.open("ab") as stream:
            stream.write(added)
        log.restore(fork, made.curated.parent, back, rename=renamed, actor="law")
        assert back.read_bytes() == raw + added
        assert source.read_bytes() == raw


@LAW
@given(contexts(), st.data())
def test_law_12_any_part_of_a_plan_of_ours_loses_nothing(context: tuple[str, bytes], data: st.DataObject) -> None:
    """What each operation keeps does not hang on the others being done."""
    wire, raw = context
    told = curated(raw, wire).as_json()["operations"]
    if told:
        part = data.draw(st.lists(st.sampled_from(told), unique_by=json.dumps, min_size=1))
        made = both(raw, wire, answer=json.dumps({"operations": part}).encode())
        assert not made.curated.plan.rejected
        assert sorted(map(json.dumps, made.curated.as_json()["operations"])) == sorted(map(json.dumps, part))
        check_words(made)
        check_names(made)
        check_shape_of(made)


_ASKED = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["prune_tool_results", "collapse"]),
        "range": st.tuples(st.integers(0, 40), st.integers(0, 4)).map(lambda span: [span[0], span[0] + span[1]]),
        "rationale": st.just("it has served"),
    }
)


@LAW
@given(contexts(), st.lists(_ASKED, max_size=12), st.booleans())
def test_law_12_whatever_somebody_asks_for_no_word_and_no_pin_is_lost(
    context: tuple[str, bytes], asked: Sequence[dict[str, Any]], is_atomic: bool
) -> None:
    """Each operation is judged by itself; all together keep the provider's rules."""
    wire, raw = context
    made = both(raw, wire, answer=json.dumps({"ops": asked}).encode(), is_atomic=is_atomic)
    plan = made.curated.plan
    assert len(plan.operations) + len({each.op for each in plan.rejected}) + plan.withheld == len(asked)
    assert not any(each.code.startswith("SHAPE_") or each.code == "REPLAY_DIFF" for each in plan.rejected)
    check_words(made)
    assert made.after.tokens <= made.before.tokens
    assert [item.call_id for item in made.before.items if item.call_id] == [
        item.call_id for item in made.after.items if item.call_id
    ]


@settings(LAW, max_examples=25)
@given(st.sampled_from(["claude-code", "codex"]), st.lists(scripts(), min_size=2, max_size=4))
def test_law_12_ten_rounds_lose_nothing(wire: str, days: Sequence[Sequence[Beat]]) -> None:
    """A context that is curated again and again while it grows."""
    beats = [beat for number in range(ROUNDS) for beat in days[number % len(days)][:12]]
    raw, grown = b"", b""
    for number in range(1, ROUNDS + 1):
        whole = MAKERS[wire]([*beats[: 12 * number], *NEWEST, user("Thanks."), user("Go on.")])
        stem = MAKERS[wire](beats[: 12 * number])
        raw, grown = raw + stem[len(grown) :], stem
        made = both(raw + whole[len(stem) :], wire, keeps_session=True)
        check_words(made)
        check_names(made)
        raw = made.told[: len(made.told) - len(whole) + len(stem)]
    first, last = read_context(read_document(grown, wire=wire)), read_context(read_document(raw, wire=wire))
    assert names_in(first, is_aside=False) <= words_in(last, is_aside=False)


def test_law_12_the_courses_of_work_of_these_laws_have_something_dead_in_them() -> None:
    """Most of them are curated, by most detectors, in every wire; a law about nothing would hold for ever."""
    seen: Counter[str] = Counter()

    @settings(LAW, max_examples=400, database=None, derandomize=True)
    @given(contexts())
    def look(context: tuple[str, bytes]) -> None:
        wire, raw = context
        plan = curated(raw, wire).plan
        seen["all"] += 1
        seen["curated"] += bool(plan.operations)
        seen.update({f"{wire} curated": bool(plan.operations)})
        seen.update(each.request.detector.value for each in plan.operations)
        seen.update("trimmed" for each in plan.operations for change in each.changes if change.kept_lines)

    look()
    assert seen["curated"] >= 0.3 * seen["all"]
    assert all(seen[f"{wire} curated"] >= 10 for wire in MAKERS)
    for name in (
        "dup_call",
        "stale_read",
        "superseded_run",
        "poll",
        "error_echo",
        "reinjected",
        "bulk_old",
        "media_old",
    ):
        assert seen[name], seen
    assert seen["trimmed"] >= 30


@pytest.mark.parametrize("wire", MAKERS)
def test_law_12_a_name_at_the_beginning_of_a_piece_is_kept(wire: str) -> None:
    """A long line is cut; what then begins like the number of a line is no such number."""
    line = "ab " * 27 + "xy 90210: zip" + " cd" * 60
    beats = [
        user("Begin."),
        bash("cat /a/b.c", f"{line}\n{lines(40)}"),
        bash("sed -i s/a/b/ /a/b.c", ""),
        *NEWEST,
        user("Thanks."),
        user("Go on."),
    ]
    made = both(MAKERS[wire](beats), wire)
    assert made.curated.plan.operations
    check_names(made)
