"""Curating the messages a program holds in memory: what is dead in them becomes stubs, and the rest is what it was.

Nothing is written anywhere and the messages that were given are never changed; whoever holds them holds every original,
and nobody else does: `slowwave hygiene recall`, which a stub names, knows what commands changed.
What cannot be read as messages is an error, for a list that comes back unchanged says that all of it was looked at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, TypeVar, cast

from slowwave.facts.limits import JSON_DEPTH
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.decide import Plan
from slowwave.hygiene.document import UnknownContextError, of_messages
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.pins import Pins
from slowwave.hygiene.protection import Protection
from slowwave.hygiene.rewrite import rewrite_messages

Message = TypeVar("Message", bound=Mapping[str, object])

LIST_WIRES = ("anthropic-messages", "openai-chat", "openai-responses")
"""The forms of a list of messages; any other list with roles and contents is read as the second one."""
_PLAIN = (str, int, float, type(None))  # a boolean is an int


@dataclass(frozen=True, kw_only=True)
class CuratedMessages(Generic[Message]):
    """Messages with the plan that made them.

    Attributes:
        messages: One for each that was given; where the plan changes nothing, the very same object.
        plan: What was done, what was refused, and what that saves.
    """

    messages: list[Message]
    plan: Plan


def curate(
    messages: Sequence[Message],
    *,
    wire: str = "",
    terms: Terms | None = None,
    pinned: Sequence[str] = (),
    protection: Protection | None = None,
) -> list[Message]:
    """Messages with what is dead in them stubbed, in a new list; the ones that stay are the very same objects.

    Args:
        messages: Of the Messages API, of Chat Completions, of the Responses API, or any with a role and a content.
        wire: A name of ``LIST_WIRES`` where the content is not to be asked.
        terms: What a rewrite is weighed by. Messages carry no times, so that their cache counts as cold; in a program
            that sends them at every turn, ``history`` is the better place. ``terms.model`` says whose thoughts are in
            them; without it each signed one is taken to be bound to all before it.
        pinned: Ids or digests of items that stay.
        protection: Ranges that may not be touched.

    Raises:
        UnknownContextError: They are no messages of a form that is known.
        TooLargeError: They are more than one document may hold.
    """
    return curate_with_plan(messages, wire=wire, terms=terms, pinned=pinned, protection=protection).messages


def curate_with_plan(
    messages: Sequence[Message],
    *,
    wire: str = "",
    terms: Terms | None = None,
    pinned: Sequence[str] = (),
    protection: Protection | None = None,
) -> CuratedMessages[Message]:
    """The same with the plan; takes and raises what ``curate`` does."""
    _check_messages(messages)
    if wire and wire not in LIST_WIRES:
        raise UnknownContextError(f"no list of messages is called {wire!r}", hint=f"one of {', '.join(LIST_WIRES)}")
    if not messages:
        return CuratedMessages(messages=[], plan=_EMPTY)
    wish = Wish(protect=lambda _: protection or Protection(), pinned=tuple(pinned), terms=terms or Terms())
    curated, held = curated_messages(messages, wish, wire=wire)
    return CuratedMessages(messages=cast("list[Message]", held), plan=curated.plan)


def curated_messages(messages: Sequence[Mapping[str, Any]], wish: Wish, *, wire: str) -> tuple[Curated, list[Any]]:
    """What comes of a wish for messages, and the messages it makes."""
    document = of_messages(messages, wire=wire)
    if wish.terms.model:
        document.envelope = {"model": wish.terms.model}  # where a request would have it
    curated = curate_document(document, wish)
    return curated, rewrite_messages(document, curated.plan.edits)


_EMPTY = Plan(operations=(), rejected=(), before=0, after=0, pins=Pins(reasons={}))


def _check_messages(messages: object) -> None:
    """Make sure that all of it is JSON: what a library's own objects say is nothing that we could read."""
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes | bytearray):
        raise UnknownContextError(
            f"messages come in a list, and this is a {type(messages).__name__}",
            hint="of a request, pass what stands under its key messages or input",
        )
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            raise UnknownContextError(
                f"message {number} is a {type(message).__name__}, and a message is a dict", hint=_HINT
            )
        trouble = _no_json(message)
        if trouble:
            raise UnknownContextError(f"message {number} {trouble}", hint=_HINT)


_HINT = "pass what would be sent as JSON: of an object of a client library, its model_dump(exclude_unset=True)"


def _no_json(message: object) -> str:
    """Why a message is no JSON; empty where it is."""
    open_nodes: list[tuple[object, int]] = [(message, 1)]
    while open_nodes:
        node, level = open_nodes.pop()
        if level >= JSON_DEPTH:
            return f"is nested deeper than {JSON_DEPTH} levels"
        if isinstance(node, dict):
            if not all(isinstance(key, str) for key in node):
                return "has a key that is no text"
            open_nodes += [(child, level + 1) for child in node.values()]
        elif isinstance(node, list):
            open_nodes += [(child, level + 1) for child in node]
        elif isinstance(node, float) and not isfinite(node):
            return f"holds {node}, which is no number in JSON"
        elif not isinstance(node, _PLAIN):
            return f"holds a {type(node).__name__}, which is nothing that JSON has"
    return ""
