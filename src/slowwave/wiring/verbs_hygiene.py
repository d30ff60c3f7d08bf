"""Hygiene verbs: plan, validate and apply a curation of a file that an agent reads."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from slowwave.disk.home import Home
from slowwave.disk.lock import Holder, WriterLock
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import UsageError
from slowwave.hygiene.curation import Curated, Wish, curate_document
from slowwave.hygiene.document import AnyDocument, open_document
from slowwave.hygiene.economics import Terms
from slowwave.hygiene.entries import Cause
from slowwave.hygiene.keeper import Change
from slowwave.hygiene.pinned import read_pins
from slowwave.hygiene.profile import profile_digest
from slowwave.hygiene.protection import Protection, read_protection
from slowwave.hygiene.revise import Revisions
from slowwave.hygiene.thinking import Policy
from slowwave.wiring.hygiene_model import Clocks, curate_with_model
from slowwave.wiring.premises import Premises
from slowwave.wiring.protected import protection_of

MOST_OPS_BYTES = 64 * 1024 * 1024  # of an operations file; the parser itself takes less


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What ``plan``, ``validate`` and ``apply`` have in common.

    Attributes:
        ops: File with operations; None for what the detectors propose.
        protected: File with protected ranges; None for the corpus alone.
        provider: Whose rules the result must keep; empty for those of its form.
        is_atomic: One refusal refuses all.
        thinking: What is done about bound thoughts.
        min_saving: Tokens an answer must save; None for the profile's.
        is_by_model: The configured model proposes instead of the detectors.
    """

    ops: Path | None = None
    protected: Path | None = None
    provider: str = ""
    is_atomic: bool = False
    thinking: str = "auto"
    min_saving: int | None = None
    is_by_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where hygiene works: a home's folder, opened or not, and the present.

    Attributes:
        home: The home; it need not exist before something is applied.
        house: The same, open, where it exists: the corpus protects what it cites.
        clock: The present.
        on_wait: Told of who has to be waited for.
    """

    home: Home
    house: Premises | None
    clock: Clock
    on_wait: Callable[[Holder | None], None] | None = None

    def revisions(self) -> Revisions:
        """The log of changes; nothing is made by asking for it."""
        return Revisions(self.home.revisions, clock=self.clock, lock=self.alone, pause=sleep)

    def alone(self) -> WriterLock:
        """The lock under which the home is written; the home is made by it."""
        self.home.prepare()
        return WriterLock(self.home.locks, command="slowwave hygiene", clock=self.clock, on_wait=self.on_wait)


@contextmanager
def opened(path: Path) -> Iterator[AnyDocument]:
    """A context, closed again.

    Raises:
        UsageError: There is no such file.
    """
    if not path.exists():
        raise UsageError(f"there is no file {path}", hint="`slowwave transcripts list` names sessions and their files")
    document = open_document(path)
    try:
        yield document
    finally:
        document.close()


def plan(bench: Bench, path: Path, options: Options) -> dict[str, Any]:
    """What would be done to a file, or what of somebody's operations would be; nothing is written."""
    with opened(path) as document:
        curated, heard = _curated(bench, document, options, keeps_session=False)
        return {"file": str(path), **curated.as_json(), **heard}


def apply(
    bench: Bench,
    path: Path,
    options: Options,
    *,
    out: Path | None,
    is_in_place: bool,
    keeps_session: bool,
    actor: str,
) -> dict[str, Any]:
    """Carry a curation out: into a new file beside the old one, or in its place where that was asked for.

    Raises:
        UsageError: Neither a new file nor ``--in-place`` was named, or both.
        SlowwaveError: Whatever ``Revisions.commit`` raises; the file is as it was.
    """
    if (out is None) != is_in_place:
        raise UsageError(
            "name a new file with --out, or ask for --in-place", hint="--out writes a fork and leaves the file alone"
        )
    target = path if out is None else out
    with opened(path) as document:
        curated, heard = _curated(bench, document, options, keeps_session=keeps_session or is_in_place)
        told = {"file": str(path), "out": str(target), **curated.as_json(), **heard}
        if is_in_place and not curated.plan.operations:
            return {**told, "written": False}
        if is_refused(told, options):
            return {**told, "written": False}
        is_by_model = bool(heard) and heard["proposer"]["by"] == "model"
        whose = f"{actor}, proposed by {heard['proposer']['model']}" if is_by_model else actor
        entry = bench.revisions().commit(_change(curated, path, target, actor=whose, is_in_place=is_in_place))
        return {**told, "written": True, "entry": entry.sequence}


def is_refused(told: Mapping[str, Any], options: Options) -> bool:
    """Whether all that somebody asked for was refused, or anything at all would be; finding nothing is no refusal."""
    is_whole = any(each["op"] is None for each in told["rejected"])
    return bool(told["rejected"]) and not told["operations"] and (is_whole or options.ops is not None)


def _change(curated: Curated, path: Path, target: Path, *, actor: str, is_in_place: bool) -> Change:
    context, held = curated.scene.context, curated.as_json()
    old, new = curated.rename or (context.session, context.session)
    return Change(
        source=path,
        target=target,
        is_in_place=is_in_place,
        digest=curated.parent,
        length=context.document.length,
        content=curated.content,
        proved=curated.revision,
        cause=Cause.APPLY,
        actor=actor,
        session_old=old,
        session_new=new,
        profile=profile_digest(),
        tokens_before=curated.plan.before,
        tokens_after=curated.plan.after,
        operations=held["operations"],
        rejected=held["rejected"],
        flagged=sorted(
            {change.item.index for each in curated.plan.operations if each.cited_by for change in each.changes}
        ),
    )


def _curated(
    bench: Bench, document: AnyDocument, options: Options, *, keeps_session: bool
) -> tuple[Curated, dict[str, Any]]:
    """A curation; beside it, where a model was to propose, ``proposer`` with how asking it went."""
    wish = Wish(
        answer=None if options.ops is None else _read_ops(options.ops),
        protect=lambda session: _protection(bench, options, session),
        pinned=[each.digest for each in read_pins(bench.home.pins)],
        is_atomic=options.is_atomic,
        provider=options.provider,
        thinking=_policy(options.thinking),
        terms=Terms(now=bench.clock(), min_saving=options.min_saving),
        keeps_session=keeps_session,
    )
    if not options.is_by_model:
        return curate_document(document, wish), {}
    if options.ops is not None:
        raise UsageError("--ops brings operations, and --propose-with-model finds some", hint="leave one of them out")
    curated, heard = curate_with_model(bench.house, document, wish, Clocks(sleeper=sleep, stopwatch=monotonic))
    return curated, {"proposer": heard}


def _protection(bench: Bench, options: Options, session: str) -> Protection:
    own = protection_of(bench.house, session)
    return own if options.protected is None else own + read_protection(options.protected)


def _policy(name: str) -> Policy:
    if name not in list(Policy):
        raise UsageError(f"--thinking takes one of {', '.join(Policy)}", hint="auto refuses and says the ways out")
    return Policy(name)


def _read_ops(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_OPS_BYTES)
    except OSError as error:
        raise UsageError(f"--ops: {path} could not be read: {error.strerror or 'no reason given'}") from error
