"""The small rules: triviality, written dates, preferences, recalled claims."""

from datetime import date

import pytest

from slowwave.facts.answer import Candidate
from slowwave.facts.memory import Entity, Kind
from slowwave.proof.dates import names_date
from slowwave.proof.preference import is_preference
from slowwave.proof.recall import repeats
from slowwave.proof.triviality import count_words, is_trivial

DAY = date(2026, 8, 20)


@pytest.mark.parametrize(
    ("quote", "trivial"),
    [
        ("ok", True),
        ("two words", True),
        ("  two  \n words ", True),
        ("three short words", False),
        ("a b c", False),
        ("} } }", True),
        ("-- && ||", True),
        ("----------------", False),
        ("sixteencharacter", False),
        ("fifteencharacte", True),
        ("fifteen      cha", True),
        ("\u4fee\u590d\u6d4b", False),
        ("\u4fee\u590d", True),
        ("\u4fee\u590d ok", False),
        ("\u30c6\u30b9\u30c8", False),
        ("\ud14c\uc2a4\ud2b8", False),
        ("\U00020000\U00020001\U00020002", False),
        ("\U0001f419\U0001f419\U0001f419", True),
    ],
)
def test_fewer_than_three_words_and_sixteen_characters_are_trivial(quote: str, trivial: bool) -> None:
    """Both must be few, counted after white space is folded; a CJK character is a word."""
    assert is_trivial(quote) is trivial


def test_words_hold_a_letter_or_digit() -> None:
    """Signs between blanks are no words."""
    assert count_words("run -> 2 tests _ now") == 4


@pytest.mark.parametrize(
    "text",
    [
        "by 2026-08-20, please",
        "2026-08-20T12:00Z",
        "2026/8/20",
        "due 20260820",
        "20.08.2026",
        "am 20.8. fertig",
        "20.08.26",
        "8/20",
        "08/20/2026",
        "20/08/26",
        "August 20",
        "by August 20th, 2026",
        "Aug. 20",
        "on the 20th of August",
        "20 Aug 2026",
        "20-Aug-2026",
        "20. August 2026",
        "le 20 ao\u00fbt 2026",
        "20 de agosto de 2026",
        "20 agosto",
        "2026\u5e748\u670820\u65e5",
        "8\u670820\u65e5\u307e\u3067",
        "8\uc6d4 20\uc77c",
        "Aug 20, 14:00",
    ],
)
def test_a_date_may_be_written_in_many_forms(text: str) -> None:
    """Day and month stand there, and the year where one is given."""
    assert names_date(text, DAY)


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow",
        "next Thursday",
        "in August",
        "on the 20th",
        "2025-08-20",
        "August 20, 2025",
        "20.08.2025",
        "20 de agosto de 2027",
        "2025\u5e748\u670820\u65e5",
        "120260820",
        "version 8.20.1",
        "10.8.20.1",
        "2026-08-2",
        "2026-08-200",
        "August 2",
        "8/201",
        "Augustus 20",
        "",
    ],
)
def test_what_writes_another_date_or_none_does_not_count(text: str) -> None:
    """A relative word, half a date, a version or another year is not this date."""
    assert not names_date(text, DAY)


def about(claim: str, *entities: Entity) -> Candidate:
    """A candidate with this claim."""
    return Candidate(kind=Kind.SEMANTIC, claim=claim, gist="g", entities=entities, evidence=())


@pytest.mark.parametrize(
    "claim",
    [
        "The user prefers tabs over spaces.",
        "The user never wants squash merges.",
        "User always asked for short commit messages.",
        "The user does not like mocks in integration tests.",
        "The user would rather see a plan first.",
        "Tabs are preferred by the user.",
        "The user's preference is pnpm.",
        "At the request of the user, no emojis.",
        "Alice insists on signed commits.",
        "I prefer small pull requests.",
        "\u201cThe user\u201d wants it that way.".replace("\u201c", "").replace("\u201d", ""),
        "THE USER PREFERS TABS.",
        "The user\u2019s wish is a dry run first.",
        "Der Nutzer bevorzugt Tabs.",
        "Bei Commits m\u00f6chte der Nutzer kurze Texte.",
        "L\u2019utilisateur pr\u00e9f\u00e8re pnpm.",
        "L'utilisateur ne veut jamais de mocks.",
        "El usuario prefiere tabuladores.",
        "Al usuario le gustan las pruebas peque\u00f1as.",
    ],
)
def test_a_persons_wish_is_a_preference_in_four_languages(claim: str) -> None:
    """Somebody wants, prefers, likes, asked for, insists or never wants."""
    assert is_preference(about(claim))


@pytest.mark.parametrize(
    "claim",
    [
        "pnpm prefers the workspace version of a package.",
        "The user table wants an index on email.",
        "The linter likes trailing commas.",
        "Gradle wants JDK 17.",
        "Run it as a user like root.",
        "User requests are limited to ten a minute.",
        "The user ran the tests twice.",
        "The tests fail without the fixture server.",
    ],
)
def test_what_tools_prefer_is_no_preference(claim: str) -> None:
    """Only a person has a favour to find."""
    assert not is_preference(about(claim))


def test_entities_say_who_is_a_person() -> None:
    """``person:user`` alone makes a preference; a named person's name makes the wording count."""
    assert is_preference(about("Tabs are used here.", Entity("person", "User")))
    assert is_preference(about("Zork prefers tabs.", Entity("person", "Zork Miller")))
    assert not is_preference(about("Zork prefers tabs.", Entity("package", "zork")))
    assert not is_preference(about("Zork wrote the parser.", Entity("person", "Zork Miller")))


RECALLED = ("<slowwave-memory v=1>\n- Start the fixture server on port 8099 before the importer tests.\n- Other.\n",)


@pytest.mark.parametrize(
    ("claim", "repeated"),
    [
        ("Start the fixture server on port 8099 before the importer tests.", True),
        ("Before the importer tests, start the fixture server on port 8099!", True),
        ("START THE FIXTURE SERVER ON PORT 8099 BEFORE ALL IMPORTER TESTS", True),
        ("Start the fixture server on port 8098 before the importer tests.", False),
        ("The exporter needs the proxy on port 8080.", False),
        ("Other.", False),
    ],
)
def test_a_claim_that_was_on_show_is_recognised(claim: str, repeated: bool) -> None:
    """Order, case and a word in ten may differ; a number may not."""
    assert repeats(claim, RECALLED) is repeated


@pytest.mark.parametrize(
    ("claim", "repeated"),
    [
        ("部署之前先在八零九九端口启动测试服务器。", True),
        ("先在八零九九端口启动测试服务器部署之前。", True),
        ("部署之后先在别处关闭代理和缓存进程。", False),
    ],
)
def test_a_claim_without_blanks_is_recognised_too(claim: str, repeated: bool) -> None:
    """Where words stand without blanks, each character counts as one."""
    assert repeats(claim, ("<slowwave-memory v=1>\n- 部署之前先在八零九九端口启动测试服务器。\n",)) is repeated
