"""Made-up courses of work for hygiene, by hypothesis: what is said, called and returned, with names strewn into it."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from small_contexts import Beat, bash, call, lines, notice, read, say, think, user

PATHS = ("/shop/cart.py", "/shop/pay/gate.go", "docs/plan.md")
_WORDS = st.sampled_from(
    [
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
        "marmot-larch",
        "db-7",
        "x9",
        "10.0.0.3:8443",
        "ioLog",
        "a/b.c",
        "release-candidate-4471",
        "E11000",
        "größe-12",
        "名前-七",
        "0xdeadbeef",
        "4711",
        "12:",
        "5|",
        "v1.2.3",
        "user@host",
        "#417",
    ]
)
_GLUE = st.sampled_from([" ", " ", " ", "\t", ", ", "  ", "\r", "\u2028", " \x1b[31m", ' "', "\x0b", "\x00"])
_FRONT = st.sampled_from(["", "", "", "   417→", "12: ", "88\t", "  ", "Error: ", "[=====>    ] 45% ", "E   "])
PIXEL = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}


@st.composite
def _lines(draw: st.DrawFn) -> str:
    words = draw(st.lists(_WORDS, min_size=1, max_size=6))
    line = draw(_FRONT) + draw(_GLUE).join(words)
    return f"{line} {draw(_GLUE).join(words * 12)}" if draw(st.integers(0, 9)) == 0 else line


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
    result = draw(_payloads())
    sort = draw(st.integers(0, 8))
    path = draw(st.sampled_from(PATHS))
    if sort == 0:
        return call("Read", result, file_path=path)
    if sort == 1:
        return call("Read", result, file_path=path, offset=3, limit=40)
    if sort == 2:
        return call("Edit", draw(outputs()), file_path=path, old_string="a", new_string=draw(SENTENCES))
    if sort == 3:
        return call(draw(st.sampled_from(["TodoWrite", "JobStatus", "mcp__web__fetch", "Screenshot"])), result, job="7")
    if sort == 4:
        return call("Grep", "\n".join(f"{each}: def {draw(SENTENCES)}" for each in PATHS * 9), pattern="def")
    command = draw(st.sampled_from(["pytest -q", "make build", "git status", "cat shop/cart.py", "rg total", "ls b"]))
    return call("Bash", result, is_error=draw(st.integers(0, 3)) == 0, command=f"{command} {draw(SENTENCES)}"[:60])


def _beats(pool: Sequence[Beat]) -> st.SearchStrategy[Beat]:
    reminder = (
        "The list of things to do is empty; nobody has asked for {} since, so there is nothing to be done at {}. "
    )
    notices = st.tuples(st.sampled_from(["it", "the ledger"]), st.integers(0, 99)).map(
        lambda told: notice(reminder.format(*told) * 2)
    )
    mixed = SENTENCES.map(lambda text: user(f"{text}\n<system-reminder>{text}</system-reminder>"))
    return (
        st.sampled_from(pool)
        | st.sampled_from(pool)
        | st.sampled_from(pool)
        | SENTENCES.map(user)
        | mixed
        | SENTENCES.map(say)
        | _SAID.map(say)
        | notices
    )


@st.composite
def scripts(draw: st.DrawFn, *, with_thoughts: bool = False) -> list[Beat]:
    """What happens in a context: often the same things again, mostly with enough behind them to be old."""
    pool = draw(st.lists(calls(), min_size=1, max_size=5))
    body = draw(st.lists(_beats(pool), min_size=2, max_size=28))
    if with_thoughts and draw(st.booleans()):
        body.insert(draw(st.integers(0, len(body))), think("Hm."))
    if draw(st.integers(0, 5)) == 0:
        return body
    newest = [bash(f"tool {letter}", f"out {letter}") for letter in "abcde"]
    return [user("Begin."), *body, *newest, user("Thanks."), read("/shop/other.py", "x"), user("Go on.")]
