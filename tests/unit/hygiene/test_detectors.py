"""Detectors: what each sees, the evidence it names, and what it leaves alone."""

from collections.abc import Sequence

import pytest
from small_contexts import Beat, bash, call, claude_code, lines, notice, read, say, user

from slowwave.hygiene import stubs
from slowwave.hygiene.detectors import find_hits
from slowwave.hygiene.detectors.noise import noise_lines
from slowwave.hygiene.document import read_document
from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene, read_scene


def _scene(beats: Sequence[Beat]) -> Scene:
    return read_scene(read_document(claude_code(beats)))


def _hits(beats: Sequence[Beat]) -> dict[str, Hit]:
    scene = _scene(beats)
    return {scene.context.items[number].id: hit for number, hit in find_hits(scene).items()}


def test_the_same_call_with_the_same_output_is_told_once() -> None:
    """The same call with the same output is told once."""
    found = _hits([bash("git status", lines(30)), say("Hm."), bash("git status", lines(30))])
    assert found["result:toolu_0000"].detector is Detector.DUP_CALL
    assert found["result:toolu_0000"].evidence == {"same_as": "result:toolu_0002"}
    assert "result:toolu_0002" not in found


def test_the_same_output_of_another_call_is_another_thing() -> None:
    """The same output of another call is another thing."""
    found = _hits([bash("cat a", lines(30)), bash("ls b", lines(30))])
    assert found["result:toolu_0000"].detector is Detector.POLL
    assert not _hits([call("A", lines(30)), call("B", lines(30))])


def test_a_read_is_old_once_the_file_is_written() -> None:
    """A read is old once the file is written."""
    edit = call("Edit", "done", file_path="/shop/cart.py", old_string="a", new_string="b")
    found = _hits([read("/shop/cart.py", lines(40)), edit])
    assert found["result:toolu_0000"].detector is Detector.STALE_READ
    assert found["result:toolu_0000"].evidence["written_by"] == "result:toolu_0001"


def test_a_read_is_old_once_the_file_is_read_whole_again() -> None:
    """A read is old once the file is read whole again."""
    found = _hits([read("/shop/cart.py", lines(40)), say("Hm."), read("/shop/cart.py", lines(41))])
    assert found["result:toolu_0000"].evidence["read_again_by"] == "result:toolu_0002"


def test_a_partial_read_makes_no_whole_one_old() -> None:
    """A partial read makes no whole one old."""
    part = call("Read", lines(40, "other"), file_path="/shop/cart.py", offset=10, limit=40)
    assert not _hits([read("/shop/cart.py", lines(45)), part])


@pytest.mark.parametrize("edit", [call("Edit", "no", is_error=True, file_path="/shop/cart.py", new_string="b")])
def test_a_write_that_failed_makes_nothing_old(edit: Beat) -> None:
    """A write that failed makes nothing old."""
    assert not _hits([read("/shop/cart.py", lines(40)), edit])


def test_a_shell_reads_and_writes_too() -> None:
    """A shell reads and writes too."""
    found = _hits([bash("cat shop/cart.py", lines(40)), bash("sed -i s/a/b/ shop/cart.py", "")])
    assert found["result:toolu_0000"].detector is Detector.STALE_READ


def test_earlier_runs_of_a_suite_go_but_for_the_last_that_failed() -> None:
    """Earlier runs of a suite go but for the last that failed."""
    runs = [
        bash("pytest -q", lines(30, "a failed"), is_error=True),
        bash("pytest -q", lines(30, "b failed"), is_error=True),
        bash("pytest -q", lines(30, "c passed")),
        bash("pytest -q", lines(30, "d passed")),
    ]
    found = _hits(runs)
    assert {name for name, hit in found.items() if hit.detector is Detector.SUPERSEDED_RUN} == {
        "result:toolu_0000",
        "result:toolu_0002",
    }


def test_answers_that_differ_in_numbers_alone_are_polls() -> None:
    """Answers that differ in numbers alone are polls."""

    def poll(seconds: int) -> Beat:
        return call("JobStatus", "\n".join([f"running for {seconds} s"] * 20), job="7")

    found = _hits([poll(1), poll(20), poll(300)])
    assert {name: hit.detector for name, hit in found.items()} == {
        "result:toolu_0000": Detector.POLL,
        "result:toolu_0001": Detector.POLL,
    }


def test_a_search_whose_hit_was_opened_has_served() -> None:
    """A search whose hit was opened has served."""
    listing = "\n".join(f"/shop/part_{name}.py: def total" for name in "abcdefghijklmnopqrstuvwxyz" * 2)
    found = _hits([call("Grep", listing, pattern="total"), read("/shop/part_k.py", "x")])
    hit = found["result:toolu_0000"]
    assert hit.detector is Detector.CONSUMED_SEARCH
    assert hit.words == {"part_k.py"}
    assert hit.evidence["opened_by"] == "result:toolu_0001"


def test_an_error_told_again_and_got_past_is_told_once() -> None:
    """An error told again and got past is told once."""
    failed = "\n".join(["Error: the module shop cannot be found"] + ["  at a place"] * 20)
    found = _hits(
        [
            bash("node a.js", failed, is_error=True),
            bash("node b.js", failed, is_error=True),
            bash("node c.js", "fine"),
        ]
    )
    assert found["result:toolu_0000"].detector is Detector.ERROR_ECHO
    assert found["result:toolu_0000"].evidence == {
        "told_again_by": "result:toolu_0001",
        "passed_by": "result:toolu_0002",
    }
    assert "result:toolu_0001" not in found


def test_an_error_nobody_got_past_stays() -> None:
    """An error nobody got past stays."""
    failed = "\n".join(["Error: the module shop cannot be found"] * 20)
    assert not _hits([bash("a", failed, is_error=True), bash("a", failed, is_error=True)]).get("result:toolu_0001")


def test_a_notice_put_in_three_times_stays_once() -> None:
    """A notice put in three times stays once."""
    text = "Remember that the list of things to do is empty. " * 6
    found = _hits([notice(text), say("a"), notice(text), say("b"), notice(text)])
    assert [hit.detector for hit in found.values()] == [Detector.REINJECTED] * 2
    assert not _hits([notice(text), say("a"), notice(text)])


def test_old_pictures_go_and_the_words_beside_them_stay() -> None:
    """Old pictures go and the words beside them stay."""
    picture = [
        {"type": "text", "text": "the page"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
    ]
    beats = [call("Screenshot", picture), *(say("on we go") for _ in range(12))]
    hit = _hits(beats)["result:toolu_0000"]
    assert (hit.detector, hit.only_noise) == (Detector.MEDIA_OLD, True)


def test_large_old_results_are_bulk() -> None:
    """Large old results are bulk."""
    beats = [call("Fetch", lines(60)), *(say("on we go") for _ in range(16))]
    assert _hits(beats)["result:toolu_0000"].detector is Detector.BULK_OLD
    assert not _hits(beats[:10])
    assert not _hits([call("Fetch", lines(5)), *beats[1:]])


def test_progress_and_repeats_are_noise() -> None:
    """Progress and repeats are noise."""
    told = [
        *(f"\x1b[32mfetching {done:3}% [{'#' * (done // 5):<20}]\x1b[0m" for done in range(0, 101, 5)),
        "done",
        "done",
    ]
    gone = noise_lines(told)
    assert gone == set(range(20)) | {22}  # the last state stays, and one "done"


def test_lines_that_differ_in_more_than_progress_are_no_noise() -> None:
    """Lines that differ in more than progress are no noise."""
    assert noise_lines(["opened port 8001", "opened port 8002", "opened port 8003"]) == set()
    assert noise_lines(["a", "", "", "", "b"]) == {2, 3}


def test_what_was_pruned_before_is_seen_by_no_detector() -> None:
    """What was pruned before is seen by no detector."""
    scene = _scene([bash("git status", lines(30)), bash("git status", lines(30)), user("go on")])
    assert find_hits(scene)
    line = stubs.stub(tool="Bash", characters=9_000, lines=90, reason="dup_call", digest="0" * 16)
    stub = stubs.trimmed(line, [(3, "what stayed " * 20)], 90)
    stubbed = [bash("git status", stub), bash("git status", stub), user("go on")]
    assert not find_hits(_scene(stubbed))
