"""Claude Code: the chain, replies over several records, results in records of their own."""

import pytest
from made_wires import Session, call, placed, result, text

from slowwave.hygiene.shapes.claude_code import check
from slowwave.hygiene.shapes.defect import Code

THOUGHT = {"type": "thinking", "thinking": "", "signature": "c2ln"}


def found(session: Session) -> list[tuple[Code, str]]:
    """What the check says of a session."""
    return [(defect.code, defect.key) for defect in check(placed(session.records))]


@pytest.fixture
def session() -> Session:
    """A session with a question."""
    made = Session()
    made.user("Which files are there?")
    return made


def test_a_reply_over_several_records_and_its_results(session: Session) -> None:
    """Calls made at once branch the chain, and their results come in any order between the records of the reply."""
    session.agent(THOUGHT)
    first = session.agent(call("a"))
    session.user(result("a"), parent=first)
    second = session.agent(call("b"), parent=first)
    session.agent(call("c"), parent=second)
    session.user(result("c"))
    session.user(result("b"), parent=second)
    session.agent(text("Two."), reply="m-2")

    assert found(session) == []


def test_records_that_are_no_messages_are_let_pass(session: Session) -> None:
    """Titles, queues, modes, progress and snapshots; a compaction begins a chain without a parent."""
    session.bare(type="queue-operation", operation="enqueue", content="and then?")
    session.bare(type="permission-mode", permissionMode="plan")
    session.bare(type="ai-title", aiTitle="Files")
    session.add("progress", toolUseID="t", data={"message": {"type": "user", "message": {"content": []}}})
    session.bare(type="system", subtype="compact_boundary", uuid="b-1", parentUuid=None, logicalParentUuid="u-0")
    session.user("This session is continued.", parent="b-1", isCompactSummary=True)
    session.agent(text("Good."))

    assert found(session) == []


def test_a_parent_that_is_not_there_is_found(session: Session) -> None:
    """A dangling parent is named; one that comes later in the file is none."""
    session.user("Go on.", parent="u-9")
    session.agent(text("Good."), parent="later")
    session.bare(type="system", uuid="later", parentUuid="u-1")

    assert found(session) == [(Code.CHAIN, "u-9")]


def test_an_id_given_twice_is_found_once(session: Session) -> None:
    """A record told twice is one defect, however many calls it holds; a call or result in two records is its own."""
    session.agent(call("a"))
    session.records.append(dict(session.records[-1]))
    session.user(result("a"))
    session.records.append(dict(session.records[-1]))
    assert found(session) == [(Code.DUPLICATE_ID, "u-1"), (Code.DUPLICATE_ID, "u-3")]

    session.agent(call("a"), reply="m-2")
    session.user(result("a"))
    assert found(session)[2:] == [(Code.DUPLICATE_ID, "a"), (Code.DUPLICATE_ID, "a")]


def test_halves_of_pairs_are_found(session: Session) -> None:
    """A call without a result, a result without a call, and one that stands before its call."""
    session.agent(call("open"))
    session.user(result("lost"))
    session.user(result("early"))
    session.agent(call("early"), reply="m-2")
    session.agent(call(""), reply="m-3")
    session.user(result(""))

    assert sorted(found(session)) == sorted(
        [
            (Code.PAIRING, "open"),
            (Code.PAIRING, "lost"),
            (Code.ORDER, "early"),
            (Code.PAIRING, "[5].message.content[0]"),
            (Code.PAIRING, "[6].message.content[0]"),
        ]
    )


def test_a_sub_agents_results_answer_its_own_calls_alone(session: Session) -> None:
    """The same id in a side chain is another call."""
    session.agent(call("a"))
    session.user(result("a"), isSidechain=True)

    assert found(session) == [(Code.PAIRING, "a"), (Code.PAIRING, "a")]


def test_a_reply_is_empty_when_all_its_records_are(session: Session) -> None:
    """A record whose thought was taken out is no defect while the reply says something elsewhere."""
    session.agent()
    session.agent(text("Two."))
    assert found(session) == []

    session.agent(reply="m-2")
    assert found(session) == [(Code.EMPTY, "m-2")]


def test_empty_words_are_found(session: Session) -> None:
    """A message without words, a text of blanks, a failed result that does not say why."""
    session.user("")
    session.agent(text("\n\n"))
    session.agent(call("a"))
    session.user(result("a", "", is_error=True))

    assert found(session) == [
        (Code.EMPTY, "[1].message.content"),
        (Code.EMPTY, "[2].message.content[0]"),
        (Code.EMPTY, "[4].message.content[0]"),
    ]


def test_everybody_says_what_is_theirs(session: Session) -> None:
    """A call in a record of the user, a result in one of the agent, and a message of another role."""
    session.user(call("a"))
    session.agent(result("a"))
    session.add("user", "x", message={"role": "assistant"})

    assert found(session) == [
        (Code.ROLE, "[1].message.content[0]"),
        (Code.ROLE, "[2].message.content[0]"),
        (Code.ROLE, "[3]"),
    ]
