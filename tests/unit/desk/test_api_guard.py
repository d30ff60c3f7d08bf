"""The guard of the endpoints: which heads are let through, case by case."""

from collections.abc import Sequence

import pytest

from slowwave.desk.api.guard import ANSWER_HEADERS, Head, Rules, names_of, refuse
from slowwave.desk.api.problem import Problem, document
from slowwave.disk.config import ConfigError

TOKEN = "made-for-this-test-" + "x" * 20
RULES = Rules(names=names_of("127.0.0.1"), token=TOKEN, most_bytes=1_000)
HOST = ("host", "127.0.0.1:8765")
BEARER = ("authorization", f"Bearer {TOKEN}")
JSON = ("content-type", "application/json")


def code(method: str, *headers: tuple[str, str], port: int = 8765) -> str:
    """The code of the problem with a head; empty where it is let through."""
    listed: dict[str, list[str]] = {}
    for name, value in headers:
        listed.setdefault(name, []).append(value)
    problem = refuse(Head(method=method, port=port, headers=listed), RULES)
    return problem.code if problem else ""


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])
def test_our_own_names_with_our_port_are_let_through(host: str) -> None:
    """Three names, the port behind them, in any case."""
    assert code("GET", ("host", host)) == ""


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "evil.test:8765",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        "127.0.0.1:8765.evil.test",
        "evil.test:8765@127.0.0.1:8765",
        "127.0.0.1:8765@evil.test",
        "localhost.evil.test:8765",
        "127.0.0.1:08765",
        " 127.0.0.1:8765",
        "127.0.0.2:8765",
        "0.0.0.0:8765",
        "[::]:8765",
        "[::ffff:127.0.0.1]:8765",
        "localhost.:8765",
        "2130706433:8765",
        "127.1:8765",
        "http://127.0.0.1:8765",
    ],
)
def test_any_other_host_is_misdirected(host: str) -> None:
    """A name that was pointed at the loopback, a port that is not ours, an address in another spelling."""
    assert code("GET", ("host", host)) == "wrong_host"
    assert code("POST", ("host", host), BEARER) == "wrong_host"


@pytest.mark.parametrize("headers", [[], [("host", "")], [HOST, HOST], [HOST, ("host", "evil.test")]])
def test_a_host_is_named_exactly_once(headers: Sequence[tuple[str, str]]) -> None:
    """None, an empty one and two are refused, whatever they say."""
    assert code("GET", *headers) == "host_missing"


def test_a_plain_name_is_enough_where_the_port_is_that_of_http() -> None:
    """Browsers leave port 80 away."""
    assert code("GET", ("host", "localhost"), port=80) == ""
    assert code("POST", ("host", "localhost"), ("origin", "http://localhost"), BEARER, port=80) == ""


@pytest.mark.parametrize("site", ["cross-site", "same-site", "CROSS-SITE", "", "anything"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "MADE-UP"])
def test_other_sites_change_nothing_even_with_the_token(site: str, method: str) -> None:
    """Another port of this machine is the same site, and no friend of ours."""
    assert code(method, HOST, BEARER, ("sec-fetch-site", site)) == "other_origin"


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.test", "http://127.0.0.1", "http://127.0.0.1:9000", "https://127.0.0.1:8765", "", "file://"],
)
def test_other_origins_change_nothing_even_with_the_token(origin: str) -> None:
    """An origin is ours whole or not at all, also beside a ``Sec-Fetch-Site`` that says so."""
    assert code("POST", HOST, BEARER, ("origin", origin)) == "other_origin"
    assert code("POST", HOST, BEARER, ("origin", origin), ("sec-fetch-site", "same-origin")) == "other_origin"
    assert code("POST", HOST, BEARER, ("origin", "http://127.0.0.1:8765"), ("origin", origin)) == "other_origin"


def test_our_own_page_and_no_page_at_all_may_change() -> None:
    """A browser at our address, an address typed by its person, and programs, which say nothing of sites."""
    own = ("origin", "http://127.0.0.1:8765")
    assert code("POST", HOST, BEARER, own, ("sec-fetch-site", "same-origin")) == ""
    assert code("POST", HOST, BEARER, ("sec-fetch-site", "none")) == ""
    assert code("POST", HOST, BEARER) == ""


def test_whoever_only_reads_needs_no_token() -> None:
    """Reading changes nothing; what a page of another site reads its browser keeps from it."""
    assert code("GET", HOST, ("sec-fetch-site", "cross-site"), ("origin", "http://evil.test")) == ""
    assert not any(name.startswith("access-control") for name in ANSWER_HEADERS)


@pytest.mark.parametrize(
    "shown",
    [
        "",
        TOKEN,
        "Bearer",
        "Bearer ",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN.upper()}",
        "Bearer \x80\xff",
        f"Bearer {TOKEN} {TOKEN}",
    ],
)
def test_anything_but_the_token_is_no_token(shown: str) -> None:
    """Parts of it, more than it, and another scheme."""
    assert code("POST", HOST, ("authorization", shown)) == "token_needed"


def test_two_tokens_are_none_and_an_empty_one_is_never_right() -> None:
    """A proxy may let through what another one added."""
    assert code("POST", HOST, BEARER, BEARER) == "token_needed"
    without = Rules(names=RULES.names, token="")
    problem = refuse(Head(method="POST", port=8765, headers={"host": [HOST[1]], "authorization": ["Bearer "]}), without)
    assert isinstance(problem, Problem)
    assert problem.status == 401


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([("content-length", "2"), JSON], ""),
        ([("content-length", "2"), ("content-type", "application/json; charset=UTF-8")], ""),
        ([("content-length", "0")], ""),
        ([("content-length", "000")], ""),
        ([], ""),
        ([("content-length", "2")], "not_json"),
        ([("transfer-encoding", "chunked")], "not_json"),
        ([("content-length", "2"), ("content-type", "text/plain")], "not_json"),
        ([("content-length", "2"), ("content-type", "application/json; charset=utf-16")], "not_json"),
        ([("content-length", "2"), ("content-type", "application/jsonp")], "not_json"),
        ([("content-length", "2"), JSON, ("content-type", "text/plain")], "not_json"),
        ([("content-length", "2"), JSON, ("content-encoding", "gzip")], "not_json"),
        ([("content-length", "1000"), JSON], ""),
        ([("content-length", "1001"), JSON], "body_too_large"),
        ([("content-length", "9" * 5_000), JSON], "body_too_large"),
        ([("content-length", "-1"), JSON], "bad_length"),
        ([("content-length", "2e3"), JSON], "bad_length"),
        ([("content-length", "²"), JSON], "bad_length"),
        ([("content-length", "2"), ("content-length", "3"), JSON], "bad_length"),
    ],
)
def test_a_body_is_json_and_bounded(headers: Sequence[tuple[str, str]], expected: str) -> None:
    """A form, a plain text, an unnamed or compressed body are refused before one byte of them is read."""
    assert code("POST", HOST, BEARER, *headers) == expected


@pytest.mark.parametrize("host", [".".join("0000"), "::", "192.0.2.7", "evil.test", "", "fe80::1", "127.0.0.1.a.test"])
def test_an_address_beyond_the_loopback_is_refused_by_name(host: str) -> None:
    """The settings may name any text; the endpoints listen on the loopback or not at all."""
    with pytest.raises(ConfigError, match=r"serve\.host") as caught:
        names_of(host)
    assert "loopback" in caught.value.message


def test_another_address_of_the_loopback_is_a_name_of_ours() -> None:
    """127.0.0.2 is this machine too."""
    assert names_of("127.0.0.2") == ("127.0.0.1", "localhost", "[::1]", "127.0.0.2")
    assert names_of("[::1]") == names_of("localhost") == names_of("127.0.0.1")


def test_neither_rules_nor_problems_show_the_token() -> None:
    """What is printed in an error or a log holds no token."""
    assert TOKEN not in repr(RULES)
    problem = refuse(Head(method="POST", port=8765, headers={"host": [HOST[1]], "authorization": [TOKEN]}), RULES)
    assert problem is not None
    assert TOKEN not in str(document(problem))
