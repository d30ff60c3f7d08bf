"""Actions: what a call does to files and programs, as far as its arguments tell."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.hygiene.actions import Action, Sort, action_of, is_same_file


def _of(tool: str, **args: Any) -> Action:
    text = max((value for value in args.values() if isinstance(value, str)), key=len, default="")
    return action_of(tool, args, text)


@pytest.mark.parametrize("tool", ["Read", "read_file", "view", "mcp__files__read_file", "ReadFile"])
def test_reads_name_their_file(tool: str) -> None:
    """Whole ones and partial ones, in the spelling of each agent."""
    whole = _of(tool, file_path="/shop/cart.py")
    assert (whole.sort, whole.paths, whole.is_whole) == (Sort.READ, ("/shop/cart.py",), True)
    for part in ({"offset": 3}, {"limit": 9}, {"view_range": [1, 2]}, {"start_line": 1, "end_line": 2}, {"pages": "1"}):
        assert not _of(tool, file_path="/shop/cart.py", **part).is_whole
    assert _of(tool, file_path="/shop/cart.py", offset=None).is_whole


@pytest.mark.parametrize(
    ("tool", "args", "paths"),
    [
        ("Write", {"file_path": "/shop/cart.py", "content": "x"}, ("/shop/cart.py",)),
        ("Edit", {"file_path": "/shop/cart.py", "old_string": "a", "new_string": "b"}, ("/shop/cart.py",)),
        ("MultiEdit", {"file_path": "/shop/a/../cart.py", "edits": []}, ("/shop/cart.py",)),
        ("NotebookEdit", {"notebook_path": "/shop/n.ipynb", "new_source": "x"}, ("/shop/n.ipynb",)),
        ("Bash", {"command": "sed -i s/a/b/ /shop/cart.py"}, ("/shop/cart.py",)),
        ("Bash", {"command": "cd /shop && rm pay.py"}, ("/shop/pay.py",)),
    ],
)
def test_writes_name_what_they_change(tool: str, args: Mapping[str, Any], paths: tuple[str, ...]) -> None:
    """By a tool or by a shell; a path is made plain."""
    found = _of(tool, **args)
    assert found.sort is Sort.WRITE
    assert set(paths) <= set(found.paths)


def test_a_patch_names_every_file_in_it() -> None:
    """Also where it is free text."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"
    found = action_of("apply_patch", {"input": patch}, patch)
    assert (found.sort, set(found.paths)) == (Sort.WRITE, {"a.py", "b.py"})


@pytest.mark.parametrize(
    ("line", "sort"),
    [
        ("pytest -q tests", Sort.RUN),
        ("cd shop && cargo test", Sort.RUN),
        ("npm run lint", Sort.RUN),
        ("make", Sort.RUN),
        ("go build ./...", Sort.RUN),
        ("go mod tidy", Sort.OTHER),
        ("rg -n total src", Sort.SEARCH),
        ("git grep total", Sort.SEARCH),
        ("ls -la", Sort.SEARCH),
        ("cat a.py", Sort.READ),
        ("head -50 a.py", Sort.READ),
        ("cat a.py | sort", Sort.OTHER),
        ("git status", Sort.OTHER),
        ("", Sort.OTHER),
        ("'", Sort.OTHER),
        ("$(", Sort.OTHER),
    ],
)
def test_a_shell_line_is_told_by_its_programs(line: str, sort: Sort) -> None:
    """A read is one only where nothing else happens to the file's words."""
    found = _of("Bash", command=line)
    if sort is Sort.OTHER:
        assert found.sort not in (Sort.RUN, Sort.WRITE)
    else:
        assert found.sort is sort


def test_only_a_plain_cat_reads_a_whole_file() -> None:
    """A part of it is a part, whoever cut it."""
    assert _of("Bash", command="cat a.py").is_whole
    for line in ("head a.py", "tail -n 3 a.py", "sed -n 1,9p a.py", "awk 1 a.py"):
        assert not _of("Bash", command=line).is_whole


def test_paths_are_placed_where_the_command_runs() -> None:
    """In the folder of the call, or in that of a change of folder."""
    assert _of("Bash", command="cat a.py", workdir="/shop").paths == ("/shop/a.py",)
    assert _of("Bash", command="cd /shop && cat a.py").paths == ("/shop/a.py",)
    assert _of("Bash", command="cat a.py").paths == ("a.py",)
    assert action_of("shell", {"command": ["bash", "-lc", "cat a.py"], "workdir": "/shop"}, "cat a.py").paths == (
        "/shop/a.py",
    )


@pytest.mark.parametrize("tool", ["TodoWrite", "update_plan", "TaskList", "mcp__memory__search", "AskUserQuestion"])
def test_plans_and_memory_are_the_state_of_the_work(tool: str) -> None:
    """Whatever else their arguments look like."""
    assert _of(tool, file_path="/a", command="cat b").sort is Sort.KEPT


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("/shop/cart.py", "/shop/cart.py", True),
        ("/shop/cart.py", "cart.py", True),
        ("shop/cart.py", "/home/dev/shop/cart.py", True),
        ("/shop/cart.py", "/pay/cart.py", False),
        ("/shop/mycart.py", "cart.py", False),
        ("a.py", "b.py", False),
    ],
)
def test_files_are_the_same_as_far_as_their_paths_tell(one: str, other: str, is_same: bool) -> None:
    """One may be the end of the other where a folder is not known."""
    assert is_same_file(one, other) is is_same
    assert is_same_file(other, one) is is_same


@given(
    st.sampled_from(["Bash", "Read", "Edit", "shell", "exec_command", "apply_patch", "Grep", "nobody"]),
    st.dictionaries(
        st.sampled_from(["command", "cmd", "file_path", "path", "workdir", "edits", "input", "limit", "patch"]),
        st.none() | st.text(max_size=60) | st.lists(st.text(max_size=9), max_size=3) | st.integers() | st.booleans(),
        max_size=4,
    ),
)
def test_any_arguments_are_some_action(tool: str, args: Mapping[str, Any]) -> None:
    """Whatever a model has made up."""
    found = _of(tool, **args)
    assert found.sort in Sort
    assert all(found.paths)
