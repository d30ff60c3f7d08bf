"""Results in Claude Code's records: output, errors, and a person's words hidden in refusals and answers."""

import re
from collections.abc import Mapping
from typing import Any

from slowwave.records.formats.draft import RESULT, SYSTEM, TEXT, TOOL, USER, Draft
from slowwave.records.formats.tools import exit_status

_REFUSALS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected",
    "Error: User rejected",
    "[Request interrupted by user",
    "The user rejected",
    "The agent proposed a plan that was rejected by the user",
    "User declined to answer questions",
)
_SAID = re.compile(
    r"(?:the user said|The user provided the following reason for the rejection|user feedback):[ \t]*\n?"
)
_SAID_WITHIN = 600  # characters; the sentence that leads to a person's words stands at the beginning
_FORM_OPENING = "The user wants to clarify these questions."
_REMINDER = "<system-reminder>"


def read_result(
    block: Mapping[str, Any], beside: object, path: str, *, owns_beside: bool, call: tuple[str, bool]
) -> list[Draft]:
    """The drafts of one ``tool_result`` block.

    Args:
        block: The block.
        beside: The record's ``toolUseResult``.
        path: Where the block stands, such as ``message.content[0]``.
        owns_beside: Whether ``toolUseResult`` belongs to this block: it is the record's only result.
        call: Name of the tool, and whether the call fetched words from outside.
    """
    text = text_of(block.get("content"))
    field = f"{path}.content"
    fields = (field, "toolUseResult") if owns_beside else (field,)
    is_rejected = text.startswith(_REFUSALS) or (isinstance(beside, dict) and beside.get("interrupted") is True)
    status = exit_status(text)
    output, words, reminder = _parts(text, is_rejected=is_rejected)
    more: dict[str, Any] = {
        "tool": call[0],
        "call_id": _string(block.get("tool_use_id")),
        "exit_status": status,
        "is_error": not is_rejected and (block.get("is_error") is True or bool(status)),
        "is_rejected": is_rejected,
        "is_tainted": call[1] and not is_rejected,
    }
    drafts = [Draft(TOOL, RESULT, output, fields, more=more)]
    said_in = fields if isinstance(beside, str) else (field,)
    if words:
        drafts.append(Draft(USER, TEXT, words, said_in, more={"via": "rejection"}))
    if reminder:
        drafts.append(Draft(SYSTEM, TEXT, reminder, (field,), "reminder"))
    if owns_beside and isinstance(beside, dict):
        drafts += _answers(beside)
    return drafts


def text_of(content: object) -> str:
    """The text of a content that is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [part.get("text") if isinstance(part, dict) else part for part in content]
    return "\n".join(text for text in texts if isinstance(text, str))


def _parts(text: str, *, is_rejected: bool) -> tuple[str, str, str]:
    """A result as its output, a person's words and a reminder at the end; each verbatim, one behind the other."""
    if is_rejected and (said := _SAID.search(text, 0, _SAID_WITHIN)):
        at = said.end()
        if text.startswith(_FORM_OPENING, at):
            at = len(text)
        return text[:at], text[at:].strip(), ""
    at = text.find(_REMINDER)
    if at >= 0 and text.rstrip().endswith("</system-reminder>"):
        return text[:at], "", text[at:]
    return text, "", ""


def _answers(beside: Mapping[str, Any]) -> list[Draft]:
    """The answers a person chose or typed, each by its question, and the notes written beside them."""
    answers, notes = beside.get("answers"), beside.get("annotations")
    found: list[tuple[str, object]] = []
    if isinstance(answers, dict):
        found += [(f"answers.{question}", answer) for question, answer in answers.items()]
    if isinstance(notes, dict):
        found += [(f"annotations.{key}.notes", note.get("notes")) for key, note in notes.items() if type(note) is dict]
    return [
        Draft(USER, TEXT, text, (f"toolUseResult.{field}",), more={"via": "answer"})
        for field, text in found
        if isinstance(text, str) and text.strip()
    ]


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
