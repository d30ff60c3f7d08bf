"""Law 9, its first half: a quote is found exactly where a second, slow and plain reading of the bytes finds it."""

import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_oracle import decoded, folded, lines_with, occurrences, values
from made_transcripts import ClaudeSession

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.proof.batch import whole_batch
from slowwave.proof.quotes import locate
from slowwave.records.session import Session


def agree(session: Session, quotes: Sequence[str]) -> None:
    """Both find a quote or both do not, never elsewhere; the very same lines unless there is a crowd of them."""
    for quote, found in zip(quotes, found_lines(session, quotes), strict=True):
        expected = lines_with(session.path, quote)
        assert found <= expected
        assert bool(found) is bool(expected)
        assert found == expected or occurrences(session.path, quote) > CROWD


def found_lines(session: Session, quotes: Sequence[str]) -> list[set[int]]:
    """The implementation: lines on which each quote was found."""
    wanted = [Quote(session_id=session.id, quote=quote) for quote in quotes]
    places = locate(wanted, whole_batch([session]))
    return [{place.line for place in places[quote]} for quote in wanted]


CROWD = 16  # places of one observation that the finder keeps; more decide nothing

LETTERS = 'ab c\n\t"\\/<>&ué中文\u00a0\u2009\u200b\x1c\U0001f419\x00{}[],:'
TEXTS = st.text(st.sampled_from(LETTERS), max_size=30)
NESTED = st.recursive(
    TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc."), inner, max_size=3),
    max_leaves=6,
)


def spelled(text: str, how: int) -> str:
    """JSON of a text in one of the spellings a writer may choose."""

    def one(character: str) -> str:
        if how & 4 and character in "abc<>&":
            return f"\\u{ord(character):04X}"
        if how & 2 and character == "/":
            return "\\/"
        return json.dumps(character, ensure_ascii=bool(how & 1))[1:-1]

    return f'"{"".join(map(one, text))}"'


@st.composite
def sessions(draw: st.DrawFn) -> tuple[list[bytes], list[str]]:
    """Lines of a session in odd spellings, and quotes that stand in it or nearly do."""
    texts: list[str] = []
    lines: list[bytes] = []
    for number in range(draw(st.integers(1, 5))):
        inner = draw(NESTED)
        held = json.dumps(inner, ensure_ascii=draw(st.booleans()))
        said = draw(TEXTS)
        texts += [said, held, *values(inner)]
        made = ClaudeSession()
        made.call(f"c{number}", "Write", {"kept": held, "tree": inner})
        made.agent(said)
        is_plain = draw(st.booleans())
        lines.extend(json.dumps(json.loads(line), ensure_ascii=is_plain).encode() for line in made.lines)
    quotes = []
    for _ in range(draw(st.integers(1, 5))):
        text = draw(st.sampled_from(texts)) + draw(st.sampled_from(["", "", draw(st.sampled_from(texts))]))
        first = draw(st.integers(0, len(text)))
        quotes.append(
            damaged(text[first : first + draw(st.integers(1, 12))], draw(st.integers(0, 9)), draw(st.integers(0, 99)))
        )
    return lines, [quote for quote in quotes if folded(quote)] or ["ab"]


def damaged(text: str, how: int, at: int) -> str:
    """The text, unharmed six times of ten."""
    place = at % (len(text) + 1)
    match how:
        case 6:
            return text[:place] + " \u2003\n" + text[place:]
        case 7:
            return text[:place] + "\u200b" + text[place:]
        case 8:
            return text[:place].upper() + text[place:]
        case 9:
            return text.replace(" ", "\u00a0\t")
        case _:
            return text


@settings(max_examples=300, deadline=None)
@given(sessions())
def test_the_finder_agrees_with_the_oracle(made: tuple[list[bytes], list[str]]) -> None:
    """On made sessions in every spelling of JSON, both find the same lines, or none."""
    lines, quotes = made
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        session = Session(id=SessionId("s"), agent="claude-code", path=path, root=Path(folder))
        agree(session, quotes)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.sampled_from("abc/<é中\U0001f419 "), min_size=1, max_size=12).filter(folded),
    st.integers(0, 7),
    st.booleans(),
)
def test_no_spelling_of_json_hides_a_text(text: str, how: int, is_held: bool) -> None:
    """Escapes of every kind, once or twice encoded, are still the text."""
    spelling = spelled(text, how)
    if is_held:
        spelling = json.dumps(f'{{"inner": {spelling}}}')
    line = f'{{"type": "user", "message": {{"role": "user", "content": {spelling}}}}}'
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_text(line + "\n", "utf-8", newline="\n")
        session = Session(id=SessionId("s"), agent="claude-code", path=path, root=Path(folder))
        assert lines_with(path, text) == {1}
        assert found_lines(session, [text]) == [{1}]


@pytest.mark.parametrize("batch", ["D1", "D3"])
def test_the_finder_agrees_with_the_oracle_on_real_sessions(shared: Path, batch: str) -> None:
    """Fragments of real sessions, whole or damaged, are found where the oracle finds them."""
    agent = {"D1": "claude-code", "D3": "codex"}[batch]
    root = shared / "gold" / batch / "sessions"
    path = min(root.glob("*.jsonl"), key=lambda found: (found.stat().st_size, found.name))
    random_ = random.Random(batch)
    texts = [text for line in path.read_bytes().split(b"\n") for text in decoded(line) if 40 < len(text) < 4_000]
    quotes = []
    for number in range(12):
        text = random_.choice(texts)
        first = random_.randrange(len(text) - 30)
        quotes.append(damaged(text[first : first + 30], number % 10, number * 7))
    quotes = [quote for quote in quotes if folded(quote)]
    session = Session(id=SessionId("s"), agent=agent, path=path, root=root)
    assert sum(bool(lines_with(path, quote)) for quote in quotes) >= 4
    agree(session, quotes)
