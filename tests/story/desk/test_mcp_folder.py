"""``mcp --consolidate FOLDER``: naming a folder is the yes to it, and what the home excludes stays out of it."""

from pathlib import Path
from typing import Any

import pytest
from made_agent import Agent, connect
from made_nights import Place, fingerprint, fix_session, session_name, write_all

HERE = session_name(1)
KEPT_OUT = session_name(8)
DERIVED = ("index.db",)


async def look(agent: Agent) -> Any:
    """The index, and a try at the session that is excluded."""
    listed = await agent.call("list_sessions")
    return listed, await agent.call("read_lines", sessionId=KEPT_OUT, start=1, end=2)


@pytest.mark.parametrize("below", ["-work-shop", "."])
def test_a_folder_needs_no_consent_and_honours_exclusions(place: Place, below: str) -> None:
    """The home's own sessions too, where they are named as a folder; nothing is asked, nothing of the home written."""
    write_all(place.transcripts, [fix_session(8)])
    ran = place.run("init", "--transcripts", str(place.transcripts), "--exclude-session", KEPT_OUT)
    assert ran.status == 0, ran.err
    assert place.run("consent").content["consents"] == []
    folder: Path = place.transcripts / below
    before = fingerprint(place.home, without=DERIVED)
    (listed, is_refused), (told, is_error) = connect(place, str(folder), look)
    assert not is_refused, listed
    assert HERE in listed
    assert KEPT_OUT not in listed
    assert is_error, told
    assert fingerprint(place.home, without=DERIVED) == before


def test_an_excluded_project_named_as_a_folder_holds_no_session(place: Place) -> None:
    """Naming the folder is a yes to the folder, and none to what was excluded before."""
    write_all(place.transcripts, [fix_session(8, project="private-thing")])
    place.run("init", "--transcripts", str(place.transcripts), "--exclude-project", "private-thing")
    ran = place.run("mcp", "--consolidate", str(place.transcripts / "-work-private-thing"))
    assert (ran.status, ran.code) == (3, "nothing_to_do")
