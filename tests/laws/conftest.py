"""What the laws share: one night over the bundled samples, looked at by many and changed by none."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_nights import Place
from made_samples import Slept, sample_place


@pytest.fixture(scope="session")
def slept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slept]:
    """A home after its first night over the samples; whoever uses it only looks."""
    place = sample_place(tmp_path_factory.mktemp("slept"))
    yield Slept(place=place, night=place.sleep())
    place.close()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """An empty home and an empty folder of transcripts."""
    made = Place(tmp_path)
    yield made
    made.close()
