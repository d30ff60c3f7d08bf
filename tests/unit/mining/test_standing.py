"""Which sentences stand alone: subject, verb, no first person, no loose ends."""

import pytest

from slowwave.mining.standing import fault


@pytest.mark.parametrize(
    "text",
    [
        "`strings.Contains` is case-sensitive",
        "The linter swapped `fmt.Errorf` for `errors.New`",
        "Compose maps the database to 5433",
        "There is no config package",
        "`get_all()` creates sessions from active states but never fills `points`",
        "Because every layer wraps with `%w`, the prefix would repeat",
        "时间必须是本地时间",
    ],
)
def test_a_whole_sentence_stands(text: str) -> None:
    """Subject and finite verb, whatever the subject is."""
    assert fault(text) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("but the client expects a string", "begins in the middle"),
        ("It also wipes the cache", "begins in the middle"),
        ("Since the list becomes what people read first", "begins in the middle"),
        ("This code only reads the title", "begins in the middle"),
        ("The linter found errors that I missed", "somebody narrates"),
        ("After `run()` fails, we now call `find()`", "somebody narrates"),
        ("There are errors on lines 35 and 86", "points at something else"),
        ("`stop` - end of the turn (not of the session)", "has no finite verb"),
        ("Memory leak fixed - the listener is removed", "has no finite verb"),
        ("The parser fails (unless the", "is cut"),
        ("The parser fails whenever the file is…", "is cut"),
    ],
)
def test_what_leans_on_other_words_does_not_stand(text: str, why: str) -> None:
    """Openings in the middle, narration, pointers, items of lists and what was cut are told as such."""
    assert fault(text) == why
