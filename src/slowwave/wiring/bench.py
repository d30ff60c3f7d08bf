"""``consolidate DIR``: one batch over every session of a folder, all new; proposes or checks, writes nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from slowwave.disk.config import read_config
from slowwave.disk.durable import read_whole
from slowwave.facts.answer import Answer, Proved, ProvedCandidate, ProvedCommitment
from slowwave.facts.evidence import Evidence
from slowwave.facts.ids import RunId
from slowwave.facts.refusal import NothingToDoError, Refusal, SlowwaveError, UsageError
from slowwave.proof.contract import Batch, ReadLog, check, parse_answer, parse_log, whole_batch
from slowwave.records.recording import load
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder
from slowwave.sleep.consent import require_consent
from slowwave.sleep.engine import Engine, Reading
from slowwave.wiring.engines import MinedEngine, engine_named, explained
from slowwave.wiring.premises import Premises
from slowwave.wiring.transcripts import exclusions_of

_REFUSALS_TOLD = 5  # in a hint; the rest says the same


class UnheardError(SlowwaveError):
    """Somebody was asked about a batch, and no answer came of it that holds."""

    code = "unheard"


class Bench:
    """Proposing and checking over a folder of sessions; what the home excludes stays unread, where there is a home."""

    def __init__(self, home: Path, open_house: Callable[[], Premises]) -> None:
        self._home = home
        self._open_house = open_house
        self._secrets = Secrets()

    def consolidate(self, folder: Path, *, engine: str, explain: bool, leads: bool = False) -> dict[str, Any]:
        """What an engine proposes over a folder, proved, with computed line, speaker and record.

        Raises:
            NothingToDoError: No session lies below the folder.
            ConsentNeededError: It would send transcripts where the person has not said that they may go.
            UnheardError: The engine was asked, and nothing came of it.
        """
        batch = self._batch(folder)
        recordings = tuple(load(session, ends=batch.ends.get(session.id)) for session in batch.sessions.values())
        reading = Reading(batch_id="", run_id=RunId(""), batch=batch, recordings=recordings)
        verdict = self._engine(engine, leads=leads).hear(reading)
        if verdict.failure is not None:
            raise UnheardError(verdict.failure.message, hint=_told(verdict.refusals))
        proved = verdict.proved
        described: dict[str, Any] = {
            "candidates": [_candidate(candidate) for candidate in proved.candidates],
            "commitments": [_commitment(commitment) for commitment in proved.commitments],
            "readSessionIds": list(proved.read_session_ids),
        }
        if explain:
            described["explain"] = explained(verdict.findings, self._secrets)
            described["refusals"] = _refusals(verdict.refusals)
        return described

    def answer(self, folder: Path, *, engine: str) -> dict[str, Any]:
        """What an engine proposes, proved, in the closed form that ``check`` takes: no computed fields.

        Raises:
            NothingToDoError: No session lies below the folder.
        """
        described = self.consolidate(folder, engine=engine, explain=False)
        for candidate in described["candidates"]:
            candidate["evidence"] = [_cited(evidence) for evidence in candidate["evidence"]]
        for commitment in described["commitments"]:
            commitment["evidence"] = _cited(commitment["evidence"])
        return described

    def check(self, folder: Path, answer_file: Path, log_file: Path | None) -> dict[str, Any]:
        """The contract applied to somebody's answer.

        Raises:
            NothingToDoError: No session lies below the folder.
            UsageError: A file cannot be read, or the log is no log.
        """
        batch = self._batch(folder)
        log = self._log(log_file)
        answer = parse_answer(_content(answer_file))
        if not isinstance(answer, Answer):
            return {"accepted": False, "refusals": _refusals(answer)}
        verdict = check(answer, batch, log=log, secrets=self._secrets)
        if isinstance(verdict, Proved):
            return {"accepted": True, "refusals": []}
        return {"accepted": False, "refusals": _refusals(verdict)}

    def _engine(self, name: str, *, leads: bool) -> Engine:
        """Rules, unless somebody else is asked for by name: then a home pays, and its person must have agreed."""
        if name in ("mined", "auto"):
            return MinedEngine(self._secrets)
        house = self._open_house()
        chosen = engine_named(name, house, leads=leads)
        require_consent(house.state, chosen.engine.destination)
        return chosen.engine

    def _batch(self, folder: Path) -> Batch:
        return batch_of_folder(folder, home=self._home, secrets=self._secrets)

    def _log(self, log_file: Path | None) -> ReadLog | None:
        if log_file is None:
            return None
        log = parse_log(_content(log_file))
        if isinstance(log, ReadLog):
            return log
        raise UsageError(f"{log_file}: {log[0].message}", hint='a log is [{"tool", "sessionId", "ok"}]')


def batch_of_folder(folder: Path, *, home: Path, secrets: Secrets) -> Batch:
    """Every session below a folder as one batch, all new; what a home excludes, where there is one, is left out.

    Raises:
        UsageError: It is no folder.
        NothingToDoError: No session lies below it.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", hint="give the folder that holds the sessions")
    exclusions = exclusions_of(read_config(home))
    sessions, _ = scan_folder(folder, exclusions=exclusions, secrets=secrets)
    offered = [session for session in sessions if session.relation != "prefix"]
    if not offered:
        raise NothingToDoError(
            f"no session lies below {folder}", hint="`slowwave transcripts doctor --root DIR` says what was found"
        )
    return whole_batch(offered)


def _told(refusals: Sequence[Refusal]) -> str:
    return "; ".join(f"{r.code} at {r.path}" for r in refusals[:_REFUSALS_TOLD])


def _cited(evidence: dict[str, Any]) -> dict[str, Any]:
    return {"sessionId": evidence["sessionId"], "quote": evidence["quote"]}


def _content(path: Path) -> bytes:
    if path.is_dir():
        raise UsageError(f"{path} is a folder", hint="give a file of JSON")
    content = read_whole(path)
    if content is None:
        raise UsageError(f"there is no file {path}", hint="check the path")
    return content


def _refusals(refusals: tuple[Refusal, ...]) -> list[dict[str, str]]:
    return [{"code": r.code, "path": r.path, "message": r.message} for r in refusals]


def _candidate(proved: ProvedCandidate) -> dict[str, Any]:
    candidate = proved.candidate
    return {
        "kind": candidate.kind,
        "claim": candidate.claim,
        "gist": candidate.gist,
        "entities": [{"type": entity.type, "name": entity.name} for entity in candidate.entities],
        "evidence": [describe_evidence(evidence) for evidence in proved.evidence],
    }


def _commitment(proved: ProvedCommitment) -> dict[str, Any]:
    commitment = proved.commitment
    return {
        "statement": commitment.statement,
        "actor": commitment.actor,
        "dueHint": commitment.due_hint,
        "evidence": describe_evidence(proved.evidence),
        "confidence": commitment.confidence,
        "resolved": commitment.resolved,
    }


def describe_evidence(evidence: Evidence) -> dict[str, Any]:
    """A piece of evidence as every door shows it."""
    return {
        "sessionId": evidence.session_id,
        "quote": evidence.quote,
        "line": evidence.line,
        "speaker": evidence.speaker,
        "record": evidence.record,
        "tainted": evidence.is_tainted,
        "file": evidence.file,
    }
