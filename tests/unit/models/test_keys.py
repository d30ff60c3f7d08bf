"""Keys: each place one may be, and every way in which it is not there; no message shows one."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import ValidationError

from slowwave.disk.config import ConfigError, ModelSettings
from slowwave.facts.limits import KEY_BYTES
from slowwave.facts.refusal import ExtraMissingError, SlowwaveError
from slowwave.models.keys import KeyUnavailableError, read_key, store_key

KEY = "made-key-000111222"


def settings(key: str = "", provider: str = "anthropic") -> ModelSettings:
    """Settings whose key is somewhere."""
    return ModelSettings.model_validate({"provider": provider, "model": "m", "key": key})


class MadeKeyring(ModuleType):
    """A keyring in memory; locked, it refuses as the real one does."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False
        self.errors = ModuleType("keyring.errors")
        vars(self.errors)["KeyringError"] = type("KeyringError", (Exception,), {})

    def _open(self) -> None:
        if self.is_locked:
            raise vars(self.errors)["KeyringError"](KEY)

    def get_password(self, service: str, user: str) -> str | None:
        """What is kept."""
        self._open()
        return self.kept.get((service, user))

    def set_password(self, service: str, user: str, secret: str) -> None:
        """Keep something."""
        self._open()
        self.kept[service, user] = secret


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeKeyring]:
    """The system's keyring is ours."""
    made = MadeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", made)
    yield made
    assert KEY not in repr(settings("keyring"))


def refused(key: str, environment: dict[str, str], provider: str = "anthropic") -> SlowwaveError:
    """The error about a key, which never holds it."""
    with pytest.raises(SlowwaveError) as met:
        read_key(settings(key, provider), environment)
    told = f"{met.value.message} {met.value.hint} {met.value!r} {met.value.__cause__!r}"
    assert KEY not in told
    assert met.value.hint
    return met.value


def test_the_usual_variable() -> None:
    """Without a place, each provider's own variable; of several the first that is set."""
    assert read_key(settings(), {"ANTHROPIC_API_KEY": f" {KEY}\n", "OPENAI_API_KEY": "other"}) == KEY
    assert read_key(settings(provider="gemini"), {"GOOGLE_API_KEY": KEY, "GEMINI_API_KEY": ""}) == KEY
    assert refused("", {"OPENAI_API_KEY": KEY}).code == "key_unavailable"
    assert refused("", {"ANTHROPIC_API_KEY": "  "}).code == "key_unavailable"


def test_a_key_for_openai_does_not_go_to_others() -> None:
    """Who only speaks OpenAI's protocol gets a key of its own, or none."""
    assert read_key(settings(provider="openai-compatible"), {"OPENAI_API_KEY": KEY}) == ""
    assert read_key(settings(provider="ollama"), {"OPENAI_API_KEY": KEY}) == ""
    assert read_key(settings(provider="openai-compatible"), {"SLOWWAVE_MODEL_KEY": KEY}) == KEY


def test_a_named_variable() -> None:
    """It is that one or none."""
    assert read_key(settings("env:MINE"), {"MINE": KEY, "ANTHROPIC_API_KEY": "other"}) == KEY
    assert refused("env:MINE", {"ANTHROPIC_API_KEY": KEY}).code == "key_unavailable"


@pytest.mark.parametrize("written", [KEY, "env:", "file:", "keyring:x", "vault:x"])
def test_a_place_that_is_none(written: str) -> None:
    """A key written where its place should stand is refused as a setting."""
    with pytest.raises(ValidationError, match="never the key"):
        settings(written)


def test_a_file_is_named_whole() -> None:
    """Where a command is started does not decide which file is read."""
    assert isinstance(refused("file:relative/key", {}), ConfigError)


@pytest.mark.parametrize("odd", ["two words", "with\nline: other", "größe", "x" * (KEY_BYTES + 1), "nul\0"])
def test_what_is_no_key(odd: str) -> None:
    """A key fits into one header."""
    assert refused("env:MINE", {"MINE": odd}).code == "key_unavailable"


def test_a_private_file(tmp_path: Path) -> None:
    """Read where only its owner can; below the home folder too."""
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n", "utf-8")
    path.chmod(0o600)
    assert read_key(settings(f"file:{path}"), {}) == KEY
    assert read_key(settings("file:~/key"), {"HOME": str(tmp_path)}) == KEY
    for mode in (0o640, 0o604, 0o620, 0o777):
        path.chmod(mode)
        assert "others could read" in refused(f"file:{path}", {}).message


def test_files_that_hold_no_key(tmp_path: Path) -> None:
    """Absent, a folder, a pipe, empty, too large, no text: each is said, none hangs."""
    assert refused(f"file:{tmp_path / 'absent'}", {}).code == "key_unavailable"
    assert refused(f"file:{tmp_path}", {}).code == "key_unavailable"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    assert "is no file" in refused(f"file:{pipe}", {}).message
    for name, content in (("empty", b""), ("large", b"x" * (KEY_BYTES + 10)), ("binary", b"\xff\xfe\x00")):
        path = tmp_path / name
        path.write_bytes(content)
        path.chmod(0o600)
        assert refused(f"file:{path}", {}).code == "key_unavailable"


def test_the_keyring(keyring: MadeKeyring) -> None:
    """Stored and found under our name and the provider's."""
    store_key("anthropic", f"{KEY}\n")
    assert keyring.kept == {("slowwave", "anthropic"): KEY}
    assert read_key(settings("keyring"), {}) == KEY
    assert "set-key gemini" in refused("keyring", {}, "gemini").hint


def test_a_keyring_that_is_locked_or_absent(keyring: MadeKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend's own words may hold anything and are left out; a missing package is named."""
    keyring.is_locked = True
    assert "KeyringError" in refused("keyring", {}).message
    with pytest.raises(KeyUnavailableError) as met:
        store_key("anthropic", KEY)
    assert KEY not in f"{met.value.message}{met.value.hint}"
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ExtraMissingError):
        read_key(settings("keyring"), {})


def test_what_is_no_key_is_not_stored(keyring: MadeKeyring) -> None:
    """Nor is a key for nobody."""
    for provider, key in (("anthropic", "two words"), ("anthropic", ""), ("nobody", KEY)):
        with pytest.raises(SlowwaveError):
            store_key(provider, key)
    assert keyring.kept == {}
