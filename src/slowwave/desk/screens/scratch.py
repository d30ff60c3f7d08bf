"""How the day's page and its former summaries look."""

import re
from collections.abc import Sequence

from rich.text import Text

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, paragraph, plain

_SUMMARIES_SHOWN = 20  # a week of four a day, and some; --json has all
_COMMENT = re.compile(r"[ \t]*<!-- \S+(?: \S+)? -->$")


def page_lines(page: Described) -> Lines:
    """The page without the marks that only slowwave reads, headings bold, lines as people wrote them."""
    if not page["text"].strip():
        return [plain("Nothing was filed on the page of the day yet."), plain(page["path"], style="dim")]
    lines: Lines = [plain(f"{page['day'] or 'a page without a day'}  {page['path']}", style="dim")]
    for text in page["text"].splitlines():
        shown = _COMMENT.sub("", text)
        if shown or not text:
            lines.append(plain(shown, style="bold" if shown.startswith("#") else ""))
    return lines


def summary_lines(summaries: Sequence[Described]) -> Lines:
    """Summaries with number, time and writer, the newest last."""
    if not summaries:
        return [plain("No running summary was written yet."), hint("`slowwave wake once --force` writes one.")]
    lines: Lines = []
    for summary in summaries[-_SUMMARIES_SHOWN:]:
        lines += [heading_of(summary), *paragraph(summary["text"]), plain()]
    left = len(summaries) - _SUMMARIES_SHOWN
    more = f", and {left:,} older: `slowwave scratch history --json`" if left > 0 else ""
    lines.append(plain(f"{count(min(len(summaries), _SUMMARIES_SHOWN), 'summary', 'summaries')}{more}", style="dim"))
    lines.append(hint("`slowwave scratch restore N` puts one back."))
    return lines


def heading_of(summary: Described) -> Text:
    """Number, time and writer of a summary."""
    notes = [summary["decidedBy"], f"restored from {summary['restored']}" if summary["restored"] else ""]
    notes.append("on the page" if summary.get("isShown") else "")
    return plain(f"{summary['number']}  {summary['ts']}  {', '.join(note for note in notes if note)}", style="bold")


def restored_lines(summary: Described) -> Lines:
    """What stands on the page again."""
    return [heading(f"Summary {summary['restored']} is on the page again."), *paragraph(summary["text"])]
