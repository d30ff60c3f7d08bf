"""Laws of the search, for any texts and phrases."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.records.needles import make_needles
from slowwave.records.read import read_lines_of, search_transcript
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.records.sessions import scan_folder

SECRETS = Secrets(deep=False)
ODD = st.sampled_from(list('ab"\\/\n\té😀<>&\u200b\u0000 \u2028ÉK\u212a'))
TEXT = st.text(ODD, min_size=1, max_size=30)


def stored(texts: list[str], folder: Path, *, is_ascii: bool) -> Session:
    """A session of these prompts."""
    with (folder / "s.jsonl").open("wb") as file:
        for number, text in enumerate(texts):
            record = {"type": "user", "uuid": str(number), "sessionId": "s", "message": {"content": text}}
            file.write(json.dumps(record, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass") + b"\n")
    (session,), _ = scan_folder(folder, secrets=SECRETS)
    return session


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(TEXT, min_size=1, max_size=5), data=st.data(), ignore_case=st.booleans())
def test_what_a_text_says_is_found(texts: list[str], data: st.DataObject, *, ignore_case: bool) -> None:
    """Any part of any text is found at least as often as it stands there, at the columns that reading shows."""
    text = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, len(text) - 1))
    phrase = text[start : start + data.draw(st.integers(1, 8))]
    with tempfile.TemporaryDirectory() as folder:
        session = stored(texts, Path(folder), is_ascii=True)
        result = search_transcript(session, phrase, secrets=SECRETS, max_hits=50, ignore_case=ignore_case)
        spoken = sum(len(list(make_needles(phrase, ignore_case=ignore_case).find(each))) for each in texts)
        assert result.total >= spoken > 0
        for hit in result.hits[:3]:
            (line,) = read_lines_of(session, hit.line, hit.line, secrets=SECRETS, column=hit.column).lines
            assert line.text.startswith(hit.text)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200), is_ascii=st.booleans())
def test_masking_is_stable_and_keeps_what_is_no_secret(text: str, *, is_ascii: bool) -> None:
    """Masking twice is masking once, of a text and of the JSON that holds it."""
    for each in (text, json.dumps({"password": text}, ensure_ascii=is_ascii)):
        once = SECRETS.mask(each)
        assert SECRETS.mask(once) == once
