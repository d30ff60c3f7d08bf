"""What git keeps for us: no path of a machine, no host of a registry, no secret, nothing silenced."""

import re
from pathlib import Path

import pytest
from made_source import ROOT, sources, tracked

from slowwave.records.secrets import Secrets

HOMES = [("/", "home", "/"), ("/", "Users", "/"), ("/", "root", "/"), ("/", "work", "/main"), ("/", "mnt", "/")]
MACHINE = re.compile("|".join(re.escape("".join(parts)) + r"[\w.-]*" for parts in HOMES))
"""Assembled here, so that this file does not hold what it looks for."""
INVENTED = re.compile(r"^/(?:home|Users)/(?:ann|ben|robin|someone|some|me|you|x|u|user|alice|bob|dev|kim|runner)?$")
"""Homes of made-up people in made-up sessions."""
REGISTRIES = [("pypi", "org"), ("files.", "pythonhosted.org"), ("registry.", "npmjs.org"), ("proxy.", "golang.org")]
REGISTRY = re.compile("|".join(re.escape(first + second) for first, second in REGISTRIES[1:]))
TEXT = {".py", ".md", ".toml", ".txt", ".play", ".tsv", ".yml", ".yaml", ".json", ".cfg", ".ini", ""}
HASHES = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def texts() -> list[tuple[Path, str]]:
    """Every tracked text with its name."""
    return [(path.relative_to(ROOT), path.read_text("utf-8")) for path in tracked() if path.suffix in TEXT]


def test_no_path_of_a_machine_stands_in_a_file() -> None:
    """Whoever clones this finds no folder of anybody's in it."""
    met = [(str(name), hit) for name, text in texts() for hit in MACHINE.findall(text) if not INVENTED.match(hit)]
    assert met == []


def test_no_registry_is_named() -> None:
    """Packages come from wherever the person's own tools take them."""
    assert [str(name) for name, text in texts() if REGISTRY.search(text)] == []


@pytest.mark.slow
def test_no_secret_shape_stands_in_a_file() -> None:
    """Our own detector finds nothing in what we publish; samples are put together when a test runs."""
    secrets = Secrets()
    met = []
    for name, text in texts():
        plain = HASHES.sub("", text)
        met += [(str(name), span.kind, plain[span.start : span.start + 12]) for span in secrets.find(plain)]
    assert met == []


def test_nothing_is_silenced_or_left_for_later() -> None:
    """No rule is switched off on a line, no type is ignored, nothing waits to be done."""
    marks = ("# no" + "qa", "type: " + "ignore", "# TO" + "DO", "FIX" + "ME", "pragma: no " + "cover")
    met = [(str(name), mark) for name, text in texts() if name.suffix == ".py" for mark in marks if mark in text]
    assert met == []


def test_every_file_is_kept_for_a_reason() -> None:
    """No cache, no build, no editor's folder is tracked, and no file is larger than a page of samples."""
    names = [path.relative_to(ROOT).as_posix() for path in tracked()]
    assert [
        name for name in names if re.search(r"__pycache__|\.egg-info|\.DS_Store|\.idea|\.vscode|\.orig$", name)
    ] == []
    assert [path.name for path in tracked() if path.stat().st_size > 300_000] == []


def test_every_limit_has_its_reason() -> None:
    """Each bound in ``facts/limits.py`` stands once, with a reason on its line."""
    (limits,) = [source for source in sources() if source.name == "facts/limits.py"]
    for line in limits.text.splitlines():
        if re.match(r"[A-Z_]+ = ", line) and not line.startswith(("CORPUS_FORMAT", "STATE_FORMAT")):
            assert "  # " in line, line
