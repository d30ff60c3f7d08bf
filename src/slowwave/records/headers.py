"""What records say about their session beside words: ids, folder, branch, parent, title.

One function an agent, called for every record of a scan; each takes only what is cheap to take.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

_FIRST_RECORDS = 16
"""Ids kept from a file's beginning: a fork begins with its parent's records, so one shared id tells."""
_MOST_IDS = 64  # different session ids counted in one file; real files hold at most three
_TITLE_RANKS = {"summary": 1, "prompt": 2, "thread": 3, "ai-title": 4, "custom-title": 5}
_CLAUDE_TITLES = {"ai-title": "aiTitle", "custom-title": "customTitle", "summary": "summary"}
_TITLE_KEPT = 2_000  # characters kept of a title before it is masked and cut
_FOLDER = re.compile(r"<cwd>([^<>\n]{1,4096})</cwd>|Current working directory: ([^\n]{1,4096})")

Record = Mapping[str, Any]


@dataclass(slots=True)
class Header:
    """What was gathered of one file.

    Attributes:
        ids: Session ids in the order they were met, with the number of records that carry each.
        agent_id: Id of the sub-agent that wrote the file; empty for a main file.
        sidechain: Records of a sub-agent.
        cwd: First working folder named.
        branch: First git branch named.
        parent: Id of the session it was forked, resumed or spawned from.
        relation: ``fork``, ``resume`` or ``subagent``; empty for none.
        title: Best title met, neither masked nor cut.
        title_rank: How good it is.
        first_records: Ids of the first records that carry one.
        metas: Session headers met (Codex).
    """

    ids: dict[str, int] = field(default_factory=dict)
    agent_id: str = ""
    sidechain: int = 0
    cwd: str = ""
    branch: str = ""
    parent: str = ""
    relation: str = ""
    title: str = ""
    title_rank: int = 0
    first_records: list[str] = field(default_factory=list)
    metas: int = 0

    def offer_title(self, kind: str, text: object) -> None:
        """Take a title if it is better than the one there is; of equal ones a later name wins, but the first prompt."""
        rank = _TITLE_RANKS[kind]
        if (
            isinstance(text, str)
            and text.strip()
            and (rank > self.title_rank or (rank == self.title_rank and rank > 2))
        ):
            self.title, self.title_rank = text[:_TITLE_KEPT], rank

    def count_id(self, session_id: object) -> None:
        """Count one record of a session."""
        if isinstance(session_id, str) and (session_id in self.ids or len(self.ids) < _MOST_IDS):
            self.ids[session_id] = self.ids.get(session_id, 0) + 1


Take = Callable[[Header, Record], None]


def take_claude(header: Header, record: Record) -> None:
    """Claude Code: the envelope of messages, and title records."""
    session, ids = record.get("sessionId"), header.ids
    if session.__class__ is str and session in ids:
        ids[session] += 1
    else:
        header.count_id(session)
    if record.get("isSidechain") is True:
        header.sidechain += 1
        header.agent_id = header.agent_id or _text(record.get("agentId"))
    if len(header.first_records) < _FIRST_RECORDS:
        _take_envelope(header, record)
    kind = record.get("type")
    if kind in _CLAUDE_TITLES:
        header.offer_title(kind, record.get(_CLAUDE_TITLES[kind]))


def _take_envelope(header: Header, record: Record) -> None:
    """What a file's first messages tell once and for all."""
    if isinstance(own := record.get("uuid"), str):
        header.first_records.append(own)
    header.cwd = header.cwd or _text(record.get("cwd"))
    header.branch = header.branch or _text(record.get("gitBranch"))


def take_codex(header: Header, record: Record) -> None:
    """Codex: the first session header is the identity, a second one names the parent; folder per turn."""
    kind = record.get("type")
    if kind == "response_item":
        return
    payload = record.get("payload")
    if not isinstance(payload, dict):
        return
    if kind == "session_meta":
        _take_meta(header, payload)
    elif kind == "turn_context":
        header.cwd = header.cwd or _text(payload.get("cwd"))
    elif kind == "event_msg" and payload.get("type") == "thread_name_updated":
        header.offer_title("thread", payload.get("thread_name") or payload.get("name"))


def _take_meta(header: Header, payload: Record) -> None:
    own = _text(payload.get("id"))
    header.metas += 1
    if header.metas > 1:
        if own and own not in header.ids and not header.parent:
            header.parent = own
            header.relation = header.relation or "resume"
        return
    header.count_id(own)
    header.cwd = header.cwd or _text(payload.get("cwd"))
    git = payload.get("git")
    header.branch = _text(git.get("branch")) if isinstance(git, dict) else ""
    header.parent = _text(payload.get("forked_from_id")) or _text(payload.get("parent_thread_id"))
    header.relation = "fork" if header.parent else ""
    source = payload.get("source")
    if isinstance(source, dict) and (agent := source.get("subagent")):
        spawn = agent.get("thread_spawn") if isinstance(agent, dict) else None
        spawner = _text(spawn.get("parent_thread_id")) if isinstance(spawn, dict) else ""
        header.relation, header.parent = "subagent", spawner or header.parent


def take_codex_legacy(header: Header, record: Record) -> None:
    """Old Codex: an id on the first line, the folder only inside a text."""
    if not header.ids and "type" not in record and isinstance(own := record.get("id"), str):
        header.count_id(own)
        git = record.get("git")
        header.branch = _text(git.get("branch")) if isinstance(git, dict) else ""
    elif not header.cwd and record.get("type") == "message" and record.get("role") == "user":
        for block in record.get("content") or ():
            text = block.get("text") if isinstance(block, dict) else None
            if isinstance(text, str) and (found := _FOLDER.search(text)):
                header.cwd = (found.group(1) or found.group(2)).strip()


def take_nothing(header: Header, record: Record) -> None:
    """An agent whose records name nothing we know."""
    del header, record


TAKES: Mapping[str, Take] = {
    "claude-code": take_claude,
    "codex": take_codex,
    "codex-legacy": take_codex_legacy,
}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
