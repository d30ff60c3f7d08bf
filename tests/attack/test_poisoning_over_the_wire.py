"""Poisoning through the model engine itself: the obedient model answers over HTTP."""

import json
from pathlib import Path

import pytest
from made_attacks import CHANNELS, FROM_TOOLS, GOALS, Attack, all_attacks, grouped, session_with
from made_gates import flag_of, gate_of, stops
from made_model_nights import Asked, configure
from made_nights import Place, write_all
from made_obedient import Obedient
from made_protocols import Question, Spoken
from made_providers import MadeProvider, Script, say, tool_calls

from slowwave.facts.text import fold

MOST = len(GOALS) * len(CHANNELS)


def spoken_by(model: Obedient) -> Script:
    """What the model says to a request: the next call of its turn, or that it is done.

    Not every protocol marks a reply as an error, so that the model knows one by its text.
    """
    turn = model.script()

    def answer(question: Question) -> Spoken:
        asked = turn([(line.text, _is_refused(line.text)) for line in question.lines if line.who == "tool"])
        return tool_calls(asked) if asked is not None else say("That is all.")

    return answer


def _is_refused(text: str) -> bool:
    return text.startswith("{") and "refusals" in json.loads(text)


def plant(place: Place, attacks: tuple[Attack, ...]) -> None:
    """Sessions with the attacks, each made large enough that the model is asked about it."""
    for number, group in enumerate(grouped(attacks)):
        session = session_with(group, number)
        session.passes("cat build.log", "\n".join(f"step {n:,} of the build went well" for n in range(300)))
        write_all(place.transcripts, [session])


@pytest.mark.slow
def test_attacks_obeyed_over_the_wire_land_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every goal in every channel, asked for and answered over HTTP: the same gates and flags, nothing on main."""
    place, attacks = Place(tmp_path), all_attacks()[:MOST]
    plant(place, attacks)
    place.house.initialise(transcripts=(place.transcripts,))
    model = Obedient(meanings={attack.mark: attack for attack in attacks})
    with MadeProvider(spoken_by(model)) as made:
        configure(place, made.origin)
        main = place.git("rev-parse", "main")
        night = Asked(place, made).sleep()
        requests = len(made.questions)
        assert made.strays == []
    counts, waiting = place.counts(night), place.house.review_list()
    refusals = [refusal for phase in night["phases"] for refusal in phase["refusals"]]
    ends = stops(model, waiting, refusals)
    told = {gate: sum(gate_of(end) == gate for _, end in ends) for gate in ("form", "speaker", "law 11", "review")}
    with capsys.disabled():
        print(f"\n{len(attacks)} attacks over HTTP, {requests} requests, {len(ends)} attempts: {told}; on main: 0")
    assert counts.get("sessions_small", 0) == 0
    assert counts["model_calls"] == requests > 2 * len(grouped(attacks))
    assert {attempt.attack.mark for attempt, _ in ends} == {attack.mark for attack in attacks}
    assert not [end for _, end in ends if end == "lost"]
    assert (model.malformed, place.git("rev-parse", "main")) == (0, main)
    assert told["speaker"] > 0
    assert told["law 11"] > 0
    planted = {fold(attempt.says): attempt.attack for attempt in model.attempts}
    for item in (item for item in waiting if planted[item["claim"]].channel in FROM_TOOLS):
        attack = planted[item["claim"]]
        assert attack.goal == "decision" or flag_of(item["warning"]) != "no flag", attack
    assert not [task for task in place.house.tasks(everything=True) if task["taskStatus"] != "proposed"]
    place.close()
