"""Hits: what a detector found, with the later item that shows why, and what must stay of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Detector(StrEnum):
    """Who found it; ``ASKED`` stands for an operation that somebody else named."""

    DUP_CALL = "dup_call"
    STALE_READ = "stale_read"
    SUPERSEDED_RUN = "superseded_run"
    POLL = "poll"
    CONSUMED_SEARCH = "consumed_search"
    ERROR_ECHO = "error_echo"
    REINJECTED = "reinjected"
    MEDIA_OLD = "media_old"
    NOISE = "noise"
    BULK_OLD = "bulk_old"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One item that may go.

    Attributes:
        item: Its number.
        detector: Who found it.
        evidence: What shows it, with ids of later items; written into the log.
        head: Lines that stay from the beginning.
        tail: Lines that stay at the end.
        words: A line that holds one of these stays.
        only_noise: Nothing goes but lines that say nothing: repeats, progress, blanks.
    """

    item: int
    detector: Detector
    evidence: Mapping[str, object]
    head: int = 0
    tail: int = 0
    words: frozenset[str] = field(default_factory=frozenset)
    only_noise: bool = False
