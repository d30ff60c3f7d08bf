"""Sessions are found, kept up to date and told apart, with real files on a real disk."""

import json
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from slowwave.records.secrets import Secrets
from slowwave.records.sessions import ScanReport, Session, SessionIndex, examine, scan_folder
from slowwave.records.sources import Exclusions, Source, default_sources

SECRETS = Secrets(deep=False)
FIRST = "aaaaaaaa-0000-4000-8000-000000000001"
SECOND = "aaaaaaaa-0000-4000-8000-000000000002"


def record(session: str, number: int, text: str = "do it", **more: Any) -> dict[str, Any]:
    """One user message of Claude Code."""
    return {
        "type": "user",
        "uuid": f"{session}-{number}",
        "sessionId": session,
        "timestamp": f"2026-03-01T10:00:{number % 60:02d}.000Z",
        "cwd": "/home/someone/lantern",
        "gitBranch": "main",
        "message": {"role": "user", "content": f"{text} {number}"},
        **more,
    }


def lines(records: Sequence[object]) -> bytes:
    """Records as a file holds them."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A projects folder with one session of ten prompts."""
    folder = tmp_path / "projects" / "-home-someone-lantern"
    folder.mkdir(parents=True)
    (folder / f"{FIRST}.jsonl").write_bytes(lines([record(FIRST, number) for number in range(10)]))
    return tmp_path / "projects"


def main_file(root: Path, session: str = FIRST) -> Path:
    """Where a session's main file lies."""
    return root / "-home-someone-lantern" / f"{session}.jsonl"


class Watched:
    """An index over one root, refreshed on demand."""

    def __init__(self, root: Path, db: Path) -> None:
        self.root = root
        self.index = SessionIndex(db, secrets=SECRETS)

    def look(self, exclusions: Exclusions | None = None) -> ScanReport:
        """Refresh."""
        return self.index.refresh([Source(root=self.root)], exclusions)

    def only(self) -> Session:
        """The one session there is."""
        (session,) = self.index.sessions()
        return session


@pytest.fixture
def watched(root: Path, tmp_path: Path) -> Watched:
    """The root's index, once refreshed."""
    watched = Watched(root, tmp_path / "index.db")
    watched.look()
    return watched


def test_a_session_is_told_by_what_it_holds(watched: Watched) -> None:
    """Folder, branch, span, counts and a title stand in the index."""
    session = watched.only()
    assert (session.id, session.agent, session.project, session.branch) == (FIRST, "claude-code", "lantern", "main")
    assert (session.prompts, session.lines, session.title) == (10, 10, "do it 0")
    assert session.started
    assert session.ended
    assert (session.ended - session.started).seconds == 9


def test_what_did_not_change_is_not_read_again(watched: Watched) -> None:
    """A second look reads nothing and finds the same."""
    before = watched.index.sessions()
    assert watched.look().new_bytes == 0
    assert watched.index.sessions() == before


def test_a_grown_file_is_read_from_where_it_was_left(watched: Watched, root: Path) -> None:
    """Only the tail is read; counts go on; an unterminated record waits for its end."""
    more = lines([record(FIRST, 10)])
    with main_file(root).open("ab") as file:
        file.write(more + b'{"type":"user","uuid":"half')
    assert watched.look().new_bytes == len(more)
    assert (watched.only().prompts, watched.only().lines) == (11, 11)
    prefix = watched.only().files[0].identity.prefix_digest
    with main_file(root).open("ab") as file:
        file.write(b'","sessionId":"' + FIRST.encode() + b'"}\n')
    watched.look()
    assert watched.only().lines == 12
    assert watched.only().files[0].identity.prefix_digest == prefix


@pytest.mark.parametrize("way", ["rewritten", "shrunk", "replaced"])
def test_a_file_that_is_another_one_is_read_anew(watched: Watched, root: Path, way: str) -> None:
    """However it changed, the counts are those of the new content."""
    path = main_file(root)
    content = lines([record(FIRST, number, "other") for number in range(20 if way == "rewritten" else 5)])
    if way == "replaced":
        (path.parent / "new").write_bytes(content)
        (path.parent / "new").replace(path)
    else:
        path.write_bytes(content)
    report = watched.look()
    assert report.new_bytes == len(content)
    assert watched.only().prompts == (20 if way == "rewritten" else 5)


def test_a_deleted_file_is_dropped_and_counted_and_an_emptied_root_is_told(watched: Watched, root: Path) -> None:
    """A folder that was full and is empty is not the same as one that always was."""
    content = main_file(root).read_bytes()
    main_file(root).unlink()
    for _ in range(2):
        report = watched.look()
        assert (report.gone, report.sessions, report.emptied) == (1, 0, (root,))
    main_file(root).write_bytes(content)
    report = watched.look()
    assert (report.gone, report.sessions, report.emptied) == (0, 1, ())


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100, None])
def test_a_damaged_or_foreign_index_is_made_again(root: Path, tmp_path: Path, damage: bytes | None) -> None:
    """The index is derived: nothing is lost with it."""
    db = tmp_path / "index.db"
    first = Watched(root, db)
    first.look()
    first.index.close()
    if damage is None:
        with sqlite3.connect(db) as connection:
            connection.execute("PRAGMA user_version = 999")
        connection.close()
    else:
        db.write_bytes(damage)
    again = Watched(root, db)
    assert again.look().new_bytes > 0
    assert again.only().prompts == 10


def test_sub_agents_belong_to_their_session(watched: Watched, root: Path) -> None:
    """In the folder beside it and, as older versions had it, right beside it."""
    aside = [record(FIRST, number, isSidechain=True, agentId="abc") for number in range(3)]
    folder = main_file(root).with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-abc.jsonl").write_bytes(lines(aside))
    (root / "-home-someone-lantern" / "agent-def.jsonl").write_bytes(
        lines([{**each, "agentId": "def", "uuid": each["uuid"] + "d"} for each in aside])
    )
    watched.look()
    session = watched.only()
    assert [path.name for path in session.side_files] == ["agent-abc.jsonl", "agent-def.jsonl"]
    assert (session.prompts, session.lines) == (10, 16)


def test_a_sub_agent_without_its_session_is_kept(root: Path) -> None:
    """Its parent is named though it is gone; nothing is lost."""
    main_file(root).unlink()
    path = root / "-home-someone-lantern" / "agent-abc.jsonl"
    path.write_bytes(lines([record(FIRST, 1, isSidechain=True, agentId="abc")]))
    (session,), _ = scan_folder(root, secrets=SECRETS)
    assert (session.parent, session.relation, session.prompts) == (FIRST, "subagent", 0)


def test_growth_snapshots_count_once(root: Path) -> None:
    """A byte prefix of a longer file with the same id is no session of its own."""
    content = main_file(root).read_bytes()
    for number, size in enumerate((400, len(content) - 1, len(content))):
        (root / f"snapshot-{number}").mkdir()
        (root / f"snapshot-{number}" / "full.jsonl").write_bytes(content[:size])
    (session,), report = scan_folder(root, secrets=SECRETS)
    assert session.prompts == 10
    assert report.superseded == 3


def test_two_files_of_one_session_that_share_records_count_once(root: Path) -> None:
    """A copy that went on differently is a further part; what both hold is counted once."""
    shared = [record(FIRST, number) for number in range(5)]
    (root / "copy").mkdir()
    (root / "copy" / "full.jsonl").write_bytes(lines([*shared, record(FIRST, 90)]))
    (session,), report = scan_folder(root, secrets=SECRETS)
    assert (len(session.files), session.prompts, report.superseded) == (2, 10, 0)


def test_a_fork_knows_its_parent(root: Path) -> None:
    """It begins with its parent's records under an id of its own."""
    parent = [record(FIRST, number) for number in range(10)]
    fork = [{**each, "sessionId": SECOND} for each in parent] + [record(SECOND, 59)]
    main_file(root, SECOND).write_bytes(lines(fork))
    sessions, _ = scan_folder(root, secrets=SECRETS)
    assert {session.id: (session.parent, session.relation) for session in sessions} == {
        FIRST: (None, ""),
        SECOND: (FIRST, "fork"),
    }


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "x" * 300, "nul\0", "..", "-rf"])
def test_an_unsafe_id_is_replaced_and_counted(root: Path, name: str) -> None:
    """Nothing is lost and no path is ever made of it."""
    main_file(root).write_bytes(lines([record(name, number) for number in range(3)]))
    (session,), report = scan_folder(root, secrets=SECRETS)
    assert session.id.startswith("x-")
    assert (session.prompts, report.renamed) == (3, 1)


def test_links_are_not_followed_and_counted(root: Path, tmp_path: Path) -> None:
    """Neither a linked file nor a linked folder is read."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / f"{SECOND}.jsonl").write_bytes(lines([record(SECOND, 1)]))
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    (root / "linked.jsonl").symlink_to(tmp_path / "elsewhere" / f"{SECOND}.jsonl")
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.jsonl")
    sessions, report = scan_folder(root, secrets=SECRETS)
    assert [session.id for session in sessions] == [FIRST]
    assert sorted(skipped.reason for skipped in report.skipped) == ["link", "link", "link", "not_regular"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_told_and_the_rest_goes_on(root: Path) -> None:
    """One file without permission costs that file."""
    main_file(root, SECOND).write_bytes(lines([record(SECOND, 1)]))
    main_file(root, SECOND).chmod(0)
    sessions, report = scan_folder(root, secrets=SECRETS)
    assert len(sessions) == 1
    assert [skipped.reason for skipped in report.skipped] == ["permission"]


def test_a_missing_root_and_strange_files_are_told(root: Path, tmp_path: Path) -> None:
    """Empty files, other lists of objects and other agents' files are no sessions and no errors."""
    (root / "empty.jsonl").write_bytes(b"")
    (root / "numbers.jsonl").write_bytes(b'{"a": 1}\n{"a": 2}\n')
    (root / "gemini.jsonl").write_bytes(b'{\n  "sessionId": "x",\n  "projectHash": "y",\n  "messages": []\n}\n')
    (root / "binary.jsonl").write_bytes(bytes(range(256)) * 10)
    _, report = scan_folder(root, secrets=SECRETS)
    assert {skipped.path.name: skipped.reason for skipped in report.skipped} == {
        "empty.jsonl": "empty",
        "numbers.jsonl": "not_transcript",
        "gemini.jsonl": "unsupported:gemini-cli",
        "binary.jsonl": "not_transcript",
    }
    assert report.unsupported == {"gemini-cli": 1}
    nothing, report = scan_folder(tmp_path / "none", secrets=SECRETS)
    assert (nothing, report.skipped[0].reason) == ((), "missing")


def test_exclusions_hold_for_paths_projects_folders_and_ids(watched: Watched) -> None:
    """Whatever the person names, the session is not offered, and that is counted."""
    for exclusions in (
        Exclusions(paths=("*/-home-someone-*",)),
        Exclusions(projects=frozenset({"lantern"})),
        Exclusions(projects=frozenset({"/home/someone"})),
        Exclusions(sessions=frozenset({FIRST})),
    ):
        report = watched.look(exclusions)
        assert (report.sessions, report.excluded, watched.index.sessions()) == (0, 1, ())
    assert watched.look(Exclusions(projects=frozenset({"lant", "/home/some"}))).sessions == 1


def test_losses_are_counted_with_file_and_place(root: Path) -> None:
    """A damaged line costs that line."""
    content = main_file(root).read_bytes()
    main_file(root).write_bytes(content + b"[1]\n" + content[:40] + b"\n" + lines([record(FIRST, 11)]))
    report = examine([Source(root=root)], secrets=SECRETS)
    assert report.losses == {"not_object": 1, "torn": 1}
    assert [(loss.line, loss.offset) for loss in report.loss_list] == [(11, len(content)), (12, len(content) + 4)]
    assert sum(report.entries.values()) == 11


def test_a_title_and_a_folder_hide_secrets(root: Path) -> None:
    """Nothing unmasked is stored."""
    token = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD2fG4hJ6"
    first = record(FIRST, 1, f"use {token} for it", cwd=f"/home/{token}")
    main_file(root).write_bytes(lines([first, record(FIRST, 2)]))
    (session,), _ = scan_folder(root, secrets=SECRETS)
    assert session.title.startswith("use [secret:github-token] for it")
    assert session.cwd == "/home/[secret:github-token]"


def test_the_default_folders_follow_the_agents_own_variables(tmp_path: Path) -> None:
    """``CLAUDE_CONFIG_DIR`` and ``CODEX_HOME`` move them."""
    plain = [source.root for source in default_sources({}, tmp_path)]
    assert plain == [tmp_path / ".claude" / "projects", tmp_path / ".codex" / "sessions"]
    moved = default_sources({"CLAUDE_CONFIG_DIR": "/a", "CODEX_HOME": "/b"}, tmp_path)
    assert [source.root for source in moved] == [Path("/a/projects"), Path("/b/sessions")]


def test_numbered_chunks_continue_their_file(root: Path) -> None:
    """``full.jsonl.001`` is a part of ``full.jsonl``; without it, it is a session of its own."""
    (root / "chunked").mkdir()
    (root / "chunked" / "full.jsonl").write_bytes(lines([record(SECOND, number) for number in range(3)]))
    (root / "chunked" / "full.jsonl.001").write_bytes(lines([record(SECOND, number) for number in range(3, 5)]))
    sessions, _ = scan_folder(root / "chunked", secrets=SECRETS)
    assert [len(session.files) for session in sessions] == [2]
    (root / "chunked" / "full.jsonl").unlink()
    sessions, _ = scan_folder(root / "chunked", secrets=SECRETS)
    assert [(session.id, session.prompts) for session in sessions] == [(SECOND, 2)]


def test_the_public_sessions_are_found(shared: Path) -> None:
    """All 35 Claude Code and Codex files are read, the growth series is one session, other agents are named."""
    sessions, report = scan_folder(shared / "transcripts", secrets=SECRETS)
    assert report.formats == {"claude-code": 25, "codex": 8, "codex-legacy": 2}
    assert report.superseded == 2
    assert report.losses == {"not_object": 4, "torn": 2}
    assert report.unsupported["gemini-cli"] == 4
    assert len({session.id for session in sessions}) == len(sessions) == report.sessions


def test_history_copied_into_a_sub_agents_rollout_counts_at_home(shared: Path) -> None:
    """Codex copies the parent's prompts into the file of a sub-agent; they are nobody's prompts there."""
    sessions, _ = scan_folder(shared / "transcripts" / "codex" / "entireio+git-sync", secrets=SECRETS)
    asides = [session for session in sessions if session.relation == "subagent"]
    assert len(asides) == 3
    assert [session.prompts for session in asides] == [0, 0, 0]
    assert all(session.parent for session in asides)
