"""Where memories live."""

import pytest
from made_memories import memory, task

from slowwave.corpus.paths import Taken, archive, check_path, is_archived, original_of, place, project_of, restore
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Entity, Kind, Memory

NONE = Taken()


@pytest.mark.parametrize(
    ("one", "folder"),
    [
        (memory(project="Payments API"), "projects/payments-api"),
        (memory(project="payments", kind=Kind.USER_PREFERENCE), "projects/payments"),
        (task(project="payments"), "projects/payments/tasks"),
        (task(), "areas/inbox/tasks"),
        (memory(kind=Kind.ARC), "areas/arcs"),
        (memory(kind=Kind.USER_PREFERENCE), "areas/preferences"),
        (memory(entities=(Entity("area", "Health"), Entity("tool", "uv"))), "areas/health"),
        (memory(entities=(Entity("person", "Maria"), Entity("tool", "uv"))), "resources/people"),
        (memory(entities=(Entity("unknown", "x"), Entity("tool", "uv"))), "resources/uv"),
        (memory(tags=("Databases",)), "resources/databases"),
        (memory(), "areas/inbox"),
    ],
)
def test_placement_follows_project_kind_entities_and_tags(one: Memory, folder: str) -> None:
    """Every memory has a place, the most specific one there is."""
    path = place(one, NONE)
    assert path.rpartition("/")[0] == folder
    assert check_path(path) is None


def test_a_collision_gets_an_ordinal_then_a_digest() -> None:
    """Equal claims stand side by side, and the hundredth does not wait long for a name."""
    taken = Taken()
    for _ in range(120):
        taken.add(place(memory(), taken))
    assert "areas/inbox/run-the-tests-through-uv-2.md" in taken
    assert "areas/inbox/run-the-tests-through-uv-100.md" not in taken
    assert check_path(place(memory(), taken)) is None


def test_letter_case_and_unicode_form_do_not_make_a_path_free() -> None:
    """A name that some file system takes for the same is taken."""
    taken = Taken(["areas/inbox/Run-the-tests-through-UV.md"])
    assert place(memory(), taken) == "areas/inbox/run-the-tests-through-uv-2.md"
    assert "areas/inbox/cafe\u0301.md" in Taken(["areas/inbox/café.md"])


def test_archiving_twice_in_a_year_keeps_both_and_comes_back() -> None:
    """Each archived copy has a path of its own that names where it came from."""
    path = MemoryPath("projects/payments/a.md")
    first = archive(path, 2026, NONE)
    second = archive(path, 2026, Taken([first]))

    assert (first, second) == ("archive/2026/projects/payments/a.md", "archive/2026/2/projects/payments/a.md")
    assert restore(first, NONE) == restore(second, NONE) == path
    assert restore(second, Taken([path])) == "projects/payments/a-2.md"
    assert archive(second, 2027, NONE) == second
    assert restore(path, NONE) == path


def test_a_path_knows_its_project_also_in_the_archive() -> None:
    """The second name below ``projects`` is the project, nothing else is."""
    assert project_of("projects/payments/a.md") == "payments"
    assert project_of("archive/2026/2/projects/payments/tasks/a.md") == "payments"
    assert project_of("areas/inbox/a.md") == project_of("projects/a.md") == ""
    assert is_archived("archive/2026/areas/inbox/a.md")
    assert not is_archived("archive/2026/other/a.md")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a.md",
        "projects",
        "projects/.md",
        "projects/a.txt",
        "/projects/a.md",
        "projects//a.md",
        "projects/./a.md",
        "projects/../a.md",
        "projects/..\\a.md",
        "projects/a\\b.md",
        "projects/c:/a.md",
        "projects/a.md:stream.md",
        "projects/.git/a.md",
        "projects/.GIT/a.md",
        "projects/.g\u200cit/a.md",
        "projects/git~1/a.md",
        "projects/GITATT~1.md",
        "projects/con.md",
        "projects/COM1.x/a.md",
        "projects/lpt\u00b9.md",
        "projects/aux/a.md",
        "projects/a./b.md",
        "projects/a /b.md",
        "projects/ a.md",
        "projects/-rf.md",
        "projects/~/a.md",
        "projects/a\x00.md",
        "projects/a\n.md",
        "projects/a\u202eb.md",
        "projects/\uff0e\uff0e/a.md",
        "projects/a\uff0fb.md",
        "projects/\ud800.md",
        "projects/%2e%2e/a.md",
        "projects/a?.md",
        "projects/" + "x" * 201 + ".md",
        "projects/" + "x/" * 300 + "a.md",
    ],
)
def test_a_name_that_means_something_elsewhere_is_refused(path: str) -> None:
    """Traversal, absolute, device, reserved, hidden, over-long and disguised names are no paths of memories."""
    refusal = check_path(path)
    assert refusal is not None
    assert refusal.code == "bad_path"


@pytest.mark.parametrize("path", ["projects/My notes/Käse (2).md", "areas/日记/今天.md", "archive/2026/areas/a.md"])
def test_names_people_give_are_accepted(path: str) -> None:
    """Blanks, capitals, brackets and every script are fine."""
    assert check_path(path) is None


def test_the_original_path_is_what_the_archive_keeps_whole() -> None:
    """Whatever the year and number; a path outside the archive is its own."""
    assert original_of("archive/2026/projects/a/b.md") == "projects/a/b.md"
    assert original_of("archive/2026/3/projects/a/b.md") == "projects/a/b.md"
    assert original_of("projects/a/b.md") == "projects/a/b.md"
