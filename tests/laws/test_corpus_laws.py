"""Laws of the corpus that hold for every memory, text and path."""

from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.corpus.duplicates import Known, same_promise
from slowwave.corpus.export import replace_block
from slowwave.corpus.format import FormatError, amend, content_hash, edit_keys, parse, read, render
from slowwave.corpus.matter import take_apart
from slowwave.corpus.paths import Taken, archive, check_path, place, restore
from slowwave.corpus.slugs import slug
from slowwave.corpus.veto import differs
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Entity, Kind, Memory, Status, TaskFields, TaskStatus
from slowwave.facts.text import fold

PATH = MemoryPath("areas/inbox/a.md")
LAW = settings(max_examples=60, deadline=None)
MOMENTS = st.integers(0, 32_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
DAYS = st.dates(date(1970, 1, 1), date(2999, 1, 1))
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30)
CLAIMS = ANY_TEXT.map(lambda text: fold(text) or "x")
BODIES = ANY_TEXT.map(lambda text: text.replace("\r", "").strip("\n\t ").rstrip())
ENTITIES = st.builds(Entity, st.from_regex(r"[a-z][a-z0-9_-]{1,8}", fullmatch=True), WORDS)
TASKS = st.builds(
    TaskFields,
    task_status=st.sampled_from(TaskStatus),
    due=st.none() | DAYS,
    actor=st.sampled_from(["", "user", "agent"]),
    source_key=st.from_regex(r"[0-9a-f]{0,16}", fullmatch=True),
)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any memory that could be written."""
    kind = draw(st.sampled_from(Kind))
    return Memory(
        kind=kind,
        claim=draw(CLAIMS),
        body=draw(BODIES),
        created=draw(MOMENTS),
        updated=draw(MOMENTS),
        status=draw(st.sampled_from(Status)),
        confidence=draw(st.integers(0, 10_000)) / 10_000,
        importance=draw(st.integers(1, 10)),
        author=draw(st.sampled_from(["sleep", "human", "no", "1.5"])),
        engine=draw(st.sampled_from(["", "mined", "openai: gpt"])),
        sessions=tuple(draw(st.lists(WORDS, max_size=3))),
        entities=tuple(draw(st.lists(ENTITIES, max_size=3))),
        tags=tuple(draw(st.lists(WORDS, max_size=3))),
        event_at=draw(st.none() | DAYS),
        last_seen=draw(st.none() | MOMENTS),
        seen_count=draw(st.integers(1, 10_000)),
        task=draw(TASKS) if kind is Kind.TASK else None,
    )


@LAW
@given(memories())
def test_writing_and_reading_are_inverses(memory: Memory) -> None:
    """Reading gives back what was written, and writing that gives the same bytes."""
    content = render(memory)
    assert parse(content, PATH) == memory
    assert render(parse(content, PATH)) == content


@LAW
@given(memories(), memories())
def test_amending_reaches_the_memory_and_then_rests(before: Memory, after: Memory) -> None:
    """An amended file reads as the wanted memory; amending again changes nothing."""
    content = amend(render(before), after, PATH)
    assert parse(content, PATH) == after
    assert amend(content, after, PATH) == content


@LAW
@given(memories(), st.integers(1, 99))
def test_an_edit_changes_one_line(memory: Memory, count: int) -> None:
    """However a file looks, one key's new value is one line's difference."""
    content = render(replace(memory, seen_count=100))
    edited = edit_keys(content, {"seen_count": str(count)})
    before, after = content.split(b"\n"), edited.split(b"\n")
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


@LAW
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """Nothing but a refusal with codes comes out of a broken file."""
    for candidate in (content, b"---\n" + content + b"\n---\n# x\n", b"---\nkind: task\n---\n" + content):
        try:
            reading = read(candidate, PATH)
        except FormatError:
            continue
        assert all(fault.code for fault in reading.faults)
        page = take_apart(candidate, PATH)
        assert "".join([page.opening, *page.lines, page.closing, page.rest]).encode() == candidate


@LAW
@given(ANY_TEXT, ANY_TEXT, st.sampled_from([" ", "\n", "\t\n  "]))
def test_white_space_is_no_content(claim: str, body: str, blank: str) -> None:
    """Outside code, any run of white space may be any other."""
    if "```" in body or "~~~" in body:
        return
    assert content_hash(claim, body) == content_hash(claim, blank.join(fold(body).split(" ")))


@LAW
@given(st.text(max_size=300))
def test_every_text_has_a_slug_that_is_its_own_slug(text: str) -> None:
    """Slugs are total, safe as a file name, and stable."""
    found = slug(text)
    assert 1 <= len(found) <= 80
    assert check_path(f"areas/inbox/{found}.md") is None
    assert slug(found) == found


@LAW
@given(memories(), st.text(max_size=40), st.integers(2000, 9999))
def test_placement_is_total_and_archiving_has_an_inverse(memory: Memory, project: str, year: int) -> None:
    """Every memory has a free, safe path; archived once or twice in a year, it comes back to it."""
    taken = Taken()
    paths = []
    for _ in range(3):
        paths.append(place(replace(memory, project=project), taken))
        taken.add(paths[-1])
    assert len({path.casefold() for path in paths}) == 3
    for path in paths:
        assert check_path(path) is None
        first = archive(path, year, taken)
        second = archive(path, year, Taken([first]))
        assert first != second
        assert check_path(first) is check_path(second) is None
        assert restore(first, Taken()) == restore(second, Taken()) == path


@LAW
@given(st.text(max_size=80))
def test_a_checked_path_stays_below_the_corpus(text: str) -> None:
    """What is accepted has only plain parts, whatever was asked."""
    for candidate in (text, f"projects/{text}", f"projects/{text}/a.md"):
        if check_path(candidate) is None:
            assert all(part.strip(". ") for part in candidate.split("/"))
            assert not set(candidate) & set('\\:*?"<>|%\x00')


@LAW
@given(CLAIMS, CLAIMS)
def test_sameness_is_reflexive_and_the_veto_symmetric(one: str, other: str) -> None:
    """A claim never differs from itself, and two differ whichever comes first."""
    assert differs(one, one) is None
    assert (differs(one, other) is None) == (differs(other, one) is None)
    assert same_promise(one, one)
    assert same_promise(one, other) == same_promise(other, one)


@LAW
@given(st.lists(memories(), max_size=5))
def test_a_memory_is_a_duplicate_of_itself(shelf: list[Memory]) -> None:
    """Whatever else is known, a known content is found exactly; a task never is."""
    paths = {MemoryPath(f"areas/inbox/{number}.md"): memory for number, memory in enumerate(shelf)}
    known = Known(paths)
    for memory in shelf:
        found = known.find(memory.claim, memory.body)
        if memory.kind is not Kind.TASK:
            assert found is not None
            assert found.kind == "exact"


@LAW
@given(st.text(max_size=100), ANY_TEXT.map(lambda text: text.replace("\r", "")))
def test_exporting_twice_changes_nothing_more(existing: str, inner: str) -> None:
    """A block replaced by itself leaves the file as it is, and what stood before it stays."""
    block = f"<!-- slowwave:begin -->\n{inner.replace('<!--', '')}\n<!-- slowwave:end -->"
    first = replace_block(existing, block)
    assert first.startswith(existing)
    assert replace_block(first, block) == first
