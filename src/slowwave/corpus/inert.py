"""A claim made harmless for places that programs read as Markdown or as guidance."""

import re

from slowwave.facts.text import fold, showable

_PART = re.compile(
    r"(?P<code>`[^`]{1,300}`)|(?P<address>(?:https?|ftp)://[^\s`]+|www\.[^\s`]+|mailto:[^\s`]+)|(?P<mark>[\\`*\[\]<>~|])",
    re.IGNORECASE,
)
_BLOCK_MARK = re.compile(r"^(?=[#+=-])")


def make_inert(claim: str) -> str:
    """The claim on one line in which only code spans are markup.

    Links, images, HTML, comments and fences show as the characters they are made of; an address stands as code, to be
    read and not followed; what a terminal would act on becomes visible.
    """
    return _BLOCK_MARK.sub(r"\\", _PART.sub(_harmless, showable(fold(claim))))


def _harmless(found: re.Match[str]) -> str:
    part = found.group()
    if found.lastgroup == "address":
        return f"`{part}`"
    if found.lastgroup == "code" and "<!--" not in part and "-->" not in part:
        return part
    return "".join(f"\\{letter}" if letter in "\\`*[]<>~|" else letter for letter in part)
