"""Names: nothing that tells something apart leaves for good, and a second look changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from slowwave.hygiene import names as names_module
from slowwave.hygiene.names import Names, names_of

_WORD = st.sampled_from(["alpha", "beta42", "and", "the", "host-7", "x9", "gamma", "delta", "is", "2026-05-04"])
_LINE = st.lists(_WORD, max_size=5).map(" ".join)
_TEXT = st.lists(_LINE, max_size=6)


def test_words_of_five_letters_digits_and_compounds_are_names() -> None:
    """Words of five letters digits and compounds are names."""
    assert names_of("the db-7 is at 10.0.0.3:8443, bucket marmot-larch (x9)") == {
        b"db-7",
        b"10.0.0.3",
        b"8443",
        b"bucket",
        b"marmot-larch",
        b"x9",
    }


def test_the_number_before_a_line_of_a_file_is_no_name() -> None:
    """The number before a line of a file is no name."""
    assert names_of("   417→  if x:\n   418→\ty = 1") == set()


def test_a_line_stays_when_a_name_in_it_stands_nowhere_else() -> None:
    """A line stays when a name in it stands nowhere else."""
    held = Names()
    held.add(["the bucket is known"])
    assert held.lines_to_keep(["bucket", "and", "marmot", "marmot again"]) == [2, 3]


def test_of_several_tellings_the_newest_keeps_the_name() -> None:
    """Of several tellings the newest keeps the name."""
    held = Names()
    assert held.lines_to_keep(["token: zz81"]) == [0]
    assert held.lines_to_keep(["token: zz81"]) == []


def test_a_memory_that_is_full_takes_nothing_out() -> None:
    """A memory that is full takes nothing out."""
    held = Names()
    held._held = {str(number).encode() for number in range(names_module.MOST_NAMES)}
    assert held.is_full
    assert held.lines_to_keep(["a", "b"]) == [0, 1]


@given(rest=_TEXT, items=st.lists(_TEXT, max_size=4))
def test_no_name_is_ever_lost(rest: list[str], items: list[list[str]]) -> None:
    """No name is ever lost."""
    held = Names()
    held.add(rest)
    kept = [[lines[number] for number in held.lines_to_keep(lines)] for lines in items]
    before = names_of("\n".join([*rest, *(line for lines in items for line in lines)]))
    after = names_of("\n".join([*rest, *(line for lines in kept for line in lines)]))
    assert before == after
