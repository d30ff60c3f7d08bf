"""A screenplay as Codex stores it: a rollout of items for the model and events for the screen, which repeat them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slowwave.desk.samples.fill import Filler
from slowwave.desk.samples.reel import Reel
from slowwave.desk.samples.screenplay import CALLS, REFUSED, Screenplay, ScreenplayError, Turn

_PERMISSIONS = (
    "<permissions instructions>\nFilesystem sandboxing defines which files can be read or written. `sandbox_mode` is "
    "`workspace-write`: files in the workspace can be edited. Network access is restricted. Approval policy is "
    "`on-request`.\n</permissions instructions>"
)
_ABORTED = (
    "<turn_aborted>\nThe user interrupted the previous turn on purpose. If any tools were aborted, they may have "
    "partially executed.\n</turn_aborted>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What one screenplay became: its id and the lines of its file."""

    session_id: str
    reel: Reel


def render(play: Screenplay, filler: Filler, *, start: datetime) -> Rollout:
    """Write a screenplay in this layout, beginning at a moment."""
    scene = _Scene(play, filler, Reel(seed=play.name, start=start))
    scene.open()
    for turn in play.turns:
        scene.play_turn(turn)
    scene.close()
    return Rollout(session_id=scene.id, reel=scene.reel)


class _Scene:
    """One rollout while its turns are played."""

    def __init__(self, play: Screenplay, filler: Filler, reel: Reel) -> None:
        self.play = play
        self.filler = filler
        self.reel = reel
        self.id = reel.dice.timed_uuid(reel.moment)
        self._turn_id = ""
        self._turn_began: datetime | None = None
        self._last_words = ""
        self._used = 0
        self._ways: Mapping[str, Callable[[Turn], None]] = {
            "user": self._user,
            "say": self._say,
            "think": self._think,
            "gap": self._gap,
            "interrupt": self._interrupt,
            "compact": self._compact,
            "glue": self._glue,
        }

    # -- records ---------------------------------------------------------------------------------------------------

    def _line(self, kind: str, payload: Mapping[str, Any]) -> None:
        self.reel.add({"timestamp": self.reel.stamp, "type": kind, "payload": payload})

    def _item(self, **payload: Any) -> None:
        self._line("response_item", payload)

    def _event(self, **payload: Any) -> None:
        self._line("event_msg", payload)

    def _message(self, role: str, *texts: str) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        self._item(type="message", role=role, content=[{"type": kind, "text": text} for text in texts])

    def _count(self) -> None:
        spent = self.reel.dice.number(4_000, 21_000)
        self._used += spent
        total = {"input_tokens": self._used, "cached_input_tokens": self._used // 2, "output_tokens": self._used // 60}
        last = {"input_tokens": spent, "cached_input_tokens": spent // 2, "output_tokens": spent // 60}
        usage = {
            "total_token_usage": total | {"total_tokens": self._used + self._used // 60},
            "last_token_usage": last | {"total_tokens": spent + spent // 60},
            "model_context_window": 258_400,
        }
        limits = {"limit_id": "codex", "primary": {"used_percent": 4.0, "window_minutes": 300}, "plan_type": "team"}
        self._event(type="token_count", info=usage, rate_limits=limits)

    # -- beginning and end -----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Write the session's own description and the texts nobody typed."""
        git = {"commit_hash": self.reel.dice.hexes(40), "branch": self.play.branch}
        meta = {
            "id": self.id,
            "timestamp": self.reel.stamp,
            "cwd": self.filler.cwd,
            "originator": "codex-tui",
            "cli_version": self.play.version,
            "source": "cli",
            "model_provider": "openai",
            "base_instructions": {"text": "You are Codex, a coding agent. You and the user share one workspace."},
            "git": git | {"repository_url": f"git@git.quayline.example:robin/{self.play.project}.git"},
        }
        self._line("session_meta", meta)
        self.reel.wait(20, 90)
        self._message("developer", _PERMISSIONS)
        guide = (
            f"# AGENTS.md instructions for {self.filler.cwd}\n\n<INSTRUCTIONS>\nKeep answers short.\n</INSTRUCTIONS>"
        )
        place = f"  <cwd>{self.filler.cwd}</cwd>\n  <shell>bash</shell>\n  <timezone>Europe/Oslo</timezone>"
        self._message("user", guide, f"<environment_context>\n{place}\n</environment_context>")

    def close(self) -> None:
        """End the last turn."""
        self._end_turn()

    def _begin_turn(self) -> None:
        self.reel.wait(25_000, 240_000)
        self._turn_id = self.reel.dice.timed_uuid(self.reel.moment)
        self._turn_began = self.reel.moment
        self._last_words = ""
        self._event(
            type="task_started",
            turn_id=self._turn_id,
            started_at=self.reel.seconds,
            model_context_window=258_400,
            collaboration_mode_kind="default",
        )
        policy = {"type": "workspace-write", "network_access": False}
        self._line(
            "turn_context",
            {
                "turn_id": self._turn_id,
                "cwd": self.filler.cwd,
                "approval_policy": "on-request",
                "sandbox_policy": policy,
                "model": self.play.model,
                "effort": "medium",
                "summary": "auto",
            },
        )

    def _end_turn(self) -> None:
        if self._turn_began is None:
            return
        self._count()
        passed = int((self.reel.moment - self._turn_began).total_seconds() * 1_000)
        self._turn_began = None
        self._event(
            type="task_complete",
            turn_id=self._turn_id,
            last_agent_message=self._last_words,
            completed_at=self.reel.seconds,
            duration_ms=passed,
        )

    # -- turns -----------------------------------------------------------------------------------------------------

    def play_turn(self, turn: Turn) -> None:
        """Write the records of one turn."""
        filled = replace(turn, sent=self.filler.fill(turn.sent), back=self.filler.fill(turn.back))
        if turn.verb in CALLS:
            self._call(filled)
        elif turn.verb in self._ways:
            self._ways[turn.verb](filled)
        else:
            raise ScreenplayError(f"{self.play.name}: this layout has no {turn.verb}")

    def _user(self, turn: Turn) -> None:
        self._end_turn()
        self._begin_turn()
        self._message("user", turn.sent)
        self._event(type="user_message", message=turn.sent, images=[], local_images=[], text_elements=[])

    def _say(self, turn: Turn) -> None:
        self.reel.wait(2_000, 9_000)
        self._last_words = turn.sent
        self._event(type="agent_message", message=turn.sent, phase="commentary", memory_citation=None)
        content = [{"type": "output_text", "text": turn.sent}]
        self._item(type="message", role="assistant", content=content, phase="commentary")

    def _think(self, turn: Turn) -> None:
        self.reel.wait(2_000, 9_000)
        self._event(type="agent_reasoning", text=turn.sent)
        summary = [{"type": "summary_text", "text": turn.sent}]
        self._item(type="reasoning", summary=summary, content=None, encrypted_content=self.reel.dice.letters(160))

    def _gap(self, turn: Turn) -> None:
        self.reel.rest(float(turn.argument))

    def _interrupt(self, _turn: Turn) -> None:
        self._message("user", _ABORTED)
        self._event(type="turn_aborted", turn_id=self._turn_id, reason="interrupted")
        self._turn_began = None

    def _compact(self, turn: Turn) -> None:
        kept = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": turn.sent}]}
        self._line("compacted", {"message": turn.sent, "replacement_history": [kept]})
        self._event(type="context_compacted")

    def _glue(self, _turn: Turn) -> None:
        self._end_turn()
        self.reel.glue()

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, turn: Turn) -> None:
        self.reel.wait(1_500, 6_000)
        call_id = f"call_{self.reel.dice.letters(24)}"
        if turn.verb in {"edit", "write"}:
            self._patch(turn, call_id)
            return
        sent = {"cmd": self._command(turn), "workdir": self.filler.cwd, "yield_time_ms": 10_000}
        self._item(type="function_call", name="exec_command", arguments=json.dumps(sent), call_id=call_id)
        if turn.back.startswith(REFUSED):
            self._refuse(turn, call_id)
            return
        self.reel.wait(200, 14_000)
        output = turn.back if turn.verb == "run" else turn.sent
        head = (
            f"Chunk ID: {self.reel.dice.hexes(6)}\nWall time: 0.{self.reel.dice.number(1_000, 9_999)} seconds\n"
            f"Process exited with code {turn.status}\nOriginal token count: {len(output) // 4}\nOutput:\n"
        )
        self._item(type="function_call_output", call_id=call_id, output=head + output)
        self._count()

    def _command(self, turn: Turn) -> str:
        match turn.verb:
            case "run":
                return turn.sent
            case "read":
                return f"sed -n '1,200p' {turn.argument}"
            case "grep":
                pattern, _, folder = turn.argument.partition(" in ")
                return f"rg -n {pattern!r} {folder or '.'}"
            case "glob":
                return f"rg --files -g {turn.argument!r}"
            case _:
                raise ScreenplayError(f"{self.play.name}: this layout has no {turn.verb}")

    def _refuse(self, turn: Turn, call_id: str) -> None:
        """A refused command ends the turn; the person's reason is the next prompt."""
        self.reel.wait(6_000, 40_000)
        shown = f'exec_command failed for `{turn.sent}`: Rejected("rejected by user")'
        self._item(type="function_call_output", call_id=call_id, output=shown)
        self._interrupt(turn)
        reason = turn.back.removeprefix(REFUSED).strip()
        if reason:
            self._user(Turn(verb="user", sent=reason))

    def _patch(self, turn: Turn, call_id: str) -> None:
        path = turn.argument
        if turn.verb == "write":
            body = "\n".join(f"+{line}" for line in turn.sent.split("\n"))
            patch, letter, kind = f"*** Add File: {path}\n{body}", "A", "add"
        else:
            old = "\n".join(f"-{line}" for line in turn.sent.split("\n"))
            new = "\n".join(f"+{line}" for line in turn.back.split("\n"))
            patch, letter, kind = f"*** Update File: {path}\n@@\n{old}\n{new}", "M", "update"
        self._item(
            type="custom_tool_call",
            status="completed",
            call_id=call_id,
            name="apply_patch",
            input=f"*** Begin Patch\n{patch}\n*** End Patch",
        )
        self.reel.wait(60, 400)
        shown = f"Success. Updated the following files:\n{letter} {path}\n"
        changes = {f"{self.filler.cwd}/{path}": {"type": kind}}
        self._event(type="patch_apply_end", call_id=call_id, stdout=shown, stderr="", success=True, changes=changes)
        answer = json.dumps({"output": shown, "metadata": {"exit_code": 0, "duration_seconds": 0.0}})
        self._item(type="custom_tool_call_output", call_id=call_id, output=answer)
        self._count()
