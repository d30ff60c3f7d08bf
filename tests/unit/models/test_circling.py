"""Circling: the very same call, told once, then ended."""

from slowwave.facts.limits import MOST_SAME_CALLS
from slowwave.models.circling import Circling, Round


def test_the_same_call_is_told_then_ended() -> None:
    """So many times it is made, once it is answered by saying so, then the turn ends."""
    circling = Circling()
    met = [circling.take("search", '{"phrase": "x"}') for _ in range(MOST_SAME_CALLS + 2)]
    assert met == [Round.NEW] * MOST_SAME_CALLS + [Round.TOLD, Round.CIRCLING]


def test_spelling_does_not_make_a_call_new() -> None:
    """Order of keys, white space and escapes are the same call."""
    circling = Circling()
    for spelling in ('{"a":1,"b":"ü"}', '{ "b" : "ü", "a": 1 }', '{"b":"\\u00fc","a":1}'):
        assert circling.take("read", spelling) is Round.NEW
    assert circling.take("read", '{"a":1,"b":"ü"}') is Round.TOLD
    assert circling.take("read", '{"a":2,"b":"ü"}') is Round.NEW
    assert circling.take("search", '{"a":1,"b":"ü"}') is Round.NEW


def test_what_is_no_json_is_the_same_as_itself() -> None:
    """Nonsense is counted as it stands, nested as deep as it may be; nothing is raised."""
    circling = Circling()
    for nonsense in ("", "{", "[" * 100_000, "\ud800", "NaN"):
        met = [circling.take("t", nonsense) for _ in range(MOST_SAME_CALLS + 1)]
        assert met[-1] is Round.TOLD
