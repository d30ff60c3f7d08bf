"""What the stories of nights share: a home and transcripts of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_nights import Place, fix_session, promise_session, write_all


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """An empty home and an empty folder of transcripts."""
    made = Place(tmp_path)
    yield made
    made.close()


@pytest.fixture
def shop(place: Place) -> Place:
    """A home whose transcripts hold one pattern, seen twice, and one promise."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    return place
