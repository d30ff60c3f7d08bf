"""How a schedule looks: what is written, what is active, what comes next."""

from slowwave.desk.screens.parts import Described, Lines, heading, hint, plain, table

_LINGER = "units of a user end when the user logs out: `loginctl enable-linger` keeps them"


def installed_lines(described: Described) -> Lines:
    """What was written, or would be: whole where it is only shown."""
    if described["installed"]:
        lines: Lines = [heading(f"{described['kind']} runs slowwave from now on")]
        lines += [plain(f"  {part['place']}") for part in described["parts"]]
        lines += _tasks(described)
        return [*lines, *([hint(_LINGER)] if described["kind"] == "systemd" else [])]
    lines = []
    for part in described["parts"]:
        lines += [heading(f"# {part['place']}"), *(plain(line) for line in part["content"].splitlines()), plain()]
    return lines


def status_lines(described: Described) -> Lines:
    """What stands, what is active, what comes next."""
    lines: Lines = [heading(_state(described))]
    rows = [(part["place"], _said(part), _ACTIVE[part["isActive"]]) for part in described["parts"]]
    lines.append(table([described["kind"], "installed", "active"], rows))
    lines += _tasks(described)
    if not described["isCurrent"]:
        lines.append(hint("`slowwave schedule install` writes it"))
    return lines


def removed_lines(described: Described) -> Lines:
    """What was taken away."""
    if not described["removed"]:
        return [plain(f"nothing of ours is with {described['kind']}")]
    return [heading(f"{described['kind']} runs slowwave no more"), *(plain(f"  {at}") for at in described["removed"])]


def ran_lines(described: Described) -> Lines:
    """What ran, and what was not due."""
    lines: Lines = []
    for one in described["tasks"]:
        came = f"exit status {one['status']}" if one["status"] else "done"
        lines.append(plain(f"{one['name']}: {came if one['ran'] else one['reason']}"))
        lines += [plain(f"  {one['error']}")] if one["error"] else []
    return lines


def _state(described: Described) -> str:
    if described["isCurrent"]:
        return "installed"
    if any(part["isInstalled"] for part in described["parts"]):
        return "installed, and no longer what the settings say"
    return "not installed"


def _said(part: Described) -> str:
    return "yes" if part["isCurrent"] else "old" if part["isInstalled"] else "no"


_ACTIVE = {True: "yes", False: "no", None: ""}


def _tasks(described: Described) -> Lines:
    rows = []
    for one in described["tasks"]:
        last = one["last"] or {"due": "", "ended": "", "status": 0}
        came = f"status {last['status']}" if last["status"] else "ended" if last["ended"] else ""
        rows.append((one["name"], one["hour"], one["next"], last["due"], "to be made up" if one["isMissed"] else came))
    return [table(["task", "at", "next", "last", ""], rows)] if rows else []
