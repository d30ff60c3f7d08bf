"""Originals are kept once, under the digest of what is inside, and nothing damaged is ever handed out."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_revisions import pieces, sha

from slowwave.facts.refusal import DamageError
from slowwave.hygiene.blobs import Blobs, State
from slowwave.hygiene.placing import StaleError

CONTENT = b"what a session holds\n" * 200_000
DIGEST = sha(CONTENT)


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    """An empty shelf."""
    return Blobs(tmp_path / "revisions" / "blobs")


def names(blobs: Blobs) -> list[str]:
    """Every file there is."""
    return sorted(path.name for path in blobs.folder.rglob("*") if path.is_file())


def test_an_original_is_kept_for_its_owner_alone(blobs: Blobs) -> None:
    """What goes in in pieces comes out whole; files are 0600 and folders 0700."""
    blobs.put(pieces(CONTENT, 100_003), DIGEST)
    with blobs.open(DIGEST) as stream:
        assert stream.read() == CONTENT
    path = blobs.path(DIGEST)
    assert path == blobs.folder / DIGEST[:2] / DIGEST
    assert path.stat().st_mode & 0o777 == 0o600
    assert {folder.stat().st_mode & 0o777 for folder in (path.parent, blobs.folder)} == {0o700}
    assert names(blobs) == [DIGEST]


def test_a_second_time_writes_nothing(blobs: Blobs) -> None:
    """Bytes that are kept are not even asked for again."""
    blobs.put(pieces(CONTENT), DIGEST)
    before = blobs.path(DIGEST).stat()

    def never() -> Iterator[bytes]:
        raise AssertionError("it was asked for")
        yield b""

    blobs.put(never(), DIGEST)
    after = blobs.path(DIGEST).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_damaged_original_is_replaced_by_the_true_one(blobs: Blobs) -> None:
    """What is stored again is right afterwards, whatever stood there."""
    blobs.put(pieces(CONTENT), DIGEST)
    blobs.path(DIGEST).write_bytes(b"x" + CONTENT[1:])
    assert blobs.state(DIGEST) is State.CHANGED
    blobs.put(pieces(CONTENT), DIGEST)
    assert blobs.state(DIGEST) is State.WHOLE


def test_other_bytes_than_the_digest_says_are_not_kept(blobs: Blobs) -> None:
    """A file that changes while it is stored leaves nothing behind."""
    with pytest.raises(StaleError):
        blobs.put(pieces(b"something else"), DIGEST)
    assert names(blobs) == []


def test_damage_is_never_handed_out(blobs: Blobs, tmp_path: Path) -> None:
    """Missing, changed, cut and linked originals are refused, each by name."""
    with pytest.raises(DamageError, match="missing"):
        blobs.open(DIGEST)
    blobs.put(pieces(CONTENT), DIGEST)
    path = blobs.path(DIGEST)
    for damaged in (CONTENT[:-1], CONTENT + b"x", b"", CONTENT[:9] + b"\x00" + CONTENT[10:]):
        path.write_bytes(damaged)
        with pytest.raises(DamageError, match="changed"):
            blobs.open(DIGEST)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(CONTENT)
    path.unlink()
    path.symlink_to(elsewhere)
    assert blobs.state(DIGEST) is State.CHANGED


def test_no_path_is_made_of_what_is_no_digest(blobs: Blobs) -> None:
    """A name that climbs, or is short, leads nowhere."""
    for text in ("", "../../etc/passwd", "abc", DIGEST.upper(), DIGEST + "\n"):
        with pytest.raises(ValueError, match="not a SHA-256"):
            blobs.path(text)


def test_removing_is_for_good_and_calm(blobs: Blobs) -> None:
    """A removed original is missing; removing it again is no error."""
    blobs.remove(DIGEST)
    blobs.put(pieces(CONTENT), DIGEST)
    blobs.remove(DIGEST)
    assert blobs.state(DIGEST) is State.MISSING


def test_every_file_is_listed_with_what_its_place_says(blobs: Blobs) -> None:
    """An original in a wrong folder, a stranger and a link are no originals."""
    blobs.put(pieces(CONTENT), DIGEST)
    (blobs.folder / "zz").mkdir()
    (blobs.folder / "zz" / DIGEST).write_bytes(CONTENT)
    (blobs.folder / "notes.txt").write_bytes(b"x")
    (blobs.folder / "yy").symlink_to(blobs.folder / "zz")
    listed = {path.relative_to(blobs.folder).as_posix(): digest for path, digest in blobs.listed()}
    assert listed == {f"{DIGEST[:2]}/{DIGEST}": DIGEST, f"zz/{DIGEST}": "", "notes.txt": "", "yy": ""}


def test_a_dead_writers_part_is_cleared(blobs: Blobs) -> None:
    """A killed writer leaves a part in the folder of its original, and nothing else is taken for one."""
    child = os.fork()
    if child == 0:

        def die() -> Iterator[bytes]:
            yield b"x"
            os.kill(os.getpid(), 9)

        blobs.put(die(), DIGEST)
    os.waitpid(child, 0)
    assert len(names(blobs)) == 1
    blobs.clear(DIGEST)
    assert names(blobs) == []
