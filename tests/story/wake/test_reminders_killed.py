"""A process that sends reminders is killed between sending and marking: nothing is lost, and the key stays the same."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from made_notices import DUE, NEVER_QUIET, MadeNotifier, reminder
from made_servers import Asked, Webhook, serving

from slowwave.wake.book import Book
from slowwave.wake.delivery import deliver_due
from slowwave.wake.reminders import Status, enqueue_message, find_reminder, list_reminders

_DELIVER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from slowwave.disk.config import Config, NotifySettings
from slowwave.wake.book import Book
from slowwave.wake.channels import Channels
from slowwave.wake.delivery import deliver_due
from slowwave.wake.quiet import QuietHours

now = datetime.fromisoformat(sys.argv[2])
channels = Channels(Config(notify=NotifySettings(urls=tuple(sys.argv[3:]))), environment={}, clock=lambda: now,
                    stopwatch=monotonic, folder=Path("/"))
print(dict(deliver_due(Book(Path(sys.argv[1])), channels, now, QuietHours(start="", end="", zone=UTC))))
"""
_ENQUEUE = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from slowwave.wake.book import Book
from slowwave.wake.reminders import Reminder, enqueue_message

now = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
book = Book(Path(sys.argv[1]))
for number in range(10_000):
    enqueue_message(book, Reminder(capture_id=f"c-{number}", text="call Ann", due=now, created=now))
    print(number, flush=True)
"""


def deliver(book: Path, *urls: str) -> "subprocess.CompletedProcess[str]":
    """A process that delivers what is due."""
    return subprocess.run(
        [sys.executable, "-c", _DELIVER, str(book), DUE.isoformat(), *urls],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A book with a reminder."""
    book = Book(tmp_path / "wake.db")
    enqueue_message(book, reminder())
    book.close()
    return tmp_path / "wake.db"


def test_killed_while_a_webhook_answers(place: Path, tmp_path: Path) -> None:
    """The next process sends over that channel again, by the same key, and not over the one before it."""
    killed = tmp_path / "killed"

    def kill(_: Asked) -> tuple[int, object]:
        if not killed.exists():
            killed.touch()
            os.kill(int(pid.read_text("utf-8")), signal.SIGKILL)
        return 200, {}

    # The command stands first and takes the notice, and tells who its parent is: the process that is killed.
    pid = tmp_path / "pid"
    command = f"command:{sys.executable} -c \"import os; open('{pid}', 'a').write(str(os.getppid()))\""
    with serving(Webhook(answer=kill)) as hook:
        urls = (command, f"json://127.0.0.1:{hook.port}/in")
        assert deliver(place, *urls).returncode == -signal.SIGKILL
        book = Book(place)
        assert find_reminder(book, reminder().id).status is Status.SENDING
        book.close()
        first = pid.read_text("utf-8")
        again = deliver(place, *urls)
        assert again.stdout.strip() == "{'sent': 1}", again.stderr
        assert deliver(place, *urls).stdout.strip() == "{}"
    assert [asked.headers["idempotency-key"] for asked in hook.asked] == [reminder().id] * 2
    assert pid.read_text("utf-8") == first


def test_killed_while_a_command_runs(place: Path, tmp_path: Path) -> None:
    """It is run again with the same key."""
    keys = tmp_path / "keys"
    script = tmp_path / "show.py"
    script.write_text(
        f"import os, signal\nseen = os.path.exists({str(keys)!r})\n"
        f"open({str(keys)!r}, 'a').write(os.environ['SLOWWAVE_KEY'] + '\\n')\n"
        "seen or os.kill(os.getppid(), signal.SIGKILL)\n",
        "utf-8",
    )
    url = f"command:{sys.executable} {script}"
    assert deliver(place, url).returncode == -signal.SIGKILL
    assert deliver(place, url).stdout.strip() == "{'sent': 1}"
    assert keys.read_text("utf-8").splitlines() == [reminder().id] * 2


def test_killed_while_queueing(tmp_path: Path) -> None:
    """What was said to be queued is; queueing all again doubles nothing; all of it leaves."""
    path = tmp_path / "wake.db"
    running = subprocess.Popen([sys.executable, "-c", _ENQUEUE, str(path)], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    said = [running.stdout.readline() for _ in range(25)]
    running.kill()
    said += running.stdout.readlines()
    running.stdout.close()
    running.wait()
    book = Book(path)
    queued = {one.capture_id for one in list_reminders(book)}
    whole = [int(line) for line in said if line.endswith("\n")]
    assert {f"c-{number}" for number in whole} <= queued
    assert len(queued) <= len(whole) + 1
    for number in range(len(whole) + 1):
        enqueue_message(book, reminder(f"c-{number}"))
    notifier = MadeNotifier(channels=("file",))
    while deliver_due(book, notifier, DUE, NEVER_QUIET):
        pass
    book.close()
    keys = [notice.key for notice in notifier.taken["file"]]
    assert len(keys) == len(set(keys)) == len(whole) + 1


def test_a_file_may_hold_a_notice_twice_but_never_half(place: Path, tmp_path: Path) -> None:
    """Killed at any of its writes, the file is whole lines once the next process has written."""
    out = tmp_path / "got.jsonl"
    out.write_bytes(b'{"key": "r-0"}\n{"key": "r-half')
    assert deliver(place, out.as_uri()).stdout.strip() == "{'sent': 1}"
    lines = out.read_text("utf-8").splitlines()
    assert json.loads(lines[-1])["key"] == reminder().id
    assert len(lines) == 3
