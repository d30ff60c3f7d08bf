"""The door: one commit an action, the branch in one step, the checkouts behind it, and nothing of a person's lost."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from slowwave.corpus import packs
from slowwave.corpus.branches import MAIN
from slowwave.corpus.checkout import BusyCheckoutError, DirtyCheckoutError
from slowwave.corpus.door import Commit, Door, SecretInMessageError
from slowwave.corpus.first import FORMAT_PATH, CorpusError
from slowwave.corpus.rebuild import Conflict, Files
from slowwave.corpus.worktree import PENDING
from slowwave.disk.git import Git, RefMovedError
from slowwave.disk.home import Home
from slowwave.facts.ids import MemoryPath
from slowwave.facts.refusal import NewerFormatError, NothingToDoError

GIT = shutil.which("git") or "git"
CommitMaker = Callable[..., Commit]


def as_person(home: Home, *words: str) -> str:
    """A person's own git in the corpus, with their own name and nothing of ours."""
    name = ("-c", "user.name=Robin", "-c", "user.email=robin@example.org")
    return subprocess.run(
        (GIT, *name, *words), cwd=home.corpus, check=True, capture_output=True, text=True
    ).stdout.strip()


def person_writes(home: Home, path: str, content: str) -> None:
    """A person edits a file of their checkout by hand."""
    (home.corpus / path).parent.mkdir(parents=True, exist_ok=True)
    (home.corpus / path).write_text(content)


@pytest.fixture
def proposed(door: Door, one_commit: CommitMaker) -> Door:
    """A corpus with three proposals on ``pending``."""
    commits = [one_commit(f"areas/inbox/{name}.md", f"{name} 1\n".encode(), quotes=("q",)) for name in ("a", "b", "c")]
    door.commit_batch(PENDING, commits, expected=door.main())
    return door


def test_a_corpus_begins_with_its_format_and_a_word_to_people(home: Home, door: Door, moment: datetime) -> None:
    """The first commit is the same on every machine, is checked out, and creating again changes nothing."""
    tip = door.main()
    assert door.create(moment + timedelta(days=9)) == tip
    assert as_person(home, "status", "--porcelain") == ""
    assert as_person(home, "ls-files").split() == [".gitattributes", FORMAT_PATH, "README.md"]
    assert as_person(home, "log", "-1", "--format=%an <%ae> %at") == "slowwave <slowwave@localhost> 1767323045"
    assert tip == "4c737e7738dd653ecf4e45c4fa072494bd32c3a0"


def test_a_batch_is_one_commit_an_action(home: Home, door: Door, one_commit: CommitMaker) -> None:
    """Each action is one commit with its message and moment, and the night's checkout shows the last."""
    commits = [
        one_commit("areas/inbox/a.md", b"a\n", claim="A holds.", quotes=("one", "two")),
        one_commit("areas/inbox/a.md", None, claim="A is gone."),
        one_commit("projects/é b/ü.md", b"\x00\xff\r\n", claim="Bytes stay."),
    ]
    written = door.commit_batch(PENDING, commits, expected=door.main())
    history = door.history(PENDING, since=MAIN)
    assert [item.commit for item in history] == [one.commit for one in written]
    assert [item.message for item in history] == [commit.message for commit in commits]
    assert [item.moment for item in history] == [commit.moment for commit in commits]
    assert [(one.path, one.item) for one in written] == [(c.files[0][0], c.message.item) for c in commits]
    changes = [[(change.path, change.old is None, change.new is None) for change in item.files] for item in history]
    assert changes == [
        [("areas/inbox/a.md", True, False)],
        [("areas/inbox/a.md", False, True)],
        [("projects/é b/ü.md", True, False)],
    ]
    assert (home.night / "projects/é b/ü.md").read_bytes() == b"\x00\xff\r\n"
    assert not (home.night / "areas").exists()
    assert door.tip(MAIN) == door.main()
    assert as_person(home, "status", "--porcelain") == ""


def test_the_same_batch_again_is_the_same_commits(door: Door, one_commit: CommitMaker) -> None:
    """Repeating a batch from its start changes nothing; from elsewhere it is refused and changes nothing."""
    commits = [one_commit(f"areas/inbox/{number}.md", b"x\n") for number in range(3)]
    start = door.main()
    first = door.commit_batch(PENDING, commits, expected=start)
    assert door.commit_batch(PENDING, commits, expected=start) == first
    with pytest.raises(RefMovedError):
        door.commit_batch(PENDING, commits[:1], expected=start)
    assert door.tip(PENDING) == first[-1].commit
    assert door.commit_batch(PENDING, [], expected=None) == ()


def test_the_history_of_one_path_is_what_touched_it(proposed: Door, one_commit: CommitMaker) -> None:
    """For ``why``: only commits that changed the path, oldest first."""
    path = "areas/inbox/b.md"
    proposed.commit_batch(PENDING, [one_commit(path, b"b 2\n", claim="Again.")], expected=proposed.tip(PENDING))
    found = proposed.history(PENDING, path=path)
    assert [item.message.claim if item.message else "" for item in found] == ["It holds.", "Again."]
    assert proposed.history(PENDING, path="areas/inbox") != found


def test_landing_keeps_messages_and_moments(home: Home, proposed: Door) -> None:
    """Two of three land on ``main``; the person's checkout shows them; the third waits on ``pending``."""
    a, b, c = proposed.history(PENDING, since=MAIN)
    landed = proposed.land([a, c], expected=proposed.main())
    assert [one.item for one in landed.written] == [a.item, c.item]
    assert landed.conflicts == ()
    assert as_person(home, "status", "--porcelain") == ""
    assert sorted(path.name for path in (home.corpus / "areas/inbox").iterdir()) == ["a.md", "c.md"]
    on_main = proposed.history(MAIN)[1:]
    assert [(item.raw, item.author, item.moment) for item in on_main] == [(i.raw, i.author, i.moment) for i in (a, c)]
    rebuilt = proposed.rebuild(PENDING, [a, b, c], onto=proposed.main(), expected=c.commit)
    assert [one.item for one in rebuilt.written] == [b.item]
    assert rebuilt.present == (a, c)
    assert [item.item for item in proposed.history(PENDING, since=MAIN)] == [b.item]
    assert (home.night / "areas/inbox/b.md").exists()


def test_a_person_s_work_by_day_is_kept_below_the_night_s(home: Home, proposed: Door) -> None:
    """Commits on ``main`` come under ``pending``; edits not committed stay as they are."""
    person_writes(home, "areas/mine.md", "mine\n")
    as_person(home, "add", "areas/mine.md")
    as_person(home, "commit", "-q", "-m", "Mine")
    person_writes(home, "areas/mine.md", "mine, being edited\n")
    person_writes(home, "notes.txt", "new\n")
    items = proposed.history(PENDING, since=MAIN)
    proposed.rebuild(PENDING, items, onto=proposed.main(), expected=proposed.tip(PENDING))
    assert (home.night / "areas/mine.md").read_text() == "mine\n"
    proposed.land(proposed.history(PENDING, since=MAIN), expected=proposed.main())
    assert (home.corpus / "areas/mine.md").read_text() == "mine, being edited\n"
    assert as_person(home, "status", "--porcelain").split("\n") == ["M areas/mine.md", "?? notes.txt"]
    assert (home.corpus / "areas/inbox/c.md").read_text() == "c 1\n"


@pytest.mark.parametrize("edit", ["untracked", "staged", "folder", "below"])
def test_an_edit_in_the_way_is_refused_before_anything_moves(home: Home, proposed: Door, edit: str) -> None:
    """Where a landing would overwrite a person's bytes, nothing changes and the file is named."""
    start = proposed.main()
    places = {"untracked": "areas/inbox/a.md", "staged": "areas/inbox/a.md"}
    person_writes(home, places.get(edit, "areas/inbox/a.md/x" if edit == "folder" else "areas/inbox"), "precious\n")
    if edit == "staged":
        as_person(home, "add", "areas/inbox/a.md")
    before = as_person(home, "status", "--porcelain")
    with pytest.raises(DirtyCheckoutError) as caught:
        proposed.land(proposed.history(PENDING, since=MAIN), expected=start)
    assert caught.value.hint
    assert proposed.main() == start
    assert as_person(home, "status", "--porcelain") == before
    assert "precious\n" in {path.read_text() for path in (home.corpus / "areas").rglob("*") if path.is_file()}


def test_an_edit_that_is_what_lands_is_taken_over(home: Home, proposed: Door) -> None:
    """A file that already has the very content is no obstacle."""
    person_writes(home, "areas/inbox/a.md", "a 1\n")
    proposed.land(proposed.history(PENDING, since=MAIN), expected=proposed.main())
    assert as_person(home, "status", "--porcelain") == ""


@pytest.mark.parametrize("state", ["detached", "other branch"])
def test_a_checkout_that_shows_something_else_stays_untouched(home: Home, proposed: Door, state: str) -> None:
    """With a detached HEAD or another branch only ``main`` moves; index and files stay."""
    as_person(home, "switch", "-q", *(("--detach",) if state == "detached" else ("-c", "mine")))
    person_writes(home, "areas/inbox/a.md", "precious\n")
    head = as_person(home, "rev-parse", "HEAD")
    proposed.land(proposed.history(PENDING, since=MAIN), expected=proposed.main())
    assert as_person(home, "rev-parse", "HEAD") == head != proposed.main()
    assert as_person(home, "status", "--porcelain") == "?? areas/"
    assert (home.corpus / "areas/inbox/a.md").read_text() == "precious\n"


@pytest.mark.parametrize("state", ["merge", "rebase"])
def test_in_the_middle_of_a_merge_or_rebase_nothing_lands(home: Home, proposed: Door, state: str) -> None:
    """A person's merge or rebase in progress is left alone, with a clear refusal."""
    person_writes(home, "x.md", "one\n")
    as_person(home, "add", "x.md")
    as_person(home, "commit", "-q", "-m", "One")
    as_person(home, "switch", "-q", "-c", "side", "HEAD~1")
    person_writes(home, "x.md", "two\n")
    as_person(home, "add", "x.md")
    as_person(home, "commit", "-q", "-m", "Two")
    as_person(home, "switch", "-q", MAIN)
    with pytest.raises(subprocess.CalledProcessError):
        as_person(home, state, "side")
    start = proposed.main()
    before = as_person(home, "status", "--porcelain")
    with pytest.raises(BusyCheckoutError):
        proposed.land(proposed.history(PENDING, since=MAIN), expected=start)
    assert (proposed.main(), as_person(home, "status", "--porcelain")) == (start, before)


def test_a_main_shown_elsewhere_is_not_moved(home: Home, proposed: Door, tmp_path: Path) -> None:
    """A second checkout of ``main`` would be left behind, so it is refused."""
    as_person(home, "switch", "-q", "-c", "mine")
    as_person(home, "worktree", "add", "-q", str(tmp_path / "second"), MAIN)
    with pytest.raises(CorpusError, match="second"):
        proposed.land(proposed.history(PENDING, since=MAIN), expected=proposed.main())


def test_a_conflict_is_asked_about_and_never_lost(home: Home, proposed: Door, git: Git) -> None:
    """A path with other content goes to the resolver; left open, the commit is reported and kept under a ref."""
    person_writes(home, "areas/inbox/a.md", "mine\n")
    as_person(home, "add", ".")
    as_person(home, "commit", "-q", "-m", "Mine")
    items = proposed.history(PENDING, since=MAIN)
    old = proposed.tip(PENDING)
    asked: list[Conflict] = []

    def elsewhere(conflict: Conflict) -> Files:
        asked.append(conflict)
        return ((MemoryPath("areas/inbox/a-2.md"), b"a 1\n"),)

    rebuilt = proposed.rebuild(PENDING, items, onto=proposed.main(), expected=old, resolve=elsewhere)
    assert [(one.item.item, one.change.path) for one in asked] == [(items[0].item, "areas/inbox/a.md")]
    assert rebuilt.written[0].path == "areas/inbox/a-2.md"
    open_one = proposed.rebuild(PENDING, items, onto=proposed.main(), expected=rebuilt.tip)
    assert [conflict.item for conflict in open_one.conflicts] == [items[0]]
    assert git.resolve(f"refs/slowwave/kept/{items[0].commit}") == items[0].commit
    assert [item.item for item in proposed.history(PENDING, since=MAIN)] == [items[1].item, items[2].item]
    assert (home.night / "areas/inbox/a.md").read_text() == "mine\n"


@pytest.mark.parametrize("damage", ["missing", "no link", "no index", "other branch", "link elsewhere", "a file"])
def test_a_damaged_night_checkout_is_made_again(
    home: Home, proposed: Door, one_commit: CommitMaker, damage: str
) -> None:
    """Whatever happened to the night's checkout, the next batch lands and it shows the branch."""
    git_folder = home.corpus / ".git" / "worktrees" / "night"
    if damage == "missing":
        shutil.rmtree(home.night)
    elif damage == "no link":
        (home.night / ".git").unlink()
    elif damage == "no index":
        (git_folder / "index").unlink()
    elif damage == "other branch":
        (git_folder / "HEAD").write_text("ref: refs/heads/main\n")
    elif damage == "link elsewhere":
        (home.night / ".git").write_text("gitdir: /nowhere\n")
    else:
        shutil.rmtree(home.night)
        home.night.write_text("a file\n")
    proposed.commit_batch(PENDING, [one_commit("areas/d.md", b"d\n")], expected=proposed.tip(PENDING))
    shown = sorted(path.relative_to(home.night).as_posix() for path in home.night.rglob("*.md"))
    assert shown == ["README.md", "areas/d.md", *(f"areas/inbox/{name}.md" for name in "abc")]
    linked = as_person(home, "worktree", "list", "--porcelain").split("\n\n")
    assert len(linked) == 2
    if damage == "a file":
        assert (home.root / "night-set-aside-1").read_text() == "a file\n"


def test_a_home_that_moved_finds_its_night_checkout_again(
    home: Home, proposed: Door, one_commit: CommitMaker, tmp_path: Path
) -> None:
    """After the home was moved, links are put right and nothing is set aside."""
    home.root.rename(tmp_path / "moved")
    moved = Home(tmp_path / "moved")
    door = Door(moved, proposed.git.at(moved.corpus))
    door.commit_batch(PENDING, [one_commit("areas/d.md", b"d\n")], expected=door.tip(PENDING))
    assert (moved.night / "areas/d.md").exists()
    assert not list(moved.root.glob("night-*"))


def test_nothing_is_written_through_a_link(home: Home, proposed: Door, tmp_path: Path) -> None:
    """A folder of the corpus that a link leads elsewhere is in the way, and the other place stays empty."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (home.corpus / "areas").symlink_to(elsewhere)
    start = proposed.main()
    with pytest.raises(DirtyCheckoutError):
        proposed.land(proposed.history(PENDING, since=MAIN), expected=start)
    assert list(elsewhere.iterdir()) == []
    assert proposed.main() == start


def test_edits_in_the_night_s_checkout_are_not_overwritten(home: Home, proposed: Door, one_commit: CommitMaker) -> None:
    """Even there a person's bytes are kept: the batch is refused and names the file."""
    (home.night / "areas/inbox/a.md").write_text("precious\n")
    with pytest.raises(DirtyCheckoutError, match=r"areas/inbox/a\.md"):
        proposed.commit_batch(PENDING, [one_commit("areas/inbox/a.md", b"a 2\n")], expected=proposed.tip(PENDING))
    assert (home.night / "areas/inbox/a.md").read_text() == "precious\n"


def test_a_person_on_pending_is_asked_to_leave_it(home: Home, proposed: Door, one_commit: CommitMaker) -> None:
    """The night's branch in the person's own checkout is refused, not moved under their feet."""
    as_person(home, "switch", "-q", "--ignore-other-worktrees", PENDING)
    with pytest.raises(CorpusError, match="shows branch pending"):
        proposed.commit_batch(PENDING, [one_commit("areas/d.md", b"d\n")], expected=proposed.tip(PENDING))


def test_dropping_pending_leaves_nothing_in_the_way(home: Home, proposed: Door, one_commit: CommitMaker) -> None:
    """After its branch was deleted, a night begins anew on ``main``."""
    tip = proposed.tip(PENDING)
    assert tip is not None
    with pytest.raises(RefMovedError):
        proposed.drop_pending(expected=proposed.main())
    proposed.drop_pending(expected=tip)
    proposed.commit_batch(PENDING, [one_commit("areas/d.md", b"d\n")], expected=proposed.main())
    assert sorted(path.name for path in (home.night / "areas").rglob("*.md")) == ["d.md"]


def test_a_secret_in_a_message_stops_the_batch(home: Home, git: Git, moment: datetime, one_commit: CommitMaker) -> None:
    """The last wall: a quote with a credential in it reaches no commit."""
    door = Door(home, git, holds_secret=lambda text: "hunter2" in text)
    door.create(moment)
    with pytest.raises(SecretInMessageError):
        door.commit_batch(PENDING, [one_commit("a.md", b"", quotes=("x", "pw hunter2"))], expected=door.main())
    assert door.tip(PENDING) is None


def test_a_newer_shallow_or_foreign_corpus_is_refused(home: Home, door: Door, one_commit: CommitMaker) -> None:
    """Nothing is written to a corpus this slowwave does not know."""
    (home.corpus / ".git/shallow").write_text("")
    with pytest.raises(CorpusError, match="shallow"):
        door.check()
    (home.corpus / ".git/shallow").unlink()
    person_writes(home, FORMAT_PATH, '{"format": 99}\n')
    as_person(home, "commit", "-q", "-a", "-m", "From the future")
    with pytest.raises(NewerFormatError):
        door.commit_batch(PENDING, [one_commit("areas/d.md", b"d\n")], expected=door.main())
    as_person(home, "rm", "-q", FORMAT_PATH)
    as_person(home, "commit", "-q", "-m", "Foreign")
    with pytest.raises(CorpusError, match="format file"):
        door.check()
    assert door.tip(PENDING) is None


def test_somebody_else_s_repository_is_not_taken_for_a_corpus(home: Home, git: Git, moment: datetime) -> None:
    """A repository without ``main``, a bare one and a submodule's are refused; a missing one is nothing to do."""
    door = Door(home, git)
    with pytest.raises(NothingToDoError):
        door.check()
    home.corpus.mkdir()
    subprocess.run((GIT, "init", "-q", "-b", "trunk", str(home.corpus)), check=True)
    person_writes(home, "x", "x")
    as_person(home, "add", "x")
    as_person(home, "commit", "-q", "-m", "X")
    with pytest.raises(CorpusError, match="without branch main"):
        door.create(moment)
    (home.corpus / ".git").rename(home.corpus / "elsewhere")
    (home.corpus / ".git").write_text("gitdir: elsewhere\n")
    with pytest.raises(CorpusError, match="not a folder"):
        door.create(moment)
    assert as_person(home, "branch", "--format=%(refname:short)") == "trunk"


def test_files_of_a_person_in_the_corpus_folder_survive_its_making(home: Home, git: Git, moment: datetime) -> None:
    """A folder that has a README of its own already is refused before a branch is made."""
    home.corpus.mkdir()
    (home.corpus / "README.md").write_text("mine\n")
    with pytest.raises(DirtyCheckoutError, match=r"README\.md"):
        Door(home, git).create(moment)
    assert (home.corpus / "README.md").read_text() == "mine\n"
    (home.corpus / "README.md").rename(home.corpus / "mine.md")
    assert Door(home, git).create(moment)


def test_many_small_packs_become_few(
    home: Home, door: Door, one_commit: CommitMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past the limit packs are folded together, and every commit is still there."""
    monkeypatch.setattr(packs, "MOST_PACKS", 2)
    for number in range(5):
        door.commit_batch(PENDING, [one_commit(f"areas/{number}.md", b"x")], expected=door.tip(PENDING) or door.main())
    assert len(list((home.corpus / ".git/objects/pack").glob("*.pack"))) <= 3
    assert len(door.history(PENDING, since=MAIN)) == 5
    assert door.verify(is_thorough=True) == ()


def test_git_finds_what_a_flipped_bit_broke(home: Home, proposed: Door) -> None:
    """A sound corpus has no faults; a damaged object is named and nothing is written over it."""
    assert proposed.verify() == ()
    assert proposed.verify(is_thorough=True) == ()
    pack = next((home.corpus / ".git/objects/pack").glob("*.pack"))
    pack.chmod(0o600)
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 0x10
    pack.write_bytes(content)
    faults = proposed.verify(is_thorough=True)
    assert {fault.code for fault in faults} == {"git_damage"}
