"""Problems: how an endpoint says no (RFC 9457)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from slowwave.facts.text import showable

PROBLEM_TYPE = "application/problem+json"
_TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One request that was not done.

    Attributes:
        status: Of HTTP.
        code: Stable, as in ``docs/refusals.md``.
        detail: One sentence: what is wrong and what to do. Never holds a token or a capture's text.
        headers: Sent beside it.
        faults: Places in the request's body with what is wrong there.
    """

    status: int
    code: str
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[tuple[str, str], ...] = ()


def document(problem: Problem) -> dict[str, Any]:
    """The problem as it is sent."""
    told: dict[str, Any] = {
        "type": f"urn:slowwave:problem:{problem.code}",
        "title": _TITLES[problem.status],
        "status": problem.status,
        "detail": showable(problem.detail),
        "code": problem.code,
    }
    if problem.faults:
        told["errors"] = [{"pointer": showable(at), "detail": showable(what)} for at, what in problem.faults]
    return told


def encoded(problem: Problem) -> bytes:
    """The problem as bytes."""
    return json.dumps(document(problem), ensure_ascii=True).encode("ascii")
