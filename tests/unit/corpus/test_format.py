"""The file of a memory: written, read back, edited."""

from dataclasses import replace

import pytest
from made_memories import MOMENT, full_memory, memory, task

from slowwave.corpus.format import KEYS, FormatError, amend, content_hash, edit_keys, parse, read, render
from slowwave.corpus.matter import take_apart
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Entity, Kind, Memory, Status, TaskStatus

PATH = MemoryPath("projects/payments/a.md")
BY_HAND = b"""\xef\xbb\xbf---\r
# my own comment\r
colour: blue # a key of mine\r
kind: semantic\r
tags:\r
  - one\r
  - two\r
\r
nested: {a: [1, 2]}\r
created: 2026-01-02\r
content_hash: x\r
---\r
\r
#  A claim  with blanks \r
\r
Text.\r
"""


def codes(content: bytes) -> list[str]:
    """The codes of all that is wrong with a file's form."""
    try:
        return [fault.code for fault in read(content, PATH).faults]
    except FormatError as error:
        return [refusal.code for refusal in error.refusals]


@pytest.mark.parametrize(
    "one", [memory(), full_memory(), task(), memory(body="")], ids=["bare", "full", "task", "claim"]
)
def test_a_rendered_memory_reads_back_equal(one: Memory) -> None:
    """Reading what was written gives the same memory, and writing that gives the same bytes."""
    content = render(one)
    found = parse(content, PATH)

    assert replace(found, project="") == replace(one, project="")
    assert render(found) == content


def test_the_project_comes_from_the_path() -> None:
    """A memory's project is where its file stands, and no key says so."""
    assert parse(render(memory()), PATH).project == "payments"
    assert b"project" not in render(full_memory()).split(b"---")[1].replace(b"projects/", b"")


def test_keys_stand_in_the_fixed_order() -> None:
    """Front matter is written in the order of the standard, whatever the memory."""
    full = tuple(take_apart(render(full_memory()), PATH).fields)
    assert full == tuple(key for key in KEYS if key in full)
    assert full == KEYS[:-4]
    assert tuple(take_apart(render(task()), PATH).fields)[-4:] == KEYS[-4:]


def test_a_key_without_value_is_left_out() -> None:
    """A bare memory has nine keys, none of them empty."""
    assert tuple(take_apart(render(memory()), PATH).fields) == (
        *("kind", "status", "created", "updated", "confidence", "importance", "content_hash", "author", "seen_count"),
    )


@pytest.mark.parametrize(
    "word",
    ["no", "010", "1.5", "null", "2026-01-02", "a: b", "- x", "#x", "'q'", '"q"', "é", "a\tb", "\u2028", "\x85", "*a"],
)
def test_every_string_stays_the_string_it_was(word: str) -> None:
    """No tag turns into a number, a date, a truth value or YAML syntax."""
    assert parse(render(memory(tags=(word, "x"), author=word)), PATH).tags == (word, "x")


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    """Half a character, as broken JSON leaves it, is written as what UTF-8 can hold, and the hash agrees."""
    reading = read(render(memory("Half \ud83d here.", "\udc00", tags=("\ud800",))), PATH)
    assert (reading.memory.claim, reading.memory.body, reading.memory.tags) == ("Half ? here.", "?", ("?",))
    assert reading.content_hash == content_hash("Half \ud83d here.", "\udc00")


def test_files_by_hand_are_read_forgivingly() -> None:
    """Comments, unknown and nested keys, block lists, dates without hour and Windows line ends are understood."""
    reading = read(BY_HAND, PATH)

    assert reading.faults == ()
    assert reading.memory.claim == "A claim with blanks"
    assert reading.memory.tags == ("one", "two")
    assert reading.memory.updated == reading.memory.created
    assert reading.memory.author == "human"
    assert [key for key, _ in reading.memory.extra] == ["", "colour", "nested"]


def test_unknown_lines_survive_a_rendering_as_they_were() -> None:
    """A memory carries the lines of keys nobody here knows, letter for letter."""
    again = render(read(BY_HAND, PATH).memory)
    assert b"\ncolour: blue # a key of mine\nnested: {a: [1, 2]}\n---" in again
    assert parse(again, PATH).extra == read(BY_HAND, PATH).memory.extra


def test_editing_one_key_changes_one_line() -> None:
    """Every other byte of a person's file stays, the byte-order mark and line ends too."""
    edited = edit_keys(BY_HAND, {"created": "2026-01-03T00:00:00Z"})
    assert edited == BY_HAND.replace(b"created: 2026-01-02", b"created: 2026-01-03T00:00:00Z")


def test_a_list_over_several_lines_becomes_one_line() -> None:
    """Editing a block list replaces its lines and leaves the blank line behind it."""
    edited = edit_keys(BY_HAND, {"tags": ("three",)})
    assert edited == BY_HAND.replace(b"tags:\r\n  - one\r\n  - two\r\n", b"tags: [three]\r\n")


def test_a_key_is_added_at_the_end_and_removed_whole() -> None:
    """A new key comes last; removing it gives the old bytes back."""
    added = edit_keys(BY_HAND, {"seen_count": "2"})
    assert b"content_hash: x\r\nseen_count: 2\r\n---" in added
    assert edit_keys(added, {"seen_count": None, "absent": None}) == BY_HAND


def test_amending_writes_only_what_differs() -> None:
    """A reinforced memory changes its two lines in a person's file, its hash is corrected, nothing else."""
    seen = replace(read(BY_HAND, PATH).memory, seen_count=2, last_seen=MOMENT)
    amended = amend(BY_HAND, seen, PATH)

    hashed = content_hash("A claim with blanks", "Text.").encode()
    new = b"content_hash: " + hashed + b"\r\nlast_seen: 2026-03-04T05:06:07Z\r\nseen_count: 2\r\n---"
    assert amended == BY_HAND.replace(b"content_hash: x\r\n---", new)
    assert amend(amended, seen, PATH) == amended


def test_amending_a_claim_keeps_the_front_matter_and_the_line_ends() -> None:
    """A new claim is written below, in the file's own kind of line ends."""
    amended = amend(BY_HAND, replace(read(BY_HAND, PATH).memory, claim="Other.", body="More."), PATH)
    assert amended.endswith(b"---\r\n\r\n# Other.\r\n\r\nMore.\r\n")
    assert parse(amended, PATH).extra == read(BY_HAND, PATH).memory.extra


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"kind: procedural", b"kind: poem", "unknown_kind"),
        (b"kind: procedural\n", b"", "missing_key"),
        (b"status: active", b"status: gone", "unknown_status"),
        (b"created: 2026-03-04T05:06:07Z", b"created: yesterday", "bad_date"),
        (b"created: 2026-03-04T05:06:07Z\n", b"", "missing_key"),
        (b"seen_count: 1", b"seen_count: 1\ndue: 2026-02-30", "task_fields_on_non_task"),
        (b"seen_count: 1", b"seen_count: 1\nevent_at: 2026-02-30", "bad_date"),
        (b"seen_count: 1", b"seen_count: 1.5", "bad_number"),
        (b"importance: 5", b"importance: 11", "bad_number"),
        (b"confidence: 0.5", b"confidence: nan", "bad_number"),
        (b"seen_count: 1", b"seen_count: 1\nentities: ['tool:']", "bad_entity"),
        (b"seen_count: 1", b"seen_count: 1\nkind: task", "duplicate_key"),
        (b"seen_count: 1", b"seen_count: &a 1", "unparseable"),
        (b"seen_count: 1", b"seen_count: 1\nx: *a", "unparseable"),
        (b"seen_count: 1", b"seen_count: !!int 1", "unparseable"),
        (b"seen_count: 1", b"seen_count: [1", "unparseable"),
        (b"seen_count: 1", b"seen_count: [1]", "unparseable"),
        (b"seen_count: 1", b"x: " + b"[" * 99 + b"]" * 99, "unparseable"),
        (b"seen_count: 1", b"  seen_count: 1", "unparseable"),
        (b"seen_count: 1", b"seen_count: 1\n...\nx: y", "unparseable"),
        (b"seen_count: 1", b"a: b\rc: d", "unparseable"),
        (b"# Run", b"Run", "missing_claim"),
        (b"# Run the tests through uv.", b"#  ", "missing_claim"),
        (b"---\n\n#", b"\n\n#", "unparseable"),
        (b"---\nkind", b"kind", "unparseable"),
        (b"Plain", b"\xff", "unparseable"),
        (b"Plain", b"x" * 300_000, "too_large"),
        (b"seen_count: 1", b"x: " + b"y" * 200_000, "too_large"),
    ],
)
def test_what_is_wrong_has_a_code(old: bytes, new: bytes, code: str) -> None:
    """Each fault a hand can make is named, and none is a crash."""
    content = render(memory())
    assert content.count(old)
    assert codes(content.replace(old, new, 1)) == [code]


def test_all_faults_come_together() -> None:
    """One reading lists everything that is wrong, and still says what the rest is."""
    reading = read(b"---\nkind: poem\nstatus: x\ndue: 1\n---\nno claim\n", PATH)
    assert [fault.code for fault in reading.faults] == [
        "missing_claim",
        "missing_key",
        "unknown_kind",
        "unknown_status",
        "task_fields_on_non_task",
        "missing_key",
    ]
    assert reading.memory.body == "no claim"


def test_a_strict_reading_refuses_with_every_fault() -> None:
    """``parse`` raises one damage error that carries all refusals."""
    with pytest.raises(FormatError) as caught:
        parse(b"---\nkind: poem\n---\n# x\n", PATH)
    assert {refusal.code for refusal in caught.value.refusals} == {"unknown_kind", "missing_key"}
    assert caught.value.exit_status == 4


def test_an_entity_without_type_is_unknown() -> None:
    """A bare name and a drive letter become ``unknown:``; a typed one keeps its case."""
    content = render(memory()).replace(b"seen_count", b"entities: [Maria, 'C:x', Tool:Pytest]\nseen_count")
    assert parse(content, PATH).entities == (
        Entity("unknown", "Maria"),
        Entity("unknown", "C:x"),
        Entity("Tool", "Pytest"),
    )


def test_a_task_without_status_is_open_and_faulty() -> None:
    """A task's own fields are read, and its missing status is named."""
    content = render(task()).replace(b"task_status: proposed\n", b"")
    reading = read(content, PATH)
    assert [fault.code for fault in reading.faults] == ["missing_key"]
    assert reading.memory.task is not None
    assert reading.memory.task.task_status is TaskStatus.OPEN
    assert reading.memory.kind is Kind.TASK
    assert reading.memory.status is Status.ACTIVE


def test_bookkeeping_never_looks_like_new_content() -> None:
    """The hash of a memory stays when only its numbers change."""
    one = parse(render(memory()), PATH)
    assert (
        take_apart(render(replace(one, seen_count=9)), PATH).fields["content_hash"]
        == (take_apart(render(one), PATH).fields["content_hash"])
    )
