"""Engines by name: who may propose, and what has to be true before they may."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slowwave.facts.answer import Answer
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import SMALL_SESSION_BYTES
from slowwave.facts.refusal import SlowwaveError, UsageError
from slowwave.mining.finding import Finding
from slowwave.mining.miner import mine
from slowwave.models.keys import read_key
from slowwave.records.masking import mask_recording
from slowwave.records.recording import Recording
from slowwave.records.secrets import Secrets
from slowwave.sleep.consent import is_consented
from slowwave.sleep.engine import NOTHING_PROVED, Engine, Estimate, Failure, Reading, Verdict
from slowwave.sleep.hearing import prove
from slowwave.sleep.marks import profiles_marked
from slowwave.wiring.premises import Premises

ENGINES = ("auto", "mined", "model", "agent")
"""What a person may ask for."""


class MinedEngine:
    """The deterministic miners: no key, no network, same sessions, same bytes."""

    name = "mined"
    profile = "mined/1"
    least_bytes = 0
    destination = ""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def propose(
        self, recordings: Sequence[Recording], new_from: Mapping[SessionId, tuple[int, ...]]
    ) -> tuple[Answer, Mapping[str, Any]]:
        """Mine a batch, its secrets masked."""
        masked = tuple(mask_recording(recording, self._secrets) for recording in recordings)
        mined = mine(masked, new_from=new_from, secrets=self._secrets)
        return mined.answer, {"kept": mined.kept, "dropped": mined.dropped}

    def hear(self, reading: Reading) -> Verdict:
        """Mine a batch and prove what comes out."""
        answer, findings = self.propose(reading.recordings, reading.batch.new_from)
        return prove(answer, reading.batch, self._secrets, findings)

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """Nothing: rules are free."""
        del sizes
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentEngine:
    """Stands in for an engine that began a night and is there no more, so that the night can end."""

    name: str
    profile: str
    why: str
    least_bytes: int = SMALL_SESSION_BYTES
    destination: str = ""

    def hear(self, reading: Reading) -> Verdict:
        """Nothing, and why."""
        del reading
        failure = Failure(code="engine_absent", message=self.why, ends_asking=True)
        return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """Nothing."""
        del sizes
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """An engine for a night; with ``any_marks`` what any engine read counts as read, ``note`` is for the person."""

    engine: Engine
    any_marks: bool = False
    note: str = ""


def engine_named(name: str, house: Premises, *, leads: bool = False, keep_turns: bool = False) -> Chosen:
    """The engine a person asked for; consent is asked for by whoever lets it read.

    Raises:
        UsageError: No engine has that name, or it is not configured.
        ExtraMissingError: It needs packages that are not installed.
        ConfigError: Its settings cannot be used.
    """
    leads = leads or house.config.sleep.leads
    keep_turns = keep_turns or house.config.sleep.keep_turns
    if name == "mined":
        return Chosen(engine=MinedEngine(house.secrets))
    if name == "model":
        return Chosen(engine=_model(house, leads=leads, keep_turns=keep_turns))
    if name == "agent":
        return Chosen(engine=_agent(house, leads=leads, keep_turns=keep_turns))
    if name == "auto":
        return _auto(house, leads=leads, keep_turns=keep_turns)
    raise UsageError(f"no engine is called {name}", hint=f"engines are: {', '.join(ENGINES)}")


def engine_of_records(house: Premises, folder: str) -> Chosen:
    """The engine that answers from recorded turns, and asks nobody.

    Raises:
        UsageError: The folder holds no record of a turn.
    """
    from slowwave.wiring.replayed import replay_engine

    return Chosen(engine=replay_engine(house, folder, MinedEngine(house.secrets)))


def _model(house: Premises, *, leads: bool, keep_turns: bool) -> Engine:
    # Here and not above: a client library takes a second to load, and most nights need none.
    from slowwave.wiring.model_engine import model_engine

    return model_engine(house, MinedEngine(house.secrets), leads=leads, keep_turns=keep_turns)


def _agent(house: Premises, *, leads: bool, keep_turns: bool) -> Engine:
    from slowwave.wiring.agent_engine import agent_engine

    return agent_engine(house, MinedEngine(house.secrets), leads=leads, keep_turns=keep_turns)


def _auto(house: Premises, *, leads: bool, keep_turns: bool) -> Chosen:
    """The model where one is configured and consented to, else the rules."""
    mined = Chosen(engine=MinedEngine(house.secrets))
    settings = house.config.models
    if not (settings.provider and settings.model):
        return mined
    try:
        engine = _model(house, leads=leads, keep_turns=keep_turns)
        read_key(settings, house.environment)
    except SlowwaveError as error:
        return Chosen(engine=mined.engine, note=f"rules only, since {error.message}")
    if not is_consented(house.state, engine.destination):
        note = f"rules only, since you have not said that transcripts may go to {engine.destination}"
        return Chosen(engine=mined.engine, note=f"{note}: `slowwave consent give`")
    return Chosen(engine=engine, any_marks=True, note=_history(house, engine))


def _history(house: Premises, engine: Engine) -> str:
    """Said once: what rules alone have read can be read again by the model that came later."""
    marked = profiles_marked(house.state)
    if engine.profile in marked or not marked:
        return ""
    return (
        f"{sum(marked.values()):,} sessions were read by other engines only: "
        "`slowwave sleep --again --since YYYY-MM-DD` lets this one read them too"
    )


def explained(findings: Mapping[str, Any], secrets: Secrets) -> list[dict[str, Any]]:
    """What ``--explain`` shows: kept findings, then near misses, with the parts of their scores, secrets masked."""
    everything: list[Finding] = [*findings.get("kept", ()), *findings.get("dropped", ())]
    return [
        {
            "lens": finding.lens,
            "subject": secrets.mask(finding.subject),
            "claim": secrets.mask(finding.claim),
            "score": round(finding.score, 2),
            "parts": {part.name: round(part.value, 2) for part in finding.parts},
            "dropped": finding.dropped,
        }
        for finding in everything
    ]
