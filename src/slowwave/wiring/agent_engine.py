"""The agent engine: the person's own coding agent takes the turn, with our four tools and, as was tried, no other."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from slowwave.disk.config import AgentSettings, ConfigError
from slowwave.disk.programs import End, Ended
from slowwave.facts import limits
from slowwave.facts.markers import OWN_RUN_MARK
from slowwave.facts.text import cut, showable
from slowwave.facts.usage import Usage
from slowwave.models.recipe import Agent
from slowwave.models.recipes import AGENTS
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Engine, Estimate, Failure, Reading, Verdict, is_all_small
from slowwave.sleep.instructions import instructions
from slowwave.sleep.replaying import replay
from slowwave.sleep.turn import NO_ANSWER
from slowwave.sleep.turns import ANSWERED, TurnBook
from slowwave.wiring.agent_runs import AgentRuns, Taken
from slowwave.wiring.consolidating import AGENT_PROFILE, draw_nonce, keep_turn
from slowwave.wiring.foreseen import usual_usage
from slowwave.wiring.premises import Premises

_OUTSIDE_A_NIGHT = "by-hand"
"""What stands where a night's id would, so that the run is known as ours all the same."""


def agent_engine(house: Premises, mined: Engine, *, leads: bool, keep_turns: bool) -> Engine:
    """The engine that lets the configured agent read.

    Raises:
        ConfigError: No agent is configured.
    """
    settings = house.config.agent
    if settings.name not in AGENTS:
        raise ConfigError("[agent] names no agent", hint=f"set agent.name to one of: {', '.join(AGENTS)}")
    agent = AGENTS[settings.name]
    return AgentEngine(
        agent=agent,
        settings=settings,
        runs=_runs(house, agent, has_leads=leads),
        mined=mined,
        secrets=house.secrets,
        book=TurnBook(house.home.runs),
        keep_turns=keep_turns,
    )


def _runs(house: Premises, agent: Agent, *, has_leads: bool) -> AgentRuns | None:
    """How the agent is started; None where it is not there."""
    found = shutil.which(house.config.agent.program or agent.name, path=house.environment.get("PATH", ""))
    if found is None:
        return None
    return AgentRuns(
        agent=agent,
        program=Path(found).absolute(),
        settings=house.config.agent,
        environment=house.environment,
        home=house.home.root,
        folder=house.home.runs,
        draw=draw_nonce,
        stopwatch=monotonic,
        has_leads=has_leads,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEngine:
    """Lets an agent read each batch of sessions that are large enough; the rules read the small ones.

    Attributes:
        agent: Which agent.
        settings: How it is to be run.
        runs: What starts it; None where it is not installed.
        mined: Who reads small sessions.
        secrets: What tells a secret.
        book: Where turns are recorded.
        keep_turns: Whether records outlive the decision.
    """

    agent: Agent
    settings: AgentSettings
    runs: AgentRuns | None
    mined: Engine
    secrets: Secrets
    book: TurnBook
    keep_turns: bool
    name: str = "agent"
    profile: str = AGENT_PROFILE
    least_bytes: int = limits.SMALL_SESSION_BYTES

    @property
    def destination(self) -> str:
        """The provider that the agent is logged in to, which only its person knows."""
        return f"agent {self.agent.name} (the provider it is logged in to)"

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """What reading large sessions may use; what it costs is between the person and their provider."""
        used = usual_usage(sizes, least_bytes=self.least_bytes)
        if used is None:
            return None
        return Estimate(
            calls=used.calls, input_tokens=used.input_tokens, output_tokens=used.output_tokens, micro_usd=None
        )

    def hear(self, reading: Reading) -> Verdict:
        """Let the agent read a batch, unless an answer about it waits already; the record is what is believed."""
        if is_all_small(reading, self.least_bytes):
            return replace(self.mined.hear(reading), profile=self.mined.profile)
        kept = self.book.read(reading.batch_id, self.profile) if reading.batch_id else None
        if kept is not None and kept.status == ANSWERED and kept.run_id in ("", reading.run_id):
            if kept.run_id != reading.run_id:
                self.book.write(replace(kept, run_id=reading.run_id))  # it waited for a night, and this is it
            return replay(kept, reading, self.secrets)
        if self.runs is None:
            return _unheard(self._missing())
        reading.say(f"trying whether {self.agent.name} is locked down")
        if (failure := self.runs.lockdown()) is not None:
            return _unheard(failure)
        reading.say(f"{self.agent.name} reads")
        began = self.runs.stopwatch()
        taken = self.runs.take(_batch_word(reading), _prompt(), reading.run_id or _OUTSIDE_A_NIGHT)
        return self._heard(reading, taken, replace(taken.usage, seconds=self.runs.stopwatch() - began))

    def _heard(self, reading: Reading, taken: Taken, usage: Usage) -> Verdict:
        if taken.strays:
            return replace(_unheard(self._caught(reading, taken, usage)), usage=usage)
        record = taken.record
        if record is None:
            return replace(_unheard(self._failure(taken)), usage=usage)
        record = replace(record, usage=usage, keep=self.keep_turns)
        if reading.batch_id:
            keep_turn(self.book, record)
        verdict = replay(record, reading, self.secrets)
        # An answer that was accepted counts, however the agent ended after it.
        return verdict if verdict.failure is None else replace(verdict, failure=self._failure(taken, verdict.failure))

    def _caught(self, reading: Reading, taken: Taken, usage: Usage) -> Failure:
        """Why an agent that used other tools is not believed; nothing of it can be replayed, nor is it run again."""
        failure = self._failure(taken)
        if self.runs is not None:
            self.runs.distrust(failure)
        kept = self.book.read(reading.batch_id, self.profile) if reading.batch_id else None
        # Whatever waits here came while it ran, or it would have been taken up instead of asking.
        left = kept if kept is not None and kept.run_id in ("", reading.run_id) else taken.record
        if reading.batch_id and left is not None:
            refused = replace(left, run_id=reading.run_id, status=failure.code, message=failure.message)
            self.book.write(replace(refused, usage=usage, keep=self.keep_turns))
        return failure

    def _failure(self, taken: Taken, otherwise: Failure = NO_ANSWER) -> Failure:
        """Why a turn without an accepted answer ended so; what the batch may have caused brings it back in halves."""
        name, ended, has_called = self.agent.name, taken.ended, taken.record is not None
        if taken.strays:
            message = f"{name} used {', '.join(taken.strays)}, beside the four tools of slowwave, and was stopped"
            return Failure(code="agent_not_locked", message=message, ends_asking=True)
        if ended.end is End.TOO_LONG:
            message = f"{name} took longer than {self.settings.seconds:g} seconds"
            return Failure(code="agent_timeout", message=message, blames_batch=has_called, ends_asking=True)
        if ended.end is End.UNSTARTABLE:
            return self._missing()
        if ended.status == 0 or otherwise.code != NO_ANSWER.code:
            return otherwise
        how = f"was ended by signal {-ended.status}" if ended.status < 0 else f"ended with status {ended.status}"
        said = _last_words(ended, self.secrets)
        message = f"{name} {how}{f', saying: {said}' if said else ''}"
        return Failure(code="agent_failed", message=message, blames_batch=has_called, ends_asking=True)

    def _missing(self) -> Failure:
        what = self.settings.program or self.agent.name
        message = f"{what} cannot be started: {self.agent.logged_in_by}, or set agent.program to its file"
        return Failure(code="agent_missing", message=message, ends_asking=True)


def _unheard(failure: Failure) -> Verdict:
    return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)


def _prompt() -> str:
    """What an agent is told; the server says beside it what this batch is, and how its recorded text is framed."""
    return f"{OWN_RUN_MARK}\n\n{_TASK}\n\n{instructions()}"


_TASK = (
    "Work with the tools of the server slowwave and nothing else. What that server says of this batch belongs to "
    "these instructions. Call list_sessions first, look into every session, then hand in one answer with "
    "submit_answer. Write nothing else."
)


def _batch_word(reading: Reading) -> str:
    """The batch as our server is told it: its id, or outside a home the folder that all its sessions lie below."""
    if reading.batch_id:
        return reading.batch_id
    return os.path.commonpath([session.path.absolute().parent for session in reading.batch.sessions.values()])


def _last_words(ended: Ended, secrets: Secrets) -> str:
    """The last line that a program said, of its errors first, secrets masked, cut to one line of a report."""
    for stream in (ended.err, ended.out):
        lines = [line.strip() for line in stream.decode("utf-8", "replace").splitlines() if line.strip()]
        if lines:
            return showable(cut(secrets.mask(lines[-1]), limits.AGENT_WORDS_CHARACTERS))
    return ""
