"""Whether what was promised was done in the rest of the session."""

import re

from slowwave.mining.episodes import Episode, Talk, Utterance
from slowwave.mining.lexicon import load
from slowwave.mining.wording import content_words
from slowwave.records.entries import Entry, EntryKind

SHARED = 3  # content words that a later message shares with a promise it keeps
COMMAND_CHARACTERS = 4_000

_GIT = r"\bgit\b(?! stash)[^|;&\n]{0,80}\b"
_COMMANDS = tuple(
    (re.compile(word, re.IGNORECASE), re.compile(command))
    for word, command in (
        (r"\bforce[- ]?push|\bpush", _GIT + r"push\b"),
        (
            r"\bopen (?:a|the) (?:pr|pull request|mr)\b",
            r"\b(?:gh pr create|glab mr create|hub pull-request)\b|create_pull_request",
        ),
        (r"\bmerge\b", _GIT + r"merge\b|\bgh pr merge\b|merge_pull_request"),
        (r"\bcommit|\bamend", _GIT + r"commit\b"),
        (r"\b(?:tag|release)\b", _GIT + r"tag\b|\bgh release create\b"),
        (r"\b(?:publish|deploy)\b", r"\b(?:publish|deploy|upload)\b"),
    )
)
"""Acts by the words that promise them and the commands that perform them."""


def is_performed(episode: Episode, utterance: Utterance, text: str) -> bool:
    """Whether commands after a message perform every act its sentence names; true when it names none."""
    wanted = [command for word, command in _COMMANDS if word.search(text)]
    calls = [e for e in episode.events if e.kind is EntryKind.TOOL_CALL and _is_after(e, utterance.entry)]
    return all(any(command.search(_line(call)) for call in calls) for command in wanted)


def is_resolved(talk: Talk, episode: Episode, utterance: Utterance, text: str) -> bool:
    """Whether the session shows the promise kept: its acts performed, or later words that tell of it as done."""
    later = [e for e in talk.episodes if e.session_id == episode.session_id and e.number > episode.number]
    wanted = [command for word, command in _COMMANDS if word.search(text)]
    if wanted:
        calls = [e for e in episode.events if _is_after(e, utterance.entry)] + [e for x in later for e in x.events]
        lines = [_line(e) for e in calls if e.kind is EntryKind.TOOL_CALL]
        return all(any(command.search(line) for line in lines) for command in wanted)
    words = content_words(text) | _around(utterance, text)
    return any(_tells_done(said, words) for x in later for said in (x.turn, *x.answers))


def _around(utterance: Utterance, text: str) -> frozenset[str]:
    """Words of the sentences just before a promise, which name what it calls ``them``."""
    at = next((n for n, s in enumerate(utterance.sentences) if s.text == text), 0)
    return content_words(" ".join(s.text for s in utterance.sentences[max(0, at - 3) : at]))


def _tells_done(said: Utterance, words: frozenset[str]) -> bool:
    return any(
        load("promises").has(s.text, "done") and len(content_words(s.text) & words) >= SHARED for s in said.sentences
    )


def _is_after(entry: Entry, other: Entry) -> bool:
    return (entry.file, entry.line, entry.part) > (other.file, other.line, other.part)


def _line(call: Entry) -> str:
    return call.text[:COMMAND_CHARACTERS] + " " + call.tool
