"""What the stories of the desk share: a home and transcripts of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_nights import Place, fix_session, promise_session, write_all


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A home whose transcripts hold one pattern, seen twice, and one promise."""
    made = Place(tmp_path)
    write_all(made.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    yield made
    made.close()
