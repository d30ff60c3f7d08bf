"""``slowwave telegram`` as a process: messages become captures in the day's file, and it ends cleanly when told to."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic, sleep

import pytest
from made_nights import Place
from made_servers import PEER, TOKEN, Telegram, telegram


@pytest.fixture
def api() -> Iterator[Telegram]:
    """A Bot API of this test's own."""
    with telegram() as made:
        yield made


@pytest.fixture
def settled(place: Place, api: Telegram) -> Place:
    """A home whose bot is at that API."""
    assert place.house.home.root.exists()
    for name, value in (("token", "env:TOKEN"), ("base_url", api.web.url), ("chats", f"[{PEER}]")):
        ran = place.run("config", "set", f"telegram.{name}", value)
        assert ran.status == 0, ran.err
    place.close()
    return place


def captured(place: Place) -> list[dict[str, object]]:
    """All captures of a home."""
    files = sorted(place.house.home.day.captures.glob("2*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_messages_become_captures(settled: Place, api: Telegram) -> None:
    """With their tags; a second run takes in nothing twice."""
    api.say("<file-this>Bo moved to Lisbon</file-this> <follow-up>call Bo</follow-up>")
    api.say("/remind tomorrow at 9 pay the rent")
    api.say("/remind \u200b")
    api.say("x" * 1_100_000)
    api.say("a note")
    api.say("let me in", peer=99)
    ran = settled.run("telegram", "--once", environment=settled.environment(TOKEN=TOKEN))
    assert ran.status == 0, ran.err
    assert ran.content["counts"] == {"updates": 6, "stored": 4, "refused": 1, "without_text": 1, "dropped": 1}
    assert ran.content["notAllowed"] == [99]
    assert TOKEN not in ran.out + ran.err
    rows = captured(settled)
    assert [(row["tag"], row["text"], row["source"]) for row in rows] == [
        ("file-this", "Bo moved to Lisbon", "telegram"),
        ("follow-up", "call Bo", "telegram"),
        ("follow-up", "remind me tomorrow at 9 pay the rent", "telegram"),
        ("note-to-self", "a note", "telegram"),
    ]
    again = settled.run("telegram", "--once", environment=settled.environment(TOKEN=TOKEN))
    assert again.content["counts"] == {}
    assert captured(settled) == rows


def test_without_a_bot_or_a_chat(place: Place, api: Telegram) -> None:
    """It says what to set; without an allowed chat it may look once."""
    assert place.house.home.root.exists()
    none = place.run("telegram", "--once")
    assert (none.status, none.code) == (3, "nothing_to_do")
    for name, value in (("token", "env:TOKEN"), ("base_url", api.web.url)):
        assert place.run("config", "set", f"telegram.{name}", value).status == 0
    place.close()
    environment = place.environment(TOKEN=TOKEN)
    closed = place.run("telegram", environment=environment)
    assert (closed.status, closed.code) == (3, "nothing_to_do")
    api.say("hello")
    looked = place.run("telegram", "--once", environment=environment)
    assert looked.content["notAllowed"] == [PEER]
    unset = place.run("telegram", "--once", environment=place.environment())
    assert (unset.status, unset.code) == (1, "key_unavailable")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_when_told_to(settled: Place, api: Telegram, number: int) -> None:
    """What came is stored, the place kept, and the counts are told; a second one is told who holds it."""
    api.say("milk")
    words = [sys.executable, "-m", "slowwave", "telegram", "--json", "--home", str(settled.home)]
    environment = settled.environment(TOKEN=TOKEN)
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    until = monotonic() + 30
    while len(api.offsets) < 2 and monotonic() < until:
        sleep(0.02)
    second = settled.run("telegram", "--once", environment=environment)
    assert (second.status, second.code) == (1, "locked")
    running.send_signal(number)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 0, err
    assert json.loads(out)["data"]["counts"]["stored"] == 1
    assert [row["text"] for row in captured(settled)] == ["milk"]
    assert api.offsets[1] == 1_001
