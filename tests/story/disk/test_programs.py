"""Other people's programs, really started: bounded in time and output, ended with all they started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from slowwave.disk.programs import End, Ended, Program, passed_on, run_program
from slowwave.facts.limits import PROGRAM_LINE_BYTES, PROGRAM_OUTPUT_BYTES


def run(folder: Path, script: str, *, said: bytes = b"", seconds: float = 30.0, **environment: str) -> Ended:
    """A Python script as a program."""
    program = Program(words=(sys.executable, "-c", script), environment=environment, folder=folder, said=said)
    return run_program(program, seconds=seconds, stopwatch=time.monotonic)


def is_gone(number: int) -> bool:
    """Whether no such process runs; one that only waits to be counted does not."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text("utf-8")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def test_what_it_says_and_how_it_ends_is_told(tmp_path: Path) -> None:
    """Both streams apart, the exit status, and the input to its end."""
    script = "import sys; print(sys.stdin.read().upper()); print('oh', file=sys.stderr); sys.exit(7)"
    ended = run(tmp_path, script, said=b"hello")
    assert ended == Ended(end=End.ENDED, status=7, out=b"HELLO\n", err=b"oh\n")


def test_its_environment_and_folder_are_what_is_passed(tmp_path: Path) -> None:
    """Nothing of ours leaks in, and its input is closed where nothing is said."""
    script = "import os, sys; print(sorted(os.environ), os.getcwd(), sys.stdin.read() == '', os.umask(0))"
    ended = run(tmp_path, script, ONE="1", LC_CTYPE="C")
    assert ended.out.decode().strip() == f"['LC_CTYPE', 'ONE'] {tmp_path} True {0o077}"


def test_only_named_variables_are_passed_on() -> None:
    """No key, no switch, no marker of an agent that runs us."""
    given = {"PATH": "/bin", "HOME": "/home/ann", "OPENAI_API_KEY": "k", "CLAUDECODE": "1", "OWN": "o"}
    assert passed_on(given, ("OWN", "ABSENT")) == {"PATH": "/bin", "HOME": "/home/ann", "OWN": "o"}


@pytest.mark.slow
def test_it_is_ended_when_its_time_is_over(tmp_path: Path) -> None:
    """Asked first: what it does then still happens, and is read."""
    script = (
        "import signal, sys, time\n"
        "def end(*_):\n    print('wrote it down', flush=True); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end); print('ready', flush=True); time.sleep(600)"
    )
    ended = run(tmp_path, script, seconds=2.0)
    assert (ended.end, ended.status) == (End.TOO_LONG, 0)
    assert ended.out == b"ready\nwrote it down\n"


@pytest.mark.slow
def test_one_that_will_not_end_is_killed(tmp_path: Path) -> None:
    """After the time it has to end by itself."""
    script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    ended = run(tmp_path, script, seconds=1.0)
    assert (ended.end, ended.status) == (End.TOO_LONG, -signal.SIGKILL)


def test_a_signal_is_told_apart_from_a_status(tmp_path: Path) -> None:
    """Below zero it is the signal."""
    ended = run(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGUSR1)")
    assert (ended.end, ended.status) == (End.ENDED, -signal.SIGUSR1)


def test_a_flood_is_drained_and_its_end_kept(tmp_path: Path) -> None:
    """Both streams at once, far more than a pipe holds: nothing waits, memory is bounded, the last words are there."""
    script = (
        "import sys\nfor _ in range(400):\n    sys.stdout.write('o' * 65536); sys.stderr.write('e' * 65536)\n"
        "print('LAST'); print('LAST', file=sys.stderr)"
    )
    ended = run(tmp_path, script)
    assert (len(ended.out), len(ended.err)) == (PROGRAM_OUTPUT_BYTES, PROGRAM_OUTPUT_BYTES)
    assert ended.out.endswith(b"LAST\n")
    assert ended.err.endswith(b"LAST\n")


def test_an_input_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    """A program may end, or close its input, before it has read all."""
    assert run(tmp_path, "print('read nothing')", said=b"x" * 1_000_000).out == b"read nothing\n"
    closed = run(tmp_path, "import os, time; os.close(0); time.sleep(0.3); print('closed')", said=b"x" * 1_000_000)
    assert closed.out == b"closed\n"


@pytest.mark.slow
def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    """Children that ignore being asked, and hold the streams open, are gone when the run is."""
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    script = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {child!r}]).pid)"
    ended = run(tmp_path, script)
    assert ended.end is End.ENDED
    assert is_gone(int(ended.out))


def test_an_interrupt_ends_the_program_too(tmp_path: Path) -> None:
    """Whoever stops a night stops what it started."""
    (tmp_path / "out").touch()

    def interrupt(line: bytes) -> bool:
        (tmp_path / "out").write_bytes(line)
        raise KeyboardInterrupt

    script = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    program = Program(words=(sys.executable, "-c", script), environment={}, folder=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_program(program, seconds=30, stopwatch=time.monotonic, watch=interrupt)
    assert is_gone(int((tmp_path / "out").read_bytes()))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_us_ends_the_program_too(tmp_path: Path, number: signal.Signals) -> None:
    """What it started is gone first, and so is what whoever runs it cleans up; then the signal ends us as ever."""
    inner = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    script = (
        "import sys, time\nfrom pathlib import Path\n"
        "from slowwave.disk.programs import Program, deferred_signals, run_program\n"
        f"program = Program(words=(sys.executable, '-c', {inner!r}), environment={{}}, folder=Path('.'))\n"
        "def watch(line):\n    print(line.decode(), flush=True)\n    return True\n"
        "with deferred_signals():\n"
        "    run_program(program, seconds=60, stopwatch=time.monotonic, watch=watch)\n"
        "    print('cleaned', flush=True)\n"
        "print('went on', flush=True)"
    )
    words = (sys.executable, "-c", script)
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=tmp_path, text=True) as running:
        assert running.stdout is not None
        child = int(running.stdout.readline())
        running.send_signal(number)
        rest = running.stdout.read()
    assert (running.returncode, rest) == (-number, "cleaned\n")
    assert is_gone(child)


def test_whoever_watches_sees_whole_lines_and_may_stop_it(tmp_path: Path) -> None:
    """Lines come as they are written; False ends the program, and nothing more is shown."""
    script = "import sys, time\nfor n in range(3):\n    print('line', n, flush=True)\ntime.sleep(600)"
    program = Program(words=(sys.executable, "-c", script), environment={}, folder=tmp_path)
    seen: list[bytes] = []

    def watch(line: bytes) -> bool:
        seen.append(line)
        return line != b"line 2"

    ended = run_program(program, seconds=30, stopwatch=time.monotonic, watch=watch)
    assert ended.end is End.STOPPED
    assert seen == [b"line 0", b"line 1", b"line 2"]


def test_one_that_is_stopped_is_not_asked(tmp_path: Path) -> None:
    """It is killed at once: what it would do when asked to end does not happen."""
    script = (
        "import signal, sys, time\n"
        "def end(*_):\n    open('asked', 'w').close(); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end); print('stray', flush=True); time.sleep(600)"
    )
    program = Program(words=(sys.executable, "-c", script), environment={}, folder=tmp_path)
    ended = run_program(program, seconds=30, stopwatch=time.monotonic, watch=lambda _: False)
    assert (ended.end, ended.status) == (End.STOPPED, -signal.SIGKILL)
    assert not (tmp_path / "asked").exists()


def test_a_line_without_end_is_passed_over(tmp_path: Path) -> None:
    """It fills no memory, and the lines around it are seen."""
    script = f"import sys; sys.stdout.write('before\\n' + 'x' * {PROGRAM_LINE_BYTES + 1} + '\\nafter\\n')"
    program = Program(words=(sys.executable, "-c", script), environment={}, folder=tmp_path)
    seen: list[bytes] = []

    def watch(line: bytes) -> bool:
        seen.append(line)
        return True

    run_program(program, seconds=60, stopwatch=time.monotonic, watch=watch)
    assert seen == [b"before", b"after"]


@pytest.mark.parametrize("words", [("/nowhere/at-all",), (os.sep,), ("nul\0",)])
def test_what_cannot_be_started_says_so(tmp_path: Path, words: tuple[str, ...]) -> None:
    """No file, a folder, no name at all: a value like any other end."""
    ended = run_program(Program(words=words, environment={}, folder=tmp_path), seconds=5, stopwatch=time.monotonic)
    assert ended.end is End.UNSTARTABLE
    assert ended.err
