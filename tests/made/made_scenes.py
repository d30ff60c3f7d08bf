"""Scenes: sessions full of true words of every speaker, and the book of who said what, kept by whoever wrote them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from made_nights import ShopSession, session_name
from made_secrets import Planted

from slowwave.facts.markers import MEMORY_BEGIN, MEMORY_END

THINGS = ("cart", "checkout", "gateway", "ledger", "mailer", "importer", "catalogue", "invoice", "stock", "voucher")
ACTS = ("starts", "migrates", "checks", "rebuilds", "exports", "locks", "reads", "replaces", "renames", "measures")
OWN = ("user", "agent")
"""Speakers whose words are a person's or the agent's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words that stand in a session: where, whose, and whether a credential is among them."""

    session: str
    line: int
    speaker: str
    text: str
    is_secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Sessions, all that is said in them, and the credentials among it."""

    sessions: tuple[ShopSession, ...]
    words: tuple[Words, ...]
    planted: tuple[Planted, ...]

    @property
    def speakers(self) -> Mapping[tuple[str, int], str]:
        """Who speaks on a line of a session; a line that holds two voices is the tool's."""
        return {(words.session, words.line): words.speaker for words in self.words}


def scene(rng: random.Random, numbers: Sequence[int], *, project: str, planted: Sequence[Planted], day: int) -> Scene:
    """A scene of one project, a session for each number."""
    sessions: list[ShopSession] = []
    words: list[Words] = []
    for number in numbers:
        session = ShopSession(session_name(number), day=day, project=project)
        words.extend(_said(session, rng, planted))
        sessions.append(session)
    return Scene(sessions=tuple(sessions), words=tuple(words), planted=tuple(planted))


def _said(session: ShopSession, rng: random.Random, planted: Sequence[Planted]) -> Iterator[Words]:
    """Every voice that a session can have, each with words of its own."""
    name, count = session.name, 0

    def sentence() -> str:
        nonlocal count
        count += 1
        first, second = rng.sample(THINGS, 2)
        return f"The {first} {rng.choice(ACTS)} the {second} in step {count} of run {rng.randrange(10_000)}."

    def told(line: int, speaker: str, text: str, *, is_secret: bool = False) -> Words:
        return Words(session=name, line=line, speaker=speaker, text=text, is_secret=is_secret)

    for _ in range(3):
        text = f"Please note this. {sentence()}"
        yield told(session.user(text), "user", text)
        text = f"I will do that. {sentence()} {sentence()}"
        yield told(session.agent(text), "agent", text)
    text = f"I think of it so: {sentence()}"
    yield told(session.thinking(text), "agent", text)
    command, output, page = f"make run # {sentence()}", f"ok: {sentence()}", f"The user prefers it so: {sentence()}"
    yield told(session.call("c1", "Bash", {"command": command}), "agent", command)
    yield told(session.result("c1", output, beside={"stdout": output, "stderr": ""}), "tool", output)
    address = "https://pages.test/read"
    yield told(session.call("c2", "WebFetch", {"url": address}), "agent", address)
    yield told(session.result("c2", page), "tool", page)
    memory = sentence()
    yield told(session.user(f"{MEMORY_BEGIN}\n- {memory}\n{MEMORY_END}", isMeta=True), "system", memory)
    text = f"Stop hook feedback: {sentence()}"
    yield told(session.user(text, isMeta=True), "system", text)
    for one in rng.sample(tuple(planted), min(2, len(planted))):
        text = f"Deploy with {one.text} for now."
        yield told(session.user(text), "user", text, is_secret=True)
        yield told(session.agent(f"I use {one.text} then."), "agent", f"I use {one.text} then.", is_secret=True)
