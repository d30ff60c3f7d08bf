"""Law 10: no credential reaches anything we write: no file, no git object, no database, no screen."""

import random
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from made_engines import SECRETS
from made_leaks import GIT, known, leaks, written
from made_nights import Place, ShopSession, session_name, write_all
from made_samples import token_of
from made_secrets import Planted, of_shapes, own_shapes, read_shapes

from slowwave.facts.answer import Answer, Candidate, Commitment
from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind
from slowwave.records.recording import Recording
from slowwave.sleep.engine import Reading, Verdict
from slowwave.sleep.hearing import prove
from slowwave.wiring import engines

AT_ONCE = 120
"""Credentials planted in one night: one project and two sessions each."""
_CLEAN = "I will write the migration note as soon as the new gateway has landed."


def sessions(number: int, one: Planted) -> list[ShopSession]:
    """Two sessions of one project, in which a credential stands wherever a lens may take words from."""
    made = []
    for copy in (0, 1):
        session = ShopSession(session_name(10 * number + copy), day=5 + copy, project=f"shop{number}")
        session.user(f"Please deploy with {one.text} and tell me what is left.")
        session.agent(f"I deploy with {one.text} now, because the staging key has expired.")
        session.fails("make deploy", f"error: registry refused {one.text}: unauthorized\nmake: *** [deploy] Error 1")
        session.agent(f"The deploy needs `{one.text}` in the environment, since the registry asks for it.")
        session.passes(f"DEPLOY={one.text} make deploy", f"deployed with {one.text}")
        session.user(f"no, never deploy with {one.text}. the deploy key of the vault is the one to use, always")
        session.call(f"r{copy}", "Read", {"file_path": f"/work/shop/{one.token[:60]}/settings.toml"})
        session.result(f"r{copy}", f"File does not exist: {one.text}", beside=f"Error: {one.text}")
        session.thinking(f"The key {one.text} must not be used again.")
        session.agent(f"I will rotate {one.text} in the vault tomorrow. {_CLEAN}")
        made.append(session)
    return made


class Greedy:
    """An engine that proposes every sentence of the person and of itself, credentials and all."""

    name = "mined"
    profile = "mined/1"
    least_bytes = 0
    destination = ""

    def estimate(self, sizes: Sequence[int]) -> None:
        """Nothing."""

    def hear(self, reading: Reading) -> Verdict:
        """What holds of its greed."""
        return prove(self.answer(reading.recordings), reading.batch, SECRETS)

    def answer(self, recordings: Sequence[Recording]) -> Answer:
        """One candidate over all sessions, one for each sentence, and a commitment."""
        said = [
            (recording.session.id, entry.text)
            for recording in recordings
            for entry in recording.entries
            if entry.speaker in ("user", "agent") and entry.kind == "text"
        ]
        quotes = tuple(Quote(session_id=session, quote=text[:600]) for session, text in said)
        claims = [text[:290] for _, text in said[:5]]
        candidates = tuple(
            Candidate(
                kind=Kind.SEMANTIC,
                claim=claim,
                gist=claim,
                entities=(Entity("file", claim[:190]),),
                evidence=(quotes[number], quotes[-1 - number]),
            )
            for number, claim in enumerate(claims)
        ) + tuple(
            _on_clean_quotes(recordings, claim) for claim in (claims[0], "The migration note is still to be written.")
        )
        promise = Commitment(
            statement=said[-1][1][:290],
            actor="agent",
            due_hint=None,
            evidence=quotes[-1],
            confidence=0.9,
            resolved=False,
        )
        read = tuple(recording.session.id for recording in recordings)
        return Answer(candidates=candidates, commitments=(promise,), read_session_ids=read)


def _on_clean_quotes(recordings: Sequence[Recording], claim: str) -> Candidate:
    """A candidate whose quotes are harmless, so that only its own words can give it away."""
    quotes = tuple(Quote(session_id=recording.session.id, quote=_CLEAN) for recording in recordings[:2])
    return Candidate(kind=Kind.SEMANTIC, claim=claim, gist="Said in two sessions.", entities=(), evidence=quotes)


def look_at_everything(place: Place, out: Path) -> Iterator[tuple[str, bytes]]:
    """What every command shows of a home with its items pending, then landed."""
    token = token_of(place)
    listed = place.run("review", "list")
    paths = [item["path"] for item in listed.content["items"]]
    session = min(place.transcripts.rglob("*.jsonl")).stem
    commands: list[tuple[str, ...]] = [
        (),
        ("review", "list"),
        ("task", "list"),
        ("transcripts", "list"),
        ("transcripts", "doctor"),
        ("transcripts", "lines", session, "1", "12"),
        *(("transcripts", "lines", session, "1", "12", "--width", "40", "--column", str(at)) for at in (9, 25, 41)),
        *(("transcripts", "search", session, word, "--context", "24") for word in ("deploy", "now", "tell", "with")),
        ("consolidate", str(place.transcripts), "--explain"),
        *(("why", path) for path in paths[:3]),
        ("merge", "--all", "--yes-i-am-a-person", token),
        ("search", "deploy key vault"),
        ("export", "agents-md", "--out", str(out / "AGENTS.md"), "--project", "shop0"),
        ("doctor",),
        ("sleep", "--again"),
    ]
    for words in commands:
        ran = place.run(*words)
        assert ran.status in (0, 1, 3), (words, ran.err)
        yield " ".join(words), (ran.out + ran.err).encode()
    for path in out.rglob("*.md"):
        yield str(path), path.read_bytes()


def test_law_10_the_search_of_this_test_finds_what_is_there(tmp_path: Path) -> None:
    """Half a token in a file, in a row and in a packed git object is found."""
    place = Place(tmp_path)
    place.house.begin_corpus()
    planted = own_shapes(random.Random(1))
    half = planted[0].token[-20:]
    (place.home / "runs" / "page").write_text(f"x{half}")
    with sqlite3.connect(place.home / "other.db") as sql:
        sql.execute("CREATE TABLE t (c)")
        sql.execute("INSERT INTO t VALUES (?)", (half,))
    subprocess.run([GIT, "-C", place.home / "corpus", "hash-object", "-w", "--stdin"], input=half.encode(), check=True)
    place.close()
    assert len(leaks(written(place), planted)) == 4  # the page, the file of the database, its row, the object


def test_law_10_not_even_an_engine_that_quotes_everything_leaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is proposed, no credential of it is written or shown, and every proposal is counted."""
    planted = known(iter(own_shapes(random.Random(2))))
    place = Place(tmp_path)
    write_all(place.transcripts, [one for number, each in enumerate(planted) for one in sessions(number, each)])
    monkeypatch.setattr(engines, "MinedEngine", lambda _: Greedy())
    night = place.sleep()
    place.close()
    assert len(planted) >= 10
    assert leaks(written(place), planted) == []
    assert leaks(iter((("the night", repr(night).encode()),)), planted) == []
    counts = place.counts(night)
    assert counts["written"] >= 1  # the harmless one
    assert counts["candidates"] == 7 * counts["batches"]
    assert {r["code"] for phase in night["phases"] for r in phase["refusals"]} >= {"masked_secret"}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_law_10_a_hundred_credentials_leave_no_trace(tmp_path: Path, shared: Path) -> None:
    """Planted wherever words are taken from, none of them stands in any byte of the home or on any screen."""
    rng = random.Random(10)
    rows = read_shapes(shared)
    rng.shuffle(rows)
    planted = known(of_shapes(rows, rng))[:AT_ONCE]
    assert len(planted) >= 100
    place = Place(tmp_path)
    write_all(place.transcripts, [one for number, each in enumerate(planted) for one in sessions(number, each)])
    place.run("init", "--transcripts", str(place.transcripts))
    ran = place.run("sleep")
    assert ran.status == 0, ran.err
    counts = place.counts(ran.content)
    assert counts["sessions_consolidated"] == 2 * len(planted)
    assert counts["commitments"] > 0
    assert leaks(iter((("sleep", (ran.out + ran.err).encode()),)), planted) == []
    assert leaks(written(place), planted) == []
    out = tmp_path / "project"
    out.mkdir()
    assert leaks(look_at_everything(place, out), planted) == []
    assert leaks(written(place), planted) == []
