"""A turn that somebody else's agent takes: the batch it is about, the tools over it, and its record when it ends.

Nothing of a night happens here: what was answered waits as a record, which the night that asked, or the next one with
the agent engine, replays against the sessions themselves.
"""

import json
import re
import secrets as randomness
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from slowwave.disk.durable import write_atomic
from slowwave.facts.ids import ITEM_DIGITS, RunId
from slowwave.facts.limits import MOST_ARGUMENT_BYTES, MOST_SAME_CALLS, MOST_TURN_CALLS
from slowwave.facts.markers import RUN_ENVIRONMENT
from slowwave.facts.refusal import Refusal, SlowwaveError, UsageError
from slowwave.models.circling import Circling, Round
from slowwave.models.toolbox import ToolReply, ToolSpec
from slowwave.proof.framing import make_nonce
from slowwave.records.recording import load
from slowwave.sleep.consent import AGENT, read_consents, require_consent
from slowwave.sleep.engine import Reading
from slowwave.sleep.instructions import instructions, instructions_digest, message_of
from slowwave.sleep.leads import leads_of
from slowwave.sleep.opening import open_batch
from slowwave.sleep.surroundings import linked_memories
from slowwave.sleep.turn import Turn
from slowwave.sleep.turns import ANSWERED, TurnBook, TurnRecord
from slowwave.wiring.bench import batch_of_folder
from slowwave.wiring.engines import MinedEngine
from slowwave.wiring.planned import BatchUnknownError, find_batch
from slowwave.wiring.premises import Premises

AGENT_PROFILE = "agent/1"
"""Whose marks and records a person's own agent has, whichever agent it is."""
_ID = re.compile(rf"b-[0-9a-f]{{{ITEM_DIGITS}}}")


def draw_nonce() -> str:
    """The random word of a turn, which stands in the delimiters of what its tools return."""
    return make_nonce(randomness.token_bytes)


class OpenTurn:
    """One turn over one batch, as a server hands it to whoever connects.

    Args:
        turn: The tools.
        message: What the turn is about, said before anything is called.
        keep: Takes the record of the turn, given who asked.
    """

    def __init__(self, turn: Turn, *, message: str, keep: Callable[[str], None]) -> None:
        self._turn = turn
        self._keep = keep
        self._circling = Circling()
        self._limited = {spec.name for spec in turn.specs if spec.is_limited}
        self._asked = ""
        self._is_kept = False
        self.instructions = f"{message}\n{instructions()}"

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """The four tools."""
        return self._turn.specs

    def call(self, name: str, arguments: str, asked: str) -> ToolReply:
        """Call a tool; what ends the turn is kept before it is said, and what goes round in circles is not called."""
        self._asked = asked or self._asked
        reply = self._circled(name, arguments) or self._turn.call(name, arguments)
        if reply.ends_turn and not self._is_kept:
            try:
                self._close()
            except SlowwaveError as error:
                return ToolReply(text=f"{reply.text}\n\nIt could not be kept: {error.message}", is_error=True)
        return reply

    def _circled(self, name: str, arguments: str) -> ToolReply | None:
        """What the very same call once too often comes to, and any after it; None where it may be made.

        Calls that the turn refuses anyway are not counted, so that whoever calls for ever fills no memory.
        """
        if name in self._limited or self._turn.is_over or len(self._turn.calls) >= MOST_TURN_CALLS:
            return None
        met = self._circling.take(name, arguments[: MOST_ARGUMENT_BYTES + 1])
        if met is Round.NEW:
            return None
        told = f"You have made this very call {MOST_SAME_CALLS} times, and it says the same again."
        what = "Look elsewhere, or hand in what you have." if met is Round.TOLD else "It is not made any more."
        refusal = Refusal(code="circling", path="tool", message=f"{told} {what}")
        return ToolReply(text=json.dumps({"refusals": [asdict(refusal)]}), is_error=True)

    def close(self) -> None:
        """Keep what was called, where the client left before an end; a client that called nothing took no turn.

        Raises:
            DiskError: It could not be kept.
        """
        if not self._is_kept and self._turn.calls:
            self._close()

    def _close(self) -> None:
        self._keep(self._asked)
        self._is_kept = True


def open_turn(
    house: Premises, batch: str, *, nonce: str, record_file: Path | None = None, has_leads: bool = False
) -> OpenTurn:
    """A turn over a batch of the home, by its id, or over all sessions below a folder.

    Of a batch of the home the record goes into the home. Of a folder nothing is kept but what ``record_file`` takes.

    Args:
        house: Opened so that it only reads.
        batch: An id as a dry run prints it, or a folder.
        nonce: As ``draw_nonce`` gives one.
        record_file: Where the record is written too; None for nowhere.
        has_leads: Whether mined findings are shown as places to look; the settings may say so too.

    Raises:
        UsageError: It is neither an id nor a folder.
        BatchUnknownError: No night has a batch of that id.
        ConsentNeededError: The person has not said that transcripts may go to an agent.
        NothingToDoError: No session lies below the folder.
    """
    if record_file is not None and not record_file.absolute().parent.is_dir():
        raise UsageError(
            f"there is no folder for {record_file}", hint="--record names a file in a folder that is there"
        )
    if _ID.fullmatch(batch):
        reading = _planned(house, batch)
    elif Path(batch).is_dir():
        reading = _whole(house, Path(batch))
    else:
        raise UsageError(
            f"{batch} is neither a batch nor a folder",
            hint="`slowwave sleep --dry-run` prints the ids of batches",
        )
    has_leads = has_leads or house.config.sleep.leads
    leads = leads_of(MinedEngine(house.secrets).hear(reading), reading) if has_leads else {}
    turn = Turn(reading, secrets=house.secrets, nonce=nonce, leads=leads)
    return OpenTurn(
        turn,
        message=message_of(reading, nonce=nonce, has_leads=bool(leads)),
        keep=lambda asked: _keep(house, _record(house, reading, turn, nonce=nonce, asked=asked), record_file),
    )


def _planned(house: Premises, batch_id: str) -> Reading:
    night, plan = find_batch(house, batch_id)
    # Whoever asks: a variable is no yes, and one that was given when a night began may have been taken back since.
    _require_consent(house)
    # The variable says whose the record is, and of a run that is not going on nothing: that is somebody by themselves.
    asks = night.record.run_id if night.record.run_id == house.environment.get(RUN_ENVIRONMENT, "") else RunId("")
    batch, recordings = open_batch(plan, {session.id: session for session in night.sessions})
    if not any(session in batch.sessions for session in plan.new):
        raise BatchUnknownError(
            f"nothing is left to read of {batch_id}: its sessions are gone or excluded",
            hint="`slowwave sleep --dry-run` prints the batches of today",
        )
    return Reading(
        batch_id=plan.id,
        run_id=asks,
        batch=batch,
        recordings=recordings,
        linked=linked_memories(night, tuple(batch.sessions)),
    )


def _whole(house: Premises, folder: Path) -> Reading:
    batch = batch_of_folder(folder, home=house.home.root, secrets=house.secrets)
    recordings = tuple(load(session, ends=batch.ends.get(session.id)) for session in batch.sessions.values())
    return Reading(batch_id="", run_id=RunId(""), batch=batch, recordings=recordings)


def _require_consent(house: Premises) -> None:
    """Make sure that the person lets transcripts go to an agent, as of now.

    Raises:
        ConsentNeededError: They did not.
    """
    if not any(one.is_given and one.is_agent for one in read_consents(house.state).values()):
        require_consent(house.state, f"{AGENT} of your own")


def _record(house: Premises, reading: Reading, turn: Turn, *, nonce: str, asked: str) -> TurnRecord:
    failure = turn.verdict().failure
    return TurnRecord(
        batch_id=reading.batch_id,
        profile=AGENT_PROFILE,
        run_id=reading.run_id,
        moment=house.clock(),
        nonce=nonce,
        policy=instructions_digest(),
        asked=asked,
        calls=turn.calls,
        status=failure.code if failure else ANSWERED,
        message=failure.message if failure else "",
        keep=house.config.sleep.keep_turns,
    )


def _keep(house: Premises, record: TurnRecord, file: Path | None) -> None:
    """Write a record where it is asked for, and into the home where the batch is the home's."""
    if file is not None:
        write_atomic(file, record.written())
    if record.batch_id:
        keep_turn(TurnBook(house.home.runs), record)


def keep_turn(book: TurnBook, record: TurnRecord) -> None:
    """Write a record into the home's book; a turn without an answer does not take the place of an answered one.

    Raises:
        DiskError: The system refused.
    """
    kept = book.read(record.batch_id, record.profile)
    if record.status == ANSWERED or kept is None or kept.status != ANSWERED:
        book.write(record)
