"""Consent: to whom the person lets transcripts go. Nothing leaves the machine before it, and it can be taken back.

It is given to a destination, a provider at a host or an agent, not to a model: another model at the same place reads
nothing that this place could not read before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from slowwave.facts.moment import stamp
from slowwave.facts.refusal import SlowwaveError
from slowwave.sleep.state import State

AGENT = "agent"
"""The first word of every destination that stands for a person's own agent."""
DECLINED = "declined"
"""The channel of a destination that the person said no to, so that ``auto`` does not ask every night."""


class ConsentNeededError(SlowwaveError):
    """Transcripts would leave the machine, and the person has not said yes to where they would go."""

    code = "consent_needed"
    exit_status: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What the person said about one destination: when, and how they were recognised, or that they said no."""

    destination: str
    moment: str
    channel: str

    @property
    def is_given(self) -> bool:
        """Whether they said yes."""
        return self.channel != DECLINED

    @property
    def is_agent(self) -> bool:
        """Whether it is about a person's own agent, not about a provider."""
        return _is_agent(self.destination)


def read_consents(state: State) -> Mapping[str, Consent]:
    """Everything the person said, by destination."""
    rows = state.connection.execute("SELECT destination, moment, channel FROM consents ORDER BY destination")
    return {str(row[0]): Consent(destination=str(row[0]), moment=str(row[1]), channel=str(row[2])) for row in rows}


def is_consented(state: State, destination: str) -> bool:
    """Whether transcripts may go there; nowhere, an empty destination, needs no consent."""
    consent = read_consents(state).get(destination)
    return not destination or (consent is not None and consent.is_given)


def require_consent(state: State, destination: str) -> None:
    """Make sure that the person said yes.

    Raises:
        ConsentNeededError: They did not.
    """
    if not is_consented(state, destination):
        raise ConsentNeededError(
            f"transcripts would go to {destination}, and you have not said that they may",
            hint=_how_to_agree(destination),
        )


def _is_agent(destination: str) -> bool:
    return destination.partition(" ")[0] == AGENT


def _how_to_agree(destination: str) -> str:
    """What to type: consent is for the model unless another engine is named."""
    if _is_agent(destination):
        return "`slowwave consent give --engine agent` shows what would be sent, and asks"
    return "`slowwave consent give` shows what would be sent, what it may cost, and asks"


def put_consent(state: State, destination: str, *, moment: datetime, channel: str) -> None:
    """Keep what the person said; the caller has made sure that it was a person."""
    with state.step() as sql:
        sql.execute("INSERT OR REPLACE INTO consents VALUES (?, ?, ?)", (destination, stamp(moment), channel))


def revoke_consent(state: State, destination: str) -> bool:
    """Take a consent back; whether there was one."""
    with state.step() as sql:
        return sql.execute("DELETE FROM consents WHERE destination = ?", (destination,)).rowcount > 0
