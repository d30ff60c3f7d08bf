"""What slowwave had put into a session confirms nothing there, whichever way it came in."""

import pytest

from slowwave.facts.markers import EXPORT_BEGIN, EXPORT_END, MEMORY_BEGIN, MEMORY_END
from slowwave.records.recording import Recording
from slowwave.sleep import surroundings

CLAIM = "Start the fixture server on port 8099 before the importer tests."


def is_recalled(recording: Recording, claim: str) -> bool:
    """Whether planning takes the session for one that only repeats the claim."""
    return surroundings._recalled((recording,))("s-1", claim)


@pytest.mark.parametrize(
    ("begin", "end"), [(EXPORT_BEGIN, EXPORT_END), (MEMORY_BEGIN, MEMORY_END)], ids=["a file", "an answer"]
)
def test_a_memory_that_a_tool_brought_in_is_recalled(stage: type, begin: str, end: str) -> None:
    """An exported file that is read, and a memory that is looked up; in other wording too, and no other claim."""
    recording = (
        stage("s-1").call("Read", {"file_path": "AGENTS.md"}, f"# Rules\n{begin}\n- {CLAIM}\n{end}\n").recording()
    )
    assert is_recalled(recording, CLAIM)
    assert is_recalled(recording, "Before the importer tests, start the fixture server on port 8099.")
    assert not is_recalled(recording, "The exporter needs the proxy on port 8080 before it starts.")


def test_what_somebody_else_wrote_is_not_recalled(stage: type) -> None:
    """The same words without our markers are a session's own."""
    recording = stage("s-1").call("Read", {"file_path": "README.md"}, f"- {CLAIM}\n").agent(CLAIM).recording()
    assert not is_recalled(recording, CLAIM)
