"""The routes, by FastAPI; the only file that knows it."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import Response

from slowwave import __version__
from slowwave.desk.api.asgi import Guarded
from slowwave.desk.api.contract import Backing
from slowwave.desk.api.errors import NoLoopError
from slowwave.desk.api.forms import MANY, ONE, CaptureForm, CaptureForms, ProblemForm, StatusForm, StoredForms, TickForm
from slowwave.desk.api.guard import Rules
from slowwave.desk.api.problem import PROBLEM_TYPE, Problem, encoded
from slowwave.disk.lock import LockedError
from slowwave.facts.refusal import SlowwaveError
from slowwave.wiring.serving import BadCaptureError

_log = logging.getLogger("slowwave.api")
_MOST_FAULTS = 20  # of one body; whoever has more has misread the form
_ALWAYS = {400: "It names no host of ours, or is malformed.", 421: "It is meant for another host."}
_CHANGES = {
    401: "It carries no token.",
    403: "A page of another origin sent it.",
    408: "Its body did not come.",
    413: "Its body is too large.",
    415: "Its body is no JSON.",
    422: "Its body or query has another form; nothing was done.",
    503: "What it needs is not to be had now; nothing was done.",
}


def make_app(backing: Backing, rules: Rules) -> Guarded:
    """The endpoints over a home, behind their guard."""
    api = FastAPI(
        title="slowwave",
        version=__version__,
        description="Captures in, ticks of the waking loop, and how it stands. On the loopback alone.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    _refusals(api)
    _routes(api, backing)
    return Guarded(api, rules)


def _routes(api: FastAPI, backing: Backing) -> None:
    @api.post(
        "/api/v1/captures",
        status_code=201,
        response_model=StoredForms,
        responses=_told(_ALWAYS | _CHANGES),
        operation_id="putCaptures",
        tags=["captures"],
    )
    async def put_captures(body: CaptureForms) -> Any:
        """Store one capture or several, each once: the same id, or the same words, again changes nothing."""
        forms = [body] if isinstance(body, CaptureForm) else body
        stored = await backing.put([form.model_dump(mode="json", exclude_none=True) for form in forms])
        return {"captures": stored}

    @api.post(
        "/api/v1/scheduler/trigger/consolidation",
        response_model=TickForm,
        responses=_told(_ALWAYS | _CHANGES),
        operation_id="triggerConsolidation",
        tags=["scheduler"],
    )
    async def trigger(*, force: bool = False) -> Any:
        """Run one tick of the live loop; intervals and active hours are respected unless ``force`` is true."""
        return await backing.trigger(force=force)

    @api.get(
        "/api/v1/scheduler/status",
        response_model=StatusForm,
        responses=_told(_ALWAYS | {503: _CHANGES[503]}),
        operation_id="schedulerStatus",
        tags=["scheduler"],
    )
    async def status() -> Any:
        """State, budget left, what is due when, and the last errors."""
        return await backing.status()

    @api.get("/api/v1/openapi.json", responses=_told(_ALWAYS), operation_id="openapi", tags=["about"])
    async def described() -> dict[str, Any]:
        """This document."""
        return _document(api)


def _told(statuses: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": what, "content": {PROBLEM_TYPE: {"schema": schema}}}
        for status, what in sorted(statuses.items())
    }


def _document(api: FastAPI) -> dict[str, Any]:
    made = get_openapi(title=api.title, version=api.version, description=api.description, routes=api.routes)
    parts = made.setdefault("components", {})
    shape = ProblemForm.model_json_schema(ref_template="#/components/schemas/{model}")
    parts["schemas"] = {**parts.get("schemas", {}), **shape.pop("$defs", {}), "Problem": shape}
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path in made["paths"].values():
        for method, operation in path.items():
            operation["security"] = [{"token": []}] if method == "post" else []
    return made


def _refusals(api: FastAPI) -> None:
    async def unread(request: Request, error: Exception) -> Response:
        del request
        faults = error.errors() if isinstance(error, RequestValidationError) else []
        if any(fault["type"] == "json_invalid" for fault in faults):
            return _answer(Problem(status=400, code="bad_json", detail="The body is no JSON."))
        return _answer(
            Problem(
                status=422,
                code="bad_form",
                detail="The request has another form than its document says; nothing was done.",
                faults=tuple((_pointer(fault["loc"]), str(fault["msg"])) for fault in faults[:_MOST_FAULTS]),
            )
        )

    async def nowhere(request: Request, error: Exception) -> Response:
        del request, error
        return _answer(Problem(status=404, code="no_such_path", detail="/api/v1/openapi.json lists what there is."))

    async def otherwise(request: Request, error: Exception) -> Response:
        del request
        allowed = {"allow": dict(getattr(error, "headers", None) or {}).get("Allow", "")}
        return _answer(
            Problem(status=405, code="no_such_method", detail="This path takes other methods.", headers=allowed)
        )

    async def unreadable(request: Request, error: Exception) -> Response:
        del request, error
        return _answer(Problem(status=400, code="bad_json", detail="The body cannot be read as JSON."))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, SlowwaveError)
        problem = _problem_of(error)
        _log.warning("%s %s: %s", request.method, request.url.path, error.message)
        return _answer(problem)

    async def failed(request: Request, error: Exception) -> Response:
        del request, error  # the server writes its traceback down
        return _answer(Problem(status=500, code="failed", detail="A fault of ours; its trace is in the log."))

    api.add_exception_handler(RequestValidationError, unread)
    api.add_exception_handler(400, unreadable)
    api.add_exception_handler(404, nowhere)
    api.add_exception_handler(405, otherwise)
    api.add_exception_handler(SlowwaveError, refused)
    api.add_exception_handler(500, failed)


def _problem_of(error: SlowwaveError) -> Problem:
    detail = f"{error.message}. {error.hint}" if error.hint else error.message
    if isinstance(error, BadCaptureError):
        at = f"/{error.number}"
        return Problem(status=422, code=error.code, detail=detail, faults=((at, error.message),))
    is_passing = isinstance(error, NoLoopError | LockedError)
    return Problem(status=503 if is_passing else 500, code=error.code, detail=detail)


def _pointer(place: tuple[int | str, ...]) -> str:
    """Where in the request a fault is; by which of our forms it was read is left out."""
    where, *inside = place
    return "/".join(["", str(where), *(str(part) for part in inside if part not in (ONE, MANY))])


def _answer(problem: Problem) -> Response:
    return Response(
        encoded(problem), status_code=problem.status, media_type=PROBLEM_TYPE, headers=dict(problem.headers)
    )
