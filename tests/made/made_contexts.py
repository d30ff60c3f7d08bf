"""Made-up courses of work for hygiene, by hypothesis: what is said, called and returned, with names strewn into it."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from small_contexts import MAKERS, Beat, bash, call, claude_code, lines, notice, read, say, user

PATHS = ("/shop/cart.py", "/shop/pay/gate.go", "docs/plan.md")
_COMMON = (
    "the",
    "is",
    "at",
    "run",
    "of",
    "a",
    "it",
    "no",
    "up",
    "harbour",
    "orchard",
    "lantern",
    "Willow",
    "12:",
    "5|",
)
_NAMES = (
    *("marmot-larch", "db-7", "x9", "10.0.0.3:8443", "ioLog", "a/b.c", "release-candidate-4471", "E11000", "größe-12"),
    *("名前-七", "0xdeadbeef", "4711", "v1.2.3", "user@host", "#417"),
)
_WORDS = st.sampled_from(_COMMON + _NAMES)
_GLUE = st.sampled_from([" ", " ", " ", "\t", ", ", "  ", "\r", "\u2028", " \x1b[31m", ' "', "\x0b", "\x00", "\u3000"])
_FRONT = st.sampled_from(["", "", "", "   417→", "12: ", "88\t", "  ", "Error: ", "[=====>    ] 45% ", "E   "])
_COMMANDS = ("pytest -q", "make build", "git status", "cat /shop/cart.py", "rg total", "ls b", "curl http://x")
PIXEL = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
REMINDER = "The list of things to do is empty; nobody has asked for {} since, so there is nothing to be done at {}. "
NEWEST = tuple(bash(f"tool {letter}", f"out {letter}") for letter in "abcde")
"""Five results that keep all before them from being among the newest."""

SENTENCES = st.lists(_WORDS, min_size=1, max_size=8).map(" ".join)
_SAID = st.sampled_from(
    [
        "On we go.",
        "I decided to keep SQLite, because the file travels with the project.",
        "Do not touch the ledger before noon.",
        "The tests pass.",
    ]
)


@st.composite
def _lines(draw: st.DrawFn) -> str:
    words = draw(st.lists(_WORDS, min_size=1, max_size=6))
    line = draw(_FRONT) + draw(_GLUE).join(words)
    return f"{line} {draw(_GLUE).join(words * 12)}" if draw(st.integers(0, 5)) == 0 else line


@st.composite
def outputs(draw: st.DrawFn) -> str:
    """What a tool prints: lines nobody misses, and some with names in them, anywhere."""
    held = lines(draw(st.sampled_from([0, 3, 12, 40, 90])), draw(st.sampled_from(["row", "step", "part"]))).split("\n")
    for line in draw(st.lists(_lines(), max_size=4)):
        held.insert(draw(st.integers(0, len(held))), line)
    if draw(st.integers(0, 5)) == 0:
        held += [draw(_lines())] * draw(st.integers(2, 9))
    return "\n".join(held)


def _payloads() -> st.SearchStrategy[Any]:
    part = outputs().map(lambda text: {"type": "text", "text": text})
    parts = st.lists(part | st.just(PIXEL), min_size=1, max_size=3)
    return outputs() | outputs() | outputs() | parts


@st.composite
def calls(draw: st.DrawFn) -> Beat:
    """A call with what came back, of any sort that a detector looks at."""
    result, path, sort = draw(_payloads()), draw(st.sampled_from(PATHS)), draw(st.integers(0, 9))
    if sort <= 1:
        return call("Read", result, file_path=path)
    if sort == 2:
        return call("Read", result, file_path=path, offset=3, limit=40)
    if sort == 3:
        return call("Edit", draw(outputs()), file_path=path, old_string="a", new_string=draw(SENTENCES))
    if sort == 4:
        return call(draw(st.sampled_from(["TodoWrite", "JobStatus", "mcp__web__fetch", "Screenshot"])), result, job="7")
    if sort == 5:
        return call("Grep", "\n".join(f"{each}: def {draw(SENTENCES)}" for each in PATHS * 9), pattern="def")
    is_error = draw(st.integers(0, 2)) == 0
    return call("Bash", result, is_error=is_error, command=draw(st.sampled_from(_COMMANDS)))


def _again() -> st.SearchStrategy[Beat]:
    """Runs with other results each time, questions whose answers differ in figures, errors that are met again."""
    runs = st.builds(bash, st.sampled_from(_COMMANDS[:2]), outputs(), is_error=st.booleans())
    polls = st.integers(0, 10**6).map(
        lambda seen: call("JobStatus", f"job 7 went on for {seen} seconds\n" * 9, job="7")
    )
    failed = "\n".join(["Error: the module shop cannot be found", *["  at a place"] * 20])
    errors = st.sampled_from("abc").map(lambda name: bash(f"node {name}.js", failed, is_error=True))
    return runs | polls | errors | errors


def _beats(pool: Sequence[Beat]) -> st.SearchStrategy[Beat]:
    told = st.tuples(st.sampled_from(["it", "the ledger"]), st.integers(0, 99))
    notices = told.map(lambda words: notice(REMINDER.format(*words) * 2))
    mixed = SENTENCES.map(lambda text: user(f"{text}\n<system-reminder>{text}</system-reminder>"))
    known = st.sampled_from(pool)
    return (
        known | known | known | _again() | SENTENCES.map(user) | mixed | SENTENCES.map(say) | _SAID.map(say) | notices
    )


@st.composite
def scripts(draw: st.DrawFn) -> list[Beat]:
    """What happens in a context: often the same things again, mostly with enough behind them to be old."""
    pool = draw(st.lists(calls(), min_size=2, max_size=6))
    body = draw(st.lists(_beats(pool), min_size=8, max_size=30))
    if draw(st.integers(0, 9)) == 0:
        return body
    return [user("Begin."), *body, *NEWEST, user("Thanks."), read("/shop/other.py", "x"), user("Go on.")]


@st.composite
def contexts(draw: st.DrawFn) -> tuple[str, bytes]:
    """A script in a wire; in Claude Code's, a part of it may be a sub-agent's, in Chat, calls may count anew."""
    wire, beats = draw(st.sampled_from(sorted(MAKERS))), draw(scripts())
    raw = MAKERS[wire](beats)
    if wire == "claude-code" and draw(st.booleans()):
        return wire, with_sub_agent(beats, draw(st.integers(0, len(beats))), draw(st.integers(0, 9)))
    if wire == "openai-chat" and draw(st.booleans()):
        return wire, _counted_anew(raw)
    return wire, raw


def with_sub_agent(beats: Sequence[Beat], start: int, count: int) -> bytes:
    """A session of Claude Code in which some beats were a sub-agent's, as older versions wrote them into one file."""
    before, aside = (len(claude_code(beats[:at]).splitlines()) for at in (start, start + count))
    records = [json.loads(line) for line in claude_code(beats).splitlines()]
    for record in records[before:aside]:
        record["isSidechain"] = True
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def _counted_anew(raw: bytes) -> bytes:
    """A list in which every reply calls its first call the same."""
    messages = json.loads(raw)
    for message in messages:
        for each in message.get("tool_calls", ()):
            each["id"] = "call_0"
        if message["role"] == "tool":
            message["tool_call_id"] = "call_0"
    return json.dumps(messages, indent=1).encode()
