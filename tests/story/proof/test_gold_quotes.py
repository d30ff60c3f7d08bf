"""The labelled real sessions: every quote that people found by hand is found on its line, said by its speaker."""

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.facts.answer import Answer, Proved
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import MOST_QUOTES
from slowwave.proof.contract import Batch, check, parse_answer, whole_batch
from slowwave.proof.quotes import locate
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session

BATCHES = ("D1", "D2", "D3")
# A prompt that the harness made of the agent's plan counts as nobody's words here; the labels call it the user's.
PASTED_PLAN_QUOTES = {"D1": 3, "D2": 0, "D3": 0}
# Labels below the contract's own bar: "folder: Formula" and "?? .cursor/" have two words and fewer than 16 characters.
TRIVIAL_QUOTES = {"D1": 1, "D2": 0, "D3": 1}


def opened(shared: Path, name: str) -> tuple[dict[str, Any], Batch]:
    """The labels of a batch and its sessions, all new."""
    folder = shared / "gold" / name
    agent = json.loads((folder / "manifest.json").read_text())["project"].split("|")[1]
    root = folder / "sessions"
    sessions = [
        Session(id=SessionId(path.stem), agent=agent, path=path, root=root) for path in sorted(root.glob("*.jsonl"))
    ]
    return json.loads((folder / "gold.json").read_text()), whole_batch(sessions)


@pytest.mark.parametrize("name", BATCHES)
def test_every_labelled_quote_stands_where_the_label_says(shared: Path, name: str) -> None:
    """Line for line, and speaker for speaker but for pasted plans."""
    gold, batch = opened(shared, name)
    labels = [e for c in gold["candidates"] for e in c["evidence"]] + [c["evidence"] for c in gold["commitments"]]
    quotes = [Quote(session_id=SessionId(label["sessionId"]), quote=label["quote"]) for label in labels]
    places = locate(quotes, batch)
    astray = []
    for label, quote in zip(labels, quotes, strict=True):
        speakers = {place.speaker.value for place in places[quote] if place.line == label["line"]}
        assert speakers, label
        if label["speaker"] not in speakers:
            astray.append(label)
    assert len(labels) >= 90
    assert len(astray) == PASTED_PLAN_QUOTES[name], astray


@pytest.mark.parametrize("name", BATCHES)
def test_the_labels_themselves_pass_the_contract(shared: Path, name: str) -> None:
    """An answer made of the labels, at most eight quotes each, is accepted but for quotes that prove too little."""
    gold, batch = opened(shared, name)

    def quoted(label: dict[str, Any]) -> dict[str, str]:
        return {"sessionId": label["sessionId"], "quote": label["quote"]}

    fields = ("kind", "claim", "gist", "entities")
    written = {
        "candidates": [
            {**{key: c[key] for key in fields}, "evidence": [quoted(e) for e in c["evidence"][:MOST_QUOTES]]}
            for c in gold["candidates"]
        ],
        "commitments": [
            {
                "statement": c["statement"],
                "actor": c["actor"],
                "evidence": quoted(c["evidence"]),
                "confidence": 0.9,
                "resolved": bool(c.get("resolved")),
            }
            for c in gold["commitments"]
        ],
        "readSessionIds": sorted(batch.sessions),
    }
    parsed = parse_answer(json.dumps(written).encode())
    assert isinstance(parsed, Answer)
    outcome = check(parsed, batch, log=None, secrets=Secrets(deep=False))
    codes = [] if isinstance(outcome, Proved) else [refusal.code for refusal in outcome]
    assert codes == ["quote_trivial"] * TRIVIAL_QUOTES[name]
