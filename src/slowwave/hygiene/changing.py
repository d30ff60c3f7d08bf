"""Changing: the new words of each item of an operation, and every value that has to be written for them."""

import hashlib
from collections.abc import Iterator, Sequence

from slowwave.hygiene import stubs
from slowwave.hygiene.context import Context
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.items import Edit, Item, Kind
from slowwave.hygiene.names import Names
from slowwave.hygiene.operations import COLLAPSE, PRUNE, Change, Request
from slowwave.hygiene.payloads import replaced
from slowwave.hygiene.retelling import retell
from slowwave.hygiene.scene import Scene
from slowwave.hygiene.splice import texts_at, value_at
from slowwave.hygiene.tokens import estimate
from slowwave.records.walk import strings_of

SECOND_COPY_CHARACTERS = 200  # of a string in a second copy that is stubbed; shorter ones are names and numbers
ASKED_HEAD, ASKED_TAIL = 3, 3  # lines that an explicit trim keeps at both ends
_TOLD_IN_EVENTS = frozenset(
    {
        "aggregated_output", "formatted_output", "stdout", "stderr", "result", "content_items", "output", "error",
        "content", "toolUseResult",
    }
)  # fmt: skip
"""Members of an event beside an output that tell it again; others tell the call, or the program's own affairs."""


def changes_of(scene: Scene, request: Request, names: Names | None) -> tuple[str, tuple[Change, ...]]:
    """What an operation does in the end, and the changes it makes.

    Args:
        scene: The context.
        request: The operation, found legal.
        names: The names that remain elsewhere, for our own proposals; None carries out what was asked.
    """
    if request.op == COLLAPSE:
        return COLLAPSE, tuple(_collapsed(scene, request, names))
    changes = tuple(_retold(scene, request, item, names) for item in request.targets)
    is_trim = any(change.kept_lines for change in changes)
    return ("trim" if is_trim and request.op == PRUNE else request.op), changes


def _retold(scene: Scene, request: Request, item: Item, names: Names | None) -> Change:
    hit = request.hits.get(item.number) or _asked(request, item)
    kept = retell(scene, item, hit, names)
    line = stubs.stub(
        tool=item.tool, characters=item.characters, lines=kept.total, reason=hit.detector.value, digest=item.digest
    )
    text = stubs.trimmed(line, kept.lines, kept.total) if kept.lines else line
    return _change(scene, item, text, line, kept_lines=len(kept.lines), referenced=kept.referenced)


def _asked(request: Request, item: Item) -> Hit:
    is_trim = request.op != PRUNE
    return Hit(
        item=item.number,
        detector=Detector.ASKED,
        evidence={},
        head=ASKED_HEAD if is_trim else 0,
        tail=ASKED_TAIL if is_trim else 0,
    )


def _collapsed(scene: Scene, request: Request, names: Names | None) -> Iterator[Change]:
    """Stubs for the earlier copies; the first says what was there, unless a detector found them one by one."""
    count = len(request.targets) + 1
    for place, item in enumerate(request.targets):
        text = scene.context.text(item)
        if names is not None and names.lines_to_keep(text.split("\n")):
            continue  # it says something that its newest copy does not
        if place == 0 and not request.hits:
            told = stubs.note(count, request.replacement)
        else:
            told = stubs.earlier_copy(item.injected or item.kind.value, item.digest)
        yield _change(scene, item, told, told, kept_lines=0, referenced=0)


def _change(scene: Scene, item: Item, text: str, line: str, *, kept_lines: int, referenced: int) -> Change:
    return Change(
        item=item,
        text=text,
        tokens=estimate(text),
        digest=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        kept_lines=kept_lines,
        referenced=referenced,
        edits=(*_payload(scene, item, text), *_second_copies(scene, item, line)),
    )


def _payload(scene: Scene, item: Item, text: str) -> Iterator[Edit]:
    field = item.fields[0]
    value = scene.context.value(item)
    told = replaced(value, text) if item.kind is Kind.RESULT else text
    yield Edit(index=item.index, part=item.part, field=field, value=told)


def _second_copies(scene: Scene, item: Item, line: str) -> Iterator[Edit]:
    """The same output told once more, in the record itself and in events beside it."""
    if item.kind is not Kind.RESULT:
        return
    context = scene.context
    for field in item.fields[1:]:
        yield from _long_strings(context, item, field, line)
    for echo in context.echoes_of(item):
        fields: Sequence[str] = echo.fields
        held = value_at(context.record(echo), fields[0])
        if isinstance(held, dict):
            fields = [f"{fields[0]}.{name}" for name in held if name in _TOLD_IN_EVENTS]
        for field in fields:
            yield from _long_strings(context, echo, field, line)


def _long_strings(context: Context, item: Item, field: str, line: str) -> Iterator[Edit]:
    """What is long in a second copy, but for a person's words in it."""
    value = value_at(context.record(item), field)
    typed = {path for each in context.by_index[item.index] if each.is_person for path in each.fields}
    for (path, text), (plain, _) in zip(texts_at(value, field), strings_of(value, field), strict=True):
        if len(text) >= SECOND_COPY_CHARACTERS and plain not in typed:
            yield Edit(index=item.index, part=item.part, field=path, value=line)
