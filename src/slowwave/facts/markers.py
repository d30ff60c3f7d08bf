"""Markers that slowwave leaves in other people's transcripts, fixed here so that every reader can skip them.

What stands between a begin marker and its end marker was put there by slowwave, not said by anybody: it is injected
text, and no evidence. Later writers (session-start injection, exports, the hygienist) use these very strings.
"""

import re

MEMORY_BEGIN = "<slowwave-memory v=1>"
MEMORY_END = "</slowwave-memory>"
STUB_BEGIN = "[slowwave:pruned "
STUB_END = "]"
NOTE_BEGIN = "<slowwave-note v=1>"
NOTE_END = "</slowwave-note>"
EXPORT_BEGIN = "<!-- slowwave:begin (written by `slowwave export agents-md`; edits between the markers are lost) -->"
EXPORT_END = "<!-- slowwave:end -->"
RUN_ENVIRONMENT = "SLOWWAVE_RUN"
"""Set in the environment of every agent process that slowwave starts; its sessions carry it and are excluded."""
OWN_RUN_MARK = "<slowwave-consolidator-run v=1>"
"""Stands in the first prompt of a consolidating agent, so that its transcript is known as ours."""

_SPANS = (
    (MEMORY_BEGIN, MEMORY_END),
    (NOTE_BEGIN, NOTE_END),
    (EXPORT_BEGIN, EXPORT_END),
    (STUB_BEGIN, STUB_END),
)
_ANY = re.compile("|".join(re.escape(begin) for begin, _ in _SPANS))
_END_OF = dict(_SPANS)


def injected_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The half-open character ranges of a text that slowwave put there; an unclosed one runs to the end."""
    spans: list[tuple[int, int]] = []
    at = 0
    while found := _ANY.search(text, at):
        end = _END_OF[found.group()]
        close = text.find(end, found.end())
        at = len(text) if close < 0 else close + len(end)
        spans.append((found.start(), at))
    return tuple(spans)
