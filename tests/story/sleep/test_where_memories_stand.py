"""Saying how firmly a memory stands: landed, pending, archived, edited by hand; under whatever name it is asked for."""

import pytest
from made_nights import Place

from slowwave.desk.screens import search_lines, why_lines


@pytest.fixture
def landed(shop: Place) -> dict[str, str]:
    """A memory that landed; a task still awaits its review."""
    shop.sleep()
    memory = next(item for item in shop.house.review_list() if item["type"] == "memory")
    shop.house.merge([memory["id"]], everything=False, channel="token")
    return {"id": memory["id"], "path": memory["path"]}


def test_why_says_whether_it_landed(shop: Place) -> None:
    """Pending, accepted, then on main: the answer says which, and which quotes are part of it."""
    shop.sleep()
    item = next(item for item in shop.house.review_list() if item["type"] == "memory")
    standing = [shop.run("why", item["id"]).content["standing"]]
    shop.house.accept([item["id"]], channel="token")
    standing.append(shop.run("why", item["path"]).content["standing"])
    shop.house.merge([item["id"]], everything=False, channel="token")
    why = shop.run("why", item["path"]).content
    assert [*standing, why["standing"]] == ["pending", "accepted", "landed"]
    assert {evidence["landed"] for evidence in why["evidence"]} == {True}


def test_an_archived_memory_is_found_under_every_name_it_had(shop: Place, landed: dict[str, str]) -> None:
    """By id and by the path it had, with its quotes; search finds it where asked; it comes back by either name."""
    shop.house.move_memory(landed["id"], "archive")

    for name in landed.values():
        why = shop.run("why", name).content
        assert (why["path"], why["status"]) == (f"archive/2026/{landed['path']}", "archived")
        assert why["evidence"]
        assert all(evidence["verified"] is True for evidence in why["evidence"])
    assert shop.run("search", "pytest").content["hits"] == []
    (hit,) = shop.run("search", "pytest", "--archived").content["hits"]
    assert hit["status"] == "archived"
    assert shop.house.move_memory(landed["id"], "restore")["path"] == landed["path"]
    shop.house.move_memory(landed["path"], "archive")
    assert shop.house.move_memory(landed["path"], "restore")["path"] == landed["path"]


def test_an_edit_by_hand_is_found_and_marked(shop: Place, landed: dict[str, str]) -> None:
    """Search shows it as not committed until it is; ``why`` keeps to main and says so, and so does export."""
    file = shop.home / "corpus" / landed["path"]
    clean = shop.run("search", "pytest").content["hits"][0]
    file.write_text(file.read_text(encoding="utf-8").replace("# ", "# Zebra "), encoding="utf-8")

    (hit,) = shop.run("search", "zebra").content["hits"]
    why = shop.run("why", landed["path"]).content
    out = shop.home.parent / "AGENTS.md"
    exported = shop.run("export", "agents-md", "--project", "shop", "--out", str(out)).content

    assert (clean["uncommitted"], hit["uncommitted"]) == (False, True)
    assert (why["uncommitted"], "Zebra" in why["claim"]) == (True, False)
    assert (exported["uncommitted"], "Zebra" in out.read_text(encoding="utf-8")) == (1, False)
    shop.git("-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-qam", "Say zebra")
    assert shop.run("search", "zebra").content["hits"][0]["uncommitted"] is False
    assert "Zebra" in shop.run("why", landed["path"]).content["claim"]


def test_a_file_written_by_hand_is_explained_before_it_is_committed(shop: Place, landed: dict[str, str]) -> None:
    """``why`` knows a new file of the checkout, and that it is nowhere else."""
    corpus = shop.home / "corpus"
    text = (corpus / landed["path"]).read_text(encoding="utf-8")
    (corpus / "areas").mkdir(exist_ok=True)
    (corpus / "areas" / "mine.md").write_text(text.replace("# ", "# Mine: "), encoding="utf-8")

    why = shop.run("why", "areas/mine.md").content

    assert (why["standing"], why["claim"][:5], why["evidence"]) == ("uncommitted", "Mine:", [])


def test_search_counts_memories_and_names_what_it_could_not_read(shop: Place, landed: dict[str, str]) -> None:
    """Tasks and archived memories are no memories to search; a broken file is told on screen."""
    shop.house.merge([], everything=True, channel="token")
    (shop.home / "corpus" / "projects" / "shop" / "broken.md").write_text("broken\n", encoding="utf-8")
    found = shop.run("search", "pytest").content
    assert (found["memories"], found["unreadable"]) == (1, 1)
    assert "1 file could not be read" in "\n".join(map(str, search_lines(found)))
    shop.house.move_memory(landed["path"], "archive")
    assert shop.run("search", "pytest").content["memories"] == 0


def test_screens_say_it_too(shop: Place, landed: dict[str, str]) -> None:
    """No score is shown that reads as nothing; a pending memory is called pending."""
    hits = "\n".join(map(str, search_lines(shop.run("search", "pytest").content)))
    assert landed["path"] in hits
    assert "(0.0" not in hits
    assert "on main" in "\n".join(map(str, why_lines(shop.run("why", landed["id"]).content)))
    task = next(item for item in shop.house.review_list() if item["type"] == "task")
    assert "awaits your review" in "\n".join(map(str, why_lines(shop.run("why", task["id"]).content)))
