"""systemd user units: a service for the loop, and a service with a timer for each task. Pure."""

from collections.abc import Iterator, Mapping

from slowwave.desk.schedule.moments import clock_of
from slowwave.desk.schedule.plan import MARK, Plan, check_word

_ABOUT = {"sleep": "the night", "brief": "the morning brief"}


def unit_files(plan: Plan) -> Mapping[str, str]:
    """Every unit by file name."""
    return dict(_units(plan))


def started(plan: Plan) -> tuple[str, ...]:
    """The units that are enabled; the services of timers are started by those."""
    return (f"{plan.label}-wake.service", *(f"{plan.label}-{name}.timer" for name in plan.hours))


def _units(plan: Plan) -> Iterator[tuple[str, str]]:
    yield f"{plan.label}-wake.service", _loop(plan)
    for name, hour in plan.hours.items():
        yield f"{plan.label}-{name}.service", _task(plan, name)
        yield f"{plan.label}-{name}.timer", _timer(plan, name, hour)


def _loop(plan: Plan) -> str:
    return f"""# {MARK}
[Unit]
Description=slowwave: the waking loop
StartLimitIntervalSec=0

[Service]
Type=simple
{_run(plan, "wake")}
Restart=on-failure
RestartSec=60
RestartPreventExitStatus=2
UMask=0077

[Install]
WantedBy=default.target
"""


def _task(plan: Plan, name: str) -> str:
    return f"""# {MARK}
[Unit]
Description=slowwave: {_ABOUT[name]}

[Service]
Type=oneshot
{_run(plan, "schedule", "run", name)}
Nice=10
UMask=0077
"""


def _timer(plan: Plan, name: str, hour: str) -> str:
    hours, minutes = clock_of(hour)
    zone = f" {plan.zone}" if plan.zone else ""
    return f"""# {MARK}
[Unit]
Description=slowwave: when {_ABOUT[name]} is due

[Timer]
OnCalendar=*-*-* {hours:02d}:{minutes:02d}:00{zone}
Persistent=true
AccuracySec=1s

[Install]
WantedBy=timers.target
"""


def _run(plan: Plan, *command: str) -> str:
    words = plan.words(*command)
    # systemd puts no variables into the file that is run, so a dollar stands there as it is.
    line = " ".join((_quoted(words[0]), *(_quoted(word).replace("$", "$$") for word in words[1:])))
    path = f"Environment={_quoted(f'PATH={plan.path}')}\n" if plan.path else ""
    return f"{path}ExecStart={line}"


def _quoted(word: str) -> str:
    escaped = check_word(word).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
