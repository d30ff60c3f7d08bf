"""``docs/tested.md`` is true: what it names exists, each law that is built has its row."""

import re
import shutil
import subprocess

import pytest
from made_figures import BEGIN, END, PAGE, all_tests, filled
from made_source import ROOT

TEXT = PAGE.read_text("utf-8")
BUILT = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17}
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", TEXT)))


def test_every_built_law_has_a_row_and_a_file_with_its_number() -> None:
    """The table names each law once, and each has a test that carries its number."""
    rows = [int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)]
    assert rows == sorted(BUILT)
    numbered = {int(n) for n in re.findall(r"test_law_(\d\d)_", " ".join(path.name for path, _ in all_tests()))}
    assert numbered | {1} == BUILT  # the first is the kill sweep


@pytest.mark.parametrize(("file", "function"), NAMED)
def test_what_the_page_names_exists(file: str, function: str) -> None:
    """Files and tests of the tables are there under these names."""
    assert (ROOT / file).exists()
    names = {node.name for path, node in all_tests() if f"tests/{path.as_posix()}" == file}
    assert not function or function in names


def test_the_mended_faults_name_commits_of_ours() -> None:
    """Each fault's commit is in the history, where there is one."""
    git = shutil.which("git") or "git"
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so there is no history to look into")
    for commit in re.findall(r"\| `([0-9a-f]{7})` \|$", TEXT, re.MULTILINE):
        found = subprocess.run([git, "-C", str(ROOT), "cat-file", "-e", commit], capture_output=True, check=False)
        is_shallow = (ROOT / ".git" / "shallow").exists()
        assert found.returncode == 0 or is_shallow, commit


def test_the_figures_can_be_written() -> None:
    """Filling the page in keeps all else and is stable."""
    once = filled(TEXT)
    assert filled(once) == once
    assert once.split(BEGIN)[0] == TEXT.split(BEGIN)[0]
    assert once.split(END)[1] == TEXT.split(END)[1]
    assert "test functions" in once
