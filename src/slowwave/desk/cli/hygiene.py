"""Hygiene: long contexts kept clean, every change proved, written down and undone at will."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slowwave.desk.cli import hygiene_inspect, hygiene_proposals, hygiene_revisions, hygiene_score
from slowwave.desk.cli.verb import Desk, Shown, verb

if TYPE_CHECKING:
    from slowwave.desk.screens.parts import Lines
    from slowwave.wiring.verbs_hygiene import Options

app = typer.Typer(
    help="Keep a long context clean: see where its window goes, take out what is dead, bring anything back.",
    no_args_is_help=True,
)
hygiene_inspect.register(app)
hygiene_revisions.register(app)
hygiene_score.register(app)
hygiene_proposals.register(app)

FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A session an agent wrote, or a JSON list of messages.")
]
OpsOption = Annotated[
    Path | None,
    typer.Option("--ops", metavar="OPS.json", help="Operations of your own, or what `plan --json` printed."),
]
ProtectedOption = Annotated[
    Path | None, typer.Option("--protected", metavar="P.json", help="Ranges that must not be touched.")
]
ProviderOption = Annotated[
    str,
    typer.Option("--provider", metavar="NAME", help="Keep this provider's rules (default: those of the file's form)."),
]
AtomicOption = Annotated[bool, typer.Option("--atomic", help="One refused operation refuses all.")]
ThinkingOption = Annotated[
    str,
    typer.Option(
        "--thinking", metavar="POLICY", help="auto, refuse, strip or server: what of thoughts bound to earlier text."
    ),
]
SavingOption = Annotated[
    int | None,
    typer.Option("--min-saving", metavar="N", min=0, help="Tokens that must be saved (default: 2,000 or 5%)."),
]
ModelOption = Annotated[
    bool,
    typer.Option(
        "--propose-with-model",
        help="Let the configured model choose among what is legal (needs consent; default: rules choose).",
    ),
]


@app.command("plan")
@verb
def plan(
    desk: Desk,
    *,
    file: FileArgument,
    ops: OpsOption = None,
    protected: ProtectedOption = None,
    provider: ProviderOption = "",
    atomic: AtomicOption = False,
    thinking: ThinkingOption = "auto",
    min_saving: SavingOption = None,
    propose_with_model: ModelOption = False,
) -> Shown:
    """Show what would be taken out of a context, and why; nothing is written."""
    options = _options(ops, protected, provider, thinking, min_saving, is_atomic=atomic, is_by_model=propose_with_model)
    return _planned(desk, file, options, kind="hygiene_plan")


@app.command("validate")
@verb
def validate(
    desk: Desk,
    *,
    file: FileArgument,
    ops: Annotated[Path, typer.Option("--ops", metavar="OPS.json", help="The operations to judge.")],
    protected: ProtectedOption = None,
    provider: ProviderOption = "",
    atomic: AtomicOption = False,
    thinking: ThinkingOption = "auto",
    min_saving: SavingOption = None,
) -> Shown:
    """Judge somebody's operations: what of them may be done, and why the rest may not; nothing is written."""
    options = _options(ops, protected, provider, thinking, min_saving, is_atomic=atomic)
    return _planned(desk, file, options, kind="hygiene_validate")


@app.command("apply")
@verb
def apply(
    desk: Desk,
    *,
    file: FileArgument,
    out: Annotated[Path | None, typer.Option("--out", metavar="OUT", help="Write a fork there; FILE stays.")] = None,
    ops: OpsOption = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Replace FILE, if nobody writes to it.")] = False,
    same_session: Annotated[bool, typer.Option("--same-session", help="Keep the session id in a fork.")] = False,
    protected: ProtectedOption = None,
    provider: ProviderOption = "",
    atomic: AtomicOption = False,
    thinking: ThinkingOption = "auto",
    min_saving: SavingOption = None,
    propose_with_model: ModelOption = False,
) -> Shown:
    """Carry a curation out: into a fork the agent can resume, or in place where asked; the original is kept."""
    from slowwave.desk.screens.hygiene import applied_lines
    from slowwave.wiring.verbs_hygiene import apply as carry_out

    options = _options(ops, protected, provider, thinking, min_saving, is_atomic=atomic, is_by_model=propose_with_model)
    with hygiene_revisions.bench(desk) as bench:
        told = carry_out(
            bench,
            file,
            options,
            out=out,
            is_in_place=in_place,
            keeps_session=same_session,
            actor=hygiene_revisions.actor(desk),
        )
    lines = [*applied_lines(told), *_proposer_lines(told)]
    return Shown(kind="hygiene_apply", content=told, lines=lines, exit_status=_status(told, options))


def _planned(desk: Desk, file: Path, options: "Options", *, kind: str) -> Shown:
    from slowwave.desk.screens.hygiene import plan_lines
    from slowwave.wiring.verbs_hygiene import plan as look

    with hygiene_revisions.bench(desk) as bench:
        told = look(bench, file, options)
    lines = [*plan_lines(told), *_proposer_lines(told)]
    return Shown(kind=kind, content=told, lines=lines, exit_status=_status(told, options))


def _proposer_lines(told: dict[str, Any]) -> "Lines":
    """How asking a model went, where one was to be asked."""
    from slowwave.desk.screens.parts import count, plain

    heard = told.get("proposer")
    if heard is None:
        return []
    who = heard["model"] if heard["by"] == "model" else "the rules, for the model gave no answer that could be read"
    asked = f"{count(heard['asked'], 'question')}, {count(heard['answered'], 'answer')}"
    return [plain(f"proposed by {who}; {asked}{': ' if heard['why'] else ''}{heard['why']}", style="dim")]


def _options(
    ops: Path | None,
    protected: Path | None,
    provider: str,
    thinking: str,
    min_saving: int | None,
    *,
    is_atomic: bool,
    is_by_model: bool = False,
) -> "Options":
    from slowwave.wiring.verbs_hygiene import Options

    return Options(
        ops=ops,
        protected=protected,
        provider=provider,
        is_atomic=is_atomic,
        thinking=thinking,
        min_saving=min_saving,
        is_by_model=is_by_model,
    )


def _status(told: dict[str, Any], options: "Options") -> int:
    """1 when everything was refused; finding nothing to propose is no failure."""
    from slowwave.wiring.verbs_hygiene import is_refused

    return 1 if is_refused(told, options) else 0
