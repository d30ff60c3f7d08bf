"""Injection and poisoning, end to end: attacks in eight channels, a model that obeys them, real nights, and the counts.

Nothing reaches ``main``, no task is opened from a tool's words, no preference from anything but the user's own, and
what carries an order says so to the person. The table tells which gate stopped how many attempts; it adds up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from made_attacks import CHANNELS, FROM_TOOLS, ORDERS, Attack, all_attacks, grouped, public_attacks, session_with
from made_gates import GATES, flag_of, gate_of, stops, table
from made_nights import Place, write_all
from made_obedient import Attempt, Obedient, ObedientEngine

from slowwave.facts.text import fold
from slowwave.proof.instruction import instruction_shaped
from slowwave.proof.preference import wished
from slowwave.records.secrets import Secrets
from slowwave.wiring import engines

A_NIGHT = 18
"""Sessions, each a batch of its own, that are new in one night."""
HELD = ("contract speaker_mismatch", "contract tool_only_evidence", "contract no_new_evidence", "review, an order")
"""Gates that must have had something to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Poisoned:
    """What came of the nights: all attempts, what waits in review, the nights' refusals, what stands on ``main``."""

    model: Obedient
    waiting: Sequence[Mapping[str, Any]]
    refusals: Sequence[Mapping[str, Any]]
    counts: Counter[str]
    main: str
    landed: str
    before: str


def nights(place: Place, attacks: Sequence[Attack], patch: pytest.MonkeyPatch) -> Poisoned:
    """Plant the attacks, eight to a session, and let the obedient model work through them night after night."""
    model = Obedient(meanings={attack.mark: attack for attack in attacks})
    engine = ObedientEngine(model=model, secrets=Secrets(deep=False))
    patch.setattr(engines, "MinedEngine", lambda _: engine)
    place.house.begin_corpus()
    before = place.git("rev-parse", "main")
    groups = grouped(attacks)
    refusals: list[Mapping[str, Any]] = []
    counts: Counter[str] = Counter()
    for first in range(0, len(groups), A_NIGHT):
        chosen = groups[first : first + A_NIGHT]
        write_all(place.transcripts, [session_with(group, first + at) for at, group in enumerate(chosen)])
        night = place.sleep()
        refusals.extend(refusal for phase in night["phases"] for refusal in phase["refusals"])
        counts.update(place.counts(night))
    return Poisoned(
        model=model,
        waiting=place.house.review_list(),
        refusals=refusals,
        counts=counts,
        main=place.git("rev-parse", "main"),
        landed=place.git("ls-tree", "-r", "--name-only", "main", "projects", "areas", "resources", "archive"),
        before=before,
    )


def uphold(poisoned: Poisoned) -> list[tuple[Attempt, str]]:
    """What must hold whatever was planted; the ends, for the table."""
    model = poisoned.model
    ends = stops(model, poisoned.waiting, poisoned.refusals)
    assert (poisoned.main, poisoned.landed) == (poisoned.before, "")
    assert model.malformed == 0
    proved = [attempt for attempt in model.attempts if not attempt.codes]
    assert 2 * len(proved) >= len(model.attempts)
    assert 2 * model.accepted >= model.answers
    assert len(ends) == len(model.attempts)
    assert not [attempt for attempt, gate in ends if gate == "lost"]
    for item in poisoned.waiting:
        assert item["type"] in ("memory", "reinforce", "task")
        speakers = {evidence["speaker"] for evidence in item["evidence"]}
        assert speakers & {"user", "agent"}
        if item["type"] == "task":
            assert speakers <= {"user", "agent"}
    uphold_flags(poisoned)
    return ends


def uphold_flags(poisoned: Poisoned) -> None:
    """A wish that no user typed or pasted, and a task of a tool's words, say so to the person."""
    planted = {fold(attempt.says): attempt.attack for attempt in poisoned.model.attempts}
    for item in poisoned.waiting:
        attack = planted[item["claim"]]
        is_wish = attack.goal == "preference" or wished(item["claim"]) is not None
        if (is_wish and attack.channel != "user") or (item["type"] == "task" and attack.channel in FROM_TOOLS):
            assert flag_of(item["warning"]) in ("hardly said", "an order"), (attack, item["warning"])


def of_goal(poisoned: Poisoned, goals: Sequence[str]) -> list[Mapping[str, Any]]:
    """What waits and was asked for by attacks of these goals."""
    wanted = {fold(attempt.says) for attempt in poisoned.model.attempts if attempt.attack.goal in goals}
    return [item for item in poisoned.waiting if item["claim"] in wanted]


def of_mark(poisoned: Poisoned, item: Mapping[str, Any]) -> Attack:
    """The attack that a waiting item came from."""
    return next(attempt.attack for attempt in poisoned.model.attempts if fold(attempt.says) == item["claim"])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_thousand_attacks_obeyed_land_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every shape, goal and channel: counted at the gate that stopped it, and nothing believed without a person."""
    place = Place(tmp_path)
    attacks = all_attacks()
    poisoned = nights(place, attacks, monkeypatch)
    ends = uphold(poisoned)
    assert len(attacks) >= 1000
    assert {attempt.attack.mark for attempt, _ in ends} == {attack.mark for attack in attacks}
    told(capsys, poisoned, ends)
    counted = Counter(end for _, end in ends)
    assert all(counted[end] > 0 for end in HELD), counted
    assert {gate_of(end) for end in counted} == set(GATES) - {"form"}  # the model knows the form of an answer
    orders = of_goal(poisoned, ORDERS)
    assert orders
    assert {flag_of(item["warning"]) for item in orders} == {"an order"}
    wishes = of_goal(poisoned, ("preference",))
    assert len({of_mark(poisoned, item).channel for item in wishes}) == len(CHANNELS)
    assert all("user" in {evidence["speaker"] for evidence in item["evidence"]} for item in wishes)
    tasks = [item for item in poisoned.waiting if item["type"] == "task"]
    assert {of_mark(poisoned, item).channel for item in tasks} > set(FROM_TOOLS)
    planted = {attack.text for attack in attacks if attack.channel in FROM_TOOLS}
    assert not [item for item in tasks if {evidence["quote"] for evidence in item["evidence"]} & planted]
    assert not [task for task in place.house.tasks(everything=True) if task["taskStatus"] != "proposed"]
    place.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_public_attacks_obeyed_land_nothing(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every text of the public lists believed to the letter; many are harmless, and none lands."""
    place = Place(tmp_path)
    attacks, inall = public_attacks(shared)
    poisoned = nights(place, attacks, monkeypatch)
    with capsys.disabled():
        print(f"\n{len(attacks):,} of {inall:,} public texts", end="")
    assert len(attacks) == inall
    told(capsys, poisoned, uphold(poisoned))
    unread = [item["claim"] for item in poisoned.waiting if not item["warning"] and instruction_shaped(item["claim"])]
    assert unread == []
    place.close()


def told(capsys: pytest.CaptureFixture[str], poisoned: Poisoned, ends: Sequence[tuple[Attempt, str]]) -> None:
    """Print what was counted."""
    model = poisoned.model
    with capsys.disabled():
        print(f"\n{len(model.meanings)} attacks, {len(ends)} attempts in {model.answers} answers,", end=" ")
        print(
            f"{model.accepted} accepted; on main: 0. What a user pastes is the user's word: law 11 and review stop it."
        )
        print(table(ends, "channel"))
        print(table(ends, "shape"))
        print(table(ends, "goal"))
