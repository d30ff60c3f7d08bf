"""One entry of the scratch: a line that no capture's words can break out of, with its capture's id in a comment."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from urllib.parse import unquote

from slowwave.facts.capture import Section
from slowwave.facts.limits import MOST_ENTRY_CHARACTERS, MOST_ENTRY_ID
from slowwave.facts.text import cut

_BREAKS = re.compile("[ \t]*[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+[ \t]*")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_HALVES = re.compile("[\ud800-\udfff]")
_UNSAFE_IN_ID = re.compile(
    r"[\x00-\x20\x7f-\xa0%<>\u2000-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff\ud800-\udfff]|--"
)
_ID = re.compile(rb"<!-- (\S+) -->[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a capture says on the page.

    Attributes:
        id: The capture's id.
        section: Where it stands; not the running summary.
        moment: When it was said, aware.
        text: What was said.
    """

    id: str
    section: Section
    moment: datetime
    text: str


def line_of(entry: Entry, *, day: date, zone: tzinfo, mask: Callable[[str], str]) -> bytes:
    """The entry's line without its break: the hour in the zone, and the date where it is not the page's day."""
    local = entry.moment.astimezone(zone)
    when = f"{local:%H:%M}" if local.date() == day else f"{local:%H:%M} ({local.date().isoformat()})"
    text = cut(inert(mask(entry.text)), MOST_ENTRY_CHARACTERS)
    return f"- {when} {text} <!-- {written_id(entry.id)} -->".encode()


def inert(text: str) -> str:
    """The text on one line, as words alone: it opens and closes no comment, and is no heading and no fence."""
    text = _HALVES.sub("\ufffd", _BREAKS.sub(" ", text)).strip()
    text = _CONTROLS.sub(_picture, text).replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    return f"\\{text}" if text.startswith(("#", "```", "~~~")) else text


def written_id(name: str) -> str:
    """An id as it stands in a comment; different ids are written differently."""
    if len(name) > MOST_ENTRY_ID:
        name = "sha256:" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return _UNSAFE_IN_ID.sub(lambda found: _quoted(found.group()), name) or "%"


def ids_in(content: bytes) -> frozenset[str]:
    """Every id that stands at the end of a line, as written."""
    return frozenset(found.decode("utf-8", "replace") for found in _ID.findall(content))


def read_id(written: str) -> str:
    """The id behind its written form; a long one stays its hash."""
    return "" if written == "%" else unquote(written, errors="surrogatepass")


def _quoted(text: str) -> str:
    """Each byte of a text as ``%XX``."""
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
