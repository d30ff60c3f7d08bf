"""One turn: four tools, a log of every call, and an answer that is accepted or refused whole.

Whoever proposes, a model of any provider or a person's own agent, reaches a batch through this and nothing else.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.ids import SessionId, digest
from slowwave.facts.limits import (
    MOST_ANSWER_BYTES,
    MOST_ARGUMENT_BYTES,
    MOST_FAULTS,
    MOST_SUBMISSIONS,
    MOST_TURN_CALLS,
)
from slowwave.facts.refusal import Refusal
from slowwave.models.toolbox import ToolReply, ToolSpec
from slowwave.proof.contract import Call, ReadLog, check, parse_answer
from slowwave.proof.framing import Frame
from slowwave.records.read import MarksOf, no_marks
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import NOTHING_PROVED, Failure, Reading, Verdict
from slowwave.sleep.hearing import STAYED_REFUSED, ends_of
from slowwave.sleep.leads import Lead
from slowwave.sleep.tool_specs import LIST, READ, SEARCH, SPECS, SUBMIT
from slowwave.sleep.tools import Look, Tools

NO_ANSWER = Failure(code="no_answer", message="the turn ended without an answer", blames_batch=True)
_NOTHING = Answer(candidates=(), commitments=(), read_session_ids=())
_NAME_CHARACTERS = 64  # of a called name that is kept; the longest of the four has 17


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCall:
    """One call as it was made, and its reply by digest and length, since the reply is the transcript's own text."""

    name: str
    arguments: str
    is_error: bool
    reply_digest: str
    reply_length: int


class Turn:
    """A toolbox over one batch that ends with an accepted answer, or with the last refused one.

    Args:
        reading: The batch.
        secrets: What tells a secret; everything shown is masked.
        nonce: The turn's random word, hex digits.
        leads: Places to look, by session.
        marks: Where lines of a file begin, as far as somebody knows.

    Attributes:
        submissions: Answers handed in so far.
        breaks: How often the random word stood in what was shown, and was broken there; no honest turn has any.

    Raises:
        ValueError: The nonce is none.
    """

    def __init__(
        self,
        reading: Reading,
        *,
        secrets: Secrets,
        nonce: str,
        leads: Mapping[SessionId, Sequence[Lead]] | None = None,
        marks: MarksOf = no_marks,
    ) -> None:
        self._reading = reading
        self._secrets = secrets
        self._frame = Frame(nonce=nonce)
        tools = Tools(reading, secrets=secrets, leads=leads, marks=marks)
        self._looks: dict[str, Callable[[str], Look]] = {
            LIST: tools.list_sessions,
            SEARCH: tools.search_transcript,
            READ: tools.read_lines,
        }
        self._log: list[Call] = []
        self._calls: list[TurnCall] = []
        self._refusals: list[Refusal] = []
        self._answer = _NOTHING
        self._proved: Proved | None = None
        self.submissions = 0
        self.breaks = 0

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """The four tools."""
        return SPECS

    @property
    def is_over(self) -> bool:
        """Whether an answer was accepted, or the last try refused."""
        return self._proved is not None or self.submissions >= MOST_SUBMISSIONS

    @property
    def log(self) -> ReadLog:
        """Every call of a known tool since the index was first asked for, as the contract looks at it."""
        return ReadLog(calls=tuple(self._log))

    @property
    def calls(self) -> tuple[TurnCall, ...]:
        """Every call until the turn ended, as it is recorded."""
        return tuple(self._calls)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Everything that was refused of answers, all tries together."""
        return tuple(self._refusals)

    def call(self, name: str, arguments: str) -> ToolReply:
        """Answer one call; whatever its name and arguments, nothing is raised and nothing unmasked leaves.

        Calls are recorded until the turn has ended, or has had all its calls; those past it are only refused.
        """
        if self.is_over:
            message = "This turn has ended; nothing more can be called."
            return _refused(code="turn_over", path="turn", message=message, ends_turn=True)
        if name != SUBMIT and len(self._calls) >= MOST_TURN_CALLS:
            message = f"This turn has had its {MOST_TURN_CALLS} calls; hand in what you have with {SUBMIT}."
            return _refused(code="too_many_calls", path="turn", message=message)
        # One character too many is refused like a million, and makes no record of a million.
        name = name[:_NAME_CHARACTERS]
        arguments = arguments[: (MOST_ANSWER_BYTES if name == SUBMIT else MOST_ARGUMENT_BYTES) + 1]
        reply = self._reply(name, arguments)
        self._calls.append(
            TurnCall(
                name=name,
                arguments=arguments,
                is_error=reply.is_error,
                reply_digest=digest(reply.text),
                reply_length=len(reply.text),
            )
        )
        return reply

    def _reply(self, name: str, arguments: str) -> ToolReply:
        if name == SUBMIT:
            return self._submit(arguments)
        if name not in self._looks:
            known = ", ".join(spec.name for spec in SPECS)
            message = f"There is no such tool; there are {known}."
            return _refused(code="unknown_tool", path="tool", message=message)
        if name != LIST and not self.log.is_indexed:
            # Looked at nothing, so that the log still begins with the index once that is called: it can be mended.
            message = f"Call {LIST} first; it is the index of what may be read. Then make this call again."
            return _refused(code="list_sessions_not_called", path="tool", message=message)
        look = self._looks[name](arguments)
        self._log.append(Call(tool=name, session_id=look.session_id, ok=not look.refusals))
        if look.refusals:
            return ToolReply(text=_written({"refusals": _shown(self._masked(look.refusals))}), is_error=True)
        framed = self._frame.around(look.text)
        self.breaks += framed.breaks
        return ToolReply(text=framed.text)

    def _submit(self, arguments: str) -> ToolReply:
        self.submissions += 1
        verdict = self._judge(arguments)
        if self.log.is_indexed:
            self._log.append(Call(tool=SUBMIT, session_id=SessionId(""), ok=isinstance(verdict, Proved)))
        if isinstance(verdict, Proved):
            self._proved = verdict
            return ToolReply(text=_written({"accepted": True}), ends_turn=True)
        self._refusals.extend(verdict)
        left = MOST_SUBMISSIONS - self.submissions
        told = {"accepted": False, "triesLeft": left, "refusals": _shown(verdict)}
        return ToolReply(text=_written(told), is_error=True, ends_turn=not left)

    def _judge(self, arguments: str) -> Proved | tuple[Refusal, ...]:
        self._answer = _NOTHING
        answer = parse_answer(arguments.encode("utf-8", "surrogatepass"))
        if not isinstance(answer, Answer):
            return self._masked(answer)
        self._answer = answer
        return check(answer, self._reading.batch, log=self.log, secrets=self._secrets)

    def _masked(self, refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
        """Refusals fit to be said and reported: the name of an unknown field is the caller's own word."""
        return tuple(replace(one, path=self._secrets.mask(one.path)) for one in refusals)

    def verdict(self) -> Verdict:
        """What the turn came to; without an accepted answer a failure, and nothing proved."""
        if self._proved is not None:
            counts = ends_of(self._answer, self._answer, is_proved=True)
            return Verdict(proved=self._proved, refusals=self.refusals, counts=counts)
        failure = STAYED_REFUSED if self.submissions >= MOST_SUBMISSIONS else NO_ANSWER
        counts = ends_of(self._answer, self._answer, is_proved=False)
        return Verdict(proved=NOTHING_PROVED, refusals=self.refusals, counts=counts, failure=failure)


def _refused(*, code: str, path: str, message: str, ends_turn: bool = False) -> ToolReply:
    refusal = Refusal(code=code, path=path, message=message)
    return ToolReply(text=_written({"refusals": _shown((refusal,))}), is_error=True, ends_turn=ends_turn)


def _shown(refusals: Sequence[Refusal]) -> list[dict[str, str]]:
    """As many refusals as can be mended in one go, and how many more there are."""
    shown = list(refusals[:MOST_FAULTS])
    if more := len(refusals) - len(shown):
        message = f"{more:,} more are not listed; mend these, and what is left comes next."
        shown.append(Refusal(code="more_refusals", path="answer", message=message))
    return [{"code": one.code, "path": one.path, "message": one.message} for one in shown]


def _written(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
