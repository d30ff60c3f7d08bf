"""The long, dull outputs of tools: builds, downloads, listings, logs."""

from collections.abc import Callable, Mapping

from slowwave.desk.samples.dice import Dice

_WORDS_LINE = (
    "anchor basin buoy cable canal cargo chart cleat dock drift eddy estuary fathom gangway harbour hull inlet jetty "
    "keel kelp lagoon ledger locker mast mooring oar pier plank quay reef rope rudder sail shoal sluice spar strait"
)
_WORDS = tuple(_WORDS_LINE.split(" "))
_VERBS = ("add", "drop", "fix", "move", "rename", "split", "speed up", "test", "tidy")
_PEOPLE = ("Dagny Holm", "Petra Voss", "Oda Lindqvist", "Robin Sandvik", "Emeka Adeyemi")
_ROUTES = ("/health", "/samples", "/samples/{}", "/batches/{}/labels", "/instruments", "/metrics")
_PACKAGES = (
    "attrs",
    "certifi",
    "click",
    "greenlet",
    "h11",
    "idna",
    "mako",
    "orjson",
    "psycopg",
    "pydantic",
    "starlette",
)
_MODULES = (
    "afero",
    "bbolt",
    "cobra",
    "color",
    "compress",
    "crypto",
    "mapstructure",
    "pflag",
    "sync",
    "sys",
    "term",
    "toml",
)


def _two(dice: Dice) -> str:
    return f"{dice.pick(_WORDS)}_{dice.pick(_WORDS)}"


def _go_download(dice: Dice) -> str:
    version = f"v{dice.number(0, 4)}.{dice.number(0, 30)}.{dice.number(0, 9)}"
    return f"go: downloading example.org/x/{dice.pick(_MODULES)} {version}"


def _go_ok(dice: Dice) -> str:
    tail = dice.pick(("(cached)", f"{dice.number(0, 3)}.{dice.number(100, 999)}s"))
    return f"ok  \tquayline.example/ferryman/internal/{dice.pick(_WORDS)}{dice.pick(_WORDS)}\t{tail}"


def _go_verbose(dice: Dice) -> str:
    name = f"{dice.pick(_WORDS).title()}{dice.pick(_WORDS).title()}"
    return f"=== RUN   Test{name}\n--- PASS: Test{name} (0.{dice.number(0, 9)}{dice.number(0, 9)}s)"


def _pip(dice: Dice) -> str:
    name, version = dice.pick(_PACKAGES), f"{dice.number(0, 24)}.{dice.number(0, 12)}.{dice.number(0, 9)}"
    return dice.pick(
        (
            f"Collecting {name}=={version}",
            f"  Using cached {name}-{version}-py3-none-any.whl ({dice.number(11, 900)} kB)",
            f"Requirement already satisfied: {name}=={version} in ./.venv/lib/python3.12/site-packages",
        )
    )


def _pytest(dice: Dice) -> str:
    return f"tests/test_{_two(dice)}.py::test_{_two(dice)}_{dice.pick(_WORDS)} PASSED [{dice.number(2, 99):3d}%]"


def _pnpm(dice: Dice) -> str:
    done = dice.number(100, 1_180)
    return (
        f"Progress: resolved {done + dice.number(1, 40)}, reused {done}, downloaded {dice.number(0, 9)}, added {done}"
    )


def _vite(dice: Dice) -> str:
    size, squeezed = dice.number(2, 190), dice.number(1, 60)
    return f"dist/assets/{dice.pick(_WORDS)}-{dice.letters(8)}.js{'':<12}{size}.41 kB │ gzip: {squeezed}.02 kB"


def _vitest(dice: Dice) -> str:
    name = dice.pick(_WORDS)
    return f" ✓ src/features/{name}/{name}.test.tsx ({dice.number(2, 14)} tests) {dice.number(11, 480)}ms"


def _docker(dice: Dice) -> str:
    return (
        f"{dice.hexes(12)}: {dice.pick(('Pulling fs layer', 'Download complete', 'Pull complete', 'Already exists'))}"
    )


def _history(dice: Dice) -> str:
    return f"{dice.hexes(7)} {dice.pick(_VERBS)} {dice.pick(_WORDS)} {dice.pick(_WORDS)} ({dice.pick(_PEOPLE)})"


def _access(dice: Dice) -> str:
    route = dice.pick(_ROUTES).format(dice.number(1_000, 9_999))
    host = f"10.20.{dice.number(0, 9)}.{dice.number(2, 250)}"
    return f'{host} "GET {route} HTTP/1.1" 200 {dice.number(90, 9_000)} {dice.number(2, 380)}ms'


def _listing(dice: Dice) -> str:
    return (
        f"-rw-r--r-- 1 robin robin {dice.number(120, 48_000):6d} {_two(dice)}.{dice.pick(('go', 'md', 'json', 'txt'))}"
    )


def _page(dice: Dice) -> str:
    words = " ".join(dice.pick(_WORDS) for _ in range(dice.number(6, 14)))
    return f"{words.capitalize()}."


_KINDS: Mapping[str, Callable[[Dice], str]] = {
    "go-download": _go_download,
    "go-ok": _go_ok,
    "go-verbose": _go_verbose,
    "pip": _pip,
    "pytest": _pytest,
    "pnpm": _pnpm,
    "vite": _vite,
    "vitest": _vitest,
    "docker": _docker,
    "history": _history,
    "access": _access,
    "listing": _listing,
    "page": _page,
}


def noise(kind: str, lines: int, dice: Dice) -> str:
    """So many lines of one kind of output.

    Raises:
        KeyError: Nobody makes that kind of noise.
    """
    line = _KINDS[kind]
    return "\n".join(line(dice) for _ in range(lines))
