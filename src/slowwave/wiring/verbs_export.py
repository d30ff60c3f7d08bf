"""``export agents-md``: a project's landed memories, written into a Markdown file that agents read."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from slowwave.corpus.edits import uncommitted
from slowwave.corpus.export import Block, agents_block, has_block, projects_of, replace_block
from slowwave.corpus.paths import project_of
from slowwave.corpus.shelf import Shelf
from slowwave.corpus.slugs import slug
from slowwave.corpus.tree import tree_files
from slowwave.disk.durable import read_whole, write_atomic
from slowwave.facts.refusal import NothingToDoError, SlowwaveError, UsageError
from slowwave.sleep.items import read_items
from slowwave.wiring.premises import Premises
from slowwave.wiring.verbs_memories import landed_shelf

_PROJECTS_NAMED = 8  # a person looks for one name; more hides it


class ExportRefusedError(SlowwaveError):
    """The block may not be written, or the file cannot take it."""

    code = "export_refused"


def export_agents(house: Premises, out: Path, *, project: str, budget: int, dry_run: bool) -> dict[str, Any]:
    """Write a project's landed memories between markers into a file; the rest of the file stays byte for byte.

    Raises:
        NothingToDoError: There is no corpus, or the project has nothing to export.
        UsageError: The file is no Markdown file of its own, or the budget holds not one memory.
        ExportRefusedError: The file is no text, or a claim holds a secret.
        MarkerError: The file's markers are broken.
    """
    _check_target(out)
    shelf = landed_shelf(house)
    if shelf is None:
        raise NothingToDoError("there is no corpus yet", hint="`slowwave sleep` runs the first night")
    name = slug(project)
    block = agents_block(shelf.memories, budget_tokens=budget, project=name)
    before = read_whole(out)
    text = _text(out, before)
    if not block.written and not (has_block(text) and _is_known(house, name, shelf.memories)):
        raise _nothing(project, projects_of(shelf.memories))
    if house.secrets.holds_secret_or_mask(block.text):
        raise ExportRefusedError("a memory holds a secret; nothing was written", hint="`slowwave doctor` names it")
    after = replace_block(text, block.text).encode("utf-8")
    changes = after != before
    if changes and not dry_run:
        write_atomic(out, after, mode=out.stat().st_mode & 0o777 if before is not None else 0o644)
    return {
        **_described(out, name, block, dry_run=dry_run),
        "changed": changes and not dry_run,
        "uncommitted": _edits(house, shelf, name),
    }


def _edits(house: Premises, shelf: Shelf, name: str) -> int:
    """How many files of a project differ from what main has."""
    there = [file.path for file in tree_files(house.home.corpus)]
    wanted = [path for path in dict.fromkeys([*shelf.blobs, *there]) if project_of(path) == name]
    return len(uncommitted(house.door.git, shelf.blobs, wanted))


def _described(out: Path, name: str, block: Block, *, dry_run: bool) -> dict[str, Any]:
    return {
        "file": str(out),
        "project": name,
        "memories": block.written,
        "left": block.left,
        "dryRun": dry_run,
        "block": block.text if dry_run else "",
    }


def _check_target(out: Path) -> None:
    """A wrong ``--out`` must not put a block into a program, a key file, or a file that somebody's link leads to."""
    if out.suffix.casefold() != ".md":
        raise UsageError(f"{out} is no Markdown file", hint="--out takes a name that ends in .md, such as AGENTS.md")
    if out.is_symlink():
        raise UsageError(
            f"{out} is a link, and a link is not written through", hint=f"--out {out.parent / out.readlink()}"
        )
    if out.exists() and not out.is_file():
        raise UsageError(f"{out} is no plain file", hint="give another file with --out")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {out.absolute().parent}", hint="make it, or give another file with --out")


def _text(out: Path, content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ExportRefusedError(f"{out} is no UTF-8 text", hint="give another file with --out") from error


def _is_known(house: Premises, name: str, paths: Iterable[str]) -> bool:
    """Whether a project had memories once, so that an empty block says the truth and not that a name was misspelt."""
    return any(project_of(path) == name for path in [*paths, *(item.path for item in read_items(house.state))])


def _nothing(project: str, projects: Mapping[str, int]) -> NothingToDoError:
    named = ", ".join(f"{name} ({number})" for name, number in list(projects.items())[:_PROJECTS_NAMED])
    more = f" and {len(projects) - _PROJECTS_NAMED} more" if len(projects) > _PROJECTS_NAMED else ""
    hint = f"`--project NAME` picks one that has: {named}{more}" if projects else "`slowwave review` comes first"
    return NothingToDoError(f"no memory of project {project} has landed; nothing was written", hint=hint)
