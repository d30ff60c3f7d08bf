"""Engines by name: who may propose."""

from collections.abc import Mapping, Sequence
from typing import Any

from slowwave.facts.answer import Answer
from slowwave.facts.ids import SessionId
from slowwave.facts.refusal import UsageError
from slowwave.mining.finding import Finding
from slowwave.mining.miner import mine
from slowwave.records.masking import mask_recording
from slowwave.records.recording import Recording
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import Engine, Estimate, Reading, Verdict
from slowwave.sleep.hearing import prove


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


def engine_named(name: str, secrets: Secrets) -> Engine:
    """The engine a person asked for; ``auto`` is ``mined`` as long as no model is configured.

    Raises:
        UsageError: No engine has that name.
    """
    if name in ("mined", "auto"):
        return MinedEngine(secrets)
    raise UsageError(f"no engine is called {name}", hint="engines are: mined, auto")


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
