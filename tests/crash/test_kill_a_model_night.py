"""Laws 1, 3 and 7 with a model: killed anywhere, a resumed night ends the same, every question paid for first."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from made_model_nights import configure, honest
from made_nights import Place, large_session, promise_session, write_all
from made_protocols import Question, Spoken
from made_providers import MadeProvider
from sweep import PLACE, End, Sweep

from slowwave.sleep.turns import ANSWERED, TurnBook

KILLS = 20
"""Points that are killed at: as many as a minute or two hold, spread evenly over the night."""


class Counting:
    """An honest model that counts by whom it is asked: each place has an address of its own."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, question: Question) -> Spoken:
        """The honest answer."""
        self.asked[question.path.split("/")[1]] += 1
        return honest(question)


class Watched(Sweep):
    """A sweep that looks, between the kill and the next start, whether the answer is on record already."""

    def __init__(self, folder: Path, transcripts: Path, *, template: Path) -> None:
        super().__init__(folder, transcripts, engine="model", template=template)
        self.answered: set[str] = set()

    def shape(self, place: Path) -> str:
        """What the killed night left."""
        if any(record.status == ANSWERED for record in TurnBook(place / "home" / "runs").records()):
            self.answered.add(place.name)
        return super().shape(place)


@pytest.fixture
def counting() -> Iterator[tuple[Counting, str]]:
    """The model and where it is."""
    script = Counting()
    with MadeProvider(script) as made:
        yield script, made.origin


@pytest.mark.crash
@pytest.mark.timeout(2400)
def test_a_killed_model_night_ends_the_same_and_pays_for_every_question(
    tmp_path: Path, counting: tuple[Counting, str]
) -> None:
    """Reserved rows are never fewer than questions that reached the provider; an answered turn is never asked twice."""
    script, origin = counting
    place = Place(tmp_path)
    write_all(place.transcripts, [large_session(1), large_session(2, day=6), promise_session(3, day=7)])
    place.house.initialise(transcripts=(place.transcripts,))
    configure(place, f"{origin}/{PLACE}")
    place.close()
    sweep = Watched(tmp_path / "sweep", place.transcripts, template=place.home)
    whole = sweep.untouched()
    points = [point for point in sweep.points() if point.process == 0]
    chosen = points[:: max(1, len(points) // KILLS)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda pair: sweep.kill(pair[1], f"kill{pair[0]}"), enumerate(chosen)))
    ends: Counter[End] = Counter(end for _, _, end, _ in results)
    killed = sum(was_killed for was_killed, _, _, _ in results)
    extra = [script.asked[f"kill{n}"] - script.asked["whole"] for n in range(len(chosen))]
    print(f"\n{len(points)} calls, {killed} kills, {len(ends)} end states, {sum(extra)} questions asked again")
    print(f"{len(sweep.answered)} places with an answer on record at the kill")
    assert [trouble for _, _, _, trouble in results if trouble] == []
    assert set(ends) == {whole}
    assert killed >= len(chosen) // 2
    for number in range(len(chosen)):
        name = f"kill{number}"
        assert reserved(sweep.folder / name) >= script.asked[name], name
    assert max(extra) <= script.asked["whole"]
    dead_and_answered = [n for n, (was_killed, *_) in enumerate(results) if was_killed and f"kill{n}" in sweep.answered]
    assert dead_and_answered
    assert [extra[n] for n in dead_and_answered] == [0] * len(dead_and_answered)


def reserved(place: Path) -> int:
    """Calls on the account of a place."""
    with closing(sqlite3.connect(place / "home" / "budget.db")) as ledger:
        return int(ledger.execute("SELECT count(*) FROM calls").fetchone()[0])
