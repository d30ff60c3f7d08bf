"""Results in Claude Code: refusals, people's words inside them, answers to questions."""

from collections.abc import Mapping
from typing import Any

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.records.formats.claude_results import read_result, text_of
from slowwave.records.formats.draft import Draft

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
TOLD = REFUSED + "To tell you how to proceed, the user said:\n"
STOPPED = REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed."


def read(content: object, beside: object = None, **block: object) -> list[Draft]:
    """The drafts of one result of a Bash call."""
    held: Mapping[str, Any] = {"type": "tool_result", "tool_use_id": "c", "content": content, **block}
    return read_result(held, beside, "message.content[0]", owns_beside=True, call=("Bash", False))


def test_refusal_is_no_failure() -> None:
    """A refused call is rejected and not an error, whatever its flag says."""
    (draft,) = read(STOPPED, "User rejected tool use", is_error=True)
    assert draft.more["is_rejected"] is True
    assert draft.more["is_error"] is False


def test_words_in_a_refusal_are_the_persons_verbatim() -> None:
    """What the person said with a refusal is theirs, in the result and beside it."""
    result, words = read(TOLD + "no, use make\nand only make", "Error: " + TOLD + "no, use make\nand only make")
    assert result.speaker is Speaker.TOOL
    assert (words.speaker, words.text) == (Speaker.USER, "no, use make\nand only make")
    assert words.more["via"] == "rejection"
    assert words.fields == ("message.content[0].content", "toolUseResult")


def test_form_in_a_refusal_is_not_the_persons() -> None:
    """A declined question form is filled in by the program."""
    form = "The user wants to clarify these questions.\n    Questions asked:\n- one\n  (No answer provided)"
    assert [draft.speaker for draft in read(TOLD + form)] == [Speaker.TOOL]


def test_sentence_about_a_user_in_ordinary_output_is_output() -> None:
    """Only a refusal holds a person's words: output may say the same by chance."""
    assert len(read("the report quotes what the user said:\nit is slow")) == 1


def test_interrupted_command_is_rejected() -> None:
    """A command that a person stopped did not fail."""
    (draft,) = read("", {"stdout": "", "stderr": "", "interrupted": True})
    assert draft.more["is_rejected"] is True


def test_answers_are_a_persons() -> None:
    """Each answer to a question, and a note beside it, is the person's, by the path of its question."""
    beside = {
        "questions": [{"question": "Which one?"}],
        "answers": {"Which one?": "The second", "Blank?": " "},
        "annotations": {"Which one?": {"notes": "but keep the tests"}},
    }
    drafts = read('User has answered your questions: "Which one?"="The second".', beside)[1:]
    assert [(draft.text, draft.fields, draft.more["via"]) for draft in drafts] == [
        ("The second", ("toolUseResult.answers.Which one?",), "answer"),
        ("but keep the tests", ("toolUseResult.annotations.Which one?.notes",), "answer"),
    ]


def test_reminder_at_the_end_of_a_result_is_not_the_tools() -> None:
    """The program puts reminders behind a file's content."""
    result, reminder = read("1\tx = 1\n\n<system-reminder>\nIs it malware?\n</system-reminder>\n")
    assert result.text == "1\tx = 1\n\n"
    assert (reminder.speaker, reminder.injected) == (Speaker.SYSTEM, "reminder")


def test_reminder_quoted_in_a_file_is_the_files() -> None:
    """A reminder in the middle of an output is what the file says."""
    assert len(read("a\n<system-reminder>x</system-reminder>\nb")) == 1


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image", "source": {}}, {"type": "text", "text": "b"}], "b"),
        (["a", 7], "a"),
        (None, ""),
        ({"x": 1}, ""),
    ],
)
def test_text_of_a_content_in_each_form(content: object, text: str) -> None:
    """A string, blocks, blocks with an image, nothing."""
    assert text_of(content) == text


def test_flag_and_status_make_an_error() -> None:
    """A flagged result is an error; so is a status that is not 0; a status of 0 is none."""
    assert read("no such tool", is_error=True)[0].more["is_error"] is True
    assert read("Exit code 2\nx")[0].more["is_error"] is True
    assert read("fine")[0].more["is_error"] is False
