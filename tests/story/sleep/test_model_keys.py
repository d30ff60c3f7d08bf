"""A key from where the person keeps it to the one header it belongs in, over a whole night; it is written nowhere."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest
from made_model_nights import CLAIM, configure, honest
from made_nights import Place, large_session, write_all
from made_providers import KEY, PROVIDERS, MadeProvider

from slowwave.models.providers import PROVIDERS as KNOWN

CARRIERS = {"authorization", "x-api-key", "x-goog-api-key"}
pytestmark = pytest.mark.slow


def night(place: Place, provider: str, key: str = "", environment: Mapping[str, str] | None = None) -> None:
    """A night with a provider, held to where the key went: each request's one header, and nowhere else."""
    write_all(place.transcripts, [large_session(1), large_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    keyless = {name for one in KNOWN.values() for name in one.variables}
    given = {name: value for name, value in place.environment().items() if name not in keyless}
    with MadeProvider(honest) as made:
        path = "/v1" if provider.startswith("openai") or provider == "llamacpp" else ""
        more = {"models.provider": provider, "models.base_url": made.origin + path}
        configure(place, made.origin, **more, **({"models.key": key} if key else {}))
        ran = place.run("sleep", "--engine", "model", "--keep-turns", environment={**given, **(environment or {})})
    assert ran.status == 0, ran.err
    assert CLAIM in {memory["claim"] for memory in ran.content["memories"]}, ran.out
    cost = place.run("cost", "--calls")
    assert len(cost.content["calls"]) == len(made.questions) == 3
    for question in made.questions:
        carried = {name: value for name, value in question.headers.items() if KEY in value}
        wanted = 1 if key or environment else 0
        assert len(carried) == len(CARRIERS & set(question.headers)) == wanted
        assert set(carried) <= CARRIERS
        assert KEY not in str(question.body) + question.path
    assert KEY not in ran.out + ran.err + cost.out + cost.err
    place.close()
    for file in place.home.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    assert KEY not in place.git("log", "--all", "-p")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_usual_variable_of_each_provider(place: Place, provider: str) -> None:
    """Set where everybody sets it, nothing else configured; who has no variable is asked without a key."""
    variables = KNOWN[provider].variables
    night(place, provider, environment={variables[0]: KEY} if variables else None)


def test_the_keyring(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found under our name and the provider's."""
    made = ModuleType("keyring")
    kept = {("slowwave", "anthropic"): KEY}
    vars(made)["get_password"] = lambda service, user: kept.get((service, user))
    vars(made)["errors"] = type("errors", (), {"KeyringError": OSError})
    monkeypatch.setitem(sys.modules, "keyring", made)
    night(place, "anthropic", key="keyring")


def test_a_private_file(place: Place, tmp_path: Path) -> None:
    """Beside the home, for its owner alone."""
    path = tmp_path / "provider.key"
    path.write_text(f"{KEY}\n", "utf-8")
    path.chmod(0o600)
    night(place, "gemini", key=f"file:{path}")
