"""Providers: who can be asked, where they are, and what has to be true of the settings before anybody is."""

import ipaddress
import re
from dataclasses import dataclass
from importlib.util import find_spec
from urllib.parse import SplitResult, urlsplit

from slowwave.disk.config import ConfigError, ModelSettings
from slowwave.facts.refusal import ExtraMissingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One kind of provider.

    Attributes:
        name: As in ``[models] provider``.
        protocol: What is spoken on the wire, in the provider's own words.
        url: Where it is unless told otherwise; empty where only the person can know.
        variables: Where its key usually stands in the environment, the first that is set.
        needs_key: Nothing is asked without a key.
    """

    name: str
    protocol: str
    url: str
    variables: tuple[str, ...]
    needs_key: bool = True


PROVIDERS = {
    one.name: one
    for one in (
        Provider(
            name="anthropic",
            protocol="Anthropic Messages",
            url="https://api.anthropic.com",
            variables=("ANTHROPIC_API_KEY",),
        ),
        Provider(
            name="openai",
            protocol="OpenAI Chat Completions",
            url="https://api.openai.com/v1",
            variables=("OPENAI_API_KEY",),
        ),
        Provider(
            name="openai-responses",
            protocol="OpenAI Responses",
            url="https://api.openai.com/v1",
            variables=("OPENAI_API_KEY",),
        ),
        # A variable of our own: a key for OpenAI must not go to whoever else speaks its protocol.
        Provider(
            name="openai-compatible",
            protocol="OpenAI Chat Completions",
            url="",
            variables=("SLOWWAVE_MODEL_KEY",),
            needs_key=False,
        ),
        Provider(
            name="gemini",
            protocol="Gemini generateContent",
            url="https://generativelanguage.googleapis.com",
            variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ),
        Provider(
            name="bedrock",
            protocol="Bedrock Converse",
            url="https://bedrock-runtime.us-east-1.amazonaws.com",
            variables=("AWS_BEARER_TOKEN_BEDROCK",),
        ),
        Provider(
            name="ollama",
            protocol="OpenAI Chat Completions",
            url="http://127.0.0.1:11434",
            variables=(),
            needs_key=False,
        ),
        Provider(
            name="llamacpp",
            protocol="OpenAI Chat Completions",
            url="http://127.0.0.1:8080/v1",
            variables=(),
            needs_key=False,
        ),
    )
}
"""Every provider by name."""

LOCAL = ("ollama", "llamacpp")
"""Providers that are usually the person's own: where they run on this machine, nothing is paid."""
_NAMES = ", ".join(PROVIDERS)
_MODEL = re.compile(r"[!-~]{1,120}")  # printable, no blank: it stands in paths and in JSON
_URL = re.compile(r"[!-~]{1,2000}")
_REGION = re.compile(r"\b([a-z]{2}(?:-[a-z]+)+-\d)\b")


def provider_of(settings: ModelSettings) -> Provider:
    """The provider that is configured.

    Raises:
        ConfigError: None is.
    """
    if settings.provider not in PROVIDERS:
        raise ConfigError("[models] names no provider", hint=f"set models.provider to one of: {_NAMES}")
    return PROVIDERS[settings.provider]


def url_of(settings: ModelSettings) -> str:
    """Where requests go, without a slash at its end.

    Raises:
        ConfigError: No address is known, or the one given cannot be used.
    """
    provider = provider_of(settings)
    url = settings.base_url or provider.url
    if not url:
        raise ConfigError(
            f"{provider.name} can be anywhere, and models.base_url is empty",
            hint="for example base_url = 'https://llm.example.com/v1'",
        )
    parts = _parts(url)
    path = parts.path.rstrip("/")
    if not path and provider.name in LOCAL:
        path = "/v1"  # where both servers speak the protocol that we speak with them
    return f"{parts.scheme}://{parts.netloc}{path}"


def destination_of(settings: ModelSettings) -> str:
    """Whom a person says yes to: provider and host, such as ``anthropic (api.anthropic.com)``.

    Raises:
        ConfigError: As of ``url_of``.
    """
    return f"{provider_of(settings).name} ({urlsplit(url_of(settings)).netloc})"


def stays_here(settings: ModelSettings) -> bool:
    """Whether what is asked goes to a program on this very machine.

    Raises:
        ConfigError: As of ``url_of``.
    """
    return _is_loopback(urlsplit(url_of(settings)).hostname or "")


def region_of(settings: ModelSettings) -> str:
    """The AWS region that a Bedrock address names; it only signs the client's name, since keys are bearer tokens."""
    found = _REGION.search(urlsplit(url_of(settings)).hostname or "")
    return found.group(1) if found else "us-east-1"


def check(settings: ModelSettings) -> Provider:
    """Hold the settings of ``[models]`` to what asking needs; the key is looked for elsewhere.

    Raises:
        ConfigError: Which setting is wrong, and how to put it right.
        ExtraMissingError: The packages that ask providers are not installed.
    """
    provider = provider_of(settings)
    if not settings.model:
        raise ConfigError(
            f"models.provider is {provider.name}, and models.model is empty",
            hint="set models.model to the name that the provider gives the model",
        )
    if not _MODEL.fullmatch(settings.model) or ".." in settings.model:
        raise ConfigError(
            "models.model is no name of a model: at most 120 printable characters without blanks, and no `..`",
            hint="copy the name from the provider's own list of models",
        )
    url_of(settings)
    if find_spec("pydantic_ai") is None:
        raise ExtraMissingError(f"asking {provider.name}", "model")
    return provider


def _parts(url: str) -> SplitResult:
    """The parts of an address that may be asked."""
    example = "for example base_url = 'https://llm.example.com/v1'"
    if not _URL.fullmatch(url):
        raise ConfigError("models.base_url holds blanks or control characters", hint=example)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ConfigError("models.base_url is no address", hint=example) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError("models.base_url is no http or https address with a host", hint=example)
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            "models.base_url holds a user or password, which would be shown and stored",
            hint="name the key with models.key instead",
        )
    if parts.query or parts.fragment:
        raise ConfigError("models.base_url ends with a query or fragment, which no request could keep", hint=example)
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise ConfigError(
            f"models.base_url would send transcripts to {parts.hostname} for everybody on the way to read",
            hint="use https, or a tunnel that ends on this machine (ssh -L 8080:127.0.0.1:8080 HOST)",
        )
    return parts


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
