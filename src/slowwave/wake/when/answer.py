"""What is said about a phrase: an instant, or why there is none."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Reason(StrEnum):
    """Why a phrase has no instant (spec 05); empty where it has one."""

    NONE = ""
    PAST = "past"
    RECURRING = "recurring"
    CONDITION = "condition"
    NO_TIME = "no_time"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """What was understood.

    Attributes:
        instant: Aware, with the zone's offset, and after the moment of asking; None where there is none.
        reason: Why there is none.
        matched: The words that say it; empty where none do.
    """

    instant: datetime | None
    reason: Reason
    matched: str = ""


NO_TIME = When(instant=None, reason=Reason.NO_TIME)
