"""Fakes on the made sessions: evidence, quotes and promises that look proved, each with what it is refused with."""

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from made_evidence import (
    ASKED,
    COMMAND,
    EVIDENCE,
    FIRST,
    FORK,
    GOOD,
    LATER,
    MEMORY,
    OLD,
    OUTPUT,
    PROMISE,
    PROMISE_QUOTE,
    QUOTE_PATH,
    SAID,
    SECOND,
    THOUGHT,
    TOKEN,
    TWICE,
    A,
    B,
    C,
)
from made_transcripts import commitment

ONE_CANDIDATE: dict[str, tuple[Sequence[tuple[str, str]], dict[str, Any], list[tuple[str, str]]]] = {
    "the same quote twice": (((A, SAID), (A, SAID)), {}, [("same_evidence", SECOND)]),
    "a quote and a part of it": (((A, SAID), (A, SAID[:60])), {}, [("same_evidence", SECOND)]),
    "overlapping quotes": (((A, SAID[:60]), (A, SAID[40:])), {}, [("same_evidence", SECOND)]),
    "one span, white space differs": (((A, SAID), (A, SAID.replace(" ", "\n\t"))), {}, [("same_evidence", SECOND)]),
    "a record and a fork's copy": (((A, SAID), (FORK, SAID)), {}, [("same_evidence", SECOND)]),
    "two of three are one": (
        ((A, SAID), (B, LATER), (FORK, SAID[:70])),
        {},
        [("same_evidence", "candidates[0].evidence[2].quote")],
    ),
    "content and toolUseResult": (((A, OUTPUT), (A, OUTPUT), (A, SAID)), {}, [("same_evidence", SECOND)]),
    "a message and its event": (
        ((C, "The nightly exporter writes both files"), (C, "writes both files, I verified sizes")),
        {},
        [("same_evidence", SECOND)],
    ),
    "a prompt and its event": (
        (
            (C, "Check whether the nightly exporter still writes"),
            (C, "Check whether the nightly exporter still writes"),
        ),
        {},
        [("same_evidence", SECOND)],
    ),
    "a sub-agent's last words and the parent's result": (
        ((A, "Only two callers use the calendar module"), (A, "Only two callers use the calendar module")),
        {},
        [("same_evidence", SECOND)],
    ),
    "a call's prompt and the sub-agent's first": (
        ((A, "Find every caller of the import calendar"), (A, "Find every caller of the import calendar")),
        {},
        [("same_evidence", SECOND)],
    ),
    "three times what was said twice": (
        ((A, TWICE), (A, TWICE), (A, TWICE)),
        {},
        [("same_evidence", "candidates[0].evidence[2].quote")],
    ),
    "one quote": (((A, SAID),), {}, [("too_few_quotes", EVIDENCE)]),
    "no quote": ((), {}, [("too_few_quotes", EVIDENCE)]),
    "nine quotes": (((A, SAID),) * 9, {}, [("too_much_evidence", EVIDENCE), ("same_evidence", SECOND)]),
    "a thousand quotes": (((A, SAID),) * 1_000, {}, [("too_much_evidence", EVIDENCE), ("same_evidence", SECOND)]),
    "a trivial quote": (((A, "8099"), (B, LATER)), {}, [("quote_trivial", FIRST)]),
    "a trivial quote in white space": (((A, "  8099 \n"), (B, LATER)), {}, [("quote_trivial", FIRST)]),
    "tool output only": (((A, OUTPUT), (B, "2 failed, 40 passed in 3.11s")), {}, [("tool_only_evidence", EVIDENCE)]),
    "tool output and harness text": (
        ((A, OUTPUT), (A, "Context left until auto-compact")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "a memory of ours and tool output": (
        ((A, MEMORY), (B, "2 failed, 40 passed in 3.11s")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "a note of ours and tool output": (
        ((A, "remember the quarterly import calendar"), (B, "2 failed, 40 passed in 3.11s")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "a hygiene stub and tool output": (
        ((A, "forty lines of old build output"), (B, "2 failed, 40 passed in 3.11s")),
        {},
        [("tool_only_evidence", EVIDENCE)],
    ),
    "context only": (
        ((OLD, "the port was chosen for the first time"), (OLD, "8080 belongs to the proxy")),
        {},
        [("no_new_evidence", EVIDENCE)],
    ),
    "context and a memory of ours": (
        ((OLD, "8080 belongs to the proxy"), (A, MEMORY)),
        {},
        [("no_new_evidence", EVIDENCE)],
    ),
    "a claim that repeats our memory": (((A, SAID), (A, ASKED)), {"claim": MEMORY}, [("no_new_evidence", EVIDENCE)]),
    "a preference nobody voiced": (
        GOOD,
        {"claim": "The user prefers port 8099 for fixtures."},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a preference by entity": (
        GOOD,
        {"entities": [{"type": "person", "name": "user"}]},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a preference by entity in capitals": (
        GOOD,
        {"entities": [{"type": "Person", "name": "User"}]},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a preference from a memory": (
        ((A, MEMORY), (B, LATER)),
        {"claim": "The user wants the fixture server started first."},
        [("speaker_mismatch", EVIDENCE)],
    ),
    "a whole secret": (((A, f"The log shows {TOKEN}"), (B, LATER)), {}, [("masked_secret", FIRST)]),
    "a part of a secret": (((A, f"The log shows {TOKEN[:12]}"), (B, LATER)), {}, [("masked_secret", FIRST)]),
    "the tail of a secret": (
        ((A, f"{TOKEN[-9:]} in clear text, that must go"), (B, LATER)),
        {},
        [("masked_secret", FIRST)],
    ),
    "the mask of a secret": (
        ((A, "The log shows [secret:github-token] in"), (B, LATER)),
        {},
        [("masked_secret", FIRST)],
    ),
    "a secret in the claim": (GOOD, {"claim": f"The token is {TOKEN}."}, [("masked_secret", "candidates[0].claim")]),
    "a mask in the gist": (GOOD, {"gist": "It is [secret:github-token]."}, [("masked_secret", "candidates[0].gist")]),
    "a session outside the batch": (
        (("99999999-9999-4999-8999-999999999999", SAID), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
    "a session by its path": (
        ((f"../{A}", SAID), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
    "a session in capitals": (
        ((A.upper(), SAID), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
    "a sub-agent's file by its own name": (
        (("agent-a1", "Only two callers use the calendar module"), (B, LATER)),
        {},
        [("unknown_session", "candidates[0].evidence[0].sessionId")],
    ),
}
"""Quotes of one candidate, what else is changed in it, and the codes with their paths."""

NOT_FOUND: dict[str, str] = {
    "invented": "The importer was rewritten in Rust last week.",
    "re-cased": SAID.upper(),
    "first letter re-cased": "the importer tests fail because nothing listens",
    "one letter changed": SAID.replace("fail", "fall"),
    "one word left out": SAID.replace(" nothing", ""),
    "ellipsis in the middle": SAID[:30] + "..." + SAID[50:],
    "joined from two lines": ASKED + " " + SAID,
    "joined from two lines with a newline": ASKED + "\n" + SAID,
    "end of one and start of the next": "the fixture server needs it. The naïve fix would be",
    "across fields of one call": COMMAND + " Start the fixture server for the importer",
    "across key and value": "command " + COMMAND,
    "from another session": LATER,
    "homoglyph": SAID.replace("a", "\N{CYRILLIC SMALL LETTER A}", 1),
    "greek homoglyph": SAID.replace("o", "\N{GREEK SMALL LETTER OMICRON}", 1),
    "zero-width space inside": SAID.replace("port", "po\u200brt"),
    "zero-width joiner instead of a blank": SAID.replace(" port", "\u200dport"),
    "soft hyphen inside": SAID.replace("fixture", "fix\u00adture"),
    "byte order mark inside": SAID.replace("tests", "tes\ufeffts"),
    "word joiner instead of a blank": SAID.replace("fail because", "fail\u2060because"),
    "other normal form": unicodedata.normalize("NFD", THOUGHT),
    "compatibility form": SAID.replace("fi", "\N{LATIN SMALL LIGATURE FI}"),
    "full-width digits": SAID.replace("8099", "\uff18\uff10\uff19\uff19"),
    "typographic quotes added": "\u201c" + SAID + "\u201d",
    "straight quotes added": '"' + SAID + '"',
    "trailing full stop added": LATER[:-1] + "!",
    "escaped once": json.dumps(THOUGHT)[1:-1],
    "escaped twice": json.dumps(json.dumps(THOUGHT))[1:-1],
    "line of raw JSON": '"type": "text", "text": "The importer tests fail',
    "blank inside a word": SAID.replace("fixture", "fix ture"),
    "blank lost between words": SAID.replace("fixture server", "fixtureserver"),
    "hyphen for a dash": SAID.replace(";", " \N{EN DASH}"),
    "Markdown stripped the other way": "**" + SAID + "**",
    "reordered words": "fail The importer tests because nothing listens",
    "repeated to look longer": SAID + " " + SAID,
    "file separator for a blank": SAID.replace("nothing listens", "nothing\x1clistens"),
    "wildcard": "The importer tests * nothing listens on port 8099",
    "regular expression": "The importer tests .* nothing listens on port 8099",
    "forged trailer": SAID + "\n\nSlowwave-Run: forged",
    "backslash n for a newline": SAID.replace("; ", ";\\n"),
    "combining mark added": SAID.replace("tests", "te\u0301sts"),
    "right-to-left override added": "\u202e" + SAID,
    "tag characters added": SAID + "\U000e0041\U000e0042",
    "a key of a record": "parentUuid sessionId timestamp cwd version",
}
"""Words that stand in no single string of the first session, cited as its first quote."""

ONE_COMMITMENT: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "the user's promise in the agent's words": (
        commitment(A, PROMISE_QUOTE, actor="user"),
        [("speaker_mismatch", QUOTE_PATH)],
    ),
    "the agent's promise in the user's words": (commitment(A, ASKED), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a tool result": (commitment(A, OUTPUT), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a call": (commitment(A, COMMAND), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a memory": (commitment(A, MEMORY, actor="user"), [("speaker_mismatch", QUOTE_PATH)]),
    "a promise in a sub-agent's prompt": (
        commitment(A, "Find every caller of the import calendar", actor="user"),
        [("speaker_mismatch", QUOTE_PATH)],
    ),
    "a date that is not quoted": (
        commitment(A, PROMISE_QUOTE, dueHint="2026-08-20"),
        [("due_not_in_quote", "commitments[0].dueHint")],
    ),
    "another day": (commitment(A, PROMISE, dueHint="2026-08-21"), [("due_not_in_quote", "commitments[0].dueHint")]),
    "another year": (commitment(A, PROMISE, dueHint="2027-08-20"), [("due_not_in_quote", "commitments[0].dueHint")]),
    "an invented promise": (commitment(A, "I will rewrite the importer in Rust."), [("quote_not_found", QUOTE_PATH)]),
    "a secret in the statement": (
        commitment(A, PROMISE_QUOTE, statement=f"Rotate {TOKEN}"),
        [("masked_secret", "commitments[0].statement")],
    ),
    "a promise too small": (commitment(A, "I will"), [("quote_trivial", QUOTE_PATH)]),
}
"""One commitment, and the codes with their paths."""
