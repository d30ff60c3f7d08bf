"""A model in a night: a server on the loopback that reads a batch honestly and answers it, and homes that ask it."""

import json
from typing import Any

from made_nights import Place
from made_protocols import Question, Spoken
from made_providers import MadeProvider, tool_calls

SAID = "The tests of shop need PYTHONPATH=src here, since the package is not installed."
CLAIM = "The tests of shop need PYTHONPATH=src, since the package is not installed."


def answer(ids: list[str], quote: str = SAID) -> dict[str, Any]:
    """A true answer over at least two sessions, or one that cites what nobody said."""
    evidence = [{"sessionId": one, "quote": quote} for one in ids[:2]]
    candidate = {
        "kind": "procedural",
        "claim": CLAIM,
        "gist": "Set it before pytest runs; both sessions failed without it.",
        "entities": [{"type": "command", "name": "pytest"}],
        "evidence": evidence,
    }
    return {"candidates": [candidate] if len(ids) > 1 else [], "commitments": [], "readSessionIds": ids}


def listed(question: Question) -> list[str]:
    """The ids that list_sessions gave in this conversation."""
    for line in question.lines:
        if line.who == "tool" and (at := line.text.find('{"sessions":[')) >= 0:
            return [row["id"] for row in json.loads(line.text[at:].splitlines()[0])["sessions"]]
    return []


def honest(question: Question) -> Spoken:
    """Lists, searches every session, answers; the same whoever asks and how often."""
    ids = listed(question)
    if not ids:
        return tool_calls(("list_sessions", {}))
    if not any(line.who == "tool" and '"total":' in line.text for line in question.lines):
        return tool_calls(*(("search_transcript", {"sessionId": one, "phrase": "PYTHONPATH"}) for one in ids))
    return tool_calls(("submit_answer", answer(ids)))


def configure(place: Place, origin: str, **more: Any) -> str:
    """Let a home ask a model at an address, with its person's consent; the destination they agreed to."""
    place.close()
    wanted = {
        "models.provider": "openai-compatible",
        "models.model": "made-model",
        "models.base_url": f"{origin}/v1",
        "models.input_price": "1",
        "models.output_price": "2",
        **more,
    }
    for name, value in wanted.items():
        assert place.run("config", "set", name, str(value)).status == 0
    token = place.house.renew_token()
    place.close()
    given = place.run("consent", "give", "--yes-i-am-a-person", token)
    assert given.status == 0, given.err
    return str(given.content["destination"])


class Asked:
    """A home whose model is a server of the test's own."""

    def __init__(self, place: Place, made: MadeProvider) -> None:
        self.place = place
        self.made = made

    def sleep(self, *words: str) -> dict[str, Any]:
        """A night as a command."""
        ran = self.place.run("sleep", "--engine", "model", *words)
        assert ran.status == 0, ran.err
        return dict(ran.content)

    def phase(self, night: dict[str, Any]) -> dict[str, Any]:
        """The phase in which the model is asked."""
        return next(dict(phase) for phase in night["phases"] if phase["name"] == "trace_consolidation")
