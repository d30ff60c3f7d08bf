"""The contract rehearsed: what proof would refuse is mended or dropped before it is handed over."""

from typing import Any

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.memory import Kind
from slowwave.mining.finding import Finding, Part
from slowwave.mining.rehearsal import Rehearsal
from slowwave.records.secrets import Secrets

HELD = "the parser drops the last line, because nobody flushes it"
SHOWN = "parser.py:4: the last line is lost"


def finding(*quotes: str, claim: str = "The parser drops the last line.") -> Finding:
    """A finding of session ``s`` with some quotes."""
    return Finding(
        lens="correction",
        subject="parser",
        kind=Kind.SEMANTIC,
        claim=claim,
        gist="It does.",
        entities=(),
        quotes=tuple(Quote(session_id=SessionId("s"), quote=text) for text in quotes),
        parts=(Part(name="made", value=9.0),),
    )


def rehearsal(stage: Any) -> Rehearsal:
    """The rehearsal over one made-up session."""
    act = stage("s").user("look at the parser").shell("make test", f"{SHOWN}\nruff check .", status=1).agent(HELD)
    return Rehearsal([act.recording()], None, Secrets(deep=False))


def test_a_quote_that_fails_is_left_out_and_the_finding_kept(stage: Any) -> None:
    """Too small, or nowhere in the session: the other quotes still carry the finding."""
    proved = rehearsal(stage).prove(finding(HELD, "ruff check .", "words that nobody ever said", SHOWN))
    assert not proved.dropped
    assert [quote.quote for quote in proved.quotes] == [HELD, SHOWN]


def test_a_finding_that_only_tools_support_is_dropped_with_the_reason(stage: Any) -> None:
    """Nothing can mend it, so the reason names the rule."""
    act = stage("s").user("go").shell("make test", f"{SHOWN}\nparser.py:9: and the first one", status=1)
    proved = Rehearsal([act.recording()], None, Secrets(deep=False)).prove(
        finding(SHOWN, "parser.py:9: and the first one")
    )
    assert "tool_only_evidence" in proved.dropped


def test_a_preference_without_the_persons_words_is_dropped(stage: Any) -> None:
    """What a person wants must stand in their own words."""
    proved = rehearsal(stage).prove(finding(HELD, SHOWN, claim="The user wants the parser to flush."))
    assert "speaker_mismatch" in proved.dropped


def test_old_lines_alone_carry_nothing(stage: Any) -> None:
    """With every quote before the watermark there is nothing new to say."""
    act = stage("s").user("look at the parser").shell("make test", SHOWN, status=1).agent(HELD)
    old = Rehearsal([act.recording()], {SessionId("s"): (99,)}, Secrets(deep=False))
    assert "no_new_evidence" in old.prove(finding(HELD, SHOWN)).dropped
