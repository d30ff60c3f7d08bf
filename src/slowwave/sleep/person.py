"""The person token: shown once by ``init``, kept only as a digest, stands for a person in scripts."""

import hashlib
import hmac
import secrets

from slowwave.sleep.state import State

_SETTING = "person_token_sha256"
_TOKEN_BYTES = 24  # 192 bits cannot be guessed


def new_token(state: State) -> str | None:
    """The person token, shown once; None where one was made before. Only its digest is kept."""
    if state.setting(_SETTING):
        return None
    token = "person-" + secrets.token_urlsafe(_TOKEN_BYTES)
    state.set_setting(_SETTING, _digest(token))
    return token


def is_token(state: State, token: str) -> bool:
    """Whether a text is this home's person token; compared in constant time."""
    known = state.setting(_SETTING)
    return bool(known) and hmac.compare_digest(known, _digest(token))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
