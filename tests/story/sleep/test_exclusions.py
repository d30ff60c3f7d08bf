"""Leaving sessions out, seeing that it worked, and taking it back."""

import pytest
from made_nights import Place, Ran, fix_session, promise_session, session_name, write_all


@pytest.fixture
def projects(place: Place) -> Place:
    """Two sessions of one project and one of another."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, project="bakery")])
    return place


def begin(place: Place, *words: str) -> Ran:
    """``init`` over the transcripts of this place."""
    return place.run("init", "--transcripts", str(place.transcripts), *words)


def test_init_names_projects_and_counts_what_each_exclusion_leaves_out(projects: Place) -> None:
    """Projects with their sessions; an exclusion that matches nothing counts 0, so that it is seen."""
    assert begin(projects).content["projects"] == [
        {"project": "shop", "sessions": 2},
        {"project": "bakery", "sessions": 1},
    ]

    ran = begin(projects, "--exclude-project=-work-bakery", "--exclude-session", "nosuch", "--exclude-path", "/x/*")

    assert ran.content["projects"] == [{"project": "shop", "sessions": 2}]
    assert ran.content["excluded"] == [
        {"by": "project", "value": "-work-bakery", "sessions": 1},
        {"by": "session", "value": "nosuch", "sessions": 0},
        {"by": "path", "value": "/x/*", "files": 0},
    ]


def test_a_relative_pattern_is_meant_from_where_the_person_stands(
    projects: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stored whole, works from everywhere, and also where the folder is named relatively."""
    monkeypatch.chdir(projects.transcripts.parent)

    ran = begin(projects, "--exclude-path", "transcripts/-work-shop/*")

    assert ran.content["excluded"][0]["value"] == str(projects.transcripts / "-work-shop" / "*")
    assert ran.content["excluded"][0]["files"] == 2
    proposed = projects.run("consolidate", projects.transcripts.name)
    assert proposed.content["readSessionIds"] == [session_name(3)]


def test_an_exclusion_is_taken_back(projects: Place) -> None:
    """As it was given or as it is stored; what was not excluded cannot be taken back."""
    pattern = str(projects.transcripts / "-work-shop")
    begin(projects, "--exclude-project", "bakery", "--exclude-path", pattern, "--exclude-session", session_name(1))

    ran = begin(
        projects, "--include-project", "bakery", "--include-path", pattern, "--include-session", session_name(1)
    )

    assert ran.content["excluded"] == []
    assert ran.content["roots"][0]["sessions"] == 3
    assert begin(projects, "--include-project", "bakery").status == 2


def test_a_project_may_be_named_by_its_folder(projects: Place) -> None:
    """An absolute folder leaves out every project below it."""
    assert begin(projects, "--exclude-project", "/work/shop").content["roots"][0]["sessions"] == 1
