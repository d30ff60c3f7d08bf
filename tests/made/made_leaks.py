"""Looking for credentials in everything a home holds."""

import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence

from made_nights import Place
from made_secrets import Planted

from slowwave.records.secrets import Secrets

GIT = shutil.which("git") or "git"


def known(planted: Iterator[Planted]) -> list[Planted]:
    """Those that a detector knows in a sentence; what no rule knows is not promised (``docs/threats.md``)."""
    secrets = Secrets()
    return [one for one in planted if secrets.find(f"We use {one.text} for it.")]


def written(place: Place) -> Iterator[tuple[str, bytes]]:
    """Every byte below a home, packed or not: files, git objects, rows of databases."""
    for path in sorted(place.home.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield str(path), path.read_bytes()
    for path in place.home.glob("*.db"):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as sql:
            yield f"rows of {path}", "\n".join(sql.iterdump()).encode("utf-8", "surrogatepass")
    unpacked = subprocess.run(
        [GIT, "-C", str(place.home / "corpus"), "cat-file", "--batch-all-objects", "--batch"],
        capture_output=True,
        check=True,
    )
    yield "git objects", unpacked.stdout


def leaks(pieces: Iterator[tuple[str, bytes]], planted: Sequence[Planted]) -> list[str]:
    """Where a credential, or half of one, stands."""
    by_needle = {needle: one.name for one in planted for needle in one.needles}
    pattern = re.compile(b"|".join(re.escape(needle) for needle in by_needle))
    return [f"{by_needle[found]} in {name}" for name, raw in pieces for found in set(pattern.findall(raw))]
