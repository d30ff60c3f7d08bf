"""Keys: found where the person says, read once, shown never.

No message, no error and no representation holds a key or any part of one.
"""

import importlib
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from slowwave.disk.config import ConfigError, ModelSettings
from slowwave.facts.limits import KEY_BYTES
from slowwave.facts.refusal import ExtraMissingError, SlowwaveError
from slowwave.models.providers import PROVIDERS, Provider, provider_of

SERVICE = "slowwave"
"""Under which name keys stand in the keyring; the user is the provider's name."""

TELEGRAM = "telegram"
"""Under which name the Telegram token stands in the keyring."""

_KEY = re.compile(r"[!-~]+")  # what fits into one header, so that no key can write a second one


class KeyUnavailableError(SlowwaveError):
    """A provider needs a key, and none can be read where it should be."""

    code = "key_unavailable"


def read_key(settings: ModelSettings, environment: Mapping[str, str]) -> str:
    """The key for the provider that is configured; empty where it needs none.

    Raises:
        ConfigError: ``models.key`` says no place where a key can be.
        KeyUnavailableError: There is none at that place, or others could read it.
        ExtraMissingError: The keyring is asked for and its package is not installed.
    """
    provider = provider_of(settings)
    if not settings.key:
        return _usual(provider, environment)
    return read_at(settings.key, environment, setting="models.key", entry=provider.name)


def read_at(text: str, environment: Mapping[str, str], *, setting: str, entry: str) -> str:
    """The secret at a place that a setting names as ``env:NAME``, ``keyring`` or ``file:PATH``.

    Args:
        text: The place.
        environment: Where variables are.
        setting: The setting's name, for errors.
        entry: Under which name the secret stands in the keyring; empty where it cannot be there.

    Raises:
        ConfigError: It is no such place.
        KeyUnavailableError: There is none at that place, or others could read it.
        ExtraMissingError: The keyring is asked for and its package is not installed.
    """
    place, _, name = text.partition(":")
    if text == "keyring" and entry:
        return _from_keyring(entry, setting)
    if place == "env" and name:
        return _checked(environment.get(name, ""), f"the variable {name}", f"export {name} before slowwave runs")
    if place == "file" and name:
        return _from_file(name, environment, setting)
    raise ConfigError(
        f"{setting} says no place where a key can be",
        hint="write env:NAME, keyring, or file:PATH; never the key itself",
    )


def store_key(provider: str, key: str) -> None:
    """Put a provider's key into the system's keyring, over any that is there.

    Raises:
        ConfigError: There is no such provider.
        KeyUnavailableError: What was given is no key, or there is no keyring.
        ExtraMissingError: The keyring's package is not installed.
    """
    known = (*PROVIDERS, TELEGRAM)
    if provider not in known:
        raise ConfigError(f"no provider is called {provider}", hint=f"providers are: {', '.join(known)}")
    checked = _checked(key, "what was given", "paste the key alone, on one line")
    keyring = _keyring()
    try:
        keyring.set_password(SERVICE, provider, checked)
    except keyring.errors.KeyringError as error:
        raise _no_keyring(error, "models.key") from None


def _usual(provider: Provider, environment: Mapping[str, str]) -> str:
    for name in provider.variables:
        if environment.get(name, "").strip():
            return _checked(environment[name], f"the variable {name}", "set it to the key alone")
    if not provider.needs_key:
        return ""
    raise KeyUnavailableError(
        f"no key for {provider.name} was found",
        hint=f"export {provider.variables[0]}, or run `slowwave config set-key {provider.name}` "
        "and set models.key to keyring",
    )


def _from_keyring(entry: str, setting: str) -> str:
    keyring = _keyring()
    try:
        found = keyring.get_password(SERVICE, entry)
    except keyring.errors.KeyringError as error:
        raise _no_keyring(error, setting) from None
    store = f"run `slowwave config set-key {entry}`"
    return _checked(found or "", f"the keyring's entry {SERVICE}/{entry}", store)


def _keyring() -> ModuleType:
    try:
        return importlib.import_module("keyring")
    except ImportError:
        raise ExtraMissingError("the system's keyring", "keys") from None


def _no_keyring(error: Exception, setting: str) -> KeyUnavailableError:
    return KeyUnavailableError(
        f"the system's keyring cannot be used ({type(error).__name__})",
        hint=f"unlock it, or keep the key in a variable ({setting} = 'env:NAME') or a file ({setting} = 'file:PATH')",
    )


def _from_file(name: str, environment: Mapping[str, str], setting: str) -> str:
    path = Path(environment.get("HOME", "~") + name[1:] if name.startswith("~/") else name)
    if not path.is_absolute():
        raise ConfigError(f"the file of {setting} is named by a relative path", hint="write file:/PATH or file:~/PATH")
    try:
        content = _private_bytes(path)
    except OSError as error:
        raise KeyUnavailableError(
            f"the key file {path} cannot be read: {error.strerror}", hint="is it there?"
        ) from None
    return _checked(content.decode("utf-8", "replace"), f"the file {path}", "write the key alone into it, on one line")


def _private_bytes(path: Path) -> bytes:
    """The first bytes of a file that nobody but its owner can read; looked at open, so that it cannot be swapped."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode):
            raise KeyUnavailableError(f"the key file {path} is no file", hint="name the file itself")
        if seen.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise KeyUnavailableError(f"others could read the key file {path}", hint=f"chmod 600 {path}")
        return stream.read(KEY_BYTES + 1)


def _checked(text: str, where: str, hint: str) -> str:
    key = text.strip()
    if not key:
        raise KeyUnavailableError(f"{where} holds no key", hint=hint)
    if len(text) > KEY_BYTES or not _KEY.fullmatch(key):
        raise KeyUnavailableError(f"{where} holds something that is no key", hint=hint)
    return key
