"""Sentences joined to a claim or a gist, and whether they copy what was said."""

import re
from collections.abc import Iterable, Sequence

from slowwave.facts.limits import CLAIM_CHARACTERS, GIST_CHARACTERS, TRANSCRIPT_SPAN_CHARACTERS
from slowwave.facts.text import cut, fold

_SMALL = re.compile(
    r"(?:The|A|An|When|If|It|They|This|That|These|Those|In|On|For|To|Since|Because|With|Both|All|Each|No|You|We|There|Some|Any|After|Before|Without|Only|By|At|As|From|Its|Their|Such|Every|Most|Nothing|Neither|Instead|While|Once|Unless|Until|So|Of|One|Two|Three|Same)\b"
)
_PLAIN = re.compile(r"[^\W\d_]+'?[^\W\d_]*(?=[\s,;:]|$)")


def lowered(text: str) -> str:
    """A sentence to follow a colon: a small word that opens it is not capitalised; names stay as they are."""
    return text[0].lower() + text[1:] if _SMALL.match(text) else text


def raised(text: str) -> str:
    """A sentence to open with: its first letter large unless code begins it."""
    return text[:1].upper() + text[1:] if _PLAIN.match(text) else text


def claim(parts: Sequence[str]) -> str:
    """One claim out of parts, as many from the front as fit; ends in one full stop."""
    text = parts[0].rstrip(" ,;")
    for part in parts[1:]:
        if part and len(text) + len(part) + 1 <= CLAIM_CHARACTERS - 1:
            text += part
    text = cut(fold(text), CLAIM_CHARACTERS - 1).rstrip(" ,;:")
    return text if text.endswith((".", "…", "!", "?", ".”", "?”")) else text + "."


def gist(parts: Iterable[str]) -> str:
    """The parts as paragraphs, as many as fit; each once."""
    kept: list[str] = []
    room = GIST_CHARACTERS
    for part in parts:
        if part and part not in kept and len(part) + 1 <= room:
            kept.append(part)
            room -= len(part) + 1
    return "\n".join(kept)


def copies(text: str, sources: Iterable[str]) -> bool:
    """Whether the text takes a run over that the gate would refuse."""
    folded = fold(text)
    windows = {folded[i : i + TRANSCRIPT_SPAN_CHARACTERS] for i in range(len(folded) - TRANSCRIPT_SPAN_CHARACTERS + 1)}
    flats = (fold(source) for source in sources) if windows else ()
    return any(flat[i : i + TRANSCRIPT_SPAN_CHARACTERS] in windows for flat in flats for i in range(len(flat)))
