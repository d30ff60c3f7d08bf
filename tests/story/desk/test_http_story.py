"""The endpoints over a real socket: what they answer, and whom they answer nothing."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from made_endpoints import BEARER, CAPTURES, JSON, OPENAPI, STATUS, TRIGGER, MemoryHome, SlowLoop, serving

from slowwave.desk.api.errors import AddressTakenError
from slowwave.desk.api.server import listen
from slowwave.facts.limits import CAPTURES_A_REQUEST, MOST_BODY_BYTES

ONE = {"tag": "file-this", "text": "The dentist moved to the second floor."}


@pytest.fixture(scope="module")
def memory() -> MemoryHome:
    """The home behind the client of this file."""
    return MemoryHome()


@pytest.fixture(scope="module")
def client(memory: MemoryHome) -> Iterator[httpx2.Client]:
    """A client of endpoints without a loop."""
    with serving(memory) as made:
        yield made


def problem(response: httpx2.Response, status: int) -> Any:
    """The code of a problem document, its form checked."""
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert response.status_code == told["status"] == status
    assert told["type"] == f"urn:slowwave:problem:{told['code']}"
    assert told["title"]
    assert told["detail"]
    return told["code"]


def test_a_capture_is_stored_once_however_often_it_is_sent(client: httpx2.Client, memory: MemoryHome) -> None:
    """Alone, again, and in a list beside others."""
    first = client.post(CAPTURES, json=ONE, headers=BEARER)
    assert first.status_code == 201
    stored = first.json()["captures"]
    assert [one["isNew"] for one in stored] == [True]
    again = client.post(CAPTURES, json=[ONE, {**ONE, "id": "own-1"}, {**ONE, "id": "own-1"}], headers=BEARER)
    assert again.status_code == 201
    assert [(one["id"], one["isNew"]) for one in again.json()["captures"]] == [
        (stored[0]["id"], False),
        ("own-1", True),
        ("own-1", False),
    ]
    kept = memory.kept["own-1"]
    assert (kept.source, kept.text, kept.ts.isoformat()) == ("api", ONE["text"], "2026-05-01T12:00:00+00:00")


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({}, "tag"),
        ({"tag": "file-this"}, "text"),
        ({**ONE, "tag": "diary"}, "tag"),
        ({**ONE, "text": " \n "}, "text"),
        ({**ONE, "text": 7}, "text"),
        ({**ONE, "ts": "2026-05-01T09:00:00"}, "ts"),
        ({**ONE, "ts": 1_777_777_777}, "ts"),
        ({**ONE, "id": "a\nb"}, "id"),
        ({**ONE, "line": True}, "line"),
        ({**ONE, "line": "7"}, "line"),
        ({**ONE, "line": 7.5}, "line"),
        ({**ONE, "path": "/etc/passwd"}, "path"),
        ([ONE, {**ONE, "text": ""}], "/body/1/text"),
        ([], ""),
        ("file-this", ""),
        (None, ""),
    ],
)
def test_what_is_no_capture_is_named_and_nothing_is_stored(
    client: httpx2.Client, memory: MemoryHome, body: Any, at: str
) -> None:
    """The place of the fault stands in the problem; the sent words do not."""
    before = dict(memory.kept)
    response = client.post(CAPTURES, content=json.dumps(body), headers=BEARER | JSON)
    assert problem(response, 422) == "bad_form"
    assert any(at in fault["pointer"] for fault in response.json()["errors"])
    assert "passwd" not in response.text
    assert memory.kept == before


def test_rules_of_lines_hold_for_what_has_the_right_form(client: httpx2.Client) -> None:
    """A text of nothing visible, an unknown zone, a moment at the calendar's end."""
    for wrong in ({"text": "\u200b"}, {"zone": "Mars/Base"}, {"ts": "9999-12-31T23:59:59+00:00"}):
        assert problem(client.post(CAPTURES, json={**ONE, **wrong}, headers=BEARER), 422) == "bad_capture"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe{", b"[" * 50_000, b'{"tag": "file-this", "text": "\\ud8"', b"NaN", b"\0"]
)
def test_what_is_no_json_is_refused(client: httpx2.Client, content: bytes) -> None:
    """However deep it goes."""
    response = client.post(CAPTURES, content=content, headers=BEARER | JSON)
    assert response.status_code in (400, 422)
    problem(response, response.status_code)


def test_bodies_are_bounded_whether_they_say_their_length_or_not(client: httpx2.Client, memory: MemoryHome) -> None:
    """By bytes, and by captures."""
    before = dict(memory.kept)
    text = json.dumps({**ONE, "text": "x" * MOST_BODY_BYTES}).encode()
    assert problem(client.post(CAPTURES, content=text, headers=BEARER | JSON), 413) == "body_too_large"
    parts = (text[at : at + 65_536] for at in range(0, len(text), 65_536))
    assert problem(client.post(CAPTURES, content=parts, headers=BEARER | JSON), 413) == "body_too_large"
    many = [{**ONE, "id": f"m-{number}"} for number in range(CAPTURES_A_REQUEST + 1)]
    assert problem(client.post(CAPTURES, json=many, headers=BEARER), 422) == "bad_form"
    assert memory.kept == before


@pytest.mark.parametrize("path", [CAPTURES, TRIGGER, "/", "/anything"])
@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"cookie": "token=x"}])
def test_nothing_changes_without_the_token(client: httpx2.Client, path: str, headers: dict[str, str]) -> None:
    """And nobody learns without it which paths there are."""
    response = client.post(path, json=ONE, headers=headers)
    assert problem(response, 401) == "token_needed"
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("host", ["evil.test", "evil.test:80", "127.0.0.1.evil.test", "127.0.0.1"])
@pytest.mark.parametrize("path", [STATUS, OPENAPI, CAPTURES, "/"])
def test_a_name_that_was_pointed_at_the_loopback_reaches_nothing(client: httpx2.Client, host: str, path: str) -> None:
    """Its page is then of our own origin for its browser, which still sends its name."""
    assert problem(client.get(path, headers={"host": host}), 421) == "wrong_host"
    assert problem(client.post(path, json=ONE, headers=BEARER | {"host": host}), 421) == "wrong_host"


@pytest.mark.parametrize(
    "said",
    [
        {"origin": "http://evil.test"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_origin_changes_nothing(
    client: httpx2.Client, memory: MemoryHome, said: dict[str, str]
) -> None:
    """Even one that knows the token."""
    before = dict(memory.kept)
    for path in (CAPTURES, TRIGGER):
        assert problem(client.post(path, json={**ONE, "id": "evil"}, headers=BEARER | said), 403) == "other_origin"
    preflight = client.request("OPTIONS", CAPTURES, headers=said | {"access-control-request-method": "POST"})
    assert problem(preflight, 405) == "no_such_method"
    assert not any(name.startswith("access-control") for name in preflight.headers)
    assert memory.kept == before


def test_a_form_that_any_page_can_send_is_refused(client: httpx2.Client) -> None:
    """Such bodies need no permission of ours in a browser."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        response = client.post(CAPTURES, content=json.dumps(ONE), headers=BEARER | {"content-type": kind})
        assert problem(response, 415) == "not_json"


@pytest.mark.parametrize("path", [STATUS, OPENAPI, "/nowhere", CAPTURES])
def test_every_answer_is_kept_from_other_eyes(client: httpx2.Client, path: str) -> None:
    """Problems too."""
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "server" not in headers


@pytest.mark.parametrize(
    "request_text",
    [
        b"GET /api/v1/scheduler/status HTTP/1.0\r\n\r\n",
        b"GET /api/v1/scheduler/status HTTP/1.1\r\n\r\n",
        b"GET /api/v1/scheduler/status HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.test\r\n\r\n",
        b"GET http://evil.test/api/v1/scheduler/status HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        b"POST /api/v1/captures HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
    ],
)
def test_requests_that_no_client_sends_are_refused(client: httpx2.Client, request_text: bytes) -> None:
    """Without a host, with two, with a length and parts at once, and what is no HTTP at all."""
    with socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=10) as raw:
        raw.sendall(request_text)
        raw.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert answer == b"" or answer.split(b" ")[1] in (b"400", b"421"), answer[:80]


def test_a_trigger_without_a_loop_says_so_and_changes_nothing(
    client: httpx2.Client, memory: MemoryHome, caplog: pytest.LogCaptureFixture
) -> None:
    """A warning in the log, a problem document, nothing else."""
    before = dict(memory.kept)
    assert problem(client.post(TRIGGER, headers=BEARER), 503) == "no_loop"
    assert problem(client.post(f"{TRIGGER}?force=true", headers=BEARER), 503) == "no_loop"
    warned = [record for record in caplog.records if record.name == "slowwave.api"]
    assert [record.levelname for record in warned] == ["WARNING", "WARNING"]
    assert "no waking loop" in warned[0].getMessage()
    assert memory.kept == before
    assert client.get(STATUS).json()["loop"] == {"isLive": False}
    assert problem(client.post(f"{TRIGGER}?force=perhaps", headers=BEARER), 422) == "bad_form"
    assert problem(client.get(TRIGGER), 405) == "no_such_method"


def test_the_document_says_what_is_answered(client: httpx2.Client) -> None:
    """OpenAPI 3.1: every path, the problem's form for every refusal, the token where it is needed."""
    told = client.get(OPENAPI).json()
    assert told["openapi"].startswith("3.1")
    assert set(told["paths"]) == {CAPTURES, TRIGGER, STATUS, OPENAPI}
    for path in told["paths"].values():
        for method, operation in path.items():
            assert operation["security"] == ([{"token": []}] if method == "post" else [])
            refusals = {code: answer for code, answer in operation["responses"].items() if code >= "4"}
            assert {"400", "421"} <= set(refusals)
            for answer in refusals.values():
                form = answer["content"]["application/problem+json"]["schema"]
                assert form == {"$ref": "#/components/schemas/Problem"}
    assert {"400", "401", "403", "413", "415", "421", "422", "503"} <= set(told["paths"][TRIGGER]["post"]["responses"])
    assert {"type", "title", "status", "detail", "code"} <= set(told["components"]["schemas"]["Problem"]["properties"])


def test_triggers_at_once_run_one_behind_the_other() -> None:
    """Twenty at once: twenty ticks, never two together, and the home answers meanwhile."""
    home, live = MemoryHome(), SlowLoop()
    with serving(home, live) as client, ThreadPoolExecutor(20) as many:
        asked = [many.submit(client.post, TRIGGER, headers=BEARER) for _ in range(19)]
        asked.append(many.submit(client.post, f"{TRIGGER}?force=true", headers=BEARER))
        status = client.get(STATUS)
        answers = [one.result() for one in asked]
    assert {answer.status_code for answer in answers} == {200}
    assert status.json()["loop"] == {"isLive": True}
    assert (len(live.ticks), live.most_running) == (20, 1)
    assert sum(live.ticks) == 1
    reasons = [answer.json()["subTasks"][0]["reason"] for answer in answers]
    assert 18 <= reasons.count("not_due") <= 19


def test_a_home_is_used_by_one_thread_however_many_ask() -> None:
    """Its databases belong to the thread that opened them."""
    home = MemoryHome()
    with serving(home) as client, ThreadPoolExecutor(8) as many:
        bodies = [{**ONE, "id": f"id-{number % 10}"} for number in range(40)]
        answers = list(many.map(lambda body: client.post(CAPTURES, json=body, headers=BEARER), bodies))
    assert sum(answer.json()["captures"][0]["isNew"] for answer in answers) == 10
    assert len(home.threads) == 1
    assert home.threads.isdisjoint({threading.get_ident()})


def test_a_port_that_is_taken_is_said_at_once() -> None:
    """Before anything else begins."""
    with listen("127.0.0.1", 0) as taken, pytest.raises(AddressTakenError, match="cannot be listened on"):
        listen("127.0.0.1", taken.getsockname()[1])
