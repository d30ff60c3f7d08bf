"""What most nights do not need is not loaded: no client library, no MCP, no keyring, for whoever has no model."""

import json
import subprocess
import sys

import pytest
from made_nights import Place, fix_session, write_all

HEAVY = ("pydantic_ai", "mcp", "keyring", "httpx2", "anyio", "anthropic", "openai", "google", "boto3", "botocore")
_SCRIPT = """
import json, sys
from slowwave.desk.cli import main
try:
    main()
finally:
    met = sorted({name.split(".")[0] for name in sys.modules} & set(json.loads(sys.stdin.read())))
    sys.stderr.write("LOADED " + json.dumps(met) + "\\n")
"""


@pytest.mark.parametrize("words", [("--help",), ("sleep", "--engine", "mined"), ("sleep",), ("cost",), ("consent",)])
def test_a_night_by_rules_loads_nothing_of_the_extras(place: Place, words: tuple[str, ...]) -> None:
    """The command runs, and at its end none of those packages is there."""
    write_all(place.transcripts, [fix_session(1), fix_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    place.close()
    ended = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *words],
        input=json.dumps(HEAVY),
        capture_output=True,
        text=True,
        check=False,
        env={**place.environment(), "SLOWWAVE_HOME": str(place.home)},
    )
    assert ended.returncode == 0, ended.stderr
    assert "LOADED []" in ended.stderr
