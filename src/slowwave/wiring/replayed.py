"""The engine of recorded turns: the answers that were given then, over the sessions as they lie here; asks nobody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from slowwave.facts.limits import SMALL_SESSION_BYTES
from slowwave.facts.refusal import UsageError
from slowwave.facts.usage import NOTHING_USED
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Engine, Estimate, Failure, Reading, Verdict, is_all_small
from slowwave.sleep.replaying import replay
from slowwave.sleep.turns import TurnBook, TurnRecord
from slowwave.wiring.premises import Premises


def replay_engine(house: Premises, folder: str, mined: Engine) -> Engine:
    """The engine over a folder of records: a home's ``runs``, or the ``turns`` in it.

    Raises:
        UsageError: No record of a turn lies there, or they are of more than one profile.
    """
    place = Path(folder)
    records = TurnBook(place.parent if place.name == "turns" else place).records()
    profiles = sorted({record.profile for record in records})
    if not profiles:
        raise UsageError(
            f"no record of a turn lies in {folder}", hint="give the folder `runs` of the home that kept them"
        )
    if len(profiles) > 1:
        raise UsageError(
            f"the records in {folder} are of several engines: {', '.join(profiles)}", hint="keep one of them"
        )
    return ReplayEngine(
        profile=profiles[0],
        records={record.batch_id: record for record in records},
        mined=mined,
        secrets=house.secrets,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayEngine:
    """Answers from records by batch; the rules read the sessions that were too small to be asked about."""

    profile: str
    records: Mapping[str, TurnRecord]
    mined: Engine
    secrets: Secrets
    name: str = "replay"
    least_bytes: int = SMALL_SESSION_BYTES
    destination: str = ""

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """Nothing: nobody is asked."""
        del sizes
        return None

    def hear(self, reading: Reading) -> Verdict:
        """What was answered then, held against the record anew."""
        if is_all_small(reading, self.least_bytes):
            return replace(self.mined.hear(reading), profile=self.mined.profile)
        record = self.records.get(reading.batch_id)
        if record is None:
            failure = Failure(code="replay_missing", message=f"no turn about batch {reading.batch_id} was recorded")
            return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=failure)
        return replace(replay(record, reading, self.secrets), usage=NOTHING_USED)
