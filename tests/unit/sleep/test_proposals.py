"""Proposals: where each proved candidate goes."""

from collections.abc import Mapping
from dataclasses import replace

from made_sleep import NOW, lenient, made_evidence, made_memory, proved_candidate, strict

from slowwave.corpus.duplicates import Known
from slowwave.corpus.format import render
from slowwave.corpus.paths import Taken
from slowwave.facts.action import PutMemory, Reinforce
from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory
from slowwave.facts.text import fold, normal
from slowwave.sleep.proposals import Surroundings, memory_item, propose_memories

CLAIM = "Tests of the importer need the fixture server on port 8099."
PATH = MemoryPath("projects/shop/importer.md")
TWO = (made_evidence("s-1", "r1"), made_evidence("s-2", "r2"))


def never(session: str, claim: str) -> bool:
    """No memory of ours was shown anywhere."""
    del session, claim
    return False


def around(memories: Mapping[MemoryPath, Memory] | None = None) -> Surroundings:
    """Surroundings with some memories and nothing decided."""
    held = dict(memories or {})
    return Surroundings(
        moment=NOW,
        engine="mined/1",
        project="shop",
        memories=held,
        content=lambda path: render(held[path]) if path in held else None,
        known=Known(held),
        taken=Taken(held),
        items=frozenset(),
        rejected={},
        recalled=never,
        gate=lenient,
    )


def test_a_new_candidate_becomes_a_memory_of_its_project() -> None:
    """It is placed below its project, with its sessions, and the confidence that its evidence gives."""
    made = propose_memories([proved_candidate(CLAIM, *TWO)], around())
    (action,) = made.actions
    assert isinstance(action, PutMemory)
    assert action.path.startswith("projects/shop/")
    assert action.memory.sessions == ("s-1", "s-2")
    assert action.memory.confidence == 0.55
    assert action.evidence == TWO
    assert made.counts == {"written": 1}


def test_an_exact_duplicate_with_the_same_sessions_is_known() -> None:
    """What the corpus holds, from sessions it names, adds nothing."""
    made = propose_memories(
        [proved_candidate(CLAIM, *TWO)], around({PATH: made_memory(CLAIM, sessions=("s-1", "s-2"))})
    )
    assert (made.actions, made.counts) == ((), {"known": 1})


def test_an_exact_duplicate_from_a_new_session_confirms() -> None:
    """A new session is added, confidence and count rise, the claim stays."""
    before = made_memory(CLAIM, sessions=("s-1",), seen=2, confidence=0.5)
    made = propose_memories([proved_candidate(CLAIM, *TWO)], around({PATH: before}))
    (action,) = made.actions
    assert isinstance(action, Reinforce)
    assert action.path == PATH
    assert action.memory == replace(before, sessions=("s-1", "s-2"), seen_count=3, confidence=0.55, last_seen=NOW)
    assert made.counts == {"reinforced": 1}


def test_a_near_duplicate_confirms_too() -> None:
    """Other words for the same fact confirm the memory there is."""
    reworded = "The tests of the importer need the fixture server on port 8099."
    made = propose_memories([proved_candidate(reworded, *TWO)], around({PATH: made_memory(CLAIM)}))
    assert [type(action) for action in made.actions] == [Reinforce]


def test_another_number_is_another_memory() -> None:
    """A claim that differs in a number is new, however alike the rest."""
    other = CLAIM.replace("8099", "9099")
    made = propose_memories([proved_candidate(other, *TWO)], around({PATH: made_memory(CLAIM)}))
    assert [type(action) for action in made.actions] == [PutMemory]


def test_a_session_that_was_shown_the_memory_is_no_witness() -> None:
    """Where our memory was injected the session repeats it; alone it confirms nothing."""
    told = replace(around({PATH: made_memory(CLAIM, sessions=())}), recalled=lambda *_: True)
    made = propose_memories([proved_candidate(CLAIM, *TWO)], told)
    assert (made.actions, made.counts) == ((), {"self_reinforcement": 1})


def test_only_the_sessions_that_were_not_shown_it_confirm() -> None:
    """Of two sessions one was shown the memory: the other is added, and only its quotes are evidence."""
    told = replace(around({PATH: made_memory(CLAIM, sessions=())}), recalled=lambda session, _: session == "s-1")
    (action,) = propose_memories([proved_candidate(CLAIM, *TWO)], told).actions
    assert isinstance(action, Reinforce)
    assert action.memory.sessions == ("s-2",)
    assert [one.session_id for one in action.evidence] == ["s-2"]


def test_a_rejected_claim_needs_new_evidence() -> None:
    """The same claim over rejected records stays away; one more record brings it back."""
    rejected = {normal(fold(CLAIM)): frozenset({"r1", "r2"})}
    decided = replace(around(), rejected=rejected)
    assert propose_memories([proved_candidate(CLAIM, *TWO)], decided).counts == {"rejected_before": 1}
    more = proved_candidate(CLAIM, TWO[0], made_evidence("s-3", "r3"))
    assert propose_memories([more], replace(around(), rejected=rejected)).counts == {"written": 1}


def test_an_item_that_was_proposed_before_is_not_proposed_again() -> None:
    """The id of claim and records recognises it, whatever became of it."""
    one = proved_candidate(CLAIM, *TWO)
    known = replace(around(), items=frozenset({memory_item(one)}))
    assert propose_memories([one], known).counts == {"already_proposed": 1}


def test_the_item_id_does_not_depend_on_the_order_of_quotes() -> None:
    """The same claim over the same records is the same item."""
    assert memory_item(proved_candidate(CLAIM, *TWO)) == memory_item(proved_candidate(f" {CLAIM}", *TWO[::-1]))
    assert memory_item(proved_candidate(CLAIM, *TWO)) != memory_item(proved_candidate(CLAIM + "!", *TWO))


def test_what_the_gate_refuses_is_left_out_with_its_reason() -> None:
    """A refused file costs itself; its refusal names the candidate it came from."""
    made = propose_memories([proved_candidate(CLAIM, *TWO)], replace(around(), gate=strict))
    assert (made.actions, made.counts) == ((), {"refused_by_gate": 1})
    assert made.refusals[0].code == "raw_html"
    assert made.refusals[0].path.startswith("candidates[0].projects/shop/")


def test_candidates_of_one_answer_see_each_other() -> None:
    """The second of two equal claims confirms the first instead of standing beside it."""
    later = proved_candidate(CLAIM, made_evidence("s-3", "r3"), made_evidence("s-4", "r4"))
    made = propose_memories([proved_candidate(CLAIM, *TWO), later], around())
    assert [type(action) for action in made.actions] == [PutMemory, Reinforce]
    assert made.actions[1].path == made.actions[0].path
    assert made.actions[1].memory.sessions == ("s-1", "s-2", "s-3", "s-4")


def test_the_counts_add_up_to_the_candidates() -> None:
    """Every candidate is in exactly one count."""
    held = {PATH: made_memory(CLAIM, sessions=("s-1", "s-2"))}
    person = made_evidence("s-9", "r9", speaker=Speaker.USER)
    candidates = [
        proved_candidate(CLAIM, *TWO),
        proved_candidate("Deploys of the shop wait for the nightly backup.", *TWO),
        proved_candidate("Deploys of the shop wait for the nightly backup.", person, TWO[0]),
        proved_candidate("The cart rounds half up.", *TWO),
    ]
    made = propose_memories(candidates, around(held))
    assert sum(made.counts.values()) == len(candidates)
    assert made.counts == {"known": 1, "written": 2, "reinforced": 1}


def test_planning_twice_plans_the_same() -> None:
    """The same answer over the same corpus plans the same actions."""
    candidates = [proved_candidate(CLAIM, *TWO), proved_candidate("The cart rounds half up.", *TWO)]
    assert propose_memories(candidates, around()) == propose_memories(candidates, around())
