"""A recording with every secret masked, for whoever puts what was said into words of their own.

Whole texts are masked, so that no later cut can leave half a secret that no rule would know. Words beside a mask are
still verbatim; a quote across one is found nowhere.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from slowwave.facts.limits import JSON_DEPTH
from slowwave.records.entries import Entry
from slowwave.records.recording import Recording
from slowwave.records.secrets import Secrets


def mask_recording(recording: Recording, secrets: Secrets) -> Recording:
    """The recording with the secrets in its entries' texts and arguments masked."""
    return replace(recording, entries=tuple(_masked(entry, secrets) for entry in recording.entries))


def _masked(entry: Entry, secrets: Secrets) -> Entry:
    args = {name: _masked_value(value, secrets, name) for name, value in entry.args.items()}
    # A call's text is one of its arguments, whose name may be all that gives a secret away.
    same = next((args[name] for name, value in entry.args.items() if value == entry.text), entry.text)
    text = secrets.mask(str(same))
    if text == entry.text and args == entry.args:
        return entry
    return replace(entry, text=text, args=args)


def _masked_value(value: Any, secrets: Secrets, name: str, depth: int = 0) -> Any:
    if isinstance(value, str):
        return secrets.mask(value, name=name)
    if depth == JSON_DEPTH:  # the reader lets nothing deeper through
        return None
    if isinstance(value, Mapping):
        return {key: _masked_value(inner, secrets, str(key), depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked_value(inner, secrets, name, depth + 1) for inner in value]
    return value
