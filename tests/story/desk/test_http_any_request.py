"""Any request at all, drawn from the endpoints' own document: each is answered as that document says."""

from collections.abc import Mapping
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from made_endpoints import OPENAPI, TOKEN, MemoryHome, SlowLoop, rules
from schemathesis.specs.openapi.checks import positive_data_acceptance

from slowwave.desk.api.app import make_app
from slowwave.desk.api.backing import HomeBacking

HERE = "http://127.0.0.1:8765"
Drawn = schemathesis.Case[Any]


class Backing(HomeBacking):
    """A home and a loop in the very event loop that answers."""

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick."""
        return await SlowLoop().trigger(force=force)


SCHEMA = schemathesis.openapi.from_asgi(OPENAPI, make_app(Backing(MemoryHome), rules()), headers={"host": "127.0.0.1"})


@SCHEMA.auth()
class Bearer:
    """The token; requests are drawn without it too, and with another one."""

    def get(self, _case: Drawn, _context: schemathesis.AuthContext) -> str:
        """Where it is found."""
        return TOKEN

    def set(self, case: Drawn, data: str, _context: schemathesis.AuthContext) -> None:
        """How it is sent."""
        case.headers["authorization"] = f"Bearer {data}"


@SCHEMA.parametrize()
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
def test_whatever_is_asked_is_answered_as_the_document_says(case: Drawn) -> None:
    """No fault of ours, nothing accepted that the document forbids, no status, form or header that it does not name.

    What no form can say, as that a moment is on the calendar and a zone has a name, is told in a problem.
    """
    response = case.call(base_url=HERE)
    is_beyond_forms = response.status_code == 422 and _is_beyond_forms(response.json())
    case.validate_response(
        response,
        excluded_checks=[positive_data_acceptance] if is_beyond_forms else [],
        transport_kwargs={"base_url": HERE},
    )


def _is_beyond_forms(problem: Mapping[str, Any]) -> bool:
    return problem["code"] == "bad_capture" or all(fault["pointer"].endswith("/ts") for fault in problem["errors"])
