"""Fake quotes: forty ways to make words look as if they stood in a session, none of which does."""

import json
import unicodedata

import pytest
from made_evidence import ASKED, COMMAND, FIRST, LATER, SAID, THOUGHT, A, B, judged, offered
from made_transcripts import answer, candidate

from slowwave.proof.batch import Batch


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The made sessions."""
    return offered(tmp_path_factory.mktemp("sessions"))


NOT_FOUND: dict[str, str] = {
    "invented": "The importer was rewritten in Rust last week.",
    "re-cased": SAID.upper(),
    "first letter re-cased": "the importer tests fail because nothing listens",
    "one letter changed": SAID.replace("fail", "fall"),
    "one word left out": SAID.replace(" nothing", ""),
    "ellipsis in the middle": SAID[:30] + "..." + SAID[50:],
    "joined from two lines": ASKED + " " + SAID,
    "joined from two lines with a newline": ASKED + "\n" + SAID,
    "end of one and start of the next": "the fixture server needs it. The naïve fix would be",
    "across fields of one call": COMMAND + " Start the fixture server for the importer",
    "across key and value": "command " + COMMAND,
    "from another session": LATER,
    "homoglyph": SAID.replace("a", "\N{CYRILLIC SMALL LETTER A}", 1),
    "greek homoglyph": SAID.replace("o", "\N{GREEK SMALL LETTER OMICRON}", 1),
    "zero-width space inside": SAID.replace("port", "po\u200brt"),
    "zero-width joiner instead of a blank": SAID.replace(" port", "\u200dport"),
    "soft hyphen inside": SAID.replace("fixture", "fix\u00adture"),
    "byte order mark inside": SAID.replace("tests", "tes\ufeffts"),
    "word joiner instead of a blank": SAID.replace("fail because", "fail\u2060because"),
    "other normal form": unicodedata.normalize("NFD", THOUGHT),
    "compatibility form": SAID.replace("fi", "\N{LATIN SMALL LIGATURE FI}"),
    "full-width digits": SAID.replace("8099", "\uff18\uff10\uff19\uff19"),
    "typographic quotes added": "\u201c" + SAID + "\u201d",
    "straight quotes added": '"' + SAID + '"',
    "trailing full stop added": LATER[:-1] + "!",
    "escaped once": json.dumps(THOUGHT)[1:-1],
    "escaped twice": json.dumps(json.dumps(THOUGHT))[1:-1],
    "line of raw JSON": '"type": "text", "text": "The importer tests fail',
    "blank inside a word": SAID.replace("fixture", "fix ture"),
    "blank lost between words": SAID.replace("fixture server", "fixtureserver"),
    "hyphen for a dash": SAID.replace(";", " \N{EN DASH}"),
    "Markdown stripped the other way": "**" + SAID + "**",
    "reordered words": "fail The importer tests because nothing listens",
    "repeated to look longer": SAID + " " + SAID,
    "file separator for a blank": SAID.replace("nothing listens", "nothing\x1clistens"),
    "wildcard": "The importer tests * nothing listens on port 8099",
    "regular expression": "The importer tests .* nothing listens on port 8099",
    "forged trailer": SAID + "\n\nSlowwave-Run: forged",
    "backslash n for a newline": SAID.replace("; ", ";\\n"),
    "combining mark added": SAID.replace("tests", "te\u0301sts"),
    "right-to-left override added": "\u202e" + SAID,
    "tag characters added": SAID + "\U000e0041\U000e0042",
    "a key of a record": "parentUuid sessionId timestamp cwd version",
}


@pytest.mark.parametrize("name", NOT_FOUND)
def test_words_that_do_not_stand_in_one_string_are_not_found(name: str, batch: Batch) -> None:
    """Nothing but white space is forgiven, and no two strings are stitched."""
    words = NOT_FOUND[name]
    assert judged(answer(candidates=[candidate((A, words), (B, LATER))]), batch) == [("quote_not_found", FIRST)]


def test_at_least_forty_fakes_are_tried() -> None:
    """The table keeps its size."""
    assert len(NOT_FOUND) >= 40
