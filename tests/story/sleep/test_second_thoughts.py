"""Second thoughts: what was rejected or undone comes back, what blocks an undoing is named, reasons are kept."""

import pytest
from made_nights import Place

from slowwave.sleep.landing import ChangedSinceError


def waiting(place: Place, kind: str) -> dict[str, str]:
    """The one item of a type that waits."""
    (item,) = [item for item in place.house.review_list() if item["type"] == kind]
    return {name: str(value) for name, value in item.items()}


def test_a_rejected_item_is_accepted_after_all_and_lands(shop: Place) -> None:
    """A wrong key is no last word: the item comes back with its evidence, also after a night in between."""
    shop.sleep()
    memory = waiting(shop, "memory")
    shop.house.reject([memory["id"]], channel="token", why="a slip of the key")
    shop.sleep()
    shop.house.accept([memory["id"]], channel="token")
    back = waiting(shop, "memory")
    assert (back["status"], back["evidence"]) == ("accepted", memory["evidence"])
    shop.house.merge([], everything=False, channel="token")
    assert memory["path"] in shop.git("ls-tree", "-r", "--name-only", "main").splitlines()


def test_an_undone_item_is_accepted_again_and_stays_so_over_a_night(shop: Place) -> None:
    """Its first landing does not count as standing on main, so no tidying takes it for merged."""
    shop.sleep()
    memory = waiting(shop, "memory")
    for _ in range(2):
        shop.house.merge([memory["id"]], everything=False, channel="token")
        shop.house.undo(memory["id"], channel="token")
        shop.house.accept([memory["id"]], channel="token")
        shop.sleep()
        assert waiting(shop, "memory")["status"] == "accepted"
    shop.house.merge([], everything=False, channel="token")
    assert memory["path"] in shop.git("ls-tree", "-r", "--name-only", "main").splitlines()


def test_undoing_a_night_names_what_was_archived_since_and_that_restore_comes_first(shop: Place) -> None:
    """Nothing is undone by halves; after the restore that the hint names, everything is."""
    night = shop.sleep()
    memory = waiting(shop, "memory")
    shop.house.merge([], everything=True, channel="token")
    moved = shop.house.move_memory(memory["path"], "archive")["path"]
    before = shop.git("rev-parse", "main")
    with pytest.raises(ChangedSinceError, match=memory["id"]) as refused:
        shop.house.undo(str(night["run"]), channel="token")
    assert moved in refused.value.message
    assert f"`slowwave restore {moved}` first" in refused.value.hint
    assert shop.git("rev-parse", "main") == before
    shop.house.move_memory(moved, "restore")
    assert memory["id"] in [item["id"] for item in shop.house.undo(str(night["run"]), channel="token")]


def test_a_task_is_dismissed_with_a_reason_and_its_commit_names_its_state(shop: Place) -> None:
    """The reason is kept with the decision; the subject says what the task is, not that it is a task twice."""
    shop.sleep()
    task = waiting(shop, "task")
    assert "task(proposed): " in shop.git("log", "--format=%s", "pending")
    shop.house.decide_task(task["id"], "dismiss", channel="token", why="done by hand last week")
    row = shop.house.state.connection.execute("SELECT status, why FROM items WHERE item_id = ?", (task["id"],))
    assert tuple(row.fetchone()) == ("rejected", "done by hand last week")


def test_a_hand_edit_is_no_fault_and_the_next_change_settles_its_hash(shop: Place) -> None:
    """The doctor calls it an edit, no warning; archiving the file writes the hash that belongs to it now."""
    shop.sleep()
    memory = waiting(shop, "memory")
    shop.house.merge([], everything=True, channel="token")
    path = shop.home / "corpus" / memory["path"]
    path.write_text(path.read_text("utf-8").rstrip() + "\n\nAsk Ann before changing it.\n", encoding="utf-8")
    shop.git("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-q", "-a", "-m", "A word more")
    assert not [r for phase in shop.sleep()["phases"] for r in phase["refusals"]]
    findings = shop.run("doctor").content["findings"]
    assert [f["severity"] for f in findings if f["file"] == memory["path"]] == ["info"]
    shop.house.move_memory(memory["path"], "archive")
    assert "edited_by_hand" not in [f["code"] for f in shop.run("doctor").content["findings"]]
