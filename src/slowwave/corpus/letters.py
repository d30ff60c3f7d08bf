"""Characters that have no business in a memory: controls, escapes, overrides and invisible letters."""

import re

_ESCAPES = re.compile("[\x1b\x90\x9b\x9d-\x9f]")
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]|\r(?!\n)"
)
_JOINER_AFTER_ASCII = re.compile("(?:^|[\x00-\x7f])[\u200c\u200d]", re.MULTILINE)


def holds_escape(text: str) -> bool:
    """Whether a text holds a terminal escape: ESC itself, or an 8-bit introducer of a control sequence."""
    return _ESCAPES.search(text) is not None


def holds_control(text: str) -> bool:
    """Whether a text holds control, bidirectional-override, tag or zero-width characters other than escapes.

    Tab, line feed and the CR before one are fine; so are the joiners that Persian, Indic scripts and emoji need,
    unless they follow an ASCII letter, where they only hide something.
    """
    rest = _ESCAPES.sub("", text)
    return _FORBIDDEN.search(rest) is not None or _JOINER_AFTER_ASCII.search(rest) is not None
