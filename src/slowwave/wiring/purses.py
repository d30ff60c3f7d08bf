"""The budget of a home: its ledger, its caps, and the zone whose midnight begins a day."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from typing import Any

from slowwave.disk.config import ConfigError
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.usage import MICRO
from slowwave.models.budget import Budget
from slowwave.records.captures import zone_named
from slowwave.wiring.premises import Premises, system_zone


def open_budget(house: Premises) -> Budget:
    """The budget of an open home; only to look where the home may only be read.

    Raises:
        BudgetUnreadableError: Its ledger cannot be used; nothing may be asked.
        ConfigError: The zone is none.
    """
    return Budget(
        house.home.budget_db,
        clock=house.clock,
        zone=zone_of(house),
        settings=house.config.models,
        is_read_only=house.is_read_only,
    )


@contextmanager
def looking_at_budget(house: Premises) -> Iterator[Budget]:
    """The budget as it stands now, only to look: nothing is made, changed or waited for.

    Raises:
        BudgetUnreadableError: The ledger is damaged.
        ConfigError: The zone is none.
    """
    budget = Budget(
        house.home.budget_db,
        clock=house.clock,
        zone=zone_of(house),
        settings=house.config.models,
        is_read_only=True,
    )
    try:
        yield budget
    finally:
        budget.close()


def describe_left(house: Premises) -> dict[str, Any] | None:
    """What is left of today for the night and for all, for the state screen; None where no model is configured.

    ``unreadable`` says why it is not known; empty where it is.
    """
    settings = house.config.models
    if not (settings.provider and settings.model):
        return None
    described = {"model": f"{settings.provider}:{settings.model}", "unreadable": ""}
    try:
        with looking_at_budget(house) as budget:
            left = budget.left("night")
            spent = budget.ledger.spent(left.day)
    except SlowwaveError as error:
        return described | {"unreadable": error.message}
    return described | {
        "day": left.day,
        "calls": spent.calls,
        "usd": spent.micro_usd / MICRO,
        "cap": settings.money_a_day,
        "left": {"calls": left.calls, "tokens": left.tokens, "usd": left.micro_usd / MICRO, "seconds": left.seconds},
    }


def zone_of(house: Premises) -> tzinfo:
    """The zone of ``wake.timezone``, else the system's.

    Raises:
        ConfigError: No zone has that name.
    """
    return configured_zone(house.config.wake.timezone)


def configured_zone(name: str) -> tzinfo:
    """The zone that ``wake.timezone`` names; the system's where it names none.

    Raises:
        ConfigError: No zone has that name.
    """
    zone = zone_named(name) if name else system_zone()
    if zone is None:
        raise ConfigError(f"wake.timezone: no zone is called {name}", hint="an IANA name, as Europe/Berlin")
    return zone
