"""When: a time that a person named in words, understood from the moment and the zone they said it in (spec 05)."""

from slowwave.wake.when.answer import Reason, When
from slowwave.wake.when.understanding import find_due, understand
from slowwave.wake.when.zones import zone_of

__all__ = ["Reason", "When", "find_due", "understand", "zone_of"]
