"""What a text says once it is decoded: a claim that spells an order in base64 orders it all the same."""

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from slowwave.facts.limits import DECODED_CHARACTERS

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4096}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[ :]?){12,2048}")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_LEAST_READABLE = 0.9


def decodings(text: str) -> Iterator[str]:
    """The text in other spellings, as far as it has any: percent signs, entities, rot13, base64 and hexadecimal runs.

    Only the first ``DECODED_CHARACTERS`` are looked at; a run that decodes to no readable text is left out.
    """
    head = text[:DECODED_CHARACTERS]
    if _PERCENT.search(head):
        yield unquote(head, errors="replace")
    if "&" in head:
        yield html.unescape(head)
    yield codecs.encode(head, "rot13")
    for run in _BASE64.finditer(head):
        yield from _readable(_from_letters(run.group()))
    for run in _HEX.finditer(head):
        yield from _readable(bytes.fromhex("".join(c for c in run.group() if c not in " :")))


def _from_letters(run: str) -> bytes:
    letters = run.rstrip("=").replace("-", "+").replace("_", "/")
    padded = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        return base64.b64decode(padded + "=" * (-len(padded) % 4))
    except binascii.Error:
        return b""


def _readable(raw: bytes) -> Iterator[str]:
    text = raw.decode("utf-8", "replace")
    shown = sum(character.isprintable() and character != "\ufffd" for character in text)
    if text and shown >= len(text) * _LEAST_READABLE:
        yield text
