"""What a person refused, in words that fit behind ``refused``."""

from slowwave.facts.text import cut, fold
from slowwave.mining import edits
from slowwave.mining.episodes import Episode
from slowwave.mining.events import shell_line

TARGET = 50  # characters of a refused command or file name in a claim


def refused_step(episode: Episode) -> str:
    """The refused call in words; ``a step`` where nothing is known of it."""
    call = episode.refused
    if call is None or not call.tool:
        return "a step"
    if "plan" in call.tool.lower():
        return "the plan"
    path = edits.path_of(call.args)
    if path:
        act = "an edit of" if edits.edits_of(call.args, call.text) else f"{call.tool} on"
        return f"{act} `{path.rstrip('/').rsplit('/', 1)[-1][:TARGET]}`"
    line = fold(shell_line(call))
    return f"a run of `{cut(line, TARGET)}`" if line and "`" not in line else f"a call of {call.tool}"
