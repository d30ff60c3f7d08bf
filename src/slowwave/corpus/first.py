"""The first commit of a corpus: its format, a word to whoever opens it, and the rule that bytes stay as they are."""

from pathlib import Path

from slowwave.disk.home import format_content
from slowwave.facts.limits import CORPUS_FORMAT
from slowwave.facts.refusal import SlowwaveError

FORMAT_PATH = ".slowwave/format.json"
MESSAGE = b"Begin a corpus of memories\n"

_README = """\
# Memories

Each Markdown file here is one memory: a claim in its first heading, the gist below, facts about it in the header.
You may read, edit, move and delete them with any editor; commit when you like, slowwave takes your edits as they are.

Why a memory is believed stands in the message of the commit that wrote it: `slowwave why PATH` shows it, and so does
`git log PATH`. What slowwave proposes waits on branch `pending` until you take it over with `slowwave review`.

- `projects/`: by project, its tasks in `tasks/`
- `areas/`: what goes on, `areas/inbox/` for what has no better place
- `resources/`: by topic, people in `people/`
- `archive/`: what is no longer current
"""

FILES: tuple[tuple[str, bytes], ...] = (
    (".gitattributes", b"# Bytes stay as they are written.\n* -text\n"),
    (FORMAT_PATH, format_content(CORPUS_FORMAT)),
    ("README.md", _README.encode("utf-8")),
)
"""The files of the first commit, by path."""


class CorpusError(SlowwaveError):
    """The corpus is in a state that this slowwave does not write to."""

    code = "corpus_state"


def check_place(folder: Path) -> None:
    """Make sure that the folder holds no repository but, at most, one whose making was cut short.

    Raises:
        CorpusError: There is a repository with commits in it, or something that is no folder.
    """
    git_folder = folder / ".git"
    if git_folder.is_symlink() or (git_folder.exists() and not git_folder.is_dir()):
        raise CorpusError(f"{git_folder} is not a folder", hint="The corpus must be a repository of its own.")
    heads = git_folder / "refs" / "heads"
    has_heads = heads.is_dir() and any(path.suffix != ".lock" for path in heads.iterdir())
    if has_heads or (git_folder / "packed-refs").exists():
        raise CorpusError(
            f"{folder} is a git repository without branch main",
            hint="Point SLOWWAVE_HOME elsewhere, or give the repository its branch main back.",
        )
