"""The profile: whatever decides a curation is in its digest, so that no change can go unseen."""

import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import StrEnum
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import slowwave.hygiene
from slowwave.hygiene import bundle, lexicon, notes, profile
from slowwave.hygiene.profile import profile_digest, thresholds

STORING = frozenset(
    {
        "about", "audit", "blobs", "branching", "context", "curate", "curation", "detectors", "document", "entries",
        "history", "hits", "keeper", "lined", "live", "log", "parts", "pinned", "placing", "profile",
        "remaining", "replay", "resolving", "restoring", "revise", "rewrite", "scorecard", "shapes",
        "shapes.defect", "splice", "window", "wires", "wires.replies",
    }
)  # fmt: skip
"""Modules that store, read bytes, show or measure: what they hold decides of no item."""
OTHERS = frozenset({"FORMATS", "IO", "_FORMAT"})
"""What is no constant of theirs."""


class _Word(StrEnum):
    A = "a"


def _constants(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for key, value in vars(module).items():
        if re.fullmatch(r"_?[A-Z][A-Z0-9_]*", key):
            yield key, value


def _fresh() -> str:
    """The digest, computed anew."""
    return profile_digest.__wrapped__()


def test_the_digest_is_the_same_in_every_run() -> None:
    """Whatever order sets are in."""
    code = "from slowwave.hygiene.profile import profile_digest; print(profile_digest())"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1")
    }
    assert seen == {profile_digest()}
    assert re.fullmatch(r"[0-9a-f]{64}", profile_digest())


def test_every_module_is_in_it_or_decides_nothing() -> None:
    """A new module has to be placed here or there."""
    found = {each.name for each in pkgutil.walk_packages(slowwave.hygiene.__path__, "")}
    inner = {
        f"{package}.{each.name}"
        for package in ("detectors", "shapes", "wires")
        for each in pkgutil.iter_modules(import_module(f"slowwave.hygiene.{package}").__path__)
    }
    unplaced = (found | inner) - set(profile._MODULES) - STORING
    assert not {name for name in unplaced if list(_constants(import_module(f"slowwave.hygiene.{name}")))}
    assert set(profile._MODULES) <= found | inner


@pytest.mark.parametrize("name", profile._MODULES)
def test_any_constant_that_changes_changes_the_digest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers, words, sets, patterns, tables, money."""
    module, before = import_module(f"slowwave.hygiene.{name}"), _fresh()
    held = [(key, value) for key, value in _constants(module) if key not in OTHERS]
    for key, value in held:
        with monkeypatch.context() as changed:
            changed.setattr(module, key, _other(value))
            assert _fresh() != before, f"{name}.{key}"
    assert _fresh() == before


def _other(value: Any) -> Any:
    """A value of the same kind that is another one."""
    if isinstance(value, re.Pattern):
        return re.compile(value.pattern + (b"x" if isinstance(value.pattern, bytes) else "x"))
    if isinstance(value, bool):
        return not value
    if isinstance(value, set | frozenset):
        return frozenset({*value, "another"})
    if isinstance(value, list | tuple):
        return (*value, "another")
    if isinstance(value, dict):
        return {**value, "another": 1}
    return value + (type(value)(1) if isinstance(value, int | float | Decimal) else value[:1] or type(value)())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2), (1.0, 1.5), ("a", "b"), (b"a", b"b"), (True, False), (Decimal("0.05"), Decimal("0.06")), (None, 0),
        (date(2026, 1, 1), date(2026, 1, 2)), (_Word.A, "b"), ((1, 2), (2, 1)), ({"a": 1}, {"a": 2}), ({1}, {2}),
        (re.compile("a"), re.compile("b")), (re.compile("a"), re.compile("a", re.IGNORECASE)), ([[1]], [[2]]),
        ({"a": [Decimal(1)]}, {"a": [Decimal(2)]}),
    ],
)  # fmt: skip
def test_values_that_differ_are_told_apart(one: Any, other: Any) -> None:
    """Also inside others."""
    assert profile._told(one) != profile._told(other)
    assert profile._told(one) == profile._told(one)


def test_word_lists_notes_and_prompt_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by a digest of its own over its files."""
    before = _fresh()
    for module, name in ((lexicon, "lexicon_digest"), (notes, "notes_digest"), (bundle, "bundle_digest")):
        with monkeypatch.context() as changed:
            changed.setattr(profile, name, lambda: "another")
            assert _fresh() != before
        assert re.fullmatch(r"[0-9a-f]{64}", getattr(module, name)())
    with monkeypatch.context() as changed:
        changed.setattr(profile, "PROFILE_VERSION", 10**6)
        assert _fresh() != before


def test_a_word_in_a_list_and_a_line_of_the_prompt_change_their_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read but the files themselves."""
    words, prompt = lexicon.lexicon_digest.__wrapped__(), bundle.bundle_digest()
    sources = [(name, raw + "\n# more\n") for name, raw in lexicon._sources()]
    with monkeypatch.context() as changed:
        changed.setattr(lexicon, "_sources", lambda: sources)
        assert lexicon.lexicon_digest.__wrapped__() != words
    assert bundle.bundle_digest() == prompt


def test_thresholds_are_told_by_their_names() -> None:
    """As whoever compares two profiles reads them."""
    told = list(thresholds())
    assert "decide.LEAST_SAVED_TOKENS=40" in told
    assert "economics.MIN_SAVED_SHARE=Decimal('0.05')" in told
    assert len(told) == len(set(told))
