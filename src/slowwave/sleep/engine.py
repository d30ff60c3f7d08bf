"""Who proposes: an engine is given one batch to read and says what it found, already held against the record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from slowwave.facts.answer import Proved
from slowwave.facts.ids import RunId, SessionId
from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import NOTHING_USED, Usage
from slowwave.proof.batch import Batch
from slowwave.records.recording import Recording

NOTHING_PROVED = Proved(candidates=(), commitments=(), read_session_ids=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One batch as an engine gets it.

    Attributes:
        batch_id: The batch by what it holds; the same batch has the same id in every home.
        run_id: The night it is read in; empty outside a night.
        batch: The sessions, where their new lines begin and their bytes end.
        recordings: The same sessions, read.
        linked: What the corpus already links to a session, as ``list_sessions`` shows it.
        say: Tells whoever watches what goes on inside the batch.
    """

    batch_id: str
    run_id: RunId
    batch: Batch
    recordings: tuple[Recording, ...]
    linked: Mapping[SessionId, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    say: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why nothing could be heard about a batch.

    Attributes:
        code: Stable, as that of a refusal.
        message: One sentence for the report.
        blames_batch: The batch itself may be the cause, so that it is halved next time; an outage is nobody's fault.
        blames_first: The batch is to be halved where it was the first of its night: then a whole day's budget was
            too small for it, and would be again.
        ends_asking: Nothing more can be asked tonight: the provider is away, or the budget is spent.
    """

    code: str
    message: str
    blames_batch: bool = False
    blames_first: bool = False
    ends_asking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of an engine's answer.

    Attributes:
        proved: What holds; nothing where there is a failure.
        refusals: What was refused on the way, all tries together.
        counts: Where each proposal went; they add up to what was proposed.
        failure: Why nothing was heard; None where the batch was answered.
        usage: What asking used.
        profile: Who proposed, where that is not the night's own engine; empty else.
        findings: What ``--explain`` shows of it.
    """

    proved: Proved
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]
    failure: Failure | None = None
    usage: Usage = NOTHING_USED
    profile: str = ""
    findings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What reading a batch may use, said before anything is asked; ``micro_usd`` is None where no price is known."""

    calls: int
    input_tokens: int
    output_tokens: int
    micro_usd: int | None


class Engine(Protocol):
    """Who proposes."""

    @property
    def name(self) -> str:
        """As the person chose it."""
        ...

    @property
    def profile(self) -> str:
        """Whose watermarks it moves; changes where its answers would."""
        ...

    @property
    def least_bytes(self) -> int:
        """Smaller sessions are read by the mined engine."""
        ...

    @property
    def destination(self) -> str:
        """Where transcripts go when it is asked; empty where nobody is."""
        ...

    def hear(self, reading: Reading) -> Verdict:
        """What it finds in a batch, proved; expected trouble is the verdict's failure."""
        ...

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """What ``hear`` would use for sessions of so many bytes each; None where it costs nothing."""
        ...


def is_all_small(reading: Reading, least_bytes: int) -> bool:
    """Whether every new session of a batch is below the size that is worth asking about."""
    batch = reading.batch
    return all(session.bytes < least_bytes for session in batch.sessions.values() if batch.has_new(session.id))
