"""``config set-key``: from standard input into the keyring, shown nowhere, taken from no argument."""

import io
import sys
from pathlib import Path
from types import ModuleType

import pytest
from made_nights import Place

KEY = "made-key-000111222"


def test_a_key_goes_from_standard_input_into_the_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept under the provider's name, and neither output holds it."""
    kept: dict[tuple[str, str], str] = {}
    made = ModuleType("keyring")
    vars(made)["set_password"] = lambda service, user, key: kept.update({(service, user): key})
    vars(made)["errors"] = type("errors", (), {"KeyringError": OSError})
    monkeypatch.setitem(sys.modules, "keyring", made)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    place = Place(tmp_path)
    ran = place.run("config", "set-key", "anthropic")
    assert ran.status == 0
    assert kept == {("slowwave", "anthropic"): KEY}
    assert KEY not in ran.out + ran.err
    assert place.run("config", "set-key", "anthropic", KEY).status == 2
    place.close()
