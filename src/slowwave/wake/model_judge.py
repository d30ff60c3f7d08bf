"""The model judge: the same decisions, asked of a model of any provider; where it cannot answer, the rules decide.

Each question is one short turn through ``models/ask``, reserved in the waking loop's own pool before it leaves. What is
sent is masked, cut and framed; what comes back is taken within a closed vocabulary or not at all.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from slowwave.disk.config import ConfigError, ModelSettings
from slowwave.facts.capture import Capture, FileClass, FollowUp
from slowwave.facts.limits import (
    ASKED_CHARACTERS,
    AWAY_SECONDS,
    GOALS_A_QUESTION,
    MOST_SUMMARISED_CHARACTERS,
    MOST_SUMMARY_CHARACTERS,
    REASON_CHARACTERS,
)
from slowwave.facts.refusal import ExtraMissingError, NewerFormatError
from slowwave.facts.text import cut, fold, showable
from slowwave.models.ask import Talk, converse
from slowwave.models.budget import Budget, BudgetUnreadableError
from slowwave.models.keys import KeyUnavailableError
from slowwave.models.prices import Price
from slowwave.records.secrets import Secrets
from slowwave.wake.framing import framed
from slowwave.wake.judging import RULES, Goal, Judge, Judged, Relevance, Value, Waits
from slowwave.wake.questions import (
    POLICY,
    Answering,
    GoalTold,
    Question,
    Told,
    about_class,
    about_day,
    about_follow_up,
    about_goals,
    about_trait,
)

CONSUMER = "wake"
PHASE = "micro_consolidation"
"""How the loop's calls are named in what was spent: the seed's ``task_type``."""
_GOAL_CHARACTERS = 180  # of a goal's title and of its description that a model is shown: twenty fit into one question
_ID_CHARACTERS = 80  # of a capture's id in the reason of a call
_UNASKABLE = (BudgetUnreadableError, NewerFormatError, KeyUnavailableError, ConfigError, ExtraMissingError)
"""Trouble before a first request: a closed ledger, a missing key, settings or packages."""
_OUTSIDE = "its answer was outside the vocabulary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What asking takes.

    Attributes:
        settings: Which model, where.
        budget: Opens what calls are reserved in.
        key: Finds the provider's key.
        price: What a token costs today; None where nobody knows.
        refusal: Why nothing may be asked now, as of this moment: no consent; empty where it may.
        nonce: Draws the random word of a frame.
        sleeper: Waits so many seconds.
        stopwatch: Seconds that only go on.
        secrets: What is masked before it is sent, and in what comes back.
    """

    settings: ModelSettings
    budget: Callable[[], Budget]
    key: Callable[[], str]
    price: Callable[[], Price | None]
    refusal: Callable[[], str]
    nonce: Callable[[], str]
    sleeper: Callable[[float], None]
    stopwatch: Callable[[], float]
    secrets: Secrets


@dataclass(frozen=True, slots=True)
class _Unanswered:
    """Why the rules decide instead."""

    why: str


class ModelJudge:
    """Asks a model, one turn a question.

    Args:
        asking: What asking takes.
        rules: Who decides where the model does not.
    """

    def __init__(self, asking: Asking, rules: Judge) -> None:
        self._asking = asking
        self._rules = rules
        self._away_since: float | None = None
        self._away_why = ""

    @property
    def name(self) -> str:
        """The model, as ``decided_by`` has it."""
        return f"model {self._asking.settings.provider}:{self._asking.settings.model}"

    def file_this(self, capture: Capture) -> Judged[FileClass] | Waits:
        """What it is about."""
        told = self._about(about_class(), capture)
        return self._judged(told) or _instead(self._rules.file_this(capture), told)

    def durable(self, capture: Capture) -> Judged[bool] | Waits:
        """Whether it is a trait."""
        told = self._about(about_trait(), capture)
        return self._judged(told) or _instead(self._rules.durable(capture), told)

    def follow_up(self, capture: Capture) -> Judged[FollowUp] | Waits:
        """What it asks for."""
        told = self._about(about_follow_up(), capture)
        return self._judged(told) or _instead(self._rules.follow_up(capture), told)

    def relevance(self, observation: str, goals: Sequence[Goal]) -> tuple[Relevance, ...] | Waits:
        """One row for each goal, in order; the goals are put to the model some at a time."""
        rows: list[Relevance] = []
        for first in range(0, len(goals), GOALS_A_QUESTION):
            some = goals[first : first + GOALS_A_QUESTION]
            told = self._ask(about_goals(len(some)), observation, reason="a trait", below=_listed(some))
            if isinstance(told, Waits):
                return told
            if isinstance(told, _Unanswered):
                by_rules = self._rules.relevance(observation, some)
                if isinstance(by_rules, Waits):
                    return by_rules
                rows += [replace(one, decided_by=_said(told)) for one in by_rules]
                continue
            rows += [self._row(goal, told.value.get(at)) for at, goal in enumerate(some, 1)]
        return tuple(rows)

    def summarise(self, text: str) -> Judged[str] | Waits:
        """One paragraph over a day's scratch, bounded, free of control characters."""
        told = self._ask(about_day(), text, reason="the day's scratch", most=MOST_SUMMARISED_CHARACTERS)
        if isinstance(told, Told):
            return Judged(value=self._clean(told.value, MOST_SUMMARY_CHARACTERS), decided_by=self.name, reason="")
        return _instead(self._rules.summarise(text), told)

    def _row(self, goal: Goal, told: GoalTold | None) -> Relevance:
        return Relevance(
            goal_id=goal.id,
            is_relevant=told is not None,
            score=told.score if told else 0.0,
            reason=self._clean(told.reason, REASON_CHARACTERS) if told else "not named",
            decided_by=self.name,
        )

    def _judged(self, told: "Told[Value] | _Unanswered | Waits") -> Judged[Value] | None:
        if not isinstance(told, Told):
            return None
        return Judged(value=told.value, decided_by=self.name, reason=self._clean(told.reason, REASON_CHARACTERS))

    def _about(self, question: Question[Value], capture: Capture) -> "Told[Value] | _Unanswered | Waits":
        return self._ask(question, capture.text, reason=f"capture {self._clean(capture.id, _ID_CHARACTERS)}")

    def _ask(
        self, question: Question[Value], text: str, *, reason: str, below: str = "", most: int = ASKED_CHARACTERS
    ) -> "Told[Value] | _Unanswered | Waits":
        """One question about one text: an answer, or who decides instead, or that it waits."""
        why = self._asking.refusal() or self._still_away()
        if why:
            return _Unanswered(why)
        try:
            price = self._asking.price()
            if price is None:
                return _Unanswered(f"no price is known for {self._asking.settings.model}")
            answering = Answering(question)
            talk = self._converse(
                answering,
                instructions=POLICY + question.asks,
                message="\n\n".join(self._framed(one, most) for one in (text, below) if one),
                price=price,
                reason=f"{question.name}, {reason}",
            )
        except _UNASKABLE as error:
            return _Unanswered(error.message)
        return answering.told or self._unanswered(talk)

    def _framed(self, text: str, most: int) -> str:
        """A text as a model is shown it: masked, cut, between lines with a word drawn after it was written."""
        return framed(self._asking.secrets.mask(text), nonce=self._asking.nonce(), most=most)

    def _converse(
        self, answering: Answering[Value], *, instructions: str, message: str, price: Price, reason: str
    ) -> Talk:
        asking = self._asking
        with closing(asking.budget()) as budget:
            return converse(
                asking.settings,
                answering,
                instructions=instructions,
                message=message,
                purse=budget.purse(CONSUMER, run_id="", reason=reason, phase=PHASE),
                price=price,
                key=asking.key(),
                sleeper=asking.sleeper,
                stopwatch=asking.stopwatch,
            )

    def _unanswered(self, talk: Talk) -> "_Unanswered | Waits":
        if talk.status == "budget":
            return Waits(code="budget_spent", message=talk.message)
        if talk.status == "refused":
            return _Unanswered(_OUTSIDE)
        why = self._clean(talk.message, REASON_CHARACTERS) or talk.status
        if talk.status in ("unavailable", "slow"):
            # Fifty captures a tick would each wait for somebody who is not there.
            self._away_since, self._away_why = self._asking.stopwatch(), why
        return _Unanswered(why)

    def _still_away(self) -> str:
        if self._away_since is None or self._asking.stopwatch() - self._away_since >= AWAY_SECONDS:
            return ""
        return self._away_why

    def _clean(self, text: str, most: int) -> str:
        """What somebody else wrote, fit to be kept: one line, masked, cut, no control or half characters."""
        whole = text[: most * 4].encode("utf-8", "replace").decode("utf-8")
        return cut(showable(fold(self._asking.secrets.mask(whole))), most)


def _said(told: _Unanswered) -> str:
    return f"{RULES} ({told.why})"


def _instead(by_rules: Judged[Value] | Waits, told: "Told[Value] | _Unanswered | Waits") -> Judged[Value] | Waits:
    """What the rules decided, saying why they did; a question that waits stays one."""
    if isinstance(told, Waits) or isinstance(by_rules, Waits):
        return told if isinstance(told, Waits) else by_rules
    if isinstance(told, Told):
        return by_rules
    reason = cut(f"{by_rules.reason}; asked of no model, since {told.why}", REASON_CHARACTERS * 2)
    return replace(by_rules, decided_by=_said(told), reason=reason)


def _listed(goals: Sequence[Goal]) -> str:
    """Goals by number, for whoever is asked."""
    return "\n".join(
        f"{number}. {cut(fold(goal.title), _GOAL_CHARACTERS)}: {cut(fold(goal.description), _GOAL_CHARACTERS)}"
        for number, goal in enumerate(goals, 1)
    )
