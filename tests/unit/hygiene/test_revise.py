"""Any sequence of growing, curating, forking, restoring and undoing leads back to any revision, with what was added."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_revisions import (
    FIRST,
    OLD,
    SECOND,
    THIRD,
    change,
    curate,
    grow,
    line,
    lines,
    pieces,
    renamed,
    revisions,
    sha,
    stubbed,
    write,
)

from slowwave.disk.fence import FenceError
from slowwave.facts.refusal import DamageError, NothingToDoError, UsageError
from slowwave.hygiene.entries import (
    AmbiguousRevisionError,
    Cause,
    Entry,
    PurgedError,
    UnknownRevisionError,
    belonging,
    kept,
    lineage,
    purged,
    resolve,
)
from slowwave.hygiene.live import LiveWriterError
from slowwave.hygiene.placing import StaleError, TargetExistsError, lines_of
from slowwave.hygiene.revise import Revisions

BEGIN = lines(FIRST, "a", "long b", "c", "long d")


@pytest.fixture
def log(tmp_path: Path) -> Revisions:
    """An empty log."""
    return revisions(tmp_path / "home")


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session that rests."""
    return write(tmp_path / "first.jsonl", BEGIN)


def entry(sequence: int, before: str, after: str, **more: Any) -> Entry:
    """An entry about made-up revisions, each of a hundred bytes."""
    facts: dict[str, Any] = {"cause": Cause.APPLY, "before_length": 100, "after_length": 100, **more}
    return Entry(sequence=sequence, at="", actor="ann", before=before, after=after, **facts)


def original(log: Revisions, revision: str) -> bytes:
    """An original, whole."""
    with log.blob(revision) as stream:
        return stream.read()


# What a change does


def test_a_fork_is_written_beside_its_source(log: Revisions, session: Path, tmp_path: Path) -> None:
    """The source is untouched, the mode is kept, and the entry says all that was told."""
    session.chmod(0o640)
    fork = tmp_path / "second.jsonl"
    operations = [
        {"op": "prune_tool_results", "rationale": "done", "items": [{"id": "r1", "before": "x", "after": "y"}]}
    ]
    made = log.commit(
        change(
            session, fork, stubbed(BEGIN), session_old=FIRST, session_new=SECOND, operations=operations,
            rejected=[{"op": 1, "code": "PINNED"}], tokens_before=100, tokens_after=40, flagged=[3], profile="p" * 64,
        )
    )  # fmt: skip
    assert session.read_bytes() == BEGIN
    assert fork.read_bytes() == stubbed(BEGIN)
    assert fork.stat().st_mode & 0o777 == 0o640
    assert (made.before, made.before_length) == (sha(BEGIN), len(BEGIN))
    assert (made.after, made.after_length) == (sha(stubbed(BEGIN)), len(stubbed(BEGIN)))
    assert (made.sequence, made.generation, made.follows, made.cause, made.actor) == (1, 1, 0, Cause.APPLY, "ann")
    assert (made.source, made.target, made.is_in_place) == (str(session), str(fork), False)
    assert (made.session_old, made.session_new, made.profile) == (FIRST, SECOND, "p" * 64)
    assert (made.operations, made.rejected, made.flagged) == (operations, [{"op": 1, "code": "PINNED"}], [3])
    assert (made.tokens_before, made.tokens_after) == (100, 40)
    assert list(log.entries()) == [made]
    assert log.history(fork) == (made,)
    assert log.history(session) == ()
    assert original(log, made.before[:8]) == BEGIN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.jsonl", "home", "second.jsonl"]


def test_a_file_is_replaced_in_its_place(log: Revisions, session: Path, tmp_path: Path) -> None:
    """Its mode is kept, its original stored, nothing is left beside it."""
    session.chmod(0o600)
    made = curate(log, session, session)
    assert session.read_bytes() == stubbed(BEGIN)
    assert session.stat().st_mode & 0o777 == 0o600
    assert made.is_in_place
    assert original(log, made.before) == BEGIN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.jsonl", "home"]


def test_a_source_that_changed_is_stale(log: Revisions, session: Path, tmp_path: Path) -> None:
    """Changed, cut or grown since it was planned on: nothing is written, not even an original."""
    for target in (session, tmp_path / "second.jsonl"):
        for now in (BEGIN[:-1], BEGIN.replace(b"a", b"A", 1), BEGIN + line(FIRST, "more"), b""):
            write(session, BEGIN)
            planned = change(session, target, stubbed(BEGIN))
            write(session, now)
            with pytest.raises(StaleError) as caught:
                log.commit(planned)
            assert (caught.value.code, caught.value.exit_status) == ("STALE_REVISION", 1)
            assert session.read_bytes() == now
    assert not (tmp_path / "second.jsonl").exists()
    assert list(log.entries()) == []
    audit = log.verify()
    assert (audit.flaws, audit.notes, audit.originals) == ((), (), 0)


def test_growth_is_passed_on_where_the_caller_can(log: Revisions, session: Path, tmp_path: Path) -> None:
    """What was appended since planning goes behind the new content, and the original has it too."""
    fork = tmp_path / "second.jsonl"

    def growth(chunks: Iterator[bytes]) -> Iterator[bytes]:
        return (renamed(each, FIRST, SECOND) for each in lines_of(chunks))

    planned = change(session, fork, stubbed(BEGIN), growth=growth, proved=sha(stubbed(BEGIN)))
    grow(session, lines(FIRST, "e", "f"))
    made = log.commit(planned)
    assert fork.read_bytes() == stubbed(BEGIN) + lines(SECOND, "e", "f")
    assert original(log, made.before) == BEGIN + lines(FIRST, "e", "f")


def test_content_that_was_not_proved_is_not_written(log: Revisions, session: Path) -> None:
    """What is written is what was proved, byte for byte."""
    with pytest.raises(StaleError):
        log.commit(change(session, session, stubbed(BEGIN), proved=sha(BEGIN)))
    assert session.read_bytes() == BEGIN
    assert log.verify().flaws == ()


def test_content_that_cannot_be_made_leaves_nothing(log: Revisions, session: Path, tmp_path: Path) -> None:
    """Whatever is raised while it is made, the file is as it was and the folder too."""

    def broken() -> Iterator[bytes]:
        yield b"half"
        raise NothingToDoError("stop")

    with pytest.raises(NothingToDoError):
        log.commit(change(session, tmp_path / "second.jsonl", b"", content=broken))
    audit = log.verify()
    assert (audit.flaws, audit.notes) == ((), ())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.jsonl", "home"]


def test_a_taken_name_is_refused(log: Revisions, session: Path, tmp_path: Path) -> None:
    """A fork never lands on a file, nor on its own source by accident; a replacement never elsewhere."""
    taken = write(tmp_path / "second.jsonl", b"mine\n")
    for target in (taken, session):
        with pytest.raises(TargetExistsError):
            log.commit(change(session, target, b"x", is_in_place=False))
    with pytest.raises(UsageError):
        log.commit(change(session, tmp_path / "third.jsonl", b"x", is_in_place=True))
    assert taken.read_bytes() == b"mine\n"
    assert session.read_bytes() == BEGIN


def test_links_are_refused(log: Revisions, session: Path, tmp_path: Path) -> None:
    """As a source, as a target, and in place, dangling ones too."""
    link, dangling = tmp_path / "link.jsonl", tmp_path / "dangling.jsonl"
    link.symlink_to(session)
    dangling.symlink_to(tmp_path / "nowhere.jsonl")
    for source, target in ((link, tmp_path / "new.jsonl"), (session, link), (session, dangling), (link, link)):
        with pytest.raises(FenceError):
            log.commit(change(source, target, b"x"))
    with pytest.raises(FenceError):
        log.history(link)
    assert session.read_bytes() == BEGIN
    assert not (tmp_path / "nowhere.jsonl").exists()


def test_what_is_no_file_is_refused(log: Revisions, session: Path, tmp_path: Path) -> None:
    """A folder, and a file that is not there."""
    with pytest.raises(NothingToDoError):
        log.history(tmp_path / "none.jsonl")
    with pytest.raises(FenceError):
        log.history(tmp_path)


def test_replacing_a_file_by_its_own_bytes_is_nothing(log: Revisions, session: Path) -> None:
    """No entry, no original; nor is a file made empty, since nothing could be known again by that."""
    for content in (BEGIN, b""):
        with pytest.raises(NothingToDoError):
            log.commit(change(session, session, content))
    assert list(log.entries()) == []
    assert log.verify().notes == ()


def test_a_live_file_is_not_replaced(log: Revisions, session: Path, tmp_path: Path) -> None:
    """It may be forked; and what we wrote ourselves may be replaced at once."""
    with session.open("ab"), pytest.raises(LiveWriterError):
        curate(log, session, session)
    fork = tmp_path / "second.jsonl"
    curate(log, session, fork, old=FIRST, new=SECOND)
    write(fork, fork.read_bytes(), at=OLD + 86_400)
    log.undo(fork, fork, rename=renamed, actor="ann")
    assert fork.read_bytes() == BEGIN


# Names of revisions


def test_a_revision_is_named_by_its_first_digits(log: Revisions, session: Path) -> None:
    """Eight or more, in either case; too few, none and none such are told apart."""
    made = curate(log, session, session)
    for text in (made.before[:8], made.before[:16], made.before, made.before.upper(), f" {made.before[:9]}\n"):
        assert log.resolve(text) == made.before
    assert log.resolve(made.after[:8]) == made.after
    for text in ("", made.before[:7], "not hex at all", made.before[:8] + "/"):
        with pytest.raises(AmbiguousRevisionError) as few:
            log.resolve(text)
        assert few.value.exit_status == 2
    with pytest.raises(UnknownRevisionError) as none:
        log.resolve("0" * 16)
    assert none.value.exit_status == 3


def test_digits_that_fit_several_revisions_are_refused() -> None:
    """More are asked for."""
    entries = [entry(1, "ab" * 32, "ab" * 16 + "cd" * 16)]
    assert resolve(entries, "ab" * 16 + "c") == "ab" * 16 + "cd" * 16
    with pytest.raises(AmbiguousRevisionError):
        resolve(entries, "ab" * 16)


def test_a_file_belongs_to_what_wrote_most_of_it() -> None:
    """More bytes count first, then its own path, then the later entry; a digest that does not fit counts never."""
    short = entry(1, "x", "a", after_length=10, target="/here")
    there = entry(2, "y", "b", target="/there")
    here = entry(3, "z", "b", target="/here")
    later = entry(4, "z", "b", target="/there")
    other = entry(5, "z", "c", target="/here")
    empty = entry(6, "z", "e", target="/here", after_length=0)
    digests = {0: "e", 10: "a", 100: "b"}
    every = [short, there, here, later, other, empty]
    assert belonging(every, digests, Path("/here")) == here
    assert belonging(every, digests, Path("/elsewhere")) == later
    assert belonging([short, other, empty], digests, Path("/here")) == short
    assert belonging([other, empty], digests, Path("/here")) is None


def test_a_history_is_walked_to_its_beginning() -> None:
    """From entry to entry, and never round in a circle."""
    first, second, third = entry(1, "x", "a"), entry(2, "a", "b", follows=1), entry(3, "b", "c", follows=2)
    assert lineage([first, second, third], third) == (third, second, first)
    assert lineage([first, second, third], None) == ()
    assert lineage([entry(1, "x", "a", follows=2), entry(2, "a", "x", follows=2)], entry(2, "a", "x", follows=2)) == (
        entry(2, "a", "x", follows=2),
    )


def test_an_original_that_was_stored_again_is_there_again() -> None:
    """A purge holds until the same bytes are replaced once more."""
    change_of, purge_of = entry(1, "x", "a"), entry(2, "x", "", cause=Cause.PURGE)
    assert purged([change_of, purge_of]) == {"x"}
    assert kept([change_of, purge_of]) == set()
    assert purged([change_of, purge_of, entry(3, "x", "a")]) == set()
    assert kept([change_of, purge_of, entry(3, "x", "a")]) == {"x"}


# Restoring


def test_a_restored_file_is_the_original_with_what_was_added(log: Revisions, session: Path, tmp_path: Path) -> None:
    """Through two forks and what was added to each, with the first session's id in every line."""
    second, third = tmp_path / "second.jsonl", tmp_path / "third.jsonl"
    made = curate(log, session, second, old=FIRST, new=SECOND)
    grow(second, lines(SECOND, "e", "long f"))
    curate(log, second, third, old=SECOND, new=THIRD)
    grow(third, lines(THIRD, "g", "long h"))
    out = tmp_path / "restored.jsonl"
    back = log.restore(third, made.before[:16], out, rename=renamed, actor="ann")
    assert out.read_bytes() == BEGIN + lines(FIRST, "e", "long f", "g", "long h")
    assert (back.cause, back.session_old, back.session_new, back.generation) == (Cause.RESTORE, THIRD, FIRST, 3)
    assert third.read_bytes() == stubbed(BEGIN).replace(FIRST.encode(), THIRD.encode()) + lines(THIRD, "e") + stubbed(
        lines(THIRD, "long f")
    ) + lines(THIRD, "g", "long h")
    assert [each.sequence for each in log.history(out)] == [3, 2, 1]


def test_a_curated_revision_can_be_restored_too(log: Revisions, session: Path) -> None:
    """What a later curation took out comes back, what an earlier one did stays out."""
    made = curate(log, session, session)
    grow(session, lines(FIRST, "e", "short f"))
    curate(log, session, session, word="short")
    grow(session, line(FIRST, "g"))
    log.restore(session, made.after, session, rename=renamed, actor="ann")
    assert session.read_bytes() == stubbed(BEGIN) + lines(FIRST, "e", "short f", "g")
    with pytest.raises(NothingToDoError):
        log.restore(session, made.after, session, rename=renamed, actor="ann")


def test_undoing_takes_one_change_back_and_undoing_that_brings_it_again(log: Revisions, session: Path) -> None:
    """Each is logged, and what is added meanwhile stays."""
    curate(log, session, session)
    grow(session, line(FIRST, "e"))
    undone = log.undo(session, session, rename=renamed, actor="ann")
    assert (undone.cause, session.read_bytes()) == (Cause.UNDO, BEGIN + line(FIRST, "e"))
    grow(session, line(FIRST, "f"))
    log.undo(session, session, rename=renamed, actor="ann")
    assert session.read_bytes() == stubbed(BEGIN) + lines(FIRST, "e", "f")
    assert [each.cause for each in log.history(session)] == [Cause.UNDO, Cause.UNDO, Cause.APPLY]


def test_a_line_that_was_torn_and_is_ended_later_stays_one(log: Revisions, session: Path) -> None:
    """Bytes are put behind bytes, wherever lines end."""
    write(session, BEGIN + b'{"torn":')
    made = curate(log, session, session)
    grow(session, b"1}\n" + line(FIRST, "e"))
    log.restore(session, made.before, session, rename=renamed, actor="ann")
    assert session.read_bytes() == BEGIN + b'{"torn":1}\n' + line(FIRST, "e")


def test_a_file_is_known_by_content_wherever_it_lies(log: Revisions, session: Path, tmp_path: Path) -> None:
    """Moved, copied and grown it has its history; another file in its place has none."""
    made = curate(log, session, session)
    moved = session.rename(tmp_path / "moved.jsonl")
    grow(moved, line(FIRST, "e"))
    write(session, lines(THIRD, "another"))
    assert log.history(session) == ()
    assert log.history(moved) == (made,)
    with pytest.raises(UnknownRevisionError):
        log.undo(session, session, rename=renamed, actor="ann")
    with pytest.raises(UnknownRevisionError):
        log.restore(session, made.before, session, rename=renamed, actor="ann")
    log.undo(moved, tmp_path / "out.jsonl", rename=renamed, actor="ann")
    assert (tmp_path / "out.jsonl").read_bytes() == BEGIN + line(FIRST, "e")


def test_a_moved_curation_is_taken_for_itself(log: Revisions, session: Path, tmp_path: Path) -> None:
    """Where a file lies where an earlier revision of it was written, its own content tells them apart."""
    made = curate(log, session, session)
    other = write(tmp_path / "other.jsonl", session.read_bytes() + lines(FIRST, "e", "short f"))
    curate(log, other, other, word="short")
    other.replace(session)
    log.restore(session, made.before, session, rename=renamed, actor="ann")
    assert session.read_bytes() == BEGIN + lines(FIRST, "e", "short f")


# Purging


def test_a_purged_original_is_gone_and_the_log_says_so(log: Revisions, session: Path) -> None:
    """It cannot be restored, undone, read or purged again, and nothing counts as damaged."""
    made = curate(log, session, session)
    gone = log.purge(made.before[:12], why="it held a name", actor="ann")
    assert (gone.cause, gone.before, gone.why) == (Cause.PURGE, made.before, "it held a name")
    tries: list[Callable[[], object]] = [
        lambda: log.restore(session, made.before, session, rename=renamed, actor="ann"),
        lambda: log.undo(session, session, rename=renamed, actor="ann"),
        lambda: original(log, made.before),
        lambda: log.purge(made.before, why="", actor="ann"),
    ]
    for attempt in tries:
        with pytest.raises(PurgedError) as caught:
            attempt()
        assert caught.value.code == "PURGED"
    audit = log.verify()
    assert (audit.flaws, audit.notes, audit.originals, audit.purged) == ((), (), 0, 1)
    assert session.read_bytes() == stubbed(BEGIN)


def test_what_stands_in_a_purged_original_alone_is_not_made_up(log: Revisions, session: Path) -> None:
    """A revision before it cannot be restored where lines added since stood there; one behind it can."""
    first = curate(log, session, session)
    grow(session, lines(FIRST, "e", "short f"))
    second = curate(log, session, session, word="short")
    log.purge(second.before, why="", actor="ann")
    with pytest.raises(PurgedError):
        log.restore(session, first.before, session, rename=renamed, actor="ann")
    with pytest.raises(PurgedError):
        log.restore(session, first.after, session, rename=renamed, actor="ann")


def test_only_originals_can_be_purged(log: Revisions, session: Path) -> None:
    """A revision that was written is the file itself; a missing original is damage."""
    made = curate(log, session, session)
    with pytest.raises(UnknownRevisionError):
        log.purge(made.after, why="", actor="ann")
    next(path for path in session.parent.rglob(made.before)).unlink()
    with pytest.raises(DamageError):
        log.purge(made.before, why="", actor="ann")


# Any sequence


@dataclass
class World:
    """A session's line of files, and next to it what each revision would be with everything added since."""

    folder: Path
    log: Revisions
    file: Path
    session: str = "s-0"
    numbers: Iterator[int] = field(default_factory=count)
    truths: dict[str, tuple[bytes, str]] = field(default_factory=dict)

    def grow(self, words: list[str]) -> None:
        """The agent goes on."""
        texts = [f"{word} {next(self.numbers)}" for word in words]
        grow(self.file, lines(self.session, *texts))
        self.truths = {
            revision: (truth + lines(session, *texts), session) for revision, (truth, session) in self.truths.items()
        }

    def curate(self, word: str, *, is_fork: bool) -> None:
        """Everything with a word in it is cut, in place or in a fork."""
        target = self.folder / f"{next(self.numbers)}.jsonl" if is_fork else self.file
        new = f"s-{next(self.numbers)}" if is_fork else self.session
        content = self.file.read_bytes()
        if stubbed(content, word) == content and not is_fork:
            return
        made = curate(self.log, self.file, target, old=self.session, new=new, word=word)
        self.truths[made.before] = (content, self.session)
        self.file, self.session = target, new
        self.settle(made)

    def restore(self, number: int) -> None:
        """Back to one of the revisions, in place."""
        revision = sorted(self.truths)[number % len(self.truths)] if self.truths else ""
        content = self.file.read_bytes()
        if revision and content != self.truths[revision][0]:
            made = self.log.restore(self.file, revision, self.file, rename=renamed, actor="ann")
            self.truths[made.before] = (content, self.session)
            assert self.file.read_bytes() == self.truths[revision][0]
            self.session = self.truths[revision][1]
            self.settle(made)

    def settle(self, made: Entry) -> None:
        """The file rests, and is a revision."""
        write(self.file, self.file.read_bytes())
        self.truths[made.after] = (self.file.read_bytes(), self.session)


WORDS = st.sampled_from(["long", "short", "kept"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), st.lists(WORDS, min_size=1, max_size=3)),
        st.tuples(st.just("curate"), st.sampled_from(["long", "short"]), st.booleans()),
        st.tuples(st.just("restore"), st.integers(0, 20)),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=120, deadline=None)
@given(steps=STEPS)
def test_any_sequence_leads_back_to_any_revision(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Any, ...]]
) -> None:
    """Each revision with all that was added after it, once, in order, byte for byte, in its own session."""
    folder = tmp_path_factory.mktemp("world")
    first = write(folder / "first.jsonl", lines("s-0", "long begin", "short begin", "kept begin"))
    world = World(folder=folder, log=revisions(folder / "home", is_locked=False), file=first)
    for name, *arguments in steps:
        if name == "grow":
            world.grow(arguments[0])
        elif name == "curate":
            world.curate(arguments[0], is_fork=arguments[1])
        else:
            world.restore(arguments[0])
    for revision, (truth, _) in world.truths.items():
        out = folder / f"back-{revision[:16]}"
        if truth == world.file.read_bytes():
            continue
        world.log.restore(world.file, revision[:16], out, rename=renamed, actor="ann")
        assert out.read_bytes() == truth
    assert world.log.verify().flaws == ()


@given(content=st.binary(max_size=200), size=st.integers(1, 9))
def test_lines_are_the_same_however_they_are_cut(content: bytes, size: int) -> None:
    """Any pieces of any bytes give the lines of the whole."""
    found = list(lines_of(pieces(content, size)))
    assert b"".join(found) == content
    assert found == [each for each in content.replace(b"\n", b"\n\0").split(b"\0") if each] or b"\0" in content
