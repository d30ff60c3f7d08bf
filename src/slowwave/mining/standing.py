"""Whether a sentence can stand alone in a memory: a subject, a finite verb, nobody's first person, no loose ends."""

import re

from slowwave.mining import tables
from slowwave.mining.rewording import masked_code

_LEAD = re.compile(
    r"(?:and|but|so|or|nor|yet|also|plus|which|then|instead|otherwise|thus|hence|therefore|not|rather|it|its|it's|this"
    r"|that|that's|they|they're|these|those|he|she|we|we're|you|you're|everything|here|both|neither|same|such)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(r"(?:because|since|although|though|while|whereas|if|when|unless)\b", re.IGNORECASE)
_NARRATOR = re.compile(
    r"(?<![\w/.-])(?:I|I'(?:m|ve|d|ll)|[Mm]y|me|[Ww]e(?:'(?:re|ve|d|ll))?|[Ll]et(?:'s| me))(?![\w/-])"
)
_POINTER = re.compile(r"\blines? \d+|\b(?:above|below)\b(?! `)|#\d+ (?:and|or|to) #\d+|\((?:see|cf)\b", re.IGNORECASE)
_LABEL = re.compile(r"(?:\S{1,80} ){1,6}[\u2013\u2014-] ")
_AFTER_NAME = re.compile(
    r"(?:x{3,}|\b[A-Z]\w{0,60}|\b[\w-]{1,60}[./_][\w./-]{1,80})(?:\(\))?,? "
    r"(?:\w{1,20}ly |never |only |always |then )?[a-z]{2,30}(?:s|ed)\b"
)
_PAST = re.compile(r"(?:The|An?|Each|Every) (?:[\w-]{1,30} ){1,3}?[a-z]{2,30}ed\b")
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def fault(text: str) -> str:
    """What keeps a told sentence from standing alone; empty where nothing does."""
    plain = masked_code(text)
    if _LEAD.match(plain) or (_SUBORDINATE.match(plain) and "," not in plain):
        return "begins in the middle"
    if _NARRATOR.search(plain):
        return "somebody narrates"
    if _POINTER.search(plain):
        return "points at something else"
    if plain.count("(") != plain.count(")") or text.count("`") % 2 or text.endswith("…"):
        return "is cut"
    label = _LABEL.match(plain)
    if not has_verb(plain) or (label and not has_verb(label.group())):
        return "has no finite verb"
    return ""


def has_verb(text: str) -> bool:
    """Whether a sentence, its code blotted out, has a finite verb; a script without blanks is not judged."""
    return (
        tables.pattern("verbs", "finite").search(text) is not None
        or _AFTER_NAME.search(text) is not None
        or _PAST.match(text) is not None
        or _UNSPACED.search(text) is not None
    )
