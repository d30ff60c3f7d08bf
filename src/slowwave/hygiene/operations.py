"""Operations: what was asked, resolved to items; what was decided about it, and what it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slowwave.hygiene.answer import Asked, Rejected
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Edit, Item

PRUNE, TRIM, COLLAPSE = "prune_tool_results", "trim", "collapse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One operation on items.

    Attributes:
        number: Its place in the answer, from 0.
        op: ``prune_tool_results``, ``trim`` or ``collapse``.
        start: First index.
        end: One past the last.
        targets: The items whose words change.
        covered: All items in the range.
        rationale: Why, in the words of whoever asked.
        replacement: What a collapse says instead; may be empty.
        hits: What a detector saw, by item; empty where somebody else asked.
    """

    number: int
    op: str
    start: int
    end: int
    targets: tuple[Item, ...]
    covered: tuple[Item, ...]
    rationale: str
    replacement: str
    hits: Mapping[int, Hit] = field(default_factory=dict)

    @property
    def detector(self) -> Detector:
        """Who found it."""
        return next((hit.detector for hit in self.hits.values()), Detector.ASKED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What happens to one item.

    Attributes:
        item: The item.
        text: Its new words.
        tokens: Estimated, of the new words.
        digest: Of the new words, as an item's.
        kept_lines: Lines of the payload that stay.
        referenced: How many of them stay because they are used later.
        edits: The values to be written, second copies included.
    """

    item: Item
    text: str
    tokens: int
    digest: str
    kept_lines: int
    referenced: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation that was found good.

    Attributes:
        request: What was asked.
        op: What is done: an explicit prune of something that is used later becomes a trim.
        changes: What it changes.
        cited_by: Memories that cite a record of it.
    """

    request: Request
    op: str
    changes: tuple[Change, ...]
    cited_by: tuple[str, ...]

    @property
    def saved(self) -> int:
        """Tokens."""
        return sum(change.item.tokens - change.tokens for change in self.changes)

    def as_json(self) -> dict[str, Any]:
        """The operation as commands print it, and as ``--ops`` takes it back."""
        request = self.request
        told: dict[str, Any] = {
            "op": self.op,
            "range": [request.start, request.end],
            "items": [
                {
                    "id": change.item.id,
                    "digest": change.item.digest,
                    "digest_after": change.digest,
                    "tool": change.item.tool,
                    "tokens": [change.item.tokens, change.tokens],
                    "kept_lines": change.kept_lines,
                    "outside": change.item.outside,
                }
                for change in self.changes
            ],
            "detector": request.detector.value,
            "evidence": _evidence(request, self),
            "rationale": request.rationale,
            "cited_by": list(self.cited_by),
        }
        if request.replacement:
            told["replacement"] = request.replacement
        return told


def _evidence(request: Request, operation: Operation) -> dict[str, Any]:
    hit = next(iter(request.hits.values()), None)
    told: dict[str, Any] = dict(hit.evidence) if hit is not None else {}
    if operation.op != request.op:
        told["turned_into"] = operation.op
        told["used_later"] = sum(change.referenced for change in operation.changes)
    return told


def items_between(by_index: Mapping[int, Sequence[Item]], start: int, end: int) -> tuple[Item, ...]:
    """The items of the records of a range."""
    if end - start > len(by_index):
        return tuple(item for index in sorted(by_index) if start <= index < end for item in by_index[index])
    return tuple(item for index in range(start, end) for item in by_index.get(index, ()))


__all__ = ["COLLAPSE", "PRUNE", "TRIM", "Asked", "Change", "Operation", "Rejected", "Request", "items_between"]
