"""The hygiene verbs about what was changed: the log, what stood there, bringing it back, pins."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.refusal import UsageError

if TYPE_CHECKING:
    from slowwave.wiring.verbs_hygiene import Bench

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A file that was curated.")]
ItemArgument = Annotated[str, typer.Argument(metavar="ITEM", help="The digest in its stub, or the item's id.")]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="OUT", help="Write a new file there.")]
InPlaceOption = Annotated[bool, typer.Option("--in-place", help="Replace FILE, if nobody writes to it.")]


@contextmanager
def bench(desk: Desk) -> Iterator["Bench"]:
    """Where hygiene works: the home as it is; one that does not exist is made by the first change alone."""
    from slowwave.desk.cli.verb import say_who
    from slowwave.disk.home import Home
    from slowwave.wiring import home_folder
    from slowwave.wiring.verbs_hygiene import Bench

    home = Home(home_folder(desk.home, desk.environment))
    house = desk.house(only_reads=True) if home.check_format() and home.state_db.exists() else None
    try:
        yield Bench(home=home, house=house, clock=desk.now, on_wait=say_who)
    finally:
        if house is not None:
            house.close()


def register(app: typer.Typer) -> None:
    """Add these verbs to the group."""
    verbs: dict[str, Callable[..., Shown]] = {
        "log": log,
        "show": show,
        "diff": diff,
        "recall": recall,
        "unprune": unprune,
        "restore": restore,
        "undo": undo,
        "verify": verify,
        "purge": purge,
        "pin": pin,
        "unpin": unpin,
    }
    for name, command in verbs.items():
        app.command(name)(verb(command))


def log(
    desk: Desk, *, file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Only this file's.")] = None
) -> Shown:
    """List what was changed, of one file or of all, the latest first."""
    from slowwave.desk.screens.hygiene import log_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        entries = verbs_revisions.log(place, file)
    return Shown(kind="hygiene_log", content={"entries": entries}, lines=log_lines(entries))


def show(
    desk: Desk, *, name: Annotated[str, typer.Argument(metavar="ENTRY", help="An entry's number, or a revision.")]
) -> Shown:
    """Show one entry of the log whole: every operation with its reason, every refusal with its code."""
    from slowwave.desk.screens.hygiene import entry_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        entry = verbs_revisions.show(place, name)
    return Shown(kind="hygiene_entry", content=entry, lines=entry_lines(entry))


def diff(desk: Desk, *, file: FileArgument) -> Shown:
    """Show what the last change of a file took out, item by item, secrets masked."""
    from slowwave.desk.screens.hygiene import diff_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        rows = _masked(verbs_revisions.diff(place, file), "before", "after")
    return Shown(kind="hygiene_diff", content={"items": rows}, lines=diff_lines(rows))


def recall(desk: Desk, *, item: ItemArgument) -> Shown:
    """Print what stood where a stub stands now, secrets masked; the file stays as it is."""
    from slowwave.desk.screens.hygiene import recall_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        (row,) = _masked([verbs_revisions.recall(place, item)], "text")
    return Shown(kind="hygiene_recall", content=row, lines=recall_lines(row))


def unprune(
    desk: Desk, *, file: FileArgument, item: ItemArgument, out: OutOption = None, in_place: InPlaceOption = False
) -> Shown:
    """Put one item back where its stub stands; everything else stays."""
    from slowwave.desk.screens.hygiene import written_lines
    from slowwave.wiring import verbs_revisions

    _one_place(out, is_in_place=in_place)
    with bench(desk) as place:
        told = verbs_revisions.unprune(place, file, item, out=out, actor=actor(desk))
    return Shown(kind="hygiene_unprune", content=told, lines=written_lines(told))


def restore(
    desk: Desk,
    *,
    file: FileArgument,
    revision: Annotated[str, typer.Option("--revision", metavar="R", help="What plan and apply print as `parent`.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE2", help="Where it goes; FILE itself to replace it.")],
) -> Shown:
    """Bring a revision back byte for byte, with every line that was added since behind it."""
    from slowwave.desk.screens.hygiene import written_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        told = verbs_revisions.restore(place, file, revision, out, actor=actor(desk))
    return Shown(kind="hygiene_restore", content=told, lines=written_lines(told))


def undo(desk: Desk, *, file: FileArgument, out: OutOption = None, in_place: InPlaceOption = False) -> Shown:
    """Take the last change of a file back; lines added since stay."""
    from slowwave.desk.screens.hygiene import written_lines
    from slowwave.wiring import verbs_revisions

    _one_place(out, is_in_place=in_place)
    with bench(desk) as place:
        told = verbs_revisions.undo(place, file, out, actor=actor(desk))
    return Shown(kind="hygiene_undo", content=told, lines=written_lines(told))


def verify(desk: Desk) -> Shown:
    """Walk the log and every original kept beside it; exit 4 where anything is not as it was written."""
    from slowwave.desk.screens.hygiene import audit_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        told = verbs_revisions.verify(place)
    return Shown(kind="hygiene_verify", content=told, lines=audit_lines(told), exit_status=4 if told["flaws"] else 0)


def purge(
    desk: Desk,
    *,
    revision: Annotated[str, typer.Argument(metavar="R", help="The original to destroy.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, kept in the log.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> Shown:
    """Destroy one original for good; the log says so, and nothing can bring it back."""
    from slowwave.desk.screens.hygiene import written_lines
    from slowwave.wiring import verbs_revisions

    if not yes and not (sys.stdin and sys.stdin.isatty()):
        raise UsageError("nothing was destroyed: nobody is at a terminal to ask", hint="--yes does not ask")
    if not yes and not typer.confirm(f"Destroy the original {revision} for good?", err=True):
        raise UsageError("nothing was destroyed", hint="--yes does not ask")
    with bench(desk) as place:
        told = verbs_revisions.purge(place, revision, why=why, actor=actor(desk))
    return Shown(kind="hygiene_purge", content=told, lines=written_lines(told))


def pin(
    desk: Desk,
    *,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The file that holds it.")] = None,
    item: Annotated[str, typer.Argument(metavar="[ITEM]", help="Its id or digest.")] = "",
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="For whoever reads the list.")] = "",
) -> Shown:
    """Pin an item of a file, so that no curation ever touches its words; without FILE, list what is pinned."""
    from slowwave.desk.screens.hygiene import pin_lines
    from slowwave.wiring import verbs_revisions

    if file is not None and not item:
        raise UsageError("name the item to pin", hint="`slowwave hygiene plan --json` and `inspect` name items")
    with bench(desk) as place:
        pins = verbs_revisions.pins_of(place) if file is None else verbs_revisions.pin(place, file, item, why=why)
    return Shown(kind="hygiene_pins", content={"pins": pins}, lines=pin_lines(pins))


def unpin(desk: Desk, *, item: Annotated[str, typer.Argument(metavar="ITEM", help="Its id or digest.")]) -> Shown:
    """Take a pin away."""
    from slowwave.desk.screens.hygiene import pin_lines
    from slowwave.wiring import verbs_revisions

    with bench(desk) as place:
        pins = verbs_revisions.unpin(place, item)
    return Shown(kind="hygiene_pins", content={"pins": pins}, lines=pin_lines(pins))


def actor(desk: Desk) -> str:
    """Who asks, as the log names it: the account the command runs under."""
    return desk.environment.get("USER") or desk.environment.get("USERNAME") or "person"


def _one_place(out: Path | None, *, is_in_place: bool) -> None:
    if (out is None) != is_in_place:
        raise UsageError("name a new file with --out, or ask for --in-place")


def _masked(rows: "list[dict[str, str]]", *names: str) -> "list[dict[str, str]]":
    from slowwave.records.secrets import Secrets

    secrets = Secrets()
    return [{key: secrets.mask(value) if key in names else value for key, value in row.items()} for row in rows]
