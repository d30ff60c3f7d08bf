"""Tool calls as Claude Code writes them: input, what the model sees of the result, and ``toolUseResult`` beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slowwave.desk.samples.screenplay import CALLED_OFF, REFUSED, Turn

_REFUSAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file)."
)
_WAIT = " STOP what you are doing and wait for the user to tell you how to proceed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call and its result in this layout.

    Attributes:
        tool: Name of the tool.
        sent: Its input.
        content: Result text, or blocks of it, as the model sees it.
        is_error: The result's flag, or None where the layout leaves it out.
        beside: The record's ``toolUseResult``.
        shown: Output that was shown while a command ran; empty for other tools.
    """

    tool: str
    sent: Mapping[str, Any]
    content: str | list[dict[str, str]]
    is_error: bool | None = None
    beside: Any = None
    shown: str = ""


def call(turn: Turn, cwd: str) -> Call:
    """The call a turn stands for, run in a folder."""
    made = _MAKERS[turn.verb](turn, cwd)
    answer = turn.back or turn.sent
    if turn.back.startswith(CALLED_OFF):
        return _failed(made, _REFUSAL + _WAIT, "User rejected tool use")
    if turn.back.startswith(REFUSED):
        reason = turn.back.partition("\n")[0].removeprefix(REFUSED).strip()
        text = f"{_REFUSAL} To tell you how to proceed, the user said:\n{reason}" if reason else _REFUSAL + _WAIT
        return _failed(made, text, f"Error: {text}")
    if answer.startswith("!error "):
        fault = answer.removeprefix("!error ")
        return _failed(made, f"<tool_use_error>{fault}</tool_use_error>", f"Error: {fault}")
    return made


def _failed(made: Call, content: str, beside: str) -> Call:
    return Call(tool=made.tool, sent=made.sent, content=content, is_error=True, beside=beside)


def whole(path: str, cwd: str) -> str:
    """A path as the tools get it: from the root."""
    return path if path.startswith("/") else f"{cwd}/{path}"


def _run(turn: Turn, _cwd: str) -> Call:
    first, _, rest = turn.sent.partition("\n")
    sent = {"command": rest, "description": first[2:]} if first.startswith("# ") else {"command": turn.sent}
    output = turn.back
    if turn.status:
        text = f"Exit code {turn.status}\n{output}"
        return Call(tool="Bash", sent=sent, content=text, is_error=True, beside=f"Error: {text}", shown=output)
    beside = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    return Call(tool="Bash", sent=sent, content=output, is_error=False, beside=beside, shown=output)


def _read(turn: Turn, cwd: str) -> Call:
    path = whole(turn.argument, cwd)
    lines = turn.sent.split("\n")
    numbered = "\n".join(f"{number:6d}→{line}" for number, line in enumerate(lines, 1))
    about = {"filePath": path, "content": turn.sent, "numLines": len(lines), "startLine": 1, "totalLines": len(lines)}
    return Call(tool="Read", sent={"file_path": path}, content=numbered, beside={"type": "text", "file": about})


def _edit(turn: Turn, cwd: str) -> Call:
    path = whole(turn.argument, cwd)
    old, new = turn.sent, turn.back
    if new.startswith(REFUSED):
        new = new.partition("\n")[2]
    before, after = old.split("\n"), new.split("\n")
    patch = {
        "oldStart": 1,
        "oldLines": len(before),
        "newStart": 1,
        "newLines": len(after),
        "lines": [*(f"-{line}" for line in before), *(f"+{line}" for line in after)],
    }
    return Call(
        tool="Edit",
        sent={"file_path": path, "old_string": old, "new_string": new, "replace_all": False},
        content=f"The file {path} has been updated successfully.",
        beside={
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": old,
            "structuredPatch": [patch],
            "userModified": False,
            "replaceAll": False,
        },
    )


def _write(turn: Turn, cwd: str) -> Call:
    path = whole(turn.argument, cwd)
    beside: dict[str, Any] = {"type": "create", "filePath": path, "content": turn.sent, "originalFile": None}
    beside["structuredPatch"] = []
    return Call(
        tool="Write",
        sent={"file_path": path, "content": turn.sent},
        content=f"File created successfully at: {path}",
        beside=beside,
    )


def _grep(turn: Turn, cwd: str) -> Call:
    pattern, _, folder = turn.argument.partition(" in ")
    found = turn.sent.split("\n") if turn.sent else []
    sent: dict[str, Any] = {"pattern": pattern, "path": whole(folder, cwd) if folder else cwd}
    beside: dict[str, Any]
    if any(":" in line for line in found):
        sent |= {"output_mode": "content", "-n": True}
        beside = {"mode": "content", "numFiles": 0, "filenames": [], "content": turn.sent, "numLines": len(found)}
        return Call(tool="Grep", sent=sent, content=turn.sent, beside=beside)
    sent["output_mode"] = "files_with_matches"
    text = f"Found {len(found)} file{'s' * (len(found) != 1)}\n{turn.sent}" if found else "No files found"
    beside = {"mode": "files_with_matches", "filenames": found, "numFiles": len(found)}
    return Call(tool="Grep", sent=sent, content=text, beside=beside)


def _glob(turn: Turn, cwd: str) -> Call:
    found = [whole(line, cwd) for line in turn.sent.split("\n") if line]
    beside = {"filenames": found, "durationMs": 14, "numFiles": len(found), "truncated": False}
    return Call(
        tool="Glob",
        sent={"pattern": turn.argument, "path": cwd},
        content="\n".join(found) or "No files found",
        beside=beside,
    )


def _ask(turn: Turn, _cwd: str) -> Call:
    question, *rest = turn.sent.split("\n")
    options = [line[2:].partition(": ") for line in rest if line.startswith("- ")]
    asked = {
        "question": question,
        "header": turn.argument,
        "options": [{"label": label, "description": text} for label, _, text in options],
        "multiSelect": False,
    }
    answered = f'User has answered your questions: "{question}"="{turn.back}".'
    text = f"{answered} You can now continue with the user's answers in mind."
    beside = {"questions": [asked], "answers": {question: turn.back}}
    return Call(tool="AskUserQuestion", sent={"questions": [asked]}, content=text, beside=beside)


_STATES = {"[x]": "completed", "[>]": "in_progress", "[ ]": "pending"}


def _todo(turn: Turn, _cwd: str) -> Call:
    todos = [
        {"content": line[4:], "status": _STATES[line[:3]], "activeForm": line[4:]} for line in turn.sent.split("\n")
    ]
    text = (
        "Todos have been modified successfully. Ensure that you continue to use the todo list to track your "
        "progress. Please proceed with the current tasks if applicable"
    )
    return Call(tool="TodoWrite", sent={"todos": todos}, content=text, beside={"oldTodos": [], "newTodos": todos})


def _fetch(turn: Turn, _cwd: str) -> Call:
    beside = {
        "bytes": len(turn.back.encode()),
        "code": 200,
        "codeText": "OK",
        "result": turn.back,
        "durationMs": 731,
        "url": turn.argument,
    }
    return Call(tool="WebFetch", sent={"url": turn.argument, "prompt": turn.sent}, content=turn.back, beside=beside)


def _task(turn: Turn, _cwd: str) -> Call:
    kind, _, title = turn.argument.partition(": ")
    block = {"type": "text", "text": turn.back}
    beside = {"status": "completed", "prompt": turn.sent, "content": [block], "totalToolUseCount": len(turn.side)}
    return Call(
        tool="Task",
        sent={"subagent_type": kind, "prompt": turn.sent, "description": title},
        content=[block],
        beside=beside,
    )


_MAKERS: Mapping[str, Callable[[Turn, str], Call]] = {
    "run": _run,
    "read": _read,
    "edit": _edit,
    "write": _write,
    "grep": _grep,
    "glob": _glob,
    "ask": _ask,
    "todo": _todo,
    "fetch": _fetch,
    "task": _task,
}
