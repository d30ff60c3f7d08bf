"""What is written for systemd, launchd and cron, read by themselves where they are to be had."""

import json
import plistlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from slowwave.desk.schedule import crontab, launchd, systemd
from slowwave.desk.schedule.plan import MARK, Plan, ScheduleError, check_word, label_of

AWKWARD = [
    "/home/ann/my home",
    "/home/ann/it's",
    '/home/ann/say "so"',
    "/home/ann/100%h",
    "/home/ann/$HOME/${x}$$",
    "/home/ann/back\\slash\\n",
    "/home/ann/höme ☃",
    "/home/ann/a;b&c|d>e`f`#g*?[h]~!",
    "/home/ann/-x --y",
]


def plan(home: str = "/home/ann/my home", *, zone: str = "", brief: str = "07:00", program: str = "") -> Plan:
    """A plan with a home of this name."""
    hours = {"sleep": "03:30", "brief": brief} if brief else {"sleep": "03:30"}
    return Plan(
        program=(program or "/opt/slow wave/python", "-m", "slowwave"),
        home=Path(home),
        hours=hours,
        zone=zone,
        path="/opt/my git:/usr/bin",
    )


def test_the_loop_is_a_service_and_each_task_has_a_timer_that_makes_up_for_missed_hours() -> None:
    """The units by name, and what of them is enabled."""
    units = systemd.unit_files(plan(zone="Europe/Berlin"))
    assert sorted(units) == [
        "slowwave-brief.service",
        "slowwave-brief.timer",
        "slowwave-sleep.service",
        "slowwave-sleep.timer",
        "slowwave-wake.service",
    ]
    assert systemd.started(plan()) == ("slowwave-wake.service", "slowwave-sleep.timer", "slowwave-brief.timer")
    timer = units["slowwave-sleep.timer"].splitlines()
    assert "OnCalendar=*-*-* 03:30:00 Europe/Berlin" in timer
    assert "Persistent=true" in timer
    assert "OnCalendar=*-*-* 07:00:00" in systemd.unit_files(plan())["slowwave-brief.timer"].splitlines()
    assert all(MARK in text for text in units.values())


def test_a_task_without_an_hour_is_not_scheduled() -> None:
    """``schedule.brief`` may be empty."""
    without = plan(brief="")
    assert "slowwave-brief.timer" not in systemd.unit_files(without)
    assert set(launchd.agents(without)) == {"slowwave.wake", "slowwave.sleep"}
    assert not any("brief" in line for line in crontab.lines(without))


@pytest.mark.parametrize("home", AWKWARD)
def test_systemd_itself_finds_no_fault(home: str, tmp_path: Path) -> None:
    """``systemd-analyze verify`` reads every unit, a program with a blank in its path among them."""
    verifier = shutil.which("systemd-analyze")
    if verifier is None:
        pytest.skip("systemd-analyze is not on this machine")
    program = tmp_path / "my python"
    program.write_text("#!/bin/sh\n", "ascii")
    program.chmod(0o755)
    units = systemd.unit_files(plan(home, zone="Europe/Berlin", program=str(program)))
    for name, text in units.items():
        (tmp_path / name).write_text(text, "utf-8")
    verified = subprocess.run(
        [verifier, "verify", "--user", "--man=no", *(str(tmp_path / name) for name in units)],
        capture_output=True,
        text=True,
        check=False,
        env={"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
    )
    ours = [line for line in verified.stderr.splitlines() if "slowwave" in line]
    assert (verified.returncode, ours) == (0, []), verified.stderr


@pytest.mark.parametrize("home", AWKWARD)
def test_systemd_reads_the_home_that_was_meant(home: str) -> None:
    """Its escapes taken back by its own rules: backslash, then two percent signs, then two dollars."""
    line = systemd.unit_files(plan(home))["slowwave-wake.service"].split("ExecStart=")[1].splitlines()[0]
    words = shlex.split(line.replace("%%", "%"), posix=True)
    assert [word.replace("$$", "$") for word in words[1:]] == ["-m", "slowwave", "wake", "--home", home]
    assert words[0] == "/opt/slow wave/python"


@pytest.mark.parametrize("home", AWKWARD)
def test_launchd_reads_the_home_that_was_meant(home: str) -> None:
    """A property list holds words as they are."""
    agents = {label: plistlib.loads(content) for label, content in launchd.agents(plan(home)).items()}
    assert {label: tree["Label"] for label, tree in agents.items()} == {label: label for label in agents}
    sleep = agents["slowwave.sleep"]
    assert sleep["ProgramArguments"][-2:] == ["--home", home]
    assert sleep["StartCalendarInterval"] == {"Hour": 3, "Minute": 30}
    assert sleep["EnvironmentVariables"] == {"PATH": "/opt/my git:/usr/bin"}
    assert agents["slowwave.wake"]["KeepAlive"] is True


@pytest.mark.parametrize("home", AWKWARD)
def test_cron_and_its_shell_read_the_home_that_was_meant(home: str, tmp_path: Path) -> None:
    """Cron takes backslashes before percent signs away, then a shell runs the line."""
    shown = tmp_path / "shown"
    program = tmp_path / "my program"
    script = f"#!{sys.executable}\nimport json, os, sys\n"
    script += f"open({str(shown)!r}, 'w').write(json.dumps([os.environ['PATH'], *sys.argv[1:]]))\n"
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    made = plan(home, program=str(program))
    night = next(line for line in crontab.lines(made) if line.startswith("30 3 * * * "))
    command = night.removeprefix("30 3 * * * ")
    assert "%" not in command.replace("\\%", "")
    subprocess.run(["/bin/sh", "-c", command.replace("\\%", "%")], check=True)
    told = json.loads(shown.read_text("utf-8"))
    assert told == ["/opt/my git:/usr/bin", "-m", "slowwave", "schedule", "run", "sleep", "--home", home]


@pytest.mark.parametrize("word", ["a\nb", "a\rb", "a\0b", "a\x1bb", "\udcff"])
def test_what_no_scheduler_can_be_told_is_refused(word: str) -> None:
    """A line break would begin a line of its own in a unit or a crontab."""
    with pytest.raises(ScheduleError):
        check_word(word)
    for write in (systemd.unit_files, launchd.agents, crontab.lines):
        with pytest.raises(ScheduleError):
            write(plan(f"/home/ann/{word}"))


def test_our_lines_stand_between_marks_and_others_stay_byte_for_byte() -> None:
    """Written twice they stand once; taken away nothing is left."""
    theirs = "MAILTO=ann\n0 4 * * * backup  # nightly\n\n# end"
    once = crontab.with_ours(theirs, plan())
    assert once.startswith(f"{theirs}\n# >>> slowwave >>>\n")
    assert crontab.with_ours(once, plan()) == once
    assert crontab.without_ours(once, "slowwave") == f"{theirs}\n"
    later = crontab.with_ours(once, plan(brief="08:15"))
    assert "15 8 * * *" in later
    assert "0 7 * * *" not in later


def test_another_home_has_lines_of_its_own() -> None:
    """Two homes of one user do not take each other's away."""
    usual, other = Path("/home/ann/.local/share/slowwave"), Path("/home/ann/work")
    assert label_of(usual, usual) == "slowwave"
    label = label_of(other, usual)
    assert label.startswith("slowwave-")
    both = crontab.with_ours(
        crontab.with_ours("", plan()),
        Plan(program=("/opt/python",), home=other, hours={"sleep": "02:00"}, label=label),
    )
    assert crontab.without_ours(both, label) == crontab.with_ours("", plan())


@pytest.mark.parametrize(
    "table",
    ["# >>> slowwave >>>\n", "# <<< slowwave <<<\n", "# >>> slowwave >>>\n# >>> slowwave >>>\n# <<< slowwave <<<\n"],
)
def test_marks_that_do_not_pair_are_left_to_their_owner(table: str) -> None:
    """Whatever stands behind a lost mark may be somebody's own."""
    with pytest.raises(ScheduleError, match="do not pair"):
        crontab.without_ours(table, "slowwave")
