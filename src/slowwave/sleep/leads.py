"""Leads: where rules saw something, for somebody else to look; lens names and line numbers, no word of a session."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """Lines of one file of a session that one lens pointed at."""

    lens: str
    file: int
    lines: tuple[int, ...]

    def shown(self) -> dict[str, Any]:
        """As ``list_sessions`` shows it."""
        return {"lens": self.lens, "file": self.file, "lines": list(self.lines)}
