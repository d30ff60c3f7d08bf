"""Observations: the store of traits, each once, reviewed by the person."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from slowwave.disk.durable import make_folder, read_whole, write_atomic
from slowwave.disk.jsonl import append_lines
from slowwave.disk.places import Places
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import UsageError
from slowwave.wake.holding import Hold
from slowwave.wake.traits import SOURCE, Trait, decode_line, line_of, trait_hash, trait_of

DROPPED = "dropped_by_person"
"""Reason in ``refused.jsonl`` of a trait that the person did not want; it is not taken up again."""
STALE = ".stale"
"""Name of the empty file in the folder of views that says that they no longer tell what the traits say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrait:
    """An observation that was judged durable: where it came from, when it was said, what it says."""

    capture_id: str
    ts: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedTrait:
    """An observation that is no trait, with the reason."""

    capture_id: str
    ts: datetime
    text: str
    reason: str
    decided_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The store as it stands: traits in the order of their lines, and how many lines were none."""

    traits: tuple[Trait, ...]
    malformed: int


class Observations:
    """The store in ``observations.jsonl`` and ``refused.jsonl``.

    Args:
        places: The files of the day.
        hold: The lock of the day.
        clock: The present.
    """

    def __init__(self, places: Places, hold: Hold, clock: Clock) -> None:
        self._places = places
        self._hold = hold
        self._clock = clock

    def read(self) -> Read:
        """Every trait; lines that are none are stepped over and counted."""
        traits: list[Trait] = []
        malformed = 0
        for raw in self._lines():
            row = decode_line(raw)
            trait = trait_of(row) if row is not None else None
            if trait is not None:
                traits.append(trait)
            elif raw.strip():
                malformed += 1
        return Read(traits=tuple(traits), malformed=malformed)

    def add(self, new: Sequence[NewTrait]) -> tuple[str, ...]:
        """Write traits that are not known; for each ``added``, ``known`` or ``again``, in order.

        Known is what a line says already and what the person dropped; again is what came from the same capture before.
        """
        if not new:
            return ()
        with self._hold("observations"):
            traits = self.read().traits
            known = {trait.hash for trait in traits} | self._dropped()
            # Captures too, since a trait that the person edited no longer has its capture's words.
            captures = {trait.capture_id for trait in traits} - {""}
            lines: list[bytes] = []
            outcomes: list[str] = []
            for one in new:
                own = trait_hash(one.text)
                is_again = one.capture_id in captures
                outcomes.append("again" if is_again else "known" if own in known else "added")
                if outcomes[-1] == "added":
                    known.add(own)
                    lines.append(line_of(_trait(one, own)))
            if lines:
                mark_views_stale(self._places)  # first: a crash in between rebuilds views once more than needed
                append_lines(self._places.observations, lines)
        return tuple(outcomes)

    def refuse(self, refused: Sequence[RefusedTrait]) -> None:
        """Keep observations that are no traits, each capture once."""
        if not refused:
            return
        with self._hold("observations"):
            known = {str(row.get("capture_id")) for row in self._refused()}
            rows = [_refused_row(one) for one in refused if one.capture_id not in known]
            append_lines(self._places.refused_observations, [_dump(row) for row in rows])

    def confirm(self, name: str) -> Trait:
        """Say that a trait is right.

        Raises:
            UsageError: None has that id, or several begin so.
        """
        return self._change(name, lambda trait: replace(trait, needs_review=False))

    def edit(self, name: str, text: str) -> Trait:
        """Put a trait in the person's own words, which confirms it.

        Raises:
            UsageError: None has that id, the words are none, or another trait says the same.
        """
        words = " ".join(text.split())
        if not words:
            raise UsageError("an observation needs words", hint="`slowwave observations drop ID` takes it away")
        own = trait_hash(words)
        return self._change(name, lambda trait: replace(trait, obs=words, hash=own, needs_review=False))

    def drop(self, name: str) -> Trait:
        """Take a trait away; the same words are not taken up again.

        Raises:
            UsageError: None has that id, or several begin so.
        """
        with self._hold("observations"):
            trait = self.find(name)
            row = {
                "capture_id": trait.capture_id,
                "ts": trait.ts,
                "obs": trait.obs,
                "hash": trait.hash,
                "reason": DROPPED,
                "moment": stamp(self._clock()),
            }
            if trait.hash not in self._dropped():
                append_lines(self._places.refused_observations, [_dump(row)])
            self._rewrite(trait, None)
        return trait

    def _change(self, name: str, change: Callable[[Trait], Trait]) -> Trait:
        with self._hold("observations"):
            trait = self.find(name)
            changed = change(trait)
            if any(other.hash == changed.hash and other.id != trait.id for other in self.read().traits):
                raise UsageError("another observation says the same already", hint="drop this one instead")
            self._rewrite(trait, changed)
        return changed

    def find(self, name: str) -> Trait:
        """The trait of that id, or of the only one that begins so.

        Raises:
            UsageError: There is none, or there are several.
        """
        traits = self.read().traits
        found = [trait for trait in traits if name == trait.id] or [t for t in traits if name and t.id.startswith(name)]
        if len(found) == 1:
            return found[0]
        problem = "is ambiguous" if found else "does not exist"
        raise UsageError(f"observation {name} {problem}", hint="`slowwave observations list` shows their ids")

    def _rewrite(self, trait: Trait, changed: Trait | None) -> None:
        """Put one line in place of another; every other line stays byte for byte."""
        kept: list[bytes] = []
        is_met = False
        for raw in self._lines():
            row = decode_line(raw)
            read = trait_of(row) if row is not None else None
            if is_met or read is None or (read.id, read.hash) != (trait.id, trait.hash):
                kept.append(raw)
                continue
            is_met = True
            if changed is not None:
                kept.append(line_of(changed, row))
        mark_views_stale(self._places)
        write_atomic(self._places.observations, b"".join(line + b"\n" for line in kept))

    def _lines(self) -> list[bytes]:
        content = read_whole(self._places.observations) or b""
        lines = content.split(b"\n")
        return lines[:-1] if not lines[-1] else lines

    def _refused(self) -> list[dict[str, object]]:
        content = read_whole(self._places.refused_observations) or b""
        return [dict(row) for raw in content.split(b"\n") if (row := decode_line(raw)) is not None]

    def refused_captures(self) -> frozenset[str]:
        """Captures that stand among the refused."""
        return frozenset(str(row.get("capture_id", "")) for row in self._refused())

    def _dropped(self) -> set[str]:
        return {str(row.get("hash")) for row in self._refused() if row.get("reason") == DROPPED}


def mark_views_stale(places: Places, view: str = "identity") -> None:
    """Have the views over the traits rebuilt when they are read next; ``identity`` is the only kind there is.

    Raises:
        ValueError: No views are called so.
    """
    if view != "identity":
        raise ValueError(f"no views are called {view}")
    make_folder(places.identity_views)
    if not (places.identity_views / STALE).exists():
        write_atomic(places.identity_views / STALE, b"")


def _trait(new: NewTrait, own: str) -> Trait:
    return Trait(
        id=new.capture_id or own,
        ts=new.ts.isoformat(),
        obs=new.text,
        source=SOURCE,
        needs_review=True,
        hash=own,
        capture_id=new.capture_id,
    )


def _refused_row(one: RefusedTrait) -> dict[str, str]:
    return {
        "capture_id": one.capture_id,
        "ts": one.ts.isoformat(),
        "obs": one.text,
        "hash": trait_hash(one.text),
        "reason": one.reason,
        "decided_by": one.decided_by,
    }


def _dump(row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
