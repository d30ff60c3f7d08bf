"""Lenses over talk: corrections, decisions, explained errors and rulings, and what they leave alone."""

from typing import Any

import pytest

from slowwave.mining import corrections, decisions, explanations, prose, rulings
from slowwave.mining.episodes import Talk, listen
from slowwave.mining.events import timelines
from slowwave.mining.finding import Finding


def talk(*acts: Any) -> Talk:
    """The talk of some made-up sessions."""
    return listen([act.recording() for act in acts])


def kept(findings: tuple[Finding, ...]) -> list[Finding]:
    """Those that are worth keeping."""
    return [finding for finding in findings if not finding.dropped]


def surprised(stage: Any) -> Any:
    """A person asks why the tests passed, and the agent says why."""
    act = stage("s").user("rename the price parser").agent("Renamed, all tests pass.")
    act.user("how did this not fail the tests? price_slow_test.py still uses the old name")
    return act.agent(
        "You're right. `price_slow_test.py` is skipped by plain `pytest` because its marker is left out in "
        "`pytest.ini`. I'll fix that now."
    )


def test_a_question_and_its_cause_make_one_sentence(stage: Any) -> None:
    """The claim holds the cause, the quotes hold question and cause, and both stand in the session."""
    (finding,) = kept(corrections.find(talk(surprised(stage))))
    assert "because its marker" in finding.claim or "since its marker" in finding.claim
    assert "one session" in finding.claim
    assert finding.quotes[0].quote.startswith("how did this not fail")
    texts = [entry.text for entry in surprised(stage).recording().entries]
    assert all(any(quote.quote in text for text in texts) for quote in finding.quotes)


def test_an_answer_that_only_goes_on_is_no_answer(stage: Any) -> None:
    """Narration, status and questions say nothing about the cause: then nothing is said."""
    act = stage("s").user("why did the export come out empty?")
    act.agent("Let me look into that. I'll check the exporter first. Should I also look at the importer?")
    assert kept(corrections.find(talk(act))) == []


def test_an_offer_is_not_what_is_so(stage: Any) -> None:
    """The items of a list to choose from are no facts, however causal they sound."""
    act = stage("s").user("the export is broken and comes out empty, what now?")
    act.agent(
        "There are two ways:\n\n1. Drop `export_lock`, because nothing else needs the `exporter` table.\n"
        "2. Keep `export_lock`, since the `importer` must wait for it.\n\nWhich one do you want?"
    )
    assert kept(corrections.find(talk(act))) == []


def test_a_denied_answer_is_not_told(stage: Any) -> None:
    """What a later turn calls made up is dropped; what the agent then owns is told with its admission."""
    act = stage("s").user("why does the release step not sign the images?")
    act.agent("`shipit` signs images only because `sign.images: cosign` in `shipit.yaml` is missing its `key` block.")
    act.user("there is no sign.images key in shipit.yaml, did you make that up?")
    act.agent("I made that up, sorry. `shipit` never signs images; only `cosign sign` after the push does, not a key.")
    first, second = corrections.find(talk(act))
    assert first.dropped == "a later correction overtakes it"
    assert not second.dropped
    assert "owned the mistake" in second.claim
    assert any("I made that up" in quote.quote for quote in second.quotes)


def test_a_refused_edit_with_words_names_the_file(stage: Any) -> None:
    """A refusal is the strongest pointer: its words, the file, and what the agent made of it."""
    act = stage("s").user("write the release notes")
    act.refused(
        "Write", {"file_path": "/p/NOTES.md", "content": "long"}, "keep the notes short, like the ones in ../docs"
    )
    act.agent("The notes in `../docs` use one line an entry without an introduction.")
    (finding,) = kept(corrections.find(talk(act)))
    assert "refused an edit of `NOTES.md`" in finding.claim
    assert "one line an entry" in finding.claim


def decided(stage: Any, answer: str, proposal: str) -> list[Finding]:
    """What a proposal and its answer make."""
    act = stage("s").user("how should uploads be retried?").agent(proposal)
    act.user(answer).agent("Done: `upload_once` is called by `retry_loop`.")
    return kept(decisions.find(talk(act)))


def test_a_decision_carries_the_reason_it_was_offered_with(stage: Any) -> None:
    """The person agrees, the message before gives the reason."""
    proposal = (
        "My take: write `retry_loop` by hand instead of adding a retry library, because each new module needs a "
        "licence review. Shall I write the retry loop by hand?"
    )
    (finding,) = decided(stage, "yes, let's write the retry loop by hand", proposal)
    assert "licence review" in finding.claim
    assert "by hand" in finding.claim


OPTIONS = (
    "Two options:\n\n"
    "1. `tenacity`, because its back-off is well tested and `retry_loop` must not grow.\n"
    "2. `retry_loop` by hand, because a new module needs a licence review.\n\n"
    "I lean to option 1. Which option do you want?"
)


def test_an_option_is_told_only_when_it_is_matched(stage: Any) -> None:
    """The chosen option's reason is told, the other's never."""
    for finding in decided(stage, "option 2 please", OPTIONS):
        assert "licence review" in finding.claim
        assert "tenacity" not in finding.claim


@pytest.mark.parametrize("answer", ["option 7 please", "yes", "thanks, that worked"])
def test_an_option_that_cannot_be_told_is_no_decision(stage: Any, answer: str) -> None:
    """A rejected lean must never be printed: where it is unclear what was chosen, nothing is."""
    assert all("tenacity" not in finding.claim for finding in decided(stage, answer, OPTIONS))
    assert not any("well tested" in finding.claim for finding in decided(stage, answer, OPTIONS))


def test_a_reversed_decision_is_not_told(stage: Any) -> None:
    """What a later turn takes back was no decision to keep."""
    act = stage("s").user("where should the retry loop live?")
    act.agent(
        "I'd put `retry_loop` into `transfer` instead of `queue`, because only `transfer` knows the deadline. Ok?"
    )
    act.user("yes, let's put the retry loop into transfer").agent("Moved `retry_loop` to `transfer`.")
    act.user("revert the retry loop move to transfer")
    assert decisions.find(talk(act)) == ()


def test_an_error_is_told_with_the_cause_stated_after_it(stage: Any) -> None:
    """Error line and cause, near each other; a cause far away belongs to something else."""

    def session(gap: int) -> Any:
        act = stage("s").user("package the tool").shell("make deb", "error: signing agent socket is gone", status=1)
        for number in range(gap):
            act.shell(f"echo {number}", "ok")
        return act.agent(
            "The signing agent socket is gone because `gpgconf --kill` runs in `pre.sh`, so `make deb` cannot sign."
        )

    near, far = session(0), session(9)
    (finding,) = kept(explanations.find(talk(near), timelines([near.recording()])))
    assert "gpgconf --kill" in finding.claim
    assert finding.quotes[0].quote == "error: signing agent socket is gone"
    assert kept(explanations.find(talk(far), timelines([far.recording()]))) == []


def ruling(stage: Any, name: str, words: str, day: int) -> Any:
    """A session in which the person lays something down."""
    act = stage(name, day=day).user("clean up the test database")
    act.refused("Bash", {"command": "docker compose down -v"}, words)
    return act.agent("Understood. The volume with the sample set stays as it is.")


def test_a_rule_said_again_is_one_finding_of_both_sessions(stage: Any) -> None:
    """Two sessions, one ruling, the person's words of both as evidence."""
    one = ruling(stage, "s-1", "never down -v here, that volume holds the sample set petra spent a day loading", 1)
    two = ruling(stage, "s-2", "again: no down -v, the sample set is in that volume", 2)
    (finding,) = kept(rulings.find(talk(one, two)))
    assert "2 sessions" in finding.claim
    assert "never down -v here" in finding.claim
    assert {quote.session_id for quote in finding.quotes} == {"s-1", "s-2"}


@pytest.mark.parametrize("words", ["should we also never log reads?", "ok", "add a column for the price"])
def test_a_question_or_an_order_rules_nothing(stage: Any, words: str) -> None:
    """Without a rule and a reason a turn is an order like any other."""
    act = stage("s").user(words).agent("The column is there, because the table needed one for the price anyway.")
    assert kept(rulings.find(talk(act))) == []


def test_the_ruling_is_told_in_place_of_the_correction(stage: Any) -> None:
    """One turn makes one finding; the person's own words win."""
    act = ruling(stage, "s-1", "no. never down -v here, that volume holds the sample set petra spent a day loading", 1)
    found = kept(prose.find(talk(act), timelines([act.recording()])))
    assert [finding.lens for finding in found] == [rulings.LENS]


def test_a_ruling_names_what_was_refused(stage: Any) -> None:
    """``that file`` says nothing later; the refused edit says which."""
    act = (
        stage("s")
        .user("add the field")
        .refused(
            "Edit",
            {"file_path": "/p/client.gen.ts", "old_string": "a", "new_string": "b"},
            "never edit that file, change the schema instead, otherwise the next run wipes it",
        )
    )
    act.agent("Right: the schema is changed, so that the next run writes the file and wipes nothing.")
    (finding,) = kept(rulings.find(talk(act)))
    assert "refusing an edit of `client.gen.ts`" in finding.claim


def test_a_refusal_said_once_is_an_order(stage: Any) -> None:
    """Words of a refusal that lay nothing down are not told as a rule, whatever they explain."""
    act = (
        stage("s")
        .user("look at the client")
        .refused(
            "Read",
            {"file_path": "/p/client.go"},
            "add a version string to each request, so that they can be told apart",
        )
    )
    act.agent("Each request has a version string, so that they can be told apart.")
    assert kept(rulings.find(talk(act))) == []


def test_a_relayed_review_is_nobodys_rule(stage: Any) -> None:
    """What a reviewing program wrote and a person pasted is no rule and no correction of theirs."""
    act = stage("s").user("fix the stream").agent("Fixed.")
    act.user(
        "In app/stream.ts around lines 76 to 82, the listener must never await cleanup, because that leaks; "
        "change it instead to a one-shot listener."
    )
    act.agent("The listener in `app/stream.ts` must not await `cleanup()`, because the rejection is never handled.")
    assert kept(prose.find(talk(act), timelines([act.recording()]))) == []


def test_an_answer_about_something_else_is_not_tied_to_the_words(stage: Any) -> None:
    """What is said after a correction but not about it is no answer to it."""
    act = stage("s").user("add the cost column").agent("Added.")
    act.user("no, we never use floats for amounts here")
    act.agent("The command never ends, because `pnpm test` starts `vitest` in watch mode and waits for changes.")
    assert all("floats" not in finding.claim for finding in kept(corrections.find(talk(act))))
