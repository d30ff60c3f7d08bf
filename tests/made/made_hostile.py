"""Hostile answers in bulk, from a seed: a good answer made of true words, then damaged in one or many ways."""

import json
import random
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from made_attacks import ORDERS, TEXTS
from made_scenes import OWN, Words

Json = dict[str, Any]
CODES = ("semantic", "procedural", "episodic", "precedent", "error_pattern", "agent_insight")
PATHS = (
    "../../etc/passwd",
    "/work/shop/.git/config",
    "C:\\secrets",
    "projects/x.md",
    "$(touch x)",
    "`rm -rf .`",
    "%2e%2e/",
)
ODD: tuple[Any, ...] = (None, True, 0, -1, 1e308, float("nan"), float("inf"), "", " ", [], {}, [[]], "\x00", "\ud800")
FRAME = (
    "list_sessions", "You read transcripts of an agent", "newSinceLine", "linkedMemories", "Call list_sessions first",
    "accepted", "<data", "[1:user]",
)  # fmt: skip
"""Words of the frame around the sessions, which nobody said in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """Makes answers for one batch.

    Attributes:
        rng: Decides everything.
        words: What was said in the sessions of the batch.
        others: What was said elsewhere, in sessions that are not offered.
        secrets: Texts that hold a credential.
    """

    rng: random.Random
    words: Sequence[Words]
    others: Sequence[Words] = ()
    secrets: Sequence[str] = ()

    def answer(self, *, most_damage: int = 4) -> str:
        """One answer as the text a model sends."""
        if self.rng.random() < 0.02:
            return self._no_answer()
        made = self._honest()
        for _ in range(self.rng.choice((0, 0, 0, 1, 1, 1, *range(2, most_damage + 1)))):
            self.rng.choice(_DAMAGES)(self, made)
        return self._spelled(made)

    def _honest(self) -> Json:
        rng = self.rng
        return {
            "candidates": [self._candidate() for _ in range(rng.choice((0, 1, 1, 1, 2)))],
            "commitments": [self._commitment() for _ in range(rng.choice((0, 0, 1)))],
            "readSessionIds": sorted({words.session for words in rng.sample(self.words, min(3, len(self.words)))}),
        }

    def _candidate(self) -> Json:
        rng = self.rng
        own = [words for words in self.words if words.speaker in OWN and not words.is_secret]
        plain = [words for words in self.words if not words.is_secret and words.speaker != "system"]
        chosen = [rng.choice(own), *rng.sample(plain, rng.choice((1, 1, 2, 3)))]
        distinct = {(words.session, words.line): words for words in chosen}
        return {
            "kind": rng.choice(CODES),
            "claim": self._claim(),
            "gist": f"Seen in step {rng.randrange(1000)}.",
            "entities": [{"type": "service", "name": "cart"}] * rng.randrange(2),
            "evidence": [self._quote(words) for words in distinct.values()],
        }

    def _claim(self) -> str:
        mark = f"K{self.rng.randrange(10**7):07d}"
        goal = self.rng.choice((*ORDERS, "preference", "decision", "decision", "decision", "decision"))
        language = self.rng.choice((*TEXTS, "en", "en", "en"))
        return TEXTS[language][goal].format(it=mark)

    def _commitment(self) -> Json:
        rng = self.rng
        words = rng.choice([words for words in self.words if not words.is_secret])
        actor = words.speaker if words.speaker in OWN else rng.choice(("user", "agent", "other"))
        todo = TEXTS[rng.choice(tuple(TEXTS))]["todo"].format(it=f"K{rng.randrange(10**7):07d}")
        return {
            "statement": todo,
            "actor": actor,
            "evidence": self._quote(words),
            "confidence": rng.choice((0.4, 0.8, 0.9, 1, 1.0)),
            "resolved": rng.random() < 0.2,
        }

    @staticmethod
    def _quote(words: Words) -> Json:
        return {"sessionId": words.session, "quote": words.text}

    def _no_answer(self) -> str:
        deep = self.rng.randrange(2, 4_000)
        return self.rng.choice(
            ("", "{}", "[]", "null", "\ufeff", "\udcff\udcfe", "NaN", "Sure! Here it is.", "[" * deep, '{"a":' * deep,
             '"' + "a" * 70_000 + '"', "9" * 5_000, '{"candidates": []}', "\x00{}"),
        )  # fmt: skip

    def _spelled(self, made: Json) -> str:
        rng = self.rng
        text = json.dumps(made, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, None, 2)))
        luck = rng.randrange(60)
        spelled = {
            0: "\ufeff" + text,
            1: f"```json\n{text}\n```",
            2: text + " and that is all",
            3: text[: len(text) // 2],
            4: text.replace('"candidates"', '"candidates": [], "candidates"', 1),
            5: text.replace('"claim"', '"claim": "x", "claim"', 1),
            6: text.replace("{", '{"x": ' + "[" * 3_000 + "]" * 3_000 + ", ", 1),
            7: text + "\udcff",
            8: json.dumps(text),
            9: json.dumps([made]),
        }
        return spelled.get(luck, text)


def _places(made: Json) -> list[tuple[Json, str]]:
    """Every field of an answer, with what holds it."""
    found: list[tuple[Json, str]] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            found.extend((node, key) for key in node)
            for child in node.values():
                walk(child)
        elif isinstance(node, list):
            for child in node:
                walk(child)

    walk(made)
    return found


def _quotes(made: Json) -> list[Json]:
    """Every quote that still is one."""
    found = []
    for holder, key in _places(made):
        if key == "quote" and isinstance(holder[key], str) and "sessionId" in holder:
            found.append(holder)
    return found


def _texts(made: Json) -> list[tuple[Json, str]]:
    return [(h, k) for h, k in _places(made) if k in ("claim", "gist", "statement", "name", "quote")]


def _odd_value(of: Hostile, made: Json) -> None:
    holder, key = of.rng.choice(_places(made))
    holder[key] = of.rng.choice(ODD)


def _lost_field(of: Hostile, made: Json) -> None:
    holder, key = of.rng.choice(_places(made))
    del holder[key]


def _more_fields(of: Hostile, made: Json) -> None:
    holder, _ = of.rng.choice(_places(made))
    holder[of.rng.choice(("path", "command", "approved", "__proto__", "confidence", "line", "file"))] = of.rng.choice(
        (*PATHS, True, 1.0)
    )


def _odd_text(of: Hostile, made: Json) -> None:
    if places := _texts(made):
        holder, key = of.rng.choice(places)
        secret = of.rng.choice(of.secrets) if of.secrets else "x"
        holder[key] = of.rng.choice(
            (*PATHS, f"Deploy with {secret}.", secret, "x" * 100_000, "a\x1b[31mred", "<script>x</script>",
             "[a](javascript:x)", "![p](https://pages.test/p.png)", "# Other claim\n\n## T", "---\nkind: task\n---")
        )  # fmt: skip


def _odd_quote(of: Hostile, made: Json) -> None:
    if quotes := _quotes(made):
        quote, rng = of.rng.choice(quotes), of.rng
        words, other = quote["quote"], rng.choice(of.words).text
        cut = rng.randrange(len(words) + 1)
        quote["quote"] = rng.choice(
            (words[:cut], words[cut:], words.upper(), words.lower(), f"{words} {other}", f"{words[:cut]}{other[:20]}",
             words.replace("a", "\u0430"), f"{words[:cut]}\u200b{words[cut:]}", words.replace(" ", "\u00a0\n"),
             unicodedata.normalize("NFKD", words.replace("e", "\u00e9")), json.dumps(words), json.dumps(words)[1:-1],
             words.replace("The", "A"), f"[1:user] {words}", rng.choice(FRAME), other)
        )  # fmt: skip


def _elsewhere(of: Hostile, made: Json) -> None:
    if quotes := _quotes(made):
        quote = of.rng.choice(quotes)
        there = of.rng.choice(of.others) if of.others else of.rng.choice(of.words)
        if of.rng.random() < 0.5:
            quote["quote"] = there.text
        quote["sessionId"] = of.rng.choice((there.session, "../" + there.session, there.session.upper(), *PATHS, ""))


def _any_speaker(of: Hostile, made: Json) -> None:
    if quotes := _quotes(made):
        words = of.rng.choice(of.words)
        of.rng.choice(quotes).update(sessionId=words.session, quote=words.text)


def _only_tools(of: Hostile, made: Json) -> None:
    silent = [words for words in of.words if words.speaker not in OWN]
    for quote in _quotes(made):
        words = of.rng.choice(silent)
        quote.update(sessionId=words.session, quote=words.text)


def _flood(of: Hostile, made: Json) -> None:
    lists = [(h, k) for h, k in _places(made) if isinstance(h[k], list) and h[k]]
    if lists:
        holder, key = of.rng.choice(lists)
        holder[key] = [
            json.loads(json.dumps(of.rng.choice(holder[key]))) for _ in range(of.rng.choice((2, 9, 21, 51, 400)))
        ]


def _any_session(of: Hostile, made: Json) -> None:
    made["readSessionIds"] = [
        of.rng.choice((*(words.session for words in of.words[:40:7]), *PATHS, "", "elsewhere"))
        for _ in range(of.rng.randrange(4))
    ]


def _other_hint(of: Hostile, made: Json) -> None:
    commitments = made.get("commitments")
    if isinstance(commitments, list) and commitments and isinstance(commitments[0], dict):
        commitments[0].update(
            dueHint=of.rng.choice(("2026-02-30", "2026-08-20", "tomorrow", None, "0000-00-00")),
            actor=of.rng.choice(("user", "agent", "other", "system", "AGENT")),
            confidence=of.rng.choice((0.7, 2, -1, True, "1")),
        )


Damage = Callable[[Hostile, Json], None]
_DAMAGES: tuple[Damage, ...] = (
    _odd_value, _lost_field, _more_fields, _odd_text, _odd_quote, _odd_quote, _elsewhere, _any_speaker, _any_speaker,
    _only_tools, _flood, _any_session, _other_hint,
)  # fmt: skip
"""Ways to spoil an answer."""
