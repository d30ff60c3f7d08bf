"""Error lines reduced to templates: what differs from one occurrence to the next is masked, words stay."""

import re

from slowwave.mining.failures import LINE_CHARACTERS, bare

FEWEST_WORDS = 4  # real words a template needs; with fewer it is a shape that every code base has

_MASKS = (
    (re.compile(r"https?://[^\s'\"<>]+"), "<url>"),
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{9,}\b"), "<id>"),
    (re.compile(r"(?<![\w.])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,}/?"), "<path>"),
    (re.compile(r"\b[\w./-]+\.\w{1,5}:\d+(?::\d+)?"), "<place>"),
    (re.compile(r"\bv?\d+(?:\.\d+)+[\w.+-]*"), "<version>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b"), "<hash>"),
    (re.compile(r"\b\d+(?:\.\d+)?(?:ms|s|m|h|kb|mb|gb|%)?\b", re.IGNORECASE), "<n>"),
)
_WORD = re.compile(r"(?<![<\w])[A-Za-z][A-Za-z'\u2019-]{2,}(?![\w>])")
_EMPTY = frozenset(
    {"the", "and", "for", "not", "was", "are", "with", "from", "this", "that", "error", "failed", "line"}
)


def template(line: str) -> str:
    """An error line with its place taken off and its numbers, paths, hashes, versions and addresses masked."""
    text = bare(line[:LINE_CHARACTERS])
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text


def real_words(text: str) -> tuple[str, ...]:
    """The words of a template that say something, lower case, each once, in order."""
    return tuple(dict.fromkeys(w.lower() for w in _WORD.findall(text) if w.lower() not in _EMPTY))
