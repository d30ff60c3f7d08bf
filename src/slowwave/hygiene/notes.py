"""What a model may write into a context: a note that says what stood there, and a rationale for the log.

A note is read by an agent later, in the place of what was there, so it is held to the shape of a description: it names
a kind of message, says how many or that it came again, and speaks to nobody. Whatever else it is (an answer, a question
or order, a path, markup, an escape, a secret, a mark of ours) is no description and is refused. A note that was refused
by mistake costs little: code has words of its own for the place.
"""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from slowwave.corpus.letters import holds_control, holds_escape
from slowwave.facts.ids import digest
from slowwave.facts.markers import injected_spans
from slowwave.facts.text import has_unsafe
from slowwave.hygiene.branching import branching
from slowwave.hygiene.lexicon import without_accents
from slowwave.proof.instruction import instruction_shaped
from slowwave.proof.lexicons import plain
from slowwave.proof.triviality import count_words

FEWEST_NOTE_CHARACTERS = 8  # less says nothing about what stood there
MOST_NOTE_CHARACTERS = 300  # one line; a longer one keeps too much to be worth a collapse
FEWEST_NOTE_WORDS = 3  # how many, of which kind, and one word more: less is a label
MOST_NOTE_FIGURES = 8  # counts, times and numbers of things; more is a text in another spelling
MOST_WORD_CHARACTERS = 40  # of one word in a note: a long path or compound; past it something is encoded
MOST_RATIONALE_CHARACTERS = 300  # one line of the log

KINDS = ("things", "repeats", "address", "duties", "orders")
"""What the word table lists for each language."""
_LETTERS = "0-9A-Za-zÀ-ÖØ-öø-ÿŒœ\u3005-\u3007\u3040-\u30ff\u4e00-\u9fff"
_NEVER = re.compile(r"\.\.|//|\\|--|www\.|(?<!\w)[a-z]{2,12}:/")
_FIGURES = re.compile(r"\S*\d\S*")
_RUN = re.compile(r"[A-Za-z0-9]{10,}")
_CHANGE = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)")
_LONGEST_NAME = 13  # such as ``base64encode``
_NAMES = re.compile(r"\S*[\w.]/\S*|\S*/[\w.]\S*|\S*\w[._]\w\S*")
_ENDS = re.compile("(?<=[.;]) (?=\\S)|(?<=[\u3002\uff1b])(?=\\S)")


def check_rationale(text: str) -> str:
    """What is wrong with a rationale, as a sentence; empty where it is one plain line, or nothing at all."""
    if len(text) > MOST_RATIONALE_CHARACTERS:
        return f"A rationale has at most {MOST_RATIONALE_CHARACTERS} characters."
    return _line_fault(text, "rationale")


def check_note(text: str, *, holds_secret: Callable[[str], bool]) -> str:
    """What is wrong with a note that somebody else worded, as a sentence; empty where it may be written.

    Args:
        text: The note, without the template around it.
        holds_secret: Tells whether a text holds a secret; ``Secrets.holds_secret_or_mask``.
    """
    if len(text.strip()) < FEWEST_NOTE_CHARACTERS or len(text) > MOST_NOTE_CHARACTERS:
        return f"A note has {FEWEST_NOTE_CHARACTERS} to {MOST_NOTE_CHARACTERS} characters."
    return next((fault for fault in _note_faults(text, holds_secret) if fault), "")


@cache
def notes_digest() -> str:
    """The word table by its content, for the profile that a curation was made under."""
    return digest("notes", _source())


def _line_fault(text: str, what: str) -> str:
    if len(text.splitlines()) > 1 or text.endswith(("\n", "\r")):
        return f"A {what} is one line."
    if has_unsafe(text) or holds_escape(text) or holds_control(text) or "\t" in text:
        return f"A {what} holds no control or invisible characters."
    return ""


def _note_faults(text: str, holds_secret: Callable[[str], bool]) -> Iterator[str]:
    """Each rule's word on a note of lawful length, the cheap ones first."""
    yield _line_fault(text, "note")
    if injected_spans(text) or "slowwave" in plain(text):
        yield "A note holds no mark of ours."
    composed = unicodedata.normalize("NFC", text)
    if not _form().allowed.fullmatch(composed) or _NEVER.search(composed):
        yield "A note holds words, figures and plain punctuation, no markup, addresses, escapes or questions."
    is_long = any(len(word) > MOST_WORD_CHARACTERS for word in text.split())
    if is_long or len(_FIGURES.findall(text)) > MOST_NOTE_FIGURES or any(map(_is_drawn, _RUN.findall(text))):
        yield "A note holds no very long word, few figures, and nothing that looks drawn by lot."
    if instruction_shaped(text):
        yield "A note tells nobody what to do."
    yield _wording_fault(without_accents(plain(text)))
    if holds_secret(text):
        yield "A note holds no secret."


def _is_drawn(run: str) -> bool:
    """Whether letters and figures change places as in a token or a hash, not as in a name."""
    changes = len(_CHANGE.findall(run))
    return changes > 2 or (changes == 2 and len(run) > _LONGEST_NAME)


def _wording_fault(read: str) -> str:
    form = _form()
    if form.role.search(read):
        return "A note names no speaker before a colon."
    begins_orders = any(form.words["orders"].match(clause.strip()) for clause in form.clauses.split(read))
    if begins_orders or form.words["address"].search(read) or form.words["duties"].search(read):
        return "A note describes; it addresses nobody, asks nothing, orders nothing and decides nothing."
    said = _NAMES.sub(" ", read)
    things, repeats = form.words["things"], form.words["repeats"]
    if not things.search(said) or not repeats.search(said) or count_words(said) < FEWEST_NOTE_WORDS:
        return "A note says what kind of message stood there, and how many or that it was repeated."
    if not all(things.search(sentence) or repeats.search(sentence) for sentence in _ENDS.split(said)):
        return "Every sentence of a note says what stood there."
    return ""


class _Form:
    """What notes are held against, made from the word table."""

    def __init__(self, table: dict[str, Any]) -> None:
        marks, breaks = re.escape(table["marks"]), re.escape(table["breaks"])
        self.allowed = re.compile(rf"(?:[{_LETTERS}{marks}]|#(?=\d)|(?<=\d)%(?![0-9A-Fa-f]{{2}}))*")
        self.role = re.compile(rf"(?<!\w)(?:{'|'.join(table['roles'])}) ?:")
        # An apostrophe begins a quotation where no letter stands before it.
        apostrophes = "(?<!\\w)['\u2018\u2019]"
        self.clauses = re.compile(rf"[{breaks}]|{apostrophes}|(?<!\w)(?:{'|'.join(table['joints'])})(?!\w)")
        languages = [language for language in table.values() if isinstance(language, dict)]
        self.words = {kind: _pattern(languages, kind) for kind in KINDS}


@cache
def _form() -> _Form:
    return _Form(tomllib.loads(_source()))


def _source() -> str:
    return files("slowwave.hygiene").joinpath("notes.toml").read_text("utf-8")


def _pattern(languages: list[dict[str, Any]], kind: str) -> re.Pattern[str]:
    """The wordings of one kind, over all languages: whole words, and pieces where no blanks stand between words."""
    words = [f"(?:{w})" for table in languages if table["has_blanks"] for w in map(without_accents, table[kind])]
    pieces = [f"(?:{w})" for table in languages if not table["has_blanks"] for w in table[kind]]
    return re.compile(rf"(?<!\w)(?:{branching(words)})(?!\w)|{branching(pieces)}")
