"""Secrets in texts: where they stand, and the text with every one of them masked.

Our own anchored rules always look. Kingfisher, a maintained detector with about 500 rules, looks as well at texts that
hold anything token-like; it is loaded on the first such text, because loading takes 0.7 s from its rule cache and
several seconds without, which a small command must not pay. Where it is not installed the own rules stand alone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from slowwave.records.free_words import free_words
from slowwave.records.kingfisher import kingfisher_version, load_detector
from slowwave.records.secret_assignments import assigned_secrets, kind_of_value
from slowwave.records.secret_rules import address_passwords, has_token_like, known_tokens, private_keys

MASK = "[secret:{kind}]"
_OWN_MASK = re.compile(r"\[secret:[a-z0-9._-]{1,64}\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretSpan:
    """Half-open range of characters that hold a secret, and what kind it is."""

    start: int
    end: int
    kind: str


class Secrets:
    """The one place that decides what is a secret.

    Args:
        deep: Whether Kingfisher looks too; False for work where its start would be felt and nothing leaves.
        cache: Folder for its compiled rules; None is the user's own cache folder.
    """

    def __init__(self, *, deep: bool = True, cache: Path | None = None) -> None:
        self._deep = deep
        self._cache = cache

    def find(self, text: str, *, name: str = "") -> tuple[SecretSpan, ...]:
        """Every secret in a text, in order, none overlapping another.

        ``name`` is the key under which the text stands, where it has one: the value of a field called ``password`` is
        a secret though nothing in it says so.
        """
        if name and (kind := kind_of_value(name, text)):
            return (SecretSpan(start=0, end=len(text), kind=kind),)
        raw = text.encode("ascii", "replace")
        spans = [*known_tokens(raw), *private_keys(raw), *address_passwords(raw), *assigned_secrets(raw)]
        if self._deep and has_token_like(raw) and (detector := load_detector(self._cache)):
            spans.extend(detector.spans(raw))
            words = free_words(raw)
            spans.extend((*words.span(start, end), kind) for start, end, kind in detector.spans(words.text))
        masks = [found.span() for found in _OWN_MASK.finditer(text)] if spans and "[secret:" in text else []
        return _merge([span for span in spans if not _is_inside(span, masks)])

    def mask(self, text: str, *, name: str = "") -> str:
        """The text with each secret replaced by ``[secret:KIND]``; masking twice changes nothing more."""
        spans = self.find(text, name=name)
        return apply_masks(text, spans) if spans else text

    def holds_secret_or_mask(self, text: str) -> bool:
        """Whether a text holds a secret or our own mask of one; other people's masks (``REDACTED``) do not count."""
        return _OWN_MASK.search(text) is not None or bool(self.find(text))

    def overlaps_secret(self, line_text: str, start: int, end: int) -> bool:
        """Whether the characters from ``start`` to ``end`` of a text touch a secret that the whole text shows."""
        return any(span.start < end and start < span.end for span in self.find(line_text))

    def detectors(self) -> str:
        """What looks for secrets here, in words, for ``doctor``."""
        if self._deep and (found := kingfisher_version()):
            return f"own rules and kingfisher {found}"
        return "own rules"


def apply_masks(text: str, spans: Iterable[SecretSpan]) -> str:
    """The text with the given spans, in order, replaced by their masks."""
    kept: list[str] = []
    at = 0
    for span in spans:
        kept += [text[at : span.start], MASK.format(kind=span.kind)]
        at = span.end
    return "".join([*kept, text[at:]])


def _is_inside(span: tuple[int, int, str], ranges: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in ranges)


def _merge(spans: list[tuple[int, int, str]]) -> tuple[SecretSpan, ...]:
    """Overlapping findings as one span; its kind is that of the longest, the first named among equals."""
    merged: list[SecretSpan] = []
    longest = 0
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
        if merged and start < merged[-1].end:
            last = merged[-1]
            name = kind if end - start > longest else last.kind
            merged[-1] = SecretSpan(start=last.start, end=max(end, last.end), kind=name)
        else:
            merged.append(SecretSpan(start=start, end=end, kind=kind))
            longest = 0
        longest = max(longest, end - start)
    return tuple(merged)
