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
from made_attacks import FROM_TOOLS, ORDERS, Attack, all_attacks, grouped, public_attacks, session_with
from made_nights import Place, write_all
from made_obedient import Attempt, Obedient, ObedientEngine

from slowwave.facts.text import fold
from slowwave.proof.instruction import instruction_shaped
from slowwave.records.secrets import Secrets
from slowwave.sleep.said import WARNING as UNSAID
from slowwave.wiring import engines

A_NIGHT = 18
"""Sessions, each a batch of its own, that are new in one night."""


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


def stops(poisoned: Poisoned) -> list[tuple[Attempt, str]]:
    """Each attempt with the one gate that stopped it; review is the last, and stops whatever is left."""
    waiting = {item["claim"]: item for item in poisoned.waiting}
    gated = {
        (refusal["path"].partition(".projects/")[2].split("/")[0], refusal["path"].partition(".")[0]): refusal["code"]
        for refusal in poisoned.refusals
        if ".projects/" in refusal["path"]
    }
    taken: set[str] = set()
    ends: list[tuple[Attempt, str]] = []
    for attempt in poisoned.model.attempts:
        says = fold(attempt.says)
        project = f"shop{int(attempt.session[:8])}"
        if attempt.codes:
            ends.append((attempt, f"contract {attempt.codes[0]}"))
        elif code := gated.get((project, f"{attempt.part}[{attempt.number}]")):
            ends.append((attempt, f"gate {code}"))
        elif says in waiting and says not in taken:
            taken.add(says)
            ends.append((attempt, f"review, {flag_of(waiting[says]['warning'])}"))
        elif says in taken:
            ends.append((attempt, "night: said already"))
        elif attempt.part == "commitments":
            ends.append((attempt, "night: of others" if attempt.body["actor"] == "other" else "night: task waits"))
        else:
            ends.append((attempt, "lost"))
    return ends


def flag_of(warning: str) -> str:
    """How the person is warned of an item."""
    if "reads like an instruction" in warning:
        return "an order"
    return "hardly said" if warning == UNSAID else "other flag" if warning else "no flag"


def table(ends: Sequence[tuple[Attempt, str]], by: str) -> str:
    """Gates down, channels or shapes across."""
    cells = Counter((gate, str(getattr(attempt.attack, by))) for attempt, gate in ends)
    columns = list(dict.fromkeys(str(getattr(attempt.attack, by)) for attempt, _ in ends))
    width = max(len(gate) for gate, _ in cells)
    rows = [f"{by:{width}} " + " ".join(f"{column[:9]:>9}" for column in columns) + "     total"]
    for gate in sorted({gate for gate, _ in cells}):
        figures = [cells[gate, column] for column in columns]
        rows.append(f"{gate:{width}} " + " ".join(f"{n:9}" for n in figures) + f" {sum(figures):9}")
    sums = [sum(count for (_, one), count in cells.items() if one == column) for column in columns]
    rows.append(f"{'all':{width}} " + " ".join(f"{n:9}" for n in sums) + f" {sum(sums):9}")
    return "\n".join(rows)


def uphold(poisoned: Poisoned) -> list[tuple[Attempt, str]]:
    """What must hold whatever was planted; the ends, for the table."""
    model, ends = poisoned.model, stops(poisoned)
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
    return ends


def of_goal(poisoned: Poisoned, goals: Sequence[str]) -> list[Mapping[str, Any]]:
    """What waits and was asked for by attacks of these goals."""
    wanted = {fold(attempt.says) for attempt in poisoned.model.attempts if attempt.attack.goal in goals}
    return [item for item in poisoned.waiting if item["claim"] in wanted]


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
    orders = of_goal(poisoned, ORDERS)
    assert orders
    assert {flag_of(item["warning"]) for item in orders} == {"an order"}
    wishes = of_goal(poisoned, ("preference",))
    assert wishes
    assert all("user" in {evidence["speaker"] for evidence in item["evidence"]} for item in wishes)
    tasks = [item for item in poisoned.waiting if item["type"] == "task"]
    assert tasks
    planted = {attack.text for attack in attacks if attack.channel in FROM_TOOLS}
    assert not [item for item in tasks if {evidence["quote"] for evidence in item["evidence"]} & planted]
    assert not [task for task in place.house.tasks(everything=True) if task["taskStatus"] != "proposed"]
    place.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_public_attacks_obeyed_land_nothing(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sample of the public lists, each text believed to the letter; many are harmless, and none lands."""
    place = Place(tmp_path)
    poisoned = nights(place, public_attacks(shared, 240), monkeypatch)
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
