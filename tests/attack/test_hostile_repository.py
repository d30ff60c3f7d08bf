"""A hostile repository: whatever its configuration, attributes or hooks name, our git runs none of it."""

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from slowwave.corpus.branches import MAIN
from slowwave.corpus.door import Commit, Door
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.worktree import PENDING
from slowwave.disk.git import Git, GitMissingError, GitTooOldError
from slowwave.disk.git_settings import SETTINGS, build_environment, neutral
from slowwave.disk.home import Home

CommitMaker = Callable[..., Commit]

HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "post-merge", "pre-rebase",
    "post-rewrite", "reference-transaction", "post-index-change", "update", "pre-auto-gc", "fsmonitor-watchman",
)  # fmt: skip

PROGRAMS = {
    "fsmonitor": {"core.fsmonitor": "{canary}"},
    "hooks path": {"core.hooksPath": "{hooks}"},
    "clean filter": {"filter.evil.clean": "{canary}"},
    "smudge filter": {"filter.evil.smudge": "{canary}", "filter.evil.required": "true"},
    "process filter": {"filter.evil.process": "{canary}", "filter.evil.required": "true"},
    "odd filter name": {"filter.e.v=il.smudge": "{canary}", "filter.e.v=il.clean": "{canary}"},
    "text conversion": {"diff.evil.textconv": "{canary}"},
    "diff command": {"diff.evil.command": "{canary}"},
    "external diff": {"diff.external": "{canary}"},
    "merge driver": {"merge.evil.driver": "{canary} %A", "merge.default": "evil"},
    "aliases": {f"alias.{name}": "!{canary}" for name in ("log", "fast-import", "read-tree", "fsck", "rev-list")},
    "include": {"include.path": "{included}"},
    "conditional include": {"includeIf.gitdir:/**.path": "{included}"},
    "branch include": {"includeIf.onbranch:pending.path": "{included}", "includeIf.onbranch:main.path": "{included}"},
    "signing": {"gpg.program": "{canary}", "commit.gpgSign": "true", "log.showSignature": "true"},
    "ssh signing": {"gpg.format": "ssh", "gpg.ssh.program": "{canary}", "commit.gpgSign": "true"},
    "editors": {"core.editor": "{canary}", "sequence.editor": "{canary}", "core.pager": "{canary}"},
    "ssh": {"core.sshCommand": "{canary}", "remote.origin.url": "evil:x", "remote.origin.promisor": "true"},
    "promised objects": {
        "extensions.partialClone": "origin",
        "remote.origin.url": "ext::{canary}",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    },
    "credentials": {"credential.helper": "!{canary}", "core.askPass": "{canary}"},
    "trailers": {"trailer.slowwave-item.command": "{canary}", "trailer.slowwave-item.cmd": "{canary}"},
    "hooks by name": {"hook.evil.command": "{canary}", "hook.evil.event": "reference-transaction"},
    "refs of alternates": {"core.alternateRefsCommand": "{canary}"},
    "collection": {"gc.auto": "1", "gc.recentObjectsHook": "{canary}", "maintenance.auto": "true"},
}


class Trap:
    """A program that leaves a mark when it is run, and places that name it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.mark = folder / "it-ran"
        self.program = self._script(folder / "canary")
        self.hooks = folder / "hooks"
        self.hooks.mkdir()
        for name in HOOKS:
            self._script(self.hooks / name)
        self.included = folder / "included"
        self.included.write_text(
            f'[filter "evil"]\n\tsmudge = {self.program}\n\tclean = {self.program}\n\tprocess = {self.program}\n'
            f"[core]\n\tfsmonitor = {self.program}\n\thooksPath = {self.hooks}\n"
        )

    def _script(self, path: Path) -> Path:
        path.write_text(f"#!/bin/sh\necho ran >> '{self.mark}'\ncat\n")
        path.chmod(0o700)
        return path

    def fill(self, value: str) -> str:
        """A setting's value with the trap's own paths in it."""
        return value.format(canary=self.program, hooks=self.hooks, included=self.included)


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    """A trap of this test's own."""
    return Trap(tmp_path / "trap")


def do_everything(home: Home, door: Door, one_commit: CommitMaker) -> None:
    """Every kind of call we make: batch, refresh, history, rebuild, landing, shelf, checks, a new night checkout."""
    start = door.main()
    old = door.tip(PENDING) or start
    commits = [one_commit(f"areas/inbox/{name}.md", b"x\n", quotes=("q",)) for name in ("d", "e")]
    door.commit_batch(PENDING, commits, expected=old)
    os.utime(home.night / "areas/inbox/d.md", (1, 1))
    os.utime(home.corpus / "README.md", (1, 1))
    items = door.history(PENDING, since=MAIN)
    door.rebuild(PENDING, items[1:], onto=start, expected=door.tip(PENDING))
    door.land(door.history(PENDING, since=MAIN), expected=start)
    Shelf.at(door.git, PENDING)
    door.verify(is_thorough=True)
    (home.night / ".git").unlink()
    door.night()
    door.check()


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_program_that_a_setting_names_is_run(
    home: Home, door: Door, one_commit: CommitMaker, trap: Trap, name: str
) -> None:
    """Settings of the repository that name programs are without effect in every call we make."""
    door.commit_batch(PENDING, [one_commit("areas/inbox/a.md", b"a\n")], expected=door.main())
    for key, value in PROGRAMS[name].items():
        door.git.run("config", "--file", str(home.corpus / ".git/config"), "--add", key, trap.fill(value))
    attributes = (
        "* filter=evil diff=evil merge=evil\n*.md filter=e.v=il\n" if "odd" in name else "* filter=evil diff=evil\n"
    )
    (home.corpus / ".git/info").mkdir(exist_ok=True)
    (home.corpus / ".git/info/attributes").write_text(attributes)
    do_everything(home, door, one_commit)
    assert not trap.mark.exists()
    assert (home.corpus / "areas/inbox/e.md").read_bytes() == b"x\n"


def test_the_trap_is_a_trap(home: Home, door: Door, trap: Trap) -> None:
    """A plain git in the same repository does run what the setting names."""
    door.git.run("config", "--file", str(home.corpus / ".git/config"), "core.fsmonitor", str(trap.program))
    environment = {"PATH": os.environ["PATH"], "HOME": str(home.root)}
    subprocess.run((door.git.program, "status"), cwd=home.corpus, check=True, capture_output=True, env=environment)
    assert trap.mark.exists()


def test_no_hook_of_the_repository_is_run(home: Home, door: Door, one_commit: CommitMaker, trap: Trap) -> None:
    """Hooks in their usual place stay silent."""
    (home.corpus / ".git/hooks").mkdir(exist_ok=True)
    for name in HOOKS:
        (trap.hooks / name).rename(home.corpus / ".git/hooks" / name)
    do_everything(home, door, one_commit)
    assert not trap.mark.exists()


def test_committed_attributes_run_nothing_and_change_no_byte(
    home: Home, door: Door, one_commit: CommitMaker, trap: Trap
) -> None:
    """A ``.gitattributes`` on the branch itself names a filter, an encoding and line endings, to no effect."""
    door.git.run("config", "--file", str(home.corpus / ".git/config"), "filter.evil.smudge", str(trap.program))
    lines = b"* filter=evil ident\n*.md text eol=crlf\n"
    door.commit_batch(PENDING, [one_commit("areas/.gitattributes", lines)], expected=door.main())
    do_everything(home, door, one_commit)
    assert not trap.mark.exists()


def test_a_setting_of_place_does_not_lead_writes_elsewhere(
    home: Home, door: Door, one_commit: CommitMaker, tmp_path: Path
) -> None:
    """``core.worktree`` and ``core.bare`` do not decide where files are written."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    config = str(home.corpus / ".git/config")
    door.git.run("config", "--file", config, "core.worktree", str(elsewhere))
    door.commit_batch(MAIN, [one_commit("areas/a.md", b"a\n")], expected=door.main())
    assert list(elsewhere.iterdir()) == []
    assert (home.corpus / "areas/a.md").read_bytes() == b"a\n"


def test_replace_refs_grafts_and_alternates_show_us_no_other_history(
    home: Home, door: Door, one_commit: CommitMaker
) -> None:
    """A replaced commit and a graft are not followed."""
    tip = door.commit_batch(PENDING, [one_commit("areas/a.md", b"a\n")], expected=door.main())[-1].commit
    other = door.commit_batch(MAIN, [one_commit("areas/evil.md", b"e\n", claim="Evil.")], expected=door.main())[
        -1
    ].commit
    door.git.update_ref(f"refs/replace/{tip}", other, None)
    (home.corpus / ".git/info").mkdir(exist_ok=True)
    (home.corpus / ".git/info/grafts").write_text(f"{tip}\n")
    found = door.history(PENDING)
    assert [change.path for change in found[-1].files] == ["areas/a.md"]
    assert len(found) == 2


HARMFUL = {
    "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere", "GIT_INDEX_FILE": "/nowhere",
    "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere",
    "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "true",
    "GIT_EXTERNAL_DIFF": "false", "GIT_SSH_COMMAND": "false", "GIT_EXEC_PATH": "/nowhere",
    "GIT_TEMPLATE_DIR": "/nowhere", "GIT_AUTHOR_DATE": "1", "GIT_AUTHOR_NAME": "Evil", "GIT_COMMITTER_NAME": "Evil",
    "GIT_TRACE": "/nowhere/x", "GIT_NAMESPACE": "evil", "GIT_REPLACE_REF_BASE": "refs/evil",
    "GIT_DEFAULT_HASH": "sha256",
    "PAGER": "false", "LD_PRELOAD": "/nowhere.so", "LANG": "tr_TR.UTF-8", "LC_ALL": "ja_JP.SJIS", "HOME": "/nowhere",
    "TZ": "Asia/Kolkata",
}  # fmt: skip


@pytest.mark.parametrize("missing", ["", "HOME", "USER"])
def test_the_environment_decides_nothing(tmp_path: Path, home: Home, one_commit: CommitMaker, missing: str) -> None:
    """With every harmful variable set, or none of the usual ones, the same commits come out."""
    environment = {"PATH": os.environ["PATH"]} | {key: value for key, value in HARMFUL.items() if key != missing}
    door = Door(home, Git(home.corpus, environment=environment))
    commit = one_commit("areas/a.md", b"a\n", quotes=("q",))
    door.create(commit.moment)
    written = door.commit_batch(PENDING, [commit], expected=door.main())
    plain_home = Home(tmp_path / "plain")
    plain_home.prepare()
    plain = Door(plain_home, Git(plain_home.corpus, environment={"PATH": os.environ["PATH"]}))
    plain.create(commit.moment)
    assert plain.commit_batch(PENDING, [commit], expected=plain.main()) == written
    assert set(build_environment(environment, ())) & set(HARMFUL) == {"GIT_CONFIG_COUNT", "LC_ALL", "HOME", "TZ"}


def test_settings_under_free_names_are_overridden_by_name() -> None:
    """Each filter, driver and named hook found gets a harmless value; others are left."""
    names = ("filter.a.b=c.CLEAN", "diff.x.textconv", "hook.h.event", "user.name", "filter", "")
    assert neutral(names) == (("diff.x.textconv", ""), ("filter.a.b=c.CLEAN", ""), ("hook.h.enabled", "false"))
    assert len({name.lower() for name, _ in SETTINGS}) == len(SETTINGS)


def fake_git(folder: Path, says: str) -> Path:
    """A program called git that answers with one line."""
    folder.mkdir()
    path = folder / "git"
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(stat.S_IRWXU)
    return folder


def test_a_missing_or_old_git_is_said_so(tmp_path: Path) -> None:
    """Without git, with one before 2.36, or with something else of that name, the error says what to install."""
    for number, says in enumerate(("git version 2.35.9", "git version 1.9", "hello")):
        place = fake_git(tmp_path / str(number), says)
        with pytest.raises((GitTooOldError, GitMissingError)) as caught:
            Git(tmp_path, environment={"PATH": str(place)}).run("version")
        assert caught.value.code == ("git_missing" if says == "hello" else "git_too_old")
        assert "2.36" in caught.value.hint
    with pytest.raises(GitMissingError):
        Git(tmp_path, environment={"PATH": str(tmp_path / "none")}).run("version")
    with pytest.raises(GitMissingError):
        Git(tmp_path, environment={}).run("version")
