"""The state of a home in one value, and where each setting comes from."""

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from slowwave.disk.config import Config, config_path, parse_config, write_config
from slowwave.facts.memory import Kind
from slowwave.facts.refusal import UsageError
from slowwave.models.providers import url_of
from slowwave.sleep.batches import offer
from slowwave.sleep.items import ItemStatus, read_items
from slowwave.sleep.marks import first_new_lines, read_marks
from slowwave.sleep.nights import last_report, unfinished
from slowwave.sleep.pending import REPORT, lost_items, unknown_commits
from slowwave.wake.channels import channels_of
from slowwave.wiring.engines import MinedEngine
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import describe_left
from slowwave.wiring.verbs_memories import landed_shelf


def describe_home(house: Premises) -> dict[str, Any]:
    """Where things stand, and what to do next."""
    found = house.find()
    marks = read_marks(house.state, MinedEngine.profile, of_all=True)
    offered = offer(found.sessions, lambda session: first_new_lines(session, marks), house.clock())
    statuses = Counter(item.status for item in read_items(house.state) if item.type != "report")
    unbooked = sum(commit.type != REPORT for commit in unknown_commits(house.state, house.door))
    lost = sum(item.type != REPORT for item in lost_items(house.state, house.door))
    shelf = landed_shelf(house)
    memories = shelf.memories.values() if shelf else ()
    tasks = Counter(str(m.task.task_status) for m in memories if m.task is not None)
    pending_tasks = sum(
        item.type == "task" for item in read_items(house.state, (ItemStatus.PENDING, ItemStatus.ACCEPTED))
    )
    interrupted = unfinished(house.state)
    last = last_report(house.state)
    described = {
        "home": str(house.home.root),
        "lastNight": _last(last),
        "unfinished": interrupted.run_id if interrupted else "",
        "memories": sum(m.kind is not Kind.TASK for m in memories),
        "pending": statuses[ItemStatus.PENDING] + unbooked,
        "accepted": statuses[ItemStatus.ACCEPTED],
        "lost": lost,
        "tasks": {"proposed": tasks["proposed"] + pending_tasks, "open": tasks["open"]},
        "sessions": len(found.sessions),
        "waiting": len(offered.sessions),
        "unsettled": offered.unsettled,
        "budget": describe_left(house),
        "roots": [{"agent": s.agent or "any", "root": str(s.root)} for s in house.sources()],
    }
    return described | {"next": _next(described)}


def _last(report: str) -> dict[str, Any] | None:
    if not report:
        return None
    read = json.loads(report)
    return {
        "run": read["run"],
        "moment": read["moment"],
        "memories": len(read["memories"]),
        "tasks": len(read["tasks"]),
    }


def _next(described: dict[str, Any]) -> str:
    if described["lost"]:
        return "`slowwave sleep` proposes again what branch pending has lost"
    if described["unfinished"] or described["waiting"]:
        return "`slowwave sleep` runs a night"
    if described["pending"]:
        return "`slowwave review` goes through what waits"
    if described["accepted"]:
        return "`slowwave merge` lands what you accepted"
    if not described["sessions"]:
        return "no transcripts found: `slowwave init --transcripts DIR`, or see `slowwave demo`"
    return "nothing to do; `slowwave search WORDS` looks things up"


def list_settings(house: Premises) -> list[dict[str, str]]:
    """Every setting, its value, and whether it is the file's, the environment's or the default."""
    return _rows(house, house.config)


def _rows(house: Premises, config: Config) -> list[dict[str, str]]:
    default, now = Config().model_dump(), config.model_dump()
    named = config_path(house.home.root)
    rows = [{"name": "home", "value": str(house.home.root), "source": _home_source(house)}]
    for name, value in _flat(now).items():
        source = "default" if _flat(default)[name] == value else str(named)
        # An address may hold a password: the channels are shown by their names.
        shown = tuple(one.name for one in channels_of(config.notify.urls)) if name == "notify.urls" else value
        rows.append({"name": name, "value": _shown(shown), "source": source})
    return rows


def set_setting(house: Premises, name: str, value: str) -> list[dict[str, str]]:
    """Write one setting; the value is TOML, or a text as it stands. What is not valid changes nothing.

    Raises:
        UsageError: No setting has that name.
        ConfigError: The value cannot be used.
    """
    tree = house.config.model_dump()
    *tables, key = name.split(".")
    place: Any = tree
    for table in tables:
        place = place.get(table, {}) if isinstance(place, dict) else {}
    if not isinstance(place, dict) or key not in place or isinstance(place[key], dict):
        raise UsageError(f"no setting is called {name}", hint="`slowwave config show` lists them")
    place[key] = _read(value, place[key])
    config = parse_config(tree, name)
    if config.models.base_url:
        url_of(config.models.model_copy(update={"provider": config.models.provider or "openai-compatible"}))
    with house.writing("config set"):
        write_config(house.home.root, config)
    return [row for row in _rows(house, config) if row["name"] == name]


def _read(value: str, now: object) -> object:
    if isinstance(now, str):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def _home_source(house: Premises) -> str:
    named = house.environment.get("SLOWWAVE_HOME", "")
    return "SLOWWAVE_HOME" if named and Path(named).expanduser().absolute() == house.home.root else "default or --home"


def _flat(tree: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        flat |= _flat(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}": value}
    return flat


def _shown(value: object) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, tuple) else str(value)
