"""The model proposer: off unless somebody asks for it. A model chooses among what is legal already, and code decides.

It is shown a context in stretches, secrets masked, and answers as seed 002 has it. Of an answer only operations on what
was offered are carried out, as carefully as the detectors' own; no word of it gets into the context but the note of a
collapse, once that was found to be a plain description. Who orders it about from inside a transcript can at most have
it choose something else that is legal. Where nobody answers the detectors propose, and that is said.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from slowwave.facts.refusal import Refusal
from slowwave.hygiene.answer import BAD_JSON, TEXT_NOT_ALLOWED, Asked, Rejected, parse_answer
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.decide import Rules, judge
from slowwave.hygiene.detectors import stale_reads
from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.legality import Law
from slowwave.hygiene.offers import Offering, Stretch
from slowwave.hygiene.operations import COLLAPSE
from slowwave.hygiene.pins import find_pins
from slowwave.hygiene.scene import Scene, read_scene
from slowwave.hygiene.thinking import thinking_rule
from slowwave.records.secrets import Secrets

MOST_QUESTIONS = 8  # of one run (spec 06): 640,000 characters of a context, where most can be won
BUDGET = "BUDGET"
UNKNOWN_ITEM = "UNKNOWN_ITEM"

Ask = Callable[[str], str]
"""Puts a prompt to a model; its answer is the text of one JSON object, or raises ``NoAnswerError``."""


class NoAnswerError(Exception):
    """A model gave no answer.

    Attributes:
        refusal: Why, in a sentence; its code is ``BUDGET`` where the day's budget does not allow the question.
        is_last: Whoever asks again gets none either.
    """

    def __init__(self, refusal: Refusal, *, is_last: bool) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.is_last = is_last


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """How asking a model went.

    Attributes:
        is_by_model: Its answer was followed; otherwise the detectors proposed.
        stretches: How many of the context's had anything in them that may be named.
        asked: Questions that were put.
        answered: Of these, in a form that can be read.
        why: What was not asked or not answered, and why; empty where all was.
    """

    is_by_model: bool
    stretches: int
    asked: int
    answered: int
    why: str

    def as_json(self) -> dict[str, Any]:
        """The hearing as commands print it."""
        return {
            "by": "model" if self.is_by_model else "detectors",
            "stretches": self.stretches,
            "asked": self.asked,
            "answered": self.answered,
            "why": self.why,
        }


@dataclass(slots=True, kw_only=True)
class _Heard:
    """What was heard so far, over all stretches; operations are numbered through."""

    asked: int = 0
    answered: int = 0
    ops: int = 0
    good: list[Asked] = field(default_factory=list)
    strange: list[Asked] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    why: str = ""


def curate_by_model(document: AnyDocument, wish: Wish, ask: Ask, *, secrets: Secrets) -> tuple[Curated, Hearing]:
    """Plan a curation that a model proposes, and prove it; nothing is written anywhere.

    Args:
        document: The context.
        wish: What else is wanted; its answer is the model's.
        ask: Puts a prompt to the model.
        secrets: What is masked before it leaves, and refused in what comes back.
    """
    scene = read_scene(document)
    rules = Rules(
        protection=wish.protect(scene.context.session),
        pinned=wish.pinned,
        thinking=thinking_rule(scene.context, wish.thinking).refusal,
    )
    pins = find_pins(scene, stale=stale_reads(scene), listed=rules.pinned)
    law = Law(scene=scene, pins=pins, protection=rules.protection, thinking=rules.thinking)
    offering = Offering(scene, law, secrets.mask)
    stretches = [stretch for stretch in offering.stretches() if not stretch.is_empty]
    heard = _hear(offering, stretches, ask, length=document.count, secrets=secrets)
    why = heard.why if stretches else "nothing in it is a model's to choose"
    hearing = Hearing(
        is_by_model=heard.answered > 0, stretches=len(stretches), asked=heard.asked, answered=heard.answered, why=why
    )
    if not hearing.is_by_model:
        plain = curate_document(document, replace(wish, answer=None))
        return _with_rejected(plain, [*heard.rejected, *plain.plan.rejected]), hearing
    return _carried_out(document, wish, heard, _strangers(scene, rules, heard.strange)), hearing


def _hear(offering: Offering, stretches: Sequence[Stretch], ask: Ask, *, length: int, secrets: Secrets) -> _Heard:
    """Ask about the stretches in which most can be won, in their order, as long as there are answers."""
    heard = _Heard()
    by_gain = sorted(range(len(stretches)), key=lambda at: -sum(stretches[at].results.values()))
    parts = (part for at in sorted(by_gain[:MOST_QUESTIONS]) for part in offering.questions(stretches[at]))
    is_cut = len(stretches) > MOST_QUESTIONS
    for part, prompt in parts:
        if heard.asked >= MOST_QUESTIONS:
            is_cut = True
            break
        heard.asked += 1
        try:
            answer = ask(prompt)
        except NoAnswerError as error:
            heard.why = error.refusal.message
            if error.refusal.code == BUDGET:
                heard.rejected.append(Rejected(op=None, code=BUDGET, message=error.refusal.message))
            if error.is_last:
                return heard
        else:
            _take(heard, offering, part, parse_answer(answer, length, holds_secret=secrets.holds_secret_or_mask))
    if is_cut:
        message = f"a run asks a model at most {MOST_QUESTIONS} times; the rest was shown to nobody"
        heard.rejected.append(Rejected(op=None, code=BUDGET, message=message))
        heard.why = heard.why or message
    return heard


def _take(heard: _Heard, offering: Offering, part: Stretch, parsed: tuple[Sequence[Asked], Sequence[Rejected]]) -> None:
    """One stretch's answer: what may be carried out, and the rest."""
    asked, rejected = parsed
    if any(each.items for each in asked):  # a plan of ours, which names items and detectors: not a model's to give
        asked, rejected = (), (Rejected(op=None, code=BAD_JSON, message='An answer is {"ops": [...]}.'),)
    whole = next((each for each in rejected if each.op is None), None)
    if whole is not None:
        heard.rejected.append(whole)
        heard.why = f"an answer could not be read: {whole.message}"
        return
    heard.answered += 1
    first = heard.ops
    heard.ops += 1 + max((each.op or 0 for each in rejected), default=-1)
    heard.rejected += [replace(each, op=first + (each.op or 0)) for each in rejected]
    for one in (replace(each, number=first + each.number) for each in asked):
        heard.ops = max(heard.ops, one.number + 1)
        if one.replacement and one.op != COLLAPSE:
            message = "Only a collapse leaves words of an answer behind."
            heard.rejected.append(Rejected(op=one.number, code=TEXT_NOT_ALLOWED, message=message))
        elif part.offers(one, offering.entries(one.start, one.end)):
            heard.good.append(one)
        else:
            heard.strange.append(one)


def _strangers(scene: Scene, rules: Rules, strange: Sequence[Asked]) -> list[Rejected]:
    """Why operations on what was not offered are refused: by the rule that they break, else for that."""
    told = {each.op: each for each in judge(scene, rules, strange, (), is_ours=True).rejected} if strange else {}
    otherwise = "it names a place that was not offered"
    return [told.get(one.number, Rejected(op=one.number, code=UNKNOWN_ITEM, message=otherwise)) for one in strange]


def _carried_out(document: AnyDocument, wish: Wish, heard: _Heard, strangers: Sequence[Rejected]) -> Curated:
    """The operations that were offered, judged once more as a whole and proved, beside all refusals."""
    refused = [*heard.rejected, *strangers]
    is_held_back = wish.is_atomic and any(each.code != BUDGET for each in refused)
    good = [] if is_held_back else heard.good
    curated = curate_document(document, replace(wish, answer=_answer(good), is_ours=True))
    refused += [each if each.op is None else replace(each, op=good[each.op].number) for each in curated.plan.rejected]
    withheld = len(heard.good) if is_held_back else curated.plan.withheld
    return _with_rejected(replace(curated, plan=replace(curated.plan, withheld=withheld)), refused)


def _answer(operations: Sequence[Asked]) -> bytes:
    """Operations in the form in which they came."""
    ops = [
        {"op": one.op, "range": [one.start, one.end], "rationale": one.rationale}
        | ({"replacement": one.replacement} if one.replacement else {})
        for one in operations
    ]
    return json.dumps({"ops": ops}).encode()


def _with_rejected(curated: Curated, rejected: Sequence[Rejected]) -> Curated:
    told = tuple(sorted(rejected, key=lambda each: -1 if each.op is None else each.op))
    return replace(curated, plan=replace(curated.plan, rejected=told))
