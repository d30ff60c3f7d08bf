"""Retiring a memory that landed and bringing it back, by a person's hand."""

import pytest
from made_nights import Place

from slowwave.facts.refusal import UsageError


@pytest.fixture
def landed(shop: Place) -> str:
    """The path of a memory that landed."""
    shop.sleep()
    memory = next(item for item in shop.house.review_list() if item["type"] == "memory")
    shop.house.merge([memory["id"]], everything=False, channel="token")
    return str(memory["path"])


def found(place: Place) -> list[str]:
    """Paths that a search for the memory finds."""
    hits = place.house.search("pytest", kind=None, project=None, entity=None, limit=5)["hits"]
    return [str(hit["path"]) for hit in hits]


def test_an_archived_memory_leaves_search_and_keeps_its_bytes(shop: Place, landed: str) -> None:
    """Archiving moves the file by one commit; its claim stays, search no longer finds it, nothing is deleted."""
    before = (shop.home / "corpus" / landed).read_text(encoding="utf-8")

    moved = shop.house.move_memory(landed, "archive")

    assert moved["path"] == f"archive/2026/{landed}"
    kept = (shop.home / "corpus" / moved["path"]).read_text(encoding="utf-8")
    assert kept.replace("status: archived", "status: active").partition("# ")[2] == before.partition("# ")[2]
    assert not (shop.home / "corpus" / landed).exists()
    assert found(shop) == []
    assert shop.git("status", "--porcelain") == ""


def test_restoring_is_the_inverse(shop: Place, landed: str) -> None:
    """Restored, the memory stands where it stood and is found again."""
    moved = shop.house.move_memory(landed, "archive")

    back = shop.house.move_memory(moved["path"], "restore")

    assert back["path"] == landed
    assert found(shop) == [landed]


def test_an_archived_memory_is_not_proposed_again(shop: Place, landed: str) -> None:
    """What a person archived is known: reading the same sessions again proposes nothing new."""
    shop.house.move_memory(landed, "archive")

    night = shop.sleep(again=True)

    assert night["memories"] == []


def test_what_is_not_there_cannot_be_moved(shop: Place, landed: str) -> None:
    """A path without a memory, and a memory that is archived already, are refused and change nothing."""
    tip = shop.git("rev-parse", "main")

    with pytest.raises(UsageError, match="no memory stands"):
        shop.house.move_memory("projects/shop/nothing.md", "archive")
    with pytest.raises(UsageError, match="does not stand in the archive"):
        shop.house.move_memory(landed, "restore")

    assert shop.git("rev-parse", "main") == tip


def test_both_verbs_need_a_person(shop: Place, landed: str) -> None:
    """Without a terminal or token nothing is moved."""
    ran = shop.run("archive", landed)

    assert ran.status == 1
    assert ran.code == "needs_person"
