"""Names of things: session, run, item and memory ids, each its own type.

A session id comes from somebody else's file, so it is held to a grammar before it is used for anything; no path is
ever built from one. Item ids are digests of content, so that the same finding has the same id every night.
"""

import hashlib
import re
from typing import NewType

SessionId = NewType("SessionId", str)
RunId = NewType("RunId", str)
ItemId = NewType("ItemId", str)
MemoryPath = NewType("MemoryPath", str)

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}")
ITEM_DIGITS = 12  # 48 bits: one accidental pair is expected among 16 million items


def is_safe_session_id(text: str) -> bool:
    """Whether a session id may be shown, stored and compared: no separators, no ``..``, at most 128 characters."""
    return _SESSION.fullmatch(text) is not None and ".." not in text


def digest(*parts: str) -> str:
    """A SHA-256 over the parts, unambiguous about where one ends; 64 hex digits."""
    hasher = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        hasher.update(len(raw).to_bytes(8, "big"))
        hasher.update(raw)
    return hasher.hexdigest()


def item_id(*parts: str) -> ItemId:
    """The stable id of a reviewable item, from what it says and where that stands."""
    return ItemId("i-" + digest(*parts)[:ITEM_DIGITS])
