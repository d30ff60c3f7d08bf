"""About: the few words by which a person knows an item or a turn again."""

from collections.abc import Callable

from slowwave.facts.text import cut, fold, showable
from slowwave.hygiene.context import Context
from slowwave.hygiene.items import Item, Kind
from slowwave.hygiene.scene import Scene

TITLE_CHARACTERS = 60  # of the words with which a turn began
ABOUT_CHARACTERS = 200  # of a path or command: the longest paths fit
READ_CHARACTERS = 20_000  # of a text from which they are taken: far more, so that no secret in them is cut in two

Tell = Callable[[str, str], str]
"""Words as they may be shown, from the words and the name under which they stand; the name may be empty."""


def title(context: Context, turn: int, tell: Tell) -> str:
    """The beginning of what a person typed at a turn; empty for what stands before the first."""
    if not 0 < turn <= len(context.turns):
        return ""
    return _beginning(context, context.items[context.turns[turn - 1]], tell, TITLE_CHARACTERS)


def about(scene: Scene, item: Item, tell: Tell) -> str:
    """The path or command of a call, or of the call behind a result; the beginning of other words."""
    call = item if item.kind is Kind.CALL else scene.context.call_of(item)
    action = scene.actions.get(call.number) if call is not None else None
    if call is None or action is None:
        return _beginning(scene.context, item, tell, ABOUT_CHARACTERS)
    if action.line or action.paths:
        return _short(tell(action.line or " ".join(action.paths), ""), ABOUT_CHARACTERS)
    # A value inside another one stands under names of its own, by which alone some secrets are known.
    told = (tell(str(value), name) for name, value in call.args.items() if isinstance(value, str | int))
    return _short(" ".join(told), ABOUT_CHARACTERS)


def _beginning(context: Context, item: Item, tell: Tell, most: int) -> str:
    return _short(tell(context.text(item)[:READ_CHARACTERS], ""), most)


def _short(words: str, most: int) -> str:
    return cut(showable(fold(words)), most)
