"""Canaries planted into sessions, in each session's own form, and looked for afterwards without help of the product."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import long_contexts
from small_contexts import Beat, call, say, user

SHARED = Path(__file__).resolve().parents[3] / "shared"
CANARIES = Path(__file__).parent / "canaries"
_NEAR = 6  # replies before and behind a place in which the longest output is looked for
Record = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """One planted thing; see the rows of ``canaries/*.jsonl``."""

    id: str
    session: str
    kind: str
    speaker: str
    at: float
    text: str
    needle: str
    plain: bool
    where: str = ""
    call: str = ""
    use: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A session with its canaries.

    Attributes:
        name: Of the session.
        wire: How it is written.
        content: Its bytes.
        canaries: What was planted.
    """

    name: str
    wire: str
    content: bytes
    canaries: tuple[Canary, ...]


def load(names: Sequence[str] = ()) -> tuple[Canary, ...]:
    """The committed canaries, of some files or of all."""
    files = [CANARIES / name for name in names] or sorted(CANARIES.glob("*.jsonl"))
    rows = [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines() if line.strip()]
    known = set(Canary.__dataclass_fields__)
    return tuple(Canary(**{key: row[key] for key in row if key in known}) for row in rows if "text" in row)


def plant(canaries: Sequence[Canary]) -> Iterator[Planted]:
    """Every session that canaries are for and that is there, with its canaries in it."""
    for name in dict.fromkeys(canary.session for canary in canaries):
        own = tuple(canary for canary in canaries if canary.session == name)
        if name.startswith("made-"):
            wire, beats = long_contexts.made(name)
            yield Planted(name=name, wire=wire, content=long_contexts.written(wire, _beats(beats, own)), canaries=own)
            continue
        path = SHARED / name
        if path.exists():
            records = _records(path.read_bytes())
            is_codex = any("payload" in record for record in records)
            _plant(records, own, Codex() if is_codex else Claude())
            content = b"".join(
                json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for record in records
            )
            yield Planted(name=name, wire="codex" if is_codex else "claude-code", content=content, canaries=own)


def _records(raw: bytes) -> list[Record]:
    found = []
    decoder = json.JSONDecoder(strict=False)
    for line in raw.decode("utf-8", "surrogatepass").split("\n"):
        at = 0
        while at < len(line.rstrip()):
            try:
                value, at = decoder.raw_decode(line, at)
            except ValueError:
                break
            if isinstance(value, dict):
                found.append(value)
    return found


def _beats(beats: Sequence[Beat], canaries: Sequence[Canary]) -> list[Beat]:
    placed: list[tuple[int, int, Beat]] = [(place, 0, beat) for place, beat in enumerate(beats)]
    for number, canary in enumerate(canaries, 1):
        place = min(int(canary.at * len(beats)) + 1, len(beats) - 1)
        if canary.where == "inside":
            near = range(max(0, place - _NEAR), min(len(beats), place + _NEAR))
            longest = max(
                near, key=lambda at: len(placed[at][2].result) if isinstance(placed[at][2].result, str) else 0
            )
            host = placed[longest][2]
            placed[longest] = (longest, 0, replace(host, result=_inside(str(host.result), canary.text)))
        else:
            placed.append((place, number, _beat(canary)))
        if canary.use:
            later = min(place + int(canary.use["after_turns"]), len(beats) - 1)
            placed.append((later, number, _use_beat(canary)))
    return [beat for _, _, beat in sorted(placed, key=lambda each: each[:2])]


def _beat(canary: Canary) -> Beat:
    if canary.speaker == "tool":
        return call("Bash", canary.text, command=canary.call or "cat notes")
    return user(canary.text) if canary.speaker == "user" else say(canary.text)


def _use_beat(canary: Canary) -> Beat:
    if canary.use["speaker"] == "call":
        return call("Bash", "done", command=canary.use["text"])
    return user(canary.use["text"]) if canary.use["speaker"] == "user" else say(canary.use["text"])


def _inside(text: str, line: str) -> str:
    rows = text.split("\n")
    middle = len(rows) // 2
    return "\n".join([*rows[:middle], line, *rows[middle:]])


class Claude:
    """How canaries stand in records of Claude Code."""

    def opens(self, record: Record) -> set[str]:
        """Calls a record makes."""
        return {block["id"] for block in self._blocks(record) if block.get("type") == "tool_use"}

    def closes(self, record: Record) -> set[str]:
        """Calls a record answers."""
        return {block["tool_use_id"] for block in self._blocks(record) if block.get("type") == "tool_result"}

    def is_reply(self, record: Record) -> bool:
        """Whether the agent speaks."""
        return record.get("type") == "assistant"

    def output(self, record: Record) -> str:
        """The output a record brings, as one text."""
        for block in self._blocks(record):
            if block.get("type") == "tool_result" and not block.get("is_error"):
                return block["content"] if isinstance(block.get("content"), str) else ""
        return ""

    def put_inside(self, record: Record, text: str, line: str) -> None:
        """Put a line into the middle of that output and of its second copies."""
        for block in self._blocks(record):
            if block.get("content") == text:
                block["content"] = _inside(text, line)
        beside = record.get("toolUseResult")
        if isinstance(beside, dict) and isinstance(beside.get("stdout"), str):
            beside["stdout"] = _inside(beside["stdout"], line)

    def said(self, before: Record, speaker: str, text: str, name: str) -> list[Record]:
        """A person or the agent speaks."""
        if speaker == "user":
            return [self._record(before, "user", {"role": "user", "content": text}, name)]
        return [self._record(before, "assistant", self._reply([{"type": "text", "text": text}], name), name)]

    def called(self, before: Record, command: str, output: str, name: str) -> list[Record]:
        """The agent calls, and an output comes back."""
        block = {"type": "tool_use", "id": f"toolu_{name}", "name": "Bash", "input": {"command": command}}
        first = self._record(before, "assistant", self._reply([block], name), name)
        result = {"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": output, "is_error": False}
        second = self._record(first, "user", {"role": "user", "content": [result]}, f"{name}r")
        return [first, {**second, "toolUseResult": {"stdout": output, "stderr": ""}}]

    def link(self, records: list[Record], at: int, new: Sequence[Record], before: Record) -> None:
        """Have what followed the record before follow the new ones."""
        for record in records[at : at + 40]:
            if record.get("parentUuid") == before.get("uuid") and before.get("uuid"):
                record["parentUuid"] = new[-1]["uuid"]
                return

    def shown(self, record: Record) -> Iterator[tuple[str, str]]:
        """Speakers and texts a model is shown of a record."""
        message = record.get("message")
        if not isinstance(message, dict):
            return
        content = message.get("content")
        speaker = "agent" if record.get("type") == "assistant" else "user"
        if isinstance(content, str):
            yield speaker, content
        for block in self._blocks(record):
            if block.get("type") == "text":
                yield speaker, str(block.get("text"))
            elif block.get("type") == "tool_result":
                yield "tool", _flat(block.get("content"))
            elif block.get("type") == "tool_use":
                yield "call", json.dumps(block.get("input"), ensure_ascii=False)

    def _blocks(self, record: Record) -> list[Record]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []

    def _record(self, before: Record, kind: str, message: Record, name: str) -> Record:
        kept: Record = {
            key: before[key] for key in ("sessionId", "timestamp", "cwd", "version", "gitBranch") if key in before
        }
        own = {"parentUuid": before.get("uuid"), "isSidechain": False, "uuid": f"canary-{name}"}
        return {**own, **kept, "type": kind, "message": message}

    def _reply(self, content: list[Record], name: str) -> Record:
        return {
            "id": f"msg_{name}",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-4-5",
            "content": content,
        }


class Codex:
    """How canaries stand in rollouts of Codex."""

    def opens(self, record: Record) -> set[str]:
        """Calls a record makes."""
        kind = self._item(record).get("type")
        return {self._item(record)["call_id"]} if kind in ("function_call", "custom_tool_call") else set()

    def closes(self, record: Record) -> set[str]:
        """Calls a record answers."""
        kind = str(self._item(record).get("type"))
        return {self._item(record)["call_id"]} if kind.endswith("_call_output") else set()

    def is_reply(self, record: Record) -> bool:
        """Whether the agent speaks."""
        item = self._item(record)
        return item.get("role") == "assistant" or item.get("type") in ("function_call", "custom_tool_call")

    def output(self, record: Record) -> str:
        """The output a record brings, as one text."""
        held = self._item(record).get("output")
        if isinstance(held, str):
            return str(json.loads(held).get("output", "")) if held.startswith('{"output"') else held
        return _longest(held) if isinstance(held, list) else ""

    def put_inside(self, record: Record, text: str, line: str) -> None:
        """Put a line into the middle of that output."""
        held = record["payload"]["output"]
        if isinstance(held, list):
            for part in held:
                if part.get("text") == text:
                    part["text"] = _inside(text, line)
        elif held.startswith('{"output"'):
            inner = json.loads(held)
            record["payload"]["output"] = json.dumps({**inner, "output": _inside(text, line)}, ensure_ascii=False)
        else:
            record["payload"]["output"] = _inside(text, line)

    def said(self, before: Record, speaker: str, text: str, name: str) -> list[Record]:
        """A person or the agent speaks."""
        del name
        role, kind = ("user", "input_text") if speaker == "user" else ("assistant", "output_text")
        return [self._record(before, {"type": "message", "role": role, "content": [{"type": kind, "text": text}]})]

    def called(self, before: Record, command: str, output: str, name: str) -> list[Record]:
        """The agent calls, and an output comes back."""
        args = json.dumps({"cmd": command})
        first = {"type": "function_call", "name": "exec_command", "arguments": args, "call_id": f"call_{name}"}
        second = {"type": "function_call_output", "call_id": f"call_{name}", "output": output}
        return [self._record(before, first), self._record(before, second)]

    def link(self, records: list[Record], at: int, new: Sequence[Record], before: Record) -> None:
        """Nothing links records but their order."""

    def shown(self, record: Record) -> Iterator[tuple[str, str]]:
        """Speakers and texts a model is shown of a record."""
        item = self._item(record)
        kind = str(item.get("type"))
        if kind == "message":
            speaker = "agent" if item.get("role") == "assistant" else "user"
            yield speaker, _flat(item.get("content"))
        elif kind.endswith("_output"):
            held = _flat(item.get("output"))
            yield "tool", str(json.loads(held).get("output")) if held.startswith('{"output"') else held
        elif kind.endswith("_call"):
            yield "call", str(item.get("arguments") or item.get("input"))

    def _item(self, record: Record) -> Record:
        payload = record.get("payload")
        return payload if record.get("type") == "response_item" and isinstance(payload, dict) else {}

    def _record(self, before: Record, payload: Record) -> Record:
        return {"timestamp": before.get("timestamp"), "type": "response_item", "payload": payload}


def _longest(parts: Sequence[Record]) -> str:
    return max((str(part.get("text", "")) for part in parts), key=len, default="")


def _flat(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in value)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _plant(records: list[Record], canaries: Sequence[Canary], form: Claude | Codex) -> None:
    """Put canaries in, the last first, so that earlier places stay what they were."""
    replies = [at for at, record in enumerate(records) if form.is_reply(record)]
    quiet = _quiet_places(records, form)
    wanted: list[tuple[int, str, Canary]] = []
    for canary in canaries:
        turn = int(canary.at * len(replies))
        wanted.append((_near(quiet, replies[min(turn, len(replies) - 1)]), "text", canary))
        if canary.use:
            later = min(turn + int(canary.use["after_turns"]), len(replies) - 1)
            wanted.append((_near(quiet, replies[later]), "use", canary))
    insides = [(at, canary) for at, part, canary in wanted if part == "text" and canary.where == "inside"]
    for at, canary in insides:
        near = range(max(0, at - 30), min(len(records), at + 30))
        host = max(near, key=lambda place: len(form.output(records[place])))
        form.put_inside(records[host], form.output(records[host]), canary.text)
    for at, part, canary in sorted(wanted, key=lambda each: (-each[0], each[1])):
        if part == "text" and canary.where == "inside":
            continue
        before = next((record for record in reversed(records[:at]) if record.get("timestamp")), records[0])
        text, speaker = (canary.use["text"], canary.use["speaker"]) if part == "use" else (canary.text, canary.speaker)
        name = f"{canary.id}{part[0]}"
        if speaker in ("tool", "call"):
            output = "done" if part == "use" else text
            new = form.called(before, text if part == "use" else canary.call or "cat notes", output, name)
        else:
            new = form.said(before, speaker, text, name)
        form.link(records, at, new, before)
        records[at:at] = new


def _quiet_places(records: Sequence[Record], form: Claude | Codex) -> list[int]:
    """Indices before which no call is open and no reply is half told."""
    waiting: set[str] = set()
    found = []
    for at, record in enumerate(records):
        if not waiting and at and not form.is_reply(records[at - 1]) and record.get("timestamp"):
            found.append(at)
        waiting = (waiting | form.opens(record)) - form.closes(record)
    return found or [len(records)]


def _near(places: Sequence[int], wanted: int) -> int:
    return min(places, key=lambda place: abs(place - wanted))


def shown(wire: str, content: bytes) -> list[tuple[str, str]]:
    """Speakers and texts a model is shown of a context."""
    if wire in ("claude-code", "codex"):
        form = Claude() if wire == "claude-code" else Codex()
        return [each for record in _records(content) for each in form.shown(record)]
    return [each for message in json.loads(content) for each in _of_message(wire, message)]


def _of_message(wire: str, message: Record) -> Iterator[tuple[str, str]]:
    if wire == "anthropic-messages":
        yield from Claude().shown({"type": message["role"], "message": message})
    elif wire == "openai-responses":
        yield from Codex().shown({"type": "response_item", "payload": message})
    else:
        speaker = {"assistant": "agent", "tool": "tool"}.get(message["role"], "user")
        yield speaker, _flat(message.get("content"))
        yield "call", json.dumps(message.get("tool_calls"), ensure_ascii=False)


def survives(view: Sequence[tuple[str, str]], canary: Canary) -> bool:
    """Whether a canary stands in a view, said by whom it was planted for; one of nobody may be said by anybody."""
    return any(canary.speaker in ("", speaker) and canary.needle in text for speaker, text in view)


def labelled() -> Iterator[Planted]:
    """The sessions that people labelled by hand, with every quote they chose as a canary that was always there."""
    for gold in sorted((SHARED / "gold").glob("*/gold.json")):
        held = json.loads(gold.read_text("utf-8"))
        quotes: dict[str, list[tuple[str, str]]] = {}
        for candidate in held["candidates"]:
            for evidence in candidate["evidence"]:
                quotes.setdefault(evidence["sessionId"], []).append((evidence["speaker"], evidence["quote"]))
        for session, chosen in sorted(quotes.items()):
            content = (gold.parent / "sessions" / f"{session}.jsonl").read_bytes()
            wire = "codex" if b'"payload"' in content[:4_000] else "claude-code"
            view = shown(wire, content)
            canaries = [
                Canary(
                    id=f"{session}-{number}", session=session, kind=f"said by {speaker}", speaker="", at=0.0,
                    text=quote, needle=quote, plain=True,
                )
                for number, (speaker, quote) in enumerate(dict.fromkeys(chosen))
            ]  # fmt: skip
            there = tuple(canary for canary in canaries if survives(view, canary))
            yield Planted(name=session, wire=wire, content=content, canaries=there)


def grown(planted: Planted, rounds: int) -> list[bytes]:
    """A session as it grew: for lines what is appended each time, for a list the whole list each time."""
    if planted.wire in ("claude-code", "codex"):
        lines = planted.content.splitlines(keepends=True)
        cuts = [len(lines) * number // rounds for number in range(rounds + 1)]
        return [b"".join(lines[first:last]) for first, last in pairwise(cuts)]
    messages = json.loads(planted.content)
    cuts = [len(messages) * number // rounds for number in range(rounds + 1)]
    return [json.dumps(messages[first:last]).encode() for first, last in pairwise(cuts)]
