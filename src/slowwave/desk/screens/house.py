"""How the state of a home looks."""

from collections.abc import Sequence

from slowwave.desk.screens.cost import usd
from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table

_PROJECTS_SHOWN = 20  # a screen


def state_lines(state: Described) -> Lines:
    """Where things stand, and the one thing to do next."""
    lines: Lines = [heading("slowwave"), plain(state["home"], style="dim"), plain()]
    night = state["lastNight"]
    lines.append(plain(f"last night   {night['run']}" if night else "last night   none yet"))
    lines.append(plain(f"memories     {state['memories']:,} on main"))
    lines.append(plain(f"to review    {state['pending']:,} pending, {state['accepted']:,} accepted"))
    if state["lost"]:
        lines.append(plain(f"lost         {state['lost']:,} of these are no longer on branch pending", style="yellow"))
    lines.append(plain(f"tasks        {state['tasks']['proposed']:,} proposed, {state['tasks']['open']:,} open"))
    lines.append(plain(f"transcripts  {count(state['sessions'], 'session')}, {state['waiting']:,} not read yet"))
    lines += [plain(f"             {root['agent']}: {root['root']}", style="dim") for root in state["roots"]]
    lines += _budget(state["budget"])
    if state["unfinished"]:
        lines.append(plain(f"unfinished   {state['unfinished']}: `slowwave sleep` goes on with it", style="yellow"))
    return [*lines, plain(), hint(state["next"])]


def _budget(budget: Described | None) -> Lines:
    """One line: what today has cost, and what the night may still spend."""
    if budget is None:
        return []
    if budget["unreadable"]:
        return [plain(f"budget       {budget['unreadable']}", style="red")]
    left = budget["left"]
    spent = f"{usd(budget['usd'])} of {usd(budget['cap'])} spent today"
    return [
        plain(f"budget       {spent}; the night may still spend {usd(left['usd'])} in {count(left['calls'], 'call')}")
    ]


def init_lines(described: Described) -> Lines:
    """What would be read, what is left out, and the token, once."""
    lines: Lines = [heading(f"Home: {described['home']}"), plain()]
    if described["roots"]:
        rows = [(r["agent"], f"{r['sessions']:,}", f"{r['bytes'] / 1e6:.1f} MB", r["root"]) for r in described["roots"]]
        lines.append(table(("agent", "sessions", "size", "folder"), rows))
    else:
        lines.append(plain("No transcripts were found."))
        lines.append(hint("Give their folder: slowwave init --transcripts DIR"))
    lines += [*_projects(described["projects"]), *_never_read(described["excluded"])]
    lines.append(plain(f"Settings: {described['config']}", style="dim"))
    if described["personToken"]:
        lines += [plain(), *token_lines(described["personToken"])]
    lines += [plain(), hint("Next: slowwave sleep")]
    return lines


def _projects(projects: Sequence[Described]) -> Lines:
    if not projects:
        return []
    rows = [(p["project"] or "(no folder known)", f"{p['sessions']:,}") for p in projects[:_PROJECTS_SHOWN]]
    lines: Lines = [plain(), table(("project", "sessions"), rows)]
    if len(projects) > _PROJECTS_SHOWN:
        lines.append(hint(f"{len(projects) - _PROJECTS_SHOWN:,} more projects: --json lists all"))
    return [*lines, plain("All of them will be read; `slowwave init --exclude-project NAME` keeps one out."), plain()]


def _never_read(excluded: Sequence[Described]) -> Lines:
    lines: Lines = []
    for one in excluded:
        number = one.get("sessions", one.get("files", 0))
        if number:
            what = count(number, "file" if "files" in one else "session")
            lines.append(plain(f"Never read: {one['by']} {one['value']} ({what})"))
        else:
            text = f"Never read: {one['by']} {one['value']}, which matches nothing now; is it misspelt?"
            lines.append(plain(text, style="yellow"))
    if excluded:
        lines.append(
            hint("`slowwave init --include-project NAME` (or --include-path, --include-session) takes one back")
        )
    return lines


def key_lines(provider: str) -> Lines:
    """That a key is kept, and how it is used; never the key."""
    setting = "telegram.token" if provider == "telegram" else "models.key"
    return [plain(f"The key for {provider} is in the system's keyring."), hint(f"Next: set {setting} to keyring")]


def token_lines(token: str) -> Lines:
    """The person token, and what it is for."""
    return [
        heading("Your person token, shown this once:"),
        plain(f"  {token}"),
        plain("Scripts that decide for you need it; at a terminal you are asked instead. Keep it from agents."),
    ]


def doctor_lines(findings: Sequence[Described]) -> Lines:
    """Findings, worst first; good news in one line."""
    lines: Lines = []
    for finding in findings:
        style = {"damage": "red", "error": "red", "warning": "yellow"}.get(finding["severity"], "dim")
        where = f" {finding['file']}" if finding["file"] else ""
        lines.append(plain(f"{finding['severity']:<8}{where} {finding['message']}", style=style))
        if finding["remedy"]:
            lines.append(plain(f"         {finding['remedy']}"))
    if not any(finding["severity"] in ("damage", "error", "warning") for finding in findings):
        lines.append(plain("All is well."))
    return lines


def config_lines(settings: Sequence[Described]) -> Lines:
    """Every setting with where its value comes from."""
    return [table(("setting", "value", "from"), [(s["name"], s["value"], s["source"]) for s in settings])]
