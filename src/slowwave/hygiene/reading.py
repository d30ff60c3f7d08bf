"""Reading: a document's records as items and groups, each record looked at once, in order."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from slowwave.facts.moment import parse
from slowwave.hygiene.context import Context, item_text
from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.items import Group, Item, Kind, Role
from slowwave.hygiene.launches import Launches
from slowwave.hygiene.payloads import count_images, is_plain, is_reference
from slowwave.hygiene.splice import value_at
from slowwave.hygiene.stubs import is_stub
from slowwave.hygiene.tokens import estimate
from slowwave.hygiene.wires.wire import Record, Seen, Sight
from slowwave.records.whole import encode

Notice = Callable[[Item, str, Mapping[str, Any]], None]
"""Told of each item with its words and whole arguments while the document is read, for whoever gathers features."""

ARGUMENT_CHARACTERS = 400  # of one argument that are kept: a path and a command fit, a file's content does not matter
MOST_ARGUMENTS = 12  # of one call that are kept; tools have fewer
_DIGITS = 16
_OUTSIDE = re.compile(r"<persisted-output>[\s\S]{0,400}?(\S{1,300}tool-results/[\w.-]{1,120})")
_HEAD_CHARACTERS = 800  # of a payload in which the name of an outside file stands
_INSIDE = (Kind.ECHO, Kind.META)


def read_context(document: AnyDocument, *, tell: Notice | None = None) -> Context:
    """A document as a context."""
    return _Reading(document, tell).run()


class _Reading:
    def __init__(self, document: AnyDocument, tell: Notice | None) -> None:
        self._document = document
        self._tell = tell
        self._items: list[Item] = []
        self._groups: list[list[int]] = []
        self._replies: dict[str, int] = {}
        self._calls: dict[str, int] = {}
        self._waiting: set[tuple[int, str]] = set()
        self._names: dict[str, int] = {}
        self._roles: list[Role] = []
        self._models: list[tuple[int, str]] = []
        self._turns: list[int] = []
        self._launches = Launches()
        self._session = ""
        self._boundary = 0

    def run(self) -> Context:
        document = self._document
        reader = document.wire.reader()
        keeps_first = document.wire.keeps_first
        for index, part, record in document.records():
            seen = reader.read(record)
            self._take(index, part, record, seen)
            named = document.wire.session_of(record)
            self._session = (self._session or named) if keeps_first else (named or self._session)
        self._roles += [Role.NONE] * (document.count - len(self._roles))
        still_open = {group for group, _ in self._waiting} | self._launches.open_groups
        groups = [
            Group(number=number, items=tuple(held), is_open=number in still_open)
            for number, held in enumerate(self._groups)
        ]
        return Context(
            document=document,
            items=self._items,
            groups=groups,
            boundary=self._boundary,
            roles=self._roles,
            models=self._models,
            session=self._session,
            turns=self._turns,
        )

    def _take(self, index: int, part: int, record: Record, seen: Seen) -> None:
        first = len(self._items)
        at = parse(seen.at)
        is_damaged = self._document.is_damaged(index)
        spoken = {field for sight in seen.sights if sight.is_person for field in sight.fields}
        payloads = {sight.fields[0] for sight in seen.sights if sight.kind is Kind.RESULT and sight.fields}
        for block, sight in enumerate(seen.sights):
            if _is_inside(sight, payloads):
                continue
            group = self._group_of(sight, seen.reply)
            has_words = sight.kind is Kind.RESULT and not spoken.isdisjoint(sight.fields[:1])
            item, text = self._item(
                sight, record, seen, index=index, part=part, block=block, group=group,
                flags={"at": at, "is_opaque": sight.is_opaque or is_damaged, "is_person": sight.is_person or has_words},
            )  # fmt: skip
            self._add(item, text, sight)
        if seen.is_boundary:
            self._boundary = first
        if seen.model and (not self._models or self._models[-1][1] != seen.model):
            self._models.append((index, seen.model))
        self._set_role(index, self._items[first:])

    def _add(self, item: Item, text: str, sight: Sight) -> None:
        self._items.append(item)
        self._groups[item.group].append(item.number)
        if _begins_turn(sight):
            self._turns.append(item.number)
        if item.kind is Kind.CALL:
            self._calls[item.call_id] = item.group
            if not sight.is_answered:
                self._waiting.add((item.group, item.call_id))
        elif item.kind is Kind.RESULT:
            self._waiting.discard((item.group, item.call_id))
        self._launches.see(item, text)
        if self._tell is not None:
            self._tell(item, text, sight.more.get("args") or {})

    def _item(
        self, sight: Sight, record: Record, seen: Seen, *, index: int, part: int, block: int, group: int,
        flags: Mapping[str, Any],
    ) -> tuple[Item, str]:  # fmt: skip
        more, kind = sight.more, sight.kind
        is_result = kind is Kind.RESULT
        payload = value_at(record, sight.fields[0]) if is_result and sight.fields else None
        text = item_text(record, kind, sight.fields) if is_result else sight.text
        args: Mapping[str, Any] = more.get("args") or {}
        told = _call_words(more, args) if kind is Kind.CALL else text
        digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        images = count_images(payload)
        call_id = str(more.get("call_id", ""))
        item = Item(
            id=self._name(kind, call_id, seen.id, block, digest),
            number=len(self._items),
            index=index,
            part=part,
            kind=kind,
            turn=len(self._turns) + _begins_turn(sight),
            group=group,
            digest=digest,
            tokens=0 if kind in _INSIDE or (sight.is_server and not text) else estimate(told, images),
            characters=len(text),
            fields=sight.fields,
            tool=str(more.get("tool", "")),
            call_id=call_id,
            args=_short(args),
            injected=sight.injected,
            is_error=bool(more.get("is_error")),
            is_rejected=bool(more.get("is_rejected")),
            is_tainted=bool(more.get("is_tainted")),
            is_sidechain=bool(more.get("is_sidechain")),
            is_stub=is_stub(text),
            is_server=sight.is_server,
            is_reference=is_reference(payload),
            images=images,
            outside=_outside(text) if is_result else "",
            **{**flags, "is_opaque": flags["is_opaque"] or (is_result and not is_plain(payload))},
        )
        return item, text

    def _name(self, kind: Kind, call_id: str, record_id: str, block: int, digest: str) -> str:
        """A name that stays the same while the document grows, and when something else in it is curated."""
        if call_id:
            name = f"{kind}:{call_id}"
        elif record_id:
            name = f"{kind}:{record_id}:{block}"
        else:
            name = f"{kind}:{digest}"
        count = self._names[name] = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name}~{count}"

    def _group_of(self, sight: Sight, reply: str) -> int:
        if sight.kind in (Kind.RESULT, Kind.ECHO):
            call_id = str(sight.more.get("call_id", ""))
            if call_id in self._calls:
                return self._calls[call_id]
        if not reply:
            return self._new_group()
        if reply not in self._replies:
            self._replies[reply] = self._new_group()
        return self._replies[reply]

    def _new_group(self) -> int:
        self._groups.append([])
        return len(self._groups) - 1

    def _set_role(self, index: int, items: Sequence[Item]) -> None:
        self._roles += [Role.NONE] * (index + 1 - len(self._roles))
        if items:
            self._roles[index] = role_of([*({self._roles[index]} - {Role.NONE}), *map(_role, items)])


def _begins_turn(sight: Sight) -> bool:
    """Whether a person typed it, for the first time."""
    return sight.is_person and sight.kind is not Kind.RESULT and not sight.is_copy


def _is_inside(sight: Sight, payloads: AbstractSet[str]) -> bool:
    """Whether a sighting is no item: bookkeeping, or a reminder at the end of a result, which is part of its words."""
    if sight.is_person:
        return False
    return sight.kind is Kind.META or (sight.kind is Kind.NOTICE and not payloads.isdisjoint(sight.fields))


_ROLES = {
    Kind.RESULT: Role.RESULTS,
    Kind.USER: Role.USER,
    Kind.ASSISTANT: Role.ASSISTANT,
    Kind.CALL: Role.ASSISTANT,
    Kind.THINKING: Role.ASSISTANT,
    Kind.NOTICE: Role.NOTICE,
    Kind.SYSTEM: Role.NOTICE,
    Kind.SUMMARY: Role.NOTICE,
}
_WEIGHT = (Role.RESULTS, Role.USER, Role.ASSISTANT, Role.NOTICE, Role.NONE)


def role_of(roles: Sequence[Role]) -> Role:
    """The role of a record with things of several roles."""
    return min(roles, key=_WEIGHT.index, default=Role.NONE)


def _role(item: Item) -> Role:
    return Role.ASSISTANT if item.is_server else _ROLES.get(item.kind, Role.NONE)


def _call_words(more: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    return f"{more.get('tool', '')} {encode(args)}"


def _short(args: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = list(args.items())[:MOST_ARGUMENTS]
    return {key: _cut(value) for key, value in kept}


def _cut(value: object) -> object:
    if isinstance(value, str):
        return value[:ARGUMENT_CHARACTERS]
    if isinstance(value, int | float | None):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " ".join(value)[:ARGUMENT_CHARACTERS]
    return ""


def _outside(text: str) -> str:
    found = _OUTSIDE.search(text, 0, _HEAD_CHARACTERS) if "<persisted-output>" in text[:_HEAD_CHARACTERS] else None
    return found.group(1) if found else ""
