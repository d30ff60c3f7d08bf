"""Long made sessions, seeded: a day's work of an agent with files, runs, searches, polls, installs and reminders."""

import random
from collections.abc import Iterator, Sequence

from small_contexts import MAKERS, Beat, bash, call, notice, read, say, user

WIRES = ("claude-code", "codex", "anthropic-messages", "openai-chat", "openai-responses")
_PARTS = ("cart", "checkout", "ledger", "session", "router", "mailer", "stock", "price", "invoice", "basket", "search")
_VERBS = ("load", "store", "check", "merge", "split", "render", "parse", "send", "count", "close")
_NOUNS = ("order", "item", "user", "rate", "batch", "token", "page", "line", "total", "event", "queue", "frame")
_PROMPTS = (
    "the totals are off by one on the last page, can you see why?",
    "ok, go on with the next one",
    "looks fine. what about the slow list?",
    "please run everything once more",
    "and the mails, do they go out?",
    "hm, show me what changed",
)
_REMINDER = "The list of things to do is empty at the moment. Make one if it helps, and say nothing about this. " * 3


def script(seed: int, turns: int = 320) -> list[Beat]:
    """What happens in one session."""
    return list(_beats(random.Random(seed), turns))


def made(name: str) -> tuple[str, list[Beat]]:
    """The wire and the script of ``made-01`` .. ``made-10``: two of each wire."""
    number = int(name.rpartition("-")[2])
    return WIRES[(number - 1) % len(WIRES)], script(number)


def written(wire: str, beats: Sequence[Beat]) -> bytes:
    """A script as its wire writes it."""
    return MAKERS[wire](beats)


def _beats(chance: random.Random, turns: int) -> Iterator[Beat]:
    yield user("Let us bring the shop into shape. Begin with the ledger and tell me what you find.")
    versions: dict[str, int] = {}
    for turn in range(turns):
        if turn % 40 == 39:
            yield user(chance.choice(_PROMPTS))
        if turn % 25 == 24:
            yield notice(_REMINDER)
        yield from _step(chance, versions, turn)


def _step(chance: random.Random, versions: dict[str, int], turn: int) -> Iterator[Beat]:
    part = chance.choice(_PARTS)
    path = f"/srv/shop/{part}/{chance.choice(_NOUNS)}s.py"
    sort = chance.choices(range(9), weights=(5, 3, 3, 2, 2, 2, 1, 1, 2))[0]
    if sort == 0:
        yield read(path, _file(chance.random(), path, versions.get(path, 0)))
    elif sort == 1:
        versions[path] = versions.get(path, 0) + 1
        yield read(path, _file(hash_of(path), path, versions[path]))
        yield call("Edit", "The file was updated.", file_path=path, old_string="return total", new_string="return sum")
    elif sort == 2:
        yield bash("pytest -q", _tests(chance, is_failing=turn % 3 == 0), is_error=turn % 3 == 0)
    elif sort == 3:
        yield call("Grep", _hits(chance), pattern=chance.choice(_NOUNS))
    elif sort == 4:
        yield bash("git status", _status(chance))
    elif sort == 5:
        yield call("JobStatus", "\n".join([f"job 7 runs for {turn * 13} s, {turn * 3} of 990 done"] * 12), job="7")
    elif sort == 6:
        yield bash("npm install", _install(chance))
    elif sort == 7:
        yield call("WebFetch", _page(chance), url=f"https://docs.example/{part}/{chance.choice(_VERBS)}")
    else:
        yield say(f"The {part} part looks as it did; I turn to the {chance.choice(_NOUNS)} handling next.")


def hash_of(text: str) -> float:
    """A number of a text that is the same in every run."""
    return sum(ord(sign) * (place + 1) for place, sign in enumerate(text)) % 997 / 997


def _file(spice: float, path: str, version: int) -> str:
    chance = random.Random(f"{path} {spice:.3f}")
    rows = [f"def {chance.choice(_VERBS)}_{chance.choice(_NOUNS)}(value):  # v{version}"]
    rows += [
        f"    {chance.choice(_NOUNS)} = {chance.choice(_VERBS)}({chance.choice(_NOUNS)}, {chance.randint(0, 99)})"
        for _ in range(chance.randint(40, 160))
    ]
    return "\n".join(f"{number:6}\t{row}" for number, row in enumerate(rows, 1))


def _tests(chance: random.Random, *, is_failing: bool) -> str:
    rows = [f"tests/test_{part}.py {'.' * chance.randint(3, 40)}" for part in _PARTS]
    if is_failing:
        rows += ["E   assert total(basket) == 12", "E   AssertionError: 11 != 12", "1 failed, 210 passed"]
    return "\n".join([*rows, f"{chance.randint(180, 230)} passed in {chance.random() * 9:.2f}s"])


def _hits(chance: random.Random) -> str:
    return "\n".join(
        f"/srv/shop/{chance.choice(_PARTS)}/{chance.choice(_NOUNS)}s.py:{chance.randint(1, 400)}: "
        f"{chance.choice(_VERBS)}({chance.choice(_NOUNS)})"
        for _ in range(chance.randint(20, 80))
    )


def _status(chance: random.Random) -> str:
    changed = [f"\tmodified:   {part}/{chance.choice(_NOUNS)}s.py" for part in chance.sample(_PARTS, 6)]
    return "\n".join(["On branch main", "Changes not staged for commit:", *changed])


def _install(chance: random.Random) -> str:
    bars = [f"\x1b[32mfetching [{'#' * done:<40}] {done * 100 // 40}%\x1b[0m" for done in range(41)]
    return "\n".join([*bars, f"added {chance.randint(300, 900)} packages"])


def _page(chance: random.Random) -> str:
    return "\n".join(
        f"To {chance.choice(_VERBS)} an {chance.choice(_NOUNS)}, give its {chance.choice(_NOUNS)} and wait for it."
        for _ in range(chance.randint(30, 120))
    )
