"""What a person or script is shown must be true: no credential, no health where there is damage, no forgotten task."""

from pathlib import Path

from made_nights import Place


def landed_path(shop: Place) -> Path:
    """The file of a memory that landed."""
    shop.sleep()
    memory = next(item for item in shop.house.review_list() if item["type"] == "memory")
    shop.house.merge([memory["id"]], everything=False, channel="token")
    return shop.home / "corpus" / str(memory["path"])


def test_search_shows_nothing_of_a_file_that_holds_a_credential(shop: Place) -> None:
    """A key that somebody wrote into a memory by hand is not shown by search, nor anything beside it."""
    path = landed_path(shop)
    key = "ghp_" + "16C7e42F292c6912E7" + "710c838347Ae178B4a"
    path.write_text(path.read_text(encoding="utf-8") + f"\nThe pytest key is {key}.\n", encoding="utf-8")

    ran = shop.run("search", "pytest key")

    assert [hit["path"] for hit in ran.content["hits"]] == [path.relative_to(shop.home / "corpus").as_posix()]
    assert key not in ran.out
    assert "holds a credential" in ran.content["hits"][0]["snippet"]


def test_a_lost_git_object_is_damage(shop: Place) -> None:
    """Where git has lost what main needs, every verb says damage, the doctor too, with exit 4."""
    landed_path(shop)
    shop.close()
    shop.git("repack", "-adq")
    for pack in (shop.home / "corpus" / ".git" / "objects" / "pack").iterdir():
        pack.unlink()

    assert shop.run("doctor").status == 4
    ran = shop.run("search", "pytest")

    assert ran.status == 4
    assert ran.code == "damage"


def test_a_dismissed_proposal_is_still_listed_when_all_are_asked_for(shop: Place) -> None:
    """A proposed task that a person dismissed leaves the list, and stands in the list of all."""
    shop.sleep()
    task = shop.house.tasks(everything=False)[0]

    shop.house.decide_task(task["id"], "dismiss", channel="token")

    assert shop.house.tasks(everything=False) == []
    assert [(t["id"], t["taskStatus"]) for t in shop.house.tasks(everything=True)] == [(task["id"], "dismissed")]


def test_what_was_not_read_is_named_when_nothing_was(place: Place) -> None:
    """A folder of links and other files is not called empty without a word of what lies there."""
    (place.transcripts / "notes.jsonl").write_text("not a transcript\n", encoding="utf-8")
    (place.transcripts / "link.jsonl").symlink_to(place.transcripts / "notes.jsonl")

    place.run("init", "--transcripts", str(place.transcripts))
    ran = place.run("sleep")

    assert ran.status == 3
    assert "not read: 1 link, 1 not_transcript" in ran.envelope["error"]["message"]
