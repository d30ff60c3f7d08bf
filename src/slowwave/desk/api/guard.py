"""The guard before the endpoints: decides from a request's head whether it is looked at. Pure.

A page of somebody else's in the person's own browser can reach the loopback. It cannot choose the ``Host`` that its
browser sends, nor ``Origin`` and ``Sec-Fetch-Site``, nor read the token: each of these is asked for by itself. Nothing
is ever allowed to another origin, so no header of ours says so.
"""

import hmac
import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from slowwave.desk.api.problem import Problem
from slowwave.disk.config import ConfigError
from slowwave.facts.limits import MOST_BODY_BYTES

READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing by their meaning, and nothing here."""
_OWN = frozenset({"same-origin", "none"})
"""Said by a browser of its page at our very address, or of an address that its person typed."""
_PLAIN_PORT = 80
_JSON = "application/json"

ANSWER_HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
"""Sent with every answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a guard holds requests against.

    Attributes:
        names: Hosts by which we may be called, as they stand in a ``Host`` header.
        token: What whoever changes something must bring.
        most_bytes: Of a body.
    """

    names: tuple[str, ...]
    token: str = field(repr=False)
    most_bytes: int = MOST_BODY_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A request's head.

    Attributes:
        method: As sent.
        port: Of ours that it reached.
        headers: Every value of each header, names in lower case.
    """

    method: str
    port: int
    headers: Mapping[str, Sequence[str]]

    def values(self, name: str) -> Sequence[str]:
        """All values of a header."""
        return self.headers.get(name, ())

    @property
    def is_change(self) -> bool:
        """Whether it may change anything."""
        return self.method not in READING


def names_of(host: str) -> tuple[str, ...]:
    """By which names an address of the loopback may be called.

    Raises:
        ConfigError: The address is not of the loopback.
    """
    usual = ("127.0.0.1", "localhost", "[::1]")
    named = host.strip().strip("[]").lower()
    if named == "localhost":
        return usual
    try:
        address = ipaddress.ip_address(named)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise ConfigError(
            f"serve.host: {host!r} is not of the loopback, and the endpoints listen nowhere else",
            hint="use 127.0.0.1, localhost or ::1; for use from outside put a proxy with TLS in front of it",
        )
    own = f"[{address.compressed}]" if address.version == 6 else address.compressed
    return usual if own in usual else (*usual, own)


def refuse(head: Head, rules: Rules) -> Problem | None:
    """Why a request is not looked at; None where it is."""
    if problem := _wrong_host(head, rules):
        return problem
    if head.is_change and (problem := _wrong_change(head, rules)):
        return problem
    return _wrong_body(head, rules)


def _addresses(head: Head, rules: Rules) -> set[str]:
    with_port = {f"{name}:{head.port}" for name in rules.names}
    return with_port | set(rules.names) if head.port == _PLAIN_PORT else with_port


def _wrong_host(head: Head, rules: Rules) -> Problem | None:
    hosts = head.values("host")
    if len(hosts) != 1 or not hosts[0]:
        return Problem(status=400, code="host_missing", detail="A request names the host that it is meant for, once.")
    if hosts[0].lower() not in _addresses(head, rules):
        return Problem(
            status=421,
            code="wrong_host",
            detail="This host name is not ours. Ask 127.0.0.1, localhost or [::1] with the port that we listen on.",
        )
    return None


def _wrong_change(head: Head, rules: Rules) -> Problem | None:
    origins = {f"http://{address}" for address in _addresses(head, rules)}
    if any(site.lower() not in _OWN for site in head.values("sec-fetch-site")) or any(
        origin.lower() not in origins for origin in head.values("origin")
    ):
        return Problem(status=403, code="other_origin", detail="A page of another origin may change nothing here.")
    if not _has_token(head, rules.token):
        return Problem(
            status=401,
            code="token_needed",
            detail="A change carries `Authorization: Bearer TOKEN`; `slowwave serve --show-token` prints it.",
            headers={"www-authenticate": 'Bearer realm="slowwave"'},
        )
    return None


def _has_token(head: Head, token: str) -> bool:
    given = head.values("authorization")
    scheme, _, shown = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    # Compared also where nothing can match, and as bytes, so that the time says nothing of the token.
    is_same = hmac.compare_digest(shown.strip().encode("utf-8", "surrogatepass"), token.encode("utf-8"))
    return is_same and scheme.lower() == "bearer" and bool(token)


def _wrong_body(head: Head, rules: Rules) -> Problem | None:
    lengths = head.values("content-length")
    if len(lengths) > 1 or not all(length.isascii() and length.isdigit() for length in lengths):
        return Problem(status=400, code="bad_length", detail="Content-Length is one whole number.")
    length = lengths[0].lstrip("0") if lengths else ""
    if len(length) > 18 or int(length or 0) > rules.most_bytes:
        return too_large(rules)
    has_body = bool(length) or bool(head.values("transfer-encoding"))
    if has_body and not _is_json(head.values("content-type")):
        return Problem(status=415, code="not_json", detail=f"A body is sent as Content-Type: {_JSON}, in UTF-8.")
    if has_body and head.values("content-encoding"):
        return Problem(status=415, code="not_json", detail="A body is sent as it is, without a Content-Encoding.")
    return None


def too_large(rules: Rules) -> Problem:
    """What is said of a body above its bound."""
    return Problem(
        status=413, code="body_too_large", detail=f"A body has at most {rules.most_bytes:,} bytes; send it in parts."
    )


def _is_json(types: Sequence[str]) -> bool:
    if len(types) != 1:
        return False
    kind, *parameters = (part.strip().lower() for part in types[0].split(";"))
    return kind == _JSON and all(part in ("", "charset=utf-8", 'charset="utf-8"') for part in parameters)
