"""The doctor's look at the corpus and at the book of decisions beside it."""

from collections.abc import Iterator

from slowwave.corpus import gate
from slowwave.corpus.tree import TreeFile, tree_files
from slowwave.desk.finding import Finding, failed
from slowwave.disk.fence import FenceError
from slowwave.facts.refusal import SlowwaveError
from slowwave.sleep.pending import REPORT, lost_items, unknown_commits
from slowwave.sleep.person import has_token
from slowwave.sleep.state import BEGUN_ANEW
from slowwave.wiring import House


def look_at_corpus(house: House) -> Iterator[Finding]:
    """Git's own objects, every file of the checkout, and edits that are not committed."""
    if not house.door.exists:
        yield Finding(severity="info", code="no_corpus", message="no corpus yet", remedy="run `slowwave sleep`")
        return
    try:
        house.door.check()
        faults = house.door.verify(is_thorough=True)
    except SlowwaveError as error:
        yield failed(error, str(house.home.corpus))
        return
    for fault in faults:
        yield Finding(
            severity="damage",
            code=fault.code,
            file=fault.path,
            message=fault.message,
            remedy="restore the corpus from a backup or a clone",
        )
    files = list(tree_files(house.home.corpus))
    paths = frozenset(file.path for file in files)
    for file in files:
        yield from _file(house, file, paths)
    yield from _edits(house)
    yield Finding(severity="ok", code="corpus", message=f"{len(files)} files in the corpus")


def _file(house: House, file: TreeFile, paths: frozenset[str]) -> Iterator[Finding]:
    try:
        content = file.load()
    except (OSError, FenceError) as error:
        yield Finding(severity="warning", code="unreadable", file=file.path, message=str(error))
        return
    for refusal in gate.check(file.path, content, exists=lambda path: path in paths, secrets=house.secrets):
        yield (
            _edited(file.path)
            if refusal.code == gate.EDITED_BY_HAND
            else Finding(
                severity="warning",
                code=refusal.code,
                file=refusal.path,
                message=refusal.message,
                remedy="edit the file; nothing else is blocked by it",
            )
        )


def _edited(path: str) -> Finding:
    return Finding(
        severity="info",
        code="edited_by_hand",
        file=path,
        message="edited by hand since its content_hash was written",
        remedy="nothing to do: the next change that slowwave makes to it writes the hash anew",
    )


def _edits(house: House) -> Iterator[Finding]:
    changed = house.door.git.run("status", "--porcelain", "--no-renames", "-z").split(b"\0")
    for line in changed:
        name = line[3:].decode("utf-8", "replace")
        if name and b"D" in line[:2]:
            yield Finding(
                severity="warning",
                code="deleted",
                file=name,
                message="deleted by hand and not committed; branch main still holds it",
                remedy=f"commit if you mean it; git -C {house.home.corpus} restore --staged --worktree FILE undoes it",
            )
        elif name:
            yield Finding(
                severity="info",
                code="uncommitted",
                file=name,
                message="edited by hand and not committed",
                remedy=f"commit it when it is right: git -C {house.home.corpus} commit",
            )


def look_at_book(house: House) -> Iterator[Finding]:
    """Whether the book of decisions and the branches know the same."""
    begun = house.state.setting(BEGUN_ANEW)
    if begun:
        yield Finding(
            severity="info" if has_token(house.state) else "warning",
            code="book_begun_anew",
            file=str(house.home.state_db),
            message=f"the book of decisions was gone and was begun anew on {begun}: what was rejected may come again,"
            " and the person token of before stands for nobody",
            remedy="bring it back from a backup, or make a token at your terminal: `slowwave config new-token`",
        )
    if not house.door.exists:
        return
    lost = [item for item in lost_items(house.state, house.door) if item.type != REPORT]
    if lost:
        yield Finding(
            severity="warning",
            code="pending_lost",
            message=f"branch pending no longer holds {len(lost)} of the items that await your review",
            remedy="`slowwave sleep` reads their sessions again and proposes them again",
        )
    unknown = [commit for commit in unknown_commits(house.state, house.door) if commit.type != REPORT]
    if unknown:
        yield Finding(
            severity="info",
            code="not_booked",
            message=f"branch pending holds {len(unknown)} items that the book does not know yet",
            remedy="nothing to do: they are in `slowwave review`, and the next command that writes books them",
        )
