"""Runs of a person's own agent: on trial against a provider of ours, then, where it is locked down, for a batch."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from slowwave.disk.config import AgentSettings
from slowwave.disk.durable import make_folder, read_whole, remove_tree, write_atomic
from slowwave.disk.leftovers import end_leftovers
from slowwave.disk.programs import End, Ended, Program, deferred_signals, passed_on, run_program
from slowwave.facts.limits import AGENT_PROBE_SECONDS, SCRATCH_SECONDS
from slowwave.facts.markers import OWN_RUN_MARK, RUN_ENVIRONMENT
from slowwave.facts.usage import NOTHING_USED, Usage
from slowwave.models.probe import Probe, Sighting
from slowwave.models.recipe import Agent, Bait, Job, Recipe, Trial, event_of
from slowwave.sleep.engine import Failure
from slowwave.sleep.turns import TurnRecord, read_record

SCRATCH = "agent-"
"""How the folders of runs begin, below the folder of runs; each is removed when its run has ended."""
_PLACES = ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME")
_TRIAL_SESSION = "5e55100a-7214-4a1b-8c1d-000000000000"
_TRIAL_PROMPT = f"{OWN_RUN_MARK}\n\nCall list_sessions once, then end.\n"
_TRIAL_TURNS = 4  # it asks twice; another question is the agent's own affair


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What came of a run.

    Attributes:
        ended: How its program ended.
        strays: Tools it spoke of that are not ours.
        record: The record of its turn, where it took one.
        usage: What it says it used; nothing where it does not say, as one that is stopped does not.
    """

    ended: Ended
    strays: tuple[str, ...]
    record: TurnRecord | None
    usage: Usage


@dataclass(slots=True, kw_only=True)
class AgentRuns:
    """Starts one agent, again and again, always alike.

    Attributes:
        agent: Which one.
        program: Its file.
        settings: How long it may take, and which model it asks.
        environment: The person's environment; little of it is passed on.
        home: The folder of the home, which our server opens.
        folder: Where scratch folders are made.
        draw: Random words.
        stopwatch: Seconds that only grow.
        has_leads: Whether our server shows mined findings as places to look.
    """

    agent: Agent
    program: Path
    settings: AgentSettings
    environment: Mapping[str, str]
    home: Path
    folder: Path
    draw: Callable[[], str]
    stopwatch: Callable[[], float]
    has_leads: bool = False
    _tried: dict[tuple[str, int, int], Failure | None] = field(default_factory=dict)
    _caught: Failure | None = None

    def lockdown(self) -> Failure | None:
        """Why the agent cannot be trusted with a batch; None where it offered its model our tools and nothing else.

        Tried once, and again when the program's file has changed; never again once it was caught.
        """
        if self._caught is not None:
            return self._caught
        seen = self.program.stat()
        identity = (str(self.program.resolve()), seen.st_size, seen.st_mtime_ns)
        if identity not in self._tried:
            self._tried[identity] = self._try()
        return self._tried[identity]

    def distrust(self, failure: Failure) -> None:
        """Remember that a run used other tools, whatever a trial has said or would say."""
        self._caught = failure

    def take(self, batch: str, prompt: str, run_id: str) -> Taken:
        """Let the agent take the turn over a batch: an id of the home, or a folder."""
        with self._scratch() as scratch:
            job = self._job(scratch, batch, run_id, prompt=prompt, seconds=self.settings.seconds)
            said = self._run(job)
            record = read_record(read_whole(_turn_file(scratch)) or b"")
            return Taken(ended=said.ended, strays=said.strays, record=record, usage=said.usage)

    def _try(self) -> Failure | None:
        with self._scratch() as scratch:
            sessions = scratch / "sessions"
            make_folder(sessions)
            write_atomic(sessions / f"{_TRIAL_SESSION}.jsonl", _trial_session())
            canary = scratch / "canary"
            calls = (
                Bait(name=self.agent.spelling.format("list_sessions"), arguments={}),
                *self.agent.baits(str(canary)),
            )
            with Probe(key=self.draw(), calls=calls, witness=_TRIAL_SESSION) as probe:
                job = self._job(scratch, str(sessions), "trial", prompt=_TRIAL_PROMPT, trial=probe.trial)
                said = self._run(job, is_watched=False)
                return _judge(self.agent, probe.sighting, said.ended, said.strays, is_bitten=canary.exists())

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A folder for one run; a signal that ends us waits until the run is over and its folder gone."""
        scratch = self.folder / f"{SCRATCH}{self.draw()[:12]}"
        with deferred_signals():
            make_folder(scratch)
            try:
                self._sweep(scratch.stat().st_mtime)
                yield scratch
            finally:
                remove_tree(scratch)

    def _sweep(self, moment: float) -> None:
        for left in self.folder.glob(f"{SCRATCH}*"):  # of a run that was killed; no run takes so long
            if moment - left.stat().st_mtime > SCRATCH_SECONDS:
                remove_tree(left)

    def _job(
        self,
        scratch: Path,
        batch: str,
        run_id: str,
        *,
        prompt: str,
        seconds: float = AGENT_PROBE_SECONDS,
        trial: Trial | None = None,
    ) -> Job:
        # Without the folder it runs in on the path of modules, since the agent may write there.
        server = (sys.executable, "-P", "-m", "slowwave", "mcp", "--consolidate", batch)
        leads = ("--leads",) if self.has_leads else ()
        passed = self.agent.folders if trial is not None else (*self.agent.folders, *self.agent.variables)
        return Job(
            program=str(self.program),
            model=self.settings.model,
            server=(*server, "--record", str(_turn_file(scratch)), "--home", str(self.home), *leads),
            variables={**self._places(), RUN_ENVIRONMENT: run_id},
            prompt=prompt,
            turns=self.settings.turns if trial is None else _TRIAL_TURNS,
            seconds=seconds,
            scratch=scratch,
            environment=passed_on(self.environment, passed),
            trial=trial,
        )

    def _places(self) -> dict[str, str]:
        """Where our server finds the transcripts that a night finds, for agents pass little on to their servers."""
        return {name: self.environment[name] for name in _PLACES if name in self.environment}

    def _run(self, job: Job, *, is_watched: bool = True) -> "_Ran":
        recipe = self.agent.recipe(job)
        for name, text in recipe.files.items():
            write_atomic(job.scratch / name, text.encode())
        strays: list[str] = []
        usage = NOTHING_USED

        def watch(line: bytes) -> bool:
            nonlocal usage
            event = event_of(line)
            strays.extend(self.agent.foreign(event))
            usage = self.agent.used(event) or usage
            return not (strays and is_watched)

        ended = run_program(_program(recipe, job), seconds=job.seconds, stopwatch=self.stopwatch, watch=watch)
        # Drawn for this run: whatever else carries it was started by the agent, and left its group.
        mark = {RUN_ENVIRONMENT: job.variables[RUN_ENVIRONMENT], "TMPDIR": str(job.scratch)}
        end_leftovers(mark, stopwatch=self.stopwatch, is_asked=ended.end is not End.STOPPED)
        return _Ran(ended=ended, strays=tuple(dict.fromkeys(strays)), usage=usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ran:
    """What a program did and told."""

    ended: Ended
    strays: tuple[str, ...]
    usage: Usage


def _program(recipe: Recipe, job: Job) -> Program:
    return Program(words=recipe.words, environment=recipe.environment, folder=job.scratch, said=recipe.said)


def _turn_file(scratch: Path) -> Path:
    return scratch / "turn.jsonl"


def _judge(agent: Agent, seen: Sighting, ended: Ended, strays: tuple[str, ...], *, is_bitten: bool) -> Failure | None:
    """What a trial says of an agent: it has our tools, all of them, and no other, whatever it was asked to call."""
    left = sorted(seen.offered - agent.ours)
    if is_bitten:
        return _not_locked(agent, "ran a tool that it did not offer, when it was asked to")
    if left:
        return _not_locked(agent, f"offers its model {', '.join(left)}")
    if told := [name for name in strays if name.startswith("server ")]:
        return _not_locked(agent, f"has {', '.join(told)}")
    why = ""
    if not seen.requests:
        why = "asked nothing at the address it was given"
    elif seen.unreadable:
        why = "asked in a form that cannot be read"
    elif missing := sorted(agent.ours - seen.offered):
        why = f"does not offer {', '.join(missing)}"
    elif not seen.is_heard:
        why = "did not let its model call a tool of ours"
    if not why:
        return None
    ending = {End.TOO_LONG: " in time", End.UNSTARTABLE: ", for it cannot be started"}.get(ended.end, "")
    message = f"{agent.name} {why}{ending}, so that its tools cannot be verified; nothing was sent"
    return Failure(code="agent_unverified", message=message, ends_asking=True)


def _not_locked(agent: Agent, what: str) -> Failure:
    message = f"{agent.name} {what}, beside the four tools of slowwave; nothing was sent"
    return Failure(code="agent_not_locked", message=message, ends_asking=True)


def _trial_session() -> bytes:
    """A session in which nothing happens, so that a trial has something to list and nothing to tell."""
    shared = {"sessionId": _TRIAL_SESSION, "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/trial", "version": "1.0.0"}
    said = {
        "type": "user",
        "uuid": "u-1",
        "parentUuid": None,
        "message": {"role": "user", "content": "Is this a trial?"},
    }
    answered = {
        "type": "assistant",
        "uuid": "u-2",
        "parentUuid": "u-1",
        "message": {"id": "m-1", "role": "assistant", "content": [{"type": "text", "text": "Yes, it is one."}]},
    }
    return "".join(json.dumps({**shared, **line}) + "\n" for line in (said, answered)).encode()
