"""Runs: words of a text beside one another that name one time."""

from collections.abc import Iterator

from slowwave.wake.when.clocks import clock_at
from slowwave.wake.when.days import day_at
from slowwave.wake.when.figures import Terms, has, number_at, term_at
from slowwave.wake.when.items import Clock, Flag, Item, Part, Run
from slowwave.wake.when.steps import step_at
from slowwave.wake.when.tongue import Term

_JOINS = ("join", "at", "by", "on", "about", "from", "in", "toward")
_LEADS = ("at", "by", "on", "about", "in")
_MOST_ITEMS = 12  # of one run: who names more says nothing
_FEW = 2  # terms of a phrase in which a lone number is an hour
_MOST_JOINS = 3  # small words between two items of one run, as in "on Friday, at about 9"
Found = tuple[tuple[Item, ...], int]


def runs_of(terms: Terms, *, is_day_first: bool) -> Iterator[Run]:
    """The runs of a text's terms, in order; each term is in at most one."""
    place = 0
    while place < len(terms):
        run = _run(terms, place, is_day_first=is_day_first)
        if run.items:
            yield run
        place = run.behind


def _run(terms: Terms, first: int, *, is_day_first: bool) -> Run:
    """The run that begins there; without items where none does, and then up to where none can begin."""
    items: list[Item] = []
    place = behind = first
    joins = 0
    begun = first
    is_weak = True
    while place < len(terms) and joins <= _MOST_JOINS and len(items) < _MOST_ITEMS and not terms[place].has("noise"):
        is_range = bool(items) and isinstance(items[-1], Clock) and _is_range(terms, place)
        found = None if is_range else _item(terms, place, is_led=bool(items), is_day_first=is_day_first)
        if found is not None:
            is_weak = is_weak and len(found[0]) == 1 and _is_weak(terms, place)
            begun = begun if items else place
            items += found[0]
            place = behind = found[1]
            joins = 0
        elif items and has(terms, place, "or"):
            items.append(Flag(name="or"))
            place, joins = place + 1, joins + 1
        elif items and _is_range(terms, place):
            items.append(Flag(name="range"))
            place, joins = place + 1, joins + 1
        elif has(terms, place, *_JOINS):
            place, joins = place + 1, joins + 1
        else:
            break
    is_pair = len(items) > 1 and behind - begun == len(items)  # "Fri evening": each is the other's company
    if not items or (is_weak and not is_pair and not _stands_free(terms, first, behind)):
        return Run(items=(), start=0, end=0, first=first, behind=max(place, first + 1))
    if has(terms, begun - 1, "not"):
        items.append(Flag(name="ambiguous"))
    start = next(one for one in range(first, behind) if one >= begun or has(terms, one, *_LEADS))
    return Run(items=_trimmed(items), start=terms[start].start, end=terms[behind - 1].end, first=first, behind=behind)


def _trimmed(items: list[Item]) -> tuple[Item, ...]:
    while isinstance(items[-1], Flag) and items[-1].name in ("or", "range"):
        items = items[:-1]
    return tuple(items)


def _is_range(terms: Terms, place: int) -> bool:
    return terms[place].kind == "dash" or has(terms, place, "range")


def _is_weak(terms: Terms, place: int) -> bool:
    return terms[place].has("weekday_weak", "part_weak") and not terms[place].has("weekday", "part")


def _stands_free(terms: Terms, first: int, behind: int) -> bool:
    """Whether a word that is a time only in company is led by a small word of times, or is all there is."""
    led = any(has(terms, one, "on", "by", "next", "this") for one in range(first, behind))
    return led or all(not term.is_foreign and not term.has("filler") for term in terms)


def _item(terms: Terms, place: int, *, is_led: bool, is_day_first: bool) -> Found | None:
    if has(terms, place, "vague"):
        return (Flag(name="ambiguous"),), place + 1
    found = _recurring(terms, place)
    if found is not None:
        return (found[0],), found[1]
    step = step_at(terms, place)
    if step is not None:
        return (step[0],), step[1]
    day = day_at(terms, place, is_day_first=is_day_first)
    if day is not None:
        return day
    is_whole = not is_led and len(terms) <= _FEW and not any(term.is_foreign for term in terms)
    is_day_behind = has(terms, place, *_LEADS) and day_at(terms, place + 1, is_day_first=is_day_first) is not None
    clock = None if is_day_behind else clock_at(terms, place, is_led=is_led or is_whole, is_day_first=is_day_first)
    if clock is not None:
        is_range = has(terms, place, "between")
        return (clock[0], Flag(name="range")) if is_range else (clock[0],), clock[1]
    return _part(terms[place], place)


def _part(term: Term, place: int) -> Found | None:
    name = term.senses.get("part", term.senses.get("part_weak", ""))
    return ((Part(name=name),), place + 1) if name else None


def _recurring(terms: Terms, place: int) -> tuple[Item, int] | None:
    if has(terms, place, "habit"):
        return Flag(name="ambiguous" if has(terms, place - 1, "number") else "recurring"), place + 1
    if has(terms, place, "often"):
        following = term_at(terms, place + 1)
        is_word_of_another = following is not None and following.is_foreign
        return None if is_word_of_another else (Flag(name="recurring"), place + 1)
    if not has(terms, place, "every"):
        return None
    behind = place + 1
    behind += 1 if has(terms, behind, "other") and not has(terms, behind, "unit") else 0
    number = number_at(terms, behind)
    behind = number[1] if number else behind
    if has(terms, behind, "unit", "weekday", "weekday_weak", "habit", "part", "part_weak", "weekend", "weekday_part"):
        return Flag(name="recurring"), behind + 1
    return None


def has_clock(run: Run) -> bool:
    """Whether a run names an hour, or a part of the day."""
    return any(isinstance(item, Clock | Part) for item in run.items)
