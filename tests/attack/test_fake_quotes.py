"""Fake quotes: forty ways to make words look as if they stood in a session, none of which does."""

import pytest
from made_evidence import FIRST, LATER, A, B, judged, offered
from made_fakes import NOT_FOUND
from made_transcripts import answer, candidate

from slowwave.proof.batch import Batch


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The made sessions."""
    return offered(tmp_path_factory.mktemp("sessions"))


@pytest.mark.parametrize("name", NOT_FOUND)
def test_words_that_do_not_stand_in_one_string_are_not_found(name: str, batch: Batch) -> None:
    """Nothing but white space is forgiven, and no two strings are stitched."""
    words = NOT_FOUND[name]
    assert judged(answer(candidates=[candidate((A, words), (B, LATER))]), batch) == [("quote_not_found", FIRST)]


def test_at_least_forty_fakes_are_tried() -> None:
    """The table keeps its size."""
    assert len(NOT_FOUND) >= 40
