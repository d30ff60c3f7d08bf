"""The budget of a home: its ledger, its caps, and the zone whose midnight begins a day."""

from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from slowwave.disk.config import ConfigError
from slowwave.models.budget import Budget
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


def zone_of(house: Premises) -> tzinfo:
    """The zone of ``wake.timezone``, else the system's.

    Raises:
        ConfigError: No zone has that name.
    """
    name = house.config.wake.timezone
    if not name:
        return system_zone()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ConfigError(f"wake.timezone: no zone is called {name}", hint="an IANA name, as Europe/Berlin") from error
