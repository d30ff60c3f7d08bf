"""Re-fetching: what was taken out of the beginning of a recording and was wanted again in its rest."""

from collections.abc import Sequence

from small_contexts import MAKERS, Beat, bash, call, claude_code, codex, lines, read, say, user

from slowwave.hygiene.document import of_messages, read_document
from slowwave.hygiene.refetch import CUTS, Refetched, refetched

NEWEST = [bash(f"tool {letter}", f"out {letter}") for letter in "abcde"]
EARLY = [user("Begin."), bash("git status", lines(40)), say("Hm."), bash("git status", lines(40)), *NEWEST]
AGAIN = bash("git status", lines(41))


def _of(beats: Sequence[Beat]) -> Refetched:
    return refetched(read_document(claude_code(beats)))


def _long(*late: Beat) -> list[Beat]:
    """Work whose beginning is old at each cut, and what comes at its very end."""
    return [*EARLY, user("Thanks."), user("Go on."), *[say("On we go.") for _ in range(60)], *late]


def test_nothing_is_wanted_where_nothing_was_taken_out() -> None:
    """A short recording, one without anything dead, a list that has no beginning of its own."""
    assert _of([user("Hm.")]) == Refetched()
    assert _of([user("Hm."), *[say("On we go.") for _ in range(40)]]) == Refetched()
    assert refetched(read_document(MAKERS["openai-chat"](_long(AGAIN)))) == Refetched()
    assert refetched(of_messages([{"role": "user", "content": "x"}])) == Refetched()


def test_an_item_is_counted_at_each_cut_at_which_it_would_have_gone() -> None:
    """Nobody came back to it."""
    assert _of(_long()) == Refetched(pruned=3)


def test_the_very_call_made_again_is_a_repeat_but_no_need_where_a_newer_result_was_there() -> None:
    """Whoever runs it again does not do it for want of the old output."""
    assert _of(_long(AGAIN)) == Refetched(pruned=3, repeated=3, either=3)
    assert _of(_long(bash("git log", lines(40)))) == Refetched(pruned=3)


def test_a_token_that_is_wanted_and_is_gone_is_a_need() -> None:
    """Names remain by themselves; a token of words that were lost each in another place does not."""
    stale = read("/shop/cart.py", lines(40) + "\nrow ab of the log, as-it-was-once")
    edit = call("Edit", "ok", file_path="/shop/cart.py", old_string="a", new_string="b")
    early = [user("Begin."), stale, edit, *NEWEST, user("Thanks."), user("Go on.")]
    rest = [say("On we go.") for _ in range(60)]
    assert _of([*early, *rest, say("what was as-it-was-once")]).named == 0  # it is a name, and stayed
    assert _of([*early, *rest, bash("grep x", "y")]).either == 0


def test_a_large_old_output_asked_for_again_is_needed() -> None:
    """No newer result stood there."""
    big = call("Fetch", lines(60), url="x")
    early = [user("Begin."), big, *[say("On we go.") for _ in range(20)], *NEWEST, user("Thanks."), user("Go on.")]
    found = _of([*early, *[say("On we go.") for _ in range(90)], call("Fetch", lines(60), url="x")])
    assert found.pruned >= 1
    assert (found.repeated, found.needed) == (found.pruned, found.pruned)


def test_counts_add_up() -> None:
    """Over cuts and over recordings."""
    one = Refetched(pruned=3, repeated=1, named=1, either=2, needed=1)
    assert one + one == Refetched(pruned=6, repeated=2, named=2, either=4, needed=2)
    assert list(CUTS) == sorted(CUTS)


def test_every_form_of_lines_is_asked() -> None:
    """Also a rollout of Codex."""
    assert refetched(read_document(codex(_long(AGAIN)))).repeated > 0
