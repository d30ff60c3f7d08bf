"""Secrets are found, masked and recognised when masked; ordinary text is left alone."""

import random
import string

import pytest

from slowwave.records.secrets import Secrets

OWN = Secrets(deep=False)
BOTH = Secrets()
CHARACTERS = string.ascii_letters + string.digits


def made(size: int, seed: int = 1) -> str:
    """Random characters, so that no secret-shaped text stands in this file."""
    return "a1" + "".join(random.Random(seed).choices(CHARACTERS, k=size - 2))


PREFIXED = {
    "github-token": "ghp" + "_" + made(36),
    "anthropic-key": "sk-" + "ant-api03-" + made(93),
    "aws-key-id": "AK" + "IA" + "Q3EGWXY2ZPLM4R6T",
    "stripe-key": "sk_" + "live_" + made(24),
    "jwt": "ey" + "J" + made(30) + ".ey" + made(40) + "." + made(30),
}


@pytest.mark.parametrize(("kind", "token"), PREFIXED.items())
def test_a_provider_token_is_masked_with_its_kind(kind: str, token: str) -> None:
    """The mask says what was there and nothing of it."""
    assert OWN.mask(f"use {token}, please") == f"use [secret:{kind}], please"


@pytest.mark.parametrize(
    "template",
    [
        'password = "{}"',
        "DB_PASSWORD={}",
        '{{\\"password\\": \\"{}\\"}}',
        "<password>{}</password>",
        '<add key="Password" value="{}" />',
        "client_secret: '{}'",
        'export API-KEY="{}"',
        "postgres://" + "someone:{}@database.test/main",
        'curl -H "Authorization: Bearer {}" https://host.test',
        "curl -" + "u someone:{} https://host.test",
        "kind: Secret\ndata:\n  key: {}\n",
        "data:\n  key: {}\nkind: Secret\n",
    ],
)
def test_a_value_given_to_a_telling_name_is_masked(template: str) -> None:
    """Assignments, headers, addresses and manifests hide what they hold, also escaped once more."""
    value = made(24)
    masked = OWN.mask(template.format(value))
    assert value not in masked
    assert "[secret:" in masked


@pytest.mark.parametrize(
    "text",
    [
        "password = os.environ['DB_PASSWORD']",
        'password = "${DB_PASSWORD}"',
        'token = "your_token_here"',
        "token := parser.NextToken2(input)",
        "max_tokens: 128000",
        "inputTokens: result.usage?.inputTokens || 0",
        'label for="password">Password</label>',
        "commit 3f2a9c81d7e64b05a9f1c2d3e4b5a6978877665a",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "secret_name: my-app-secret-2",
        "sk-" + "a" * 40,
        "https://docs.test/path?x=1#token",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    """Variables, placeholders, names, hashes and ids are no secrets."""
    assert OWN.mask(text) == text


def test_masking_twice_changes_nothing_and_runs_agree() -> None:
    """Masks are stable within a text and between two looks at it."""
    text = " ".join([*PREFIXED.values(), 'secret = "' + made(30) + '"'])
    once = BOTH.mask(text)
    assert BOTH.mask(once) == once
    assert BOTH.mask(text) == once


def test_our_mask_counts_as_a_secret_and_another_mask_does_not() -> None:
    """A quote that holds our mask would be a quote of a secret; REDACTED is ordinary text in many transcripts."""
    assert OWN.holds_secret_or_mask("see [secret:github-token] there")
    assert OWN.holds_secret_or_mask(PREFIXED["github-token"])
    assert not OWN.holds_secret_or_mask("see REDACTED and **** there")


def test_a_part_of_a_secret_counts() -> None:
    """Half a token says enough: overlap with the line's secret is what matters, in any script around it."""
    line = "é\ud800😀 " + PREFIXED["github-token"] + " end"
    start = line.index("ghp")
    assert BOTH.overlaps_secret(line, start + 10, start + 14)
    assert not BOTH.overlaps_secret(line, 0, start)
    assert not BOTH.overlaps_secret(line, len(line) - 4, len(line))


def test_a_private_key_block_is_masked_whole_and_unclosed() -> None:
    """From its first line to its last, or as far as it stands."""
    dashes = "-" * 5
    begin = f"{dashes}BEGIN RSA PRIVATE KEY{dashes}"
    block = f"{begin}\n{made(64)}\n{made(64, 2)}\n"
    assert OWN.mask(f"x {block}{dashes}END RSA PRIVATE KEY{dashes} y") == "x [secret:private-key] y"
    assert OWN.mask(f"x {block}") == "x [secret:private-key]"


def test_a_text_after_a_spelled_line_break_begins_a_word() -> None:
    r"""In JSON inside JSON a line break is ``\n``; its n does not hide the token behind it."""
    assert OWN.mask("x\\n" + PREFIXED["github-token"]) == "x\\n[secret:github-token]"


def test_what_kingfisher_locates_in_part_is_masked_whole() -> None:
    """Some of its rules locate one group of what they matched; the rest of the word goes with it."""
    encoded = "ZXlK" + "aGJHY2lPaU" + made(50)
    assert BOTH.mask(f"({encoded})").count(encoded[-8:]) == 0


def test_the_detectors_are_named() -> None:
    """Doctor can say what looked."""
    assert OWN.detectors() == "own rules"
    assert "kingfisher" in BOTH.detectors()
