"""Documents: whatever a file holds, it is read by index, and no operation leaves every byte where it was."""

import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from made_nasty import NASTY
from small_contexts import MAKERS, SESSION, anthropic, bash, chat, claude_code, codex, lines, say, user

from slowwave.disk.fence import FenceError
from slowwave.facts.limits import JSON_DEPTH, READ_BLOCK_BYTES
from slowwave.hygiene import document as document_module
from slowwave.hygiene import lined
from slowwave.hygiene.document import (
    AnyDocument,
    Lines,
    Listed,
    TooLargeError,
    UnknownContextError,
    of_messages,
    open_document,
    read_document,
)
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.rewrite import rewrite, rewrite_messages

BEATS = [user("Look."), bash("ls", lines(9)), say("Done.")]
OLD_CODEX = (
    b'{"id":"11111111-2222-4333-8444-555555555555","timestamp":"2025-08-01T09:00:00Z","instructions":null}\n'
    b'{"record_type":"state"}\n'
    b'{"type":"message","role":"user","content":[{"type":"input_text","text":"Look."}]}\n'
    b'{"type":"function_call","name":"shell","arguments":"{\\"command\\":[\\"ls\\"]}","call_id":"call_1"}\n'
    b'{"type":"function_call_output","call_id":"call_1","output":"a\\nb"}\n'
)


def _written(document: AnyDocument) -> bytes:
    return b"".join(rewrite(document, ()))


@pytest.mark.parametrize("wire", MAKERS)
def test_every_wire_is_known_by_its_content(wire: str) -> None:
    """No name is needed, and no operation leaves the bytes as they were."""
    raw = MAKERS[wire](BEATS)
    document = read_document(raw)
    assert document.wire.name == wire
    assert _written(document) == raw
    assert (document.length, document.digest) == (len(raw), hashlib.sha256(raw).hexdigest())


def test_the_old_form_of_codex_is_known_too() -> None:
    """Bare items behind a head."""
    document = read_document(OLD_CODEX)
    assert document.wire.name == "codex-legacy"
    assert read_context(document).session == SESSION
    assert _written(document) == OLD_CODEX


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("make", [claude_code, codex], ids=["claude-code", "codex"])
def test_whatever_stands_in_a_file_of_lines_it_comes_back_byte_for_byte(name: str, make: Any) -> None:
    """With no operation, and with a session id that nothing in it carries."""
    raw = NASTY[name](make(BEATS))
    document = read_document(raw)
    read_context(document)
    assert _written(document) == raw
    assert b"".join(rewrite(document, (), rename=("nobody's id", "another"))) == raw


@pytest.mark.parametrize("name", NASTY)
def test_whatever_stands_in_a_file_of_lines_its_whole_records_are_read(name: str) -> None:
    """What is damaged costs only itself: the person's words and the agent's are still there."""
    raw = NASTY[name](claude_code(BEATS))
    context = read_context(read_document(raw))
    assert {"Look.", "Done."} <= {context.text(item) for item in context.items}


@pytest.mark.parametrize("wire", ["anthropic-messages", "openai-chat", "openai-responses"])
@pytest.mark.parametrize(
    "nasty",
    [
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: b"\n\n" + raw + b"\n \n",
        lambda raw: raw.replace(b'"Look."', b'"Look.\\ud83d"'),
        lambda raw: raw.replace(b'"Look."', '"Look.\u2028\U0001f600"'.encode()),
        lambda raw: raw.replace(b'"role": "user"', b'"n": 123456789012345678901234567890, "role": "user"', 1),
        lambda raw: raw.replace(b'"role": "user"', b'"role": "tool", "role": "user"', 1),
        lambda raw: b'{"model":"m","stream":false,"' + (b"input" if b"input_text" in raw else b"messages") + b'":'
        + raw + b',"temperature":1e2}',
    ],
    ids=["mark", "crlf", "blank", "half-surrogate", "separator", "huge", "twice", "request"],
)  # fmt: skip
def test_whatever_stands_in_a_list_it_comes_back_byte_for_byte(wire: str, nasty: Any) -> None:
    """One JSON document, bare or inside a request."""
    raw = nasty(MAKERS[wire](BEATS))
    document = read_document(raw)
    assert (document.wire.name, document.count) == (wire, 4)
    read_context(document)
    assert _written(document) == raw


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n\n",
        b"\x00\x00",
        b"hello",
        b"[",
        b"[]",
        b"{}",
        b"null",
        b'"text"',
        b"[1, 2]",
        b'{"messages": 3}',
        b'{"messages": [NaN]}',
        b'[{"role": "user", "content": "\xff"}]',
        b'[{"role": "user", "content": "x", "n": NaN}]',
        b'[{"role": "user", "content": "x"}',
        b'[{"role": "user", "content": "x", "deep": ' + b"[" * 2_000 + b"]" * 2_000 + b"}]",
        b'{"a": 1}\n{"b": 2}\n',
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
)
def test_what_is_no_context_is_said_to_be_none(raw: bytes) -> None:
    """It ends in one error of ours, never in another."""
    with pytest.raises(UnknownContextError) as caught:
        read_document(raw)
    assert caught.value.exit_status == 3


def test_a_list_that_nests_too_deeply_is_none() -> None:
    """Its readers elsewhere would end in it."""
    raw = json.dumps(chat(BEATS))[:-1] + ',{"role":"user","content":' + "[" * JSON_DEPTH + "]" * JSON_DEPTH + "}]"
    with pytest.raises(UnknownContextError):
        read_document(raw.encode())


def test_a_document_that_would_be_held_whole_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of lines is not."""
    monkeypatch.setattr(document_module, "MOST_LIST_BYTES", 500)
    with pytest.raises(TooLargeError):
        read_document(MAKERS["openai-chat"](BEATS))
    assert isinstance(read_document(claude_code(BEATS)), Lines)
    assert isinstance(read_document(b"{\n{\n" + claude_code(BEATS)), Lines)


def test_a_list_on_one_line_and_one_over_many_are_lists() -> None:
    """However it is laid out."""
    for indent in (None, 0, 4):
        raw = json.dumps(anthropic(BEATS), indent=indent).encode()
        assert isinstance(read_document(raw), Listed)
        assert isinstance(read_document(raw + b"\n"), Listed)


def test_a_damaged_list_is_no_file_of_lines() -> None:
    """Of a list whose end is missing, the last message might be read as a record."""
    raw = json.dumps(chat(BEATS * 9), indent=None).replace("}, {", "},\n{").encode()
    with pytest.raises(UnknownContextError):
        read_document(raw[:-1])


def test_messages_on_lines_are_read_as_well() -> None:
    """A generic list may be written a message a line."""
    raw = b"".join(json.dumps(each).encode() + b"\n" for each in chat(BEATS))
    document = read_document(raw)
    assert (document.wire.name, document.count, isinstance(document, Lines)) == ("openai-chat", 4, True)
    assert _written(document) == raw


def test_indices_count_every_line() -> None:
    """Blank lines, damaged ones and lines with several records."""
    first, second, *_ = claude_code(BEATS).splitlines(keepends=True)
    document = read_document(first + b"\n" + b"{torn\n" + first.rstrip(b"\n") + second + second)
    assert document.count == 5
    assert [(index, part) for index, part, _ in document.records()] == [(0, 0), (3, 0), (3, 1), (4, 0)]
    assert [document.is_damaged(index) for index in range(5)] == [False, False, True, False, False]
    assert document.record(3, 1) == json.loads(second)


def test_elements_of_a_list_count_whatever_they_are() -> None:
    """What is no message shows nothing and may not be changed."""
    messages: list[Any] = [*chat(BEATS), None, 7, "text", ["x"]]
    document = read_document(json.dumps(messages).encode())
    assert document.count == 8
    assert [index for index, _, _ in document.records()] == [0, 1, 2, 3]
    assert [document.is_damaged(index) for index in range(8)] == [False] * 4 + [True] * 4
    assert document.record(5, 0) == {}
    assert _written(document) == json.dumps(messages).encode()


def test_messages_in_memory_keep_what_is_no_message() -> None:
    """And every message that no edit names is the very same object."""
    messages: list[Any] = [*chat(BEATS), None, 7]
    told = rewrite_messages(of_messages(messages), ())
    assert all(one is other for one, other in zip(messages, told, strict=True))


@pytest.mark.parametrize("text", ["half \ud83d a pair", "\x00", "a\u2028b", "9" * 400])
def test_messages_in_memory_may_hold_any_text_and_any_number(text: str) -> None:
    """Also those that JSON libraries disagree about."""
    messages = [*chat([user(text), bash("ls", text)]), {"role": "user", "content": "x", "huge": 10**40, "more": (1, 2)}]
    document = of_messages(messages)
    assert document.count == 4
    assert read_context(document).items
    assert b"".join(rewrite(document, ()))


def test_a_record_is_read_again_while_all_are_read() -> None:
    """Whoever looks something up meanwhile does not lead the reading astray."""
    raw = claude_code([say(f"word {number} " + "x" * 9_000) for number in range(60)])
    document = read_document(raw)
    seen = []
    for index, _, record in document.records():
        seen.append(record["uuid"])
        if index > 3:
            assert document.record(0, 0)["uuid"] == seen[0]
            assert isinstance(document, lined.Lines)
            assert document.raw(1).startswith(b'{"parentUuid"')
    assert seen == [json.loads(line)["uuid"] for line in raw.splitlines()]


def test_only_so_much_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that were decoded are forgotten again, by their number and by their size."""
    document = read_document(claude_code([say("x" * 2_000) for _ in range(200)]))
    assert isinstance(document, Lines)
    for index in range(200):
        document.record(index, 0)
    assert len(document._recent) == lined._REMEMBERED
    monkeypatch.setattr(lined, "_REMEMBERED_BYTES", 10_000)
    document.record(0, 0)
    assert len(document._recent) < 5
    assert document._held == sum(size for size, _ in document._recent.values())


def test_what_is_written_behind_meanwhile_is_not_looked_at(tmp_path: Path) -> None:
    """The document is what the file was when it was opened."""
    path, raw = tmp_path / "s.jsonl", claude_code(BEATS)
    path.write_bytes(raw)
    document = open_document(path)
    with path.open("ab") as stream:
        stream.write(b'{"type":"user"}\n')
    assert _written(document) == raw
    assert (document.count, document.length) == (4, len(raw))
    document.close()


def test_the_digest_is_of_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer between two reads adds nothing to it."""
    raw = claude_code(BEATS)

    class Growing(io.BytesIO):
        def seek(self, at: int, whence: int = os.SEEK_SET) -> int:
            found = super().seek(at, whence)
            if whence == os.SEEK_END:
                super().write(b"more\n")
            return found

    document = document_module.document_of(Growing(raw))
    assert (document.length, document.digest) == (len(raw), hashlib.sha256(raw).hexdigest())


def test_no_link_and_no_other_thing_is_opened(tmp_path: Path) -> None:
    """What leads elsewhere is refused, what is not there is not there."""
    (tmp_path / "real").write_bytes(claude_code(BEATS))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "."):
        with pytest.raises((FenceError, OSError)):
            open_document(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        open_document(tmp_path / "missing")


def test_bytes_between_lines_are_all_bytes() -> None:
    """Also those behind the last whole line, and across blocks."""
    raw = claude_code([say("x" * 50_000) for _ in range(2 + READ_BLOCK_BYTES // 25_000)]) + b'{"torn'
    document = read_document(raw)
    assert isinstance(document, Lines)
    assert b"".join(document.bytes_between(0, document.count)) == raw
    middle = document.count // 2
    halves = [document.bytes_between(0, middle), document.bytes_between(middle, document.count)]
    assert b"".join(block for half in halves for block in half) == raw
    assert document.raw(0) == raw.splitlines(keepends=True)[0]
