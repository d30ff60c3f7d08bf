"""Phase 11 of the night: for each configured long-lived context, what hygiene would do, for a person to look at.

Nothing is applied. A proposal is a file that `slowwave hygiene apply --ops` takes; the same context gives the same
file again, so that a night that was killed and goes on ends where an untouched one ends.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from slowwave.disk.durable import make_folder, read_whole, remove, write_atomic
from slowwave.disk.home import Home
from slowwave.facts.refusal import DamageError, Refusal, SlowwaveError
from slowwave.sleep.plan import Night, Phase, PhaseResult, PhaseStatus
from slowwave.wiring.premises import Premises
from slowwave.wiring.verbs_hygiene import Bench, Options, plan

MOST_CONTEXTS = 200  # looked at in one night; a person who has more names fewer
_NAME_DIGITS = 24  # of a context's path in the name of its proposal


def proposes(house: Premises) -> Phase:
    """The phase over a home's configured contexts."""

    def phase(night: Night) -> PhaseResult:
        wanted = house.config.hygiene.transcripts
        if not wanted:
            return PhaseResult(status=PhaseStatus.SKIPPED, reason="no long-lived transcripts are configured")
        counts = {"contexts": 0, "proposals": 0, "operations": 0, "tokens": 0}
        refusals: list[Refusal] = []
        for path in contexts(wanted):
            counts["contexts"] += 1
            try:
                told = plan(Bench(home=house.home, house=house, clock=lambda: night.moment), path, Options())
            except (SlowwaveError, OSError) as error:
                refusals.append(_refusal(path, error))
                continue
            refusals += _whole(path, told)
            if told["operations"]:
                counts["proposals"] += 1
                counts["operations"] += len(told["operations"])
                counts["tokens"] += told["tokens"]["saved"]
            if not night.options.dry_run:
                _keep(house.home.proposals, path, told)
        status = PhaseStatus.DEGRADED if refusals else PhaseStatus.DONE
        return PhaseResult(status=status, counts=counts, refusals=tuple(refusals))

    return phase


def proposals_of(home: Home) -> list[dict[str, Any]]:
    """What nights have proposed and nobody has carried out or overtaken, by the context's path.

    Raises:
        DamageError: A proposal is not as it was written.
    """
    if not home.proposals.is_dir():
        return []
    found = map(_proposal, sorted(home.proposals.glob("*.json")))
    return sorted(found, key=lambda each: str(each["file"]))


def _proposal(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(read_whole(path) or b"")
        return {
            "file": told["file"],
            "ops": str(path),
            "operations": len(told["operations"]),
            "saved": told["tokens"]["saved"],
            "parent": told["parent"],
        }
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamageError(f"{path} is no proposal", hint="Remove it; the next night writes it again.") from error


def contexts(wanted: tuple[str, ...]) -> Iterator[Path]:
    """The files that some paths and patterns name, each once, in order, at most ``MOST_CONTEXTS``."""
    found: dict[Path, None] = {}
    for name in wanted:
        spread = Path(name).expanduser()
        if any(sign in name for sign in "*?[") and not spread.exists():
            anchor = Path(spread.anchor or ".")
            found |= dict.fromkeys(sorted(anchor.glob(str(spread.relative_to(anchor)))))
        else:
            found[spread] = None
    return iter(list(found)[:MOST_CONTEXTS])


def _keep(folder: Path, path: Path, told: dict[str, object]) -> None:
    """Write a proposal, or take one away that no longer holds."""
    name = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:_NAME_DIGITS]
    place = folder / f"{name}.json"
    if not told["operations"]:
        remove(place)
        return
    content = json.dumps(told, ensure_ascii=False, indent=1).encode() + b"\n"
    if read_whole(place) != content:
        make_folder(folder)
        write_atomic(place, content)


def _whole(path: Path, told: Mapping[str, Any]) -> list[Refusal]:
    """Why nothing of a context may be touched."""
    held = [each for each in told["rejected"] if each["op"] is None]
    return [Refusal(code=each["code"], path=str(path), message=each["message"]) for each in held]


def _refusal(path: Path, error: Exception) -> Refusal:
    code = error.code if isinstance(error, SlowwaveError) else "unreadable"
    message = error.message if isinstance(error, SlowwaveError) else "The file could not be read."
    return Refusal(code=code, path=str(path), message=message)
