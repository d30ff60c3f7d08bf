"""What would leave the machine, and what the person said about it."""

from collections.abc import Sequence

from rich.text import Text

from slowwave.desk.screens.parts import Described, Lines, count, hint, plain


def sending_lines(sending: Described) -> list[Text]:
    """What the next night would send: to whom, how much, of which projects, at what cost."""
    masked = plain("Secrets that are recognised are masked. What you excluded is never read (`slowwave config show`).")
    if not sending["sessions"]:
        later = "later nights would send what is new and large enough"
        return [plain(f"To {sending['destination']} nothing would go tonight; {later}."), masked]
    usd = sending["usd"]
    cost = "at a cost that is not known here" if usd is None else f"for about ${usd:,.2f}"
    projects = ", ".join(sending["projects"]) or "none with a name"
    return [
        plain(f"To {sending['destination']} would go, piece by piece as it asks, what stands in"),
        plain(f"  {count(sending['sessions'], 'session')}, {sending['bytes'] / 1e6:.1f} MB, of: {projects}"),
        plain(f"  in about {count(sending['calls'], 'call')}, {cost}, tonight; later nights send what is new."),
        masked,
    ]


def understood_line(said: str, sending: Described) -> Text:
    """How an answer was understood, and what changes it: ``terminal`` is a yes, ``declined`` a no, empty neither."""
    there = sending["destination"]
    if said == "terminal":
        return plain(f'Understood: yes, transcripts may go there. `slowwave consent revoke "{there}"` takes it back.')
    if said == "declined":
        return plain("Understood: no, and you are not asked again. `slowwave consent give` changes that.")
    stays = (
        "your earlier yes stays" if sending["given"] else "nothing goes there tonight, and the next night asks again"
    )
    return plain(f"Understood: neither yes nor no, so {stays}. `slowwave consent give` settles it.")


def consent_lines(consents: Sequence[Described]) -> Lines:
    """One line a destination."""
    if not consents:
        return [plain("Transcripts may go nowhere: nothing leaves this machine.")]
    lines: Lines = []
    for one in consents:
        said = "may go" if one["given"] else "may not go"
        when = f", said {one['moment']} ({one['channel']})" if one["moment"] else ""
        lines.append(plain(f"Transcripts {said} to {one['destination']}{when}."))
    return [*lines, hint("`slowwave consent revoke DESTINATION` takes a yes back.")]
