"""Credentials made at run time, from a public table of shapes or from parts, so that no file of ours holds one."""

import csv
import json
import random
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Row = dict[str, str]
NEEDLE_CHARACTERS = 16
"""So many characters of a token in a row are the token; fewer may be chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A credential as it is written into a session: the token and the text it needs around it to be one."""

    name: str
    token: str
    text: str

    @property
    def needles(self) -> tuple[bytes, ...]:
        """Pieces of the token that stand nowhere by chance: its end and its middle, or all of a short one."""
        longest = max((self.token, *self.token.splitlines()), key=len) if "\n" not in self.token else _body(self.token)
        if len(longest) <= NEEDLE_CHARACTERS:
            return (longest.encode(),)
        middle = len(longest) // 2
        pieces = (longest[-NEEDLE_CHARACTERS:], longest[middle - 8 : middle + 8])
        return tuple(piece.encode() for piece in dict.fromkeys(pieces))


def _body(block: str) -> str:
    lines = [line for line in block.splitlines() if line and not line.startswith("-")]
    return max(lines, key=len)


def read_shapes(shared: Path) -> list[Row]:
    """The table; its columns but ``shape`` spell line breaks and tabs."""
    with (shared / "attack" / "token_shapes.tsv").open(encoding="utf-8") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def characters(spec: str) -> str:
    """The alphabet a spec such as ``0-9A-Z_`` names."""
    out, at = "", 0
    while at < len(spec):
        is_range = at + 2 < len(spec) and spec[at + 1] == "-"
        last = spec[at + 2] if is_range else spec[at]
        out += "".join(map(chr, range(ord(spec[at]), ord(last) + 1)))
        at += 3 if is_range else 1
    return out


def token(row: Row, rng: random.Random, *, is_repeated: bool = False) -> str:
    """One token of a shape; ``is_repeated`` fills each run with a single character."""
    parts = []
    for part in json.loads(row["shape"]):
        if part[0] == "lit":
            parts.append(part[1])
            continue
        letters, size = characters(part[1]), rng.randint(part[2], part[3])
        parts.append(rng.choice(letters) * size if is_repeated else "".join(rng.choices(letters, k=size)))
    return "".join(parts)


def in_context(row: Row, made: str) -> str:
    """The token where it must stand to count."""
    return row["context"].replace("\\n", "\n").replace("\\t", "\t").replace("{TOKEN}", made)


def of_shapes(rows: Sequence[Row], rng: random.Random) -> Iterator[Planted]:
    """A token of each shape."""
    for row in rows:
        made = token(row, rng)
        yield Planted(name=f"{row['rule']}-{row['variant']}", token=made, text=in_context(row, made))


def own_shapes(rng: random.Random) -> tuple[Planted, ...]:
    """A dozen tokens of well-known shapes, put together here."""

    def run(size: int, letters: str = string.ascii_letters + string.digits) -> str:
        return "".join(rng.choices(letters, k=size))

    made = {
        "github": "ghp" + "_" + run(36),
        "github-fine": "github" + "_pat_" + run(22) + "_" + run(59),
        "gitlab": "glpat" + "-" + run(20),
        "aws": "AKIA" + run(16, string.ascii_uppercase + "234567"),
        "anthropic": "sk-" + "ant-api03-" + run(93) + "AA",
        "slack": "xoxb" + "-" + run(12, string.digits) + "-" + run(12, string.digits) + "-" + run(24),
        "stripe": "sk" + "_live_" + run(24),
        "npm": "npm" + "_" + run(36),
        "jwt": ".".join(("eyJ" + run(30), "eyJ" + run(60), run(43))),
    }
    planted = [Planted(name=name, token=token, text=token) for name, token in made.items()]
    word = run(18)
    planted += [
        Planted(name="password", token=word, text=f'DB_PASSWORD="{word}"'),
        Planted(name="address", token=run(20), text=""),
        Planted(name="pem", token=_pem(run), text=""),
    ]
    return tuple(_with_text(one) for one in planted)


def _pem(run: object) -> str:
    assert callable(run)
    kind = "PRIVATE" + " KEY"
    lines = "\n".join(run(64) for _ in range(6))
    return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"


def _with_text(one: Planted) -> Planted:
    texts = {"address": f"postgres://shop:{one.token}@db.shop.test:5432/shop", "pem": one.token}
    return Planted(name=one.name, token=one.token, text=one.text or texts[one.name])
