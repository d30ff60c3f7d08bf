"""Law 16: a source that is suddenly empty stops the night, which asks; nothing is changed before it is answered.

The other half, a night that would retire more than its share, waits for the phase that retires: no night retires yet.
"""

import shutil
from datetime import timedelta

import pytest
from made_nights import Place, fingerprint, fix_session, promise_session, write_all

from slowwave.sleep.preflight import SourceEmptiedError

CACHES = ("index.db", "search.db", "locks")


def filled(place: Place) -> Place:
    """The place with sessions of two agents' folders, read by one night."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    place.sleep()
    place.now += timedelta(days=1)
    return place


def empty(place: Place) -> None:
    """The folder is there and nothing is in it, as when a disk is not mounted."""
    shutil.rmtree(place.transcripts)
    place.transcripts.mkdir()


@pytest.mark.parametrize("is_gone", [False, True])
def test_law_16_an_emptied_source_stops_the_night_and_changes_nothing(place: Place, is_gone: bool) -> None:
    """Full yesterday and empty or gone today: the night stops, says what it saw and how to go on, again and again."""
    empty(filled(place))
    if is_gone:
        place.transcripts.rmdir()
    refs = place.git("for-each-ref")
    for _ in range(2):
        with pytest.raises(SourceEmptiedError) as stopped:
            place.sleep()
        assert f"{place.transcripts} held 3 sessions" in stopped.value.message
        assert "--accept-empty" in stopped.value.hint
        place.now += timedelta(days=1)
    assert place.git("for-each-ref") == refs
    assert len(place.house.review_list()) == 2


def test_law_16_a_dry_run_stops_too_and_writes_nothing(place: Place) -> None:
    """What a night would stop at stops a dry run, byte for byte without a trace."""
    empty(filled(place))
    place.close()
    before = fingerprint(place.home, without=CACHES)
    with pytest.raises(SourceEmptiedError):
        place.sleep(dry_run=True)
    place.close()
    assert fingerprint(place.home, without=CACHES) == before


def test_law_16_the_command_says_so_with_a_code(place: Place) -> None:
    """A script sees exit status 1 and the code ``source_emptied``; its answer lets the night go on once and for all."""
    empty(filled(place))
    place.close()
    refused = place.run("sleep")
    assert (refused.status, refused.code) == (1, "source_emptied")
    assert "--accept-empty" in refused.err
    answered = place.run("sleep", "--accept-empty")
    assert answered.status == 0, answered.err
    assert place.run("sleep").status in (0, 3)


def test_law_16_what_comes_back_is_not_read_again(place: Place) -> None:
    """When the folder is back nothing is proposed twice."""
    filled(place)
    kept = place.transcripts.with_name("kept")
    shutil.copytree(place.transcripts, kept)
    empty(place)
    with pytest.raises(SourceEmptiedError):
        place.sleep()
    shutil.rmtree(place.transcripts)
    shutil.copytree(kept, place.transcripts)
    night = place.sleep()
    assert (night["memories"], night["tasks"]) == ([], [])


def test_law_16_one_of_two_sources_is_enough(place: Place) -> None:
    """The night stops when one folder is emptied, however full the other one is."""
    other = place.home.parent / "other"
    write_all(other, [fix_session(7, project="bakery"), fix_session(8, day=6, project="bakery")])
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    place.house.initialise(transcripts=(place.transcripts, other))
    place.sleep()
    shutil.rmtree(other)
    other.mkdir()
    place.now += timedelta(days=1)
    with pytest.raises(SourceEmptiedError, match="other held 2 sessions"):
        place.sleep()
