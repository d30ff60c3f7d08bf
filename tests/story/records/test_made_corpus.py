"""The corpus that is measured with is what it claims to be."""

from pathlib import Path

from make_corpus import make_corpus
from slowwave.records.secrets import Secrets
from slowwave.records.sessions import scan_folder


def test_the_same_seed_writes_the_same_bytes_and_all_of_it_reads(tmp_path: Path) -> None:
    """Every session of both agents is found without a loss, with a line of more than a megabyte among them."""
    for name in ("one", "two"):
        make_corpus(tmp_path / name, size=3_000_000, sessions=40, seed=3)
    files = {path.relative_to(tmp_path / "one"): path for path in (tmp_path / "one").rglob("*.jsonl")}
    assert all((tmp_path / "two" / name).read_bytes() == path.read_bytes() for name, path in files.items())
    assert max(len(line) for path in files.values() for line in path.read_bytes().split(b"\n")) > 1_000_000
    sessions, report = scan_folder(tmp_path / "one", secrets=Secrets(deep=False))
    assert len(sessions) == 40
    assert set(report.formats) == {"claude-code", "codex"}
    assert not report.losses
    assert any(session.side_files for session in sessions)
