"""The four tools as they are offered: what each does, every bound of it, and the closed schema of its arguments."""

from collections.abc import Mapping
from typing import Any

from slowwave.facts import limits
from slowwave.facts.memory import CONSOLIDATED_KINDS
from slowwave.models.toolbox import ToolSpec
from slowwave.proof.answer_schema import ACTORS

LIST, SEARCH, READ, SUBMIT = "list_sessions", "search_transcript", "read_lines", "submit_answer"


def _object(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _text(description: str, most: int) -> dict[str, Any]:
    return {"type": "string", "description": description, "minLength": 1, "maxLength": most}


def _whole(description: str, least: int, most: int | None = None) -> dict[str, Any]:
    return {"type": "integer", "description": description, "minimum": least, **({"maximum": most} if most else {})}


_SESSION = {"type": "string", "description": "A session's id, exactly as list_sessions gives it."}
_QUOTE = _object(
    {"sessionId": _SESSION, "quote": _text("Words copied exactly from that session.", limits.QUOTE_CHARACTERS)},
    "sessionId",
    "quote",
)
_ENTITY = _object(
    {
        "type": _text("What kind of thing it is, lower case and singular.", limits.ENTITY_CHARACTERS),
        "name": _text("Its name as the session spells it.", limits.ENTITY_CHARACTERS),
    },
    "type",
    "name",
)
_CANDIDATE = _object(
    {
        "kind": {"type": "string", "enum": [str(kind) for kind in CONSOLIDATED_KINDS]},
        "claim": _text("One sentence that stands alone.", limits.CLAIM_CHARACTERS),
        "gist": _text("What comes back, in which sessions, and what helps.", limits.GIST_CHARACTERS),
        "entities": {"type": "array", "items": _ENTITY, "maxItems": limits.MOST_ENTITIES},
        "evidence": {
            "type": "array",
            "items": _QUOTE,
            "minItems": limits.FEWEST_QUOTES,
            "maxItems": limits.MOST_QUOTES,
        },
    },
    "kind",
    "claim",
    "gist",
    "entities",
    "evidence",
)
_COMMITMENT = _object(
    {
        "statement": _text("The work that somebody said they would do.", limits.STATEMENT_CHARACTERS),
        "actor": {"type": "string", "enum": list(ACTORS)},
        "dueHint": {"type": ["string", "null"], "description": "YYYY-MM-DD, only where the quote holds that date."},
        "evidence": _QUOTE,
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "resolved": {"type": "boolean", "description": "Whether the same session later shows the work done."},
    },
    "statement",
    "actor",
    "evidence",
    "confidence",
    "resolved",
)
_ANSWER = _object(
    {
        "candidates": {"type": "array", "items": _CANDIDATE, "maxItems": limits.MOST_CANDIDATES},
        "commitments": {"type": "array", "items": _COMMITMENT, "maxItems": limits.MOST_COMMITMENTS},
        "readSessionIds": {"type": "array", "items": _SESSION},
    },
    "candidates",
    "commitments",
    "readSessionIds",
)

SPECS = (
    ToolSpec(
        name=LIST,
        description=(
            "The index of this batch; call it first, without arguments. For each session: id, agent, project slug and "
            "folder, first and last moment, prompts, turns, bytes, lines of each file (the main file is 0, side files "
            "of sub-agents follow), whether it is only context, and the memories already linked to it. newSinceLine "
            "gives the first new line of each file of a session that was read on an earlier night. Leads, where there "
            "are any, are lines where fixed rules saw something: places to look, no evidence. It holds no text from "
            "inside any session."
        ),
        schema=_object({}),
    ),
    ToolSpec(
        name=SEARCH,
        description=(
            "Find a literal phrase in one session: no patterns, no wildcards, case as written unless ignoreCase. "
            "Returns the exact number of places, and the first of them with file, line, column, speaker and the text "
            f"around. At most {limits.PHRASE_CHARACTERS:,} characters of phrase, {limits.MOST_SEARCH_HITS} places "
            f"shown ({limits.SEARCH_HITS} unless maxHits says more), {limits.MOST_SEARCH_CONTEXT} characters of it "
            f"on each side ({limits.SEARCH_CONTEXT} unless context says otherwise). truncated means that there are "
            "more places than are shown: search for something rarer."
        ),
        schema=_object(
            {
                "sessionId": _SESSION,
                "phrase": _text("The words to find.", limits.PHRASE_CHARACTERS),
                "maxHits": _whole("Places to show.", 1, limits.MOST_SEARCH_HITS),
                "context": _whole("Characters on each side.", 0, limits.MOST_SEARCH_CONTEXT),
                "ignoreCase": {"type": "boolean", "description": "Whether capital and small letters are the same."},
            },
            "sessionId",
            "phrase",
        ),
    ),
    ToolSpec(
        name=READ,
        description=(
            "Read lines of one file of a session as decoded text with their speakers. Lines count from 1. At most "
            f"{limits.MOST_LINES} lines and {limits.MOST_READ_BYTES // 1024} KiB a call; each line is cut at width "
            f"characters ({limits.LINE_WIDTH} unless given, at most {limits.MOST_LINE_WIDTH:,}), from column on. "
            "nextLine says where to go on when not all fitted."
        ),
        schema=_object(
            {
                "sessionId": _SESSION,
                "start": _whole("First line.", 1),
                "end": _whole("Last line.", 1),
                "file": _whole("Which file: 0 is the main one.", 0),
                "width": _whole("Characters of each line.", 1, limits.MOST_LINE_WIDTH),
                "column": _whole("First character of each line.", 1),
            },
            "sessionId",
            "start",
            "end",
        ),
    ),
    ToolSpec(
        name=SUBMIT,
        description=(
            "Hand in the answer; it is held against the recordings and accepted or refused whole. A refusal names "
            f"every fault with its path: mend just those and call again, at most {limits.MOST_SUBMISSIONS} times in "
            f"all. At most {limits.MOST_CANDIDATES} candidates with {limits.FEWEST_QUOTES} to {limits.MOST_QUOTES} "
            f"quotes and up to {limits.MOST_ENTITIES} entities each, {limits.MOST_COMMITMENTS} commitments with one "
            f"quote each. A claim has up to {limits.CLAIM_CHARACTERS} characters, a gist {limits.GIST_CHARACTERS:,}, "
            f"a statement {limits.STATEMENT_CHARACTERS}, a quote {limits.QUOTE_CHARACTERS}, an entity's name or type "
            f"{limits.ENTITY_CHARACTERS}; the whole has up to {limits.MOST_ANSWER_BYTES // 1024**2} MiB. No other "
            "field may stand anywhere. An accepted answer ends the turn."
        ),
        schema=_ANSWER,
        is_limited=True,
    ),
)
"""Everything that may be called in a turn, in the order to call it."""
