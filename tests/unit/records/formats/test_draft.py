"""Drafts become entries, words become drafts, and records vote on their format."""

from pathlib import Path

import pytest

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import ENTRY_TEXT_CHARACTERS
from slowwave.records.entries import EntryKind
from slowwave.records.formats import FORMATS, detect_format
from slowwave.records.formats.draft import Draft, Place, make_entry
from slowwave.records.formats.format import VOTERS, vote
from slowwave.records.formats.said import said_by_nobody, said_by_person

PLACE = Place(line=3, part=1, file=2, ts=None, record_id="r")


def test_entry_has_the_place_of_its_record() -> None:
    """Line, part, file and id come from the record, all else from the draft."""
    draft = Draft(Speaker.USER, EntryKind.TEXT, "go on", ("a",), more={"via": "queued"})
    entry = make_entry(draft, PLACE, 4)
    assert (entry.line, entry.part, entry.file, entry.record_id) == (3, 1, 2, "r")
    assert (entry.text, entry.fields, entry.via, dict(entry.args)) == ("go on", ("a",), "queued", {})
    assert entry.origin == "r#4"


def test_text_of_an_entry_is_cut() -> None:
    """Mining sees the first 64 K characters of a text."""
    draft = Draft(Speaker.TOOL, EntryKind.TOOL_RESULT, "x" * (ENTRY_TEXT_CHARACTERS + 1), ())
    assert len(make_entry(draft, PLACE, 0).text) == ENTRY_TEXT_CHARACTERS


def test_identity_is_the_readers_where_it_knows_one() -> None:
    """A key is taken as it is; parts are digested, and where one part ends matters."""
    draft = Draft(Speaker.USER, EntryKind.TEXT, "x", ())
    draft.key = "other#1"
    assert make_entry(draft, PLACE, 0).origin == "other#1"
    draft.key = ("a", "bc")
    first = make_entry(draft, PLACE, 0).origin
    draft.key = ("ab", "c")
    assert make_entry(draft, PLACE, 0).origin != first


@pytest.mark.parametrize(
    ("kind", "injected", "more", "is_copy", "is_person"),
    [
        (EntryKind.TEXT, "", {}, False, True),
        (EntryKind.TEXT, "", {"is_sidechain": True}, False, False),
        (EntryKind.TEXT, "hook", {}, False, False),
        (EntryKind.META, "", {}, False, False),
        (EntryKind.TEXT, "", {}, True, False),
    ],
)
def test_person_is_counted_once_and_for_words(
    kind: EntryKind, injected: str, more: dict[str, object], *, is_copy: bool, is_person: bool
) -> None:
    """A person's draft is text, not injected, no copy and not in a sub-agent's session."""
    draft = Draft(Speaker.USER, kind, "x", (), injected, more=more)
    draft.is_copy = is_copy
    assert draft.is_person is is_person


def test_words_are_cut_into_drafts_of_their_speakers() -> None:
    """A person's pieces and the injected ones share the path of their string."""
    drafts = said_by_person("do it <system-reminder>x</system-reminder>", ("message.content",), via="queued")
    assert [(draft.speaker, draft.injected, draft.fields) for draft in drafts] == [
        (Speaker.USER, "", ("message.content",)),
        (Speaker.SYSTEM, "reminder", ("message.content",)),
    ]
    assert drafts[0].more["via"] == "queued"


def test_nobodys_blank_text_is_nothing() -> None:
    """White space in an injected record is no entry."""
    assert said_by_nobody(" \n", (), "skill") == []


def test_majority_of_the_first_records_decides() -> None:
    """Half is not enough, and records behind the first 400 have no vote."""
    assert vote([{"a": 1}, {"a": 1}, {"b": 1}], lambda record: "a" in record) is True
    assert vote([{"a": 1}, {"b": 1}], lambda record: "a" in record) is False
    assert vote([], lambda record: "a" in record) is False
    late = [{"b": 1}] * VOTERS + [{"a": 1}] * VOTERS * 2
    assert vote(late, lambda record: "a" in record) is False


def test_every_format_is_found_by_its_name() -> None:
    """The names that sessions carry lead back to their formats."""
    assert [each.name for each in FORMATS.values()] == list(FORMATS) == ["claude-code", "codex", "codex-legacy"]


def test_foreign_file_has_no_format() -> None:
    """Records that nobody claims are no transcript."""
    assert detect_format(Path("x.jsonl"), [{"level": "info", "msg": "started"}]) is None
