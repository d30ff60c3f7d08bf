"""Public attack texts thrown at the corpus: names, markup, control sequences, odd letters."""

import json
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from made_memories import memory
from markdown_it import MarkdownIt

from slowwave.corpus.format import FormatError, read, render
from slowwave.corpus.gate import check
from slowwave.corpus.inert import make_inert
from slowwave.corpus.paths import Taken, check_path, place
from slowwave.corpus.query import match_terms, snippet
from slowwave.corpus.slugs import slug
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Entity
from slowwave.facts.text import has_unsafe
from slowwave.records.secrets import Secrets

PATH = MemoryPath("areas/inbox/a.md")
SECRETS = Secrets(deep=False)
RENDERER = MarkdownIt("commonmark", {"html": False})


def texts(shared: Path, name: str) -> Iterator[str]:
    """The texts of one list."""
    with (shared / "attack" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def codes(body: str) -> set[str]:
    """What the gate says about a text in the gist."""
    content = render(memory(body=body))
    return {refusal.code for refusal in check(PATH, content, exists=lambda _: False, secrets=SECRETS)}


def test_no_traversal_name_leaves_the_corpus(shared: Path) -> None:
    """All 7,271 are refused as paths; inside a path they are refused or stay plain names below it."""
    accepted = set()
    count = 0
    for text in texts(shared, "path_traversal"):
        count += 1
        assert check_path(text) is not None
        for candidate in (f"projects/{text}", f"projects/x/{text}.md", f"{text}/projects/a.md"):
            if check_path(candidate) is None:
                accepted.add(candidate)
                parts = PurePosixPath(candidate).parts
                assert all(part.strip(". ") == part and part for part in parts)
                assert "/".join(parts) == candidate
    assert count == 7_271
    assert len(accepted) < 100


def test_traversal_names_as_titles_get_safe_places(shared: Path) -> None:
    """Used as claim, project and entity, each is mapped to a checked path within its folder."""
    for number, text in enumerate(texts(shared, "path_traversal")):
        if number % 7:
            continue
        for one in (memory(text, project=text), memory(text, entities=(Entity("topic", text),))):
            path = place(one, Taken())
            assert check_path(path) is None
            assert path.count("/") == 2


def test_markup_attacks_show_as_text_or_are_refused(shared: Path) -> None:
    """Of every HTML and script payload, what the gate lets pass renders without an element of its own."""
    passed = 0
    for number, text in enumerate(texts(shared, "xss")):
        if number % 5 or len(text) > 1_400 or codes(text) - {"hash_mismatch"}:
            continue
        passed += 1
        shown = RENDERER.render(text).lower()
        assert not any(
            element in shown for element in ("<script", "<img", "<svg", "<iframe", '="javascript:', "<object")
        )
    assert passed


def test_exported_claims_are_inert(shared: Path) -> None:
    """Every payload, made inert, renders as text and code, with HTML switched on."""
    renderer = MarkdownIt("commonmark", {"html": True})
    for number, text in enumerate(texts(shared, "xss")):
        if number % 5:
            continue
        tokens = renderer.parse(f"- {make_inert(text)}")
        kinds = {child.type for token in tokens for child in token.children or ()} | {token.type for token in tokens}
        assert not kinds & {"html_inline", "html_block", "link_open", "image", "fence", "code_block"}, text


def test_control_sequences_are_refused_and_never_shown(shared: Path) -> None:
    """Live terminal sequences do not pass the gate, and what search shows of them is pictures."""
    for text in texts(shared, "ansi"):
        if "\x1b" in text or "\x9b" in text:
            assert "ansi_escape" in codes(text)
        assert not has_unsafe(snippet("x", text))


def test_odd_texts_break_nothing(shared: Path) -> None:
    """Naughty strings as claim, tag, query and title: read back equal, never a crash."""
    for text in texts(shared, "naughty_strings"):
        content = render(memory(text, text, tags=(text,)))
        reading = read(content, PATH)
        assert reading.memory.tags == ((text,) if text else ())
        assert slug(text)
        assert all(term.startswith('"') and '"' not in term[1:-1] for term in match_terms(text))


def test_broken_lines_forge_no_key(shared: Path) -> None:
    """Line-break smuggling in a claim, a tag or an author adds no front-matter key."""
    for text in [*texts(shared, "crlf"), "x\nstatus: archived", "x\r\n---\r\n# other"]:
        found = read(render(memory(text, tags=(text,), author=text)), PATH).memory
        assert found.tags == (text,)
        assert found.author == text
        assert found.status.value == "active"
        assert "\n" not in found.claim


@pytest.mark.parametrize(
    "body",
    [
        *("[" * 1_500, "](" * 750, "`" * 1_499, "*_" * 750, "<" * 1_500, "![" * 750, "> " * 700 + "x"),
        *("- " * 700 + "x", "&#x" * 500, "[[" * 700, "a" + "\u0301" * 1_499, "\u202e" * 1_500, "[a](" * 370),
        *("<a " * 500, "1. " * 500),
    ],
)
def test_the_gate_is_quick_on_hostile_markup(body: str) -> None:
    """No text of the allowed size keeps the gate busy."""
    start = time.perf_counter()
    codes(body)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    "matter", ["a: [" * 5_000, "- " * 5_000, "? " * 5_000, "a: " + "&a " * 5_000, "{" * 5_000, "x: |\n" * 3_000]
)
def test_hostile_front_matter_is_refused_quickly(matter: str) -> None:
    """Deep nesting, anchors and unclosed syntax cost no time and no stack."""
    start = time.perf_counter()
    with pytest.raises(FormatError):
        read(f"---\n{matter}\n---\n# x\n".encode(), PATH)
    assert time.perf_counter() - start < 2
