"""``capture``: words set aside by hand, tags in a text; ``next-session``: what was left for it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, verb
from slowwave.facts.limits import MOST_CAPTURE_BYTES
from slowwave.facts.refusal import UsageError

app = typer.Typer(help="Set words aside, or find what was set aside in a text.", no_args_is_help=True)

_STDIN = "-"


def register(root: typer.Typer) -> None:
    """Add the verb that stands by itself."""
    root.command("next-session")(next_session)


@app.command("extract")
@verb
def extract(
    desk: Desk,
    *,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A text in UTF-8; - reads standard input.")],
) -> Shown:
    """Find the captures in a text, each between an opening and a closing tag; writes nothing, needs no home."""
    from slowwave.desk.screens.capture import extracted_lines
    from slowwave.wiring.verbs_capture import extract_captures

    del desk
    found = extract_captures(_text(file))
    return Shown(kind="captures", content=found, lines=extracted_lines(found))


@app.command("add")
@verb
def add(
    desk: Desk,
    *,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The words; - reads them from standard input.")],
    tag: Annotated[
        str,
        typer.Option(metavar="T", help="file-this, observation, follow-up, note-to-self or ask-next-session."),
    ],
    session: Annotated[str, typer.Option(metavar="ID", help="The agent session it was said in.")] = "",
    zone: Annotated[
        str, typer.Option(metavar="Z", help="Your IANA zone just now, where it is not the loop's (wake.timezone).")
    ] = "",
) -> Shown:
    """Set a few words aside; the waking loop files them."""
    from slowwave.desk.screens.capture import stored_lines
    from slowwave.wiring.verbs_capture import add_capture

    words = _piped() if text == _STDIN else text
    house = desk.house()
    try:
        stored = add_capture(house, tag=tag, text=words, session=session, zone=zone)
    finally:
        house.close()
    return Shown(kind="capture", content=stored, lines=stored_lines(stored))


@verb
def next_session(
    desk: Desk,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Also what was shown before.")] = False,
    peek: Annotated[bool, typer.Option("--peek", help="Only look: show it again next time.")] = False,
) -> Shown:
    """Show what was left for the next session (ask-next-session) and not shown yet."""
    from slowwave.desk.screens.capture import question_lines
    from slowwave.wiring import verbs_capture

    house = desk.house(must_exist=True)
    try:
        shown = verbs_capture.next_session(house, everything=everything, peek=peek)
    finally:
        house.close()
    return Shown(kind="captures", content=shown, lines=question_lines(shown))


def _piped() -> str:
    """Standard input as words; it is read as far as fits, and refused where there is more.

    Trimmed ends and masked secrets may make a long text short enough, but its unread part would be lost by then.

    Raises:
        CaptureTooLongError: There is more.
    """
    from slowwave.wake.intake import CaptureTooLongError

    raw = sys.stdin.buffer.read(MOST_CAPTURE_BYTES + 1)
    if len(raw) > MOST_CAPTURE_BYTES:
        raise CaptureTooLongError.of("more")
    return raw.decode("utf-8", "replace")


def _text(file: str) -> str:
    if file == _STDIN:
        return sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    try:
        return Path(file).read_bytes().decode("utf-8-sig", "replace")
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UsageError(f"there is no file {file}", hint="a text file, or - for standard input") from error
