"""Plain baselines for hygiene, made anew from their published rules, over the same contexts and the same estimate.

Observation masking keeps the newest results and puts a placeholder in the place of every other; truncation keeps the
head and tail of every result over a size; context editing clears the oldest results above a trigger and keeps the
newest (its published default: above 100,000 tokens, three kept). None of them looks at what a result says.
"""

from collections.abc import Iterator

from slowwave.hygiene.context import Context
from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.items import Edit, Item, Kind
from slowwave.hygiene.payloads import replaced
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.rewrite import rewrite

PLACEHOLDER = "[Old tool result content cleared]"
CLEAR_TRIGGER = 100_000  # tokens; the default of context editing
CLEAR_KEPT = 3  # results; the default of context editing


def mask_all_but(document: AnyDocument, kept: int) -> bytes:
    """Observation masking: all results but the newest go."""
    context = read_context(document)
    results = _results(context)
    gone = results[: max(0, len(results) - kept)]
    return _written(document, [_cleared(context, item) for item in gone])


def truncate_over(document: AnyDocument, size: int) -> bytes:
    """Every result over a size keeps its head and tail."""
    context = read_context(document)
    return _written(document, [_cut(context, item, size) for item in _results(context) if item.characters > size])


def clear_above(document: AnyDocument, trigger: int = CLEAR_TRIGGER, kept: int = CLEAR_KEPT) -> bytes:
    """Context editing: above a trigger all results but the newest few go."""
    return mask_all_but(document, kept) if read_context(document).tokens > trigger else _written(document, [])


def _results(context: Context) -> list[Item]:
    return [item for item in context.window() if item.kind is Kind.RESULT and item.fields and not item.is_server]


def _cleared(context: Context, item: Item) -> Edit:
    return _edit(context, item, PLACEHOLDER)


def _cut(context: Context, item: Item, size: int) -> Edit:
    text = context.text(item)
    return _edit(context, item, f"{text[: size // 2]}\n[truncated]\n{text[-size // 2 :]}")


def _edit(context: Context, item: Item, text: str) -> Edit:
    value = replaced(context.value(item), text)
    return Edit(index=item.index, part=item.part, field=item.fields[0], value=value)


def _written(document: AnyDocument, edits: list[Edit]) -> bytes:
    return b"".join(_blocks(document, edits))


def _blocks(document: AnyDocument, edits: list[Edit]) -> Iterator[bytes]:
    return rewrite(document, edits)
