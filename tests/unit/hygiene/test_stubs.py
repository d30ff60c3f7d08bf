"""Stubs and notes: closed templates that are read back by themselves, and that nobody is taken to have said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.facts.markers import NOTE_BEGIN, NOTE_END, STUB_BEGIN, STUB_END
from slowwave.hygiene import stubs
from slowwave.hygiene.hits import Detector
from slowwave.hygiene.notes import MOST_NOTE_CHARACTERS
from slowwave.hygiene.stubs import MOST_STUB_CHARACTERS, REASONS, Form, Stub, is_stub, stub_of, trimmed
from slowwave.records.injected import split

DIGEST = "0123456789abcdef"
LINE = stubs.stub(tool="Bash", characters=1_234, lines=40, reason="dup_call", digest=DIGEST)
EXAMPLES = [
    LINE,
    stubs.stub(tool="", characters=0, lines=1, reason="asked", digest=DIGEST),
    stubs.image_stub(tool="Read", images=2, digest=DIGEST),
    stubs.earlier_copy("reminder", DIGEST),
    stubs.thinking_stub(),
    stubs.note(4, "four repeated schedule notices, all idle"),
    stubs.note(1),
]
DIGESTS = st.text(alphabet="0123456789abcdef", min_size=16, max_size=16)
SIZES = st.integers(-5, 10**15)


def test_a_stub_says_everything_that_is_needed() -> None:
    """What it was, how large, why it went, and how to get it back."""
    assert LINE == (
        "[slowwave:pruned Bash result (1234 characters, 40 lines): an equal call gave the same output later; "
        "slowwave hygiene recall 0123456789abcdef]"
    )


def test_every_detector_has_a_reason_in_words() -> None:
    """And no reason has two."""
    assert set(REASONS) == {detector.value for detector in Detector}
    assert len(set(REASONS.values())) == len(REASONS)


@pytest.mark.parametrize("text", EXAMPLES)
def test_what_we_write_is_one_line_between_our_marks(text: str) -> None:
    """Plain characters, short, and known again."""
    assert text.isascii()
    assert text.isprintable()
    assert (text.startswith(STUB_BEGIN) and text.endswith(STUB_END)) or (
        text.startswith(NOTE_BEGIN) and text.endswith(NOTE_END)
    )
    assert len(text) < MOST_STUB_CHARACTERS
    assert is_stub(text)


@pytest.mark.parametrize("text", EXAMPLES)
def test_nobody_is_taken_to_have_said_it(text: str) -> None:
    """Each is injected text, all of it, also beside a person's words."""
    assert split(text) == [(0, len(text), "memory")]
    beside = f"Please go on.\n{text}\nThank you."
    assert [beside[start:end].strip() for start, end, reason in split(beside) if not reason] == [
        "Please go on.",
        "Thank you.",
    ]


def test_the_longest_of_everything_still_fits() -> None:
    """With the longest name, figures and reason."""
    for reason in REASONS:
        line = stubs.stub(tool="x" * 200, characters=10**30, lines=10**30, reason=reason, digest=DIGEST)
        assert len(line) < MOST_STUB_CHARACTERS
        assert is_stub(line)


@given(
    tool=st.text(max_size=90), characters=SIZES, lines=SIZES, reason=st.sampled_from(sorted(REASONS)), digest=DIGESTS
)
def test_a_stub_is_read_back_exactly(tool: str, characters: int, lines: int, reason: str, digest: str) -> None:
    """Whatever a tool is called."""
    line = stubs.stub(tool=tool, characters=characters, lines=lines, reason=reason, digest=digest)
    held = stub_of(line)
    assert held is not None
    assert (held.form, held.reason, held.digest) == (Form.RESULT, reason, digest)
    assert held.line() == line
    assert set(held.name) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-")
    assert split(line) == [(0, len(line), "memory")]
    image = stubs.image_stub(tool=tool, images=characters, digest=digest, reason=reason)
    copy = stubs.earlier_copy(tool, digest)
    assert [one.line() for one in (stub_of(image), stub_of(copy)) if one] == [image, copy]


def test_a_stub_gives_its_fields() -> None:
    """As they were handed in."""
    assert stub_of(LINE) == Stub(
        form=Form.RESULT, name="Bash", reason="dup_call", digest=DIGEST, characters=1_234, lines=40
    )
    assert stub_of(stubs.thinking_stub()) == Stub(form=Form.THINKING)
    assert stub_of(stubs.image_stub(tool="mcp__a:b", images=1, digest=DIGEST)) == Stub(
        form=Form.IMAGES, name="mcp__a:b", reason="media_old", digest=DIGEST, images=1
    )
    assert stub_of(stubs.earlier_copy("hook", DIGEST)) == Stub(
        form=Form.COPY, name="hook", reason="reinjected", digest=DIGEST
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "[slowwave:pruned ]", "[slowwave:pruned anything]", LINE[:-1], LINE + " ", " " + LINE,
        LINE.replace("1234", "01234"),
        LINE.replace("Bash", "B sh"), LINE.replace("40 lines", "1 lines"), LINE.replace("equal", "other"),
        LINE.replace("recall", "Recall"), LINE.replace("cdef", "cde"), LINE[:-1] + "; rm -rf]", LINE.upper(),
        f"{NOTE_BEGIN}{NOTE_END}",
        f"{NOTE_BEGIN}hello{NOTE_END}", stubs.note(2) + "x", stubs.note(2).replace("2", "two"), "x\n" + LINE,
        LINE.replace("1234", "\u0661\u0662"),
    ],
)  # fmt: skip
def test_a_look_alike_is_no_stub(text: str) -> None:
    """Only what the templates write."""
    assert stub_of(text) is None
    assert not is_stub(text)


@pytest.mark.parametrize(
    ("reason", "digest"), [("nobody", DIGEST), ("asked", ""), ("asked", "g" * 16), ("asked", DIGEST * 2)]
)
def test_what_is_not_ours_makes_no_stub(reason: str, digest: str) -> None:
    """A fault of whoever calls."""
    with pytest.raises(ValueError, match="of a stub"):
        stubs.stub(tool="x", characters=1, lines=1, reason=reason, digest=digest)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("mcp__files__read", "mcp__files__read"), ("a] ignore me [b", "aignoremeb"), ("\x1b[31m", "31m"),
        ("x\ny", "xy"),
        ("</slowwave-note>", "slowwave-note"), ("", "tool"), ("日本", "tool"), ("x" * 99, "x" * 40),
    ],
)  # fmt: skip
def test_names_are_cleaned_and_cut(name: str, shown: str) -> None:
    """Nothing in a name can close the stub or speak."""
    held = stub_of(stubs.stub(tool=name, characters=1, lines=1, reason="asked", digest=DIGEST))
    assert held is not None
    assert held.name == shown


def test_a_trimmed_payload_keeps_its_lines_word_for_word() -> None:
    """Under the stub, with what is missing counted."""
    text = trimmed(LINE, [(0, "first"), (1, "  second\r"), (5, "[... 3 lines]"), (9, "last")], 11)
    assert text.split("\n") == [
        LINE,
        "first",
        "  second\r",
        "[... 3 lines]",
        "[... 3 lines]",
        "[... 3 lines]",
        "last",
        "[... 1 line]",
    ]
    assert stub_of(text) == stub_of(LINE)
    assert is_stub(text)


def test_a_trimmed_payload_may_keep_all_or_nothing() -> None:
    """Gaps stand only where something is missing."""
    assert trimmed(LINE, [(0, "a"), (1, "b")], 2) == f"{LINE}\na\nb"
    assert trimmed(LINE, [], 3) == f"{LINE}\n[... 3 lines]"
    assert trimmed(LINE, [], 0) == LINE


@pytest.mark.parametrize("kept", [[(1, "a"), (1, "b")], [(2, "a"), (1, "b")], [(3, "a")], [(-1, "a")]])
def test_lines_that_stay_are_numbered_upwards(kept: list[tuple[int, str]]) -> None:
    """Within the payload."""
    with pytest.raises(ValueError, match="numbered upwards"):
        trimmed(LINE, kept, 3)


@given(lines=st.lists(st.text(alphabet="ab[]. 1", max_size=6), max_size=12), pick=st.sets(st.integers(0, 11)))
def test_nothing_is_lost_or_added_in_a_trim(lines: list[str], pick: set[int]) -> None:
    """Kept lines and gaps together are as many lines as there were."""
    kept = [(number, line) for number, line in enumerate(lines) if number in pick]
    told = trimmed(LINE, kept, len(lines)).split("\n")[1:]
    expected: list[str] = []
    missing = 0
    for number, line in enumerate([*lines, None]):
        if number in pick or line is None:
            expected += [f"[... {missing} line{'' if missing == 1 else 's'}]"] if missing else []
            expected += [line] if line is not None else []
            missing = 0
        else:
            missing += 1
    assert told == expected


def test_a_note_says_how_many_and_what() -> None:
    """Or only how many."""
    assert stubs.note(4, "four idle polls") == (
        "<slowwave-note v=1>4 messages, newest kept: four idle polls</slowwave-note>"
    )
    assert stubs.note(3) == "<slowwave-note v=1>3 messages, newest kept</slowwave-note>"


@given(count=SIZES, words=st.text(max_size=400))
def test_no_words_break_out_of_a_note(count: int, words: str) -> None:
    """Even of those that nobody checked."""
    text = stubs.note(count, words)
    assert is_stub(text)
    assert "\n" not in text
    assert len(text) < MOST_NOTE_CHARACTERS + 100
    assert split(text) == [(0, len(text), "memory")]
