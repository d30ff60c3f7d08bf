"""What the stories of the day share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_nights import Place


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A home of this test's own."""
    made = Place(tmp_path)
    yield made
    made.close()
