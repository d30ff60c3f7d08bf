"""Traits: what an observation says about the person, as one line of ``observations.jsonl``.

Readers take the lines of seed 001 as they stand, decode a doubly encoded one once more, and step over what is none.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SOURCE = "micro_consolidation"
"""Who wrote a line, in the seed's word."""
HASH_DIGITS = 16  # hex digits of the digest (seed 001)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """One observation about the person.

    Attributes:
        id: The line's own id; its hash where it has none.
        ts: When it was said, as written; may be empty in lines of other writers.
        obs: What was observed.
        source: Who wrote the line.
        needs_review: Whether no person has looked at it yet.
        hash: Digest of the words, by which repetitions are known.
        capture_id: The capture it came from; empty for none.
    """

    id: str
    ts: str
    obs: str
    source: str
    needs_review: bool
    hash: str
    capture_id: str = ""


def trait_hash(text: str) -> str:
    """The seed's content hash: the first 16 hex digits of SHA-256 over the text lower-cased, white space collapsed."""
    words = " ".join(text.lower().split())
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:HASH_DIGITS]


def decode_line(raw: bytes) -> Mapping[str, Any] | None:
    """A line's object, one that was encoded twice decoded once more; None for anything else."""
    try:
        value = json.loads(raw)
        value = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def trait_of(row: Mapping[str, Any]) -> Trait | None:
    """The trait of a line's object; None where it observes nothing. The hash is always computed, never believed."""
    obs = row.get("obs")
    if not isinstance(obs, str) or not obs.strip():
        return None
    obs = obs.encode("utf-8", "replace").decode("utf-8")
    own = trait_hash(obs)
    return Trait(
        id=_text(row, "id") or own,
        ts=_text(row, "ts"),
        obs=obs,
        source=_text(row, "source"),
        needs_review=row.get("needs_review") is not False,
        hash=own,
        capture_id=_text(row, "capture_id"),
    )


def line_of(trait: Trait, others: Mapping[str, Any] | None = None) -> bytes:
    """A trait as a line; keys of other writers in ``others`` are kept."""
    row = {
        **(others or {}),
        "id": trait.id,
        "ts": trait.ts,
        "obs": trait.obs,
        "source": trait.source,
        "needs_review": trait.needs_review,
        "hash": trait.hash,
        "capture_id": trait.capture_id,
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""
