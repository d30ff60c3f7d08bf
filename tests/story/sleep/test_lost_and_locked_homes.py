"""Homes in which something is gone, stands in the way, or may only be read."""

import os
from pathlib import Path

import pytest
from made_nights import Place, fingerprint

from slowwave.sleep.pending import PendingLostError


def severities(place: Place, code: str) -> list[str]:
    """How bad the doctor finds a thing."""
    return [f["severity"] for f in place.run("doctor").content["findings"] if f["code"] == code]


def test_a_lost_branch_is_said_and_nothing_is_decided_about_it(shop: Place) -> None:
    """State, doctor, list and decisions all say that what waited is gone; the next night proposes it again."""
    shop.sleep()
    item = shop.house.review_list()[0]["id"]
    shop.git("update-ref", "-d", "refs/heads/pending")
    assert shop.house.describe()["lost"] == 2
    assert severities(shop, "pending_lost") == ["warning"]
    for decide in (
        shop.house.review_list,
        lambda: shop.house.accept([item], channel="token"),
        lambda: shop.house.reject([item], channel="token", why=""),
        lambda: shop.house.merge([item], everything=False, channel="token"),
    ):
        with pytest.raises(PendingLostError):
            decide()
    shop.sleep()
    assert item in [one["id"] for one in shop.house.review_list()]


@pytest.mark.parametrize("is_emptied", [False, True])
def test_a_lost_book_is_said_and_what_waits_still_waits(shop: Place, *, is_emptied: bool) -> None:
    """The branch's items are listed and decided about; the doctor warns, and no token is given to whoever asks."""
    shop.sleep()
    before = [item["id"] for item in shop.house.review_list()]
    shop.close()
    book = shop.home / "state.db"
    book.unlink()
    if is_emptied:
        book.touch()
    assert shop.run("init").content["personToken"] == ""
    assert severities(shop, "book_begun_anew") == ["warning"]
    assert [item["id"] for item in shop.house.review_list()] == before
    assert shop.house.describe()["pending"] == len(before)
    shop.house.preview("accept", before[:1])
    shop.house.accept(before[:1], channel="terminal")
    assert shop.house.review_list()[0]["status"] == "accepted"


def test_reading_verbs_work_in_a_home_that_may_only_be_read(shop: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """They answer and change no byte; what would write says why it cannot."""
    shop.sleep()
    item = shop.house.review_list()[0]["id"]
    shop.close()
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and may(path, mode))
    before = fingerprint(shop.home)
    for words in (
        ("search", "tests"),
        ("why", item),
        ("review", "list"),
        ("task", "list"),
        ("transcripts", "list"),
        ("config", "show"),
        ("doctor",),
        ("sleep", "--dry-run"),
        (),
    ):
        assert shop.run(*words).status == 0, words
    assert fingerprint(shop.home) == before
    shop.close()
    with pytest.raises(Exception, match="may only be read"):
        shop.house.reject([item], channel="token", why="")


@pytest.mark.parametrize("name", ["index.db", "search.db"])
def test_a_folder_where_a_database_should_be_is_damage_with_a_remedy(shop: Place, name: str) -> None:
    """The doctor goes on looking, names the folder, and does not send anybody to the doctor."""
    shop.sleep()
    shop.close()
    (shop.home / name).unlink(missing_ok=True)
    (shop.home / name).mkdir()
    ran = shop.run("doctor")
    assert ran.status == 4
    (found,) = [f for f in ran.content["findings"] if f["code"] == "not_a_file"]
    assert found["file"] == str(shop.home / name)
    assert not [f for f in ran.content["findings"] if "`slowwave doctor`" in f["remedy"]]


def test_a_missing_git_is_one_finding_and_no_abort(shop: Place, tmp_path: Path) -> None:
    """Without git on the search path the doctor still answers."""
    shop.sleep()
    shop.close()
    ran = shop.run("doctor", environment=shop.environment(PATH=str(tmp_path)))
    assert ran.status == 1
    assert [f["severity"] for f in ran.content["findings"] if "git" in f["code"]] == ["error"]


def test_a_file_that_was_deleted_by_hand_is_not_well(shop: Place) -> None:
    """Deleting without a commit is named with both ways on."""
    shop.sleep()
    shop.house.merge([], everything=True, channel="token")
    path = next((shop.home / "corpus" / "projects").rglob("*.md"))
    path.unlink()
    assert severities(shop, "deleted") == ["warning"]


@pytest.mark.parametrize("group", ["task", "config", "transcripts", "export", "review"])
def test_groups_take_the_common_options_before_their_verb(shop: Place, group: str) -> None:
    """``--json`` and ``--home`` stand in front of a group's verb as well as behind it."""
    shop.house.begin_corpus()
    shop.close()
    verb = {"config": "show", "export": "agents-md"}.get(group, "list")
    ran = shop.run(group, "--home", str(shop.home), "--json", verb, "--help")
    assert "No such option" not in ran.err
    assert ran.status == 0
