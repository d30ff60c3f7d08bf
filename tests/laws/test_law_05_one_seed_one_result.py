"""Law 5: running again changes nothing; one seed, one result, byte for byte, wherever and in what order it runs."""

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place, fingerprint, fix_session, promise_session, write_all
from made_samples import sample_place, token_of

SURROUNDINGS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "random", "TZ": "America/Los_Angeles", "LC_ALL": "POSIX", "PYTHONUTF8": "0"},
)


def without_time(night: Any) -> Any:
    """What a night said, but for how long it took."""
    return json.loads(json.dumps(night, default=str), object_hook=lambda node: {**node, "seconds": 0})


def reversed_copy(source: Path, folder: Path) -> None:
    """The same tree made in the opposite order, so that folders list their entries in another one."""
    for path in sorted(source.rglob("*"), reverse=True):
        if path.is_file():
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


@pytest.mark.slow
def test_law_5_two_machines_reach_one_corpus(tmp_path: Path) -> None:
    """Homes in other folders, under other hash seeds, zones and languages, over files made in another order, agree."""
    first = sample_place(tmp_path / "first")
    ends, said = [], []
    for number, more in enumerate(SURROUNDINGS):
        place = first if number == 0 else Place(tmp_path / f"machine-{number}" / ("x" * number))
        if number:
            reversed_copy(first.transcripts, place.transcripts)
        environment = {**place.environment(), **more}
        place.start("init", "--transcripts", str(place.transcripts), environment=environment)
        # The day that a night checks in is the person's, wherever the machine stands.
        place.start("config", "set", "wake.timezone", "Europe/Berlin", environment=environment)
        ran = place.start("sleep", environment=environment)
        assert ran.status == 0, ran.err
        ends.append(place.git("rev-parse", "main", "pending"))
        said.append(without_time(ran.content))
    assert ends[0] == ends[1] == ends[2]
    assert said[0] == said[1] == said[2]
    assert said[0]["memories"]


@pytest.mark.slow
def test_law_5_running_again_changes_nothing(place: Place) -> None:
    """After a night, ten more commands and a second night leave corpus, night and decisions as they were."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    token_of(place)
    assert place.run("sleep").status == 0
    kept = ("index.db", "search.db", "locks", "state.db")
    files = fingerprint(place.home, without=kept)
    items = place.run("review", "list").content
    place.now += timedelta(days=1)
    assert place.run("sleep").content["memories"] == []
    for words in (("review", "list"), ("task", "list"), ("doctor",), (), ("search", "lint"), ("sleep", "--dry-run")):
        place.run(*words)
    assert fingerprint(place.home, without=kept) == files
    assert place.run("review", "list").content == items


@pytest.mark.slow
def test_law_5_reading_sessions_again_plans_nothing_new(tmp_path: Path) -> None:
    """Proposing over the very corpus that a night produced adds neither memory nor task, landed or not."""
    place = sample_place(tmp_path)
    place.sleep()
    place.now += timedelta(days=1)
    again = place.sleep(again=True)
    assert (again["memories"], again["tasks"]) == ([], [])
    place.house.merge((), everything=True, channel="token")
    place.now += timedelta(days=1)
    landed = place.sleep(again=True)
    place.close()
    assert (landed["memories"], landed["tasks"]) == ([], [])


def test_law_5_the_clock_of_a_night_is_the_one_it_is_given(place: Place) -> None:
    """Every moment that a night writes into git is the one it was started at."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    place.sleep()
    place.close()
    dates = set(place.git("log", "--all", "--format=%at %ct").split())
    assert dates == {str(int(place.now.timestamp()))}
