"""Law: what a commit message says comes back exactly, and its last paragraph is ours alone (spec 02)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.corpus import message
from slowwave.corpus.message import CommitMessage, parse_message, subject_for
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import SessionId

TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(("\n\n", "Slowwave-Item: x", "Evidence: ", "\n---\n", '"', "\\", "\u2028", "\x00", "# ", "w", " ")),
    max_size=6,
).map("".join)
EVIDENCE = st.builds(
    Evidence,
    session_id=TEXTS.map(SessionId),
    quote=TEXTS,
    line=st.integers(1, 10**9),
    speaker=st.sampled_from(tuple(Speaker)),
    record=TEXTS,
    is_new=st.booleans(),
    is_tainted=st.booleans(),
    file=st.integers(0, 99),
)
TRAILERS = ((message.RUN, "run-1"), (message.ITEM, "i-true"), (message.TYPE, "memory"))


@settings(max_examples=150, deadline=None)
@given(claim=TEXTS, evidence=st.lists(EVIDENCE, max_size=3).map(tuple))
def test_a_message_comes_back_exactly(claim: str, evidence: tuple[Evidence, ...]) -> None:
    """Any claim and any quotes: read back equal, and the last paragraph is our trailers."""
    said = CommitMessage(subject=subject_for("semantic", claim), claim=claim, evidence=evidence, trailers=TRAILERS)
    raw = said.render()
    assert parse_message(raw) == said
    last = raw.decode().removesuffix("\n").split("\n\n")[-1]
    assert last == "Slowwave-Run: run-1\nSlowwave-Item: i-true\nSlowwave-Type: memory"
