"""``config.toml`` in the home: which transcripts are read and which are not; checked strictly, written by ``init``.

An unknown key is refused by name: a misspelt exclusion that is silently ignored would read what must not be read.
"""

import json
import tomllib
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from slowwave.disk.durable import read_whole, write_atomic
from slowwave.facts.limits import FIRST_NIGHT_SECONDS
from slowwave.facts.refusal import SlowwaveError


class ConfigError(SlowwaveError):
    """``config.toml`` cannot be used as it stands."""

    code = "config"
    exit_status: ClassVar[int] = 2


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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
    """How long a night may take, in seconds; 0 sets no bound to nights after the first."""

    first_night_seconds: float = Field(default=FIRST_NIGHT_SECONDS, ge=0)
    night_seconds: float = Field(default=0, ge=0)


class Config(_Closed):
    """All settings of a home."""

    sources: SourceSettings = SourceSettings()
    sleep: SleepSettings = SleepSettings()


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
        return Config.model_validate(tomllib.loads(content.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no TOML: {error}", hint="mend the file, or remove it for the defaults") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{path}: {where}: {first['msg']}", hint="see docs/configuration.md for the keys") from error


def write_config(home: Path, config: Config) -> None:
    """Write a home's settings as TOML, every key with what it is for.

    Raises:
        ConfigError: A name is no UTF-8; nothing was written.
    """
    exclude = config.sources.exclude
    text = f"""# What slowwave reads, and how long a night may take. Edit freely; `slowwave doctor` checks this file.

[sources]
# Folders with transcripts; an empty list means that they are found by themselves.
transcripts = {_list(config.sources.transcripts)}

[sources.exclude]
# Never read: projects by name, paths (with *), sessions by id.
projects = {_list(exclude.projects)}
paths = {_list(exclude.paths)}
sessions = {_list(exclude.sessions)}

[sleep]
# Seconds; 0 sets no bound.
first_night_seconds = {config.sleep.first_night_seconds:g}
night_seconds = {config.sleep.night_seconds:g}
"""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ConfigError("a name that is no UTF-8 cannot be written down", hint="name a folder above it") from error
    write_atomic(config_path(home), content)


def _list(values: tuple[str, ...]) -> str:
    # A JSON string is a TOML basic string: both escape alike, and JSON never leaves a control character raw.
    # Not its ASCII form, which writes a character beyond U+FFFF as two halves that TOML refuses.
    return "[" + ", ".join(json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") for value in values) + "]"
