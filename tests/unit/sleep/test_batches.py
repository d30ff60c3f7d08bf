"""Batches: which sessions are offered, and how they are put together."""

from dataclasses import replace
from datetime import timedelta

import pytest
from made_sleep import NOW, made_session

from slowwave.facts.limits import CONTEXT_SESSIONS_A_BATCH, MOST_BATCH_BYTES
from slowwave.records.session import Session
from slowwave.sleep.attempts import Attempt
from slowwave.sleep.batch_plan import as_planned, read_plan
from slowwave.sleep.batches import Grouping, group, is_settled, offer

HOW = Grouping(now=NOW)


def all_new(session: Session) -> tuple[int, ...]:
    """As if no night had been."""
    return tuple(1 for _ in session.files)


def all_known(session: Session) -> tuple[int, ...]:
    """As if everything had been read."""
    return tuple(file.lines + 1 for file in session.files)


def test_every_session_is_in_exactly_one_count() -> None:
    """Eligible, known, unsettled, copied and empty sessions add up to all that were found."""
    sessions = [
        made_session("old"),
        made_session("fresh", hours=0.5),
        replace(made_session("copy"), relation="prefix"),
        made_session("void", sizes=(0,)),
        made_session("read"),
    ]
    found = offer(sessions, lambda s: all_known(s) if s.id == "read" else all_new(s), NOW)
    assert [session.id for session, _ in found.sessions] == ["old"]
    assert [session.id for session in found.known] == ["read"]
    assert (found.unsettled, found.copies, found.empty) == (1, 1, 1)


def test_a_fork_is_offered_and_a_prefix_is_not() -> None:
    """A session that only repeats the beginning of another has nothing of its own; a fork has."""
    sessions = [replace(made_session("fork"), relation="fork"), replace(made_session("prefix"), relation="prefix")]
    found = offer(sessions, all_new, NOW)
    assert [session.id for session, _ in found.sessions] == ["fork"]


def test_a_grown_side_file_makes_a_session_new_again() -> None:
    """It is enough that one file of a session has a line behind its mark."""
    session = made_session("s", sizes=(9_000, 500))
    found = offer([session], lambda _: (91, 5), NOW)
    assert found.sessions == ((session, (91, 5)),)
    assert offer([session], lambda _: (91, 6), NOW).known == (session,)


def test_again_offers_what_is_known() -> None:
    """With ``again`` the marks do not count."""
    session = made_session("s", sizes=(900, 100))
    assert offer([session], all_known, NOW, again=True).sessions == ((session, (1, 1)),)


def test_small_sessions_are_counted_among_the_eligible() -> None:
    """A session under 8 KiB is looked at and counted as small."""
    found = offer([made_session("small", sizes=(8_191,)), made_session("large", sizes=(8_192,))], all_new, NOW)
    assert (len(found.sessions), found.small) == (2, 1)


@pytest.mark.parametrize(("seconds", "settled"), [(3_599, False), (3_600, True), (-5, True)])
def test_a_session_is_settled_after_an_hour(seconds: int, settled: bool) -> None:
    """An hour of silence settles a session; one that ended in the future has a wrong clock and never would."""
    session = replace(made_session("s"), ended=NOW - timedelta(seconds=seconds))
    assert is_settled(session, NOW) is settled


def test_without_a_moment_the_files_time_decides() -> None:
    """A record without any timestamp is settled by when its file was last written."""
    session = made_session("s")
    at = int((NOW - timedelta(minutes=10)).timestamp() * 1e9)
    files = tuple(replace(file, identity=replace(file.identity, mtime_ns=at)) for file in session.files)
    assert not is_settled(replace(session, ended=None, files=files), NOW)
    assert is_settled(replace(session, ended=None), NOW)


def test_batches_hold_one_project_and_ten_sessions_newest_first() -> None:
    """Twelve sessions of a project make two batches; the project with the newest session comes first."""
    shop = [made_session(f"shop-{n:02d}", hours=50 + n) for n in range(12)]
    other = [made_session("other", hours=60.5, project="other"), made_session("late", hours=10, project="late")]
    plans = group(offer([*shop, *other], all_new, NOW), HOW)
    assert [(plan.number, plan.project, len(plan.new)) for plan in plans] == [
        (1, "late", 1),
        (2, "shop", 10),
        (3, "shop", 2),
        (4, "other", 1),
    ]
    assert plans[1].new[0] == "shop-00"


def test_a_batch_holds_no_more_bytes_than_fit_into_memory() -> None:
    """Large sessions are spread over batches, and one that is larger than the bound stands alone."""
    half = MOST_BATCH_BYTES // 2
    sizes = {"a": half, "b": half, "c": 100, "d": MOST_BATCH_BYTES * 2, "e": 100}
    sessions = [made_session(name, hours=10 + at, sizes=(size,)) for at, (name, size) in enumerate(sizes.items())]
    assert [plan.new for plan in group(offer(sessions, all_new, NOW), HOW)] == [
        ("a", "b"),
        ("c",),
        ("d",),
        ("e",),
    ]


def test_context_sessions_are_the_newest_known_ones_of_the_project() -> None:
    """Beside the new sessions stand as many known ones of the same project, with nothing new in them."""
    known = [made_session(f"known-{n:02d}", hours=100 + n) for n in range(CONTEXT_SESSIONS_A_BATCH + 3)]
    stranger = made_session("stranger", hours=99, project="other")
    new = made_session("new")
    found = offer([*known, stranger, new], lambda s: all_new(s) if s.id == "new" else all_known(s), NOW)
    (plan,) = group(found, HOW)
    assert plan.context == tuple(session.id for session in known[:CONTEXT_SESSIONS_A_BATCH])
    assert plan.new_from[plan.context[0]] == (91,)
    assert plan.new_from[new.id] == (1,)


def test_sessions_without_a_project_are_grouped_by_their_folder() -> None:
    """Where no record says where it was worked, the file's folder stands for the project."""
    plans = group(offer([made_session("a", project=""), made_session("b", project="")], all_new, NOW), HOW)
    assert [sorted(plan.new) for plan in plans] == [["a", "b"]]


def test_a_plan_comes_back_from_its_json() -> None:
    """What is written down before a batch is worked on reads back equal."""
    (plan,) = group(offer([made_session("a", sizes=(9_000, 300))], all_new, NOW), HOW)
    assert read_plan(plan.written()) == plan
    assert plan.bytes == 9_300


def test_the_order_of_sessions_does_not_matter() -> None:
    """The same sessions in another order give the same plans."""
    sessions = [made_session(f"s{n}", hours=5 + n % 3, project=f"p{n % 2}") for n in range(8)]
    assert group(offer(sessions, all_new, NOW), HOW) == group(offer(sessions[::-1], all_new, NOW), HOW)


def test_a_session_is_worked_on_with_the_files_it_was_planned_with() -> None:
    """A side file that came later, before the others by name, does not move them."""
    session = made_session("s", sizes=(9_000, 500))
    (plan,) = group(offer([session], all_new, NOW), HOW)
    late = replace(session.files[1], path=session.root / "s" / "agent-0.jsonl")
    grown = replace(
        session,
        side_files=(late.path, session.files[1].path),
        files=(session.files[0], late, session.files[1]),
    )
    worked = as_planned(plan, grown)
    assert worked is not None
    assert worked.files == session.files
    assert worked.side_files == session.side_files


def test_a_session_whose_file_is_gone_or_shorter_is_not_worked_on() -> None:
    """What was planned and is no longer there whole is left for another night."""
    session = made_session("s", sizes=(9_000, 500))
    (plan,) = group(offer([session], all_new, NOW), HOW)
    shorter = replace(session.files[1], bytes_read=400)
    assert as_planned(plan, replace(session, files=(session.files[0], shorter))) is None
    assert as_planned(plan, replace(session, files=session.files[:1], side_files=())) is None


def test_what_its_host_is_about_to_delete_comes_first() -> None:
    """A session in its last five days is read before newer ones; one that outlived them is in no hurry."""
    ages = {"new": 2, "expiring": 27 * 24, "kept": 40 * 24}
    found = offer([made_session(name, hours=age, project=name) for name, age in ages.items()], all_new, NOW)
    assert [plan.new[0] for plan in group(found, HOW)] == ["expiring", "new", "kept"]


def test_the_oldest_batch_is_second_where_there_is_a_backlog() -> None:
    """New sessions each day do not starve history."""
    sessions = [made_session(f"s{day}", hours=24 * day, project=f"p{day}") for day in (1, 2, 3, 4)]
    plans = group(offer(sessions, all_new, NOW), replace(HOW, has_backlog=True))
    assert [plan.new[0] for plan in plans] == ["s1", "s4", "s2", "s3"]


def test_small_sessions_stand_apart_where_another_engine_reads_them() -> None:
    """Under the bound they share no batch with larger ones."""
    sessions = [made_session("a", sizes=(9_000,)), made_session("b", sizes=(900,)), made_session("c", sizes=(9_000,))]
    plans = group(offer(sessions, all_new, NOW), replace(HOW, least_bytes=8_192))
    assert sorted(sorted(plan.new) for plan in plans) == [["a", "c"], ["b"]]


def test_what_failed_together_comes_back_in_halves_until_it_stands_alone() -> None:
    """Half of the batch that failed, then half of that; sessions that never failed stay together and come first."""
    sessions = [made_session(f"s{n}", hours=10 + n) for n in range(6)]
    failed = Attempt(failures=1, alone=0, size=4, bytes=sessions[0].bytes, code="answer_refused")
    attempts = {session.id: failed for session in sessions[:4]}
    plans = group(offer(sessions, all_new, NOW, attempts=attempts), replace(HOW, attempts=attempts))
    assert [plan.new for plan in plans] == [("s4", "s5"), ("s0", "s1"), ("s2", "s3")]
    again = {session.id: replace(failed, size=2) for session in sessions[:4]}
    plans = group(offer(sessions, all_new, NOW, attempts=again), replace(HOW, attempts=again))
    assert [len(plan.new) for plan in plans] == [2, 1, 1, 1, 1]


def test_three_failures_alone_set_a_session_aside_until_it_grows_or_is_asked_for() -> None:
    """It is counted, not dropped: new bytes or ``--again`` offer it anew."""
    session = made_session("poison")
    attempts = {session.id: Attempt(failures=5, alone=3, size=1, bytes=session.bytes, code="answer_refused")}
    found = offer([session], all_new, NOW, attempts=attempts)
    assert (found.sessions, found.aside) == ((), (session,))
    assert offer([session], all_new, NOW, again=True, attempts=attempts).aside == ()
    grown = replace(session, bytes=session.bytes + 1)
    assert offer([grown], all_new, NOW, attempts=attempts).aside == ()


def test_context_of_the_same_folder_and_branch_comes_before_newer_sessions() -> None:
    """The most related sessions stand beside a batch."""
    new = replace(made_session("new"), branch="cart", cwd="/work/shop")
    near = replace(made_session("near", hours=90), branch="cart", cwd="/work/shop")
    far = replace(made_session("far", hours=20), branch="main", cwd="/work/other")
    found = offer([new, near, far], lambda s: all_new(s) if s.id == "new" else all_known(s), NOW)
    (plan,) = group(found, HOW)
    assert plan.context == ("near", "far")
