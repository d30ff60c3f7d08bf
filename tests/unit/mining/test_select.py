"""Choosing what is shown."""

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.memory import Kind
from slowwave.mining.finding import Finding, Part
from slowwave.mining.select import select


def found(
    name: str, score: float, *, session: str = "s-1", lens: str = "lens", claim: str = "", quote: str = ""
) -> Finding:
    """A finding with a score, two quotes of a session, and a claim of its own."""
    return Finding(
        lens=lens,
        subject=name,
        kind=Kind.SEMANTIC,
        claim=claim or f"{name} holds {name} because {name}",
        gist="",
        entities=(),
        quotes=tuple(Quote(session_id=SessionId(session), quote=quote or f"{name} line {n}") for n in (1, 2)),
        parts=(Part(name="worth", value=score),),
    )


def test_the_best_are_kept_in_order_and_the_rest_say_why() -> None:
    """At most so many, best first; what is under the floor or over the number is dropped with that reason."""
    names = [found(name, score, session=name) for name, score in (("ant", 6), ("bee", 9), ("cat", 7), ("dog", 3))]
    chosen = select(names, most=2, floor=5)
    assert [f.subject for f in chosen.kept] == ["bee", "cat"]
    assert {f.subject: f.dropped for f in chosen.dropped} == {
        "ant": "already 2 in this batch",
        "dog": "score 3.0 is under 5.0",
    }


def test_one_of_a_subject_and_three_of_a_session() -> None:
    """The better telling of a subject stands; a session gives three at most."""
    twins = [found("ant", 9), found("ant", 8)]
    others = [found(name, 7) for name in ("bee", "cat", "dog")]
    chosen = select([*twins, *others], most=9, floor=5)
    assert [f.subject for f in chosen.kept] == ["ant", "bee", "cat"]
    assert any("same subject" in f.dropped for f in chosen.dropped)
    assert any("from its session" in f.dropped for f in chosen.dropped)


def test_a_second_view_lends_quotes_once() -> None:
    """Two lenses that rest on one line are one finding, which gains quotes and a bounded bonus however many agree."""
    seed = found("ant", 9, quote="the very same line of a session")
    views = [
        found(f"view{n}", 6, lens=f"other{n}", session="s-1", quote="the very same line of a session") for n in (1, 2)
    ]
    chosen = select([seed, *views], most=9, floor=5)
    (kept,) = chosen.kept
    assert kept.score == 9.4
    assert len(chosen.dropped) == 2


def test_ties_break_on_content() -> None:
    """Equal scores stand in the order of what they say, whatever order they came in."""
    names = [found(name, 7, session=name) for name in ("cat", "ant", "bee")]
    assert [f.subject for f in select(names, most=9, floor=5).kept] == ["ant", "bee", "cat"]
    assert select(names[::-1], most=9, floor=5).kept == select(names, most=9, floor=5).kept


def test_fixed_forms_about_different_commands_are_two_subjects() -> None:
    """Claims of two lenses share the words of their forms; without a common name they are not one subject."""
    lint = found("lint", 7.0, lens="green_then_refused", claim="Green code still fails `make lint` on this code.")
    suite = found("suite", 6.0, lens="partial_suite", claim="Green code still fails `make all` on this code.")
    assert len(select([lint, suite], most=5, floor=5).kept) == 2
