"""The scene: a context with what detectors and pins look at, gathered while it is read once."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from slowwave.hygiene.actions import Action, Sort, action_of
from slowwave.hygiene.context import Context
from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.reading import read_context
from slowwave.mining.masks import template

NEWEST_RESULTS = 5  # that are never touched (spec 06): what the agent is working with
LAST_TURNS = 2  # of a person, counted in typed messages, that are never touched (spec 06)
TOKEN_CHARACTERS = 12  # of a distinctive token (spec 06); shorter ones stand everywhere
USED_CHARACTERS = 4_000  # of one text in which later uses are looked for: a name stands in its beginning or its command
MOST_USES = 400_000  # tokens remembered as used; a session of 200 MB has a quarter of that
TEMPLATE_CHARACTERS = 20_000  # of a text that is masked to see whether it differs in counters alone
_TOKEN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./@#:+-]{10,200}[A-Za-z0-9_/]")
_NUMBERS = re.compile(r"\d+(?:[.:,]\d+)*")
_ERROR = re.compile(r"(?i)\b(?:error|exception|traceback|panic|fatal|failed)\b")
_ERROR_HEAD = 4_000  # characters of a failed result in which its error line is looked for
_SPEAKING = frozenset({Kind.USER, Kind.ASSISTANT, Kind.THINKING, Kind.CALL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A call with its result.

    Attributes:
        call: The call.
        result: What came back.
        action: What the call does.
        place: Its place among all steps, from 0.
    """

    call: Item
    result: Item
    action: Action
    place: int

    @property
    def is_aside(self) -> bool:
        """Whether a sub-agent took it: the conversation does not see its result, nor the sub-agent the other's."""
        return self.result.is_sidechain


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A context and its features.

    Attributes:
        context: Items, groups, texts.
        actions: What each call does, by the number of its item.
        templates: Digest of a result's or notice's words with all numbers masked, by the number of its item.
        errors: The masked error line of a failed result, by the number of its item.
        uses: For each distinctive token a person or the agent used, the number of the item that used it first.
    """

    context: Context
    actions: Mapping[int, Action]
    templates: Mapping[int, str]
    errors: Mapping[int, str]
    uses: Mapping[str, int]

    @cached_property
    def steps(self) -> Sequence[Step]:
        """Calls with their results, in the order of the results, behind the last compaction."""
        found = list[Step]()
        for item in self.results:
            call = self.context.call_of(item)
            if call is not None:
                found.append(Step(call=call, result=item, action=self.actions[call.number], place=len(found)))
        return found

    @cached_property
    def results(self) -> Sequence[Item]:
        """Results in the window."""
        return [item for item in self.context.window() if item.kind is Kind.RESULT]

    @cached_property
    def recent_from(self) -> int:
        """Number of the first item of the last turns of a person; past the end where there are not so many."""
        turns = self.context.turns
        return turns[-LAST_TURNS] if len(turns) >= LAST_TURNS else len(self.context.items)

    @cached_property
    def newest(self) -> frozenset[int]:
        """Numbers of the newest results, of the conversation and of its sub-agents."""
        sides = [[item.number for item in self.results if item.is_sidechain is is_side] for is_side in (False, True)]
        return frozenset(number for side in sides for number in side[-NEWEST_RESULTS:])

    def is_recent(self, item: Item) -> bool:
        """Whether an item is among what is never touched because it is new."""
        return item.number >= self.recent_from or item.number in self.newest

    def age(self, item: Item) -> int:
        """How many replies and messages have begun since an item's own."""
        return len(self.context.groups) - 1 - item.group


def read_scene(document: AnyDocument) -> Scene:
    """A document read into a context with its features."""
    gathered = _Features()
    context = read_context(document, tell=gathered.see)
    return Scene(
        context=context,
        actions=gathered.actions,
        templates=gathered.templates,
        errors=gathered.errors,
        uses=gathered.uses,
    )


class _Features:
    def __init__(self) -> None:
        self.actions: dict[int, Action] = {}
        self.templates: dict[int, str] = {}
        self.errors: dict[int, str] = {}
        self.uses: dict[str, int] = {}

    def see(self, item: Item, text: str, args: Mapping[str, Any]) -> None:
        kind = item.kind
        if kind is Kind.CALL:
            self.actions[item.number] = action_of(item.tool, args, text)
            for value in args.values():
                if isinstance(value, str | list):
                    self._use(value if isinstance(value, str) else " ".join(map(str, value)), item.number)
        elif kind in _SPEAKING:
            self._use(text, item.number)
        elif kind is Kind.RESULT:
            self.templates[item.number] = _masked(text)
            if item.is_error:
                self.errors[item.number] = error_of(text)
        elif kind is Kind.NOTICE:
            self.templates[item.number] = _masked(text)

    def _use(self, text: str, number: int) -> None:
        if len(self.uses) < MOST_USES:
            for token in _TOKEN.findall(text[:USED_CHARACTERS]):
                self.uses.setdefault(token, number)


def _masked(text: str) -> str:
    masked = f"{_NUMBERS.sub('0', text[:TEMPLATE_CHARACTERS])}{len(text) if len(text) > TEMPLATE_CHARACTERS else ''}"
    return hashlib.sha256(masked.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def error_of(text: str) -> str:
    """The first line of a failed result that names an error, with all that varies masked; its first line otherwise."""
    lines = [line for line in text[:_ERROR_HEAD].split("\n") if line.strip()]
    named = next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")
    return template(named)


def is_kept_state(scene: Scene, step: Step) -> bool:
    """Whether a result is part of the state of the work: plans, todo lists, memory."""
    del scene
    return step.action.sort is Sort.KEPT


def tokens_of(text: str) -> Sequence[str]:
    """The distinctive tokens of a text."""
    return _TOKEN.findall(text)
