"""``docs/format.md`` says what the code does."""

import re
from pathlib import Path

from slowwave.corpus.format import KEYS, content_hash, read, render
from slowwave.corpus.gate import CODES
from slowwave.facts import limits
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Kind

STANDARD = (Path(__file__).resolve().parents[3] / "docs" / "format.md").read_text("utf-8")
EXAMPLE = STANDARD.partition("```markdown\n")[2].partition("```")[0].encode()


def test_the_example_is_a_memory_as_we_write_it() -> None:
    """It reads without a fault, renders to itself, and carries its true hash."""
    reading = read(EXAMPLE, MemoryPath("projects/payments/a.md"))
    assert reading.faults == ()
    assert reading.content_hash == content_hash(reading.memory.claim, reading.memory.body)
    assert render(reading.memory) == EXAMPLE


def test_every_key_kind_and_code_is_listed() -> None:
    """The tables name all that there is, keys in their order."""
    table = STANDARD.partition("## Front matter")[2].partition("A moment is")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines() if line.startswith("| `")]
    assert tuple(key for row in rows for key in row) == KEYS
    assert all(f"`{kind}`" in table for kind in Kind)
    codes = STANDARD.partition("## What a file must not hold")[2].partition("## Reading")[0]
    assert set(
        re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in codes.splitlines() if "| `" in line))
    ) == set(CODES)


def test_figures_agree() -> None:
    """Bounds on the page are the bounds in the code."""
    assert f"at most {limits.SLUG_CHARACTERS} characters" in STANDARD
    assert f"at most {limits.PATH_BYTES} bytes, each name at most {limits.COMPONENT_BYTES}" in STANDARD
    assert f"{limits.CLAIM_CHARACTERS} and 1,500 characters" in STANDARD
    assert limits.GIST_CHARACTERS == 1_500
    assert f"at most {limits.MOST_MEMORY_BYTES // 1024} KiB" in STANDARD
    assert f"no run of {limits.TRANSCRIPT_SPAN_CHARACTERS} characters" in STANDARD
    assert f"Version {limits.CORPUS_FORMAT}." in STANDARD
