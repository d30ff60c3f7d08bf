"""Plain sentences out of fragments of what was said: shortened, stripped of openers, never a copied run."""

import re
from collections.abc import Iterable, Sequence

from slowwave.facts.limits import CLAIM_CHARACTERS, GIST_CHARACTERS, TRANSCRIPT_SPAN_CHARACTERS
from slowwave.facts.text import cut, fold
from slowwave.mining.answers import opened
from slowwave.mining.lexicon import load
from slowwave.mining.wording import content_words, identifiers

RUN = TRANSCRIPT_SPAN_CHARACTERS - 8  # the longest run taken over word for word; a little below what the gate refuses
FROM_START = 1.2  # what keeping a sentence's beginning, where its subject stands, is worth
MOST_CLAUSES = 30  # of one sentence; a longer one is a list
ASIDE_FROM = 130  # characters from which a sentence does without what it says in brackets

_TAIL = re.compile(
    r"(?:[,;.—\u2013-]|,? (?:and|but))\s+(?:so |next |then |first )*"
    r"(?:I(?:'m|'ll|'ve|'d| will| am| can't| could| need| want| found| kept| added| used)|let me|want me|let's)\b.*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s+\([^()]{0,200}\)")
_SEE = re.compile(r"\s*\((?:see|cf|note|lines?|e\.g\.|per your|internal/|src/)[^()]{0,120}\)", re.IGNORECASE)
_LINE = re.compile(r"(?:,? and )?:\d+(?:-\d+)?(?::\d+)?\b(?!\.\d)")
_PLACE = re.compile(r"(?<=\.[a-z]{2}):\d+(?:-\d+)?\b|(?<=\.[a-z]{1}):\d+(?:-\d+)?\b|(?<=\.[a-z]{3}):\d+(?:-\d+)?\b")
_ARTICLE = re.compile(r" (?:the|a|an|its|their|this|that|just|now|also|actually|really|still) ")
_MINE = re.compile(r"^I (?=did|do\b|was|had)")
_YOUR = re.compile(r"\b([Yy])our\b")
_CLAUSE = re.compile(
    r"\s+[—\u2013]\s+|;\s+|\s+-\s+"
    r"|,[\"”']?\s+(?:so|but|and|which|while|because|since|or|not|rather|instead)\s+"
    r"|,?\s+but\s+|\s+(?:because|so that|instead of|rather than)\s+|,\s+|:\s+"
)
_OTHERWISE = {
    "so": "; so ", "but": "; but ", "and": "; and ", "which": "; this ", "while": "; meanwhile ", "because": ", since ",
    "since": ", because ", "or": " or ", "not": " and not ", "rather": " but rather ", "instead": " but instead ",
    "so that": " in order that ", "instead of": " in place of ", "rather than": " and not ",
}  # fmt: skip
_CODE = re.compile(r"`[^`\n]{1,200}`|“[^”\n]{1,200}”")
_LEANING = re.compile(
    r"(?:then|and|or|not|but|it|this|that|they|these|those|which|who|also|plus|with|without|\w+(?:s|ed|ing))\b",
    re.IGNORECASE,
)
_BINDING = re.compile(
    r"\W*(?:but |and |or )?(?:only |even )?(?:unless|except|if|when|until|provided|as long as|not)\b", re.IGNORECASE
)
_OPENING = frozenset({"—", "\u2013", "-", ";", ":", ", so", ", but", ", while", ", since", ",” but", '," but'})
_SMALL = re.compile(
    r"(?:The|A|An|When|If|It|They|This|That|These|Those|In|On|For|To|Since|Because|With|Both|All|Each|No|You|We|There|Some|Any|After|Before|Without|Only|By|At|As|From|Its|Their|Such|Every|Most|Nothing|Neither|Instead|While|Once|Unless|Until|So|Of|One|Two|Three|Same)\b"
)
_PLAIN = re.compile(r"[^\W\d_]+'?[^\W\d_]*(?=[\s,;:]|$)")


def telling(text: str) -> str:
    """A sentence as it is told: no opener, no narrated tail, no line numbers, addressed to nobody."""
    told = _TAIL.sub("", opened(text).replace("\u2019", "'"))
    told = _PLACE.sub("", _outside(_LINE, _SEE.sub("", told)))
    told = _outside(_ASIDE, told) if len(told) > ASIDE_FROM else told
    told = _MINE.sub("The agent ", told)
    told = _YOUR.sub(lambda hit: "The" if hit.group(1) == "Y" else "the", told)
    return fold(told).rstrip(" ,;:.—\u2013-!")


def _outside(pattern: re.Pattern[str], text: str) -> str:
    """The text without what a pattern finds outside of code."""
    kept, at = "", 0
    for hit in pattern.finditer(_masked(text)):
        kept, at = kept + text[at : hit.start()], hit.end()
    return kept + text[at:]


def unrun(text: str, most: int) -> str:
    """At most ``most`` characters of a text, with no run of ``RUN`` taken over: joints of clauses are reworded."""
    told, run = "", 0
    for joint, clause in _pieces(core(text, most)):
        thin = _thinned(clause)
        if not told:
            told, run = thin, len(clause)
        elif run + len(joint) + len(clause) <= RUN:
            told, run = told + joint + thin, run + len(joint) + len(clause)
        else:
            told, run = told + _other(joint) + thin, len(clause)
    return cut(told, most)


def core(text: str, most: int) -> str:
    """A text, or where it is longer the stretch of its clauses that says most of a cause and names most things."""
    if len(text) <= most:
        return text
    pieces = _pieces(text)
    best: tuple[float, int, int] | None = None
    for first in range(min(len(pieces), MOST_CLAUSES)):
        if first and not _may_open(*pieces[first]):
            continue
        length, weight = -len(pieces[first][0]), FROM_START if first == 0 else 0.0
        for last in range(first, min(len(pieces), first + MOST_CLAUSES)):
            joint, clause = pieces[last]
            length += len(joint) + len(clause)
            if length > most:
                break
            weight += _clause_weight(joint + clause)
            if last + 1 < len(pieces) and _BINDING.match("".join(pieces[last + 1])):
                continue
            if best is None or (weight, -first) > (best[0], -best[1]):
                best = (weight, first, last)
    if best is None:
        return cut(text, most)
    chosen = pieces[best[1] : best[2] + 1]
    return (chosen[0][1] + "".join(joint + clause for joint, clause in chosen[1:])).rstrip(" ,;:(")


def _may_open(joint: str, clause: str) -> bool:
    """Whether a sentence may begin at a clause: it stands on its own feet, with a subject of its own."""
    return joint.strip().lower() in _OPENING and not _LEANING.match(clause)


def _clause_weight(text: str) -> float:
    cues = {cue.name: cue.weight for cue in load("answers").matches(text) if cue.name != "likeness"}
    return sum(cues.values()) + 0.4 * len(identifiers(text)) + 0.05 * len(content_words(text))


def cut_clause(text: str, most: int) -> str:
    """The beginning of a text up to the last clause that fits; up to a word where none does."""
    if len(text) <= most:
        return text
    ends = [hit.start() for hit in _CLAUSE.finditer(_masked(text)) if most // 2 < hit.start() <= most]
    return text[: ends[-1]].rstrip(" ,;:(") if ends else text[: text.rfind(" ", 0, most)]


def _pieces(text: str) -> list[tuple[str, str]]:
    """Clauses, each with the joint before it."""
    pieces: list[tuple[str, str]] = []
    at, joint = 0, ""
    for hit in _CLAUSE.finditer(_masked(text)):
        pieces.append((joint, text[at : hit.start()]))
        at, joint = hit.end(), hit.group()
    return [*pieces, (joint, text[at:])]


def _masked(text: str) -> str:
    """The text with code blotted out, so that no joint is looked for inside it."""
    return _CODE.sub(lambda code: "x" * len(code.group()), text)


def _thinned(clause: str) -> str:
    """A clause longer than a run without the small words that would make it one."""
    done = ""
    while len(clause) > RUN:
        small = next((hit for hit in _ARTICLE.finditer(clause, RUN // 3) if hit.end() < RUN), None)
        if small is None:
            space = clause.rfind(" ", 0, RUN)
            space = space if space > 0 else RUN
            done, clause = done + clause[:space] + " …", clause[space:]
        else:
            done, clause = done + clause[: small.start()], clause[small.end() - 1 :]
    return done + clause


def _other(joint: str) -> str:
    """A joint in other words, so that what stands before and behind it is no single run of the source."""
    word = joint.strip(" ,;:—\u2013-(").lower()
    if word in _OTHERWISE:
        return _OTHERWISE[word]
    return {"(": " \u2013 ", ":": " \u2013 ", ";": " \u2013 ", ",": "; "}.get(joint.strip(), "; ")


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
    for source in sources:
        flat = fold(source)
        if any(flat[i : i + TRANSCRIPT_SPAN_CHARACTERS] in windows for i in range(len(flat))) and windows:
            return True
    return False
