"""The hygienist through the real command line: looked at, judged, carried out, brought back, and every refusal."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place, Ran
from made_secrets import own_shapes
from small_contexts import SESSION, Beat, bash, claude_code, codex, lines, notice, read, say, user

from slowwave.hygiene.document import read_document
from slowwave.hygiene.items import Kind
from slowwave.hygiene.reading import read_context

NOW = datetime(2026, 6, 1, tzinfo=UTC)
TAIL = [*[bash(f"tool {letter}", f"out {letter}") for letter in "abcde"], user("Thanks."), user("Go on.")]
NAMED = "\nthe bucket is marmot-larch\n"
BEATS = [
    user("Begin."),
    bash("git status", lines(200)),
    read("/shop/cart.py", lines(99) + NAMED + lines(99, "step")),
    say("I decided to keep SQLite, because the file travels with the project."),
    bash("sed -i s/a/b/ /shop/cart.py", ""),
    bash("git status", lines(200)),
    *TAIL,
]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A home that does not exist yet."""
    made = Place(tmp_path, now=NOW)
    yield made
    made.close()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session that rests."""
    return written(tmp_path / "work" / "session.jsonl", claude_code(BEATS))


def written(path: Path, content: bytes) -> Path:
    """A file that nobody has written to for a day."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (NOW.timestamp() - 86_400,) * 2)
    return path


def grow(path: Path, beats: Sequence[Beat], *, since: Sequence[Beat] = BEATS) -> bytes:
    """An agent goes on in a file; what it wrote, under the session id of the file."""
    own = read_context(read_document(path.read_bytes())).session
    added = claude_code([*since, *beats])[len(claude_code(since)) :].replace(SESSION.encode(), own.encode())
    with path.open("ab") as stream:
        stream.write(added)
    os.utime(path, (NOW.timestamp() - 80_000,) * 2)
    return added


def hygiene(place: Place, *words: object) -> Ran:
    """A verb of the group."""
    return place.run("hygiene", *map(str, words))


def ops_file(path: Path, *ops: Any) -> Path:
    """Operations as seed 002 has them."""
    path.write_text(json.dumps({"ops": [{"rationale": "it has served", **op} for op in ops]}), "utf-8")
    return path


def prune(start: int, end: int) -> dict[str, Any]:
    """An operation on results."""
    return {"op": "prune_tool_results", "range": [start, end]}


def test_plan_says_what_would_go_and_writes_nothing(place: Place, session: Path) -> None:
    """Not even the home is made by looking."""
    before = session.read_bytes(), session.stat().st_mtime_ns
    ran = hygiene(place, "plan", session)
    assert ran.status == 0
    assert [each["detector"] for each in ran.content["operations"]] == ["dup_call", "stale_read"]
    assert ran.content["tokens"]["saved"] > 2_000
    assert ran.content["rejected"] == []
    assert (session.read_bytes(), session.stat().st_mtime_ns) == before
    assert not place.home.exists()
    assert sorted(path.name for path in session.parent.iterdir()) == ["session.jsonl"]


def test_a_person_reads_the_plan_as_words(place: Place, session: Path) -> None:
    """Without --json: what goes, why, and what it saves."""
    words = [sys.executable, "-m", "slowwave", "hygiene", "plan", str(session), "--home", str(place.home)]
    ran = subprocess.run(words, capture_output=True, text=True, env=place.environment(), check=False)
    assert ran.returncode == 0, ran.stderr
    assert "an equal call gave the same output later" in " ".join(ran.stdout.split()) or "dup_call" in ran.stdout
    assert not ran.stderr


def test_a_fork_is_written_grows_and_the_original_comes_back(place: Place, session: Path, tmp_path: Path) -> None:
    """Byte for byte, under its old session id, with every line that was added since behind it."""
    original, fork, back = session.read_bytes(), tmp_path / "fork.jsonl", tmp_path / "back.jsonl"
    planned = hygiene(place, "plan", session).content
    ran = hygiene(place, "apply", session, "--out", fork)
    assert (ran.status, ran.content["written"]) == (0, True)
    assert session.read_bytes() == original
    assert ran.content["operations"] == planned["operations"]
    assert ran.content["revision"] == planned["revision"]
    old, new = ran.content["session"]["old"], ran.content["session"]["new"]
    assert (old, SESSION in fork.read_text("utf-8")) == (SESSION, False)
    context = read_context(read_document(fork.read_bytes()))
    assert context.session == new
    assert "marmot-larch" in fork.read_text("utf-8")
    assert fork.stat().st_mode & 0o777 == session.stat().st_mode & 0o777
    added = grow(fork, [say("More."), bash("ls", lines(9))])
    ran = hygiene(place, "restore", fork, "--revision", planned["parent"][:12], "--out", back)
    assert ran.status == 0
    assert back.read_bytes() == original + added.replace(new.encode(), SESSION.encode())
    assert hygiene(place, "apply", session, "--out", fork).code == "target_exists"


def test_a_fork_may_keep_its_session_id(place: Place, session: Path, tmp_path: Path) -> None:
    """Then only what was taken out differs."""
    ran = hygiene(place, "apply", session, "--out", tmp_path / "fork.jsonl", "--same-session")
    assert ran.content["session"] == {"old": SESSION, "new": SESSION}
    rows = [path.read_bytes().splitlines() for path in (session, tmp_path / "fork.jsonl")]
    assert [number for number, (one, other) in enumerate(zip(*rows, strict=True)) if one != other] == [2, 4]


def test_in_place_and_undone(place: Place, session: Path) -> None:
    """The session keeps its id; undo brings the bytes back, and undone again the curation."""
    original = session.read_bytes()
    assert hygiene(place, "apply", session, "--in-place").content["session"] == {"old": SESSION, "new": SESSION}
    curated = session.read_bytes()
    assert len(curated) < len(original)
    assert hygiene(place, "apply", session, "--in-place").content["written"] is False
    assert session.read_bytes() == curated
    assert hygiene(place, "undo", session, "--in-place").status == 0
    assert session.read_bytes() == original
    assert hygiene(place, "undo", session, "--in-place").status == 0
    assert session.read_bytes() == curated
    added = grow(session, [say("More.")])
    assert hygiene(place, "undo", session, "--in-place").status == 0
    assert session.read_bytes() == original + added
    assert [each["cause"] for each in hygiene(place, "log", session).content["entries"]] == ["undo"] * 3 + ["apply"]


def test_what_was_taken_out_is_shown_and_brought_back_by_itself(place: Place, session: Path, tmp_path: Path) -> None:
    """By the digest in its stub or by its id; its second copy with it; once."""
    original = session.read_bytes()
    told = hygiene(place, "apply", session, "--in-place").content
    rows = hygiene(place, "diff", session).content["items"]
    assert [row["before"] for row in rows] == [lines(200), lines(99) + NAMED + lines(99, "step")]
    assert all(row["after"].startswith("[slowwave:pruned ") for row in rows)
    assert rows[1]["after"].splitlines()[2] == NAMED.strip()
    items = [each["items"][0] for each in told["operations"]]
    for name in (items[0]["id"], items[0]["digest"], items[0]["digest"][:8]):
        assert hygiene(place, "recall", name).content["text"] == lines(200)
    ran = hygiene(place, "unprune", session, items[0]["digest"], "--out", tmp_path / "one.jsonl")
    assert (ran.status, ran.content["item"]) == (0, items[0]["id"])
    held = (tmp_path / "one.jsonl").read_bytes().splitlines()
    assert [one == other for one, other in zip(held, original.splitlines(), strict=True)].count(False) == 1
    assert json.loads(held[2])["toolUseResult"]["stdout"] == lines(200)
    assert hygiene(place, "unprune", session, items[0]["id"], "--in-place").status == 0
    assert hygiene(place, "unprune", session, items[0]["id"], "--in-place").status == 3
    assert hygiene(place, "unprune", session, items[1]["id"], "--in-place").status == 0
    assert [json.loads(line) for line in session.read_bytes().splitlines()] == [
        json.loads(line) for line in original.splitlines()
    ]
    assert hygiene(place, "recall", items[0]["id"]).content["text"] == lines(200)
    assert hygiene(place, "unprune", session, "0" * 16, "--in-place").status == 3
    assert hygiene(place, "recall", "0" * 16).status == 3


def test_notices_without_names_come_back_to_their_own_places(place: Place, tmp_path: Path) -> None:
    """In a form whose messages carry no ids, copies are told apart by where they stand."""
    told = notice("The list of things to do is empty; nobody has asked for anything since. " * 60)
    raw = codex([user("Begin."), told, say("a"), told, say("b"), told, *TAIL])
    session = written(tmp_path / "rollout.jsonl", raw)
    operations = hygiene(place, "apply", session, "--in-place").content["operations"]
    assert [each["detector"] for each in operations] == ["reinjected"] * 2
    rows = hygiene(place, "diff", session).content["items"]
    assert [row["index"] for row in rows] == [3, 5]
    assert all("newest copy below" in row["after"] for row in rows)
    for number, each in enumerate(operations):
        assert hygiene(place, "unprune", session, each["items"][0]["id"], "--in-place").status == 0
        context = read_context(read_document(session.read_bytes()))
        texts = [context.text(item) == told.text for item in context.items if item.kind is Kind.NOTICE]
        assert texts == [True, number == 1, True]


def test_the_log_tells_everything_and_no_secret(place: Place, tmp_path: Path) -> None:
    """Operations with reasons and digests; words that are shown are masked."""
    secret = own_shapes(__import__("random").Random(5))[0]
    told = f"{lines(150)}\n{secret.text}\n{lines(150, 'step')}"
    beats = [user("Begin."), bash("env", told), say("Hm."), bash("env", told), *TAIL]
    session = written(tmp_path / "session.jsonl", claude_code(beats))
    ran = hygiene(place, "apply", session, "--in-place")
    (item,) = ran.content["operations"][0]["items"]
    entry = hygiene(place, "show", 1).content
    assert entry["operations"][0]["evidence"] == {"same_as": "result:toolu_0003"}
    assert (entry["before"], entry["after"]) == (ran.content["parent"], ran.content["revision"])
    assert hygiene(place, "show", ran.content["parent"][:10]).content == entry
    assert hygiene(place, "show", 99).status == 3
    shown = [hygiene(place, *words) for words in (("recall", item["digest"]), ("diff", session), ("log",), ("show", 1))]
    assert all(each.status == 0 for each in shown)
    assert not [each for each in shown if secret.token in each.out]
    assert lines(3) in shown[0].content["text"]


@pytest.mark.parametrize(
    ("ops", "status", "codes"),
    [
        ([prune(2, 3)], 0, []),
        ([prune(2, 3), prune(0, 1)], 0, ["ILLEGAL_ROLE"]),
        ([], 0, []),
        ([prune(0, 1), prune(99, 100)], 1, ["ILLEGAL_ROLE", "INVALID_RANGE"]),
        ([{"op": "erase", "range": [2, 3]}], 1, ["UNKNOWN_OP"]),
    ],
)
def test_validate_judges_and_writes_nothing(
    place: Place, session: Path, tmp_path: Path, *, ops: list[Any], status: int, codes: list[str]
) -> None:
    """0 when something may be done or there is nothing to do, 1 when all is refused."""
    ran = hygiene(place, "validate", session, "--ops", ops_file(tmp_path / "ops.json", *ops))
    assert (ran.status, [each["code"] for each in ran.content["rejected"]]) == (status, codes)
    assert not place.home.exists()
    fork = tmp_path / "fork.jsonl"
    applied = hygiene(place, "apply", session, "--ops", tmp_path / "ops.json", "--out", fork)
    assert applied.status == status
    assert fork.exists() == (status == 0)


def test_usage_is_told_apart_from_refusal_from_nothing_and_from_damage(place: Place, session: Path) -> None:
    """2, 1, 3, 4."""
    beside = session.with_name("beside")
    for words in (
        ("validate", session),
        ("validate", session, "--ops", beside),
        ("plan", session, "--thinking", "perhaps"),
        ("plan", session, "--provider", "nobody"),
        ("apply", session),
        ("apply", session, "--in-place", "--out", beside),
        ("plan", session, "--min-saving", "-1"),
    ):
        assert hygiene(place, *words).status == 2, words
    beside.write_bytes(b"hello")
    assert hygiene(place, "plan", beside).status == 3
    assert hygiene(place, "diff", session).status == 3
    beside.write_bytes(b"{")
    assert hygiene(place, "validate", session, "--ops", beside).status == 1
    assert hygiene(place, "pin", session, "nobody").status == 3
    assert hygiene(place, "unpin", "nobody").status == 3
    assert not place.home.exists()


def test_one_refusal_refuses_all_where_that_is_asked_for(place: Place, session: Path, tmp_path: Path) -> None:
    """And nothing is written."""
    ops, fork = ops_file(tmp_path / "ops.json", prune(2, 3), prune(0, 1)), tmp_path / "fork.jsonl"
    ran = hygiene(place, "apply", session, "--ops", ops, "--atomic", "--out", fork)
    assert (ran.status, ran.content["withheld"], fork.exists()) == (1, 1, False)


def test_a_plan_fed_back_when_the_file_grew(place: Place, session: Path, tmp_path: Path) -> None:
    """It is carried out where every item is what it was; what has changed since is stale, the rest is done."""
    plan, fork = tmp_path / "plan.json", tmp_path / "fork.jsonl"
    plan.write_text(hygiene(place, "plan", session).out, "utf-8")
    grow(session, [say("More."), bash("ls", lines(9)), user("And more.")])
    ran = hygiene(place, "apply", session, "--ops", plan, "--out", fork)
    assert (ran.status, ran.content["rejected"], len(ran.content["operations"])) == (0, [], 2)
    assert "marmot-larch" in fork.read_text("utf-8")
    first = session.read_bytes().replace(b"row ac of the log", b"row ZZ of the log", 1)
    written(session, first)
    ran = hygiene(place, "validate", session, "--ops", plan)
    assert [each["code"] for each in ran.content["rejected"]] == ["STALE_REVISION"]
    assert (ran.status, len(ran.content["operations"])) == (0, 1)
    plan.write_text(json.dumps({"operations": json.loads(plan.read_text("utf-8"))["data"]["operations"][:1]}), "utf-8")
    assert hygiene(place, "validate", session, "--ops", plan).status == 1


def test_a_file_that_somebody_writes_to_is_not_replaced(place: Place, session: Path, tmp_path: Path) -> None:
    """3; a fork of it may be written all the same."""
    original = session.read_bytes()
    with session.open("ab"):
        ran = hygiene(place, "apply", session, "--in-place")
        assert (ran.status, ran.code) == (3, "LIVE_WRITER")
        assert session.read_bytes() == original
        assert hygiene(place, "apply", session, "--out", tmp_path / "fork.jsonl").status == 0
    assert hygiene(place, "apply", session, "--in-place").status == 0


def test_no_link_is_followed(place: Place, session: Path, tmp_path: Path) -> None:
    """Neither where it is read nor where it would be written."""
    link, original = session.with_name("link.jsonl"), session.read_bytes()
    link.symlink_to(session)
    for words in (("plan", link), ("apply", link, "--in-place"), ("apply", session, "--out", link)):
        assert hygiene(place, *words).code == "outside_root", words
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    assert hygiene(place, "apply", session, "--out", link).code == "outside_root"
    assert (session.read_bytes(), (tmp_path / "nowhere").exists()) == (original, False)


def test_protected_ranges_are_held_and_an_unreadable_file_protects_everything(
    place: Place, session: Path, tmp_path: Path
) -> None:
    """What is under review is refused; where nobody knows what is, all of it is, and it is said."""
    guard, fork = tmp_path / "guard.json", tmp_path / "fork.jsonl"
    ops = ops_file(tmp_path / "ops.json", prune(2, 3))
    guard.write_text(json.dumps({"ranges": [{"range": [2, 3], "status": "QUARANTINED", "memory": "a.md"}]}), "utf-8")
    ran = hygiene(place, "validate", session, "--ops", ops, "--protected", guard)
    assert (ran.status, ran.content["rejected"][0]["code"]) == (1, "QUARANTINED")
    assert len(hygiene(place, "plan", session, "--protected", guard).content["operations"]) == 1
    guard.write_text(json.dumps({"ranges": [{"range": None, "status": "ACTIVE", "memory": "a.md"}]}), "utf-8")
    cited = hygiene(place, "plan", session, "--protected", guard).content["operations"]
    assert [each["cited_by"] for each in cited] == [["a.md"]] * 2
    for spoil in (lambda: guard.write_text("{", "utf-8"), guard.unlink, guard.mkdir):
        spoil()
        for words in (("plan", session), ("validate", session, "--ops", ops), ("apply", session, "--out", fork)):
            ran = hygiene(place, *words, "--protected", guard)
            assert (ran.status, ran.content["operations"]) == (1, []), words
            assert ran.content["rejected"][0]["code"] == "QUARANTINED"
    assert not fork.exists()


def test_what_a_person_pinned_stays_until_it_is_unpinned(place: Place, session: Path) -> None:
    """By id or digest; a damaged list of pins is damage, and nothing is planned meanwhile."""
    item = hygiene(place, "plan", session).content["operations"][0]["items"][0]
    pins = hygiene(place, "pin", session, item["id"], "--why", "I need it").content["pins"]
    assert [(each["digest"], each["why"]) for each in pins] == [(item["digest"], "I need it")]
    assert len(hygiene(place, "plan", session).content["operations"]) == 1
    assert hygiene(place, "pin").content["pins"] == pins
    assert hygiene(place, "pin", session).status == 2
    assert hygiene(place, "unpin", item["digest"]).content["pins"] == []
    assert len(hygiene(place, "plan", session).content["operations"]) == 2
    hygiene(place, "pin", session, item["digest"])
    held = next(
        path for path in place.home.rglob("*") if path.is_file() and item["digest"].encode() in path.read_bytes()
    )
    held.write_bytes(b"{\n")
    assert hygiene(place, "plan", session).status == 4
    assert hygiene(place, "apply", session, "--in-place").status == 4


def test_a_log_that_was_tampered_with_is_found_and_nothing_is_written_over_it(place: Place, session: Path) -> None:
    """4, by whichever verb meets it."""
    assert hygiene(place, "verify").content["entries"] == 0
    told = hygiene(place, "apply", session, "--in-place").content
    assert hygiene(place, "verify").content == {
        **hygiene(place, "verify").content, "entries": 1, "originals": 1, "flaws": [], "notes": [],
    }  # fmt: skip
    blob = next(path for path in (place.home / "revisions").rglob(told["parent"]))
    whole = blob.read_bytes()
    blob.chmod(0o600)
    blob.write_bytes(whole[:-2] + b"x\n")
    ran = hygiene(place, "verify")
    assert (ran.status, [each["code"] for each in ran.content["flaws"]]) == (4, ["blob_changed"])
    assert hygiene(place, "undo", session, "--in-place").status == 4
    assert hygiene(place, "recall", told["operations"][0]["items"][0]["digest"]).status == 4
    blob.write_bytes(whole)
    log = next((place.home / "revisions").glob("log*"))
    log.write_bytes(log.read_bytes().replace(b'"dup_call"', b'"bulk_old"'))
    assert hygiene(place, "verify").status == 4
    assert hygiene(place, "log").status == 4
    assert hygiene(place, "apply", session, "--out", session.with_name("fork")).status == 4


def test_a_purged_original_is_gone_for_good_and_the_log_says_so(place: Place, session: Path, tmp_path: Path) -> None:
    """Nothing of it is left in the home; what stands in the file stays usable."""
    told = hygiene(place, "apply", session, "--in-place").content
    assert hygiene(place, "purge", told["parent"][:12], "--why", "").status == 2
    assert hygiene(place, "purge", told["parent"][:12], "--why", "it held a name", "--yes").status == 0
    assert not list((place.home / "revisions").rglob(told["parent"]))
    assert hygiene(place, "restore", session, "--revision", told["parent"], "--out", tmp_path / "back").status in (1, 3)
    assert hygiene(place, "recall", told["operations"][0]["items"][0]["digest"]).status in (1, 3)
    assert hygiene(place, "log").content["entries"][0]["why"] == "it held a name"
    assert hygiene(place, "verify").status == 0
    assert hygiene(place, "purge", told["parent"], "--why", "again", "--yes").status in (1, 3)


# Everything that was recorded


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_shared_recording_is_curated_and_comes_back(place: Place, shared: Path, tmp_path: Path) -> None:
    """Planned, forked, grown, restored: byte for byte; what is no context of ours is said to be none."""
    files = [path for folder in ("transcripts", "gold") for path in sorted((shared / folder).rglob("*.json*"))]
    seen = {"curated": 0, "left": 0, "none": 0}
    for number, path in enumerate(files):
        session = tmp_path / f"{number}.jsonl"
        shutil.copyfile(path, session)
        planned = hygiene(place, "plan", session)
        assert planned.status in (0, 3), (path, planned.err)
        if planned.status == 3:
            seen["none"] += 1
            continue
        fork, back = tmp_path / f"{number}.fork", tmp_path / f"{number}.back"
        ran = hygiene(place, "apply", session, "--out", fork)
        assert (ran.status, ran.content["revision"]) == (0, planned.content["revision"]), path
        assert session.read_bytes() == path.read_bytes()
        codes = [each["code"] for each in ran.content["rejected"]]
        assert not [code for code in codes if code.startswith("SHAPE_") or code == "REPLAY_DIFF"], path
        seen["curated" if ran.content["operations"] else "left"] += 1
        if ran.content["operations"]:
            with fork.open("ab") as stream:
                stream.write(b'{"type":"added"}\n')
            back_told = hygiene(place, "restore", fork, "--revision", planned.content["parent"], "--out", back)
            assert back_told.status == 0, (path, back_told.err)
            assert back.read_bytes() == path.read_bytes() + b'{"type":"added"}\n', path
            assert hygiene(place, "plan", fork).content["operations"] == [], path
    print(f"\n{seen}")
    assert seen["curated"] >= 20
    assert hygiene(place, "verify").status == 0
