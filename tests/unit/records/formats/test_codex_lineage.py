"""Whose history a Codex file holds: copies are known as copies, and new words as new."""

from collections.abc import Mapping
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats.codex import Codex
from slowwave.records.lines import Line

PARENT = "019d7d08-46c9-7f73-affe-4e6ca9852d56"  # born before the parent's turn below
CHILD = "019d7e30-2f7a-7f60-a942-c59ab0be98d9"  # born between that turn and its own
PARENT_TURN = "019d7d08-f1d2-78a1-ae52-df8e21f9b394"
CHILD_TURN = "019d7e30-2f9f-7863-a692-e2b1b7cfe3f4"


def record(kind: str, **payload: object) -> dict[str, Any]:
    """A record of the envelope form."""
    return {"timestamp": "2026-04-11T20:16:20.376Z", "type": kind, "payload": payload}


def item(kind: str, **payload: object) -> dict[str, Any]:
    """An item of the conversation."""
    return record("response_item", type=kind, **payload)


def event(kind: str, **payload: object) -> dict[str, Any]:
    """An event beside it."""
    return record("event_msg", type=kind, **payload)


def message(role: str, *texts: str) -> dict[str, Any]:
    """A message item."""
    name = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": name, "text": text} for text in texts])


def meta(session: str, **payload: object) -> dict[str, Any]:
    """The header of a session."""
    return record("session_meta", id=session, timestamp="2026-04-11T14:53:07.660Z", **payload)


def turn(turn_id: str) -> dict[str, Any]:
    """The beginning of a turn."""
    return event("task_started", turn_id=turn_id)


def shell(call_id: str, command: str) -> dict[str, Any]:
    """A call of the shell."""
    return item("function_call", name="exec_command", arguments=f'{{"cmd":"{command}"}}', call_id=call_id)


def entries(*records: Mapping[str, Any]) -> list[Entry]:
    """The entries of these records, one a line."""
    lines = [Line(number, 0, 1, (held,)) for number, held in enumerate(records, 1)]
    return list(Codex().entries(lines))


def spoken(found: list[Entry], speaker: Speaker) -> list[str]:
    """What somebody said, each thing once."""
    return [
        entry.text
        for entry in found
        if entry.speaker is speaker and entry.kind is EntryKind.TEXT and not entry.is_copy and not entry.injected
    ]


def history() -> list[dict[str, Any]]:
    """What was said in the parent before the child was born."""
    return [
        turn(PARENT_TURN),
        message("user", "review it all"),
        event("user_message", message="review it all"),
        shell("c1", "ls"),
        item("function_call_output", call_id="c1", output="a"),
        message("assistant", "I will send a reviewer."),
    ]


def origins(found: list[Entry]) -> list[str]:
    """Identities of what was said, called and returned."""
    return [entry.origin for entry in found if entry.kind is not EntryKind.META]


def test_copied_history_has_the_identity_it_has_at_home() -> None:
    """A fork's copy of its parent's records is the same observation as theirs."""
    at_home = entries(meta(PARENT), *history())
    in_fork = entries(meta(CHILD, forked_from_id=PARENT), meta(PARENT), *history(), turn(CHILD_TURN))
    assert origins(in_fork) == origins(at_home)


def test_what_a_fork_says_itself_is_its_own() -> None:
    """Behind the first turn that was born in the fork, equal words are new words."""
    at_home = entries(meta(PARENT), *history())
    in_fork = entries(
        meta(CHILD, forked_from_id=PARENT), meta(PARENT), *history(), turn(CHILD_TURN), message("user", "review it all")
    )
    assert in_fork[-1].text == "review it all"
    assert in_fork[-1].origin not in origins(at_home)
    assert in_fork[-1].is_person


def test_sub_agents_prompt_is_nobodys_and_its_words_are_aside() -> None:
    """In a sub-agent's own turns no person speaks; in the copied history the person's words stay theirs."""
    source = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}
    found = entries(
        meta(CHILD, source=source),
        meta(PARENT),
        *history(),
        turn(CHILD_TURN),
        message("user", "Review commit 1"),
        message("assistant", "It is fine."),
    )
    assert spoken(found, Speaker.USER) == ["review it all"]
    assert (found[-2].injected, found[-2].is_sidechain) == ("prompt", True)
    assert found[-1].is_sidechain


def test_header_written_again_changes_nothing() -> None:
    """A resumed session repeats its own header."""
    plain = entries(meta(PARENT), *history())
    resumed = entries(meta(PARENT), *history()[:1], meta(PARENT), *history()[1:])
    assert origins(plain) == origins(resumed)
