"""Consent as a person meets it: shown, asked, kept, taken back; and settings written one by one."""

import json

import pytest
from made_nights import Place, large_session, write_all

THERE = "openai-compatible (127.0.0.1:9)"


@pytest.fixture
def asked(place: Place) -> Place:
    """A home with sessions and a configured model that nobody may be asked without consent."""
    write_all(place.transcripts, [large_session(1), large_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    place.close()
    for name, value in (
        ("models.provider", "openai-compatible"),
        ("models.model", "small"),
        ("models.base_url", "http://127.0.0.1:9/v1"),
        ("models.input_price", "1"),
        ("models.output_price", "2"),
    ):
        assert place.run("config", "set", name, value).status == 0
    return place


def test_an_engine_asked_for_by_name_is_refused_without_consent(asked: Place) -> None:
    """Nothing is sent, nothing begun; the error says to whom it would go and how to say yes."""
    ran = asked.run("sleep", "--engine", "model")
    assert (ran.status, ran.code) == (1, "consent_needed")
    assert THERE in ran.err
    assert asked.house.state.connection.execute("SELECT count(*) FROM runs").fetchone()[0] == 0


def test_auto_goes_on_with_rules_and_says_why(asked: Place) -> None:
    """A configured model without consent is no reason not to sleep."""
    ran = asked.run("sleep")
    assert ran.status == 0, ran.err
    assert ran.content["engine"] == "mined/1"
    assert THERE in ran.content["notes"][0]
    assert ran.content["memories"]


def test_a_dry_run_names_batches_and_what_they_may_cost_without_consent(asked: Place) -> None:
    """It sends nothing, so it may be asked by anybody."""
    ran = asked.run("sleep", "--engine", "model", "--dry-run")
    assert ran.status == 0, ran.err
    (batch,) = ran.content["batches"]
    assert batch["id"].startswith("b-")
    assert batch["sessions"] == 2
    assert batch["estimate"]["calls"] > 0
    assert batch["estimate"]["usd"] > 0


def test_consent_is_given_with_the_token_shown_and_taken_back(asked: Place) -> None:
    """A token stands for the person; without one nobody is asked here."""
    token = asked.house.renew_token()
    asked.close()
    refused = asked.run("consent", "give")
    assert refused.code == "needs_person"
    given = asked.run("consent", "give", "--yes-i-am-a-person", token)
    assert given.status == 0, given.err
    assert given.content["destination"] == THERE
    assert given.content["sessions"] == 2
    (known,) = asked.run("consent").content["consents"]
    assert (known["destination"], known["given"], known["channel"]) == (THERE, True, "token")
    assert asked.run("consent", "revoke", THERE).status == 0
    assert asked.run("sleep", "--engine", "model").code == "consent_needed"
    assert asked.run("consent", "revoke", THERE).status == 3


def test_a_key_or_a_password_is_no_setting(asked: Place) -> None:
    """What would be shown and stored is refused, and not repeated in the error."""
    before = (asked.home / "config.toml").read_bytes()
    word = "made-up-0123456789"
    person = f"user:{word}"
    for name, value in (
        ("models.key", f"sk-{word}"),
        ("models.base_url", f"http://{person}@127.0.0.1:9/v1"),
        ("models.base_url", f"http://127.0.0.1/v1?key={word}"),
    ):
        ran = asked.run("config", "set", name, value)
        assert ran.code == "config", value
        assert word not in ran.out + ran.err
    assert (asked.home / "config.toml").read_bytes() == before


def test_settings_with_a_mark_before_them_are_read(asked: Place) -> None:
    """Some editors put one there."""
    path = asked.home / "config.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert asked.run("config", "show").status == 0


def test_a_setting_is_checked_before_it_is_written(asked: Place) -> None:
    """A wrong name or value changes nothing; all others stay."""
    before = (asked.home / "config.toml").read_bytes()
    assert asked.run("config", "set", "models.nothing", "1").status == 2
    assert asked.run("config", "set", "models.seconds", "0").code == "config"
    assert asked.run("config", "set", "models", "1").status == 2
    assert (asked.home / "config.toml").read_bytes() == before
    assert asked.run("config", "set", "sources.exclude.projects", json.dumps(["secret-one"])).status == 0
    rows = {row["name"]: row["value"] for row in asked.run("config", "show").content["settings"]}
    assert rows["sources.exclude.projects"] == "secret-one"
    assert rows["models.model"] == "small"
