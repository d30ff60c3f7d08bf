"""A screenplay as Claude Code stores it: one record a line, chained by uuid, with all the bookkeeping between."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slowwave.desk.samples.claude_calls import Call, call
from slowwave.desk.samples.claude_chain import Chain
from slowwave.desk.samples.fill import Filler
from slowwave.desk.samples.reel import Reel
from slowwave.desk.samples.screenplay import CALLS, Screenplay, Turn

_LONG_OUTPUT = 400  # characters; a longer output was shown while the command ran


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What one screenplay became: its id, the lines of its file, and side files by their id."""

    session_id: str
    reel: Reel
    side: Mapping[str, Reel]


def render(play: Screenplay, filler: Filler, *, start: datetime, copied: Sequence[bytes] = ()) -> Rendered:
    """Write a screenplay in this layout.

    Args:
        play: What happens.
        filler: Fills in what its texts leave open.
        start: The first record's moment.
        copied: Lines of the session it resumes, to be repeated first.
    """
    scene = _Scene(play, filler, Reel(seed=play.name, start=start))
    scene.open(copied)
    for turn in play.turns:
        scene.play_turn(turn)
    scene.close()
    return Rendered(session_id=scene.chain.id, reel=scene.reel, side=scene.side)


class _Scene:
    """One file while its turns are played."""

    def __init__(self, play: Screenplay, filler: Filler, reel: Reel, *, other: str = "") -> None:
        self.reel = reel
        self.side: dict[str, Reel] = {}
        self.chain = Chain(play, reel, cwd=filler.cwd, other=other)
        self._play = play
        self._filler = filler
        self._turn_began: datetime | None = None
        self._ways: Mapping[str, Callable[[Turn], None]] = {
            "user": self._user,
            "queued": self._queued,
            "say": self._say,
            "think": self._think,
            "reminder": self._reminder,
            "command": self._command,
            "interrupt": self._interrupt,
            "compact": self._compact,
            "summary": self._summary,
            "title": self._title,
            "retry": self._retry,
            "gap": self._gap,
            "glue": self._glue,
            "torn": self._torn,
        }

    # -- beginning and end -----------------------------------------------------------------------------------------

    def open(self, copied: Sequence[bytes]) -> None:
        """Write what stands before the first prompt."""
        for line in copied:
            self.reel.repeat(line)
        hook = {"hookEvent": "SessionStart", "hookName": "SessionStart:startup"}
        if self.chain.is_new:
            self.chain.loose("permission-mode", permissionMode="default")
            self.chain.loose("mode", mode="normal")
            more = hook | {"type": "hook_success", "content": "", "stdout": "", "stderr": "", "exitCode": 0}
            self.chain.record("attachment", {"attachment": more | {"command": "bin/on-start", "durationMs": 61}})
            skills = {"type": "skill_listing", "content": "- simplify: Look at changed code once more", "skillCount": 1}
            self.chain.record("attachment", {"attachment": skills | {"isInitial": True}})
            return
        use = self.reel.dice.uuid()
        seen = hook | {"type": "hook_progress", "command": "bin/on-start"}
        self.chain.record("progress", {"data": seen, "toolUseID": use, "parentToolUseID": use})

    def close(self) -> None:
        """Write what stands after the last turn."""
        self._end_turn()

    def _end_turn(self) -> None:
        if self._turn_began is None:
            return
        passed = int((self.reel.moment - self._turn_began).total_seconds() * 1_000)
        self._turn_began = None
        if not self.chain.is_new:
            hook = {"hookCount": 1, "hookInfos": [{"command": "bin/on-stop"}], "hookErrors": []}
            self.chain.record("system", {"subtype": "stop_hook_summary", "level": "suggestion"} | hook)
        self.reel.wait(5, 60)
        self.chain.record("system", {"subtype": "turn_duration", "durationMs": passed, "isMeta": False})

    # -- turns -----------------------------------------------------------------------------------------------------

    def play_turn(self, turn: Turn) -> None:
        """Write the records of one turn."""
        filled = replace(turn, sent=self._filler.fill(turn.sent), back=self._filler.fill(turn.back))
        if turn.verb in CALLS:
            self._call(filled)
        else:
            self._ways[turn.verb](filled)

    def _user(self, turn: Turn) -> None:
        self._end_turn()
        self.reel.wait(25_000, 240_000)
        if self.chain.is_new:
            self.chain.loose("last-prompt", lastPrompt=turn.sent[:200], leafUuid=self.chain.parent)
            self.chain.loose("permission-mode", permissionMode="default")
        self._snapshot()
        more = {"promptId": self.reel.dice.uuid()} if self.chain.is_new else {"todos": [], "permissionMode": "default"}
        self.chain.user(turn.sent, **more)
        self._turn_began = self.reel.moment

    def _queued(self, turn: Turn) -> None:
        stamp = self.reel.stamp
        self.reel.add(
            {
                "type": "queue-operation",
                "operation": "enqueue",
                "timestamp": stamp,
                "sessionId": self.chain.id,
                "content": turn.sent,
            }
        )
        self.reel.wait(2_000, 9_000)
        queued = {"type": "queued_command", "prompt": turn.sent, "commandMode": "prompt", "origin": {"kind": "human"}}
        self.chain.record("attachment", {"attachment": queued | {"timestamp": stamp}})
        self.reel.add(
            {"type": "queue-operation", "operation": "remove", "timestamp": self.reel.stamp, "sessionId": self.chain.id}
        )

    def _say(self, turn: Turn) -> None:
        self.reel.wait(2_000, 9_000)
        self.chain.block({"type": "text", "text": turn.sent})

    def _think(self, turn: Turn) -> None:
        self.reel.wait(3_000, 12_000)
        self.chain.block({"type": "thinking", "thinking": turn.sent, "signature": self.reel.dice.letters(120)})

    def _reminder(self, turn: Turn) -> None:
        self.chain.user(f"<system-reminder>\n{turn.sent}\n</system-reminder>", isMeta=True)

    def _command(self, turn: Turn) -> None:
        self._end_turn()
        name = turn.argument
        self.chain.user(
            f"<command-name>{name}</command-name>\n            <command-message>{name[1:]}</command-message>\n"
            "            <command-args></command-args>"
        )
        self.chain.user(f"<local-command-stdout>{turn.sent}</local-command-stdout>")

    def _interrupt(self, _turn: Turn) -> None:
        self.chain.user([{"type": "text", "text": "[Request interrupted by user]"}])

    def _compact(self, turn: Turn) -> None:
        self._end_turn()
        before = self.chain.parent
        self.chain.parent = None
        boundary = {"logicalParentUuid": before, "subtype": "compact_boundary", "content": "Conversation compacted"}
        counted = {"trigger": "auto", "preTokens": self.reel.dice.number(150_000, 168_000)}
        self.chain.record("system", boundary | {"isMeta": False, "level": "info", "compactMetadata": counted})
        opening = (
            "This session is being continued from a previous conversation that ran out of context. The conversation "
            "is summarized below:\n"
        )
        self.chain.user(opening + turn.sent, isVisibleInTranscriptOnly=True, isCompactSummary=True)

    def _summary(self, turn: Turn) -> None:
        self._end_turn()
        self.reel.add({"type": "summary", "summary": turn.sent or turn.argument, "leafUuid": self.chain.parent})

    def _title(self, turn: Turn) -> None:
        self.chain.loose("ai-title", aiTitle=turn.argument)

    def _snapshot(self) -> None:
        message = self.reel.dice.uuid()
        shot = {"messageId": message, "trackedFileBackups": {}, "timestamp": self.reel.stamp}
        self.reel.add(
            {"type": "file-history-snapshot", "messageId": message, "snapshot": shot, "isSnapshotUpdate": False}
        )

    def _retry(self, _turn: Turn) -> None:
        fault = {"message": "Connection error.", "formatted": "Unable to connect to API (ECONNRESET)"}
        more = {"subtype": "api_error", "level": "error", "error": fault, "retryInMs": 524, "retryAttempt": 1}
        self.chain.record("system", more | {"maxRetries": 10})

    def _gap(self, turn: Turn) -> None:
        self.reel.rest(float(turn.argument))

    def _glue(self, _turn: Turn) -> None:
        self._end_turn()
        self.reel.glue()

    def _torn(self, _turn: Turn) -> None:
        self._turn_began = None
        self.reel.tear()

    # -- calls -----------------------------------------------------------------------------------------------------

    def _call(self, turn: Turn) -> None:
        made = call(turn, self._filler.cwd)
        self.reel.wait(1_500, 6_000)
        use = f"toolu_01{self.reel.dice.letters(22)}"
        asked = self.chain.block({"type": "tool_use", "id": use, "name": made.tool, "input": made.sent})
        if turn.side:
            made = self._beside(turn, made)
        self._progress(made, use)
        if turn.back.startswith("!"):
            self.reel.wait(6_000, 40_000)
        result: dict[str, Any] = {"tool_use_id": use, "type": "tool_result", "content": made.content}
        if made.is_error is not None:
            result["is_error"] = made.is_error
        self.chain.user([result], parent=asked, toolUseResult=made.beside, sourceToolAssistantUUID=asked)

    def _progress(self, made: Call, use: str) -> None:
        self.reel.wait(80, 900)
        if len(made.shown) < _LONG_OUTPUT or self.chain.is_new:
            return
        lines = made.shown.split("\n")
        for share in (3, 1):
            shown = "\n".join(lines[: len(lines) // share])
            seen = {"type": "bash_progress", "output": shown[-400:], "fullOutput": shown}
            counted = {"elapsedTimeSeconds": 6 // share, "totalLines": len(lines) // share}
            self.reel.wait(1_000, 14_000)
            self.chain.record(
                "progress", {"data": seen | counted, "toolUseID": "bash-progress-0", "parentToolUseID": use}
            )

    def _beside(self, turn: Turn, made: Call) -> Call:
        """Play a task's own turns into its side file; the result names that file's id."""
        other = self.reel.dice.hexes(17)
        scene = _Scene(
            self._play, self._filler, Reel(seed=f"{self._play.name}/{other}", start=self.reel.moment), other=other
        )
        scene.chain.user(turn.sent)  # the prompt another agent wrote
        for part in turn.side:
            scene.play_turn(part)
        self.side[other] = scene.reel
        self.reel.moment = scene.reel.moment
        return replace(made, beside=made.beside | {"agentId": other})
