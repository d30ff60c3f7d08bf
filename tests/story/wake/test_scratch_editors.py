"""Real editors beside the scratch: processes that save the page again and again, by renaming and by writing into it."""

import subprocess
import sys
from pathlib import Path

import pytest
from made_scratch import Desk, SayingJudge

from slowwave.wake.scratch.entry import ids_in

EDITOR = """
import os, sys, time
page, how, count, pause = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
print("ready", flush=True)
for number in range(count):
    try:
        with open(page, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        content = b""
    content += b"mine %d\\n" % number
    if how == "renaming":
        with open(page + ".tmp", "wb") as file:
            file.write(content)
        os.replace(page + ".tmp", page)
    else:
        with open(page, "wb" if how == "truncating" else "r+b") as file:
            file.write(content)
    time.sleep(pause)
"""


@pytest.mark.parametrize("how", ["renaming", "writing", "truncating"])
@pytest.mark.parametrize(("pause", "saves"), [(0.0005, 1_500), (0.004, 150)])
def test_what_a_person_saves_meanwhile_is_never_lost(tmp_path: Path, how: str, pause: float, saves: int) -> None:
    """Every line they saved stands at the end, and each entry once, however the two met."""
    desk = Desk(tmp_path)
    desk.scratch.add([desk.entry("first")])
    words = [sys.executable, "-c", EDITOR, str(desk.places.daily), how, str(saves), str(pause)]
    added: set[str] = set()
    with subprocess.Popen(words, stdout=subprocess.PIPE) as editor:
        assert editor.stdout is not None
        editor.stdout.readline()
        while editor.poll() is None:
            name = f"n{len(added)}"
            desk.scratch.add([desk.entry(name)])
            added.add(name)
            desk.scratch.synthesise(SayingJudge(words=f"Up to {name}."))
    assert editor.returncode == 0
    # An editor that read the page before an entry and saved it behind took the entry away; it is put in again.
    desk.scratch.add([desk.entry(name) for name in sorted(added)])
    lines = desk.page.splitlines()
    assert {b"mine %d" % number for number in range(saves)} <= set(lines)
    assert ids_in(desk.page) == {"first", *added}
    assert len([line for line in lines if line.endswith(b"-->") and line.startswith(b"- ")]) == len(added) + 1
    assert desk.page.count(b"slowwave:day") == 1
