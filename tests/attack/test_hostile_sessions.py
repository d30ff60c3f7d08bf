"""Ids, names and texts that try to lead out, to hang, or to fill the memory."""

import json
import time
from pathlib import Path

import pytest

from slowwave.disk.fence import FenceError, open_beneath
from slowwave.facts.ids import is_safe_session_id
from slowwave.records.read import read_lines_of, search_transcript
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder

SECRETS = Secrets(deep=False)


@pytest.fixture(scope="module")
def traversals(shared: Path) -> list[str]:
    """7,271 names and paths that try to leave a folder."""
    with (shared / "attack" / "path_traversal.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def test_no_traversal_opens_anything_outside(traversals: list[str], tmp_path: Path) -> None:
    """Each is refused, or names a file below the root that does not exist."""
    root = tmp_path / "deep" / "root"
    root.mkdir(parents=True)
    for text in traversals:
        with pytest.raises((FenceError, OSError)):
            open_beneath(root, text)


def test_no_traversal_is_an_id(traversals: list[str], tmp_path: Path) -> None:
    """As a session's id each is kept out of the listing and replaced by a derived one."""
    unsafe = [text for text in traversals if not is_safe_session_id(text)][:200]
    for number, text in enumerate(unsafe):
        record = {"type": "user", "uuid": str(number), "sessionId": text, "message": {"content": "hello"}}
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    sessions, report = scan_folder(tmp_path, secrets=SECRETS)
    assert all(session.id.startswith("x-") for session in sessions)
    assert report.renamed == len(unsafe)
    assert sum(session.prompts for session in sessions) >= len(set(unsafe))


def test_names_with_line_breaks_and_escapes_are_only_names(tmp_path: Path) -> None:
    """A file may be called anything."""
    record = json.dumps({"type": "user", "uuid": "1", "message": {"content": "hi"}, "sessionId": "one"})
    for name in ("-rf.jsonl", "a\nb.jsonl", "\x1b[31m.jsonl", "é\u202e.jsonl"):
        (tmp_path / name).write_text(record + "\n", encoding="utf-8")
    (tmp_path / b"\xff\xfe.jsonl".decode("utf-8", "surrogateescape")).write_text(record + "\n", encoding="utf-8")
    (session,), report = scan_folder(tmp_path, secrets=SECRETS)
    assert (session.id, len(session.files) + report.superseded) == ("one", 5)


def test_hostile_lines_cost_little(tmp_path: Path) -> None:
    """Deep, wide, long and repeated JSON is scanned, searched and shown within seconds."""
    envelope = {"type": "user", "sessionId": "s"}
    wide = json.dumps({**envelope, "uuid": "w", "message": {"content": "w"}, "k": ["x"] * 200_000})
    good = json.dumps({**envelope, "uuid": "g", "message": {"content": "needle"}})
    lines = [good, '{"a":' * 100_000, "[" * 1_000_000, wide, '{"type":"user","x":"' + "y" * 5_000_000 + '"}', good]
    (tmp_path / "s.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    start = time.perf_counter()
    (session,), report = scan_folder(tmp_path, secrets=SECRETS)
    assert search_transcript(session, "needle", secrets=SECRETS).total == 2
    assert len(read_lines_of(session, 1, 6, secrets=SECRETS).lines) == 6
    assert time.perf_counter() - start < 20
    assert sum(report.losses.values()) == 2
