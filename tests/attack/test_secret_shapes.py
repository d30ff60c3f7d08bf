"""Tokens made from a table of 330 public shapes, and text that only looks like them."""

import random
import time
import uuid
from pathlib import Path

import pytest
from made_secrets import Row, in_context, of_shapes, read_shapes, token

from slowwave.records.secrets import Secrets


@pytest.fixture(scope="module")
def shapes(shared: Path) -> list[Row]:
    """The table of shapes."""
    return read_shapes(shared)


def share_found(rows: list[Row], secrets: Secrets, *, is_repeated: bool) -> float:
    """Share of ten samples a shape in which anything is found."""
    rng = random.Random(7)
    texts = [in_context(row, token(row, rng, is_repeated=is_repeated)) for row in rows for _ in range(10)]
    return sum(bool(secrets.find(text)) for text in texts) / len(texts)


def test_tokens_of_known_shapes_are_found(shapes: list[Row]) -> None:
    """With Kingfisher at least 98 of 100 are found; our own rules alone find the seven in ten with a name or prefix."""
    assert share_found(shapes, Secrets(), is_repeated=False) >= 0.98
    assert share_found(shapes, Secrets(deep=False), is_repeated=False) >= 0.7


def test_samples_of_one_repeated_character_are_mostly_left(shapes: list[Row]) -> None:
    """Our own rules leave 98 of 100 placeholder tokens alone."""
    assert share_found(shapes, Secrets(deep=False), is_repeated=True) <= 0.02


FORMS = (
    "We use {} now.",
    "refused {}: unauthorized",
    "({})",
    "**{}**",
    "?k={}&b=1",
    "said “{}”…",
    "a\\n{}\\nb",
    "{}\n",
)


@pytest.mark.parametrize("form", FORMS)
def test_no_part_of_a_found_token_survives_the_mask(shapes: list[Row], form: str) -> None:
    """Whatever stands around it in talk, a token that a detector knows is masked whole."""
    secrets = Secrets()
    for one in of_shapes(shapes, random.Random(9)):
        if secrets.find(f"We use {one.text} here"):
            masked = secrets.mask(form.format(one.text)).encode()
            assert not any(needle in masked for needle in one.needles), one.name


def test_ordinary_ids_are_rarely_taken_for_secrets() -> None:
    """Of 20,000 lines of ids, hashes, paths and versions at most one in 200 is flagged."""
    rng, secrets = random.Random(3), Secrets()
    flagged = 0
    for _ in range(4_000):
        value = rng.getrandbits(256)
        lines = (
            f"id {uuid.UUID(int=value >> 128)} seen",
            f"commit {value:064x}"[:47],
            f'"integrity": "sha512-{value:086x}"',
            f"/home/someone/project-{value % 97}/src/module_{value % 31}/test_{value % 7}.py:{value % 900}: error",
            f"package@{value % 9}.{value % 31}.{value % 17} resolved in {value % 5000} ms",
        )
        flagged += sum(bool(secrets.find(line)) for line in lines)
    assert flagged <= 100


def test_hostile_repetition_is_linear() -> None:
    """Four times the text takes far less than sixteen times as long, whatever is repeated."""
    secrets = Secrets(deep=False)
    units = (
        "-a",
        'password="',
        "kind: secret\ndata:\n",
        "curl" + " -u a:b ",
        "://a:",
        "-----BEGIN " + "PRIVATE KEY-----",
        "eyey.",
    )
    for unit in units:
        small, large = unit * (20_000 // len(unit)), unit * (80_000 // len(unit))
        assert spent(secrets, large) < 10 * max(spent(secrets, small), 0.001)


def spent(secrets: Secrets, text: str) -> float:
    """Best of three, seconds of this process."""
    times = []
    for _ in range(3):
        start = time.process_time()
        secrets.find(text)
        times.append(time.process_time() - start)
    return min(times)
