"""How captures look."""

from slowwave.desk.screens.parts import Described, Lines, count, hint, paragraph, plain


def extracted_lines(found: Described) -> Lines:
    """Captures of a text with their lines, and how many tags were never closed."""
    lines: Lines = []
    for one in found["captures"]:
        attributes = " ".join(f"{name}={value!r}" for name, value in one["attributes"].items())
        lines += [plain(f"line {one['line']}  {one['tag']}  {attributes}".rstrip(), style="bold")]
        lines += paragraph(one["text"])
    lines.append(plain(count(len(found["captures"]), "capture"), style="dim"))
    if found["unclosed"]:
        lines.append(plain(f"{count(found['unclosed'], 'tag')} never closed; what they hold is no capture"))
    return lines


def stored_lines(stored: Described) -> Lines:
    """A capture that was set aside."""
    word = "set aside" if stored["isNew"] else "was set aside before"
    return [plain(f"{word} as {stored['tag']} ({stored['id']})"), *paragraph(stored["text"])]


def question_lines(shown: Described) -> Lines:
    """What was left for this session."""
    if not shown["captures"]:
        return [plain("Nothing was left for this session."), hint("`slowwave next-session --all` shows older ones")]
    lines: Lines = []
    for one in shown["captures"]:
        lines += [plain(one["ts"], style="dim"), *paragraph(one["text"])]
    return lines
