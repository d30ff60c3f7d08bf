"""The person's side: what waits, accept, reject, merge, search, why, undo, and hands that edit the corpus meanwhile."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from made_nights import Place, fingerprint, fix_session, session_name, write_all

from slowwave.corpus.checkout import DirtyCheckoutError
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.facts.text import fold
from slowwave.sleep.landing import ChangedSinceError

HAND_WRITTEN = """---
kind: semantic
created: 2026-01-20T00:00:00Z
updated: 2026-01-20T00:00:00Z
author: human
---

# The shop's sandbox gateway is reset every Monday.

Plan test payments for later in the week.
"""


def by_type(place: Place) -> dict[str, dict[str, object]]:
    """What waits, by type; in these stories one of each."""
    return {item["type"]: item for item in place.house.review_list()}


def write_by_hand(place: Place, name: str, text: str, *, is_committed: bool = True) -> str:
    """A person writes a file in the corpus."""
    path = place.home / "corpus" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if is_committed:
        place.git("add", "--", name)
        place.git("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-q", "-m", "A note by hand")
    return name


def test_what_waits_is_listed_with_its_evidence(shop: Place) -> None:
    """An item shows its claim, where it would stand, and each quote with session, line and speaker."""
    shop.sleep()
    item = by_type(shop)["memory"]
    assert item["status"] == "pending"
    assert str(item["path"]).startswith("projects/shop/")
    evidence = item["evidence"]
    assert isinstance(evidence, list)
    assert {"agent"} <= {str(e["speaker"]) for e in evidence}
    assert all(e["sessionId"] in (session_name(1), session_name(2)) and e["line"] >= 1 for e in evidence)


@pytest.mark.slow
def test_evidence_is_shown_in_its_context(shop: Place) -> None:
    """Around a quote stand the turns of the transcript, and the quoted words are where the window says they are."""
    shop.sleep()
    evidence = by_type(shop)["memory"]["evidence"]
    assert isinstance(evidence, list)
    for one in evidence:
        (window,) = shop.house.context([one])
        here = next(line for line in window["lines"] if line["line"] == one["line"])
        assert [here["text"][start:end] for start, end in here["quotes"]] == [fold(one["quote"])]
        assert len(window["lines"]) > 1


def test_an_accepted_memory_lands_is_found_explained_and_taken_back(shop: Place) -> None:
    """Accept, merge, search, why, undo: the whole way of one memory."""
    shop.sleep()
    item = by_type(shop)["memory"]
    name, path = str(item["id"]), str(item["path"])
    assert shop.house.accept([name], channel="token")[0]["status"] == "accepted"
    assert [i["status"] for i in shop.house.merge([], everything=False, channel="token")] == ["merged"]
    assert path in shop.git("ls-tree", "-r", "--name-only", "main").splitlines()
    hits = shop.house.search("tests need the path", kind=None, project="shop", entity=None, limit=5)["hits"]
    assert [hit["path"] for hit in hits] == [path]
    why = shop.house.why(path)
    assert why["claim"] == item["claim"]
    assert {e["verified"] for e in why["evidence"]} == {True}
    assert len(why["evidence"]) >= 2
    assert [i["status"] for i in shop.house.undo(name, channel="token")] == ["undone"]
    assert path not in shop.git("ls-tree", "-r", "--name-only", "main").splitlines()
    assert shop.git("show", "--no-patch", "--format=%s", "main").startswith("undo")
    assert shop.house.search("tests need the path", kind=None, project=None, entity=None, limit=5)["hits"] == []


def test_merge_lands_what_was_accepted_and_the_rest_waits(shop: Place) -> None:
    """Only the accepted item lands; the other stays pending on a branch that stands on the new main."""
    shop.sleep()
    memory, task = by_type(shop)["memory"], by_type(shop)["task"]
    shop.house.accept([str(memory["id"])], channel="token")
    shop.house.merge([], everything=False, channel="token")
    assert [item["id"] for item in shop.house.review_list()] == [task["id"]]
    assert shop.git("merge-base", "main", "pending") == shop.git("rev-parse", "main")


@pytest.mark.slow
def test_merge_with_nothing_accepted_has_nothing_to_do(shop: Place) -> None:
    """Where nothing was accepted, merging says so and lands nothing."""
    shop.sleep()
    before = shop.git("rev-parse", "main", "pending")
    with pytest.raises(NothingToDoError):
        shop.house.merge([], everything=False, channel="token")
    assert shop.git("rev-parse", "main", "pending") == before


@pytest.mark.slow
def test_an_item_nobody_knows_or_that_was_decided_is_a_usage_error(shop: Place) -> None:
    """Unknown and decided items are refused by name and nothing changes."""
    shop.sleep()
    with pytest.raises(UsageError, match="i-nothing does not exist"):
        shop.house.accept(["i-nothing"], channel="token")
    name = str(by_type(shop)["memory"]["id"])
    shop.house.reject([name], channel="token", why="no")
    decisions: tuple[Callable[[], object], ...] = (
        lambda: shop.house.merge([name], everything=False, channel="token"),
        lambda: shop.house.undo(name, channel="token"),
        lambda: shop.house.reject([name], channel="token", why=""),
    )
    for decide in decisions:
        with pytest.raises(UsageError, match="is rejected") as refused:
            decide()
        assert f"`slowwave review accept {name}`" in refused.value.hint


def test_why_says_when_a_transcript_is_gone_or_was_altered(shop: Place) -> None:
    """Looking again finds: the quote stands, the transcript is gone, the quote no longer stands there."""
    shop.sleep()
    item = by_type(shop)["memory"]
    shop.house.merge([str(item["id"])], everything=False, channel="token")
    first = shop.transcripts / "-work-shop" / f"{session_name(1)}.jsonl"
    second = shop.transcripts / "-work-shop" / f"{session_name(2)}.jsonl"
    first.unlink()
    second.write_bytes(second.read_bytes().replace(b"PYTHONPATH=src", b"PYTHONPATH=lib"))
    found = shop.house.why(str(item["path"]))["evidence"]
    assert {e["verified"] for e in found if e["sessionId"] == session_name(1)} == {"gone"}
    assert False in {e["verified"] for e in found if e["sessionId"] == session_name(2)}


@pytest.mark.slow
def test_an_altered_transcript_keeps_its_memory_from_landing(shop: Place) -> None:
    """A quote that no longer stands in its transcript is looked for once more before the merge, and missed."""
    shop.sleep()
    item = by_type(shop)["memory"]
    for number in (1, 2):
        path = shop.transcripts / "-work-shop" / f"{session_name(number)}.jsonl"
        path.write_bytes(path.read_bytes().replace(b"PYTHONPATH=src", b"PYTHONPATH=lib"))
    before = shop.git("rev-parse", "main")
    with pytest.raises(Exception, match="no longer stands in its transcript"):
        shop.house.merge([str(item["id"])], everything=False, channel="token")
    assert shop.git("rev-parse", "main") == before


def test_a_rejected_memory_comes_back_only_with_new_evidence(shop: Place) -> None:
    """The same finding over the same records is not proposed again; a new session with it is."""
    shop.sleep()
    item = by_type(shop)["memory"]
    shop.house.reject([str(item["id"])], channel="token", why="everybody knows that")
    assert str(item["path"]) not in shop.git("ls-tree", "-r", "--name-only", "pending").splitlines()
    shop.now += timedelta(days=1)
    assert shop.sleep(again=True)["memories"] == []
    write_all(shop.transcripts, [fix_session(4, day=22)])
    shop.now += timedelta(days=1)
    again = shop.sleep()["memories"]
    assert [memory["type"] for memory in again] == ["memory"]
    assert again[0]["item"] != item["id"]


@pytest.mark.slow
def test_what_was_undone_is_not_proposed_again(shop: Place) -> None:
    """Undoing is a decision too: the next nights remember it."""
    shop.sleep()
    name = str(by_type(shop)["memory"]["id"])
    shop.house.merge([name], everything=False, channel="token")
    shop.house.undo(name, channel="token")
    shop.now += timedelta(days=1)
    assert shop.sleep(again=True)["memories"] == []


@pytest.mark.slow
def test_undoing_a_night_takes_back_all_that_it_landed(shop: Place) -> None:
    """A run's id undoes each of its landed items by a commit of its own; main is as before, its page aside."""
    night = shop.sleep()
    shop.house.merge([], everything=True, channel="token")
    undone = shop.house.undo(str(night["run"]), channel="token")
    left = shop.git("ls-tree", "-r", "--name-only", "main").splitlines()
    assert {item["type"] for item in undone} == {"memory", "task"}
    assert not [path for path in left if path.startswith("projects/")]


@pytest.mark.slow
def test_undo_refuses_to_lose_a_later_edit(shop: Place) -> None:
    """A landed file that a person edited since is not taken back over their edit."""
    shop.sleep()
    item = by_type(shop)["memory"]
    name, path = str(item["id"]), str(item["path"])
    shop.house.merge([name], everything=False, channel="token")
    text = (shop.home / "corpus" / path).read_text("utf-8")
    write_by_hand(shop, path, text.replace("content_hash:", "x_hash:").rstrip() + "\n\nAsk Ann before changing it.\n")
    before = shop.git("rev-parse", "main")
    with pytest.raises(ChangedSinceError):
        shop.house.undo(name, channel="token")
    assert shop.git("rev-parse", "main") == before


def test_deleting_pending_releases_its_sessions_and_the_same_items_come_again(shop: Place) -> None:
    """Without the branch its items were never decided: the next night reads again and proposes the same ids."""
    first = shop.sleep()
    shop.git("worktree", "remove", "--force", str(shop.home / "night"))
    shop.git("branch", "-D", "pending")
    shop.now += timedelta(days=1)
    again = shop.sleep()
    assert shop.counts(again)["items_released"] == 3
    assert shop.counts(again)["sessions_released"] == 3
    assert [m["item"] for m in again["memories"]] == [m["item"] for m in first["memories"]]
    assert [t["item"] for t in again["tasks"]] == [t["item"] for t in first["tasks"]]


def test_a_commit_by_hand_goes_under_the_pending_work(shop: Place) -> None:
    """When main was moved by day, the next night stands its undecided items on top, their ids unchanged."""
    shop.sleep()
    before = {item["id"] for item in shop.house.review_list()}
    write_by_hand(shop, "projects/shop/sandbox.md", HAND_WRITTEN)
    shop.now += timedelta(days=1)
    shop.sleep()
    assert shop.git("merge-base", "main", "pending") == shop.git("rev-parse", "main")
    assert {item["id"] for item in shop.house.review_list()} == before
    assert "projects/shop/sandbox.md" in shop.git("ls-tree", "-r", "--name-only", "pending").splitlines()


def test_an_edit_that_is_not_committed_survives_a_merge_and_is_found(shop: Place) -> None:
    """A dirty checkout keeps its edits when other files land, and search knows them at once."""
    shop.sleep()
    item = by_type(shop)["memory"]
    name = write_by_hand(shop, "projects/shop/sandbox.md", HAND_WRITTEN, is_committed=False)
    shop.house.merge([str(item["id"])], everything=False, channel="token")
    assert (shop.home / "corpus" / name).read_text("utf-8") == HAND_WRITTEN
    assert (shop.home / "corpus" / str(item["path"])).exists()
    hits = shop.house.search("sandbox gateway Monday", kind=None, project=None, entity=None, limit=3)["hits"]
    assert hits[0]["path"] == name


def test_a_file_in_the_way_stops_a_merge_before_anything_moves(shop: Place) -> None:
    """Where landing would overwrite an uncommitted file, nothing lands and nothing is lost."""
    shop.sleep()
    item = by_type(shop)["memory"]
    write_by_hand(shop, str(item["path"]), HAND_WRITTEN, is_committed=False)
    refs, files = shop.git("for-each-ref"), fingerprint(shop.home / "corpus", without=(".git",))
    with pytest.raises(DirtyCheckoutError):
        shop.house.merge([str(item["id"])], everything=False, channel="token")
    assert shop.git("for-each-ref") == refs
    assert fingerprint(shop.home / "corpus", without=(".git",)) == files
    assert by_type(shop)["memory"]["status"] == "pending"


@pytest.mark.slow
def test_a_memory_that_was_written_by_hand_meanwhile_is_no_conflict_without_an_end(shop: Place) -> None:
    """When a person put another file where an item would stand, the item is proposed elsewhere the next night."""
    shop.sleep()
    path = str(by_type(shop)["memory"]["path"])
    write_by_hand(shop, path, HAND_WRITTEN)
    shop.now += timedelta(days=1)
    told = shop.sleep()
    assert "changed_since" in [r["code"] for r in told["phases"][0]["refusals"]]
    shop.now += timedelta(days=1)
    shop.sleep()
    moved = by_type(shop)["memory"]
    assert moved["path"] != path
    assert shop.house.merge([str(moved["id"])], everything=False, channel="token")[0]["status"] == "merged"
    assert (shop.home / "corpus" / path).read_text("utf-8") == HAND_WRITTEN


def test_a_broken_file_is_named_by_doctor_and_by_the_night(shop: Place) -> None:
    """A file broken by hand is named by both, blocks nothing, and is not damage."""
    shop.sleep()
    shop.house.merge([], everything=True, channel="token")
    name = write_by_hand(shop, "projects/shop/broken.md", "---\nkind: [semantic\n---\nno heading\n")
    secret = write_by_hand(
        shop, "projects/shop/secret.md", HAND_WRITTEN.replace("every Monday", "with key AKIA" + "Q3EGRZ7LXC5TNOWB")
    )
    shop.now += timedelta(days=1)
    night = shop.sleep()
    integrity = next(phase for phase in night["phases"] if phase["name"] == "integrity")
    assert integrity["status"] == "degraded"
    assert {name, secret} <= {r["path"] for r in integrity["refusals"]}
    ran = shop.run("doctor")
    assert ran.status == 0
    assert {name, secret} <= {f["file"] for f in ran.content["findings"] if f["severity"] == "warning"}


@pytest.mark.slow
def test_damaged_git_objects_stop_a_night_and_are_damage_to_the_doctor(shop: Place) -> None:
    """An object that is gone stops the night before it writes, and the doctor ends with 4."""
    shop.sleep()
    blob = shop.git("rev-parse", "pending:" + str(by_type(shop)["memory"]["path"]))
    for pack in (shop.home / "corpus" / ".git" / "objects").rglob("*.pack"):
        content = bytearray(pack.read_bytes())
        content[len(content) // 2] ^= 0xFF
        pack.chmod(0o600)
        pack.write_bytes(content)
    loose = shop.home / "corpus" / ".git" / "objects" / blob[:2] / blob[2:]
    loose.unlink(missing_ok=True)
    shop.close()
    before = fingerprint(shop.home / "corpus")
    assert shop.run("doctor").status == 4
    ran = shop.run("sleep")
    assert ran.status in (1, 4)
    assert fingerprint(shop.home / "corpus") == before
