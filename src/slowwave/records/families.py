"""Which files are one session, and how sessions are related.

Sub-agents' files belong to their parent; numbered chunks continue their first file; a file that is a byte prefix of a
longer one with the same id is an older snapshot of it; other files with the same id are further parts or copies.
Nothing is dropped for a bad id: it gets a safe one made of its digest.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from slowwave.disk.fence import FenceError, open_beneath, relative_to_root
from slowwave.facts.ids import SessionId, digest, is_safe_session_id
from slowwave.facts.limits import HEAD_BYTES
from slowwave.facts.moment import parse
from slowwave.records.scan import ScannedFile, digest_at, tail_digest
from slowwave.records.session import Session, SessionFile
from slowwave.records.sources import chunk_of

_ROLLOUT = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$")
_SLUG = re.compile(r"[^a-z0-9]+")
_DERIVED_DIGITS = 16


@dataclass(slots=True)
class Gathered:
    """The sessions among some files, and what was set aside for them.

    Attributes:
        sessions: In order of their last moment, newest first; ties by id.
        superseded: Files that are older snapshots of a longer one.
        renamed: Sessions whose id was not safe and was replaced by a derived one.
        own: Sessions that slowwave's own consolidators wrote; not offered.
    """

    sessions: list[Session] = field(default_factory=list)
    superseded: list[ScannedFile] = field(default_factory=list)
    renamed: int = 0
    own: int = 0


@dataclass(slots=True)
class _Family:
    """Files under one id: main files, and the side files that name it."""

    mains: list[ScannedFile] = field(default_factory=list)
    sides: list[ScannedFile] = field(default_factory=list)


def gather(files: Iterable[ScannedFile]) -> Gathered:
    """Group files into sessions."""
    gathered = Gathered()
    transcripts = sorted((file for file in files if file.agent), key=lambda file: file.path)
    families = _group(transcripts, gathered)
    for name, family in families.items():
        if family.mains[0].tally.is_own:
            gathered.own += 1
        else:
            gathered.sessions.append(_session(name, family, gathered))
    gathered.sessions = _related(gathered.sessions, families)
    gathered.sessions.sort(key=lambda session: session.id)
    gathered.sessions.sort(key=lambda session: session.ended.timestamp() if session.ended else 0.0, reverse=True)
    return gathered


def _group(files: Sequence[ScannedFile], gathered: Gathered) -> dict[SessionId, _Family]:
    families: dict[SessionId, _Family] = {}
    by_path: dict[PurePath, SessionId] = {}
    sides: list[ScannedFile] = []
    chunks: list[ScannedFile] = []
    for file in files:
        if chunk_of(file.path) is not None:
            chunks.append(file)
        elif _is_side(file):
            sides.append(file)
        else:
            name = _own_id(file, families, gathered)
            families.setdefault(name, _Family()).mains.append(file)
            by_path[file.path] = name
    for file in chunks:
        base = chunk_of(file.path)
        if base in by_path:
            families[by_path[base]].sides.append(file)
        else:
            families.setdefault(_own_id(file, families, gathered), _Family()).mains.append(file)
    for file in sides:
        owner = next((name for name in _owners(file) if name in families), None)
        if owner is not None:
            families[owner].sides.append(file)
        else:
            families[_derived(file)] = _Family(mains=[file])
    return families


def _is_side(file: ScannedFile) -> bool:
    """Whether a sub-agent of Claude Code wrote the file."""
    header = file.tally.header
    return bool(header.agent_id) and (file.path.name.startswith("agent-") or header.sidechain >= file.tally.records)


def _owners(file: ScannedFile) -> list[SessionId]:
    """Ids of the session a side file may belong to: its folder's, then the one its records name."""
    folder = file.path.parent
    names = [folder.parent.name] if folder.name == "subagents" else []
    return [_safe(name) for name in (*names, _most_named(file)) if name]


def _most_named(file: ScannedFile) -> str:
    """The id most records carry; of equal ones the last met, since copied history comes first."""
    ids = file.tally.header.ids
    most = max(ids.values(), default=0)
    return next((name for name, number in reversed(ids.items()) if number == most), "")


def _own_id(file: ScannedFile, families: dict[SessionId, _Family], gathered: Gathered) -> SessionId:
    ids = file.tally.header.ids
    if file.agent == "claude-code":
        raw = file.path.stem if file.path.stem in ids else _most_named(file)
    else:
        raw = next(iter(ids), "")
        rollout = _ROLLOUT.search(file.path.name)
        raw = raw or (rollout.group(1) if rollout else "")
    if not raw:
        stem = SessionId(file.path.stem)
        is_named = file.agent == "claude-code" and file.path.suffix == ".jsonl" and is_safe_session_id(stem)
        return stem if is_named and stem not in families else _derived(file)
    if not is_safe_session_id(raw):
        gathered.renamed += 1
    name = _safe(raw)
    family = families.get(name)
    if family and family.mains and family.mains[0].agent != file.agent:
        return _safe(f"{file.agent}/{raw}")
    return name


def _safe(raw: str) -> SessionId:
    return SessionId(raw if is_safe_session_id(raw) else f"x-{digest(raw)[:_DERIVED_DIGITS]}")


def _derived(file: ScannedFile) -> SessionId:
    """An id for a file that names none, from where it lies below its root."""
    return SessionId(f"x-{digest(str(file.path.relative_to(file.root)))[:_DERIVED_DIGITS]}")


def _session(name: SessionId, family: _Family, gathered: Gathered) -> Session:
    mains = sorted(family.mains, key=lambda file: (-file.bytes_read, file.path))
    family.mains = mains
    main, others = mains[0], []
    for other in mains[1:]:
        if is_prefix(other, main):
            gathered.superseded.append(other)
        else:
            others.append(other)
    files = [main, *sorted([*others, *family.sides], key=lambda file: file.path)]
    counted = [main, *(other for other in others if not _shares_start(other, main))]
    header = main.tally.header
    owners = _owners(main) if _is_side(main) else []
    return Session(
        id=name,
        agent=main.agent,
        path=main.path,
        side_files=tuple(file.path for file in files[1:]),
        root=main.root,
        project=_SLUG.sub("-", header.cwd.rstrip("/").rpartition("/")[2].casefold()).strip("-"),
        cwd=header.cwd,
        branch=header.branch,
        started=parse(min((file.tally.started for file in counted if file.tally.started), default="")),
        ended=parse(max(file.tally.ended for file in files)),
        prompts=sum(file.tally.prompts for file in counted),
        turns=sum(file.tally.turns for file in counted),
        bytes=sum(file.bytes_read for file in files),
        lines=sum(file.lines for file in files),
        title=header.title,
        parent=next(iter(owners), _safe(header.parent) if header.parent else None),
        relation="subagent" if owners else header.relation,
        files=tuple(_session_file(file) for file in files),
    )


def _session_file(file: ScannedFile) -> SessionFile:
    return SessionFile(path=file.path, identity=file.identity, bytes_read=file.bytes_read, lines=file.lines)


def _shares_start(one: ScannedFile, other: ScannedFile) -> bool:
    return not set(one.tally.header.first_records).isdisjoint(other.tally.header.first_records)


def _related(sessions: Sequence[Session], families: dict[SessionId, _Family]) -> list[Session]:
    """Sessions with the parent that their records betray: another session's id, or a shared beginning."""
    known = {session.id for session in sessions}
    ordered = sorted(sessions, key=lambda each: (each.ended.timestamp() if each.ended else 0.0, each.bytes, each.id))
    first_with: dict[str, SessionId] = {}
    related = []
    for session in ordered:
        header = families[session.id].mains[0].tally.header
        parent, relation = session.parent, session.relation
        if parent is None:
            copied = [_safe(other) for other in header.ids if _safe(other) != session.id and _safe(other) in known]
            shared = [first_with[record] for record in header.first_records if record in first_with]
            if copied or shared:
                parent, relation = (copied[0], "resume") if copied else (shared[0], "fork")
        for record in header.first_records:
            first_with.setdefault(record, session.id)
        related.append(session if parent == session.parent else replace(session, parent=parent, relation=relation))
    return related


def is_prefix(short: ScannedFile, long: ScannedFile) -> bool:
    """Whether all that was read of one file stands at the beginning of another: by length, first and last bytes."""
    if short.bytes_read > long.bytes_read or short.agent != long.agent:
        return False
    try:
        with open_beneath(long.root, relative_to_root(long.root, long.path)) as stream:
            size = min(short.head_bytes, HEAD_BYTES)
            return digest_at(stream, 0, size) == short.identity.prefix_digest and (
                tail_digest(stream, short.bytes_read) == short.tail_digest
            )
    except (FenceError, OSError):
        return False
