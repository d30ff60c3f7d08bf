"""Phrases for times with what they name, as the tables beside this file have them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

_HERE = Path(__file__).parent
FIRST = ("2026-03-10T08:15:00+01:00", "Europe/Berlin")
"""The moment and zone that sentences are seen from: a Tuesday."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A phrase, from where it is seen, and what it names: an instant or a reason; its words, where told."""

    phrase: str
    at: datetime
    zone: ZoneInfo
    wanted: str
    matched: str | None = None


def ours() -> Iterator[Case]:
    """The phrases of ``when_ours.txt``."""
    moment, zone = FIRST
    for line in _lines("when_ours.txt"):
        if line.startswith("@ "):
            moment, zone = line[2:].split()
            continue
        phrase, _, wanted = line.rpartition(" = ")
        yield Case(phrase=phrase, at=datetime.fromisoformat(moment), zone=ZoneInfo(zone), wanted=wanted)


def sentences() -> Iterator[Case]:
    """The sentences of ``when_sentences.txt``."""
    for line in _lines("when_sentences.txt"):
        phrase, _, told = line.rpartition(" = ")
        wanted, _, matched = (part.strip() for part in told.partition("|"))
        yield Case(
            phrase=phrase, at=datetime.fromisoformat(FIRST[0]), zone=ZoneInfo(FIRST[1]), wanted=wanted, matched=matched
        )


def blind() -> Iterator[Case]:
    """The phrases of ``when_phrases.jsonl``, which was written from the spec by somebody who had not seen the code."""
    for line in (_HERE / "when_phrases.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        wanted = row["instant"] or row["reason"]
        zone = ZoneInfo(row["zone"])
        yield Case(phrase=row["phrase"], at=datetime.fromisoformat(row["at"]), zone=zone, wanted=wanted)


def _lines(name: str) -> Iterator[str]:
    for line in (_HERE / name).read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line
