"""Engines side by side over labelled batches: what each found, and what an accepted memory of it cost.

Each engine reads every batch once, as a night would hear it: the whole way through tools, contract and budget. A batch
that came to nothing counts as an empty answer, with its reason, so that an engine gains nothing by failing.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from labelled import SHARES, Labelled, Scorer, proved_answer
from slowwave.disk.config import Config, write_config
from slowwave.disk.home import Home
from slowwave.facts.ids import RunId
from slowwave.facts.usage import MICRO, NOTHING_USED, Usage
from slowwave.models.providers import stays_here
from slowwave.sleep.consent import ConsentNeededError, require_consent
from slowwave.sleep.engine import Engine, Reading, Verdict
from slowwave.wiring.engines import engine_named
from slowwave.wiring.house import House, open_house

NAMES = ("mined", "model", "model+leads", "agent")
"""Who can be compared; the agent's own recipe says nothing of leads."""
FOUND = ("returned", "full", "partial", "extra", "decoys_taken", "commitments_returned", "commitment_decoys_taken")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who is asked, and whether the labelled sessions may go there.

    Attributes:
        config: The model and the coding agent, where no home says them.
        home: A home whose settings, consent and budget are used instead.
        may_send: The person said that the sessions may leave the machine.
    """

    config: Config
    home: Path | None
    may_send: bool


def compare(
    labelled: Sequence[Labelled],
    scorer: Scorer,
    names: Sequence[str],
    asked: Asked,
    environment: Mapping[str, str],
) -> dict[str, Any]:
    """Every engine over every batch.

    Raises:
        SlowwaveError: An engine cannot be had, or may not be given the sessions; nothing was asked.
    """
    with _opened(asked, environment) as house:
        engines = {name: _engine(name, house, asked) for name in names}
        return {"engines": {name: _measure(engine, name, labelled, scorer) for name, engine in engines.items()}}


@contextmanager
def _opened(asked: Asked, environment: Mapping[str, str]) -> Iterator[House]:
    """The home that pays: the person's own, or one that is gone afterwards."""
    with TemporaryDirectory(prefix="slowwave-quality-") as scratch:
        root = asked.home
        if root is None:
            root = Path(scratch) / "home"
            Home(root).prepare()
            write_config(root, asked.config)
        house = open_house(home=root, environment=environment, must_exist=asked.home is not None)
        # Whether leads are given is said by the name of a column, whatever the home is used to.
        sleep = house.config.sleep.model_copy(update={"leads": False})
        house.config = house.config.model_copy(update={"sleep": sleep})
        try:
            yield house
        finally:
            house.close()


def _engine(name: str, house: House, asked: Asked) -> Engine:
    kind, _, leads = name.partition("+")
    engine = engine_named(kind, house, leads=bool(leads)).engine
    if asked.home is not None:
        require_consent(house.state, engine.destination)
    elif engine.destination and not asked.may_send and not (kind == "model" and stays_here(asked.config.models)):
        raise ConsentNeededError(f"the labelled sessions would go to {engine.destination}", hint="add --send to agree")
    return engine


def _measure(engine: Engine, name: str, labelled: Sequence[Labelled], scorer: Scorer) -> dict[str, Any]:
    heard = [_hear(engine, name, one, scorer) for one in labelled]
    usage = sum((one.verdict.usage for one in heard), NOTHING_USED)
    accepted = sum(len(one.verdict.proved.candidates) for one in heard)
    refused: Counter[str] = Counter(refusal.code for one in heard for refusal in one.verdict.refusals)
    return {
        "pool": scorer.pooled([one.score for one in heard]),
        "chance": scorer.pooled([scorer.chance(one.labelled, one.score["returned"]) for one in heard]),
        "accepted": accepted,
        "seconds": round(sum(one.seconds for one in heard), 2),
        "failures": {o.labelled.name: o.verdict.failure.code for o in heard if o.verdict.failure is not None},
        "refused": dict(sorted(refused.items())),
        "usage": _used(usage),
        "each": {key: round(value / accepted, 4) for key, value in _used(usage).items()} if accepted else {},
        "batches": [one.shown(scorer) for one in heard],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """One batch as one engine answered it."""

    labelled: Labelled
    verdict: Verdict
    answer: Mapping[str, Any]
    score: Mapping[str, Any]
    seconds: float

    def shown(self, scorer: Scorer) -> dict[str, Any]:
        verdicts = scorer.verdicts(self.labelled, self.answer)
        claims = [candidate["claim"] for candidate in self.answer["candidates"]]
        return {
            "name": self.labelled.name,
            "score": self.score,
            "failure": self.verdict.failure.message if self.verdict.failure else None,
            "usage": _used(self.verdict.usage),
            "seconds": round(self.seconds, 2),
            "claims": [{"verdict": v, "claim": claim} for v, claim in zip(verdicts, claims, strict=True)],
        }


def _hear(engine: Engine, name: str, one: Labelled, scorer: Scorer) -> _Heard:
    reading = Reading(
        batch_id=f"gold-{one.name}",
        run_id=RunId(""),
        batch=one.batch,
        recordings=one.recordings,
        say=lambda words: print(f"{name} {one.name}: {words}", file=sys.stderr),
    )
    start = time.perf_counter()
    verdict = engine.hear(reading)
    seconds = time.perf_counter() - start
    answer = proved_answer(verdict.proved, one.batch)
    return _Heard(labelled=one, verdict=verdict, answer=answer, score=scorer.score(one, answer), seconds=seconds)


def _used(usage: Usage) -> dict[str, float]:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "usd": usage.micro_usd / MICRO,
    }


def print_comparison(result: Mapping[str, Any], *, show: bool) -> None:
    """One table: a row for each measure, a column for each engine."""
    engines: Mapping[str, Mapping[str, Any]] = result["engines"]
    _row("", list(engines))
    for name in FOUND:
        _row(name, [f"{engine['pool'][name]:g}" for engine in engines.values()])
    for name in SHARES:
        _row(name, [_share(engine["pool"][name]) for engine in engines.values()])
        _row("  by chance", [_value(engine["chance"][name]) for engine in engines.values()])
    _row("accepted memories", [str(engine["accepted"]) for engine in engines.values()])
    _row("seconds", [f"{engine['seconds']:.1f}" for engine in engines.values()])
    for measure in _used(NOTHING_USED):
        _row(measure, [_amount(engine["usage"][measure], measure) for engine in engines.values()])
        each = [_amount(engine["each"].get(measure), measure) for engine in engines.values()]
        _row("  an accepted memory", each)
    for name, engine in engines.items():
        _print_trouble(name, engine)
        for batch in engine["batches"] if show else ():
            for claim in batch["claims"]:
                print(f"{name} {batch['name']} {claim['verdict']:8} {claim['claim']}")


def _print_trouble(name: str, engine: Mapping[str, Any]) -> None:
    for batch in engine["batches"]:
        if batch["failure"] is not None:
            code = engine["failures"][batch["name"]]
            print(f"{name} heard nothing of {batch['name']}: {code}: {batch['failure']}")
    if engine["refused"]:
        print(f"{name} was refused: {', '.join(f'{code} {n}' for code, n in engine['refused'].items())}")


def _row(name: str, cells: Sequence[str]) -> None:
    print(f"{name:26}" + "".join(f"{cell:>30}" for cell in cells))


def _share(share: Mapping[str, Any]) -> str:
    low, high = share["interval95"]
    return f"{_value(share)} [{low:.2f}, {high:.2f}] of {share['of']:g}"


def _value(share: Mapping[str, Any]) -> str:
    return "-" if share["value"] is None else f"{share['value']:.3f}"


def _amount(amount: float | None, measure: str) -> str:
    if amount is None:
        return "-"
    return f"{amount:.4f}" if measure == "usd" else f"{amount:,.0f}"
