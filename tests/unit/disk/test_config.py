"""The settings: written, read back, and refused where a key is not known."""

from pathlib import Path

import pytest

from slowwave.disk.config import Config, ConfigError, Exclude, SleepSettings, SourceSettings, read_config, write_config

HARD = ('/home/ann/a "b"\\c', "/tmp/😀 größer", "with\ttab\nand line", "del\x7fete", "")


def test_settings_read_back_as_they_were_written(tmp_path: Path) -> None:
    """Quotes, backslashes, control characters and any script survive the way through TOML."""
    config = Config(
        sources=SourceSettings(transcripts=HARD, exclude=Exclude(projects=HARD, paths=HARD, sessions=HARD)),
        sleep=SleepSettings(first_night_seconds=12.5, night_seconds=3),
    )
    write_config(tmp_path, config)
    assert read_config(tmp_path) == config


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    """No file, no trouble: nothing excluded, a first night of 40 seconds."""
    assert read_config(tmp_path) == Config()
    assert Config().sleep.first_night_seconds == 40


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[sources.exclude]\nproject = ["x"]', "sources.exclude.project"),
        ("[slep]\nnight_seconds = 1", "slep"),
        ("[sleep]\nnight_seconds = -1", "sleep.night_seconds"),
        ('[sources]\ntranscripts = "x"', "sources.transcripts"),
        ("[sources\n", "is no TOML"),
        ("\xff", "TOML"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(tmp_path: Path, text: str, told: str) -> None:
    """A misspelt key, a wrong value, no TOML: refused with what it is about, exit status 2."""
    (tmp_path / "config.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=told) as refused:
        read_config(tmp_path)
    assert refused.value.exit_status == 2


def test_a_name_that_is_no_text_is_refused_and_nothing_written(tmp_path: Path) -> None:
    """A folder name that is no UTF-8 cannot stand in TOML; the old settings stay."""
    write_config(tmp_path, Config())
    before = (tmp_path / "config.toml").read_bytes()
    with pytest.raises(ConfigError):
        write_config(tmp_path, Config(sources=SourceSettings(transcripts=("/x/\udcff",))))
    assert (tmp_path / "config.toml").read_bytes() == before
