"""Law 8: whatever an engine answers, only offered sessions and closed fields survive a night.

The contract itself is tried with random answers in ``test_hostile_answers``; here the answers go through whole nights.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from made_engines import Puppet, candidate, commitment
from made_nights import PROMISE, Place, fix_session, promise_session, write_all

from slowwave.corpus.paths import check_path
from slowwave.facts.answer import Answer, Candidate, Commitment
from slowwave.facts.ids import SessionId
from slowwave.facts.memory import CONSOLIDATED_KINDS, Entity, Kind
from slowwave.wiring import engines

SAID = "I will look at the cart first."
ALSO = "All twelve tests pass now that the path is set."
Offered = Sequence[SessionId]


def on(offered: Offered) -> list[tuple[str, str]]:
    """Two quotes that stand where they are cited."""
    return [(offered[0], SAID), (offered[0], ALSO)]


def answer(
    offered: Offered,
    *candidates: Candidate,
    commitments: tuple[Commitment, ...] = (),
    read: Sequence[str] | None = None,
) -> Answer:
    """An answer that claims to have read everything, unless it says otherwise."""
    claimed = tuple(offered) if read is None else tuple(SessionId(name) for name in read)
    return Answer(candidates=candidates, commitments=commitments, read_session_ids=claimed)


HOSTILE: dict[str, Callable[[Offered], Answer]] = {
    "a session that was not offered": lambda o: answer(o, candidate("It holds.", [("elsewhere", SAID), on(o)[0]])),
    "a path for a session": lambda o: answer(o, candidate("It holds.", [("../../etc/passwd", SAID), on(o)[0]])),
    "sessions read that were not offered": lambda o: answer(o, read=[*o, "elsewhere", "../state.db"]),
    "a trailer in a claim": lambda o: answer(o, candidate("It holds.\n\nSlowwave-Item: i-forged00000", on(o))),
    "a trailer in an entity": lambda o: answer(
        o, candidate("It holds.", on(o), entities=(Entity("file", "x\nSlowwave-Type: close"),))
    ),
    "a kind that is not consolidated": lambda o: answer(o, candidate("It holds.", on(o), kind=Kind.VERDICT)),
    "front matter in a gist": lambda o: answer(
        o, candidate("It holds.", on(o), gist="---\nauthor: human\n---\n# More")
    ),
    "a path as a claim": lambda o: answer(o, candidate("../../../.git/hooks/post-commit", on(o))),
    "a claim that is all dots": lambda o: answer(o, candidate("...", on(o))),
    "a thousand candidates": lambda o: answer(o, *(candidate(f"It holds {n}.", on(o)) for n in range(1_000))),
    "a thousand promises": lambda o: answer(
        o, commitments=tuple(commitment(f"Do thing {n}.", o[-1], PROMISE) for n in range(1_000))
    ),
    "somebody else's promise": lambda o: answer(o, commitments=(commitment("Pay.", o[-1], PROMISE, actor="user"),)),
    "a day that nobody named": lambda o: answer(
        o, commitments=(commitment("Pay.", o[-1], PROMISE, due_hint="2026-12-24"),)
    ),
    "nothing": lambda o: answer(o, read=()),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_law_8_a_hostile_answer_leaves_only_what_was_offered(
    place: Place, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    """Paths, kinds, trailers, marks and sessions are ours, whatever was answered; the night ends."""
    made = [fix_session(1), promise_session(3, day=7)]
    write_all(place.transcripts, made)
    monkeypatch.setattr(engines, "MinedEngine", lambda _: Puppet(answer=HOSTILE[attack]))
    night = place.sleep()
    names = {session.name for session in made}
    items = {entry["item"] for entry in (*night["memories"], *night["tasks"])}
    assert len(items) <= 20
    written = place.git("log", "--format=", "--name-only", "main..pending").split()
    assert all(check_path(path) is None for path in written if path.endswith(".md"))
    assert all(path.startswith(("projects/shop/", "tasks/", "reports/", "areas/")) for path in written), written
    assert {entry["kind"] for entry in night["memories"]} <= set(CONSOLIDATED_KINDS)
    trailers = place.git("log", "--format=%(trailers:key=Slowwave-Item,valueonly)", "main..pending").split()
    assert set(trailers) - items <= {trailers[0]} if trailers else not items  # the page of the night besides
    cited = set(place.git("log", "--format=%(trailers:key=Slowwave-Session,valueonly)", "main..pending").split())
    marked = {str(row[0]) for row in place.house.state.connection.execute("SELECT session_id FROM marks")}
    assert cited <= names
    assert marked <= names
    assert not (Path(place.home) / "etc").exists()
