"""How an understood time looks."""

from slowwave.desk.screens.parts import Described, Lines, plain

_WHY = {
    "past": "that is past",
    "recurring": "that comes again and again, and a reminder is for once",
    "condition": "that depends on something that no clock tells",
    "no_time": "no time is named in it",
    "ambiguous": "it may mean more than one time",
}


def when_lines(understood: Described) -> Lines:
    """The instant, or why there is none; and the words that say so."""
    said = plain(f"understood from: {understood['matched']}", style="dim") if understood["matched"] else None
    first = understood["instant"] or f"no instant ({understood['reason']}): {_WHY[understood['reason']]}"
    return [plain(first), said] if said else [plain(first)]
