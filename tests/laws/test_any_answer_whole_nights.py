"""Laws 3, 5, 7 to 11 for any answer at all, through whole nights: real home, real git, an enemy for an engine.

After each night: ``main`` is untouched, what is pending is proved by a slow reading, marks stand only for what was
claimed and read, no credential stands in any byte, every try was paid for before it was made, and a second night of the
same day changes nothing.
"""

import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from made_hostile import Hostile
from made_leaks import known, leaks, written
from made_nights import Place, fingerprint, write_all
from made_oracle import lines_among
from made_scenes import OWN, Scene, Words, scene
from made_secrets import Planted, own_shapes

from slowwave.disk.config import ModelSettings
from slowwave.facts.ids import SessionId, digest
from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import MICRO, Usage
from slowwave.models.budget import Budget
from slowwave.models.prices import Price
from slowwave.proof.instruction import instruction_shaped
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Estimate, Failure, Reading, Verdict
from slowwave.sleep.turn import Turn
from slowwave.wiring import engines

OURS = re.compile(r"(?:projects|areas|resources|archive|reports)(?:/(?!\.)[\w.-]+)+\.md")
"""Where a night may write in the corpus."""
PRICE = Price(input=Decimal(3), output=Decimal(15), cache_read=Decimal(1), cache_write=Decimal(4))
SETTINGS = ModelSettings()


@dataclass(slots=True, kw_only=True)
class Enemy:
    """An engine that looks as it likes and answers as it likes; it pays before each try, and keeps its own books.

    What it answered for a batch it answers again when it is offered the very same batch.
    """

    words: dict[str, list[Words]]
    planted: Sequence[Planted]
    secrets: Secrets
    budget: Budget
    ledger: Path
    claimed: set[str] = field(default_factory=set)
    tally: Counter[str] = field(default_factory=Counter)
    name: str = "mined"
    profile: str = "mined/1"
    least_bytes: int = 0
    destination: str = ""

    def hear(self, reading: Reading) -> Verdict:
        """One turn, decided by which sessions are offered."""
        ids = sorted(reading.batch.sessions)
        assert not [one for one in ids if one in self.claimed and reading.batch.has_new(SessionId(one))]  # law 5
        rng = random.Random("+".join(ids))
        turn = Turn(reading, secrets=self.secrets, nonce=digest(*ids)[:32])
        looked = {session for session in ids if self._looks(turn, session, rng)}
        hostile = Hostile(
            rng=rng,
            words=[words for session in ids for words in self.words[session]],
            others=[words for session in sorted(self.words)[:3] if session not in ids for words in self.words[session]],
            secrets=[one.text for one in self.planted],
        )
        while not turn.is_over:
            spent = self._try(turn, hostile.answer(), reading)
            if spent is not None:
                return spent
        verdict = turn.verdict()
        assert set(verdict.proved.read_session_ids) <= looked
        self.claimed |= set(verdict.proved.read_session_ids)
        self.tally.update(accepted=verdict.failure is None)
        return verdict

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """Nothing."""
        del sizes
        return None

    def _looks(self, turn: Turn, session: str, rng: random.Random) -> bool:
        if not turn.calls:
            turn.call("list_sessions", "{}")
        asked = json.dumps({"sessionId": session, "start": 1, "end": 5})
        return rng.random() < 0.95 and not turn.call("read_lines", asked).is_error

    def _try(self, turn: Turn, answer: str, reading: Reading) -> Verdict | None:
        """Hand an answer in; law 7: its call stands in the ledger, on disk, before it is made."""
        purse = self.budget.purse("night", run_id=str(reading.run_id), reason="any answer")
        held = purse.reserve(model="scripted", input_tokens=40_000, output_tokens=4_000, price=PRICE)
        if isinstance(held, Refusal):
            self.tally.update(unpaid=1)
            failure = Failure(code=held.code, message=held.message, ends_asking=True)
            return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)
        with sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True) as sql:
            rows = sql.execute("SELECT count(*) FROM calls WHERE id = ? AND status = 'reserved'", (held.id,)).fetchone()
        assert rows == (1,)
        before = len(turn.refusals)
        turn.call("submit_answer", answer)
        codes = {refusal.code for refusal in turn.refusals[before:]}
        self.tally.update(answers=1, passed_the_form="schema" not in codes)
        self.tally.update(f"code {code}" for code in codes)
        usage = Usage(calls=1, input_tokens=len(answer) % 40_000, output_tokens=len(answer) % 4_000)
        purse.reconcile(held, usage, status="answered")
        return None


class Nights:
    """The home, the sessions that came in so far with their book of words, and the enemy."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.rng = random.Random("nights")
        self.planted = known(iter(own_shapes(self.rng)))
        self.place = Place(folder)
        self.words: dict[str, list[Words]] = {}
        self.scenes: list[Scene] = []
        self.place.house.begin_corpus()
        self.main = self.place.git("rev-parse", "main")
        self.ledger = self.place.home / "budget.db"
        self.budget = Budget(self.ledger, clock=lambda: self.place.now, zone=UTC, settings=SETTINGS)
        self.enemy = Enemy(
            words=self.words, planted=self.planted, secrets=Secrets(), budget=self.budget, ledger=self.ledger
        )
        patch.setattr(engines, "MinedEngine", lambda _: self.enemy)

    def come_in(self, night: int, projects: int) -> None:
        """New sessions: two of each new project, and a second helping for a project of the night before."""
        for at in range(projects):
            number = 1000 * (night + 1) + 10 * at
            self._add(scene(self.rng, (number, number + 1), project=f"p{night}x{at}", planted=self.planted, day=5))
        if night:
            number = 1000 * (night + 1) + 900
            self._add(scene(self.rng, (number,), project=f"p{night - 1}x0", planted=self.planted, day=6))

    def _add(self, made: Scene) -> None:
        self.scenes.append(made)
        write_all(self.place.transcripts, made.sessions)
        for words in made.words:
            self.words.setdefault(words.session, []).append(words)

    def sleep(self) -> dict[str, int]:
        """A night; at the moment a mark is written every item of it stands in git already (law 3)."""
        seen: list[str] = []

        def look(statement: str) -> None:
            if "INTO marks" in statement and not seen:
                seen.append(self.place.git("log", "--format=%B", "main..pending"))

        connection = self.place.house.state.connection
        connection.set_trace_callback(look)
        night = self.place.sleep()
        connection.set_trace_callback(None)
        for entry in (*night["memories"], *night["tasks"]) if seen else ():
            assert f"Slowwave-Item: {entry['item']}" in seen[0]
        return self.place.counts(night)

    def tree(self) -> list[str]:
        """What pending holds beyond reports: one line a file, with its blob."""
        lines = self.place.git("ls-tree", "-r", "pending").splitlines()
        return [line for line in lines if re.search(r"\t(?:projects|areas|resources|archive)/", line)]


def uphold(nights: Nights) -> Counter[str]:
    """Every law that can be seen in the home after a night."""
    place, checks = nights.place, Counter[str]()
    assert place.git("rev-parse", "main") == nights.main
    assert place.git("ls-tree", "-r", "--name-only", "main", "projects", "areas", "resources", "archive") == ""
    changed = place.git("-c", "core.quotepath=false", "diff", "--name-only", "main", "pending").splitlines()
    assert [name for name in changed if not OURS.fullmatch(name)] == []
    heads = set(place.git("for-each-ref", "--format=%(refname)", "refs/heads").splitlines())
    assert heads == {"refs/heads/main", "refs/heads/pending"}
    speakers = {key: voice for one in nights.scenes for key, voice in one.speakers.items()}
    lines = {path.stem: tuple(path.read_bytes().split(b"\n")) for path in place.transcripts.rglob("*.jsonl")}
    for item in place.house.review_list():
        assert item["status"] == "pending"
        voices = [_voice(evidence, lines, speakers) for evidence in item["evidence"]]
        if item["type"] == "memory":
            assert len(voices) >= 2
            assert set(OWN) & set(voices)
        if item["type"] == "task":
            assert set(voices) <= set(OWN)
        if instruction_shaped(item["claim"]):
            assert "reads like an instruction" in item["warning"]
        checks.update({f"{item['type']} proved": 1, "quotes found": len(voices)})
    marked = {str(row[0]) for row in place.house.state.connection.execute("SELECT session_id FROM marks")}
    assert marked <= nights.enemy.claimed
    checks.update(marks=len(marked))
    return checks


def _voice(evidence: Any, lines: dict[str, tuple[bytes, ...]], speakers: dict[tuple[str, int], str]) -> str:
    """Who spoke a quote, by the book; fails where it does not stand."""
    session, line = evidence["sessionId"], evidence["line"]
    assert line in lines_among(lines[session], evidence["quote"])
    truth = speakers[session, line]
    assert evidence["speaker"] in (truth, "system")
    return truth


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_law_03_to_11_for_whole_nights_of_hostile_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Several hundred answers, night after night, and each day a second night that must change nothing."""
    nights = Nights(tmp_path, monkeypatch)
    place, checks = nights.place, Counter[str]()
    for number in range(12):
        nights.come_in(number, 10)
        before = fingerprint(place.transcripts)
        fates = nights.sleep()
        checks.update({name: fates.get(name, 0) for name in ("written", "reinforced", "self_reinforcement")})
        last = uphold(nights)
        tree, held = nights.tree(), len(nights.enemy.claimed)
        nights.sleep()
        assert len(nights.enemy.claimed) >= held
        assert [line for line in tree if line not in nights.tree()] == []
        uphold(nights)
        assert fingerprint(place.transcripts) == before
        checks.update(nights=2)
        place.now += timedelta(days=1)
    tally = nights.enemy.tally
    with capsys.disabled():
        print(f"\n{dict(sorted(tally.items()))}\n{dict(checks)}\nat the end: {dict(last)}")
    nights.budget.close()
    place.close()
    assert tally["unpaid"] > 0
    with sqlite3.connect(f"file:{nights.ledger}?mode=ro", uri=True) as sql:
        days = sql.execute("SELECT count(*), sum(micro_usd) FROM calls GROUP BY day").fetchall()
    assert sum(calls for calls, _ in days) == tally["answers"]
    assert all(calls <= SETTINGS.night.calls and spent <= SETTINGS.night.money * MICRO for calls, spent in days)
    assert leaks(written(place), nights.planted) == []
    assert {path.name for path in tmp_path.iterdir()} == {"home", "transcripts"}
    assert tally["passed_the_form"] >= 300
    assert tally["accepted"] >= 80
    assert last["memory proved"] >= 30
    assert last["task proved"] >= 3
