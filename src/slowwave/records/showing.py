"""A line made fit to leave: its whole rendering masked first, then found in, then cut."""

import io
from collections.abc import Sequence
from itertools import accumulate

from slowwave.facts.evidence import Speaker
from slowwave.records.lines import Record, read_lines
from slowwave.records.needles import Needles, Span
from slowwave.records.rendering import Piece, render, render_raw
from slowwave.records.secret_assignments import is_telling_name
from slowwave.records.secrets import MASK, Secrets, SecretSpan, apply_masks

_WORD_CHARACTERS = 16  # an ordinary word is shorter
_LONGEST_WORD = 8_192  # no token is longer
_CONTEXT = 512  # characters before a word in which a rule finds what makes it a secret
_MOST_WINDOWS = 8  # places in one string; more of them are looked at together
SEPARATOR = "\n"
"""Stands between two pieces of a rendering."""


def pieces_of(raw: bytes, agent: str) -> list[Piece]:
    """The pieces of one physical line, given without its LF."""
    records: list[Record] = [record for line in read_lines(io.BytesIO(raw + b"\n")) for record in line.records]
    if records:
        return render(records, agent)
    return render_raw(raw) if raw.strip() else []


def places(piece: Piece, needles: Needles, secrets: Secrets) -> list[Span]:
    """Where a piece holds the phrase, but for places that touch a secret: they would tell what it is."""
    text = piece.text
    found = list(needles.find(text))
    if not found or (not _has_context(piece) and all(_is_in_words(text, span) for span in found)):
        return found
    if _has_context(piece) or len(found) > _MOST_WINDOWS:
        hidden = secrets.find(text, name=piece.name)
        return [span for span in found if not any(_touches(span, secret) for secret in hidden)]
    return [span for span in found if _is_in_words(text, span) or not _is_hidden(text, span, secrets)]


def _has_context(piece: Piece) -> bool:
    """Whether something far away may make a text secret: a key's first line, a manifest's kind, a field's name."""
    return "PRIVATE KEY" in piece.text or "kind:" in piece.text or is_telling_name(piece.name)


def _is_in_words(text: str, span: Span) -> bool:
    """Whether a place stands in ordinary words, which no rule takes for a secret."""
    start, end = _word_around(text, span, _WORD_CHARACTERS)
    words = [word.strip("\"'`()[]{},;") for word in text[start:end].split()]
    return all(
        len(word) < _WORD_CHARACTERS and (not word or (word.isalpha() and (word.islower() or word.istitle())))
        for word in words
    )


def _is_hidden(text: str, span: Span, secrets: Secrets) -> bool:
    """Whether a place touches a secret, going by the words it stands in and what surrounds them."""
    start, end = _word_around(text, span, _LONGEST_WORD)
    begin = max(0, start - _CONTEXT)
    inner = (span[0] - begin, span[1] - begin)
    return any(_touches(inner, secret) for secret in secrets.find(text[begin : end + _CONTEXT]))


def _word_around(text: str, span: Span, most: int) -> Span:
    """A place, widened to white space on both sides, by at most so many characters."""
    head = text[max(0, span[0] - most) : span[0]]
    tail = text[span[1] : span[1] + most]
    before = 0 if not head or head[-1].isspace() else len(head.rsplit(None, 1)[-1])
    after = 0 if not tail or tail[0].isspace() else len(tail.split(None, 1)[0])
    return span[0] - before, span[1] + after


def _touches(span: Span, secret: SecretSpan) -> bool:
    return secret.start < span[1] and span[0] < secret.end


class MaskedLine:
    """The rendering of a line with its secrets masked, and where each place of the unmasked pieces went.

    Attributes:
        text: The rendering.
        speaker: Of its first piece.
    """

    def __init__(self, pieces: Sequence[Piece], secrets: Secrets) -> None:
        self._hidden = [secrets.find(piece.text, name=piece.name) for piece in pieces]
        masked = [apply_masks(piece.text, spans) for piece, spans in zip(pieces, self._hidden, strict=True)]
        self._starts = [0, *accumulate(len(text) + len(SEPARATOR) for text in masked)]
        self.text = SEPARATOR.join(masked)
        self.speaker = pieces[0].speaker if pieces else Speaker.SYSTEM

    def place(self, piece: int, span: Span) -> Span:
        """Where a place of a piece that touches no secret stands in the rendering."""
        moved = self._starts[piece] + sum(
            len(MASK.format(kind=secret.kind)) - (secret.end - secret.start)
            for secret in self._hidden[piece]
            if secret.end <= span[0]
        )
        return span[0] + moved, span[1] + moved
