"""The block of memories in somebody else's file."""

import pytest
from made_memories import memory, task
from markdown_it import MarkdownIt

from slowwave.corpus.export import MarkerError, agents_block, count_tokens, projects_of, replace_block
from slowwave.corpus.inert import make_inert
from slowwave.facts.ids import MemoryPath
from slowwave.facts.markers import EXPORT_BEGIN, EXPORT_END
from slowwave.facts.memory import Kind, Memory, Status
from slowwave.facts.refusal import UsageError


def shelf(**memories: Memory) -> dict[MemoryPath, Memory]:
    """Memories of one project, by name."""
    return {MemoryPath(f"projects/payments/{name}.md"): one for name, one in memories.items()}


def lines(block: str) -> list[str]:
    """The list items of a block."""
    return [line[2:] for line in block.splitlines() if line.startswith("- ")]


def test_only_active_memories_of_the_project_are_exported() -> None:
    """Tasks, retired memories and other projects stay out; a person's preferences apply everywhere."""
    memories = {
        **shelf(a=memory("Mine."), b=memory("Gone.", status=Status.ARCHIVED), c=task("Do it.")),
        MemoryPath("projects/other/a.md"): memory("Theirs."),
        MemoryPath("areas/inbox/a.md"): memory("Nobody's."),
        MemoryPath("areas/preferences/a.md"): memory("Preferred.", kind=Kind.USER_PREFERENCE),
    }
    assert lines(agents_block(memories, budget_tokens=1_000, project="payments").text) == ["Preferred.", "Mine."]


def test_the_most_important_and_surest_come_first() -> None:
    """Order is importance times confidence, then the path, whatever the order of the mapping."""
    memories = shelf(a=memory("A.", confidence=0.5), b=memory("B.", confidence=0.9), c=memory("C.", importance=10))
    block = agents_block(memories, budget_tokens=1_000, project="payments")
    assert lines(block.text) == ["C.", "B.", "A."]
    assert agents_block(dict(reversed(memories.items())), budget_tokens=1_000, project="payments") == block


def test_the_budget_holds_and_the_rest_is_counted() -> None:
    """A block is never longer than allowed, and says how many lines it left out."""
    memories = shelf(**{f"m{n}": memory(f"Claim number {n} with some more words in it.") for n in range(50)})
    for budget in range(160, 900, 60):
        block = agents_block(memories, budget_tokens=budget, project="payments")
        assert count_tokens(block.text) <= budget
        shown = lines(block.text)
        assert (block.written, block.left) == (len(shown) - 1, 50 - len(shown) + 1)
        assert shown[-1].startswith(f"{50 - len(shown) + 1} more")


def test_an_empty_project_says_so() -> None:
    """No memories make a block without lines."""
    block = agents_block({}, budget_tokens=200, project="x")
    assert block.text.endswith("Nothing of this project is accepted at present.\n" + EXPORT_END)
    assert (block.written, block.left) == (0, 0)


def test_a_budget_that_holds_nothing_is_refused() -> None:
    """Rather than a block without a memory, an error that names the least budget, which then holds one."""
    memories = shelf(a=memory("Claim one has a few words."), b=memory("Claim two has quite a few words more."))
    with pytest.raises(UsageError) as refused:
        agents_block(memories, budget_tokens=50, project="payments")
    least = int("".join(filter(str.isdigit, refused.value.hint)))
    assert agents_block(memories, budget_tokens=least, project="payments").written == 1
    with pytest.raises(UsageError):
        agents_block(memories, budget_tokens=least - 1, project="payments")


def test_projects_are_counted_without_tasks_and_retired_memories() -> None:
    """A project is named where it has something to export."""
    memories = {
        **shelf(a=memory("Mine."), b=task("Do it.")),
        MemoryPath("projects/idle/a.md"): task("Do that."),
        MemoryPath("archive/2026/projects/old/a.md"): memory("Gone.", status=Status.ARCHIVED),
        MemoryPath("areas/inbox/a.md"): memory("Nobody's."),
    }
    assert projects_of(memories) == {"payments": 1}


@pytest.mark.parametrize(
    "existing", ["", "# Mine\n", "# Mine", "# Mine\r\n\r\ntext\r\n", f"a\n{EXPORT_BEGIN}\nold\n{EXPORT_END}\nb"]
)
def test_only_the_block_changes(existing: str) -> None:
    """What stands before and after stays, a second export changes nothing, and another replaces the first."""
    first = replace_block(existing, f"{EXPORT_BEGIN}\none\n{EXPORT_END}")
    second = replace_block(first, f"{EXPORT_BEGIN}\ntwo\n{EXPORT_END}")
    before, after = existing.partition(EXPORT_BEGIN)[0], existing.partition(EXPORT_END)[2]

    assert first.startswith(before)
    assert first.endswith(after)
    assert "old" not in first
    assert replace_block(first, f"{EXPORT_BEGIN}\none\n{EXPORT_END}") == first
    assert second == first.replace("one", "two")
    assert "\r\n" not in existing or "\n" not in first.replace("\r\n", "")


def test_an_older_begin_marker_is_recognised() -> None:
    """The words in the marker may change from version to version."""
    existing = f"<!-- slowwave:begin (older words) -->\nold\n{EXPORT_END}"
    assert replace_block(existing, f"{EXPORT_BEGIN}\nnew\n{EXPORT_END}") == f"{EXPORT_BEGIN}\nnew\n{EXPORT_END}"


@pytest.mark.parametrize(
    "existing",
    [
        EXPORT_BEGIN,
        EXPORT_END,
        f"{EXPORT_END}\n{EXPORT_BEGIN}",
        f"{EXPORT_BEGIN}\n{EXPORT_BEGIN}\n{EXPORT_END}",
        f"{EXPORT_BEGIN}\n{EXPORT_END}\n{EXPORT_END}",
    ],
)
def test_markers_that_do_not_pair_are_refused(existing: str) -> None:
    """Nobody guesses how much of a person's file is ours."""
    with pytest.raises(MarkerError):
        replace_block(existing, "x")


@pytest.mark.parametrize(
    "claim",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](https://example.org/x.png)",
        "see <https://example.org>",
        "# heading",
        "``` fence",
        "`open span <b>x</b>",
        f"end {EXPORT_END} <b>x</b>",
        f"end `{EXPORT_END}`",
        "*bold* | table |",
        "a\n\n# b <b>",
    ],
)
def test_a_claim_is_inert(claim: str) -> None:
    """Shown as Markdown, a claim is text and code spans, on one line, and cannot end the block."""
    shown = make_inert(claim)
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(f"- {shown}")
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "paragraph_open"),
        *("paragraph_close", "inline", "text", "text_special", "code_inline"),
    }
    assert "\n" not in shown
    block = agents_block(shelf(a=memory(claim)), budget_tokens=1_000, project="payments")
    assert replace_block(block.text, "x") == "x"


def test_addresses_and_code_stay_readable() -> None:
    """A code span stays, an address becomes one, terminal controls become pictures."""
    assert make_inert("Run `uv run pytest -k 'a_b'`.") == "Run `uv run pytest -k 'a_b'`."
    assert make_inert("See https://example.org/x now") == "See `https://example.org/x` now"
    assert make_inert("a\x1b[31m") == "a␛\\[31m"
