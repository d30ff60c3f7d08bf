"""Searching and reading sessions: exact totals, decoded columns, bounds, and nothing unmasked."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_transcripts import ClaudeSession

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import MARK_BYTES, MOST_READ_BYTES, SEARCH_BLOCK_BYTES
from slowwave.records.needles import make_needles
from slowwave.records.read import (
    BoundError,
    SearchResult,
    first_new_line,
    list_sessions,
    read_lines_of,
    search_transcript,
)
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.records.sessions import SessionIndex, scan_folder
from slowwave.records.showing import pieces_of
from slowwave.records.sources import Source

SECRETS = Secrets(deep=False)
TOKEN = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD2fG4hJ6"


def stored(made: ClaudeSession, folder: Path) -> Session:
    """The session as a scan finds it."""
    (folder / f"{made.name}.jsonl").write_text("\n".join(made.lines) + "\n", encoding="utf-8")
    (session,), _ = scan_folder(folder, secrets=SECRETS)
    return session


def search(session: Session, phrase: str, **options: Any) -> SearchResult:
    """A search with own rules."""
    return search_transcript(session, phrase, secrets=SECRETS, **options)


def test_a_phrase_is_found_with_its_place_and_speaker(tmp_path: Path) -> None:
    """Line, column, whose words, and what stands around it."""
    made = ClaudeSession()
    made.user("please fix the lantern")
    made.call("c1", "Bash", {"command": "make lantern"})
    made.result("c1", "lantern: No rule")
    made.agent("The lantern is missing.")
    result = search(stored(made, tmp_path), "lantern")
    assert [(hit.line, hit.column, hit.speaker) for hit in result.hits] == [
        (1, 16, Speaker.USER),
        (2, 6, Speaker.AGENT),
        (3, 1, Speaker.TOOL),
        (4, 5, Speaker.AGENT),
    ]
    assert (result.total, result.is_cut) == (4, False)
    assert result.hits[3].before == "The "
    assert result.hits[3].after.startswith(" is missing.")


@pytest.mark.parametrize("is_ascii", [True, False])
def test_every_spelling_of_a_phrase_is_found(tmp_path: Path, is_ascii: bool) -> None:
    """Quotes, line breaks, slashes and other scripts, in JSON and in JSON inside JSON."""
    phrase = 'say "héllo" 😀\n<a/b>'
    made = ClaudeSession()
    inner = json.dumps({"said": phrase}, ensure_ascii=is_ascii)
    for text in (phrase, inner):
        made.raw(json.dumps({**made.envelope(1), "type": "user", "message": {"content": text}}, ensure_ascii=is_ascii))
    made.raw(made.lines[0].replace("/", "\\/").replace("\\u00e9", "\\u00E9"))
    assert search(stored(made, tmp_path), phrase).total == 3


def test_the_total_is_exact_when_the_listing_is_cut(tmp_path: Path) -> None:
    """Several places on a line and more lines than are shown."""
    made = ClaudeSession()
    for _ in range(40):
        made.user("one two one two one")
    result = search(stored(made, tmp_path), "one", max_hits=7)
    assert (result.total, len(result.hits), result.is_cut) == (120, 7, True)


def test_the_search_agrees_with_reading_everything(shared: Path) -> None:
    """On public sessions: pieces of their own texts are found as often as a full reading finds them."""
    rng = random.Random(11)
    sessions, _ = scan_folder(shared / "transcripts" / "claude-code" / "entireio+cli", secrets=SECRETS)
    for session in sessions[:6]:
        texts = list(all_texts(session))
        for _ in range(3):
            text = rng.choice(texts)
            at = rng.randrange(len(text) - 20)
            phrase, is_ignored = text[at : at + rng.choice([4, 20])], rng.random() < 0.5
            needles = make_needles(phrase, ignore_case=is_ignored)
            expected = sum(len(list(needles.find(each))) for each in texts)
            assert search(session, phrase, ignore_case=is_ignored).total >= expected > 0


def all_texts(session: Session) -> Iterator[str]:
    """Every decoded string of a session that is long enough to take a phrase from."""
    for file in session.files:
        for raw in file.path.read_bytes()[: file.bytes_read].split(b"\n"):
            yield from (piece.text for piece in pieces_of(raw, session.agent) if len(piece.text) > 30)


def test_lines_that_cross_blocks_and_end_without_a_break_are_searched(tmp_path: Path) -> None:
    """A line longer than several blocks, and the last one."""
    made = ClaudeSession()
    made.user("x" * (3 * SEARCH_BLOCK_BYTES) + " needle " + "y" * SEARCH_BLOCK_BYTES)
    made.user("small needle")
    path = tmp_path / f"{made.name}.jsonl"
    path.write_text("\n".join(made.lines), encoding="utf-8")
    (session,), _ = scan_folder(tmp_path, secrets=SECRETS)
    assert [(hit.line, hit.column) for hit in search(session, "needle").hits] == [
        (1, 3 * SEARCH_BLOCK_BYTES + 2),
        (2, 7),
    ]


def test_secrets_leave_masked_and_cannot_be_searched_for(tmp_path: Path) -> None:
    """Not whole, not in part, not by a cut through their middle, not by the number of places."""
    made = ClaudeSession()
    made.user(f"the key is {TOKEN} and the aB3dE word")
    made.call("c1", "mcp__vault__get", {"pass" + "word": "Hunter2swordfish"})
    session = stored(made, tmp_path)
    for phrase in (TOKEN, TOKEN[:12], TOKEN[8:30], "5gH7", "Hunter2"):
        assert search(session, phrase).total == 0
    hit = search(session, " and the").hits[0]
    assert hit.before.endswith("the key is [secret:github-token]")
    assert hit.column == len("the key is [secret:github-token]") + 1
    assert search(session, "aB3dE").total == 1
    for column in range(1, 60):
        for line in read_lines_of(session, 1, 2, secrets=SECRETS, column=column, width=20).lines:
            assert not any(TOKEN[at : at + 6] in line.text for at in range(35))
            assert "unter" not in line.text


def test_lines_are_shown_from_a_column_with_their_whole_length(tmp_path: Path) -> None:
    """Cut at the width, saying so; columns are those of the search."""
    made = ClaudeSession()
    made.user("0123456789" * 100)
    session = stored(made, tmp_path)
    (line,) = read_lines_of(session, 1, 1, secrets=SECRETS, width=5, column=4).lines
    assert (line.text, line.is_cut, line.speaker) == ("34567", True, Speaker.USER)
    assert line.length > 1_000


def test_at_most_32_kib_leave_at_once_and_the_rest_is_pointed_to(tmp_path: Path) -> None:
    """The next line is named; asking on from there reads all."""
    made = ClaudeSession()
    for number in range(90):
        made.user(f"{number} " + "é" * 1_500)
    session = stored(made, tmp_path)
    seen, start = [], 1
    while True:
        result = read_lines_of(session, start, 90, secrets=SECRETS, width=2_000)
        assert sum(len(line.text.encode()) for line in result.lines) <= MOST_READ_BYTES
        seen += [line.line for line in result.lines]
        if result.next_line is None:
            break
        start = result.next_line
    assert seen == list(range(1, 91))


def test_blank_and_damaged_lines_keep_their_numbers(tmp_path: Path) -> None:
    """They are shown as they stand; the last line asked for may lie behind the end."""
    made = ClaudeSession()
    made.user("first")
    made.raw("")
    made.raw('{"type":"user","broken')
    made.user("fourth")
    lines = read_lines_of(stored(made, tmp_path), 1, 99, secrets=SECRETS).lines
    assert [line.line for line in lines] == [1, 2, 3, 4]
    assert (lines[1].text, lines[2].text) == ("", '{"type":"user","broken')
    assert lines[3].text.startswith("fourth")


def test_what_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    """``line 5 of 1``."""
    made = ClaudeSession()
    made.user("only")
    with pytest.raises(BoundError, match="line 5 of 1"):
        read_lines_of(stored(made, tmp_path), 5, 9, secrets=SECRETS)


def test_marks_of_the_index_lead_to_the_same_lines(tmp_path: Path) -> None:
    """With and without them, searching and reading agree; a place read before names its line."""
    made = ClaudeSession()
    for number in range(2_000):
        made.user(f"entry {number:04d} " + "filler " * 20)
    (tmp_path / "root").mkdir()
    session = stored(made, tmp_path / "root")
    index = SessionIndex(tmp_path / "index.db", secrets=SECRETS)
    index.refresh([Source(root=tmp_path / "root")])
    assert len(index.marks(session.path).numbers) > session.bytes // MARK_BYTES // 2
    for number in (1, 2, 777, 1_999):
        phrase = f"entry {number:04d}"
        with_marks = search_transcript(session, phrase, secrets=SECRETS, marks=index.marks)
        assert with_marks == search(session, phrase)
        assert with_marks.hits[0].line == number + 1
        (line,) = read_lines_of(session, number + 1, number + 1, secrets=SECRETS, marks=index.marks).lines
        assert line.text.startswith(phrase)
    offset = sum(len(line.encode()) + 1 for line in made.lines[:1_500])
    assert first_new_line(session, 0, offset, marks=index.marks) == first_new_line(session, 0, offset) == 1_501
    assert first_new_line(session, 0, 0) == 1


def test_sub_agents_files_are_searched_and_read_by_number(tmp_path: Path) -> None:
    """File 0 is the main file, then the side files by name."""
    made = ClaudeSession()
    made.user("ask somebody about lanterns")
    made.side_record("abc", {"type": "assistant", "message": {"content": [{"type": "text", "text": "lanterns glow"}]}})
    folder = tmp_path / made.name / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-abc.jsonl").write_text(made.side["abc"][0] + "\n", encoding="utf-8")
    session = stored(made, tmp_path)
    assert [(hit.file, hit.line) for hit in search(session, "lanterns").hits] == [(0, 1), (1, 1)]
    assert read_lines_of(session, 1, 1, secrets=SECRETS, file=1).lines[0].text.startswith("lanterns glow")


def test_the_list_holds_no_text_of_a_session(tmp_path: Path) -> None:
    """Ids, times and counts, as the tool spells them."""
    made = ClaudeSession()
    made.user("a very private sentence")
    session = stored(made, tmp_path)
    linked = {session.id: [{"path": "memories/a.md", "kind": "semantic", "status": "active"}]}
    (listed,) = list_sessions([session], context=frozenset({session.id}), linked=linked, new_since={session.id: 3})
    assert list(listed) == [
        "id",
        "agent",
        "slug",
        "cwd",
        "started",
        "ended",
        "prompts",
        "turns",
        "bytes",
        "context",
        "linkedMemories",
        "newSinceLine",
    ]
    assert "private" not in json.dumps(listed)
    assert (listed["context"], listed["newSinceLine"], listed["started"]) == (True, 3, "2026-01-05T10:00:01Z")


def test_odd_characters_pass_through(tmp_path: Path) -> None:
    """Half surrogates, zero-width and control characters are found and shown."""
    made = ClaudeSession()
    made.raw(json.dumps({**made.envelope(1), "type": "user", "message": {"content": "a\ud83d b\u200bc \u0000d"}}))
    session = stored(made, tmp_path)
    for phrase in ("b\u200bc", "\u0000d"):
        assert search(session, phrase).total == 1
    assert "b\u200bc" in read_lines_of(session, 1, 1, secrets=SECRETS).lines[0].text


def test_a_line_break_is_a_phrase_like_any_other(tmp_path: Path) -> None:
    """It is found inside texts, and never taken for the end of a line."""
    made = ClaudeSession()
    made.user("one\ntwo\n\nthree")
    made.user("none here")
    session = stored(made, tmp_path)
    assert [search(session, phrase).total for phrase in ("\n", "e\nt", "\n\n", "o\n\nth")] == [3, 1, 1, 1]
    assert search(session, "\nTWO", ignore_case=True).total == 1
