"""Where a memory lives: its path below the corpus is its id, decided by pure functions.

``projects/<slug>/…`` for what belongs to a project, ``areas/…`` for standing concerns, ``resources/…`` for topics and
people, ``archive/<YYYY>/<original path>`` for what is retired. Placement always answers.
"""

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator

from slowwave.corpus.slugs import is_device, path_key, slug
from slowwave.facts.ids import MemoryPath, digest
from slowwave.facts.limits import COMPONENT_BYTES, PATH_BYTES
from slowwave.facts.memory import Kind, Memory
from slowwave.facts.refusal import Refusal

__all__ = ["Taken", "archive", "check_path", "is_archived", "original_of", "place", "project_of", "restore", "slug"]

ROOTS = ("projects", "areas", "resources", "archive")
_ARCHIVED = re.compile(r"archive/[0-9]{4}/(?:[0-9]{1,6}/)?((?:projects|areas|resources)/.+)", re.DOTALL)
_FORBIDDEN = frozenset('/<>:"|?*\\%')
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SHORT_NAME = re.compile(r"git~[0-9]+|[a-z0-9]{1,6}~[0-9](?:\.[a-z0-9]{0,3})?", re.IGNORECASE)
_JOINERS = frozenset("\u200c\u200d")  # Persian and Indic words need them between letters
_ORDINALS = 99  # same-named memories that get a number; past them a digest keeps the search short
_NO_TOPIC = frozenset({"unknown", "person", "project", "file", "path", "commit", "session"})
"""Entity types that name no subject one would keep a shelf for."""


class Taken:
    """Paths in use; a path that differs only in case or Unicode form counts as taken."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._keys = {path_key(path) for path in paths}

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path_key(path) in self._keys

    def add(self, path: str) -> None:
        """Count one more path as taken."""
        self._keys.add(path_key(path))


def place(memory: Memory, taken: Container[str]) -> MemoryPath:
    """The path for a new memory, free among ``taken``; it answers for every memory.

    ``taken`` should be a ``Taken``: a plain set knows nothing of letter case.
    """
    name = slug(memory.claim)
    folder = _folder(memory)
    unique = digest(memory.claim, memory.body)[:10]
    return _first_free((f"{folder}/{candidate}.md" for candidate in _numbered(name, unique)), taken)


def archive(path: MemoryPath, year: int, taken: Container[str]) -> MemoryPath:
    """Where a memory goes when it retires; the original path stays whole below the year.

    A second one of the same path in one year stands one folder deeper, in a folder named by its number.
    """
    if is_archived(path):
        return path
    places = (f"archive/{year:04d}/{f'{n}/' if n > 1 else ''}{path}" for n in _counting())
    return _first_free(places, taken)


def restore(path: MemoryPath, taken: Container[str]) -> MemoryPath:
    """Where an archived memory comes from; numbered when somebody lives there now, unchanged when not archived."""
    found = _ARCHIVED.fullmatch(path)
    if found is None:
        return path
    original = found.group(1)
    stem = original.removesuffix(".md")
    return _first_free((f"{candidate}.md" for candidate in _numbered(stem, digest(path)[:10])), taken)


def is_archived(path: str) -> bool:
    """Whether a path stands in the archive and can be restored."""
    return _ARCHIVED.fullmatch(path) is not None


def original_of(path: str) -> str:
    """The path that an archived memory had; a path outside the archive as it is."""
    found = _ARCHIVED.fullmatch(path)
    return found.group(1) if found else path


def project_of(path: str) -> str:
    """The slug of the project a path belongs to, archived or not; empty for none."""
    parts = original_of(path).split("/")
    return parts[1] if parts[0] == "projects" and len(parts) > 2 else ""


def check_path(text: str) -> Refusal | None:
    """Why a text is no path of a memory, or ``None``.

    A path is relative, of plain names separated by ``/``, begins with one of the four roots and ends in ``.md``; no
    name means anything to a file system or to git but itself.
    """
    reason = _path_fault(text)
    return None if reason is None else Refusal(code="bad_path", path=repr(text[:120]), message=reason)


def _path_fault(text: str) -> str | None:
    if len(text) > PATH_BYTES or len(text.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        return f"a path has at most {PATH_BYTES} bytes"
    parts = text.split("/")
    if parts[0] not in ROOTS or len(parts) < 2 or not text.endswith(".md"):
        return f"a memory lives below {', '.join(ROOTS)} and its name ends in .md"
    for part in parts:
        for form in dict.fromkeys((part, unicodedata.normalize("NFKC", part))):
            if (reason := _name_fault(form)) is not None:
                return reason
    return None


def _name_fault(name: str) -> str | None:
    return next((reason for is_bad, reason in _NAME_RULES if is_bad(name)), None)


def _is_odd_at_its_ends(name: str) -> bool:
    return not name or name[0] in ". -~" or name[-1] in ". "


def _holds_unseen(name: str) -> bool:
    return any(unicodedata.category(c) in _FORBIDDEN_CATEGORIES and c not in _JOINERS for c in name)


def _is_windows_name(name: str) -> bool:
    return is_device(name) or _SHORT_NAME.fullmatch(name.removesuffix(".md")) is not None


_NAME_RULES: tuple[tuple[Callable[[str], bool], str], ...] = (
    (
        _is_odd_at_its_ends,
        "no part of a path may be empty, begin with a dot, blank, hyphen or tilde, or end in a dot or blank",
    ),
    (lambda name: not _FORBIDDEN.isdisjoint(name), "a path holds no backslash, colon, percent sign or wildcard"),
    (_holds_unseen, "a path holds no control, format or unassigned characters"),
    (_is_windows_name, "a part of the path is a device or a short name on Windows"),
    (
        lambda name: len(name.encode("utf-8", "surrogatepass")) > COMPONENT_BYTES,
        f"a name has at most {COMPONENT_BYTES} bytes",
    ),
)
"""Every name of git's own begins with a dot, or is a Windows short name of one, so no rule has to list them."""


def _folder(memory: Memory) -> str:
    if memory.kind is Kind.TASK:
        return f"projects/{slug(memory.project)}/tasks" if memory.project else "areas/inbox/tasks"
    if memory.project:
        return f"projects/{slug(memory.project)}"
    if memory.kind is Kind.ARC:
        return "areas/arcs"
    if memory.kind is Kind.USER_PREFERENCE:
        return "areas/preferences"
    return _shelf(memory)


def _shelf(memory: Memory) -> str:
    """The folder of a memory that belongs to no project: its area, its person, its topic, else the inbox."""
    areas = [entity.name for entity in memory.entities if entity.type.casefold() == "area"]
    if areas:
        return f"areas/{slug(areas[0])}"
    if any(entity.type.casefold() == "person" for entity in memory.entities):
        return "resources/people"
    topics = [entity.name for entity in memory.entities if entity.type.casefold() not in _NO_TOPIC]
    topics.extend(memory.tags)
    return f"resources/{slug(topics[0])}" if topics else "areas/inbox"


def _numbered(name: str, unique: str) -> Iterator[str]:
    """The name, then the name with ordinals, then with a digest of what it is for."""
    yield name
    yield from (f"{name}-{n}" for n in range(2, _ORDINALS + 1))
    yield f"{name}-{unique}"
    yield from (f"{name}-{n}-{unique}" for n in range(2, _ORDINALS + 1))
    yield from (f"{name}-{digest(unique, str(n))[:10]}" for n in _counting())


def _counting() -> Iterator[int]:
    n = 1
    while True:
        yield n
        n += 1


def _first_free(places: Iterator[str], taken: Container[str]) -> MemoryPath:
    return next(MemoryPath(place) for place in places if place not in taken)
