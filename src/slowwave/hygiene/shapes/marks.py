"""Marks: what stands in a context beside its words and must be found again after a rewrite.

A cache point may move inside its record, for the words around it change; it may not disappear. The last record of a
session's permission mode decides how the agent's program goes on.
"""

from collections.abc import Iterator

from slowwave.hygiene.shapes.defect import Code, Defect, Record, Records, blocks_of, place, text_of

_POINT = "cache_control"
_MODE = "permission-mode"


class Marks:
    """The marks of one context, gathered while its records pass by."""

    def __init__(self) -> None:
        self.points: dict[tuple[int, int], int] = {}
        self.mode = ""
        self._mode_index = 0

    def watched(self, records: Records) -> Iterator[tuple[int, int, Record]]:
        """The same records, looked at on their way."""
        for index, part, record in records:
            count = _points(record)
            if count:
                self.points[index, part] = count
            if record.get("type") == _MODE:
                self.mode, self._mode_index = text_of(record, "permissionMode"), index
            yield index, part, record

    def lost(self, after: "Marks") -> Iterator[Defect]:
        """What another context does not show any more."""
        for at, count in self.points.items():
            if after.points.get(at, 0) < count:
                where = place(*at)
                message = f"a cache point of {where} is gone"
                yield Defect(code=Code.EMPTY, key=where, index=at[0], message=message)
        if after.mode != self.mode:
            message = "another permission mode holds at the end"
            yield Defect(code=Code.CHAIN, key=_MODE, index=self._mode_index, message=message)


def _points(record: Record) -> int:
    message = record.get("message")
    held = message if isinstance(message, dict) else record
    return int(_has(record)) + _points_in(held.get("content"))


def _points_in(content: object) -> int:
    return sum(int(_has(block)) + _points_in(block.get("content")) for _, block in blocks_of(content))


def _has(block: Record) -> bool:
    return isinstance(block.get(_POINT), dict)
