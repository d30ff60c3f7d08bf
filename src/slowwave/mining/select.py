"""Which findings are shown: the best few, of different subjects and sessions; the others with their reason."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import CANDIDATES_A_SESSION, MOST_QUOTES
from slowwave.facts.text import fold
from slowwave.mining import quoting
from slowwave.mining.finding import Finding, Part
from slowwave.mining.wording import content_words, identifiers

ALIKE = 0.6  # share of the shorter claim's words from which two findings are one subject
ALIKE_IN_PART = 0.35  # the same where they share names
SAME_NAMES = 2  # one in the same session
JOINED = 0.4  # what a second view of the same subject adds, once however many there are
BORROWED = 2  # quotes that a joined finding may lend


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Findings to show, best first, and those not shown, each with its reason."""

    kept: tuple[Finding, ...]
    dropped: tuple[Finding, ...]


def select(findings: Iterable[Finding], *, most: int, floor: float) -> Selection:
    """The best findings: over the floor, one a subject, at most ``CANDIDATES_A_SESSION`` a session.

    Args:
        findings: What the lenses found; those already dropped keep their reason.
        most: How many to keep.
        floor: Score below which a finding is not worth a person's attention.
    """
    kept: list[Finding] = []
    dropped: list[Finding] = []
    loads: Counter[SessionId] = Counter()
    for finding in sorted(findings, key=order):
        reason = finding.dropped or _reason(finding, kept, loads, most=most, floor=floor)
        if not reason:
            kept.append(finding)
            loads[home(finding)] += 1
            continue
        twin = _twin(finding, kept)
        if twin is not None and not finding.dropped:
            kept[twin] = _join(kept[twin], finding)
        dropped.append(replace(finding, dropped=reason))
    return Selection(kept=tuple(sorted(kept, key=order)), dropped=tuple(dropped))


def order(finding: Finding) -> tuple[float, str, str, str]:
    """Best first; ties are broken by what is said."""
    return (-round(finding.score, 6), finding.lens, finding.subject, finding.claim)


def home(finding: Finding) -> SessionId:
    """The session most of a finding's quotes are from; of equals the first quoted."""
    counts = Counter(quote.session_id for quote in finding.quotes)
    return max(counts, key=lambda session: counts[session])


def _reason(finding: Finding, kept: Sequence[Finding], loads: Counter[SessionId], *, most: int, floor: float) -> str:
    if finding.score < floor:
        return f"score {finding.score:.1f} is under {floor:.1f}"
    twin = _twin(finding, kept)
    if twin is not None:
        return f"the same subject as: {kept[twin].claim[:60]}"
    if loads[home(finding)] >= CANDIDATES_A_SESSION:
        return f"already {CANDIDATES_A_SESSION} from its session"
    if len(kept) >= most:
        return f"already {most} in this batch"
    return ""


def _twin(finding: Finding, kept: Sequence[Finding]) -> int | None:
    """Index of a kept finding about the same: same subject, a quote in common, most words of another lens's claim.

    Within one lens claims share the words of its fixed form, so that only their subjects tell them apart.
    """
    for number, other in enumerate(kept):
        is_same = (finding.lens, finding.subject) == (other.lens, other.subject)
        is_alike = finding.lens != other.lens and _is_alike(finding, other)
        if is_same or is_alike or _shares_quote(finding.quotes, other.quotes):
            return number
    return None


def _shares_quote(ours: Sequence[Quote], theirs: Sequence[Quote]) -> bool:
    """Whether two findings rest on one line in their first two quotes: what they begin with is what they are about."""
    return any(
        one.session_id == other.session_id
        and (fold(one.quote) in fold(other.quote) or fold(other.quote) in fold(one.quote))
        for one in ours[:2]
        for other in theirs[:3]
    )


def _is_alike(finding: Finding, known: Finding) -> bool:
    """Whether two claims share most of their words and a name, or several names and a good part of their words."""
    one, other = finding.claim, known.claim
    ours, theirs = content_words(one), content_words(other)
    share = len(ours & theirs) / max(1, min(len(ours), len(theirs)))
    names, others = set(identifiers(one)), set(identifiers(other))
    common = len(names & others)
    needed = 1 if home(finding) == home(known) else SAME_NAMES
    is_nameless = not names or not others
    return (share >= ALIKE and (common > 0 or is_nameless)) or (share >= ALIKE_IN_PART and common >= needed)


def _join(seed: Finding, other: Finding) -> Finding:
    """The seed with a few of the other's quotes; seen from two sides it counts a little more, once."""
    quotes = quoting.distinct([*seed.quotes, *other.quotes[:BORROWED]], MOST_QUOTES)
    has_joined = any(part.name == "seen from two sides" for part in seed.parts)
    parts = seed.parts if has_joined else (*seed.parts, Part(name="seen from two sides", value=JOINED))
    return replace(seed, quotes=quotes, parts=parts)
