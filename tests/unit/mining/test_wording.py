"""Names and content words, and how rare they are."""

from slowwave.mining.wording import Rarity, content_words, identifiers


def test_names_are_code_paths_flags_and_joined_words() -> None:
    """Each once, in order; prose in backticks is no name."""
    text = "`go vet ./...` reads src/pay/pay.go with --tags, not `this is plain prose`, and calls parsePrice in PR #7"
    assert identifiers(text) == ("go vet ./...", "src/pay/pay.go", "--tags", "parsePrice", "PR #7")


def test_a_single_sign_in_backticks_is_no_name() -> None:
    """Signs between two pieces of code do not make the word between them a name."""
    assert identifiers("since `=` and `-` are in the class") == ()


def test_endings_do_not_make_another_word() -> None:
    """``tests`` and ``test``, ``linting`` and ``lint`` are one content word."""
    assert content_words("the tests fail linting") == content_words("a test fails, lint")


def test_a_word_of_every_session_weighs_nothing() -> None:
    """Rarity falls from one for a word of one session to nothing for a word of all."""
    rarity = Rarity.over([["price index"], ["price table"], ["price"], ["price"]])
    assert rarity.weight("price") == 0.0
    assert rarity.weight("index") == 1.0


def test_likeness_is_the_share_of_weight_in_common() -> None:
    """Equal texts are alike, strangers are not, a rare word counts more than a common one."""
    rarity = Rarity.over([["price index"], ["price table"], ["price"]])
    one, other = frozenset({"price", "index"}), frozenset({"price", "table"})
    assert rarity.alike(one, one) == 1.0
    assert rarity.alike(frozenset({"index"}), frozenset({"table"})) == 0.0
    assert rarity.alike(one, other) < 0.5
