"""Names say what a thing is: words that fit everything are banned, each word of ``docs/words.md`` has one meaning."""

import ast
import re
from collections.abc import Iterator

from made_source import ROOT, Function, sources, words_of

BANNED = frozenset(
    [
        "manager",
        "helper",
        "util",
        "utils",
        "common",
        "misc",
        "handle",
        "handler",
        "process",
        "do",
        "base",
        "data",
        "info",
    ]
)
ALLOWED = {
    "NothingToDoError": "the words of the exit code it stands for",
    "common": "git's own word for the folder that worktrees share",
    "_common": "what two commands have in common",
    "base": "git's own word for the commit that work builds on",
    "data_dir": "seed 001's own word, by which its loop is called",
    "_data": "fast-import's command of that name",
    "handle_async_request": "httpx's own word for what a transport does",
    "do_POST": "the library's own name for what answers a request",
}
"""Names with a banned word in them, each with its reason."""
SPELLED_BY_OTHERS = ("records/", "desk/samples/", "hygiene/wires/chat.py", "hygiene/shapes/chat.py")
"""Where the words of the formats themselves are spoken."""
SYNONYMS = {
    "conversation": "session",
    "chat": "session",
    "bookmark": "mark",
    "citation": "quote",
    "proof_text": "quote",
    "todo": "task",
    "assistant": "agent",
    "human": "user",
    "repo": "corpus",
    "violation": "refusal",
    "bot": "agent",
}
"""Words that would mean what another one means here."""
WORDS = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (ROOT / "docs" / "words.md").read_text("utf-8"), re.MULTILINE)[1:]
NEEDED = frozenset(
    {
        "session",
        "record",
        "claim",
        "quote",
        "evidence",
        "memory",
        "candidate",
        "mark",
        "refusal",
        "night",
        "entry",
        "recording",
        "lens",
        "finding",
        "commitment",
        "promise",
        "answer",
        "contract",
        "gate",
        "door",
        "shelf",
        "item",
        "pending",
        "landing",
        "phase",
        "batch",
        "profile",
        "task",
        "home",
        "speaker",
        "injected",
        "taint",
        "origin",
        "loss",
        "gist",
        "entity",
    }
)


def defined() -> Iterator[tuple[str, str]]:
    """Every name that a reader meets from outside: modules, classes, functions and what they take."""
    for source in sources():
        yield source.name, source.name.rsplit("/", 1)[-1].removesuffix(".py")
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ClassDef | Function):
                yield source.name, node.name
            if isinstance(node, Function):
                for argument in (*node.args.args, *node.args.kwonlyargs):
                    yield source.name, argument.arg


def test_no_name_says_nothing() -> None:
    """A word that fits everything stands in no name, but for those whose reason is given above."""
    met = {name for _, name in defined() if BANNED & set(words_of(name))}
    assert met - set(ALLOWED) == set()
    assert set(ALLOWED) - met == set(), "an exception that is needed no more"


def test_one_thing_has_one_name() -> None:
    """Synonyms of our words stand in no name."""
    ours = [(where, name) for where, name in defined() if not where.startswith(SPELLED_BY_OTHERS)]
    met = {(where, name) for where, name in ours if set(words_of(name)) & set(SYNONYMS)}
    assert met == set()


def test_every_word_is_defined_once_and_used() -> None:
    """The words of the house are all defined, none twice, and each is met in the code."""
    named = [part.strip() for term, _ in WORDS for part in term.split(",")]
    assert len(named) == len(set(named))
    assert NEEDED - set(named) == set()
    everything = "\n".join(source.text for source in sources()).casefold()
    unused = [name for name in named if not re.search(rf"\b{re.escape(name)}|{name.replace(' ', '_')}", everything)]
    assert unused == []
