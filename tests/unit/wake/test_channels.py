"""Channels: named without secrets, addressed by reference, and no address in anything that is said."""

import json
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pytest

from slowwave.disk.config import Config, NotifySettings, TelegramSettings
from slowwave.wake.channels import Channels, channels_of
from slowwave.wake.notices import Notice, NotSent, Sent
from slowwave.wake.notify import send_by_library, with_key

NOTICE = Notice(key="r-1", title="Reminder", text="call Ann\n(due now; r-1)")
PASSWORD = "hunter" + "2-of-nobody"


def sending(tmp_path: Path, *urls: str, environment: dict[str, str] | None = None) -> Channels:
    """Channels over these addresses."""
    return Channels(
        Config(notify=NotifySettings(urls=urls), telegram=TelegramSettings(base_url="http://127.0.0.1:9")),
        environment=environment or {},
        clock=lambda: datetime(2026, 2, 1, 9, 0, tzinfo=UTC),
        stopwatch=monotonic,
        folder=tmp_path,
    )


def only(tmp_path: Path, url: str, environment: dict[str, str] | None = None) -> Sent | NotSent:
    """What became of a notice over one address."""
    channels = sending(tmp_path, url, environment=environment)
    return channels.send(channels.channels[0], NOTICE)


def test_names_are_stable_and_hold_no_secret() -> None:
    """An entry keeps its name wherever it stands; one that stands twice is one."""
    urls = (f"mailtos://ann:{PASSWORD}@mail.example.org", "env:HOOK", "file:/home/ann/hook", f"json://{PASSWORD}/x")
    names = [one.name for one in channels_of(urls)]
    assert names == [one.name for one in reversed(channels_of((*reversed(urls), urls[0])))]
    assert names[1:3] == ["env:HOOK", "file:/home/ann/hook"]
    assert names[0].startswith("mailtos-")
    assert len(names[0]) == len("mailtos-") + 4
    assert PASSWORD not in repr(channels_of(urls))
    assert PASSWORD not in " ".join(names)


def test_two_with_one_name_are_told_apart() -> None:
    """Sixteen bits may be the same for two entries."""
    many = channels_of(tuple(f"json://127.0.0.1/{number}" for number in range(2_000)))
    assert len({one.name for one in many}) == 2_000


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("json://h", "json://h?+Idempotency-Key=r-1&:key=r-1"),
        ("jsons://h/a?x=1", "jsons://h/a?x=1&+Idempotency-Key=r-1&:key=r-1"),
        ("form://h/?", "form://h/?+Idempotency-Key=r-1&:key=r-1"),
        ("mailto://h", "mailto://h?+Idempotency-Key=r-1"),
        ("slack://a/b/c", "slack://a/b/c"),
    ],
)
def test_a_key_is_a_header_and_a_field_where_a_service_has_them(url: str, sent: str) -> None:
    """It stands in the text anyhow."""
    assert with_key(url, "r-1") == sent


def test_a_file_grows_by_a_line(tmp_path: Path) -> None:
    """Whole JSON objects, for its owner alone; a torn line of somebody who was killed is closed first."""
    path = tmp_path / "folder with blanks" / "reminders.jsonl"
    url = path.as_uri()
    assert only(tmp_path, url) == Sent()
    with path.open("ab") as torn:
        torn.write(b'{"key": "r-0", "ti')
    assert only(tmp_path, url) == Sent()
    first, second, third = path.read_text("utf-8").splitlines()
    assert json.loads(first) == json.loads(third)
    assert json.loads(first)["key"] == "r-1"
    assert json.loads(first)["text"] == NOTICE.text
    assert second == '{"key": "r-0", "ti'
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    """Such as one that holds an address, named with two strokes too many."""
    secret = tmp_path / "address"
    secret.write_text(f"mailto://ann:{PASSWORD}@mail.example.org", "utf-8")
    for place in (secret, tmp_path):
        outcome = only(tmp_path, place.as_uri())
        assert isinstance(outcome, NotSent)
        assert PASSWORD not in outcome.reason
    assert secret.read_text("utf-8") == f"mailto://ann:{PASSWORD}@mail.example.org"
    assert isinstance(only(tmp_path, "file://relative/path"), NotSent)


def test_a_command_is_given_title_and_text(tmp_path: Path) -> None:
    """As two words, by no shell, with the key in a variable and no other secret around."""
    script = tmp_path / "show.py"
    script.write_text(
        "import json, os, sys\njson.dump([sys.argv[1:], dict(os.environ)], open(sys.argv[1], 'w'))\n", "utf-8"
    )
    out = tmp_path / "shown $(touch made).json"
    environment = {"PATH": "/usr/bin:/bin", "OPENAI_API_KEY": PASSWORD, "DISPLAY": ":0"}
    assert only(tmp_path, f"command:{sys.executable} {script} '{out}'", environment) == Sent()
    words, around = json.loads(out.read_text("utf-8"))
    assert words[1:] == [NOTICE.title, NOTICE.text]
    assert (around["SLOWWAVE_KEY"], around["DISPLAY"]) == ("r-1", ":0")
    assert PASSWORD not in around.values()
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("command", ["false", "no-such-program-anywhere", "", "'unclosed"])
def test_a_command_that_fails_says_so(tmp_path: Path, command: str) -> None:
    """And raises nothing."""
    assert isinstance(only(tmp_path, f"command:{command}", {"PATH": "/usr/bin:/bin"}), NotSent)


def test_a_text_is_no_option(tmp_path: Path) -> None:
    """What a person wrote cannot steer the program."""
    channels = sending(tmp_path, f"command:{sys.executable} -c 'import sys; sys.exit(sys.argv[2][0] == \"-\")'")
    notice = Notice(key="r-1", title="Reminder", text="--help\0 me")
    assert channels.send(channels.channels[0], notice) == Sent()


def test_an_address_is_where_a_reference_says(tmp_path: Path) -> None:
    """In a variable or in a private file, read anew each time."""
    target = tmp_path / "got.jsonl"
    place = tmp_path / "address"
    place.write_text(target.as_uri(), "utf-8")
    place.chmod(0o644)
    outcome = only(tmp_path, f"file:{place}")
    assert isinstance(outcome, NotSent)
    assert "others could read" in outcome.reason
    place.chmod(0o600)
    assert only(tmp_path, f"file:{place}") == Sent()
    assert only(tmp_path, "env:HOOK", {"HOOK": target.as_uri()}) == Sent()
    assert isinstance(only(tmp_path, "env:HOOK"), NotSent)
    assert len(target.read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    "url",
    [
        f"json://ann:{PASSWORD}@127.0.0.1:9/{PASSWORD}",
        f"mailto://ann:{PASSWORD}@127.0.0.1:9?from=a@example.org&to=b@example.org",
        f"slack://{PASSWORD}",
        f"nonsense://{PASSWORD}",
        PASSWORD,
        f"tgram://123:{PASSWORD}/4711",
        "telegram:4711",
    ],
)
def test_no_secret_in_a_log_or_a_reason(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong with an address, and however much is logged."""
    caplog.set_level(logging.NOTSET)
    logging.getLogger("apprise").setLevel(1)
    outcome = only(tmp_path, url)
    assert isinstance(outcome, NotSent)
    out, err = capfd.readouterr()
    assert PASSWORD not in outcome.reason + caplog.text + out + err


def test_the_library_does_not_follow_or_interpret() -> None:
    """An address of no service is refused by its name alone."""
    assert send_by_library("nonsense://x", NOTICE) == NotSent(reason="the library knows no service for this nonsense")
