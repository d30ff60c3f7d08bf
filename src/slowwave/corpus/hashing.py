"""The content hash: what a memory says, whatever the bookkeeping around it."""

import hashlib
import re

from slowwave.facts.text import fold

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


def content_hash(claim: str, body: str) -> str:
    """SHA-256 over the claim, a line feed and the body, 64 hex digits.

    White space counts as one blank outside fenced code and is dropped at the ends of each stretch of prose; fenced
    code counts letter by letter, but for the kind of line end. So re-wrapping a paragraph is no new content, and
    re-indenting a script is.
    """
    return hashlib.sha256(f"{fold(claim)}\n{normal_body(body)}".encode("utf-8", "replace")).hexdigest()


def normal_body(body: str) -> str:
    """The body as the hash sees it."""
    parts: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in body.replace("\r\n", "\n").split("\n"):
        found = _FENCE.match(line)
        if not fence and found is None:
            prose.append(line)
            continue
        if not fence and found is not None:
            fence = found.group(1)
            parts.extend(_folded(prose))
            prose = []
        elif found is not None and _closes(found.group(1), line, fence):
            fence = ""
        parts.append(line)
    parts.extend(_folded(prose))
    return "\n".join(parts)


def _folded(prose: list[str]) -> list[str]:
    text = fold("\n".join(prose))
    return [text] if text else []


def _closes(mark: str, line: str, fence: str) -> bool:
    return mark[0] == fence[0] and len(mark) >= len(fence) and line.strip() == mark
