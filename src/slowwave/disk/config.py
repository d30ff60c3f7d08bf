"""``config.toml`` in the home: what is read, how long a night may take, who is asked; checked strictly.

An unknown key is refused by name: a misspelt exclusion that is silently ignored would read what must not be read.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from slowwave.disk.durable import read_whole, write_atomic
from slowwave.facts.limits import (
    AGENT_SECONDS,
    AGENT_TURNS,
    COACHING_SECONDS,
    FIRST_NIGHT_SECONDS,
    MODEL_CALL_SECONDS,
    MODEL_CALLS_A_DAY,
    MODEL_MONEY_A_DAY,
    MODEL_OUTPUT_TOKENS,
    MODEL_SECONDS_A_DAY,
    MODEL_TOKENS_A_DAY,
    SCAN_SECONDS,
    SERVE_PORT,
    SYNTHESIS_SECONDS,
    TRIAGE_SECONDS,
    WAKE_CALLS_A_DAY,
)
from slowwave.facts.refusal import SlowwaveError


class ConfigError(SlowwaveError):
    """``config.toml`` cannot be used as it stands."""

    code = "config"
    exit_status: ClassVar[int] = 2


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Exclude(_Closed):
    """What is never read: project names, paths (with ``*``), session ids."""

    projects: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()


class SourceSettings(_Closed):
    """Where transcripts are: folders; none means that they are found by themselves."""

    transcripts: tuple[str, ...] = ()
    exclude: Exclude = Exclude()


class SleepSettings(_Closed):
    """How long a night may take, in seconds, and how it works; 0 sets no bound to nights after the first.

    ``keep_turns`` keeps the records of model turns past the decision about what they proposed.
    """

    first_night_seconds: float = Field(default=FIRST_NIGHT_SECONDS, ge=0)
    night_seconds: float = Field(default=0, ge=0)
    leads: bool = False
    keep_turns: bool = False


def _place_of_a_key(text: str) -> str:
    """Where a key is; the key itself is refused here, before it is shown or stored anywhere."""
    if not re.fullmatch(r"|keyring|env:[A-Za-z_][A-Za-z0-9_]*|file:.+", text):
        raise ValueError("this is where the key is found, never the key: write env:NAME, keyring, or file:PATH")
    return text


class PoolSettings(_Closed):
    """What one consumer may use of models in a day: calls, tokens, US dollars, seconds of waiting for answers."""

    calls: int = Field(default=MODEL_CALLS_A_DAY, ge=0)
    tokens: int = Field(default=MODEL_TOKENS_A_DAY, ge=0)
    money: float = Field(default=MODEL_MONEY_A_DAY, ge=0)
    seconds: float = Field(default=MODEL_SECONDS_A_DAY, ge=0)


class ModelSettings(_Closed):
    """Which model is asked, where it is, and what that may cost.

    ``key`` says where its key is found: ``env:NAME``, ``keyring``, ``file:PATH``; empty for the provider's usual
    variable. Prices are US dollars for a million tokens, for a model that the price table does not know.
    """

    provider: Literal[
        "", "anthropic", "openai", "openai-responses", "openai-compatible", "gemini", "bedrock", "ollama", "llamacpp"
    ] = ""
    model: str = ""
    base_url: str = ""
    key: Annotated[str, AfterValidator(_place_of_a_key)] = ""
    stream: bool = True
    seconds: float = Field(default=MODEL_CALL_SECONDS, gt=0)
    output_tokens: int = Field(default=MODEL_OUTPUT_TOKENS, ge=256)
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    money_a_day: float = Field(default=MODEL_MONEY_A_DAY, ge=0)
    night: PoolSettings = PoolSettings()
    wake: PoolSettings = PoolSettings(calls=WAKE_CALLS_A_DAY)
    hygiene: PoolSettings = PoolSettings()


class AgentSettings(_Closed):
    """The person's own coding agent, run without a screen; ``program`` is its path where it is not on ``PATH``."""

    name: Literal["", "claude", "codex", "gemini"] = ""
    program: str = ""
    model: str = ""
    seconds: float = Field(default=AGENT_SECONDS, gt=0)
    turns: int = Field(default=AGENT_TURNS, ge=1)


_HOUR = r"([01][0-9]|2[0-4]):[0-5][0-9]"
Hour = Annotated[str, Field(pattern=rf"^{_HOUR}$")]
"""A time of day, HH:MM; 24:00 is the end of the day."""
OptionalHour = Annotated[str, Field(pattern=rf"^(|{_HOUR})$")]


class WakeSettings(_Closed):
    """The waking loop: its zone, hours and intervals.

    ``timezone`` is the IANA name by which days begin and end; empty for the system's. Sub-tasks rest outside ``start``
    to ``end``. Intervals are seconds.
    """

    timezone: str = ""
    start: Hour = "07:00"
    end: Hour = "23:00"
    triage_seconds: float = Field(default=TRIAGE_SECONDS, ge=1)
    scan_seconds: float = Field(default=SCAN_SECONDS, ge=1)
    coaching_seconds: float = Field(default=COACHING_SECONDS, ge=1)
    synthesis_seconds: float = Field(default=SYNTHESIS_SECONDS, ge=1)


class NotifySettings(_Closed):
    """Where reminders and the brief are sent: addresses of the notification library, or where they are found.

    An address may hold a password, so ``env:NAME`` and ``file:PATH`` stand for what is found there. Nothing is sent
    between ``quiet_start`` and ``quiet_end``; empty for no quiet hours.
    """

    urls: tuple[str, ...] = ()
    quiet_start: OptionalHour = ""
    quiet_end: OptionalHour = ""


class TelegramSettings(_Closed):
    """The bot whose messages become captures: where its token is found, and whose chats are heard."""

    token: Annotated[str, AfterValidator(_place_of_a_key)] = ""
    base_url: str = "https://api.telegram.org"
    chats: tuple[int, ...] = ()


class ServeSettings(_Closed):
    """The HTTP endpoints, on the loopback."""

    host: str = "127.0.0.1"
    port: int = Field(default=SERVE_PORT, ge=0, le=65535)


class HygieneSettings(_Closed):
    """Long-lived transcripts for which the night proposes a curation: paths of files, or patterns of them."""

    transcripts: tuple[str, ...] = ()


class ScheduleSettings(_Closed):
    """When the night, the roll-up and the brief run, local time of ``wake.timezone``."""

    sleep: Hour = "03:30"
    roll_up: Hour = "00:05"
    brief: OptionalHour = "07:00"


class Config(_Closed):
    """All settings of a home."""

    sources: SourceSettings = SourceSettings()
    sleep: SleepSettings = SleepSettings()
    models: ModelSettings = ModelSettings()
    agent: AgentSettings = AgentSettings()
    wake: WakeSettings = WakeSettings()
    notify: NotifySettings = NotifySettings()
    telegram: TelegramSettings = TelegramSettings()
    serve: ServeSettings = ServeSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    hygiene: HygieneSettings = HygieneSettings()


def config_path(home: Path) -> Path:
    """Where a home's settings lie."""
    return home / "config.toml"


def read_config(home: Path) -> Config:
    """The settings of a home; defaults where there is no file.

    Raises:
        ConfigError: The file is no TOML, or holds a key or value that is not known.
    """
    path = config_path(home)
    content = read_whole(path)
    if content is None:
        return Config()
    try:
        tree = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no TOML: {error}", hint="mend the file, or remove it for the defaults") from error
    return parse_config(tree, str(path))


def parse_config(tree: dict[str, Any], where: str) -> Config:
    """Settings from a tree of tables; ``where`` it comes from stands in the error.

    Raises:
        ConfigError: It holds a key or value that is not known.
    """
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{where}: {place}: {first['msg']}", hint="see docs/configuration.md for the keys") from error


def write_config(home: Path, config: Config) -> None:
    """Write a home's settings as TOML, every key with what it is for.

    Raises:
        ConfigError: A name is no UTF-8; nothing was written.
    """
    text = "".join(_section(name, value) for name, value in _sections(config.model_dump()))
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ConfigError("a name that is no UTF-8 cannot be written down", hint="name a folder above it") from error
    write_atomic(config_path(home), content)


_NOTES = {
    "": "# What slowwave reads, how long a night may take, whom it may ask. `slowwave doctor` checks it.\n",
    "sources.transcripts": "Folders with transcripts; an empty list means that they are found by themselves.",
    "sources.exclude.projects": "Never read: projects by name, paths (with *), sessions by id.",
    "sleep.first_night_seconds": "Seconds; 0 sets no bound.",
    "models.provider": "Who proposes memories instead of the rules; empty: nobody. docs/models.md has each provider.",
    "models.key": "env:NAME, keyring, or file:PATH; never the key itself.",
    "models.money_a_day": "US dollars that all consumers together may spend in a day.",
    "agent.name": "Your own coding agent instead of a provider: claude, codex or gemini.",
}


def _sections(tree: dict[str, Any], name: str = "") -> list[tuple[str, dict[str, Any]]]:
    """The tables of a tree of settings by dotted name, each with its own keys; an empty one is left out."""
    own = {key: value for key, value in tree.items() if not isinstance(value, dict)}
    below = [(f"{name}.{key}" if name else key, value) for key, value in tree.items() if isinstance(value, dict)]
    return [(name, own), *(section for key, value in below for section in _sections(value, key))]


def _section(name: str, keys: dict[str, Any]) -> str:
    lines = [f"\n[{name}]"] if name and keys else []
    for key, value in keys.items():
        note = _NOTES.get(f"{name}.{key}", "")
        lines += [f"# {note}"] if note else []
        lines += [f"{key} = {_toml(value)}" if value is not None else f"# {key} ="]
    return _NOTES[""] if not name else "".join(f"{line}\n" for line in lines)


def _toml(value: object) -> str:
    # A JSON string is a TOML basic string: both escape alike, and JSON never leaves a control character raw.
    # Not its ASCII form, which writes a character beyond U+FFFF as two halves that TOML refuses.
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else format(value, "g" if isinstance(value, float) else "")
