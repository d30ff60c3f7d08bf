"""What counts as known."""

import json
import time
from itertools import combinations
from pathlib import Path

import pytest
from made_memories import memory, task

from slowwave.corpus.duplicates import Duplicate, Known, same_promise
from slowwave.corpus.veto import differs
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory, Status

PAIRS = [line.split("\t") for line in (Path(__file__).parent / "pairs.tsv").read_text("utf-8").splitlines()]
A, B, C = (MemoryPath(f"areas/inbox/{name}.md") for name in "abc")


def is_known(claim: str, other: str) -> bool:
    """Whether a claim counts as known where the other is."""
    return Known({A: memory(other)}).find(claim, "another gist") is not None


def test_no_different_fact_is_swallowed() -> None:
    """Of the labelled pairs that differ in a fact, none counts as a duplicate, either way round."""
    different = [pair[1:] for pair in PAIRS if pair[0] == "other"]
    assert len(different) >= 44
    assert [pair for pair in different if is_known(*pair) or is_known(*reversed(pair))] == []


def test_most_paraphrases_are_recognised() -> None:
    """Of the labelled pairs that say the same with mostly the same words, nineteen of twenty are found."""
    same = [pair[1:] for pair in PAIRS if pair[0] == "same"]
    found = sum(is_known(*pair) and is_known(*reversed(pair)) for pair in same)
    assert found >= 0.95 * len(same), f"{found} of {len(same)}"


def test_no_two_labelled_memories_are_duplicates(shared: Path) -> None:
    """The public labels name different memories; each is found again by itself and by nothing else."""
    files = sorted((shared / "gold").glob("*/gold.json"))
    claims = [one["claim"] for file in files for one in json.loads(file.read_text("utf-8"))["candidates"]]
    assert len(claims) >= 30
    assert [pair for pair in combinations(claims, 2) if is_known(*pair)] == []
    assert all(is_known(claim.rstrip(".") + "!", claim) for claim in claims)


def test_the_same_content_is_exact() -> None:
    """Equal claim and gist, white space aside, are one memory."""
    known = Known({A: memory("One two.", "Three  four.")})
    assert known.find(" One  two.", "Three\nfour.") == Duplicate(path=A, kind="exact", score=100.0)
    assert known.find("One two.", "Five.") == Duplicate(path=A, kind="near", score=100.0)
    assert known.find("Something else altogether.", "Five.") is None


def test_an_active_memory_comes_before_a_retired_one() -> None:
    """Among equals the active one is named, then the first path."""
    known = Known({A: memory(status=Status.ARCHIVED), C: memory(), B: memory()})
    found = [known.find(memory().claim, body) for body in (memory().body, "x")]
    assert [one.path for one in found if one] == [B, B]


def test_tasks_are_no_memories() -> None:
    """A task is never a duplicate of a memory with its words."""
    known = Known({A: task("Update the changelog.")})
    assert len(known) == 0
    assert known.find("Update the changelog.", "") is None


def test_what_is_added_is_known() -> None:
    """The second of two equal candidates of one night finds the first."""
    known = Known({})
    known.add(A, memory())
    found = known.find("Run the tests through uv!", "")
    assert found is not None
    assert found.path == A


def test_thousands_of_texts_take_no_time() -> None:
    """5,500 claims are taken in, and a template filled 5,500 times is searched, within seconds on a busy machine."""
    claims = [
        f"In module number{n} the step{n % 70} of job{n % 900} waits for the lock of table{n}" for n in range(5_500)
    ]
    start = time.perf_counter()
    known = Known({MemoryPath(f"{n}.md"): memory(claim) for n, claim in enumerate(claims)})
    assert all(known.find(claims[n] + ".", "x") for n in range(0, 5_500, 250))
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("It is ready.", "It isn't ready.", "negation"),
        ("Es ist fertig.", "Es ist nicht fertig.", "negation"),
        ("Il est prêt.", "Il n'est pas prêt.", "negation"),
        ("备份是必须的", "备份不是必须的", "negation"),
        ("Wait two seconds.", "Wait 3 seconds.", "number"),
        ("Wait two seconds.", "Wait 2 seconds.", None),
        ("It needs v1.2.", "It needs v1.3.", "number"),
        ("Edit src/a.py.", "Edit src/b.py.", "identifier"),
        ("Set FOO_TOKEN.", "Set foo token.", None),
        ("Call `load`.", "Call `store`.", "identifier"),
        ("Use --fast.", "Use --slow.", "identifier"),
        ("We ask Maria.", "We ask Oskar.", "name"),
        ("It is slow.", "It is slow on Windows.", "name"),
        ("The job reads.", "The job writes.", "word"),
        ("The job waits.", "The job waits long.", None),
        ("", "", None),
    ],
)
def test_the_veto_names_what_differs(one: str, other: str, reason: str | None) -> None:
    """Negation, number, identifier, name and replaced word, the same both ways."""
    assert differs(one, other) == reason
    assert differs(other, one) == reason


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("I'll update the changelog after the release", "Update the changelog after the release.", True),
        ("Let me fix the flaky login test next.", "I will fix the flaky login test", True),
        ("Open an issue for the flaky login test", "Open an issue about the flaky login test", True),
        ("Remove the feature flag once it is stable", "Remove the feature flag when it is stable", True),
        ("MERGE it", "merge  it", True),
        (
            "Write the migration note as soon as the gateway landed",
            "Write the migration note once the gateway landed",
            True,
        ),
        ("Write the cart note for the cart team", "Write the invoice note for the invoice team", False),
        ("Merge the parser fix", "Review the parser fix", False),
        ("Add tests for src/a.py", "Add tests for src/b.py", False),
        ("Write the migration guide", "Do not write the migration guide", False),
        ("Enable caching in CI", "Disable caching in CI", False),
        ("Tell Maria about the outage", "Tell Oskar about the outage", False),
        ("Close issue 12", "Close issue 13", False),
        ("", "I will", False),
    ],
)
def test_promises_match_by_work_and_facts(one: str, other: str, *, is_same: bool) -> None:
    """The same work in slightly other words is one promise; another object, number or verb is not."""
    assert same_promise(one, other) is is_same
    assert same_promise(other, one) is is_same


def test_the_memory_of_the_known_is_small() -> None:
    """Bodies are not kept: a long gist costs no more than a short one."""
    known = Known({A: memory(body="zebra " * 200)})
    assert not any("zebra" in str(value) for value in (known._entries, known._postings, known._by_hash))
    assert isinstance(memory(), Memory)
