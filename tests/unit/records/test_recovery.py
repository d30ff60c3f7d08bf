"""Recovery: every whole record of a damaged line is found, and every lost byte is named."""

import pytest

from slowwave.records.recovery import Gap, depth, recover

USER = b'{"type":"user","uuid":"u1","message":{"role":"user","content":"hello there"}}'
AGENT = b'{"type":"assistant","uuid":"a1","message":{"content":[{"type":"text","text":"hi"}]}}'


def ids(raw: bytes) -> list[object]:
    """The ids of the records on a line."""
    return [record.get("uuid") for record in recover(raw).records]


@pytest.mark.parametrize("between", [b"", b" ", b"\r"])
def test_two_glued_records_are_both_read(between: bytes) -> None:
    """Two whole records on one line lose nothing."""
    found = recover(USER + between + AGENT)
    assert [record["uuid"] for record in found.records] == ["u1", "a1"]
    assert found.gaps == ()


@pytest.mark.parametrize("cut", range(1, len(USER)))
def test_record_behind_a_cut_one_is_read_wherever_the_cut_is(cut: int) -> None:
    """A record cut at any byte costs its own bytes; the complete one behind it is read, and nothing false is."""
    found = recover(USER[:cut] + AGENT)
    assert [record["uuid"] for record in found.records] == ["a1"]
    assert [(gap.start, gap.end) for gap in found.gaps] == [(0, cut)]


@pytest.mark.parametrize("cut", range(1, len(AGENT)))
def test_rest_of_a_cut_record_makes_no_record(cut: int) -> None:
    """A record whose beginning is lost is not half believed: its inner objects are no records."""
    assert ids(USER + AGENT[cut:]) == ["u1"]


@pytest.mark.parametrize("cut", range(1, len(AGENT)))
def test_torn_record_alone_makes_no_record(cut: int) -> None:
    """The beginning of a record alone holds no record either."""
    assert ids(AGENT[:cut]) == []


def test_nul_runs_around_records_are_binary_losses() -> None:
    """NUL before, between and behind records is lost as binary, byte for byte."""
    found = recover(b"\x00" * 5 + USER + b"\x00" * 3 + AGENT + b"\x00" * 2)
    assert len(found.records) == 2
    end = 5 + len(USER)
    last = end + 3 + len(AGENT)
    assert found.gaps == (Gap("binary", 0, 5), Gap("binary", end, end + 3), Gap("binary", last, last + 2))


def test_nul_inside_a_text_keeps_the_record_and_is_named() -> None:
    """NUL inside a string is kept as a character and counted as damage."""
    found = recover(USER.replace(b"hello", b"he\x00\x00o"))
    assert found.records[0]["message"]["content"] == "he\x00\x00o there"
    assert [(gap.reason, gap.end - gap.start) for gap in found.gaps] == [("binary", 2)]


def test_garbage_between_records_is_lost_alone() -> None:
    """Words that are no JSON cost themselves only."""
    found = recover(b"oops " + USER + b" ?? " + AGENT + b" end")
    assert len(found.records) == 2
    assert [gap.reason for gap in found.gaps] == ["bad_json"] * 3


@pytest.mark.parametrize("escape", ["\\ud83d", "\\udc00", "x\\ud83dy", "\\ud83d\\u0041"])
def test_half_a_surrogate_pair_is_replaced(escape: str) -> None:
    """A lone surrogate becomes U+FFFD, so that the text can be encoded; the record is kept."""
    found = recover(USER.replace(b"hello", escape.encode()))
    text = found.records[0]["message"]["content"]
    assert "\ufffd" in text
    assert text.encode("utf-8")


def test_whole_surrogate_pair_and_escaped_backslash_are_left_alone() -> None:
    """Only lone surrogates are touched: a pair is one character, and an escaped backslash begins no escape."""
    found = recover(USER.replace(b"hello", b"\\ud83d\\ude00 \\\\ud83d \\udc00"))
    assert found.records[0]["message"]["content"] == "\U0001f600 \\ud83d \ufffd there"


def test_bytes_that_are_no_text_are_replaced() -> None:
    """Bad UTF-8 inside a string becomes U+FFFD; the record is kept."""
    found = recover(USER.replace(b"hello", b"h\xff\xc3llo"))
    assert found.records[0]["message"]["content"] == "h\ufffd\ufffdllo there"


def test_raw_control_characters_in_a_string_are_kept() -> None:
    """A writer that did not escape a tab wrote a readable record all the same."""
    assert recover(USER.replace(b"hello", b"he\tllo")).records[0]["message"]["content"] == "he\tllo there"


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
def test_what_is_no_number_is_refused(number: bytes) -> None:
    """NaN and Infinity are no JSON; such a record is lost as bad JSON."""
    found = recover(b'{"type":"user","x":' + number + b"}")
    assert found.records == ()
    assert [gap.reason for gap in found.gaps] == ["bad_json"]


def test_number_with_a_million_digits_costs_no_time() -> None:
    """A huge whole number is read as the infinity it is to any 64-bit reader."""
    found = recover(b'{"type":"user","x":' + b"9" * 1_000_000 + b"}")
    assert found.records[0]["x"] == float("inf")


def test_last_of_two_equal_keys_counts() -> None:
    """As in the agents' own readers, the last value of a repeated key wins."""
    assert recover(b"\x00" + b'{"type":"user","type":"assistant"}').records[0]["type"] == "assistant"


def test_depth_counts_containers_and_stops() -> None:
    """Depth is counted level by level, up to one more than asked for."""
    assert depth("text", 3) == 0
    assert depth({}, 3) == 1
    assert depth({"a": [{"b": 1}]}, 3) == 3
    assert depth([[[[[[]]]]]], 3) == 4
