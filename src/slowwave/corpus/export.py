"""Export: a project's memories as a block of an ``AGENTS.md`` or ``CLAUDE.md``, between markers, within a budget."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from slowwave.corpus.inert import make_inert
from slowwave.corpus.paths import project_of
from slowwave.facts.ids import MemoryPath
from slowwave.facts.markers import EXPORT_BEGIN, EXPORT_END
from slowwave.facts.memory import Kind, Memory, Status
from slowwave.facts.refusal import SlowwaveError, UsageError

_BYTES_A_TOKEN = 3  # English prose has about four, code and other scripts fewer; an estimate that errs to the long side
_HEAD = (
    "## What earlier work taught\n\n"
    "Each line was checked against the record and accepted by a person. Where it disagrees with the code, the code is"
    " right.\n\n"
)
_BEGIN = re.compile(r"<!-- slowwave:begin\b[^\n]*?-->")
_NOTHING = "Nothing of this project is accepted at present.\n"


class MarkerError(SlowwaveError):
    """The markers in a file do not pair, so nobody can say what stands between them."""

    code = "broken_markers"


def count_tokens(text: str) -> int:
    """About how many tokens a model makes of a text, rounded up; an estimate, since each model counts its own way."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of memories.

    Attributes:
        text: The block, its markers included, no line feed at its end.
        written: How many memories it holds.
        left: How many more belong to it and did not fit.
    """

    text: str
    written: int
    left: int


def agents_block(memories: Mapping[MemoryPath, Memory], *, budget_tokens: int, project: str) -> Block:
    """The block for one project: claims by importance and confidence, the path as tie-break.

    Args:
        memories: Reviewed memories, which is what ``main`` holds; others must not be passed.
        budget_tokens: Most tokens of the whole block; the lines that do not fit are counted in its last line.
        project: The project's slug. A person's preferences that belong to no project are part of every block.

    Raises:
        UsageError: There are memories and none fits, so that the block would say less than nothing.
    """
    wanted = [(path, memory) for path, memory in memories.items() if _is_wanted(path, memory, project)]
    wanted.sort(key=lambda item: (-item[1].importance * item[1].confidence, item[0]))
    room = budget_tokens - count_tokens(_frame(_rest(len(wanted))))
    lines: list[str] = []
    costs: list[int] = []
    for _, memory in wanted:
        line = f"- {make_inert(memory.claim)}\n"
        costs.append(count_tokens(line))
        if costs[-1] <= room:
            lines.append(line)
            room -= costs[-1]
    if wanted and not lines:
        least = budget_tokens - room + min(costs)
        raise UsageError(
            f"{budget_tokens} tokens hold none of {len(wanted)} memories", hint=f"give at least {least} with --budget"
        )
    left = len(wanted) - len(lines)
    text = _frame("".join(lines) + (_rest(left) if left else "") or _NOTHING)
    return Block(text=text, written=len(lines), left=left)


def projects_of(memories: Mapping[MemoryPath, Memory]) -> Mapping[str, int]:
    """Projects that have memories to export, by name, with how many."""
    found = Counter(home for path, memory in memories.items() if _is_told(memory) and (home := project_of(path)))
    return dict(sorted(found.items()))


def has_block(text: str) -> bool:
    """Whether a text holds a block of ours, whole or in part."""
    return _BEGIN.search(text) is not None or EXPORT_END in text


def replace_block(existing: str, block: str) -> str:
    """A file's text with the block in place of the one it has, or at its end; nothing outside the markers changes.

    Raises:
        MarkerError: The text has a begin without its end, an end without a begin, or more than one block.
    """
    begins = list(_BEGIN.finditer(existing))
    ends = [found.start() for found in re.finditer(re.escape(EXPORT_END), existing)]
    is_windows = "\r" in existing
    written = block.replace("\n", "\r\n") if is_windows else block
    if not begins and not ends:
        line = "\r\n" if is_windows else "\n"
        gap = "" if not existing else line if existing.endswith("\n") else line * 2
        return f"{existing}{gap}{written}{line}"
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0].end():
        raise MarkerError(
            "the markers `slowwave:begin` and `slowwave:end` do not stand there exactly once, in this order",
            hint="remove what is left of the old block and both markers, then export again",
        )
    return existing[: begins[0].start()] + written + existing[ends[0] + len(EXPORT_END) :]


def _is_wanted(path: MemoryPath, memory: Memory, project: str) -> bool:
    if not _is_told(memory):
        return False
    home = project_of(path)
    return home == project or (not home and memory.kind is Kind.USER_PREFERENCE)


def _is_told(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and memory.kind is not Kind.TASK


def _frame(text: str) -> str:
    return f"{EXPORT_BEGIN}\n{_HEAD}{text}{EXPORT_END}"


def _rest(count: int) -> str:
    return f"- {count} more did not fit here; `slowwave search` finds them.\n" if count else ""
