"""Fake evidence: forty ways to make a candidate look proved, each refused with its own code."""

import pytest
from made_evidence import judged, offered
from made_fakes import ONE_CANDIDATE
from made_transcripts import answer, candidate

from slowwave.proof.batch import Batch


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The made sessions."""
    return offered(tmp_path_factory.mktemp("sessions"))


@pytest.mark.parametrize("name", ONE_CANDIDATE)
def test_a_candidate_with_such_evidence_is_refused(name: str, batch: Batch) -> None:
    """Each trick has its code and the path of the offender, and nothing else is said."""
    quotes, changes, expected = ONE_CANDIDATE[name]
    assert judged(answer(candidates=[candidate(*quotes, **changes)]), batch) == expected


def test_at_least_thirty_five_tricks_are_tried() -> None:
    """The table keeps its size."""
    assert len(ONE_CANDIDATE) >= 35
