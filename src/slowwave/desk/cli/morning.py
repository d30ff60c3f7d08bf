"""The morning: ``brief``, ``checkin``, ``activities import`` and ``commitments``."""

import json
from pathlib import Path
from typing import Annotated

import typer

from slowwave.desk.cli.verb import Desk, Shown, take_shared_options, verb
from slowwave.facts.refusal import UsageError

activities = typer.Typer(help="What you did on a day, taken over from calendars and tables.", no_args_is_help=True)
commitments = typer.Typer(help="What you owe: list, close, drop.", no_args_is_help=True)

DateOption = Annotated[str, typer.Option("--date", metavar="DATE", help="This day (YYYY-MM-DD) instead of today.")]
NameArgument = Annotated[str, typer.Argument(metavar="ID", help="A commitment's id, or how it begins.")]


def register(app: typer.Typer) -> None:
    """Add these verbs to the command line."""
    app.command("brief")(brief)
    app.command("checkin")(checkin)
    app.add_typer(take_shared_options(activities), name="activities")
    app.add_typer(take_shared_options(commitments), name="commitments")


@verb
def brief(
    desk: Desk,
    *,
    date: DateOption = "",
    form: Annotated[str, typer.Option("--format", metavar="F", help="text, md or json (the bare brief).")] = "text",
    notify: Annotated[bool, typer.Option("--notify", help="Also send it over your channels.")] = False,
) -> Shown:
    """Show what the day begins with: commitments, last night, what waits, how you are, your goals."""
    from slowwave.desk.screens.morning import brief_lines, sent_lines
    from slowwave.wiring import verbs_brief
    from slowwave.wiring.verbs_checkin import day_asked

    if form not in ("text", "md", "json"):
        raise UsageError(f"--format takes text, md or json, not {form!r}", hint="for example --format md")
    house = desk.house(only_reads=True)
    made = verbs_brief.brief(house, day_asked(date, house))
    content = made.as_content()
    if form == "json" and not desk.as_json:
        lines = [json.dumps(content, ensure_ascii=True, indent=1)]
    else:
        lines = (made.as_markdown() if form == "md" else made.as_text()).splitlines()
    sent = verbs_brief.send_brief(house, made) if notify else []
    failed = any(not row["sent"] for row in sent)
    shown = [*brief_lines(lines), *(sent_lines(sent) if form != "json" else [])]
    return Shown(kind="brief", content={**content, "sent": sent}, lines=shown, exit_status=1 if failed else 0)


@verb
def checkin(
    desk: Desk,
    *,
    date: DateOption = "",
    mood: Annotated[int | None, typer.Option(metavar="N", help="Your mood, 1 (low) to 5 (high).")] = None,
    energy: Annotated[int | None, typer.Option(metavar="N", help="Your energy, 1 (low) to 5 (high).")] = None,
    note: Annotated[str, typer.Option(metavar="TEXT", help="A few words of your own.")] = "",
) -> Shown:
    """Show how a day was; say so yourself, or let it be inferred from what is there already."""
    from slowwave.desk.screens.morning import checkin_lines
    from slowwave.wiring.verbs_checkin import check_in, day_asked, say_checkin

    house = desk.house()
    day = day_asked(date, house)
    if mood is None and energy is None and not note:
        described = check_in(house, day)
    else:
        described = say_checkin(house, day, mood=mood, energy=energy, note=note)
    return Shown(kind="checkin", content=described, lines=checkin_lines(described))


@activities.command("import")
@verb
def import_activities(
    desk: Desk, *, file: Annotated[Path, typer.Argument(metavar="FILE", help="An .ics calendar or a .csv table.")]
) -> Shown:
    """Take activities over from a calendar or a table, each once."""
    from slowwave.desk.screens.parts import plain
    from slowwave.wiring import verbs_checkin

    done = verbs_checkin.import_activities(desk.house(), file)
    said = f"{done['read']:,} activities read, {done['new']:,} new, {done['skipped']:,} rows skipped"
    return Shown(kind="activities", content=done, lines=[plain(said)])


@commitments.command("list")
@verb
def list_commitments(
    desk: Desk, *, everything: Annotated[bool, typer.Option("--all", help="Also those that are closed.")] = False
) -> Shown:
    """List what you owe; `slowwave task triage` sorts it by urgency."""
    from slowwave.desk.screens.morning import commitment_lines
    from slowwave.wiring import verbs_triage

    described = verbs_triage.list_commitments(desk.house(must_exist=True, only_reads=True), everything=everything)
    return Shown(kind="commitments", content=described, lines=commitment_lines(described))


@commitments.command("done")
@verb
def done_with(desk: Desk, *, name: NameArgument) -> Shown:
    """Say that one is kept."""
    return _closed(desk, name, "done")


@commitments.command("drop")
@verb
def drop(desk: Desk, *, name: NameArgument) -> Shown:
    """Say that one is none any more."""
    return _closed(desk, name, "dropped")


def _closed(desk: Desk, name: str, word: str) -> Shown:
    from slowwave.desk.screens.parts import plain
    from slowwave.facts.commitment import CommitmentStatus
    from slowwave.wiring import verbs_triage

    closed = verbs_triage.close_commitment(desk.house(must_exist=True), name, CommitmentStatus(word))
    lines = [plain(f"{word}: {closed['statement']}")]
    return Shown(kind="commitments", content={"commitments": [closed]}, lines=lines)
