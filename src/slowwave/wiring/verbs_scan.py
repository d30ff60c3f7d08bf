"""The scan of sessions for tags, over a home."""

from collections.abc import Mapping

from slowwave.wake.intake import Intake
from slowwave.wake.scan import Scan
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of


def intake_of(house: Premises) -> Intake:
    """The way in for captures of a home.

    Raises:
        ConfigError: The zone is none.
    """
    return Intake(house.home.day, house.hold_day, house.clock, zone_of(house), house.secrets)


def scan_tags(house: Premises) -> Mapping[str, int]:
    """Look through what is new in the sessions of every agent for tags, and store their captures.

    Raises:
        ConfigError: The zone is none.
        NewerFormatError: A newer slowwave wrote the scan's state.
    """
    scan = Scan(house.home.day, house.hold_day, intake_of(house), clock=house.clock, zone=zone_of(house))
    return scan.run(house.find().sessions)
