"""Law 6: one writer; a second is told who holds the lock, a dead holder is recognised, never two at once."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

import pytest
from made_nights import Place, fix_session, promise_session, write_all
from made_samples import token_of

MOMENT = "2026-02-01T03:30:00Z"


def start(place: Place, words: Sequence[str]) -> "subprocess.Popen[str]":
    """A command that runs beside others."""
    return subprocess.Popen(
        [sys.executable, "-m", "slowwave", *words, "--json", "--home", str(place.home), "--at", MOMENT],
        env=place.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def filled(place: Place) -> Place:
    """The place with a pattern and a promise in its sessions."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    return place


@pytest.mark.slow
def test_law_6_writers_at_once_leave_what_one_after_another_leaves(place: Place) -> None:
    """Of many commands started together each does its work or says who was in its way; nothing is lost or double."""
    token = token_of(filled(place))
    assert place.run("sleep").status == 0
    items = {item["type"]: item["id"] for item in place.run("review", "list").content["items"]}
    yes = ("--yes-i-am-a-person", token)
    write_all(place.transcripts, [promise_session(4, day=8, promise="I will rename the cart module next week.")])
    commands = (
        ("sleep",),
        ("sleep",),
        ("sleep", "--again"),
        ("review", "accept", items["memory"], *yes),
        ("merge", items["memory"], *yes),
        ("task", "confirm", items["task"], *yes),
        ("review", "list"),
        ("search", "pytest"),
    )
    running = [start(place, words) for words in commands]
    ended = [
        (words, process.communicate(timeout=120), process.returncode)
        for words, process in zip(commands, running, strict=True)
    ]
    for words, (_, err), status in ended:
        assert status in (0, 1, 2, 3), (words, err)
        assert "Traceback" not in err, (words, err)
    # Whoever was turned away tries again, alone.
    place.run("sleep")
    place.run("merge", "--all", *yes)
    assert place.git("fsck", "--strict", "--no-dangling") == ""
    landed = Counter(place.git("log", "--format=%(trailers:key=Slowwave-Item,valueonly)", "main").split())
    assert items["memory"] in landed
    assert items["task"] in landed
    assert set(landed.values()) == {1}
    states = place.house.state.connection.execute("SELECT status, count(*) FROM runs GROUP BY 1").fetchall()
    assert all(status != "running" for status, _ in states)
    claims = [
        str(row[0]) for row in place.house.state.connection.execute("SELECT claim FROM items WHERE type = 'task'")
    ]
    assert len(claims) == len(set(claims)) == 2


def test_law_6_a_killed_writer_is_in_nobodys_way(place: Place) -> None:
    """When the holder of the lock is killed, the next command goes on at once and clears what it left."""
    filled(place).house.begin_corpus()
    place.close()
    script = (
        "import sys, time; from pathlib import Path; from slowwave.wiring import open_house; import os\n"
        f"house = open_house(home=Path({str(place.home)!r}), environment=dict(os.environ))\n"
        "with house.writing('merge'):\n    print('held', flush=True); time.sleep(60)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    (place.home / "corpus" / ".git" / "refs" / "heads" / "main.lock").touch()
    holder.kill()
    holder.wait()
    holder.stdout.close()
    night = place.sleep()
    assert len(night["memories"]) == 1
    place.house.merge((), everything=True, channel="token")
