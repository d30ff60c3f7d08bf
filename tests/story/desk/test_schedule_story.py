"""``slowwave schedule`` with schedulers of this test's own: put in place, brought up to date, taken away."""

import plistlib
from pathlib import Path

import pytest
from made_nights import Place, fingerprint
from made_schedulers import Schedulers

from slowwave.desk.schedule.installing import KINDS, scheduler_of
from slowwave.desk.schedule.machine import Machine
from slowwave.desk.schedule.plan import ScheduleError
from slowwave.desk.schedule.verbs import describe, install, plan_of, remove


class Desk:
    """A home, and the machine that is to run it."""

    def __init__(self, folder: Path, *names: str, system: str = "linux") -> None:
        self.schedulers = Schedulers(folder, *names)
        self.place = Place(folder / "it's at home")
        self.machine = Machine(environment=self.schedulers.environment(), system=system, user_id=501)

    @property
    def label(self) -> str:
        """The name of what is written for this home, which is not the usual one."""
        return plan_of(self.place.house).label

    def files(self) -> set[str]:
        """Everything in the user's folder."""
        return set(fingerprint(self.schedulers.user))


def test_systemd_is_told_once_and_everything_goes_again(tmp_path: Path) -> None:
    """Install, again, status, remove, again."""
    desk = Desk(tmp_path, "systemctl", "crontab")
    units = desk.schedulers.user / ".config" / "systemd" / "user"
    units.mkdir(parents=True)
    (units / "backup.timer").write_text("theirs", "ascii")
    described = install(desk.place.house, desk.machine, "", only_shows=False)
    assert described["kind"] == "systemd"
    label = desk.label
    wanted = [f"{label}-brief.timer", f"{label}-sleep.timer", f"{label}-wake.service"]
    assert desk.schedulers.active() == wanted
    assert [words[2] for words in desk.schedulers.told() if words[0] == "systemctl"] == [
        "show-environment",
        *["is-active"] * 3,
        "daemon-reload",
        "enable",
    ]
    before = fingerprint(desk.schedulers.user)
    install(desk.place.house, desk.machine, "", only_shows=False)
    assert fingerprint(desk.schedulers.user) == before
    standing = describe(desk.place.house, desk.machine, "")
    assert (standing["kind"], standing["isInstalled"], standing["isCurrent"]) == ("systemd", True, True)
    assert [part["isActive"] for part in standing["parts"]] == [True, None, True, None, True]
    assert [task["next"] for task in standing["tasks"]] == ["2026-02-02T03:30:00Z", "2026-02-01T07:00:00Z"]
    assert len(remove(desk.place.house, desk.machine, "")["removed"]) == 5
    assert desk.schedulers.active() == []
    assert desk.files() == {".config/systemd/user/backup.timer"}
    assert desk.schedulers.table is None
    assert remove(desk.place.house, desk.machine, "")["removed"] == []


def test_other_hours_are_seen_as_old_until_they_are_installed(tmp_path: Path) -> None:
    """A task whose hour is gone leaves no timer behind."""
    desk = Desk(tmp_path, "systemctl")
    install(desk.place.house, desk.machine, "", only_shows=False)
    desk.place.house.set_setting("schedule.brief", "")
    desk.place.close()
    assert not describe(desk.place.house, desk.machine, "")["isCurrent"]
    desk.place.house.set_setting("schedule.sleep", "02:15")
    desk.place.close()
    standing = describe(desk.place.house, desk.machine, "")
    assert (standing["isInstalled"], standing["isCurrent"]) == (True, False)
    install(desk.place.house, desk.machine, "", only_shows=False)
    assert describe(desk.place.house, desk.machine, "")["isCurrent"]
    assert desk.schedulers.active() == [f"{desk.label}-sleep.timer", f"{desk.label}-wake.service"]
    assert not any("brief" in name for name in desk.files())


def test_launchd_loads_what_changed_and_nothing_else(tmp_path: Path) -> None:
    """An agent that is loaded and stands as it should is not restarted."""
    desk = Desk(tmp_path, "launchctl", system="darwin")
    assert install(desk.place.house, desk.machine, "", only_shows=False)["kind"] == "launchd"
    label = desk.label
    assert desk.schedulers.active() == [f"{label}.brief", f"{label}.sleep", f"{label}.wake"]
    folder = desk.schedulers.user / "Library" / "LaunchAgents"
    tree = plistlib.loads((folder / f"{label}.sleep.plist").read_bytes())
    assert tree["ProgramArguments"][-1] == str(desk.place.home)
    desk.schedulers.told()
    install(desk.place.house, desk.machine, "", only_shows=False)
    assert {words[1] for words in desk.schedulers.told()} == {"print"}
    desk.place.house.set_setting("schedule.sleep", "02:15")
    desk.place.close()
    install(desk.place.house, desk.machine, "", only_shows=False)
    changed = [words for words in desk.schedulers.told() if words[1] != "print"]
    assert [words[1] for words in changed] == ["bootout", "bootstrap"]
    assert all(f"{label}.sleep" in words[-1] for words in changed)
    assert describe(desk.place.house, desk.machine, "")["isCurrent"]
    assert len(remove(desk.place.house, desk.machine, "")["removed"]) == 3
    assert (desk.schedulers.active(), desk.files()) == ([], set())


@pytest.mark.parametrize("before", [None, b"", b"0 4 * * * backup\n", b"# \xff\xfe no text\n\n5 5 * * * x"])
def test_cron_keeps_every_line_of_others(tmp_path: Path, before: bytes | None) -> None:
    """Whatever bytes they have."""
    desk = Desk(tmp_path, "crontab")
    if before is not None:
        desk.schedulers.table = before
    assert install(desk.place.house, desk.machine, "", only_shows=False)["kind"] == "cron"
    table = desk.schedulers.table or b""
    assert table.startswith(before or b"")
    assert b"30 3 * * * " in table
    install(desk.place.house, desk.machine, "", only_shows=False)
    assert desk.schedulers.table == table
    assert describe(desk.place.house, desk.machine, "")["isCurrent"]
    assert remove(desk.place.house, desk.machine, "")["removed"] == ["crontab"]
    assert (desk.schedulers.table or b"").rstrip(b"\n") == (before or b"").rstrip(b"\n")


def test_a_crontab_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    """Else every line of it would be lost."""
    desk = Desk(tmp_path, "crontab")
    desk.schedulers.table = b"0 4 * * * backup\n"
    desk.schedulers.refuse("you are not allowed to use this program")
    with pytest.raises(ScheduleError, match="not allowed"):
        install(desk.place.house, desk.machine, "cron", only_shows=False)
    assert desk.schedulers.table == b"0 4 * * * backup\n"


def test_a_unit_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """Neither written over nor taken away, and nothing is written beside it."""
    desk = Desk(tmp_path, "systemctl")
    units = desk.schedulers.user / ".config" / "systemd" / "user"
    units.mkdir(parents=True)
    theirs = units / f"{desk.label}-sleep.timer"
    theirs.write_text("[Timer]\n", "ascii")
    with pytest.raises(ScheduleError, match="is not ours"):
        install(desk.place.house, desk.machine, "", only_shows=False)
    assert len(desk.files()) == 1
    assert remove(desk.place.house, desk.machine, "")["removed"] == []
    assert theirs.read_text("ascii") == "[Timer]\n"


def test_a_scheduler_that_refuses_is_quoted(tmp_path: Path) -> None:
    """With its own words, made harmless."""
    desk = Desk(tmp_path, "systemctl")
    desk.schedulers.refuse("Failed to connect to bus: \x1b[31mNo medium found")
    with pytest.raises(ScheduleError, match="No medium found") as caught:
        install(desk.place.house, desk.machine, "systemd", only_shows=False)
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_showing_writes_nothing_and_asks_nobody(tmp_path: Path, kind: str) -> None:
    """Not even where the machine has no such scheduler."""
    desk = Desk(tmp_path)
    before = fingerprint(tmp_path)
    environment = {**desk.place.environment(), **desk.schedulers.environment()}
    ran = desk.place.run("schedule", "install", "--print", "--kind", kind, environment=environment)
    assert (ran.status, ran.content["kind"], ran.content["installed"]) == (0, kind, False)
    assert all("slowwave" in part["content"] for part in ran.content["parts"])
    after = {name: digest for name, digest in fingerprint(tmp_path).items() if not name.startswith("it's at home/")}
    assert after == before


def test_a_machine_without_any_scheduler_is_told_of_up(tmp_path: Path) -> None:
    """And a kind that is none is a mistake in the words."""
    desk = Desk(tmp_path)
    environment = {**desk.place.environment(), **desk.schedulers.environment()}
    assert desk.place.run("schedule", "install", environment=environment).code == "schedule"
    assert desk.place.run("schedule", "install", "--kind", "at", environment=environment).code == "usage"
    standing = desk.place.run("schedule", "status", environment=environment)
    assert (standing.status, standing.content["isInstalled"]) == (0, False)
    assert scheduler_of(desk.machine, "", plan_of(desk.place.house))[0] == "systemd"
