"""What counts as content, and what does not."""

import hashlib

from slowwave.corpus.hashing import content_hash, normal_body


def test_the_hash_is_what_the_standard_says() -> None:
    """Anybody can compute it: SHA-256 of the claim, a line feed, and the body with folded white space."""
    assert content_hash(" A  claim ", "Two\n\nlines. ") == hashlib.sha256(b"A claim\nTwo lines.").hexdigest()


def test_wrapping_a_paragraph_is_no_new_content() -> None:
    """White space in prose counts as one blank."""
    assert content_hash("c", "one two\r\n\tthree") == content_hash("c", "one\ntwo three\n")


def test_a_changed_indent_in_code_is_new_content() -> None:
    """Fenced code counts letter by letter, its line ends aside."""
    code = "Do:\n\n```py\nif x:\n    y\n```\nthen."
    assert content_hash("c", code) == content_hash("c", code.replace("\n", "\r\n"))
    assert content_hash("c", code) != content_hash("c", code.replace("    y", "  y"))


def test_a_fence_ends_at_its_own_kind_only() -> None:
    """A shorter fence, another kind, or one with words behind it is code; an open one runs to the end."""
    body = "````\na  b\n```\n~~~~\n```` x\nc  d\n````\ne  f\n~~~\ng  h"
    assert normal_body(body) == "````\na  b\n```\n~~~~\n```` x\nc  d\n````\ne f\n~~~\ng  h"


def test_claim_and_body_do_not_run_together() -> None:
    """A word moved from the claim to the body is another content."""
    assert content_hash("a b", "c") != content_hash("a", "b c")
