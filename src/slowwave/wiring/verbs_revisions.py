"""Revision verbs: what was changed, what stood there before, and bringing it back."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.hygiene import pinned
from slowwave.hygiene.context import Context
from slowwave.hygiene.document import AnyDocument, document_of
from slowwave.hygiene.entries import Cause, Entry, PurgedError
from slowwave.hygiene.items import Edit, Item
from slowwave.hygiene.keeper import Change
from slowwave.hygiene.profile import profile_digest
from slowwave.hygiene.reading import read_context
from slowwave.hygiene.renaming import renamed
from slowwave.hygiene.rewrite import rewrite
from slowwave.hygiene.splice import texts_at, value_at
from slowwave.wiring.verbs_hygiene import Bench, opened

_LEAST_DIGITS = 8  # of a digest that somebody names; a stub shows sixteen
_BACK = "unprune"  # the one operation that puts words back


def log(bench: Bench, path: Path | None) -> list[dict[str, Any]]:
    """What was changed, of one file or of all, the latest first."""
    revisions = bench.revisions()
    entries = revisions.history(path) if path is not None else tuple(revisions.entries())[::-1]
    return [_summary(entry) for entry in entries]


def show(bench: Bench, name: str) -> dict[str, Any]:
    """One entry whole: by its number, or the one that wrote or read a revision.

    Raises:
        NothingToDoError: There is none.
    """
    found = [entry for entry in bench.revisions().entries() if _is_named(entry, name)]
    if not found:
        raise NothingToDoError(f"no entry {name} is in the log", hint="`slowwave hygiene log` lists them")
    return {**dataclasses.asdict(found[-1]), "cause": found[-1].cause.value}


def diff(bench: Bench, path: Path) -> list[dict[str, Any]]:
    """What the last change of a file took out: each item's words before and after."""
    entry = _last_change(bench, path)
    with opened(path) as document:
        context = read_context(document)
        with _original(bench, entry) as before:
            old = read_context(before)
            return [
                {"item": item.id, "index": item.index, "before": old.text(item), "after": _text_in_place(context, item)}
                for item in _touched(entry, old)
            ]


def recall(bench: Bench, name: str) -> dict[str, Any]:
    """The words that stood where a stub stands now, by the digest in the stub or the id of the item.

    Raises:
        NothingToDoError: Nothing of that name was ever taken out.
    """
    gone: PurgedError | None = None
    for entry in reversed(tuple(bench.revisions().entries())):
        row = next((row for row in _rows(entry) if _is_row(row, name)), None)
        if row is None:
            continue
        try:
            with _original(bench, entry) as document:
                context = read_context(document)
                item = _same(context, row["id"])
                return {"item": item.id, "tool": item.tool, "revision": entry.before, "text": context.text(item)}
        except PurgedError as error:
            gone = error  # an earlier change may have taken out the same words
    raise gone or NothingToDoError(f"nothing named {name} was ever taken out", hint="a stub names its digest")


def unprune(bench: Bench, path: Path, name: str, *, out: Path | None, actor: str) -> dict[str, Any]:
    """Put one item back where its stub stands; everything else of the file stays.

    Raises:
        NothingToDoError: No stub of that name stands in the file.
    """
    steps = [entry for entry in bench.revisions().history(path) if any(_is_row(row, name) for row in _rows(entry))]
    if not steps:
        raise NothingToDoError(f"nothing named {name} was taken out of {path}", hint="`slowwave hygiene diff` lists it")
    row = next(row for row in _rows(steps[0]) if _is_row(row, name))
    with opened(path) as document, _original(bench, steps[0]) as before:
        now, old = read_context(document), read_context(before)
        was = _same(old, row["id"])
        item = _in_place(now, was)
        if item is None or item.digest != row["digest_after"]:
            raise NothingToDoError(f"no stub of {row['id']} stands in {path}", hint="it may be back already")
        edits = tuple(_put_back(now, item, old, was))
        target = path if out is None else out
        entry = bench.revisions().commit(
            Change(
                source=path,
                target=target,
                is_in_place=out is None,
                digest=document.digest,
                length=document.length,
                content=lambda: rewrite(document, edits),
                cause=Cause.UNPRUNE,
                actor=actor,
                session_old=now.session,
                session_new=now.session,
                profile=profile_digest(),
                tokens_before=now.tokens,
                tokens_after=now.tokens - item.tokens + was.tokens,
                operations=[{"op": _BACK, "range": [item.index, item.index + 1], "items": [_item_row(item, was)]}],
            )
        )
    return {**_summary(entry), "item": item.id, "out": str(target)}


def restore(bench: Bench, path: Path, revision: str, out: Path, *, actor: str) -> dict[str, Any]:
    """Bring a revision of a file back, with everything that was added since."""
    entry = bench.revisions().restore(path, revision, out, rename=renamed, actor=actor)
    return {**_summary(entry), "out": str(out)}


def undo(bench: Bench, path: Path, out: Path | None, *, actor: str) -> dict[str, Any]:
    """Take the last change of a file back, in its place or into a new file."""
    target = path if out is None else out
    return {**_summary(bench.revisions().undo(path, target, rename=renamed, actor=actor)), "out": str(target)}


def verify(bench: Bench) -> dict[str, Any]:
    """Whether the log and every original are what was written."""
    return dataclasses.asdict(bench.revisions().verify())


def purge(bench: Bench, revision: str, *, why: str, actor: str) -> dict[str, Any]:
    """Destroy one original for good."""
    if not why.strip():
        raise UsageError("say why with --why", hint="the reason is all that will be left of it")
    return _summary(bench.revisions().purge(revision, why=why, actor=actor))


def pin(bench: Bench, path: Path, name: str, *, why: str) -> list[dict[str, Any]]:
    """Pin an item of a file, by its id or digest; all pins afterwards.

    Raises:
        NothingToDoError: The file holds no such item.
    """
    with opened(path) as document:
        context = read_context(document)
        item = next((each for each in context.items if name in (each.id, each.digest)), None)
    if item is None:
        raise NothingToDoError(f"{path} holds no item {name}", hint="`slowwave hygiene plan --json` names items")
    with bench.alone():
        pins = pinned.read_pins(bench.home.pins)
        more = pinned.pin(pins, digest=item.digest, item=item.id, why=why, moment=bench.clock())
        pinned.write_pins(bench.home.pins, more)
    return pins_of(bench)


def unpin(bench: Bench, name: str) -> list[dict[str, Any]]:
    """Take a pin away; all that are left.

    Raises:
        NothingToDoError: Nothing of that name is pinned.
    """
    if pinned.unpin(found := pinned.read_pins(bench.home.pins), name) == found:
        raise NothingToDoError(f"nothing named {name} is pinned", hint="`slowwave hygiene pin` lists what is")
    with bench.alone():
        pinned.write_pins(bench.home.pins, pinned.unpin(pinned.read_pins(bench.home.pins), name))
    return pins_of(bench)


def pins_of(bench: Bench) -> list[dict[str, Any]]:
    """Everything that a person pinned."""
    return [dataclasses.asdict(each) for each in pinned.read_pins(bench.home.pins)]


def _summary(entry: Entry) -> dict[str, Any]:
    before, after = entry.tokens_before, entry.tokens_after
    return {
        "entry": entry.sequence,
        "at": entry.at,
        "cause": entry.cause.value,
        "actor": entry.actor,
        "file": entry.target,
        "parent": entry.before,
        "revision": entry.after,
        "tokens": {"before": before, "after": after},
        "operations": len(entry.operations),
        "rejected": len(entry.rejected),
        "session": {"old": entry.session_old, "new": entry.session_new},
        "why": entry.why,
    }


def _rows(entry: Entry) -> list[dict[str, Any]]:
    """The items that a change took words out of."""
    return [row for each in entry.operations if each.get("op") != _BACK for row in each.get("items", ())]


def _is_row(row: dict[str, Any], name: str) -> bool:
    digest = str(row.get("digest", ""))
    return name == row.get("id") or (len(name) >= _LEAST_DIGITS and digest.startswith(name))


def _is_named(entry: Entry, name: str) -> bool:
    return str(entry.sequence) == name or (
        len(name) >= _LEAST_DIGITS and (entry.after.startswith(name) or entry.before.startswith(name))
    )


def _last_change(bench: Bench, path: Path) -> Entry:
    found = [entry for entry in bench.revisions().history(path) if _rows(entry)]
    if not found:
        raise NothingToDoError(f"no change of {path} is known", hint="`slowwave hygiene log` lists all")
    return found[0]


class _Opened:
    """An original as a document, closed again."""

    def __init__(self, document: AnyDocument) -> None:
        self._document = document

    def __enter__(self) -> AnyDocument:
        return self._document

    def __exit__(self, *_: object) -> None:
        self._document.close()


def _original(bench: Bench, entry: Entry) -> _Opened:
    return _Opened(document_of(bench.revisions().blob(entry.before)))


def _touched(entry: Entry, context: Context) -> Iterator[Item]:
    ids = {row.get("id") for row in _rows(entry)}
    return (item for item in context.items if item.id in ids)


def _same(context: Context, name: str) -> Item:
    found = next((item for item in context.items if item.id == name), None)
    if found is None:
        raise NothingToDoError(f"{name} is not in the file any more")
    return found


def _in_place(context: Context, was: Item) -> Item | None:
    """What stands now where an item stood: its record keeps its index, whatever its words have become."""
    held = context.by_index.get(was.index, ())
    return next((each for each in held if each.part == was.part and each.fields[:1] == was.fields[:1]), None)


def _text_in_place(context: Context, was: Item) -> str:
    found = _in_place(context, was)
    return "" if found is None else context.text(found)


def _put_back(now: Context, item: Item, old: Context, was: Item) -> Iterator[Edit]:
    """The payload and its second copies, as they stood."""
    yield Edit(index=item.index, part=item.part, field=item.fields[0], value=old.value(was))
    pairs = [(item, was, field) for field in was.fields[1:]]
    echoes = zip(now.echoes_of(item), old.echoes_of(was), strict=False)
    pairs += [(one, other, other.fields[0]) for one, other in echoes]
    for one, other, field in pairs:
        for place, text in texts_at(value_at(old.record(other), field), field):
            if value_at(now.record(one), place) != text:
                yield Edit(index=one.index, part=one.part, field=place, value=text)


def _item_row(item: Item, was: Item) -> dict[str, Any]:
    return {"id": item.id, "digest": item.digest, "digest_after": was.digest, "tokens": [item.tokens, was.tokens]}
