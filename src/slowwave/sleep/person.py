"""The person token: shown once when it is made, kept only as a digest, stands for a person in scripts."""

import hashlib
import hmac
import secrets

from slowwave.sleep.state import BEGUN_ANEW, State

_SETTING = "person_token_sha256"
_TOKEN_BYTES = 24  # 192 bits cannot be guessed


def new_token(state: State) -> str | None:
    """The person token, shown once; None where one was made before, also by a book that was lost since.

    Only its digest is kept. Were a lost book enough for a new token, whoever removes the book would be a person.
    """
    if has_token(state) or state.setting(BEGUN_ANEW):
        return None
    return renew_token(state)


def has_token(state: State) -> bool:
    """Whether this home has a person token."""
    return bool(state.setting(_SETTING))


def renew_token(state: State) -> str:
    """A new person token in place of the one before; the caller has made sure that a person asks."""
    token = "person-" + secrets.token_urlsafe(_TOKEN_BYTES)
    state.set_setting(_SETTING, _digest(token))
    return token


def is_token(state: State, token: str) -> bool:
    """Whether a text is this home's person token; compared in constant time."""
    known = state.setting(_SETTING)
    return bool(known) and hmac.compare_digest(known, _digest(token))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
