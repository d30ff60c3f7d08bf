"""A line made fit to leave: its whole rendering masked first, then found in, then cut."""

import io
from collections.abc import Sequence
from itertools import accumulate

from slowwave.facts.evidence import Speaker
from slowwave.records.lines import Record, read_lines
from slowwave.records.needles import Needles, Span
from slowwave.records.rendering import Piece, render, render_raw
from slowwave.records.secrets import MASK, Secrets, SecretSpan, apply_masks

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
    found = list(needles.find(piece.text))
    if not found:
        return found
    hidden = secrets.find(piece.text, name=piece.name)
    return [span for span in found if not any(_touches(span, secret) for secret in hidden)]


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
