"""Forms: the shapes that the endpoints take and give, from which their OpenAPI document is made."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field
from pydantic import Tag as Branch
from pydantic.alias_generators import to_camel

from slowwave.facts.capture import Tag
from slowwave.facts.limits import CAPTURES_A_REQUEST, MOST_CAPTURE_CHARACTERS

ONE, MANY = "capture", "captures"
"""By which branch of a form a body was read; stands in the places of faults, and is left out where those are told."""


class _Taken(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Given(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)


def _aware(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("this is no ISO 8601 moment") from None
    if moment.utcoffset() is None:
        raise ValueError("a moment carries its offset, as 2026-05-01T09:00:00+02:00")
    return text


def _whole(value: object) -> object:
    """JSON makes no difference between 7 and 7.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Moment = Annotated[str, Field(max_length=40, json_schema_extra={"format": "date-time"}), AfterValidator(_aware)]
Short = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[!-~]+$")]


class CaptureForm(_Taken):
    """A few words set aside.

    Without ``id`` it gets one made of its content, so that the same words are stored once; without ``ts`` it was said
    now. ``zone`` is the speaker's, by its IANA name.
    """

    tag: Tag
    text: Annotated[str, Field(max_length=MOST_CAPTURE_CHARACTERS, pattern=r"\S")]
    id: Short | None = None
    ts: Moment | None = None
    source: Short = "api"
    session_id: Short | None = None
    line: Annotated[int, Field(ge=1, le=10**9, strict=True), BeforeValidator(_whole)] | None = None
    zone: Short | None = None


def _branch(value: object) -> str:
    return MANY if isinstance(value, list) else ONE


_Several = Annotated[list[CaptureForm], Field(min_length=1, max_length=CAPTURES_A_REQUEST)]
CaptureForms = Annotated[
    Annotated[CaptureForm, Branch(ONE)] | Annotated[_Several, Branch(MANY)], Discriminator(_branch)
]
"""One capture, or several."""


class StoredForm(_Given):
    """A capture that is stored; ``isNew`` is false where it was before."""

    id: str
    is_new: bool


class StoredForms(_Given):
    """What became of each capture, in the order sent."""

    captures: list[StoredForm]


class FaultForm(_Given):
    """One place in a request's body."""

    pointer: str
    detail: str


class ProblemForm(_Given):
    """A problem document (RFC 9457). ``code`` is stable, and explained in the page of refusals."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FaultForm] | None = None


class SubTaskForm(_Given):
    """One sub-task of a tick: whether it ran, else why not; what it counted; what went wrong."""

    name: str
    ran: bool
    reason: str = ""
    counts: dict[str, int] = Field(default_factory=dict)
    error: str = ""


class TickForm(_Given):
    """One tick of the loop."""

    sub_tasks: list[SubTaskForm]
    jobs: list[SubTaskForm]


class StatusForm(_Given):
    """How things stand: the loop, its state file, the budget left, what is due when, the last errors."""

    loop: dict[str, Any]
    state: dict[str, Any]
    budget: dict[str, Any] | None
    next_due: dict[str, str | None]
    last_errors: list[dict[str, Any]]
