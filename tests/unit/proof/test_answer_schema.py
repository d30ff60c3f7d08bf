"""The closed form of an answer: every fault of form is ``schema``, with its path, all together."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from made_transcripts import answer, candidate, commitment

from slowwave.facts.answer import Answer
from slowwave.facts.limits import MOST_ANSWER_BYTES, MOST_FAULTS
from slowwave.facts.memory import Kind
from slowwave.proof.answer_schema import parse_answer
from slowwave.proof.json_text import BadJsonError, read_json

TWO = (("s-1", "the first quote here"), ("s-2", "the second quote here"))


def faults(raw: bytes) -> list[str]:
    """Paths of the faults of form; none for a well-formed answer."""
    parsed = parse_answer(raw)
    if isinstance(parsed, Answer):
        return []
    assert all(fault.code == "schema" and fault.message.endswith(".") for fault in parsed)
    return [fault.path for fault in parsed]


def one(**changes: Any) -> bytes:
    """An answer with one candidate."""
    return answer(candidates=[candidate(*TWO, **changes)])


def promise(**changes: Any) -> bytes:
    """An answer with one commitment."""
    return answer(commitments=[commitment("s-1", "I will do that soon", **changes)])


def test_a_whole_answer_is_parsed() -> None:
    """Every field arrives in its place; entity types are lower case, a repeated session is kept for the contract."""
    raw = answer(
        candidates=[candidate(*TWO)], commitments=[commitment("s-1", "I will", dueHint=None)], read=["s-1", "s-1"]
    )
    parsed = parse_answer(raw)
    assert isinstance(parsed, Answer)
    assert parsed.candidates[0].kind is Kind.SEMANTIC
    assert [quote.session_id for quote in parsed.candidates[0].evidence] == ["s-1", "s-2"]
    assert str(parsed.candidates[0].entities[0]) == "concept:fixture server"
    assert parsed.commitments[0].due_hint is None
    assert parsed.commitments[0].confidence == 0.9
    assert parsed.read_session_ids == ("s-1", "s-1")


@pytest.mark.parametrize(
    ("raw", "paths"),
    [
        (b"", ["answer"]),
        (b"no json", ["answer"]),
        (b"[]", ["answer"]),
        (b"null", ["answer"]),
        (b"{} {}", ["answer"]),
        (b'Here it is: {"candidates": []}', ["answer"]),
        (b"{'candidates': []}", ["answer"]),
        (b'{"candidates": [], "commitments": [], "readSessionIds": [],}', ["answer"]),
        (b"{}", ["candidates", "commitments", "readSessionIds"]),
        (b'{"data": {"candidates": []}}', ["data", "candidates", "commitments", "readSessionIds"]),
        (b'{"candidates": [], "commitments": [], "readSessionIds": [], "note": 1}', ["note"]),
        (b'{"candidates": [], "candidates": [], "commitments": [], "readSessionIds": []}', ["candidates"]),
        (
            b'{"candidates": {}, "commitments": null, "readSessionIds": "s"}',
            ["candidates", "commitments", "readSessionIds"],
        ),
        (b'{"candidates": [1], "commitments": ["x"], "readSessionIds": [2, null]}', None),
        (answer().decode().encode("utf-16"), ["answer"]),
        (answer().decode().encode("utf-32"), ["answer"]),
        (b"\xff\xfe\x00", ["answer"]),
        (answer() + b"\x00", ["answer"]),
        (b'{"candidates": [], "commitments": [], "readSessionIds": ["\xed\xa0\x80"]}', ["answer"]),
        (b'{"candidates": [], "commitments": [], "readSessionIds": ["\\ud800"]}', ["readSessionIds[0]"]),
        (b"[" * 100_000, ["answer"]),
        (b'{"candidates":' * 70 + b"1" + b"}" * 70, ["answer"]),
        (b" " * (MOST_ANSWER_BYTES + 1), ["answer"]),
        (b'{"candidates": [], "commitments": [], "readSessionIds": [' + b"9" * 5_000 + b"]}", ["answer"]),
    ],
)
def test_what_is_no_answer_is_refused(raw: bytes, paths: list[str] | None) -> None:
    """Broken, wrapped, foreign or bottomless input ends in ``schema``, never in an error."""
    found = faults(raw)
    assert found
    assert paths is None or found == paths


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"kind": "arc"}, ".kind"),
        ({"kind": "Semantic"}, ".kind"),
        ({"kind": None}, ".kind"),
        ({"kind": ["semantic"]}, ".kind"),
        ({"claim": ""}, ".claim"),
        ({"claim": " \n\u2003"}, ".claim"),
        ({"claim": "x" * 301}, ".claim"),
        ({"claim": 7}, ".claim"),
        ({"claim": "half \ud83d"}, ".claim"),
        ({"gist": "y" * 1_501}, ".gist"),
        ({"gist": ""}, ".gist"),
        ({"gist": None}, ".gist"),
        ({"entities": None}, ".entities"),
        ({"entities": [{"type": "file", "name": "a"}] * 21}, ".entities"),
        ({"entities": ["file:a"]}, ".entities[0]"),
        ({"entities": [{"type": "file"}]}, ".entities[0].name"),
        ({"entities": [{"type": " ", "name": "a"}]}, ".entities[0].type"),
        ({"entities": [{"type": "file", "name": "a", "role": "b"}]}, ".entities[0].role"),
        ({"evidence": {"sessionId": "s-1", "quote": "one object"}}, ".evidence"),
        ({"evidence": ["a quote"]}, ".evidence[0]"),
        ({"evidence": [{"sessionId": "s-1"}]}, ".evidence[0].quote"),
        ({"evidence": [{"sessionId": "s-1", "quote": ""}]}, ".evidence[0].quote"),
        ({"evidence": [{"sessionId": "s-1", "quote": " \t "}]}, ".evidence[0].quote"),
        ({"evidence": [{"sessionId": "s-1", "quote": "q" * 601}]}, ".evidence[0].quote"),
        ({"evidence": [{"sessionId": 1, "quote": "fine words"}]}, ".evidence[0].sessionId"),
        ({"evidence": [{"sessionId": "s-1", "quote": "fine words", "line": 3}]}, ".evidence[0].line"),
        ({"confidence": 0.9}, ".confidence"),
        ({"path\u202e/../x": 1}, ".?"),
    ],
)
def test_a_faulty_candidate_names_its_fault(changes: dict[str, Any], path: str) -> None:
    """One fault, one path; an unknown key that is no plain word is not repeated."""
    assert faults(one(**changes)) == [f"candidates[0]{path}"]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"actor": "agents"}, ".actor"),
        ({"statement": "z" * 301}, ".statement"),
        ({"evidence": [{"sessionId": "s-1", "quote": "a list of one"}]}, ".evidence"),
        ({"evidence": None}, ".evidence"),
        ({"confidence": True}, ".confidence"),
        ({"confidence": "0.9"}, ".confidence"),
        ({"confidence": 1.01}, ".confidence"),
        ({"confidence": -0.1}, ".confidence"),
        ({"confidence": None}, ".confidence"),
        ({"resolved": 0}, ".resolved"),
        ({"resolved": "false"}, ".resolved"),
        ({"resolved": None}, ".resolved"),
        ({"dueHint": "tomorrow"}, ".dueHint"),
        ({"dueHint": "2026-02-30"}, ".dueHint"),
        ({"dueHint": "20260820"}, ".dueHint"),
        ({"dueHint": "2026-W34-4"}, ".dueHint"),
        ({"dueHint": "2026-08-20T10:00:00Z"}, ".dueHint"),
        ({"dueHint": "0000-01-01"}, ".dueHint"),
        ({"dueHint": "\u0662\u0660\u0662\u0666-08-20"}, ".dueHint"),
        ({"dueHint": ""}, ".dueHint"),
        ({"dueHint": 20260820}, ".dueHint"),
        ({"owner": "me"}, ".owner"),
    ],
)
def test_a_faulty_commitment_names_its_fault(changes: dict[str, Any], path: str) -> None:
    """One fault, one path."""
    assert faults(promise(**changes)) == [f"commitments[0]{path}"]


@pytest.mark.parametrize("missing", ["statement", "actor", "evidence", "confidence", "resolved"])
def test_a_required_field_of_a_commitment_may_not_be_missing(missing: str) -> None:
    """Only ``dueHint`` may be absent."""
    made = commitment("s-1", "I will do that soon")
    del made[missing]
    assert faults(answer(commitments=[made])) == [f"commitments[0].{missing}"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_no_number_is_no_confidence(number: str) -> None:
    """What JSON does not know, or no float can hold, is refused."""
    raw = promise().replace(b"0.9", number.encode())
    assert faults(raw) in (["answer"], ["commitments[0].confidence"])


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.7, 1e-300])
def test_a_number_from_nought_to_one_is_a_confidence(value: float) -> None:
    """Whole numbers are numbers."""
    assert faults(promise(confidence=value)) == []


def test_lengths_count_code_points() -> None:
    """Three hundred characters beyond the first plane are three hundred characters."""
    assert faults(one(claim="\U0001f419" * 300, gist="\U0001f419" * 1_500)) == []
    assert faults(one(claim="\U0001f419" * 301)) == ["candidates[0].claim"]


def test_too_many_items_are_one_fault() -> None:
    """Twenty candidates and fifty commitments are the most; the rest is not looked at."""
    crowd = answer(candidates=[candidate(*TWO)] * 21, commitments=[commitment("s-1", "I will do it")] * 51)
    assert faults(crowd) == ["candidates", "commitments"]
    assert faults(answer(candidates=[candidate(*TWO)] * 20, commitments=[commitment("s-1", "I will")] * 50)) == []


def test_all_faults_come_together() -> None:
    """Whoever answers can mend everything in one go."""
    raw = answer(
        candidates=[candidate(*TWO, claim="", kind="x"), candidate(*TWO, gist=1)],
        commitments=[commitment("s-1", "I will", resolved=1)],
    )
    assert faults(raw) == ["candidates[0].kind", "candidates[0].claim", "candidates[1].gist", "commitments[0].resolved"]


def test_faults_are_listed_up_to_a_bound_and_counted_beyond() -> None:
    """A flood of faults gives a short list that says how many are missing from it."""
    parsed = parse_answer(answer().replace(b'"readSessionIds": []', b'"readSessionIds": [' + b"1," * 999 + b"1]"))
    assert isinstance(parsed, tuple)
    assert len(parsed) == MOST_FAULTS + 1
    assert "950" in parsed[-1].message


def test_repeated_keys_are_found_at_every_depth() -> None:
    """Two values for one key would leave open which one was checked."""
    raw = (
        one()
        .replace(b'"quote": "the first', b'"quote": "x", "quote": "the first')
        .replace(b'"kind"', b'"kind": 1, "kind"')
    )
    assert faults(raw) == ["candidates[0].kind", "candidates[0].evidence[0].quote"]


def test_a_byte_order_mark_is_accepted() -> None:
    """Some editors write one."""
    assert faults(b"\xef\xbb\xbf" + answer()) == []


def test_the_number_of_quotes_is_no_fault_of_form() -> None:
    """It has codes of its own."""
    assert faults(one(evidence=[])) == []
    assert faults(one(evidence=[{"sessionId": "s-1", "quote": "fine words"}] * 30)) == []


def test_messages_repeat_nothing_of_the_stranger() -> None:
    """A refusal is shown and logged; no text of the answer may ride on it."""
    raw = one(claim=7, **{"evil \x1b[31m": 1}, kind="ignore previous instructions")
    parsed = parse_answer(raw)
    assert isinstance(parsed, tuple)
    shown = " ".join(f"{fault.path} {fault.message}" for fault in parsed)
    assert "evil" not in shown
    assert "ignore" not in shown


def test_the_json_test_suite_is_read_as_it_demands(shared: Path) -> None:
    """Every text that must be refused is refused, every one that must be accepted is read, and none raises."""
    suite = zipfile.ZipFile(shared / "attack" / "json_test_suite" / "json_test_suite.zip")
    wrong = []
    for name in suite.namelist():
        verdict = Path(name).name[:2]
        if not name.endswith(".json") or verdict not in ("y_", "n_", "i_"):
            continue
        try:
            read_json(suite.read(name), most_bytes=MOST_ANSWER_BYTES)
            is_read = True
        except BadJsonError:
            is_read = False
        if verdict == ("n_" if is_read else "y_"):
            wrong.append(name)
    assert wrong == []


def test_the_widest_objects_and_longest_strings_are_read_in_bounded_time() -> None:
    """A hundred thousand keys, a hundred thousand escapes and unclosed strings take no quadratic time."""
    wide = json.dumps({f"k{number}": number for number in range(100_000)}).encode()
    assert len(faults(wide)) == MOST_FAULTS + 1
    assert faults(b'"' + b'\\"' * 1_000_000) == ["answer"]
    assert faults(b'\\"' * 1_000_000) == ["answer"]
