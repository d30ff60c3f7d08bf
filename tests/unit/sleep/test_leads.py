"""Leads: lens names and lines of what the rules saw, few of them, and not a word that anybody said."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from made_transcripts import ClaudeSession

from slowwave.facts.answer import Commitment, Proved, ProvedCommitment
from slowwave.facts.evidence import Evidence, Quote, Speaker
from slowwave.facts.ids import RunId, SessionId
from slowwave.facts.limits import LEADS_A_SESSION, LINES_A_LEAD
from slowwave.facts.markers import MEMORY_BEGIN, MEMORY_END
from slowwave.facts.memory import Kind
from slowwave.mining.finding import Finding
from slowwave.proof.batch import whole_batch
from slowwave.records.recording import load
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Reading, Verdict
from slowwave.sleep.leads import COMMITMENT, Lead, leads_of
from slowwave.sleep.turn import Turn
from slowwave.wiring.engines import MinedEngine

ONE = SessionId("11111111-1111-4111-8111-111111111111")
OTHER = SessionId("22222222-2222-4222-8222-222222222222")
SAID = [f"Sentence number {n} of this session is about the {n}th zebra." for n in range(1, 31)]


def reading(*sessions: ClaudeSession, root: Path) -> Reading:
    """Sessions as one batch, all new."""
    written = [session.write(root) for session in sessions]
    recordings = tuple(load(session) for session in written)
    return Reading(batch_id="b-1", run_id=RunId(""), batch=whole_batch(written), recordings=recordings)


def talk(name: str) -> ClaudeSession:
    """A session whose lines are the sentences."""
    session = ClaudeSession(name)
    for sentence in SAID:
        session.user(sentence)
    return session


@pytest.fixture
def two(tmp_path: Path) -> Reading:
    """Two sessions with the same sentences."""
    return reading(talk(ONE), talk(OTHER), root=tmp_path)


def finding(*lines: int, session: SessionId = ONE, lens: str = "correction", also: Sequence[Quote] = ()) -> Finding:
    """A finding that quotes these lines, then whatever else."""
    quotes = tuple(Quote(session_id=session, quote=SAID[line - 1]) for line in lines)
    return Finding(
        lens=lens,
        subject="zebra",
        kind=Kind.SEMANTIC,
        claim="Zebras count.",
        gist="They do.",
        entities=(),
        quotes=(*quotes, *also),
        parts=(),
    )


def verdict(*kept: Finding, dropped: Sequence[Finding] = (), promised: Sequence[int] = ()) -> Verdict:
    """What a mined engine would hand over."""
    commitments = tuple(promise(line) for line in promised)
    proved = Proved(candidates=(), commitments=commitments, read_session_ids=())
    return Verdict(proved=proved, refusals=(), counts={}, findings={"kept": kept, "dropped": tuple(dropped)})


def promise(line: int) -> ProvedCommitment:
    """A proved promise on a line."""
    quote = SAID[line - 1]
    evidence = Evidence(session_id=ONE, quote=quote, line=line, speaker=Speaker.USER, record=f"r{line}")
    commitment = Commitment(
        statement="Count the zebras.",
        actor="user",
        due_hint=None,
        evidence=Quote(session_id=ONE, quote=quote),
        confidence=0.9,
        resolved=False,
    )
    return ProvedCommitment(commitment=commitment, evidence=evidence)


def lines(leads: Sequence[Lead]) -> list[tuple[int, ...]]:
    """Just the lines."""
    return [lead.lines for lead in leads]


def test_a_finding_points_at_the_lines_of_its_quotes(two: Reading) -> None:
    """In the order of the file, and in each session that it quotes."""
    also = [Quote(session_id=OTHER, quote=SAID[6])]
    found = leads_of(verdict(finding(9, 3, also=also)), two)
    assert found == {
        ONE: (Lead(lens="correction", file=0, lines=(3, 9)),),
        OTHER: (Lead(lens="correction", file=0, lines=(7,)),),
    }


def test_what_was_kept_comes_before_promises_and_those_before_near_misses(two: Reading) -> None:
    """The best places first, so that a bound cuts the worst."""
    found = leads_of(verdict(finding(20), dropped=[finding(1, lens="decision")], promised=[10]), two)
    assert [lead.lens for lead in found[ONE]] == ["correction", COMMITMENT, "decision"]
    assert lines(found[ONE]) == [(20,), (10,), (1,)]


def test_leads_are_few_and_short(two: Reading) -> None:
    """A flood of findings gives no more than a row can bear; the first lines of each are kept."""
    flood = [finding(n, lens=f"lens_{n}") for n in range(1, 31)]
    assert lines(leads_of(verdict(*flood), two)[ONE]) == [(n,) for n in range(1, LEADS_A_SESSION + 1)]
    (wide,) = leads_of(verdict(finding(9, 8, 7, 6, 5, 4)), two)[ONE]
    assert wide.lines == (6, 7, 8, 9)
    assert len(wide.lines) == LINES_A_LEAD


def test_a_lead_that_says_nothing_new_is_left_out(two: Reading) -> None:
    """The same lens at lines it has pointed at already; another lens there is another reason to look."""
    found = leads_of(verdict(finding(3, 9), finding(9), finding(9, lens="decision")), two)
    assert found[ONE] == (
        Lead(lens="correction", file=0, lines=(3, 9)),
        Lead(lens="decision", file=0, lines=(9,)),
    )


def test_a_quote_that_stands_nowhere_points_nowhere(two: Reading) -> None:
    """A quote with a mask in it, or of a session that is not offered, is no place."""
    nowhere = [Quote(session_id=ONE, quote="no such words at all"), Quote(session_id=SessionId("x"), quote=SAID[0])]
    assert leads_of(verdict(finding(also=nowhere)), two) == {}
    assert leads_of(Verdict(proved=NOTHING_PROVED, refusals=(), counts={}), two) == {}


def test_what_slowwave_had_put_there_is_no_place_to_look(tmp_path: Path) -> None:
    """A memory that was shown to the agent is not pointed at as if somebody had said it."""
    session = ClaudeSession(ONE)
    session.user(f"Good morning.\n{MEMORY_BEGIN}\n{SAID[0]}\n{MEMORY_END}\nPlease count.")
    session.user(SAID[1])
    found = leads_of(verdict(finding(1, 2)), reading(session, root=tmp_path))
    assert lines(found[ONE]) == [(2,)]


def test_lines_of_a_side_file_name_the_file(tmp_path: Path) -> None:
    """A sub-agent's words are under its parent's id, in a file of their own."""
    session = talk(ONE)
    for text in ("The first thing I looked at was the giraffe house.", "Giraffes are never counted here."):
        message = {"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}]}
        session.side_record("a1", {"type": "assistant", "message": message})
    quote = Quote(session_id=ONE, quote="Giraffes are never counted here.")
    found = leads_of(verdict(finding(4, also=[quote])), reading(session, root=tmp_path))
    assert found[ONE] == (
        Lead(lens="correction", file=0, lines=(4,)),
        Lead(lens="correction", file=1, lines=(2,)),
    )


def correcting(name: str) -> ClaudeSession:
    """A session with a correction that holds, which the rules find."""
    session = ClaudeSession(name)
    session.user("Please set up the release.")
    session.agent("I will tag the release with npm version.")
    session.user("No, never use npm version here, always use the release script because it signs the tag.")
    session.agent("Understood: I use the release script because it signs the tag. I will document it tomorrow.")
    session.call("c1", "Bash", {"command": "./scripts/release.sh"})
    session.result("c1", "released v1.2.3")
    return session


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (found for inner in value.values() for found in strings(inner))
    elif isinstance(value, list):
        yield from (found for inner in value for found in strings(inner))


def test_a_model_is_shown_places_and_no_words(tmp_path: Path) -> None:
    """What the rules made of real entries reaches ``list_sessions`` as names of lenses and numbers alone."""
    batch = reading(correcting(ONE), correcting(OTHER), root=tmp_path)
    secrets = Secrets(deep=False)
    leads = leads_of(MinedEngine(secrets).hear(batch), batch)
    assert leads
    turn = Turn(batch, secrets=secrets, nonce="ab" * 16, leads=leads)
    text = turn.call("list_sessions", "{}").text
    rows = json.loads(text[text.index("{") : text.rindex("}") + 1])["sessions"]
    shown = [lead for row in rows for lead in row.get("leads", ())]
    assert shown
    for lead in shown:
        assert set(lead) == {"lens", "file", "lines"}
        assert all(isinstance(line, int) for line in lead["lines"])
        assert all(word.replace("_", "").isalpha() for word in strings(lead))
    assert "release script" not in text
