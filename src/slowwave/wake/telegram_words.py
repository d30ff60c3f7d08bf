"""What a Telegram message says: captures out of its words, or why there are none."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Protocol

from slowwave.facts.capture import Capture, Tag
from slowwave.facts.text import is_visible

SOURCE = "telegram"
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@[A-Za-z0-9_]+)?(?:\s+|$)")
_TAG_OF = {
    "remind": Tag.FOLLOW_UP,
    "followup": Tag.FOLLOW_UP,
    "follow_up": Tag.FOLLOW_UP,
    "file": Tag.FILE_THIS,
    "file_this": Tag.FILE_THIS,
    "observe": Tag.OBSERVATION,
    "observation": Tag.OBSERVATION,
    "note": Tag.NOTE_TO_SELF,
    "note_to_self": Tag.NOTE_TO_SELF,
    "ask": Tag.ASK_NEXT_SESSION,
    "ask_next_session": Tag.ASK_NEXT_SESSION,
}
_OF_THE_APP = {"start", "stop", "help", "settings"}
"""Commands that Telegram's own screens send; they say nothing to keep."""
_FORWARDED = ("forward_origin", "forward_date", "forward_from", "forward_from_chat", "via_bot")


class Tagged(Protocol):
    """One tag of a text, as the extractor of tags gives it."""

    @property
    def tag(self) -> Tag:
        """Which."""
        ...

    @property
    def text(self) -> str:
        """What stands in it."""
        ...


class Extracted(Protocol):
    """What the extractor of tags found in a text."""

    @property
    def captures(self) -> Sequence[Tagged]:
        """In order."""
        ...

    @property
    def unclosed(self) -> int:
        """Tags that were never closed."""
        ...


Extract = Callable[[str], Extracted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What a message holds.

    Attributes:
        captures: In order; a message is stored once however often it comes, since their ids are made of its own.
        unclosed: Tags in it that were never closed.
        reason: Why there is no capture: ``without_text``, ``command``; empty where there is one.
    """

    captures: tuple[Capture, ...] = ()
    unclosed: int = 0
    reason: str = ""


def understand(message: Mapping[str, Any], peer: int, *, extract: Extract, zone: tzinfo, now: datetime) -> Understood:
    """Captures of a message of an allowed chat.

    Tags in it are captures each; a command such as ``/remind`` is one; without either it is a note to self. A message
    that was forwarded holds somebody else's words: no tag and no command in it counts, and it is a note.
    """
    text = next((said for key in ("text", "caption") if isinstance(said := message.get(key), str)), "").strip()
    if not is_visible(text):
        return Understood(reason="without_text")
    written = _written(message, zone, now)
    name = f"{SOURCE}-{peer}-{message.get('message_id')}"
    if any(message.get(key) for key in _FORWARDED):
        return Understood(captures=(_capture(name, written, Tag.NOTE_TO_SELF, text),))
    command = _COMMAND.match(text)
    word = command.group(1).lower() if command else ""
    if command and word in _TAG_OF:
        rest = text[command.end() :].strip()
        said = _reminder(rest) if word == "remind" else rest
        made = (_capture(name, written, _TAG_OF[word], said),) if is_visible(rest) else ()
        return Understood(captures=made, reason="" if made else "without_text")
    if word in _OF_THE_APP:
        return Understood(reason="command")
    found = extract(text)
    captures = tuple(
        _capture(f"{name}-{number}" if number > 1 else name, written, one.tag, one.text)
        for number, one in enumerate(found.captures, start=1)
    )
    note = (_capture(name, written, Tag.NOTE_TO_SELF, text),)
    return Understood(captures=captures or note, unclosed=found.unclosed)


def _reminder(text: str) -> str:
    """The words of ``/remind`` as a person would say them, so that whoever judges sees what is asked for."""
    return f"remind {text}" if re.match(r"(?i)(?:me|us)\b", text) else f"remind me {text}"


def _written(message: Mapping[str, Any], zone: tzinfo, now: datetime) -> datetime:
    """When it was written, in the loop's zone: Telegram says the second, never the writer's zone."""
    date = message.get("date")
    if isinstance(date, int) and date is not True and 0 < date < 10**11:
        return datetime.fromtimestamp(date, zone)
    return now.astimezone(zone)


def _capture(name: str, ts: datetime, tag: Tag, text: str) -> Capture:
    # Half a character, as a broken client may send it, is written as U+FFFD.
    kept = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Capture(id=name, ts=ts, tag=tag, text=kept, source=SOURCE)
