"""Queued words in Claude Code: heard once, wherever they stand."""

from collections.abc import Mapping
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats.claude_code import ClaudeCode
from slowwave.records.lines import Line


def envelope(number: int) -> dict[str, Any]:
    """What every record of a message carries."""
    return {
        "uuid": f"u{number}",
        "parentUuid": None,
        "sessionId": "s",
        "timestamp": f"2026-01-02T03:04:{number % 60:02}.000Z",
        "isSidechain": False,
    }


def user(number: int, content: object, **more: object) -> dict[str, Any]:
    """A user record."""
    return {**envelope(number), "type": "user", "message": {"role": "user", "content": content}, **more}


def entries(*records: Mapping[str, Any]) -> list[Entry]:
    """The entries of these records, one a line."""
    lines = [Line(number, 0, 1, (record,)) for number, record in enumerate(records, 1)]
    return list(ClaudeCode().entries(lines))


def people(found: list[Entry]) -> list[str]:
    """What persons said, each thing once."""
    return [entry.text for entry in found if entry.is_person and entry.kind is EntryKind.TEXT and not entry.is_copy]


def enqueue(text: str, second: int = 0) -> dict[str, Any]:
    """A person typed while the agent worked."""
    return {
        "type": "queue-operation",
        "operation": "enqueue",
        "content": text,
        "timestamp": f"2026-01-02T03:05:{second:02}.000Z",
    }


def attached(number: int, text: str, mode: str = "prompt") -> dict[str, Any]:
    """The queued text reached a running turn."""
    return {
        **envelope(number),
        "type": "attachment",
        "attachment": {"type": "queued_command", "prompt": text, "commandMode": mode},
    }


def test_queued_words_are_a_persons() -> None:
    """What stands in the queue alone was typed all the same."""
    (entry,) = entries(enqueue("also run the linter"))
    assert (entry.speaker, entry.via, entry.text) == (Speaker.USER, "queued", "also run the linter")


def test_queued_words_count_once() -> None:
    """Queue, attachment and message with the same words are one utterance."""
    assert people(entries(enqueue("stop"), attached(2, "stop"))) == ["stop"]
    assert people(entries(enqueue("stop"), user(2, "stop"))) == ["stop"]
    found = entries(enqueue("stop"), attached(2, "stop"))
    assert found[0].origin == found[1].origin


def test_two_queued_texts_may_arrive_as_one_message() -> None:
    """Claude Code joins what was queued; each piece is still known."""
    event = "<ci-monitor-event>red</ci-monitor-event>"
    found = entries(enqueue(event), enqueue("skip it", 1), user(3, f"{event}\nskip it"))
    assert people(found) == ["skip it"]


def test_words_said_again_later_are_said_again() -> None:
    """A queued text answers for one message, not for every later one."""
    assert people(entries(enqueue("continue"), user(2, "continue"), user(3, "continue"))) == ["continue", "continue"]


def test_attached_notification_is_nobodys() -> None:
    """Only prompts in the queue were typed."""
    (entry,) = entries(attached(1, "task 5 is done", "task-notification"))
    assert entry.injected == "notification"
