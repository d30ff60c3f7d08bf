"""Offers: the places where an operation on a context is legal already, and the stretches that a model is shown of it.

Code has gone through every rule before anybody is asked, so that an answer can only choose. A long context is shown in
several stretches, each with the offers in it; one that has none is shown to nobody.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from slowwave.hygiene.answer import Asked
from slowwave.hygiene.bundle import SHOWN_CHARACTERS, Shown, bundle, render, shown_transcript
from slowwave.hygiene.decide import LEAST_SAVED_TOKENS
from slowwave.hygiene.items import Item, Kind, Role
from slowwave.hygiene.legality import MESSAGES, Law
from slowwave.hygiene.operations import COLLAPSE, PRUNE
from slowwave.hygiene.resolving import Resolver
from slowwave.hygiene.scene import Scene
from slowwave.records.whole import encode

PROMPT_CHARACTERS = 80_000  # of one question: some 20,000 tokens; what is reserved for it fits into two dollars a day
LEAST_RUN = 2  # messages that a collapse names: one goes, the newest stays
_AROUND_ENTRY = 200  # characters of an entry's head and of the offers in it
_WORDS = frozenset({Kind.SYSTEM, Kind.USER, Kind.NOTICE, Kind.SUMMARY, Kind.ASSISTANT, Kind.RESULT})

Mask = Callable[[str], str]
"""Takes the secrets out of a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Entries that are shown together, with what may be named in them.

    Attributes:
        indices: ``[N]`` of each entry, in order.
        results: Indices of results that may be pruned, with their tokens.
        runs: Indices of neighbouring messages that may be collapsed.
    """

    indices: Sequence[int]
    results: Mapping[int, int]
    runs: Sequence[Sequence[int]]

    @property
    def is_empty(self) -> bool:
        """Whether nothing may be named."""
        return not self.results and not self.runs

    def offers(self, asked: Asked, indices: Sequence[int]) -> bool:
        """Whether an operation names such a place, or a part of one.

        Args:
            asked: The operation.
            indices: Of the entries in its range.
        """
        if asked.op == PRUNE:
            return bool(indices) and all(index in self.results for index in indices)
        return len(indices) >= LEAST_RUN and any(set(indices) <= set(run) for run in self.runs)

    def part(self, indices: Sequence[int]) -> "Stretch":
        """The same for some of its entries."""
        kept = set(indices)
        runs = [tuple(index for index in run if index in kept) for run in self.runs]
        return Stretch(
            indices=indices,
            results={index: tokens for index, tokens in self.results.items() if index in kept},
            runs=[run for run in runs if len(run) >= LEAST_RUN],
        )


class Offering:
    """What may be named in a context.

    Args:
        scene: The context.
        law: What every offer keeps.
        mask: Takes secrets out of what is shown.
    """

    def __init__(self, scene: Scene, law: Law, mask: Mask) -> None:
        self._scene = scene
        self._law = law
        self._mask = mask
        self._resolver = Resolver(scene, {})
        self._entries: dict[int, list[Item]] = {}
        for item in scene.context.window():
            self._entries.setdefault(item.index, []).append(item)
        self._order = list(self._entries)

    def entries(self, start: int, end: int) -> list[int]:
        """The indices of a range at which something is shown."""
        order = self._order
        return order[bisect_left(order, start) : bisect_left(order, end)]

    def stretches(self) -> list[Stretch]:
        """The whole context in stretches, as far as sizes can be told before it is masked; those without offers too."""
        whole = Stretch(
            indices=list(self._entries),
            results={index: tokens for index in self._entries if (tokens := self._prunable(index))},
            runs=list(self._runs()),
        )
        room = PROMPT_CHARACTERS - len(bundle().text)
        found: list[list[int]] = [[]]
        taken = 0
        for index, items in self._entries.items():
            size = _AROUND_ENTRY + sum(min(item.characters, SHOWN_CHARACTERS) for item in items)
            if found[-1] and taken + size > room:
                found.append([])
                taken = 0
            found[-1].append(index)
            taken += size
        return [whole.part(indices) for indices in found]

    def questions(self, stretch: Stretch) -> Iterator[tuple[Stretch, str]]:
        """A stretch's prompt; of one that is too long after all the prompts of its halves, if they offer anything."""
        if stretch.is_empty:
            return
        prompt = self._prompt(stretch)
        if len(prompt) <= PROMPT_CHARACTERS:
            yield stretch, prompt
        elif len(stretch.indices) > 1:  # an entry that is too long by itself is shown to nobody
            middle = len(stretch.indices) // 2
            for half in (stretch.indices[:middle], stretch.indices[middle:]):
                yield from self.questions(stretch.part(half))

    def _prunable(self, index: int) -> int:
        """Tokens of the results at an index that may be pruned; 0 where there are none, or it is not worth it."""
        if self._scene.context.roles[index] is not Role.RESULTS:
            return 0
        tokens = sum(item.tokens for item in self._entries[index] if item.kind is Kind.RESULT)
        return tokens if tokens >= LEAST_SAVED_TOKENS and self._is_legal(PRUNE, index, index + 1) else 0

    def _runs(self) -> Iterator[Sequence[int]]:
        """Neighbouring messages that may be collapsed together, as many as there are."""
        run: list[int] = []
        for index in (*self._entries, -1):
            if index >= 0 and self._is_message(index):
                run.append(index)
                continue
            if self._is_run(run):
                yield run
            run = []

    def _is_message(self, index: int) -> bool:
        items = self._entries[index]
        is_plain = all(item.kind in MESSAGES and item.fields and not item.is_stub for item in items)
        return is_plain and self._is_legal(COLLAPSE, index, index + 1)

    def _is_run(self, run: Sequence[int]) -> bool:
        tokens = sum(item.tokens for index in run[:-1] for item in self._entries[index])
        return len(run) >= LEAST_RUN and tokens >= LEAST_SAVED_TOKENS and self._is_legal(COLLAPSE, run[0], run[-1] + 1)

    def _is_legal(self, op: str, start: int, end: int) -> bool:
        request = self._resolver.resolve(Asked(number=0, op=op, start=start, end=end))
        return not isinstance(request, tuple) and self._law.refusal(request) is None

    def _prompt(self, stretch: Stretch) -> str:
        shown = [self._entry(index) for index in stretch.indices]
        return render(
            bundle(),
            transcript=shown_transcript(entry for entry in shown if entry is not None),
            protected="\n".join(self._protected(stretch)),
            candidates=self._mask("\n".join(self._candidates(stretch))),
        )

    def _entry(self, index: int) -> Shown | None:
        context = self._scene.context
        items, role = self._entries[index], context.roles[index]
        words = [context.text(item) for item in items if item.kind in _WORDS and not item.is_server]
        calls = [f"{item.tool} {encode(dict(item.args))}" for item in items if item.kind is Kind.CALL]
        if role is Role.NONE or not (words or calls):
            return None
        told = self._mask("\n".join(words))
        return Shown(index=index, role=role.value, words=told, calls=tuple(map(self._mask, calls)))

    def _protected(self, stretch: Stretch) -> Iterator[str]:
        first, last = stretch.indices[0], stretch.indices[-1] + 1
        for each in self._law.protection.ranges:
            if each.holds(first, last):
                end = self._scene.context.document.count if each.end is None else each.end
                yield f"[{each.start}, {end}) {each.status.value}"

    def _candidates(self, stretch: Stretch) -> Iterator[str]:
        for index, tokens in stretch.results.items():
            tools = ", ".join(dict.fromkeys(item.tool for item in self._entries[index] if item.tool))
            yield f"{PRUNE} [{index}, {index + 1}) {tools} {tokens:,} tokens"
        for run in stretch.runs:
            yield f"{COLLAPSE} [{run[0]}, {run[-1] + 1}) {len(run)} messages"
