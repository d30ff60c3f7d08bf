"""The facts of one transcript file: what a scan counts while it reads, and how they are kept in the index."""

from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from slowwave.records.headers import Header


@dataclass(slots=True)
class Tally:
    """What was counted in one file.

    Attributes:
        header: What its records say about the session.
        started: First moment, ISO 8601 in UTC; empty for none.
        ended: Last moment.
        records: Records read.
        copies: Entries that repeat an earlier one of the file; they are in no other count.
        prompts: Texts that a person typed.
        turns: Texts that the agent said.
        entries: Entries by ``speaker/kind``.
        losses: Losses by reason.
        lost: The first of them: reason, line, offset, length.
        is_own: It is the session of a consolidator that slowwave started.
    """

    header: Header = field(default_factory=Header)
    started: str = ""
    ended: str = ""
    records: int = 0
    copies: int = 0
    prompts: int = 0
    turns: int = 0
    entries: dict[str, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    lost: list[tuple[str, int, int, int]] = field(default_factory=list)
    is_own: bool = False

    def pack(self) -> bytes:
        """The facts as JSON for the index; a broken character becomes a question mark."""
        return orjson.dumps(_encodable(asdict(self)))


def unpack(packed: bytes) -> Tally:
    """Facts that ``pack`` made.

    Raises:
        ValueError: The bytes are something else.
    """
    try:
        value = orjson.loads(packed)
        header = Header(**value.pop("header"))
        lost = [(str(reason), int(line), int(at), int(size)) for reason, line, at, size in value.pop("lost")]
        return Tally(header=header, lost=lost, **value)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("the facts of a file do not read") from error


def _encodable(value: Any) -> Any:
    """The value with every text fit for UTF-8; containers are ours and shallow."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value
