"""Consent as verbs: what would leave the machine, to whom, at what cost; what was said; taking it back."""

from typing import Any

from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.sleep.consent import DECLINED, is_consented, put_consent, read_consents, revoke_consent
from slowwave.sleep.plan import NightOptions
from slowwave.wiring import nightshift
from slowwave.wiring.engines import engine_named
from slowwave.wiring.premises import Premises


class Silent:
    """Progress that nobody watches."""

    def phase(self, name: str, number: int, total: int) -> None:
        """A phase begins."""

    def step(self, text: str, done: float, total: float) -> None:
        """Work inside a phase goes on."""


def list_consents(house: Premises) -> list[dict[str, Any]]:
    """What the person said about each destination."""
    return [
        {"destination": one.destination, "given": one.is_given, "moment": one.moment, "channel": one.channel}
        for one in read_consents(house.state).values()
    ]


def wanted(house: Premises, engine_name: str) -> str:
    """Where an engine would send transcripts without the person having said so; empty where nothing is to be asked.

    ``auto`` wants what the configured model wants, unless the person has said no to it before.
    """
    settings = house.config.models
    if engine_name == "auto" and not (settings.provider and settings.model):
        return ""
    destination = engine_named("model" if engine_name == "auto" else engine_name, house).engine.destination
    if is_consented(house.state, destination):
        return ""
    return "" if engine_name == "auto" and destination in read_consents(house.state) else destination


def foresee(house: Premises, engine_name: str) -> dict[str, Any]:
    """What the next night would send, and where: destination, sessions, bytes, projects, estimate. Sends nothing.

    Sessions that rules read, since they are small, are not among them.

    Raises:
        UsageError: The engine sends nothing anywhere.
    """
    name = "model" if engine_name == "auto" else engine_name
    destination = engine_named(name, house).engine.destination
    if not destination:
        raise UsageError(f"the engine {name} sends nothing anywhere", hint="consent is for model and agent")
    night = nightshift.sleep(
        house,
        NightOptions(dry_run=True),
        engine_name=name,
        moment=house.clock().replace(microsecond=0),
        resume=False,
        progress=Silent(),
        seconds=lambda: 0.0,
    )
    # Without an estimate it is rules that read a batch, and nothing of it goes anywhere.
    batches = [batch for batch in night["batches"] if batch["estimate"]]
    costs = [batch["estimate"]["usd"] for batch in batches]
    return {
        "destination": destination,
        "engine": name,
        "sessions": sum(batch["sessions"] for batch in batches),
        "bytes": sum(batch["bytes"] for batch in batches),
        "projects": sorted({batch["project"] for batch in batches if batch["project"]}),
        "batches": len(batches),
        "calls": sum(batch["estimate"]["calls"] for batch in batches),
        "usd": None if None in costs else round(sum(costs), 2),
        "given": is_consented(house.state, destination),
    }


def give(house: Premises, destination: str, *, channel: str) -> dict[str, Any]:
    """Keep the person's yes to a destination."""
    with house.writing("consent give"):
        put_consent(house.state, destination, moment=house.clock(), channel=channel)
    return {"destination": destination, "given": True}


def decline(house: Premises, destination: str) -> dict[str, Any]:
    """Keep the person's no, so that ``auto`` does not ask again."""
    with house.writing("consent give"):
        put_consent(house.state, destination, moment=house.clock(), channel=DECLINED)
    return {"destination": destination, "given": False}


def revoke(house: Premises, destination: str) -> dict[str, Any]:
    """Take a consent back.

    Raises:
        NothingToDoError: Nothing was said about that destination.
    """
    with house.writing("consent revoke"):
        if not revoke_consent(house.state, destination):
            known = ", ".join(read_consents(house.state)) or "none"
            raise NothingToDoError(f"nothing was said about {destination}", hint=f"destinations are: {known}")
    return {"destination": destination, "given": False}
