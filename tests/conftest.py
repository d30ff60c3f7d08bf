"""What all tests share: where the public material lies, and a home of their own."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public transcripts, labels and attack texts beside the project; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared material is not beside the project")
    return SHARED
