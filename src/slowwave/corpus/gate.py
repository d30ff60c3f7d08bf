"""The render gate: what a file must fulfil before it enters the corpus, whoever writes it.

All violations are found in one pass and come back together, each with its code; messages say what to change and never
repeat a secret or a transcript's words. Nothing here writes: a refused file leaves the tree as it was.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from slowwave.corpus.format import FormatError, Reading, content_hash, read
from slowwave.corpus.letters import holds_control, holds_escape
from slowwave.corpus.markup import Markup, holds_address, read_markup
from slowwave.corpus.paths import check_path
from slowwave.corpus.spans import CopyFinder
from slowwave.facts.ids import MemoryPath
from slowwave.facts.limits import (
    CLAIM_CHARACTERS,
    GIST_CHARACTERS,
    RUN_BODY_BYTES,
    RUN_CLAIM_BYTES,
    TRANSCRIPT_SPAN_CHARACTERS,
)
from slowwave.facts.memory import Memory
from slowwave.facts.refusal import Refusal

EDITED_BY_HAND = "hash_mismatch"
"""Says of a file that is in the corpus already only that a person edited it since its hash was written, which is their
right; the next change by slowwave writes the hash anew (``docs/format.md``). New files must have it right."""
RUNS_AUTHOR = "runs"
"""Author of memories promoted from runs, which may be longer: they quote their recipe."""
CODES = (
    "bad_path",
    "too_large",
    "unparseable",
    "duplicate_key",
    "missing_key",
    "unknown_kind",
    "unknown_status",
    "unknown_task_status",
    "bad_date",
    "bad_number",
    "bad_entity",
    "task_fields_on_non_task",
    "missing_claim",
    "second_claim",
    "claim_too_long",
    "gist_too_long",
    EDITED_BY_HAND,
    "raw_html",
    "unsafe_link",
    "dangling_link",
    "control_characters",
    "ansi_escape",
    "secret",
    "transcript_span",
)
"""Every code the gate answers with."""


_OWN_DIGESTS = re.compile(r"^(?:content_hash: [0-9a-f]{64}|source_key: [0-9a-f]{16})$", re.MULTILINE)
"""Digests of ours in the front matter: they look like tokens to every detector, and are none."""


class SecretFinder(Protocol):
    """What the gate asks about secrets; ``records.secrets.Secrets`` is one."""

    def holds_secret_or_mask(self, text: str) -> bool:
        """Whether a text holds a secret, or the mask that stands for one."""
        ...


def check(
    path: MemoryPath,
    content: bytes,
    *,
    cited: Iterable[str] = (),
    exists: Callable[[str], bool],
    secrets: SecretFinder,
) -> tuple[Refusal, ...]:
    """Everything that is wrong with a file about to be written; empty when it may be.

    Args:
        path: Where it would stand.
        content: The whole file.
        cited: Texts of the sessions it cites, in any pieces; each is read once.
        exists: Whether the corpus holds a path; the file's own counts as held.
        secrets: Finds credentials.
    """
    found = list(_path_faults(path))
    text = content.decode("utf-8", "replace")
    try:
        reading = read(content, path)
    except FormatError as error:
        return (*found, *_text_faults(path, text, secrets), *error.refusals)
    digests = (reading.content_hash, reading.memory.task.source_key if reading.memory.task else "")
    values = (value for value in reading.values if value not in digests)
    found.extend(_text_faults(path, "\n".join((text, *values)), secrets))
    found.extend(reading.faults)
    found.extend(_length_faults(path, reading))
    if len(reading.memory.body) <= RUN_BODY_BYTES:
        markup = read_markup(f"# {reading.memory.claim}\n\n{reading.memory.body}")
        found.extend(_markup_faults(path, markup))
        found.extend(_link_faults(path, reading.memory, markup, exists))
        texts = (reading.memory.claim, reading.memory.body, *reading.values, *markup.words)
        found.extend(_copy_faults(path, texts, cited))
    return tuple(dict.fromkeys(found))


def needs_person(memory: Memory) -> str | None:
    """Why a memory may only land by a person's hand, or ``None``: an address or picture from elsewhere in it.

    Instruction-shaped claims are judged by ``proof``'s lexicon; this is the part that only markup shows.
    """
    if holds_address(memory.claim):
        return "url_in_claim"
    return "remote_image" if "](" in memory.body and read_markup(memory.body).has_remote_image else None


def _path_faults(path: MemoryPath) -> Iterator[Refusal]:
    refusal = check_path(path)
    if refusal is not None:
        yield refusal


def _text_faults(path: MemoryPath, text: str, secrets: SecretFinder) -> Iterator[Refusal]:
    without_mark = text.removeprefix("\ufeff")
    if holds_escape(without_mark):
        yield _refusal("ansi_escape", path, "the file holds terminal escapes; remove them")
    if holds_control(without_mark):
        yield _refusal("control_characters", path, "the file holds control or invisible characters; remove them")
    if holds_credential(without_mark, secrets):
        yield _refusal("secret", path, "the file holds a credential, or the mask of one; say it without")


def holds_credential(text: str, secrets: SecretFinder) -> bool:
    """Whether a memory's file holds a credential, or the mask of one; our own digests are none."""
    return secrets.holds_secret_or_mask(_OWN_DIGESTS.sub("", text))


def _length_faults(path: MemoryPath, reading: Reading) -> Iterator[Refusal]:
    memory = reading.memory
    is_run = memory.author == RUNS_AUTHOR
    claim_size = len(memory.claim.encode()) if is_run else len(memory.claim)
    body_size = len(memory.body.encode()) if is_run else len(memory.body)
    unit = "bytes" if is_run else "characters"
    most_claim, most_body = (RUN_CLAIM_BYTES, RUN_BODY_BYTES) if is_run else (CLAIM_CHARACTERS, GIST_CHARACTERS)
    if claim_size > most_claim:
        yield _refusal("claim_too_long", path, f"the claim has {claim_size} {unit}; at most {most_claim} are allowed")
    if body_size > most_body:
        yield _refusal("gist_too_long", path, f"the gist has {body_size} {unit}; at most {most_body} are allowed")
    if reading.content_hash and reading.content_hash != content_hash(memory.claim, memory.body):
        yield _refusal(EDITED_BY_HAND, path, "content_hash does not belong to this claim and gist; write it again")


def _markup_faults(path: MemoryPath, markup: Markup) -> Iterator[Refusal]:
    if markup.titles > 1:
        yield _refusal("second_claim", path, "a memory has one claim; make the other first-level heading a lower one")
    if markup.has_html:
        yield _refusal("raw_html", path, "raw HTML is not allowed; put code between backticks")
    if markup.unsafe:
        yield _refusal("unsafe_link", path, "a link may lead to the web, to mail or into the corpus, nowhere else")


def _link_faults(path: MemoryPath, memory: Memory, markup: Markup, exists: Callable[[str], bool]) -> Iterator[Refusal]:
    wanted = [_linked(path, target) for target in markup.links]
    wanted.extend(_wiki_linked(path, target) for target in markup.wiki_links)
    wanted.extend(memory.supersedes)
    if memory.superseded_by:
        wanted.append(memory.superseded_by)
    missing = [target for target in dict.fromkeys(wanted) if target != path and not _is_held(target, exists)]
    if missing:
        yield _refusal("dangling_link", path, f"{len(missing)} of its links lead to no memory; correct or remove them")


def _is_held(target: str, exists: Callable[[str], bool]) -> bool:
    return check_path(target) is None and exists(target)


def _linked(path: str, target: str) -> str:
    """A Markdown link is relative to its file, as every viewer takes it; a leading slash means the corpus."""
    if target.startswith("/"):
        return posixpath.normpath(target.lstrip("/"))
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _wiki_linked(path: str, target: str) -> str:
    """A wiki link names a path from the corpus's root, or with no slash in it a neighbour; ``.md`` may be left out."""
    name = target if target.endswith(".md") else f"{target}.md"
    return posixpath.normpath(name) if "/" in name else posixpath.join(posixpath.dirname(path), name)


def _copy_faults(path: MemoryPath, texts: Iterable[str], cited: Iterable[str]) -> Iterator[Refusal]:
    finder = CopyFinder(texts)
    if any(finder.copies(source) for source in cited):
        yield _refusal(
            "transcript_span",
            path,
            f"it repeats {TRANSCRIPT_SPAN_CHARACTERS} or more characters of a cited session; say it in other words",
        )


def _refusal(code: str, path: MemoryPath, message: str) -> Refusal:
    return Refusal(code=code, path=path, message=message)
