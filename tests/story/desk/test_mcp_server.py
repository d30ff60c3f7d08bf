"""``slowwave mcp --consolidate`` as an agent meets it: the SDK's own client over stdio, the real command behind it."""

import json
import os
import signal
import stat
from pathlib import Path
from typing import Any

import pytest
from made_agent import Agent, connect, honest_answer, mcp_words
from made_nights import Place, fingerprint, fix_session, session_name, write_all
from made_pipe import Pipe
from mcp import MCPError

from slowwave.facts.limits import MOST_SAME_CALLS, MOST_SUBMISSIONS
from slowwave.sleep.consent import put_consent, revoke_consent
from slowwave.sleep.leads import leads_of
from slowwave.sleep.nights import begin
from slowwave.sleep.replaying import replay
from slowwave.sleep.tools import Tools
from slowwave.sleep.turns import ANSWERED, TurnBook, read_record
from slowwave.wiring.consolidating import AGENT_PROFILE, _whole
from slowwave.wiring.engines import MinedEngine

SESSIONS = [session_name(number) for number in (1, 2, 3)]
TOOLS = {"list_sessions", "search_transcript", "read_lines", "submit_answer"}
EMPTY: dict[str, Any] = {"candidates": [], "commitments": [], "readSessionIds": []}
DERIVED = ("index.db",)
"""What every command that lists sessions brings up to date."""


def batch_id(place: Place) -> str:
    """The id of the only batch that a dry run prints."""
    place.house.has_sessions()
    place.close()
    ran = place.run("sleep", "--dry-run", "--engine", "mined")
    (batch,) = ran.content["batches"]
    return str(batch["id"])


def consent(place: Place) -> None:
    """The person lets transcripts go to an agent."""
    put_consent(place.house.state, "agent claude", moment=place.now, channel="terminal")
    place.close()


def test_four_tools_and_a_whole_honest_turn(place: Place) -> None:
    """Over a folder: an agent that knows the policy reads everything, answers, is believed, and can do no more."""
    answer = honest_answer(place, place.transcripts)

    async def script(agent: Agent) -> Any:
        tools = {tool.name for tool in (await agent.client.list_tools()).tools}
        told = agent.client.instructions or ""
        await agent.read(SESSIONS)
        accepted = await agent.answer(answer)
        return tools, told, accepted, await agent.answer(answer), await agent.call("list_sessions")

    tools, told, accepted, *after = connect(place, str(place.transcripts), script)
    assert tools == TOOLS
    assert "list_sessions" in told
    assert told.startswith("<slowwave-consolidator-run v=1>")
    assert not accepted[1], accepted[0]
    assert all(is_error for _, is_error in after)


def test_four_refusals_end_a_turn(place: Place) -> None:
    """Each says its code; after the last nothing more is taken, not even what would have held."""
    answer = honest_answer(place, place.transcripts)

    async def script(agent: Agent) -> Any:
        refused = [await agent.answer(answer) for _ in range(MOST_SUBMISSIONS)]
        return refused, await agent.answer(answer)

    refused, after = connect(place, str(place.transcripts), script)
    assert all(is_error and "list_sessions_not_called" in text for text, is_error in refused)
    assert after[1]


def test_an_unknown_tool_and_a_session_outside_are_refused(place: Place) -> None:
    """There is no shell, and no session that was not offered."""

    async def script(agent: Agent) -> Any:
        await agent.call("list_sessions")
        outside = await agent.call("read_lines", sessionId=session_name(9), start=1, end=2)
        return outside, await agent.call("bash", command="id")

    assert isinstance(connect(place, str(place.transcripts), script), MCPError)


def test_the_very_same_call_is_answered_so_often_and_no_more(place: Place, tmp_path: Path) -> None:
    """Then it is told so, then refused, in whatever spelling; other calls and the answer go on."""
    answer = honest_answer(place, place.transcripts)
    file = tmp_path / "turn.jsonl"

    async def script(agent: Agent) -> Any:
        await agent.read(SESSIONS)
        same = [
            await agent.call("search_transcript", phrase="the", sessionId=SESSIONS[0])
            for _ in range(MOST_SAME_CALLS + 2)
        ]
        turned = await agent.call("search_transcript", sessionId=SESSIONS[0], phrase="the")
        other = await agent.call("search_transcript", phrase="a", sessionId=SESSIONS[0])
        refused = [await agent.answer(EMPTY | {"readSessionIds": ["nobody"]}) for _ in range(MOST_SUBMISSIONS - 1)]
        return same, turned, other, refused, await agent.answer(answer)

    same, turned, other, refused, accepted = connect(
        place, str(place.transcripts), script, words=["--record", str(file)]
    )
    assert [is_error for _, is_error in same] == [False] * MOST_SAME_CALLS + [True, True]
    told, again = (json.loads(text)["refusals"][0] for text, _ in same[MOST_SAME_CALLS:])
    assert (told["code"], again["code"]) == ("circling", "circling")
    assert "Look elsewhere" in told["message"]
    assert "not made any more" in again["message"]
    assert turned == same[-1]
    assert not other[1], other[0]
    assert all("unknown_session" in text for text, _ in refused)
    assert not accepted[1], accepted[0]
    record = read_record(file.read_bytes())
    assert record is not None
    assert len([call for call in record.calls if call.name == "search_transcript"]) == MOST_SAME_CALLS + 1


@pytest.mark.parametrize("said_by", ["nobody", "option", "settings"])
def test_leads_are_shown_where_they_are_asked_for(place: Place, said_by: str) -> None:
    """The same that a model is shown, and the agent is told what they are; else there is not a word of them."""
    if said_by == "settings":
        assert place.run("config", "set", "sleep.leads", "true").status == 0
    reading = _whole(place.house, place.transcripts)
    secrets = place.house.secrets
    leads = leads_of(MinedEngine(secrets).hear(reading), reading)
    assert leads
    shown = Tools(reading, secrets=secrets, leads=leads if said_by != "nobody" else {}).list_sessions("{}").text

    async def script(agent: Agent) -> Any:
        return agent.client.instructions, await agent.call("list_sessions")

    words = ["--leads"] if said_by == "option" else []
    told, (text, is_error) = connect(place, str(place.transcripts), script, words=words)
    assert not is_error
    assert shown in text
    assert ("Some sessions have leads" in told, '"leads"' in text) == (said_by != "nobody",) * 2


def test_a_batch_by_its_id_leaves_a_record(place: Place) -> None:
    """The id that a dry run printed is served; the answer waits in the home, for its owner alone."""
    name = batch_id(place)
    consent(place)
    answer = honest_answer(place, place.transcripts)

    async def script(agent: Agent) -> Any:
        await agent.read(SESSIONS)
        return await agent.answer(answer)

    before = fingerprint(place.home, without=DERIVED)
    text, is_error = connect(place, name, script)
    assert not is_error, text
    after = fingerprint(place.home, without=DERIVED)
    (added,) = set(after) - set(before)
    assert {key: after[key] for key in before} == before
    assert stat.S_IMODE((place.home / added).stat().st_mode) == 0o600
    record = TurnBook(place.home / "runs").read(name, AGENT_PROFILE)
    assert record is not None
    assert (record.run_id, record.status, record.asked) == ("", ANSWERED, "probe 7")
    assert len(record.calls) == len(SESSIONS) + 2


def test_a_record_gives_the_same_verdict_again(place: Place, tmp_path: Path) -> None:
    """Of a folder too, where ``--record`` says so: replayed over the same sessions it proves the same."""
    answer = honest_answer(place, place.transcripts)
    file = tmp_path / "turn.jsonl"

    async def script(agent: Agent) -> Any:
        await agent.read(SESSIONS)
        await agent.answer(EMPTY | {"readSessionIds": ["nobody"]})
        return await agent.answer(answer)

    assert not connect(place, str(place.transcripts), script, words=["--record", str(file)])[1]
    record = read_record(file.read_bytes())
    assert record is not None
    reading = _whole(place.house, place.transcripts)
    verdict = replay(record, reading, place.house.secrets)
    assert verdict.failure is None
    assert [one.candidate.claim for one in verdict.proved.candidates] == [one["claim"] for one in answer["candidates"]]
    assert [refusal.code for refusal in verdict.refusals] == ["unknown_session"]
    assert verdict.findings["replies_changed"] == 0
    assert not (place.home / "runs" / "turns").exists()


@pytest.mark.slow
def test_an_unfinished_turn_is_kept_and_takes_nothing_away(place: Place) -> None:
    """A client that leaves without an answer is on record; one that comes after an answer changes no record."""
    name = batch_id(place)
    consent(place)
    answer = honest_answer(place, place.transcripts)
    book = TurnBook(place.home / "runs")

    async def leaves(agent: Agent) -> Any:
        await agent.call("list_sessions")

    async def answers(agent: Agent) -> Any:
        await agent.read(SESSIONS)
        return await agent.answer(answer)

    kept = []
    for script in (leaves, answers, leaves):
        connect(place, name, script)
        record = book.read(name, AGENT_PROFILE)
        assert record is not None
        kept.append(record.status)
    assert kept == ["no_answer", ANSWERED, ANSWERED]


def test_the_record_of_a_night_that_asks_carries_its_name(place: Place) -> None:
    """Its run is going on and is an agent's, and the person said yes."""
    name = batch_id(place)
    consent(place)
    record = begin(place.house.state, moment=place.now, profile=AGENT_PROFILE, engine="agent")

    async def script(agent: Agent) -> Any:
        return await agent.call("list_sessions")

    assert not connect(place, name, script, SLOWWAVE_RUN=record.run_id)[1]
    kept = TurnBook(place.home / "runs").read(name, AGENT_PROFILE)
    assert kept is not None
    assert kept.run_id == record.run_id


@pytest.mark.parametrize("profile", ["mined/1", AGENT_PROFILE])
def test_a_yes_that_was_taken_back_ends_what_a_night_may_ask_for(place: Place, profile: str) -> None:
    """To name a night that is going on is no yes, whichever engine reads in it."""
    name = batch_id(place)
    consent(place)
    assert revoke_consent(place.house.state, "agent claude")
    record = begin(place.house.state, moment=place.now, profile=profile, engine="agent")
    ran = place.run("mcp", "--consolidate", name, environment=place.environment(SLOWWAVE_RUN=record.run_id))
    assert (ran.status, ran.code) == (1, "consent_needed"), ran.out


def test_without_a_yes_nothing_of_the_home_is_served(place: Place) -> None:
    """Neither by hand nor by a run that no night of ours began."""
    name = batch_id(place)
    for more in ({}, {"SLOWWAVE_RUN": "night-20260201t033000z"}):
        ran = place.run("mcp", "--consolidate", name, environment=place.environment(**more))
        assert (ran.status, ran.code) == (1, "consent_needed"), ran.out


def test_a_stale_or_unknown_id_is_refused(place: Place) -> None:
    """A session grew since the dry run; an id that never was; a word that is neither id nor folder."""
    name = batch_id(place)
    consent(place)
    grown = fix_session(1)
    grown.user("And one more thing, please.")
    write_all(place.transcripts, [grown])
    for stale in (name, "b-0123456789ab"):
        ran = place.run("mcp", "--consolidate", stale)
        assert (ran.status, ran.code) == (3, "batch_unknown"), ran.out
    assert place.run("mcp", "--consolidate", "nowhere").code == "usage"
    assert place.run("mcp").code == "usage"


def test_every_kind_of_night_that_could_begin_is_known(place: Place) -> None:
    """After a night of rules: a batch of an engine that has read nothing, and one that is read again."""
    place.sleep()
    consent(place)
    again = place.run("sleep", "--dry-run", "--again", "--engine", "mined").content["batches"][0]["id"]

    async def script(agent: Agent) -> Any:
        return await agent.call("list_sessions")

    text, is_error = connect(place, again, script)
    assert not is_error
    assert all(session in text for session in SESSIONS)


@pytest.mark.parametrize("is_folder", [True, False])
def test_an_excluded_session_is_not_served(place: Place, is_folder: bool) -> None:
    """It is neither listed nor read, in whichever way the batch is named."""
    place.run("init", "--transcripts", str(place.transcripts), "--exclude-session", SESSIONS[0])
    batch = str(place.transcripts) if is_folder else batch_id(place)
    consent(place)

    async def script(agent: Agent) -> Any:
        return await agent.call("list_sessions"), await agent.call("read_lines", sessionId=SESSIONS[0], start=1, end=2)

    (listed, _), (_, is_error) = connect(place, batch, script)
    assert SESSIONS[0] not in listed
    assert SESSIONS[1] in listed
    assert is_error


@pytest.mark.slow
def test_two_servers_and_a_night_at_once(place: Place, tmp_path: Path) -> None:
    """Two agents read one batch while a night runs; neither stands in another's way."""
    name = batch_id(place)
    consent(place)
    pipes = [Pipe(mcp_words(place, name), environment=place.environment(), errors=tmp_path / f"e{n}") for n in (1, 2)]
    with pipes[0] as one, pipes[1] as two:
        for pipe in (one, two):
            pipe.greet()
            assert not pipe.call("list_sessions")[1]
        assert place.start("sleep", "--engine", "mined").status == 0
        for pipe in (one, two):
            assert not pipe.call("read_lines", {"sessionId": SESSIONS[0], "start": 1, "end": 2})[1]
        assert [one.wait(), two.wait()] == [0, 0]


def test_a_kill_in_mid_turn_leaves_everything_as_it_was(place: Place, tmp_path: Path) -> None:
    """No record, no lock, no half of anything."""
    name = batch_id(place)
    consent(place)
    before = fingerprint(place.home, without=DERIVED)
    with Pipe(mcp_words(place, name), environment=place.environment(), errors=tmp_path / "errors") as pipe:
        pipe.greet()
        pipe.call("list_sessions")
        pipe.running.send_signal(signal.SIGKILL)
        pipe.running.wait()
    assert fingerprint(place.home, without=DERIVED) == before


def test_a_client_that_only_looks_leaves_no_record(place: Place) -> None:
    """Agents connect to ask for the tools, and leave; that was no turn."""
    name = batch_id(place)
    consent(place)
    before = fingerprint(place.home, without=DERIVED)

    async def script(agent: Agent) -> Any:
        return await agent.client.list_tools()

    connect(place, name, script)
    assert fingerprint(place.home, without=DERIVED) == before


def test_a_home_is_neither_made_nor_changed(tmp_path: Path) -> None:
    """Serving a folder makes no home; a home that may only be read serves as well."""
    place = Place(tmp_path)
    write_all(place.transcripts, [fix_session(1)])

    async def script(agent: Agent) -> Any:
        return await agent.call("list_sessions")

    assert not connect(place, str(place.transcripts), script)[1]
    assert not place.home.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_may_only_be_read_serves(place: Place) -> None:
    """The sessions are read; that the record has no place is said when there is one."""
    name = batch_id(place)
    consent(place)
    place.home.chmod(0o500)

    async def script(agent: Agent) -> Any:
        return await agent.call("list_sessions")

    try:
        assert not connect(place, name, script)[1]
    finally:
        place.home.chmod(0o700)


def test_trouble_before_the_protocol_is_told_on_the_error_output(place: Place) -> None:
    """Nothing is written to standard output unless an envelope was asked for."""
    ran = place.start("mcp", "--consolidate", "b-0123456789ab")
    assert ran.status == 3
    assert "b-0123456789ab" in ran.err


def test_without_the_extra_the_command_says_which(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is served, and the hint can be typed as it stands."""
    monkeypatch.setattr("slowwave.desk.cli.mcp.find_spec", lambda _: None)
    ran = place.run("mcp", "--consolidate", str(place.transcripts))
    assert (ran.status, ran.code) == (2, "extra_missing")
    assert "pip install 'slowwave[mcp]'" in ran.err


def test_a_record_file_without_a_folder_is_refused_at_once(place: Place, tmp_path: Path) -> None:
    """Not after an hour of reading."""
    ran = place.run("mcp", "--consolidate", str(place.transcripts), "--record", str(tmp_path / "no" / "turn"))
    assert (ran.status, ran.code) == (2, "usage")


def test_being_told_to_end_keeps_what_was_called(place: Place, tmp_path: Path) -> None:
    """A client that is stopped by a signal, as agents stop their servers, leaves as one that goes by itself."""
    name = batch_id(place)
    consent(place)
    with Pipe(mcp_words(place, name), environment=place.environment(), errors=tmp_path / "errors") as pipe:
        pipe.greet()
        pipe.call("list_sessions")
        pipe.running.terminate()
        assert pipe.running.wait(timeout=60) == 0
    record = TurnBook(place.home / "runs").read(name, AGENT_PROFILE)
    assert record is not None
    assert [call.name for call in record.calls] == ["list_sessions"]
