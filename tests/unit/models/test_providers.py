"""Providers: where each is, whom a person says yes to, and which settings are refused."""

import pytest

from slowwave.disk.config import ConfigError, ModelSettings
from slowwave.models.providers import PROVIDERS, check, destination_of, region_of, stays_here, url_of


def settings(provider: str = "openai-compatible", url: str = "", model: str = "m-1") -> ModelSettings:
    """Settings of one provider at one address."""
    return ModelSettings.model_validate({"provider": provider, "base_url": url, "model": model})


@pytest.mark.parametrize(
    ("provider", "url", "destination"),
    [
        ("anthropic", "", "anthropic (api.anthropic.com)"),
        ("openai", "", "openai (api.openai.com)"),
        ("openai-responses", "", "openai-responses (api.openai.com)"),
        ("gemini", "", "gemini (generativelanguage.googleapis.com)"),
        ("bedrock", "", "bedrock (bedrock-runtime.us-east-1.amazonaws.com)"),
        ("ollama", "", "ollama (127.0.0.1:11434)"),
        ("llamacpp", "", "llamacpp (127.0.0.1:8080)"),
        ("openai-compatible", "https://llm.example.com:8443/v1/", "openai-compatible (llm.example.com:8443)"),
    ],
)
def test_consent_is_given_to_provider_and_host(provider: str, url: str, destination: str) -> None:
    """A name and where it is, so that another host is another question."""
    assert destination_of(settings(provider, url)) == destination


def test_every_provider_of_the_settings_is_in_the_table() -> None:
    """What config.toml may name can be asked."""
    named = ModelSettings.model_fields["provider"].annotation
    assert set(getattr(named, "__args__", ())) - {""} == set(PROVIDERS)


def test_addresses_end_without_a_slash_and_local_ones_know_their_path() -> None:
    """What the person writes is what is asked; a bare local address gets the path of the protocol."""
    assert url_of(settings("ollama")) == "http://127.0.0.1:11434/v1"
    assert url_of(settings("llamacpp", "http://[::1]:9/")) == "http://[::1]:9/v1"
    assert url_of(settings("llamacpp", "http://localhost:9/other/")) == "http://localhost:9/other"
    assert url_of(settings("anthropic", "https://gate.example.com/a/")) == "https://gate.example.com/a"


def test_a_region_is_read_from_the_address() -> None:
    """Nothing else says where Bedrock is."""
    assert region_of(settings("bedrock", "https://bedrock-runtime.eu-central-1.amazonaws.com")) == "eu-central-1"
    assert region_of(settings("bedrock", "https://gate.example.com")) == "us-east-1"


@pytest.mark.parametrize(
    "url",
    [
        "http://llm.example.com/v1",
        "http://10.0.0.5:8080/v1",
        "http://127.0.0.1.example.com/v1",
        "http://localhost.example.com",
        "https://ann:secret@llm.example.com/v1",
        "https://llm.example.com/v1?key=1",
        "https://llm.example.com/v1#part",
        "https://llm.example.com:port/v1",
        "https://llm.example.com:99999/v1",
        "ftp://llm.example.com",
        "llm.example.com/v1",
        "https://",
        "https://a b.example.com",
        "https://llm.example.com/\nx",
        "https://[::1",
        "",
    ],
)
def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    """Plain http to another machine, passwords, queries, and what is no address; never with the address's secrets."""
    with pytest.raises(ConfigError) as refused:
        check(settings(url=url))
    assert refused.value.hint
    assert "secret" not in f"{refused.value.message} {refused.value.hint}"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1", "http://127.9.9.9/v1", "http://[::1]:1/v1", "http://localhost"]
)
def test_plain_http_may_reach_this_machine(url: str) -> None:
    """Nobody reads along on the loopback."""
    assert stays_here(settings(url=url))
    assert check(settings(url=url)).name == "openai-compatible"


@pytest.mark.parametrize("model", ["", "a b", "m\n", "../secrets", "ü", "x" * 201])
def test_a_model_needs_a_name_that_is_one(model: str) -> None:
    """It stands in paths and in JSON."""
    with pytest.raises(ConfigError):
        check(settings("anthropic", model=model))


def test_no_provider_is_an_error_with_their_names() -> None:
    """Who asks for a model without one is told which there are."""
    with pytest.raises(ConfigError) as refused:
        check(ModelSettings())
    assert all(name in refused.value.hint for name in PROVIDERS)
