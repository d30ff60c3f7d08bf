"""Edits read from every way of making one."""

import pytest

from slowwave.mining.edits import Edit, change, edits_of

PATCH = """*** Begin Patch
*** Update File: a.go
@@
-version = 1
+version = 2
 rest
-old
+new
*** Add File: b.go
+whole
*** End Patch"""


def test_a_patch_gives_one_edit_a_hunk() -> None:
    """Each run of changed lines of each file is an edit; an added file has no old text."""
    assert edits_of({}, PATCH) == (
        Edit(path="a.go", old="version = 1", new="version = 2"),
        Edit(path="a.go", old="old", new="new"),
        Edit(path="b.go", old="", new="whole"),
    )


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"file_path": "a", "old_string": "x", "new_string": "y"}, (Edit(path="a", old="x", new="y"),)),
        ({"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}, (Edit(path="a", old="x", new="y"),)),
        ({"file_path": "a", "content": "whole"}, (Edit(path="a", old="", new="whole"),)),
        ({"file_path": "a"}, ()),
        ({"command": "ls"}, ()),
        ({"file_path": 3, "edits": "no list"}, ()),
    ],
)
def test_arguments_of_edit_tools(args: dict[str, object], expected: tuple[Edit, ...]) -> None:
    """Known spellings of old and new are edits; a read, a command and nonsense are none."""
    assert edits_of(args, "") == expected


def test_what_changed_is_cut_at_words() -> None:
    """Common words at both ends fall away, parts of a word do not."""
    assert change(Edit(path="p", old='version = "1.2.3",', new='version = "1.2.4",')) == ("1.2.3", "1.2.4")
    assert change(Edit(path="p", old="go test", new="go vet test")) == ("", "vet")
