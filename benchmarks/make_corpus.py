"""Makes a corpus of sessions in the layouts of Claude Code and Codex: seeded, any size, nobody's words.

Lengths, kinds of records and shares follow what was counted in public transcripts: most bytes are tool results and the
files they hold, most records are calls, results and bookkeeping, and a few lines are longer than a megabyte.

    python benchmarks/make_corpus.py --out DIR [--size 1G] [--sessions 1000] [--seed 7]
"""

import argparse
import base64
import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

Record = dict[str, Any]
_START = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_CODEX_SHARE = 0.25
_GIANT_EVERY = 25  # sessions; each such one has a line of more than a megabyte
_SYLLABLES = (
    "ka",
    "le",
    "mi",
    "no",
    "ru",
    "sta",
    "pre",
    "con",
    "ver",
    "ti",
    "ble",
    "ing",
    "der",
    "port",
    "lock",
    "wave",
)
_CODE_LINES = (
    "    def {a}_{b}(self, {c}: str) -> dict[str, int]:",
    '        return {{"{a}": len({b}), "{c}": 0}}',
    "import {{ {a} }} from './{b}/{c}';",
    "    if ({a} == null || !{b}.{c}()) {{",
    "\tfor _, {a} := range {b}.{c} {{",
    '  "{a}": "^{n}.2.{n}",',
    "# {a} keeps {b} until {c} is done — see §{n}",
    "/src/{a}/{b}/{c}.py:{n}: error: “{a}” is not a known {b}",
)


@dataclass(frozen=True)
class Pool:
    """Ready-made texts, so that a gigabyte takes seconds."""

    sentences: list[str]
    code: list[str]
    encoded: list[str]

    def prose(self, rng: random.Random, most: int) -> str:
        """A few sentences."""
        return " ".join(rng.choices(self.sentences, k=rng.randint(1, most)))

    def file(self, rng: random.Random, most: int) -> str:
        """A piece of source text."""
        return "\n".join(rng.choices(self.code, k=rng.randint(1, most)))


def make_pool(rng: random.Random) -> Pool:
    """Texts of invented words."""
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(4_000)]
    sentences = [" ".join(rng.choices(words, k=rng.randint(4, 24))).capitalize() + "." for _ in range(3_000)]
    code = []
    for _ in range(3_000):
        a, b, c = rng.choices(words, k=3)
        code.append(rng.choice(_CODE_LINES).format(a=a, b=b, c=c, n=rng.randint(1, 900)))
    encoded = [base64.b64encode(rng.randbytes(rng.randint(300, 1_500))).decode() for _ in range(200)]
    return Pool(sentences, code, encoded)


class Writer:
    """Makes the records of one session until it is large enough."""

    def __init__(self, rng: random.Random, pool: Pool, session: str, moment: datetime) -> None:
        self.rng = rng
        self.pool = pool
        self.session = session
        self.moment = moment
        self.parent: str | None = None
        self.cwd = f"/home/someone/work/project-{rng.randint(1, 40)}"

    def new_id(self) -> str:
        """A version 4 UUID of this seed."""
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def stamp(self) -> str:
        """The next moment, as agents write it."""
        self.moment += timedelta(milliseconds=self.rng.randint(20, 9_000))
        return self.moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.moment.microsecond // 1000:03d}Z"

    def is_chance(self, share: float) -> bool:
        """True in that share of cases."""
        return self.rng.random() < share


class ClaudeWriter(Writer):
    """Claude Code."""

    is_side = False
    agent_id = ""

    def envelope(self, kind: str, **more: Any) -> Record:
        """The fields that messages share."""
        own = self.new_id()
        record = {
            "parentUuid": self.parent,
            "isSidechain": self.is_side,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.7",
            "gitBranch": "main",
            "type": kind,
            **more,
            "uuid": own,
            "timestamp": self.stamp(),
        }
        if self.is_side:
            record["agentId"] = self.agent_id
        self.parent = own
        return record

    def records(self) -> Iterator[Record]:
        """Turns without end."""
        yield {"type": "file-history-snapshot", "messageId": self.new_id(), "snapshot": {}, "isSnapshotUpdate": False}
        yield {"type": "ai-title", "aiTitle": self.pool.prose(self.rng, 1)[:60], "sessionId": self.session}
        while True:
            text = self.pool.prose(self.rng, 6)
            yield self.envelope("user", message={"role": "user", "content": text}, permissionMode="default")
            for _ in range(self.rng.randint(2, 14)):
                yield from self.step()
            yield self.block({"type": "text", "text": self.pool.prose(self.rng, 12)})

    def step(self) -> Iterator[Record]:
        """A thought, a call and its result, and what the harness notes beside them."""
        if self.is_chance(0.5):
            thought = self.pool.prose(self.rng, 8)
            yield self.block({"type": "thinking", "thinking": thought, "signature": self.rng.choice(self.pool.encoded)})
        call = "toolu_" + self.new_id().replace("-", "")[:24]
        name = self.rng.choice(["Bash", "Read", "Edit", "Grep"])
        path = f"{self.cwd}/src/{self.rng.choice(_SYLLABLES)}.py"
        given = {"Bash": {"command": f"pytest {path} -q", "description": "Run tests"}, "Grep": {"pattern": "slow"}}
        yield self.block({"type": "tool_use", "id": call, "name": name, "input": given.get(name, {"file_path": path})})
        for _ in range(self.rng.randint(0, 2)):
            yield self.envelope("progress", data={"type": "bash_progress", "output": self.pool.file(self.rng, 6)})
        yield self.result(call, name, path)
        if self.is_chance(0.1):
            yield self.envelope("attachment", attachment={"type": "hook_success", "content": "", "hookName": "Stop"})

    def block(self, block: Record) -> Record:
        """One block of an assistant message."""
        usage = {"input_tokens": 9, "cache_read_input_tokens": self.rng.randint(1, 99_999), "output_tokens": 211}
        message = {"id": "msg_" + self.new_id()[:20], "type": "message", "role": "assistant", "model": "made-up"}
        return self.envelope("assistant", message={**message, "content": [block], "usage": usage}, requestId="req_1")

    def result(self, call: str, name: str, path: str) -> Record:
        """The result of a call, with what the harness keeps beside it."""
        text = self.pool.file(self.rng, 60)
        beside: Record = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        if name == "Read":
            beside = {"type": "text", "file": {"filePath": path, "content": text, "numLines": text.count("\n")}}
        elif name == "Edit":
            whole = self.pool.file(self.rng, 600)
            beside = {"filePath": path, "oldString": text[:80], "newString": text[:90], "originalFile": whole}
        block = {"tool_use_id": call, "type": "tool_result", "content": text, "is_error": self.is_chance(0.05)}
        return self.envelope("user", message={"role": "user", "content": [block]}, toolUseResult=beside)

    def giant(self) -> Record:
        """A result with a screenshot: more than a megabyte on one line."""
        image = "".join(self.rng.choices(self.pool.encoded, k=1_300))
        content = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": image}}]
        block = {"tool_use_id": "toolu_x", "type": "tool_result", "content": content}
        return self.envelope("user", message={"role": "user", "content": [block]})


class CodexWriter(Writer):
    """Codex rollouts in the envelope form."""

    def line(self, kind: str, payload: Record) -> Record:
        """One enveloped record."""
        return {"timestamp": self.stamp(), "type": kind, "payload": payload}

    def records(self) -> Iterator[Record]:
        """Turns without end."""
        meta = {"id": self.session, "cwd": self.cwd, "originator": "codex_cli_rs", "cli_version": "0.66.0"}
        yield self.line("session_meta", {**meta, "source": "cli", "git": {"branch": "main"}})
        while True:
            text = self.pool.prose(self.rng, 6)
            yield self.line("turn_context", {"cwd": self.cwd, "model": "made-up", "approval_policy": "on-request"})
            said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
            yield self.line("response_item", said)
            yield self.line("event_msg", {"type": "user_message", "message": text})
            for _ in range(self.rng.randint(2, 14)):
                yield from self.step()
            answer = self.pool.prose(self.rng, 12)
            yield self.line("event_msg", {"type": "agent_message", "message": answer})
            said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]}
            yield self.line("response_item", said)

    def step(self) -> Iterator[Record]:
        """A thought, a call, its events and its output."""
        encoded = self.rng.choice(self.pool.encoded)
        yield self.line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": encoded})
        call = "call_" + self.new_id().replace("-", "")[:24]
        arguments = orjson.dumps({"command": ["bash", "-lc", "pytest -q"], "workdir": self.cwd}).decode()
        asked = {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call}
        yield self.line("response_item", asked)
        text = self.pool.file(self.rng, 80)
        ended = {"type": "exec_command_end", "call_id": call, "stdout": text, "stderr": "", "aggregated_output": text}
        yield self.line("event_msg", {**ended, "exit_code": 0, "formatted_output": text})
        output = orjson.dumps({"output": text, "metadata": {"exit_code": 0, "duration_seconds": 0.1}}).decode()
        yield self.line("response_item", {"type": "function_call_output", "call_id": call, "output": output})
        used = {"input_tokens": self.rng.randint(1, 99_999), "output_tokens": 20}
        yield self.line("event_msg", {"type": "token_count", "info": {"total_token_usage": used}})

    def giant(self) -> Record:
        """An image as a data address."""
        image = "data:image/png;base64," + "".join(self.rng.choices(self.pool.encoded, k=1_300))
        content = [{"type": "input_image", "image_url": image}]
        return self.line("response_item", {"type": "message", "role": "user", "content": content})


def write_session(path: Path, writer: ClaudeWriter | CodexWriter, size: int, *, has_giant: bool) -> int:
    """Write records until the file has about ``size`` bytes; answers with the bytes written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as file:
        for record in writer.records():
            written += file.write(orjson.dumps(record) + b"\n")
            if has_giant and written > size // 2:
                written += file.write(orjson.dumps(writer.giant()) + b"\n")
                has_giant = False
            if written >= size:
                return written
    return written


def make_corpus(out: Path, *, size: int, sessions: int, seed: int = 7) -> int:
    """Write the corpus below ``out``; answers with the bytes written. The same seed writes the same bytes."""
    rng = random.Random(seed)
    pool = make_pool(rng)
    weights = [rng.lognormvariate(0, 0.9) for _ in range(sessions)]
    scale = size / sum(weights)
    written = 0
    for number, weight in enumerate(weights):
        moment = _START + timedelta(hours=number)
        own = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        share = max(4_096, int(weight * scale))
        has_giant = number % _GIANT_EVERY == 0
        if rng.random() < _CODEX_SHARE:
            name = f"rollout-{moment:%Y-%m-%dT%H-%M-%S}-{own}.jsonl"
            path = out / "codex" / "sessions" / f"{moment:%Y/%m/%d}" / name
            written += write_session(path, CodexWriter(rng, pool, own, moment), share, has_giant=has_giant)
            continue
        writer = ClaudeWriter(rng, pool, own, moment)
        folder = out / "claude" / "projects" / writer.cwd.replace("/", "-")
        side_share = share // 4 if number % 10 == 0 else 0
        written += write_session(folder / f"{own}.jsonl", writer, share - side_share, has_giant=has_giant)
        if side_share:
            writer.is_side, writer.agent_id, writer.parent = True, f"{rng.getrandbits(60):x}", None
            path = folder / own / "subagents" / f"agent-{writer.agent_id}.jsonl"
            written += write_session(path, writer, side_share, has_giant=False)
    return written


def bytes_of(text: str) -> int:
    """``1G``, ``200M`` or a number of bytes."""
    return int(float(text[:-1]) * _UNITS[text[-1]]) if text[-1] in _UNITS else int(text)


def main() -> None:
    """Read the command line and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=bytes_of, default=_UNITS["G"])
    parser.add_argument("--sessions", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    written = make_corpus(given.out, size=given.size, sessions=given.sessions, seed=given.seed)
    print(f"{written / 1e6:,.0f} MB in {given.sessions:,} sessions below {given.out}")


if __name__ == "__main__":
    main()
