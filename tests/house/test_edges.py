"""The outside is reached at few places: one clock, one environment, one room that starts programs, one loopback."""

import ast

from made_source import imports, sources

CLOCK = {
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
    "time.time_ns",
    "time.localtime",
}
CLOCK_FILE = "wiring/premises.py"
STOPWATCHES = {
    "desk/progress.py",
    "disk/git_locks.py",
    "wiring/house.py",
    "wiring/judges.py",
    "wiring/model_engine.py",
    "wiring/agent_engine.py",
    "wiring/verbs_notify.py",
    "wiring/verbs_telegram.py",
    "wiring/verbs_hygiene.py",
    "wiring/verbs_score.py",
    "desk/schedule/machine.py",
    "desk/schedule/running.py",
}
"""Files that may measure how long something takes, or wait: they draw progress, wait for a lock, bound a night, an
answer or a message, and watch whether a file grows."""
ENVIRONMENT = {"os.environ", "os.getenv", "os.environb"}
ENVIRONMENT_FILE = "desk/cli/verb.py"
ONLY_IN = {
    "subprocess": {"disk/git.py", "disk/programs.py"},
    "secrets": {"sleep/person.py", "wiring/consolidating.py", "desk/api/token.py"},
    "tempfile": {"desk/demo.py", "hygiene/curation.py", "wiring/verbs_score.py"},
    "http": {"models/probe.py"},
    "threading": {"models/probe.py"},
}
"""Modules of the standard library that have one place each: git and other programs are started, and a probe answers on
the loopback, in a thread of its own, while the agent that it looks at runs. A rewrite is proved in a file without a
name, and a scorecard brings originals back in a folder that goes again."""
NOWHERE = {"random", "uuid", "pickle", "marshal", "shelve", "ftplib", "smtplib", "ssl"}
"""Chance, unsafe reading and the network: a night needs none of them."""
CONCURRENT = {
    "wake/loop.py",
    "wiring/wakefulness.py",
    "desk/api/asgi.py",
    "desk/api/backing.py",
    "desk/api/server.py",
    "desk/api/serving.py",
    "desk/up.py",
}
"""Files that may use asyncio: the waking loop, and the endpoints beside it. A night does one thing after the other."""
ENDPOINTS = {"desk/api/server.py", "desk/api/serving.py"}
"""Files that know the socket on the loopback at which the endpoints are asked."""
BOUNDARIES = {"models/clients.py", "wake/when/library.py", "wake/loop.py"}
"""Files that may catch every exception: foreign libraries end there, and each may raise anything; and a sub-task of the
loop, which stops no other."""
PURE = {"facts", "proof", "mining"}
OUTSIDE = {"os", "io", "pathlib", "sqlite3", "time", "shutil", "tempfile", "subprocess", "socket"}


def uses(wanted: set[str]) -> dict[str, set[str]]:
    """Which of these dotted names each file speaks of."""
    found: dict[str, set[str]] = {}
    for source in sources():
        spoken = {ast.unparse(node) for node in ast.walk(source.tree) if isinstance(node, ast.Attribute)}
        if met := {name for name in wanted if name in spoken}:
            found[source.name] = met
    return found


def importers(module: str) -> set[str]:
    """Files that import a module or a part of it."""
    return {s.name for s in sources() if any(name == module or name.startswith(f"{module}.") for name in imports(s))}


def test_the_wall_clock_is_read_in_one_place() -> None:
    """The present is asked for once, in wiring; everything else is told."""
    assert uses(CLOCK) == {CLOCK_FILE: {"datetime.now"}}
    assert importers("time") == STOPWATCHES


def test_the_environment_is_read_in_one_place() -> None:
    """The process's environment is copied at the desk; everything else is handed it."""
    assert uses(ENVIRONMENT) == {ENVIRONMENT_FILE: {"os.environ"}}


def test_what_touches_the_machine_has_one_place() -> None:
    """Programs are started by one file, tokens drawn by one, temporary folders made by one."""
    assert {module: importers(module) for module in ONLY_IN} == ONLY_IN


def test_no_chance_no_threads_no_network() -> None:
    """Modules that a deterministic, local night has no use for are imported nowhere."""
    assert {module: found for module in NOWHERE if (found := importers(module))} == {}
    assert importers("urllib.request") == set()
    assert importers("socket") <= ENDPOINTS | {"disk/lock.py"}  # a lock holds its host's name
    assert importers("asyncio") <= CONCURRENT


def test_pure_rooms_import_nothing_of_the_outside() -> None:
    """Facts, proof and mining read no file and ask no system; lexicons come with the package."""
    met = {
        (source.name, name.split(".")[0])
        for source in sources()
        if source.room in PURE
        for name in imports(source)
        if name.split(".")[0] in OUTSIDE and not (name == "pathlib" and "import PurePosixPath" in source.text)
    }
    assert met == set()


def test_nobody_catches_everything_or_prints() -> None:
    """No file swallows any exception, prints, or ends the process, but the outermost ones that must."""
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else "everything"
                assert caught not in ("Exception", "everything") or source.name in BOUNDARIES, source.name
                if caught == "BaseException":
                    assert isinstance(node.body[-1], ast.Raise), source.name
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "print":
                raise AssertionError(source.name)
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("sys.exit", "exit", "os._exit"):
                assert source.name == "desk/cli/__init__.py", source.name
