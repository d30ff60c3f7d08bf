"""History is not starved: where a night has time for two batches, it takes the newest and the oldest."""

from datetime import timedelta

from made_nights import Place, fix_session, session_name, write_all

from slowwave.sleep.plan import NightOptions
from slowwave.wiring import nightshift

PROJECTS = {4: "cake", 3: "bread", 2: "tea", 1: "salt"}
"""One session of each, the newest first."""


class Slow:
    """A night in which every batch takes ten seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""

    def step(self, text: str, done: float, total: float) -> None:
        """A batch is taken."""
        del text, done, total
        self.now += 10

    def seconds(self) -> float:
        """The present of this night."""
        return self.now


def night_of_two(place: Place) -> set[str]:
    """The sessions that a night with time for two batches read."""
    before = marked(place)
    slow = Slow()
    nightshift.sleep(
        place.house,
        NightOptions(seconds=15),
        engine_name="mined",
        moment=place.now,
        resume=False,
        progress=slow,
        seconds=slow.seconds,
    )
    place.now += timedelta(days=1)
    return marked(place) - before


def marked(place: Place) -> set[str]:
    """Sessions with a watermark."""
    return {str(row[0]) for row in place.house.state.connection.execute("SELECT DISTINCT session_id FROM marks")}


def test_a_first_night_takes_the_newest_and_later_ones_the_oldest_too(place: Place) -> None:
    """A first night shows what is fresh; from then on each takes one from either end."""
    write_all(place.transcripts, [fix_session(7, day=28), fix_session(6, day=27, project="jam")])
    write_all(place.transcripts, [fix_session(n, day=20 + n, project=name) for n, name in PROJECTS.items()])
    assert night_of_two(place) == {session_name(7), session_name(6)}
    assert night_of_two(place) == {session_name(4), session_name(1)}
    assert night_of_two(place) == {session_name(3), session_name(2)}
