"""Phase 5, integrity: do git's objects hang together, and would the gate let every memory in today?

It reports and changes nothing: a file that a person broke by hand is theirs to mend.
"""

from slowwave.corpus import gate
from slowwave.corpus.shelf import Shelf
from slowwave.facts.ids import MemoryPath
from slowwave.facts.refusal import DamageError, Refusal
from slowwave.sleep.plan import Night, PhaseResult, PhaseStatus

PHASE = "integrity"


def check_integrity(night: Night) -> PhaseResult:
    """Verify git's objects and every file of the corpus.

    Raises:
        DamageError: git finds its objects damaged; nothing may be written on top.
    """
    if not night.tip():
        return PhaseResult(counts={"memories": 0, "faults": 0})
    faults = night.door.verify()
    if faults:
        raise DamageError(
            f"git reports damage in the corpus: {faults[0].message}", hint="restore the corpus from a backup or a clone"
        )
    shelf = night.shelf(night.tip())
    refusals = (*shelf.faults, *_unfit(night, shelf), *_duplicates(shelf))
    return PhaseResult(
        status=PhaseStatus.DEGRADED if refusals else PhaseStatus.DONE,
        counts={"memories": len(shelf.memories), "faults": len(refusals)},
        refusals=refusals,
        reason="some files need a person's eye" if refusals else "",
    )


def _unfit(night: Night, shelf: Shelf) -> tuple[Refusal, ...]:
    """What the gate would refuse of files that do parse; what it let through unchanged is not read again."""
    held = frozenset(shelf.memories) | {fault.path for fault in shelf.faults}
    known = {str(row[0]): str(row[1]) for row in night.state.connection.execute("SELECT path, blob FROM vetted")}
    open_blobs = {path: blob for path, blob in shelf.blobs.items() if known.get(path) != blob}
    contents = night.door.git.cat_batch(tuple(dict.fromkeys(open_blobs.values())))
    refusals: list[Refusal] = []
    fit: list[tuple[MemoryPath, str]] = []
    for path, blob in open_blobs.items():
        found = gate.check(path, contents[blob], exists=held.__contains__, secrets=night.secrets)
        refusals.extend(refusal for refusal in found if refusal.code != gate.EDITED_BY_HAND)
        if not found and b"](" not in contents[blob] and b"[[" not in contents[blob]:
            fit.append((path, blob))  # a link may break without its file changing, so such a file is read each night
    if fit and not night.options.dry_run:
        with night.state.step() as sql:
            sql.executemany("INSERT OR REPLACE INTO vetted VALUES (?, ?)", fit)
    return tuple(refusals)


def _duplicates(shelf: Shelf) -> tuple[Refusal, ...]:
    by_hash: dict[str, list[str]] = {}
    for path, digest in shelf.content_hashes().items():
        by_hash.setdefault(digest, []).append(path)
    return tuple(
        Refusal(code="duplicate", path=paths[1], message=f"says exactly what {paths[0]} says; archive one of them")
        for paths in sorted(by_hash.values())
        if len(paths) > 1
    )
