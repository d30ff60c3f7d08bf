"""The commands themselves, each as a process of its own: envelopes, exit codes, persons, exports."""

import re
import sys
from pathlib import Path

import pexpect
import pytest
from made_nights import Place, fix_session, promise_session, write_all

from slowwave.facts.markers import EXPORT_BEGIN, EXPORT_END


@pytest.fixture
def token(shop: Place) -> str:
    """The person token of a home that was just begun."""
    ran = shop.run("init", "--transcripts", str(shop.transcripts))
    assert ran.status == 0, ran.err
    return str(ran.content["personToken"])


@pytest.mark.slow
def test_a_night_by_the_command_line_from_init_to_search(shop: Place, token: str) -> None:
    """Init, sleep, review, accept, merge, why, search and undo answer in one envelope each."""
    night = shop.start("sleep")
    assert (night.status, night.envelope["schema"], night.envelope["type"]) == (0, "slowwave.sleep.v1", "sleep")
    listed = shop.run("review", "list").content["items"]
    memory = next(item for item in listed if item["type"] == "memory")
    person = ("--yes-i-am-a-person", token)
    assert shop.run("review", "accept", memory["id"], *person).content["status"] == "accepted"
    assert shop.run("merge", *person).content["items"][0]["path"] == memory["path"]
    assert shop.run("why", memory["path"]).content["evidence"][0]["verified"] is True
    assert shop.run("search", "PYTHONPATH", "--kind", "error_pattern").content["hits"][0]["path"] == memory["path"]
    assert shop.run("undo", memory["id"], *person).content["items"][0]["status"] == "undone"


def test_the_person_token_is_shown_once_and_kept_nowhere(shop: Place, token: str) -> None:
    """A second ``init`` shows no token, and no file of the home holds the first."""
    assert token.startswith("person-")
    assert shop.run("init").content["personToken"] == ""
    assert not [path for path in shop.home.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]


def test_decisions_need_a_person(shop: Place, token: str) -> None:
    """Without a terminal and token, with a wrong token, each decision is refused and changes nothing."""
    shop.run("sleep")
    item = shop.run("review", "list").content["items"][0]["id"]
    before = shop.git("for-each-ref")
    for words in (("review", "accept", item), ("review", "reject", item), ("merge", "--all"), ("undo", item)):
        ran = shop.run(*words)
        assert (ran.status, ran.code) == (1, "needs_person")
    assert shop.run("merge").status == 3  # that nothing is accepted is said at once
    assert shop.run("undo", item, "--yes-i-am-a-person", token).status == 2
    task = shop.run("task", "list").content["tasks"][0]["id"]
    ran = shop.run("task", "confirm", task, "--yes-i-am-a-person", token + "x")
    assert (ran.status, ran.code) == (1, "needs_person")
    assert shop.git("for-each-ref") == before
    assert {i["status"] for i in shop.run("review", "list").content["items"]} == {"pending"}


def spawn(place: Place, *words: str, **environment: str) -> "pexpect.spawn[str]":
    """A command at a terminal of its own."""
    command = ["-m", "slowwave", *words, "--home", str(place.home), "--at", "2026-02-01T03:30:00Z"]
    return pexpect.spawn(
        sys.executable,
        command,
        env=place.environment(**environment),
        encoding="utf-8",
        timeout=40,
        dimensions=(50, 200),
    )


def test_a_review_at_a_terminal(shop: Place) -> None:
    """Item by item: context, accept, reject with a reason; what was decided stands in the home."""
    write_all(
        shop.transcripts, [promise_session(7, day=9, promise="I will rename the cart module next week, promised.")]
    )
    shop.sleep()
    waiting = len(shop.house.review_list())
    shop.close()
    at = spawn(shop, "review")
    at.expect("q.uit: ")
    at.sendline("c")
    at.expect("> +\\d+ ")
    at.expect("q.uit: ")
    at.sendline("x")  # no key of ours: asked again
    at.expect("x is no key here")
    at.expect("q.uit: ")
    at.sendline("a")
    at.expect("Type yes: ")  # only now, and once
    at.sendline("yes")
    at.expect("accepted i-")
    at.expect("q.uit: ")
    at.sendline("r")
    at.expect("may be empty.: ")
    at.sendline("not worth it")
    at.expect("rejected i-.*review accept i-")
    if waiting > 2:
        at.expect("q.uit: ")
        at.sendline("q")
    at.expect("1 accepted, 1 rejected")
    at.expect(pexpect.EOF)
    at.close()
    assert at.exitstatus == 0
    rows = shop.house.state.connection.execute("SELECT status, channel, why FROM items WHERE decided != ''").fetchall()
    assert sorted(tuple(row) for row in rows) == [
        ("accepted", "terminal", ""),
        ("rejected", "terminal", "not worth it"),
    ]


@pytest.mark.slow
def test_a_skipped_item_waits_and_no_is_no(shop: Place) -> None:
    """Skipping decides nothing and asks for nothing, and anything but yes at the first decision ends the review."""
    shop.sleep()
    shop.close()
    at = spawn(shop, "review")
    at.expect("q.uit: ")
    at.sendline("a")
    at.expect("Type yes: ")
    at.sendline("y")
    at.expect("answer was not yes")
    at.expect(pexpect.EOF)
    at.close()
    assert at.exitstatus == 1
    at = spawn(shop, "review")
    for _ in range(len(shop.house.review_list())):
        at.expect("q.uit: ")
        at.sendline("s")
    at.expect(pexpect.EOF)
    assert {item["status"] for item in shop.house.review_list()} == {"pending"}


@pytest.mark.slow
def test_an_agent_at_a_terminal_is_no_person(shop: Place) -> None:
    """Where a coding agent's environment is seen, a terminal does not count."""
    shop.sleep()
    shop.close()
    at = spawn(shop, "merge", "--all", CLAUDECODE="1")
    at.expect("CLAUDECODE says that an agent runs here")
    at.expect(pexpect.EOF)
    at.close()
    assert at.exitstatus == 1


def test_export_writes_between_markers_and_is_idempotent(shop: Place, token: str, tmp_path: Path) -> None:
    """What landed reaches AGENTS.md; a second export changes no byte, and text outside the markers never moves."""
    shop.run("sleep")
    assert shop.run("merge", "--all", "--yes-i-am-a-person", token).status == 0
    out = tmp_path / "AGENTS.md"
    out.write_text("# Shop\n\nRun `make` first.\n", encoding="utf-8")
    ran = shop.run("export", "agents-md", "--out", str(out), "--project", "shop")
    assert (ran.status, ran.content["memories"]) == (0, 1)
    text = out.read_text("utf-8")
    assert text.startswith("# Shop\n\nRun `make` first.\n")
    assert "PYTHONPATH=src" in text.split(EXPORT_BEGIN)[1].split(EXPORT_END)[0]
    shop.run("export", "agents-md", "--out", str(out), "--project", "shop")
    assert out.read_text("utf-8") == text
    out.write_text(text.replace("Run `make` first.", "Run `make all` first.") + "\nThe end.\n", encoding="utf-8")
    shop.run("export", "agents-md", "--out", str(out), "--project", "shop")
    assert out.read_text("utf-8").startswith("# Shop\n\nRun `make all` first.\n")
    assert out.read_text("utf-8").endswith("\nThe end.\n")


@pytest.mark.slow
def test_export_refuses_broken_markers(shop: Place, token: str, tmp_path: Path) -> None:
    """A begin marker without its end: nothing is written."""
    assert token
    shop.run("sleep")
    shop.run("merge", "--all", "--yes-i-am-a-person", token)
    out = tmp_path / "AGENTS.md"
    out.write_text(f"# Shop\n{EXPORT_BEGIN}\nhalf of it\n", encoding="utf-8")
    ran = shop.run("export", "agents-md", "--out", str(out), "--project", "shop")
    assert (ran.status, ran.code) == (1, "broken_markers")
    assert out.read_text("utf-8") == f"# Shop\n{EXPORT_BEGIN}\nhalf of it\n"


def test_what_is_excluded_is_read_by_no_verb(place: Place) -> None:
    """A project, a path and a session that were excluded reach no night, no list and no consolidation."""
    secretive = fix_session(1, project="My Diary", module="diary")
    write_all(place.transcripts, [secretive, fix_session(2, project="My Diary", module="diary", day=6)])
    write_all(place.transcripts, [promise_session(3), promise_session(4, project="bakery"), fix_session(5)])
    excluded = ("--exclude-project", "My Diary", "--exclude-path", "*/-work-bakery/*", "--exclude-session")
    ran = place.run("init", "--transcripts", str(place.transcripts), *excluded, "00000005-1111-4111-8111-111111111111")
    assert ran.content["roots"][0]["sessions"] == 1
    assert place.counts(place.run("sleep").content)["sessions_found"] == 1
    for words in (("transcripts", "list"), ("transcripts", "list", "--root", str(place.transcripts))):
        assert [s["slug"] for s in place.run(*words).content["sessions"]] == ["shop"]
    proposed = place.run("consolidate", str(place.transcripts))
    assert proposed.content["readSessionIds"] == ["00000003-1111-4111-8111-111111111111"]
    assert "diary" not in proposed.out


def test_state_screen_without_a_home_says_what_to_do(place: Place) -> None:
    """``slowwave`` alone answers even where nothing was set up."""
    environment = place.environment(HOME=str(place.home.parent))
    ran = place.run(environment=environment)
    assert (ran.status, ran.envelope["type"]) == (0, "state")
    assert ran.content["lastNight"] is None
    assert re.search("init --transcripts|demo", ran.content["next"])


def test_looking_before_the_first_night_has_nothing_to_work_on(place: Place) -> None:
    """Verbs that need a home end with 3 where there is none, and make none."""
    for words in (("review", "list"), ("search", "cart"), ("why", "projects/x.md"), ("task", "list"), ("merge",)):
        ran = place.run(*words)
        assert (ran.status, ran.code) == (3, "nothing_to_do"), words
    assert not place.home.exists()


def test_words_that_are_none_of_ours_are_usage_errors(place: Place) -> None:
    """An unknown command, option, engine, date or kind ends with 2 and an envelope that says so."""
    wrong = (
        ("slumber",),
        ("sleep", "--nap"),
        ("sleep", "--engine", "oracle"),
        ("sleep", "--date", "yesterday"),
        ("sleep", "--seconds", "-1"),
        ("sleep", "--seconds", "0"),
        ("sleep", "--seconds", "nan"),
        ("search", "x", "--kind", "dream"),
        ("search", "x", "--entity", "README.md"),
        ("config", "show", "--at", "noon"),
    )
    write_all(place.transcripts, [fix_session(1)])
    place.run("init", "--transcripts", str(place.transcripts))
    for words in wrong:
        ran = place.run(*words)
        assert ran.status == 2, words
        assert ran.envelope["error"]["message"], words


def test_a_word_that_looks_like_options_is_explained(place: Place) -> None:
    """``search -lint`` says how to search for that word."""
    ran = place.run("search", "-lint")
    assert ran.status == 2
    assert "-- -lint" in ran.envelope["error"]["hint"]
