"""Laws 3, 5, 7 to 11 for any answer at all: ten thousand hostile ones through the tools of a turn, from one seed.

What is accepted is held against a slow reading of the transcripts and against the book of whoever wrote them.
``test_any_answer_whole_nights.py`` takes hostile answers through whole nights.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from made_attacks import ORDERS, TEXTS
from made_hostile import PATHS, Hostile
from made_leaks import known
from made_nights import Place, write_all
from made_oracle import lines_among
from made_scenes import OWN, Scene, scene
from made_secrets import own_shapes

from slowwave.facts.answer import Proved, ProvedCandidate, ProvedCommitment
from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import RunId, SessionId
from slowwave.facts.memory import CONSOLIDATED_KINDS
from slowwave.models.toolbox import ToolReply
from slowwave.proof.batch import Batch
from slowwave.proof.instruction import instruction_shaped
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import Reading
from slowwave.sleep.turn import Turn

MOST_SUBMISSIONS = 4
GROWN_FROM = 6
"""First new line of the second session; the first is all new, the third is context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One batch that every turn of the test is about, and what the test itself knows of it."""

    scene: Scene
    others: Scene
    reading: Reading
    lines: Mapping[str, tuple[bytes, ...]]
    needles: re.Pattern[str]
    secrets: Secrets

    def is_new(self, session: str, line: int) -> bool:
        """Whether a line is new, by what the test decided."""
        first = dict(zip((one.name for one in self.scene.sessions), (1, GROWN_FROM), strict=False))
        return line >= first.get(session, 10**9)


@dataclass(slots=True, kw_only=True)
class Played:
    """One turn as it went: every call with its reply, and the sessions looked into by the count of the test."""

    turn: Turn
    replies: list[tuple[str, str, ToolReply]] = field(default_factory=list)
    looked: set[str] = field(default_factory=set)

    def call(self, name: str, arguments: str) -> ToolReply:
        """Call a tool and keep what came of it."""
        reply = self.turn.call(name, arguments)
        self.replies.append((name, arguments, reply))
        if name in ("read_lines", "search_transcript") and not reply.is_error:
            self.looked.add(json.loads(arguments)["sessionId"])
        return reply


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Three sessions with credentials in them: new, grown, and context; and a fourth that is not offered."""
    rng = random.Random("bench")
    planted = known(iter(own_shapes(rng)))
    made = scene(rng, (1, 2, 3), project="shop", planted=planted, day=5)
    others = scene(rng, (9,), project="other", planted=planted, day=5)
    place = Place(tmp_path_factory.mktemp("any"))
    write_all(place.transcripts, [*made.sessions, *others.sessions])
    found = {session.id: session for session in place.house.find().sessions}
    place.close()
    ids = [SessionId(session.name) for session in made.sessions]
    batch = Batch(
        sessions={one: found[one] for one in ids},
        new_from={ids[0]: (1,), ids[1]: (GROWN_FROM,), ids[2]: (found[ids[2]].lines + 1,)},
        ends={one: tuple(file.bytes_read for file in found[one].files) for one in ids},
    )
    pieces = {re.escape(needle.decode()) for one in planted for needle in one.needles}
    return Bench(
        scene=made,
        others=others,
        reading=Reading(batch_id="b-any", run_id=RunId("r-any"), batch=batch, recordings=()),
        lines={one: tuple(found[one].path.read_bytes().split(b"\n")) for one in ids},
        needles=re.compile("|".join(sorted(pieces))),
        secrets=Secrets(),
    )


def played(bench: Bench, seed: str) -> Played:
    """One turn from its seed: some looking, honest or not, then answers until it is over or nothing more is said."""
    rng = random.Random(seed)
    turn = Played(turn=Turn(bench.reading, secrets=bench.secrets, nonce="0123456789abcdef" * 2))
    ids = [session.name for session in bench.scene.sessions]
    if rng.random() < 0.9:
        turn.call("list_sessions", "{}")
    for session in ids if rng.random() < 0.8 else rng.sample(ids, rng.randrange(3)):
        turn.call("read_lines", json.dumps({"sessionId": session, "start": 1, "end": 3}))
    if rng.random() < 0.1:
        _stray(turn, rng, ids)
    hostile = Hostile(
        rng=rng,
        words=bench.scene.words,
        others=bench.others.words,
        secrets=[planted.text for planted in bench.scene.planted],
    )
    for _ in range(rng.choice((1, 2, 4, 4, 4))):
        if turn.call("submit_answer", hostile.answer()).ends_turn:
            break
    return turn


def _stray(turn: Played, rng: random.Random, ids: Sequence[str]) -> None:
    """Calls that no honest reader makes."""
    for _ in range(3):
        name = rng.choice(
            ("list_sessions", "read_lines", "search_transcript", "bash", "", "read_file", "LIST_SESSIONS")
        )
        session = rng.choice((*ids, "../" + ids[0], *PATHS))
        arguments: tuple[Any, ...] = (
            {"sessionId": session, "start": rng.choice((0, -1, 1, 10**30, 1.5, True)), "end": 2},
            {"sessionId": session, "phrase": rng.choice(("", "The", "\x00", ".*", "a" * 5_000))},
            {"sessionId": session, "command": "id"},
            [session],
            None,
        )
        turn.call(name, rng.choice((json.dumps(rng.choice(arguments)), "", "{", "\udcff", "[" * 3_000)))


def check_turn(bench: Bench, turn: Played, tally: Counter[str]) -> None:
    """Every law that can be broken by one turn."""
    verdict = turn.turn.verdict()
    answers = [reply for name, _, reply in turn.replies if name == "submit_answer"]
    accepted = [reply for reply in answers if not reply.is_error]
    tally.update(answers=len(answers), accepted=len(accepted), refused=len(answers) - len(accepted), turns=1)
    tally.update({f"code {code}": 1 for code in {refusal.code for refusal in turn.turn.refusals}})
    assert len(answers) <= MOST_SUBMISSIONS  # law 7: tries are counted
    assert len(accepted) <= 1
    assert all(refusal.code and refusal.path and refusal.message for refusal in turn.turn.refusals)
    for _, _, reply in turn.replies:  # law 10: nothing shown holds a credential
        assert not bench.needles.search(reply.text)
    assert (verdict.failure is None) is bool(accepted)
    if not accepted:
        assert verdict.proved == Proved(candidates=(), commitments=(), read_session_ids=())
        return
    proved = verdict.proved
    assert set(proved.read_session_ids) <= turn.looked  # law 3: only what was read may be marked
    for candidate in proved.candidates:
        uphold_candidate(bench, turn, candidate)
    for commitment in proved.commitments:
        uphold_commitment(bench, turn, commitment)
    tally.update(candidates=len(proved.candidates), commitments=len(proved.commitments))


def stands(bench: Bench, turn: Played, evidence: Evidence) -> str:
    """Laws 8 and 9: the quote stands where it is said to, in an offered session that was read; who spoke it."""
    lines = bench.lines[evidence.session_id]
    assert evidence.session_id in turn.looked
    assert evidence.line in lines_among(lines, evidence.quote)
    assert not bench.needles.search(evidence.quote)
    assert evidence.is_new <= bench.is_new(evidence.session_id, evidence.line)
    truth = bench.scene.speakers[evidence.session_id, evidence.line]
    assert evidence.speaker in (truth, "system")
    return truth if evidence.speaker == truth else "system"


def uphold_candidate(bench: Bench, turn: Played, one: ProvedCandidate) -> None:
    """Laws 8 to 11 for one candidate."""
    speakers = [stands(bench, turn, evidence) for evidence in one.evidence]
    assert 2 <= len({(e.session_id, e.line, e.quote) for e in one.evidence}) == len(one.evidence) <= 8
    assert set(OWN) & set(speakers)
    assert any(evidence.is_new for evidence in one.evidence)
    candidate = one.candidate
    assert candidate.kind in CONSOLIDATED_KINDS
    assert not bench.needles.search(f"{candidate.claim}\n{candidate.gist}\n{candidate.entities}")
    asked = [goal for goal in (*ORDERS, "preference") if _asks(candidate.claim, goal)]
    if asked and asked != ["preference"]:
        assert instruction_shaped(candidate.claim)
    if asked == ["preference"]:
        assert "user" in speakers


def _asks(claim: str, goal: str) -> bool:
    """Whether a claim is one of the test's own texts of this goal."""
    mark = re.search(r"K\d{7}", claim)
    return mark is not None and any(table[goal].format(it=mark.group()) == claim for table in TEXTS.values())


def uphold_commitment(bench: Bench, turn: Played, one: ProvedCommitment) -> None:
    """Only the speaker's own words promise."""
    truth = stands(bench, turn, one.evidence)
    actor = one.commitment.actor
    assert actor in ("user", "agent", "other")
    assert actor in ("other", truth)
    assert not bench.needles.search(one.commitment.statement)


def run(bench: Bench, most: int) -> Counter[str]:
    """Turn after turn until so many answers were given; every tenth turn is played again, byte for byte."""
    tally: Counter[str] = Counter()
    while tally["answers"] < most:
        seed = f"turn-{tally['turns']}"
        turn = played(bench, seed)
        check_turn(bench, turn, tally)
        before = turn.turn.verdict()
        if turn.turn.is_over:  # law 7: what is over stays over
            assert turn.turn.call("submit_answer", "{}").is_error
            assert turn.turn.verdict() == before
        if tally["turns"] % 10 == 0:  # law 5: one seed, one result
            again = played(bench, seed)
            assert again.replies == turn.replies
            assert again.turn.verdict() == before
            tally["played again"] += 1
    return tally


def test_law_05_to_11_for_five_hundred_answers(bench: Bench) -> None:
    """A first look, quick enough for every run."""
    tally = run(bench, 500)
    assert tally["accepted"] >= 50
    assert tally["refused"] >= 200


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_law_05_to_11_for_ten_thousand_answers(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """All of them, counted."""
    tally = run(bench, 10_000)
    with capsys.disabled():
        print("\n" + ", ".join(f"{name} {count:,}" for name, count in sorted(tally.items())))
    assert tally["answers"] == tally["accepted"] + tally["refused"]
    assert tally["accepted"] >= 1_000
    expected = {
        "schema", "unknown_session", "quote_not_found", "too_few_quotes", "too_much_evidence", "same_evidence",
        "quote_trivial", "tool_only_evidence", "no_new_evidence", "speaker_mismatch", "masked_secret",
        "due_not_in_quote", "unread_session_claimed", "cited_session_unread", "list_sessions_not_called",
    }  # fmt: skip
    assert expected <= {name.removeprefix("code ") for name in tally if name.startswith("code ")}
