"""The policy that models are given: every rule of it is stated, and enforced or honestly left to a person."""

import ast
import importlib
import inspect
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from made_source import ROOT

from slowwave.facts import limits
from slowwave.facts.answer import Answer
from slowwave.facts.ids import digest
from slowwave.facts.memory import CONSOLIDATED_KINDS
from slowwave.proof.answer_schema import ACTORS, parse_answer
from slowwave.sleep import instructions as message
from slowwave.sleep.instructions import instructions, instructions_digest
from slowwave.sleep.tool_specs import SPECS

PAGE = ROOT / "src" / "slowwave" / "sleep" / "instructions.md"
CHECKLIST: list[dict[str, str]] = tomllib.loads((ROOT / "tests" / "made" / "checklist.toml").read_text("utf-8"))["rule"]
ENFORCED = [rule for rule in CHECKLIST if "by" in rule]
CODES = set(re.findall(r"^\| `([a-z_]+)` \|", (ROOT / "docs" / "refusals.md").read_text("utf-8"), re.MULTILINE))
QUOTED = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"|\{\{\w+\}\}|^\d\. ", re.DOTALL | re.MULTILINE)
"""Examples, filled-in bounds and numbers of a list: the rest of the page is prose."""
RUN = 8
"""So many words of the seed in a row would be a copy."""


def named(rule: Mapping[str, str]) -> str:
    """How a rule is called in the output of the tests."""
    return f"{rule['part']}: {rule['rule']}"


def words(text: str) -> list[str]:
    """The words of a text, case, spaces and marks left out; a name such as ``error_pattern`` is one word."""
    return re.findall(r"\w+", text.casefold())


@pytest.mark.parametrize("rule", CHECKLIST, ids=named)
def test_a_rule_is_stated(rule: Mapping[str, str]) -> None:
    """The page has the words the checklist says it has."""
    assert " ".join(rule["page"].split()) in " ".join(instructions().split())


@pytest.mark.parametrize("rule", ENFORCED, ids=named)
def test_a_rule_is_enforced_where_the_checklist_says(rule: Mapping[str, str]) -> None:
    """The code is there; it says no with a code that is explained, or does something that is said; a test shows it."""
    module, _, name = rule["by"].partition(":")
    assert hasattr(importlib.import_module(module), name)
    assert ("code" in rule) != ("does" in rule)
    file, _, function = rule["test"].partition("::")
    assert function in named_in(file)
    if "code" in rule:
        assert rule["code"] in CODES
        assert re.search(rf"\b{rule['code']}\b", with_its_tables(file))


@cache
def with_its_tables(file: str) -> str:
    """A file of tests, and the shared ones that it takes its cases from."""
    text = (ROOT / file).read_text("utf-8")
    made = re.findall(r"^from (made_\w+) import", text, re.MULTILINE)
    return "\n".join([text, *((ROOT / "tests" / "made" / f"{name}.py").read_text("utf-8") for name in made)])


@cache
def named_in(file: str) -> frozenset[str]:
    """Names of the tests in a file."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_what_only_judgement_can_enforce_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Most rules are held by code; the others are judged by a person in review, some measured by benchmarks/quality."""
    judged = [rule for rule in CHECKLIST if "by" not in rule]
    partly = [rule for rule in ENFORCED if "judged" in rule]
    with capsys.disabled():
        print(f"\n{len(CHECKLIST)} rules of the policy: {len(judged)} judged by people alone, {len(partly)} in part")
    assert len(CHECKLIST) >= 60
    assert len(judged) < len(CHECKLIST) / 2
    assert all(rule["judged"].startswith("judged by a person in review") for rule in (*judged, *partly))
    assert not any({"code", "does", "test"} & set(rule) for rule in judged)
    assert len({named(rule) for rule in CHECKLIST}) == len(CHECKLIST)


def test_every_refusal_of_an_answer_stands_in_the_checklist() -> None:
    """No code that may refuse an answer is without the rule that it enforces."""
    section = (ROOT / "docs" / "refusals.md").read_text("utf-8").split("## An answer")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `([a-z_]+)` \|", section, re.MULTILINE))
    assert told - {rule["code"] for rule in ENFORCED if "code" in rule} == set()


def bounds() -> Iterator[tuple[str, str]]:
    """Each place of the page where a bound is filled in: its name, and the words around it."""
    for found in re.finditer(r"([^\n{}]{0,30})\{\{([A-Z_]+)\}\}([^\n{}]{0,20})", PAGE.read_text("utf-8")):
        yield found[2], f"{found[1]}{getattr(limits, found[2]):,}{found[3]}"


def test_bounds_in_the_text_are_those_of_the_code() -> None:
    """Every bound is filled in from where it is named; no figure is written by hand."""
    for name, around in bounds():
        assert around in instructions(), name
    assert "{{" not in instructions()
    assert {name for name, _ in bounds()} >= {"CLAIM_CHARACTERS", "QUOTE_CHARACTERS", "MOST_QUOTES", "MOST_SUBMISSIONS"}
    by_hand = QUOTED.sub("", PAGE.read_text("utf-8"))
    assert re.findall(r"\d[\d,.]*\d", by_hand) == ["0.85"]  # of an example


def test_the_closed_words_are_named() -> None:
    """Each kind and each actor that an answer may have stands on the page."""
    for word in (*(kind.value for kind in CONSOLIDATED_KINDS), *ACTORS):
        assert f"`{word}`" in instructions()


def test_the_examples_are_answers_that_the_contract_reads() -> None:
    """What the page shows as JSON has the form that is asked for."""
    examples = re.findall(r"```json\n(.*?)```", instructions(), re.DOTALL)
    good, empty = examples
    whole = f'{{"candidates": [{good}], "commitments": [], "readSessionIds": []}}'
    assert isinstance(parse_answer(whole.encode()), Answer)
    assert isinstance(parse_answer(empty.encode()), Answer)


def test_the_digest_is_of_what_a_model_is_given() -> None:
    """Another bound filled in makes another policy, and another digest."""
    assert instructions_digest() == digest("instructions", instructions())
    assert instructions_digest() != digest("instructions", PAGE.read_text("utf-8"))


def test_no_run_of_words_is_taken_from_the_seed(shared: Path) -> None:
    """The policy is that of the seed; the words are ours, on the page, in the message and at the tools."""
    seed = words((shared / "seeds" / "000_fab4cb74177100aa.txt").read_text("utf-8"))
    taken = {tuple(seed[at : at + RUN]) for at in range(len(seed) - RUN + 1)}
    told = [f"{spec.description} {json.dumps(spec.schema)}" for spec in SPECS]
    for text in (instructions(), *told, inspect.getsource(message)):
        ours = words(text)
        runs = (tuple(ours[at : at + RUN]) for at in range(len(ours) - RUN + 1))
        assert [" ".join(run) for run in runs if run in taken] == []
