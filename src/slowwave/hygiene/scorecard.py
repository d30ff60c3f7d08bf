"""The scorecard: one profile measured over a set of recordings, and the gate that lets no later profile be worse.

Hard measures must hold for every recording: the result keeps its provider's shape, every pin survives, the same bytes
come out twice, a second run finds nothing, the original comes back byte for byte. The rest is told as it is.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from slowwave.disk.durable import remove
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import SlowwaveError, UsageError
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.document import AnyDocument, open_document, read_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.entries import Cause
from slowwave.hygiene.keeper import Change
from slowwave.hygiene.profile import profile_digest
from slowwave.hygiene.refetch import Refetched, refetched
from slowwave.hygiene.renaming import renamed
from slowwave.hygiene.revise import Revisions

SCORECARD_VERSION = 1
LARGE_TOKENS = 50_000  # of a context for which the issue asks how much is saved
HARD = ("shape", "pins", "determinism", "idempotence", "restore")
"""Measures of which each must be 1."""
SAVED_MARGIN = 0.01  # by which the median saving may fall before a gate calls it worse
_SCORE = "`slowwave hygiene score DIR --out CARD.json` writes one"
_ADDED = b'{"type":"added"}\n'  # what an agent may have written since
REFETCH_MARGIN = 0.002  # by which the share of re-fetched items may rise


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Where a scorecard is made.

    Attributes:
        folder: Empty, for forks and for originals that are brought back on trial; whoever made it removes it.
        clock: The present.
        seconds: A clock that only goes forward.
    """

    folder: Path
    clock: Clock
    seconds: Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One recording.

    Attributes:
        name: Its path below the folder that was scored.
        agent: Its wire.
        bytes: Of the file.
        tokens: Of its window.
        saved: Tokens.
        operations: That were planned.
        hard: Each hard measure.
        refetched: What would have been wanted again.
        seconds: For the plan with its proof.
    """

    name: str
    agent: str
    bytes: int
    tokens: int
    saved: int
    operations: int
    hard: Mapping[str, bool]
    refetched: Refetched
    seconds: float

    @property
    def share(self) -> float:
        """Of its tokens that were saved."""
        return self.saved / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, kw_only=True)
class Scorecard:
    """All recordings.

    Attributes:
        profile: Digest of the profile.
        rows: A recording each.
        unread: Files that are no context.
        canaries: Survival by kind and by way of measuring, where canaries were planted: shares from 0 to 1.
    """

    profile: str
    rows: Sequence[Row]
    unread: int = 0
    canaries: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The scorecard as it is kept and compared."""
        seconds = sum(row.seconds for row in self.rows)
        again = sum((row.refetched for row in self.rows), Refetched())
        large = [row for row in self.rows if row.tokens >= LARGE_TOKENS]
        return {
            "version": SCORECARD_VERSION,
            "profile": self.profile,
            "recordings": len(self.rows),
            "unread": self.unread,
            "hard": {name: _share(sum(row.hard[name] for row in self.rows), len(self.rows)) for name in HARD},
            "canaries": self.canaries,
            "saved": {"all": _quartiles(self.rows), "large": _quartiles(large), "by_agent": _by_agent(self.rows)},
            "refetched": {
                **asdict(again),
                "share": _share(again.either, again.pruned, empty=0.0),
                "needed_share": _share(again.needed, again.pruned, empty=0.0),
            },
            "seconds": round(seconds, 3),
            "megabytes_a_second": round(sum(row.bytes for row in self.rows) / 1e6 / seconds, 2) if seconds else 0.0,
        }


def score(
    paths: Iterable[Path], root: Path, shop: Workshop, *, tell: Callable[[Row], None] = lambda _: None
) -> Scorecard:
    """Run the profile over some recordings.

    Args:
        paths: The files.
        root: Names are told below it; those of other files in full.
        shop: Where originals are brought back on trial.
        tell: Told of each recording when it is done.
    """
    rows: list[Row] = []
    unread = 0
    for path in paths:
        try:
            document = open_document(path)
        except (SlowwaveError, OSError):
            unread += 1
            continue
        try:
            name = str(path.relative_to(root) if path.is_relative_to(root) else path)
            rows.append(score_document(document, path, name, shop))
        finally:
            document.close()
        tell(rows[-1])
    return Scorecard(profile=profile_digest(), rows=rows, unread=unread)


def score_document(document: AnyDocument, path: Path, name: str, shop: Workshop) -> Row:
    """One recording, read from a file that is left alone."""
    begun = shop.seconds()
    curated = curate_document(document, Wish())
    taken = shop.seconds() - begun
    plan = curated.plan
    return Row(
        name=name,
        agent=document.wire.name,
        bytes=document.length,
        tokens=plan.before,
        saved=plan.before - plan.after,
        operations=len(plan.operations),
        hard=_hard(document, path, curated, shop),
        refetched=refetched(document),
        seconds=taken,
    )


def _hard(document: AnyDocument, path: Path, curated: Curated, shop: Workshop) -> dict[str, bool]:
    """Each hard measure, taken anew from the bytes rather than believed."""
    codes = {each.code for each in curated.plan.rejected}
    written = read_document(b"".join(curated.content()), wire=document.wire.name)
    second = curate_document(written, Wish(terms=Terms(min_saving=1)))  # worth it or not
    again = curate_document(document, Wish())
    return {
        "shape": not any(code.startswith("SHAPE_") for code in codes),
        "pins": "REPLAY_DIFF" not in codes,
        "determinism": hashlib.sha256(b"".join(again.content())).hexdigest() == curated.revision,
        "idempotence": not (curated.plan.operations and second.plan.operations),
        "restore": _comes_back(path, curated, shop),
    }


def _comes_back(path: Path, curated: Curated, shop: Workshop) -> bool:
    """Whether the real log brings the original back byte for byte, with a line that was added meanwhile."""
    if not curated.plan.operations:
        return True  # nothing was taken away
    old, new = curated.rename or ("", "")
    fork, back = shop.folder / "fork", shop.folder / "back"
    revisions = Revisions(shop.folder / "log", clock=shop.clock, lock=nullcontext, pause=lambda _: None)
    change = Change(
        source=path,
        target=fork,
        digest=curated.parent,
        length=curated.scene.context.document.length,
        content=curated.content,
        proved=curated.revision,
        cause=Cause.APPLY,
        actor="score",
        session_old=old,
        session_new=new,
    )
    revisions.commit(change)
    with fork.open("ab") as stream:
        stream.write(_ADDED)
    revisions.restore(fork, curated.parent, back, rename=renamed, actor="score")
    is_same = back.read_bytes() == path.read_bytes() + _ADDED
    remove(fork)
    remove(back)
    return is_same


def regressions(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What a new scorecard does worse than an old one; nothing lets it pass.

    Raises:
        UsageError: One of them is no scorecard.
    """
    try:
        return _regressions(old, new)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError("this is no scorecard that can be compared", hint=_SCORE) from error


def _regressions(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    if any(card["version"] != SCORECARD_VERSION for card in (old, new)):
        raise UsageError("this scorecard is of another version", hint=_SCORE)
    found = [f"{name} is {new['hard'][name]:.4f}, and must be 1" for name in HARD if new["hard"][name] < 1]
    for way, kinds in old["canaries"].items():
        for kind, share in kinds.items():
            now = new["canaries"].get(way, {}).get(kind, 0.0)
            if now < share:
                found.append(f"canaries: {way}, {kind}: {now:.4f} survive where {share:.4f} did")
    if new["saved"]["large"]["median"] < old["saved"]["large"]["median"] - SAVED_MARGIN:
        found.append("the median saving of large contexts fell")
    if new["refetched"]["share"] > old["refetched"]["share"] + REFETCH_MARGIN:
        found.append("more of what is taken out is wanted again")
    return found


def _share(part: int, whole: int, *, empty: float = 1.0) -> float:
    return round(part / whole, 6) if whole else empty


def _quartiles(rows: Sequence[Row]) -> dict[str, float]:
    shares = [row.share for row in rows]
    low, middle, high = quantiles(shares, n=4) if len(shares) > 1 else (*(shares or [0.0]) * 3,)
    return {"count": len(rows), "lower": round(low, 4), "median": round(middle, 4), "upper": round(high, 4)}


def _by_agent(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    return {agent: _quartiles([row for row in rows if row.agent == agent]) for agent in sorted({r.agent for r in rows})}
