"""Curation: a document, a wish, and what comes of them: a plan whose new bytes were read again and found right."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, cast

from slowwave.facts.ids import digest
from slowwave.facts.limits import READ_BLOCK_BYTES
from slowwave.hygiene.answer import Rejected, parse_answer
from slowwave.hygiene.decide import Plan, Rules, judge, left_over, propose
from slowwave.hygiene.document import AnyDocument, Lines, UnknownContextError, document_of
from slowwave.hygiene.economics import Terms, weigh
from slowwave.hygiene.pins import Pins
from slowwave.hygiene.profile import profile_digest
from slowwave.hygiene.protection import Protection
from slowwave.hygiene.replay import differences
from slowwave.hygiene.rewrite import rewrite
from slowwave.hygiene.scene import Scene, read_scene
from slowwave.hygiene.shapes import Code, Defect, check_shape, new_defects
from slowwave.hygiene.splice import SpliceError
from slowwave.hygiene.thinking import Policy, thinking_rule
from slowwave.records.whole import encode

HELD_BYTES = (
    32 * 1024 * 1024
)  # of a rewrite that are kept in memory while it is proved; more goes to a file without name


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody wants of a curation.

    Attributes:
        answer: Operations as seed 002 or our own plan has them; None for what the detectors propose.
        is_ours: The answer is a proposal of ours, to be carried out as carefully as the detectors'.
        protect: Gives the ranges of the document's session that may not be touched.
        pinned: Ids or digests of items a person pinned.
        is_atomic: One refusal refuses all.
        provider: Whose rules the result must keep; empty for those of its own form.
        thinking: What is done about thoughts bound to what stands before them.
        terms: What a rewrite costs and saves.
        keeps_session: Whether a rewritten file keeps its session id.
    """

    answer: bytes | None = None
    is_ours: bool = False
    protect: Callable[[str], Protection] = lambda _: Protection()
    pinned: Sequence[str] = ()
    is_atomic: bool = False
    provider: str = ""
    thinking: Policy = Policy.AUTO
    terms: Terms = field(default_factory=Terms)
    keeps_session: bool = False


@dataclass(frozen=True, kw_only=True)
class Curated:
    """A plan that was proved.

    Attributes:
        scene: What was read.
        plan: What is to be done; without operations where the proof failed.
        revision: SHA-256 of the new bytes; that of the old ones where nothing is to be done.
        rename: The session id now, and the one the new file carries; None where it stays.
        settings: What a provider has to be told from now on, as its own settings; empty for nothing.
    """

    scene: Scene
    plan: Plan
    revision: str
    rename: tuple[str, str] | None
    settings: dict[str, Any]

    @property
    def parent(self) -> str:
        """SHA-256 of the bytes it was planned for."""
        return self.scene.context.document.digest

    def content(self) -> Iterator[bytes]:
        """The new bytes, in blocks."""
        return rewrite(self.scene.context.document, self.plan.edits, rename=self.rename)

    def as_json(self) -> dict[str, Any]:
        """The plan with its revisions, as commands print it."""
        context = self.scene.context
        old, new = self.rename or (context.session, context.session)
        return {
            "format": context.document.wire.name,
            "parent": self.parent,
            "revision": self.revision,
            "session": {"old": old, "new": new},
            "profile": profile_digest(),
            "settings": self.settings,
            **self.plan.as_json(),
        }


def curate_document(document: AnyDocument, wish: Wish) -> Curated:
    """Plan a curation of a document and prove it; nothing is written anywhere."""
    scene = read_scene(document)
    rule = thinking_rule(scene.context, wish.thinking)
    rules = Rules(
        protection=wish.protect(scene.context.session),
        pinned=wish.pinned,
        is_atomic=wish.is_atomic,
        thinking=rule.refusal,
        weigh=lambda before, after, first: weigh(scene.context, wish.terms, before=before, after=after, first=first),
    )
    if wish.answer is None:
        plan = propose(scene, rules)
    else:
        asked, rejected = parse_answer(wish.answer, document.count)
        plan = judge(scene, rules, asked, rejected, is_ours=wish.is_ours)
    if not plan.operations:
        return _unchanged(scene, plan)
    plan = replace(plan, removals=tuple(edit for index in _firsts(plan) for edit in rule.removals(index)))
    rename = None if wish.keeps_session else _new_session(scene, plan)
    return _proved(Curated(scene=scene, plan=plan, revision="", rename=rename, settings=rule.settings), wish, rules)


def _firsts(plan: Plan) -> Sequence[int]:
    """The first index that changes in the conversation, and in those of its sub-agents."""
    items = [change.item for each in plan.operations for change in each.changes]
    sides = [[item.index for item in items if item.is_sidechain is is_side] for is_side in (False, True)]
    return [min(side) for side in sides if side]


def _unchanged(scene: Scene, plan: Plan) -> Curated:
    return Curated(scene=scene, plan=plan, revision=scene.context.document.digest, rename=None, settings={})


def _new_session(scene: Scene, plan: Plan) -> tuple[str, str] | None:
    """The fork's session id, which is the same for the same curation of the same bytes."""
    context = scene.context
    if not context.session or not isinstance(context.document, Lines):
        return None
    told = encode([each.as_json() for each in plan.operations])
    made = digest("fork", context.document.digest, profile_digest(), told)
    # A UUID of version 8, whose digits are the maker's own (RFC 9562).
    return context.session, f"{made[:8]}-{made[8:12]}-8{made[13:16]}-a{made[17:20]}-{made[20:32]}"


def _proved(draft: Curated, wish: Wish, rules: Rules) -> Curated:
    """The plan, if its bytes say what it says; otherwise everything is refused, with the reason on each operation."""
    with tempfile.SpooledTemporaryFile(max_size=HELD_BYTES) as stream:
        held = cast("IO[bytes]", stream)
        try:
            revision = _written(draft.content(), held.write)
            held.seek(0)
            trouble = _trouble(draft, wish, rules, document_of(held, draft.scene.context.document.wire.name))
        except (SpliceError, UnknownContextError) as error:
            revision, trouble = "", ("REPLAY_DIFF", f"the result cannot be written: {error.message}")
    if trouble is None:
        return replace(draft, revision=revision)
    return _unchanged(draft.scene, _refused(draft.plan, *trouble))


def _trouble(draft: Curated, wish: Wish, rules: Rules, written: AnyDocument) -> tuple[str, str] | None:
    scene, plan = draft.scene, draft.plan
    provider = wish.provider or written.wire.name
    before = check_shape(scene.context.document, provider)
    held = next((each for each in before if each.code == Code.SERVER_HELD), None)
    if held is not None:
        return held.code, f"nothing of this request can be changed: {held.message}"
    fresh: Sequence[Defect] = new_defects(before, check_shape(written, provider))
    if fresh:
        return fresh[0].code, f"the result would not keep the provider's rules: {fresh[0].message}"
    after = read_scene(written)
    found = next(differences(scene.context, after.context, plan), "")
    if found:
        return "REPLAY_DIFF", f"read again, the result is not what was planned: {found}"
    more = left_over(plan, after, rules) if wish.answer is None else ""
    if more:
        return "REPLAY_DIFF", f"a second run would not leave the result alone: {more}"
    return None


def _refused(plan: Plan, code: str, message: str) -> Plan:
    refused = [Rejected(op=each.request.number, code=code, message=message) for each in plan.operations]
    return Plan(
        operations=(),
        rejected=(*plan.rejected, *refused),
        before=plan.before,
        after=plan.before,
        pins=Pins(reasons=plan.pins.reasons),
    )


def _written(blocks: Iterable[bytes], write: Callable[[bytes], object]) -> str:
    hasher = hashlib.sha256()
    for block in blocks:
        for at in range(0, len(block), READ_BLOCK_BYTES):
            piece = block[at : at + READ_BLOCK_BYTES]
            hasher.update(piece)
            write(piece)
    return hasher.hexdigest()
