"""The import stream: bytes that mean one thing to git, whatever paths and contents hold."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from slowwave.corpus.stream import Change, Step, render_stream, signature

WHO = signature(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))


def one_step(*changes: Change) -> Step:
    """A step with a message that looks like commands."""
    return Step(changes=changes, message=b"done\n", author=WHO, committer=WHO)


def test_a_moment_is_signed_in_utc_seconds() -> None:
    """Zone and fraction do not matter, and a moment without a zone is refused."""
    zoned = datetime(2026, 1, 2, 8, 34, 5, 999, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert signature(zoned) == WHO == b"slowwave <slowwave@localhost> 1767323045 +0000"
    with pytest.raises(ValueError, match="zone"):
        signature(datetime(2026, 1, 2, tzinfo=UTC).replace(tzinfo=None))


def test_the_stream_counts_its_bytes_and_leaves_no_ref() -> None:
    """Contents are counted, blobs are named, removals are removals, and the branch ends as nothing."""
    step = one_step(
        Change(path="a", content=b"done\n\x00"), Change(path="b", blob="1" * 40, mode="100755"), Change(path="c")
    )
    stream = render_stream((step,), "2" * 40)
    assert stream == (
        b"feature done\ncommit refs/slowwave/import\nmark :1\nauthor " + WHO + b"\ncommitter " + WHO + b"\n"
        b"data 5\ndone\n\nfrom " + b"2" * 40 + b"\n"
        b'M 100644 inline "a"\ndata 6\ndone\n\x00\nM 100755 ' + b"1" * 40 + b' "b"\nD "c"\n\n'
        b"get-mark :1\nreset refs/slowwave/import\nfrom " + b"0" * 40 + b"\n\ndone\n"
    )


@pytest.mark.parametrize(
    ("path", "quoted"),
    [("a b", b'"a b"'), ('a"\\', b'"a\\042\\134"'), ("é\n", b'"\\303\\251\\012"'), ("\udcff", b'"\\377"')],
)
def test_paths_are_quoted_byte_by_byte(path: str, quoted: bytes) -> None:
    """Quotes, newlines and bytes that are no text stay inside the quotes."""
    assert b"\nD " + quoted + b"\n" in render_stream((one_step(Change(path=path)),), None)
