"""The profile: every threshold, word list, template and prompt of the hygienist as one digest.

Whatever a curation was decided by is named in its log by this digest, and the scorecard compares profiles by it. It is
computed from the values themselves, so that no change can forget to raise a number.
"""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cache
from importlib import import_module
from types import ModuleType

from slowwave.facts.ids import digest
from slowwave.hygiene.bundle import bundle_digest
from slowwave.hygiene.lexicon import lexicon_digest
from slowwave.hygiene.notes import notes_digest

PROFILE_VERSION = 1
"""Raised by hand when rules change that no constant shows."""
_MODULES = (
    "actions", "answer", "bundle", "caches", "changing", "decide", "detectors.bulk_old", "detectors.consumed_search",
    "detectors.dup_call", "detectors.error_echo", "detectors.media_old", "detectors.noise", "detectors.poll",
    "detectors.reinjected", "detectors.stale_read", "detectors.superseded_run", "economics", "items", "launches",
    "legality", "lexicon", "names", "notes", "offers", "operations", "pace", "payloads", "pins", "proposer",
    "protection", "reading", "refetch", "renaming", "retelling", "scene", "shapes.anthropic", "shapes.chat",
    "shapes.claude_code", "shapes.codex", "shapes.marks", "shapes.responses", "stubs", "thinking", "tokens",
    "wires.anthropic", "wires.chat", "wires.claude_code", "wires.codex", "wires.responses", "wires.wire",
)  # fmt: skip
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


@cache
def profile_digest() -> str:
    """The digest of the profile, 64 hex digits."""
    return digest("profile", str(PROFILE_VERSION), lexicon_digest(), notes_digest(), bundle_digest(), *thresholds())


def thresholds() -> Iterator[str]:
    """Every constant by which something is decided, as ``module.NAME=value``, in order."""
    for name in _MODULES:
        module = import_module(f"slowwave.hygiene.{name}")
        yield from (f"{name}.{key}={told}" for key, told in sorted(_constants(module)))


def _constants(module: ModuleType) -> Iterator[tuple[str, str]]:
    for key, value in vars(module).items():
        if _CONSTANT.fullmatch(key):
            yield key, _told(value)


def _told(value: object) -> str:
    """A value spelled the same in every run: sets in order, patterns by their text."""
    if isinstance(value, re.Pattern):
        return f"/{value.pattern!r}/{value.flags}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_told, value)))}}}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_told, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_told(key)}: {_told(held)}' for key, held in value.items())}}}"
    is_plain = isinstance(value, str | bytes | int | float | bool | Decimal | date | None)
    return repr(value) if is_plain else type(value).__name__
