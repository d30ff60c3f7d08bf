"""Kingfisher, the maintained secret detector, behind one file: loaded late, once a run, never over the network."""

import importlib
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from slowwave.records.secret_rules import LEAST_ENTROPY, entropy

_PACKAGE = "kingfisher-secret-scanner"
_MODULE = "kingfisher_sdk"
_RULE = re.compile(r"^(?:betterleaks|kingfisher|custom|veles\.secrets)[./]|\.\d+$|[^a-z0-9._-]")
_WORD_BYTES = 1_024  # how far the rest of a word is looked for
_WORD_CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_WORD = re.compile(rb"[A-Za-z0-9_+/=-]+")  # base64 goes on behind the part that a rule locates
_BEHIND = b" \t\r\n\"'`;"
_BREAK = re.compile(rb"[\s\"'`<>\\]")  # what an address cannot hold


class Kingfisher:
    """Its compiled rules over one text at a time."""

    def __init__(self, scanner: Any) -> None:
        self._scanner = scanner

    def spans(self, raw: bytes) -> Iterator[tuple[int, int, str]]:
        """Start, end and kind of every secret in a text of one byte a character."""
        for finding in self._scanner.scan(raw):
            if finding.visible:
                start, end = _whole(raw, finding.location["start_offset"], finding.location["end_offset"])
                if entropy(raw[start:end]) >= LEAST_ENTROPY:
                    yield start, end, _RULE.sub("", finding.rule_id.lower())


def _whole(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """The span with the rest of its word or address: some rules locate a part of what they found, some what follows."""
    end = start + len(raw[start:end].rstrip(_BEHIND))
    head = raw[max(0, start - _WORD_BYTES) : start]
    address = max(head.rfind(b"http://"), head.rfind(b"https://"))
    if address >= 0 and not _BREAK.search(head, address):
        rest = _BREAK.search(raw, end, end + _WORD_BYTES)
        return start - len(head) + address, rest.start() if rest else min(len(raw), end + _WORD_BYTES)
    word = _WORD.match(raw, end, end + _WORD_BYTES)
    return start - len(head) + len(head.rstrip(_WORD_CHARACTERS)), word.end() if word else end


def kingfisher_version() -> str:
    """The installed version; empty where it is not installed."""
    try:
        return metadata.version(_PACKAGE)
    except metadata.PackageNotFoundError:
        return ""


@lru_cache(maxsize=2)
def load_detector(cache: Path | None) -> Kingfisher | None:
    """The detector with its rules compiled, kept for the run; None where it is not installed.

    Args:
        cache: Folder for the compiled rules; None is the user's own cache folder.
    """
    try:
        module = importlib.import_module(_MODULE)
    except ImportError:
        return None
    return Kingfisher(module.Scanner(module.Rules(cache_dir=cache)))
