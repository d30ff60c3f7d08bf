"""Any request at all, drawn from the endpoints' own document: each is answered as that document says."""

from collections.abc import Mapping
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from made_endpoints import CAPTURES, OPENAPI, STATUS, TOKEN, TRIGGER, MemoryHome, SlowLoop, rules
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from schemathesis.specs.openapi.schemas import OpenApiSchema

from slowwave.desk.api.app import make_app
from slowwave.desk.api.backing import HomeBacking

HERE = "http://127.0.0.1:8765"
Drawn = schemathesis.Case[Any]
OPERATIONS = [(CAPTURES, "POST"), (TRIGGER, "POST"), (STATUS, "GET"), (OPENAPI, "GET")]
RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
CASES = [*((*one, RIGHT) for one in OPERATIONS), (CAPTURES, "POST", WRONG), (TRIGGER, "POST", WRONG)]
"""What takes neither body nor query cannot be asked wrongly."""


class Backing(HomeBacking):
    """A home and a loop in the very event loop that answers."""

    async def trigger(self, *, force: bool) -> Mapping[str, Any]:
        """One tick."""
        return await SlowLoop().trigger(force=force)


class Bearer:
    """The token; checks ask without it too, and with another one."""

    def get(self, _case: Drawn, _context: schemathesis.AuthContext) -> str:
        """Where it is found."""
        return TOKEN

    def set(self, case: Drawn, data: str, _context: schemathesis.AuthContext) -> None:
        """How it is sent."""
        case.headers["authorization"] = f"Bearer {data}"


@pytest.fixture(scope="module")
def document() -> OpenApiSchema:
    """The document as it is served. Read here and not when tests are collected, which every worker does."""
    app = make_app(Backing(MemoryHome), rules())
    read = schemathesis.openapi.from_asgi(OPENAPI, app, headers={"host": "127.0.0.1"})
    read.auth()(Bearer)
    return read


def test_every_operation_is_asked(document: OpenApiSchema) -> None:
    """A new one is to be listed here."""
    paths = document.raw_schema["paths"]
    assert {(path, method.upper()) for path, methods in paths.items() for method in methods} == set(OPERATIONS)


@pytest.mark.parametrize(("path", "method", "mode"), CASES)
def test_whatever_is_asked_is_answered_as_the_document_says(
    document: OpenApiSchema, path: str, method: str, mode: GenerationMode
) -> None:
    """No fault of ours, nothing accepted that the document forbids, no status, form or header that it does not name.

    What no form can say, as that a moment is on the calendar and a zone has a name, is told in a problem.
    """

    @settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=document[path][method].as_strategy(generation_mode=mode))
    def ask(case: Drawn) -> None:
        response = case.call(base_url=HERE)
        is_beyond_forms = response.status_code == 422 and _is_beyond_forms(response.json())
        case.validate_response(
            response,
            excluded_checks=[positive_data_acceptance] if is_beyond_forms else [],
            transport_kwargs={"base_url": HERE},
        )

    ask()


def _is_beyond_forms(problem: Mapping[str, Any]) -> bool:
    return problem["code"] == "bad_capture" or all(fault["pointer"].endswith("/ts") for fault in problem["errors"])
