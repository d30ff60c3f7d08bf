"""Homes over the bundled sample sessions, and what an independent reader sees in the files behind them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from made_nights import Place

from slowwave.desk.samples.stage import stage
from slowwave.facts.text import fold

Night = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slept:
    """A home in which a night over some sessions was run, and what the night said."""

    place: Place
    night: Night


def sample_place(folder: Path) -> Place:
    """A home whose transcripts are the bundled sample sessions."""
    folder.mkdir(parents=True, exist_ok=True)
    place = Place(folder)
    stage(place.transcripts, now=place.now)
    return place


def token_of(place: Place) -> str:
    """The person token, as ``init`` shows it the first time."""
    ran = place.run("init", "--transcripts", str(place.transcripts))
    assert ran.status == 0, ran.err
    return str(ran.content["personToken"])


def values(node: object) -> Iterator[str]:
    """Every string of a record, and the strings of JSON that such a string holds; a reader of the test's own."""
    if isinstance(node, str):
        yield node
        if node[:1] in ("{", "["):
            try:
                inner = json.loads(node)
            except ValueError:
                return
            yield from values(inner)
    elif isinstance(node, Mapping):
        for value in node.values():
            yield from values(value)
    elif isinstance(node, list):
        for value in node:
            yield from values(value)


def stands_at(files: tuple[Path, ...], file: int, line: int, quote: str) -> bool:
    """Whether a quote stands on a physical line of one of a session's files, white space aside."""
    raw = files[file].read_bytes().split(b"\n")[line - 1]
    return any(fold(quote) in fold(text) for text in values(json.loads(raw)))


def role_at(files: tuple[Path, ...], file: int, line: int) -> str:
    """Who speaks on a line by the record's own words: ``user``, ``assistant``, ``tool`` or what else it says."""
    record = json.loads(files[file].read_bytes().split(b"\n")[line - 1])
    payload = record.get("payload") or record.get("message") or record
    content = payload.get("content")
    if isinstance(content, list) and any(isinstance(p, dict) and p.get("type") == "tool_result" for p in content):
        return "tool"
    return str(payload.get("role") or payload.get("type") or record.get("type"))
