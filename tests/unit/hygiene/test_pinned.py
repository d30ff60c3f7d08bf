"""What a person pinned: read as it was written, and never dropped in silence."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.facts.refusal import DamageError, UsageError
from slowwave.hygiene import pinned
from slowwave.hygiene.pinned import Pinned, pin, read_pins, unpin, write_pins

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def _pin(number: int, pins: tuple[Pinned, ...] = (), why: str = "") -> tuple[Pinned, ...]:
    return pin(pins, digest=f"{number:016x}", item=f"result:toolu_{number}", why=why, moment=MOMENT)


def test_pins_come_back_as_they_were(tmp_path: Path) -> None:
    """In their order, with whatever reason somebody gave."""
    pins = _pin(2, _pin(1, why='because "it" says\nso: größe \u2028'))
    write_pins(tmp_path / "pins", pins)
    assert read_pins(tmp_path / "pins") == pins
    assert pins[0].at == "2026-01-02T03:04:05Z"
    write_pins(tmp_path / "pins", ())
    assert read_pins(tmp_path / "pins") == ()


def test_no_file_is_no_pins(tmp_path: Path) -> None:
    """Nothing is made by asking."""
    assert read_pins(tmp_path / "pins") == ()
    assert not (tmp_path / "pins").exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"[]\n",
        b"3\n",
        b'{"digest": "a", "item": "b", "why": "c"}\n',
        b'{"digest": "a", "item": "b", "why": "c", "at": "d"}\n{"torn\n',
        b'{"digest": "a", "item": "b", "why": "c", "at": "d"}\n\n',
        b"\xff\n",
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_told_and_nothing_is_curated_meanwhile(tmp_path: Path, raw: bytes) -> None:
    """A pin that cannot be read may be the one that mattered."""
    (tmp_path / "pins").write_bytes(raw)
    with pytest.raises(DamageError) as caught:
        read_pins(tmp_path / "pins")
    assert caught.value.exit_status == 4


def test_a_pin_is_set_once_and_taken_away_by_either_name() -> None:
    """The first reason stays."""
    pins = _pin(1, why="first")
    assert _pin(1, pins, why="second") == pins
    assert unpin(_pin(2, pins), "result:toolu_1") == _pin(2)
    assert unpin(_pin(2, pins), f"{2:016x}") == pins
    assert unpin(pins, "nobody") == pins


def test_no_pin_is_dropped_for_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where there are as many as there may be, the next one is refused."""
    monkeypatch.setattr(pinned, "MOST_PINS", 2)
    pins = _pin(2, _pin(1))
    with pytest.raises(UsageError):
        _pin(3, pins)
    assert _pin(2, pins) == pins
    write_pins(tmp_path / "pins", pins)
    assert len(read_pins(tmp_path / "pins")) == 2
