"""What the render gate lets pass and what it refuses."""

from dataclasses import replace

import pytest
from made_memories import full_memory, memory, task

from slowwave.corpus.format import render
from slowwave.corpus.gate import CODES, check, needs_person
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Memory
from slowwave.records.secrets import Secrets

PATH = MemoryPath("projects/payments/a.md")
HELD = frozenset(
    {
        "projects/payments/b.md",
        "areas/inbox/c.md",
        "archive/2026/projects/payments/old.md",
        "projects/payments/newer.md",
    }
)
SECRETS = Secrets(deep=False)
TOKEN = "ghp_" + "Ab3dEf7hIj1kLmN0pQrStUvWxYz5Za9bCdEf"


def codes(content: bytes | Memory, *, path: str = PATH, cited: tuple[str, ...] = ()) -> list[str]:
    """The codes of everything the gate finds."""
    written = render(content) if isinstance(content, Memory) else content
    found = check(MemoryPath(path), written, cited=cited, exists=HELD.__contains__, secrets=SECRETS)
    assert {refusal.code for refusal in found} <= set(CODES)
    return [refusal.code for refusal in found]


@pytest.mark.parametrize(
    "one", [memory(), full_memory(), task(), memory(body="")], ids=["bare", "full", "task", "claim"]
)
def test_what_slowwave_writes_passes(one: Memory) -> None:
    """Rendered memories and tasks with every field are fine."""
    assert codes(one) == []


@pytest.mark.parametrize(
    "body",
    [
        "See [b](b.md), [c](../../areas/inbox/c.md#x), [c](/areas/inbox/c.md) and [itself](a.md).",
        "See [[areas/inbox/c]], [[b|the other]] and [[projects/payments/b.md#part]].",
        "See <https://example.org/x>, [m](mailto:a@example.org) and [above](#part).",
        "Generic `List<String>`, a < b, 5<6, `<script>`.\n\n```html\n<b>x</b>\n[no](link.md)\n# no claim\n```",
        "## A heading\n\n> and a quote\n\n- \u0645\u06cc\u200c\u062e\u0648 👩\u200d👩\u200d👧",
    ],
)
def test_ordinary_markdown_passes(body: str) -> None:
    """Links that resolve, code, headings below the first level, and letters that need joiners."""
    assert codes(memory(body=body)) == []


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (memory("c" * 301), "claim_too_long"),
        (memory(body="g " * 751 + "x"), "gist_too_long"),
        (memory(body="# Another claim"), "second_claim"),
        (memory(body="Another claim\n==="), "second_claim"),
        (memory(body="- # In a list"), "second_claim"),
        (memory(""), "missing_claim"),
        (memory(body="<b>bold</b>"), "raw_html"),
        (memory(body="<!-- hidden -->"), "raw_html"),
        (memory("A <script>x</script> claim"), "raw_html"),
        (memory(body="<details>\n\nx\n\n</details>"), "raw_html"),
        (memory(body="[x](javascript:alert(1))"), "unsafe_link"),
        (memory(body="[x][r]\n\n[r]: data:text/html,x"), "unsafe_link"),
        (memory(body="![x](file:///etc/passwd)"), "unsafe_link"),
        (memory(body="[x](gone.md)"), "dangling_link"),
        (memory(body="[x](../../../b.md)"), "dangling_link"),
        (memory(body="[[gone]]"), "dangling_link"),
        (memory(body="![x](pictures/x.png)"), "dangling_link"),
        (memory(superseded_by="projects/payments/gone.md"), "dangling_link"),
        (memory(supersedes=("../x",)), "dangling_link"),
        (memory(body="a\x07b"), "control_characters"),
        (memory(body="a\u202eb"), "control_characters"),
        (memory(body="a\u2066b"), "control_characters"),
        (memory(body="gi\u200dthub"), "control_characters"),
        (memory(body="a\u200bb"), "control_characters"),
        (memory(body="a\U000e0041b"), "control_characters"),
        (memory(body="a\rb"), "control_characters"),
        (memory(body="a\x1b[31mb"), "ansi_escape"),
        (memory(body="a\x9b31mb"), "ansi_escape"),
        (memory(tags=("a\x1b]8;;x\x07",)), "ansi_escape"),
        (memory(author="x\u202ey"), "control_characters"),
        (memory(body=f"Use {TOKEN}."), "secret"),
        (memory(tags=(TOKEN,)), "secret"),
        (memory(body="Use [secret:github-token] for it."), "secret"),
    ],
)
def test_each_violation_has_its_code(one: Memory, code: str) -> None:
    """What a memory must not hold is refused by name."""
    assert code in codes(one)
    assert set(codes(one)) <= {code, "control_characters"}


def test_faults_of_the_form_pass_through() -> None:
    """What reading finds, the gate reports: unknown words, bad dates, task fields, no front matter at all."""
    content = render(memory())
    assert codes(content.replace(b"kind: procedural", b"kind: poem")) == ["unknown_kind"]
    assert codes(content.replace(b"seen_count: 1", b"seen_count: 1\ntask_status: open")) == ["task_fields_on_non_task"]
    assert codes(b"# only a claim\n") == ["unparseable"]
    assert codes(b"# only \x1b a claim\n") == ["ansi_escape", "unparseable"]


def test_a_stale_hash_is_refused() -> None:
    """A claim edited by hand without its hash is named, so that ``doctor`` can offer to write it again."""
    assert codes(render(memory()).replace(b"# Run", b"# Do run")) == ["hash_mismatch"]


def test_a_bad_path_is_refused_whatever_stands_there() -> None:
    """Good content does not make a good path."""
    assert codes(memory(), path="projects/../a.md") == ["bad_path"]


def test_all_violations_come_together() -> None:
    """One check finds everything, each thing once."""
    bad = memory("c" * 400, "# two\n\n<b>\x1b[0m</b> [x](gone.md) [y](javascript:1)")
    assert codes(bad, path="x") == [
        "bad_path",
        "ansi_escape",
        "claim_too_long",
        "second_claim",
        "raw_html",
        "unsafe_link",
        "dangling_link",
    ]


def test_messages_repeat_neither_secret_nor_transcript() -> None:
    """A refusal may be shown and logged."""
    words = " ".join(f"word{n}" for n in range(40))
    content = render(memory(body=f"{words} {TOKEN}"))
    found = check(PATH, content, cited=(words,), exists=HELD.__contains__, secrets=SECRETS)
    assert {refusal.code for refusal in found} == {"secret", "transcript_span"}
    assert not any(TOKEN in refusal.message or "word1" in refusal.message for refusal in found)


def test_a_copied_stretch_of_a_transcript_is_refused() -> None:
    """120 characters of a cited session, however wrapped or marked up, are a copy; 119 are not."""
    said = (
        "The importer failed at row 17 because the date was empty and nobody had looked at the warning that it printed"
        " twice. Then it went on."
    )
    wrapped = said.replace("because ", "because\n\n").replace("nobody had", "nobody **had**")
    assert codes(memory(body=said[:119]), cited=("x", f"before {said} after")) == []
    assert codes(memory(body=said[:120]), cited=("x", f"before {said} after")) == ["transcript_span"]
    assert codes(memory(body=said.replace(" ", "\n", 5)), cited=(said,)) == ["transcript_span"]
    assert codes(memory(body=wrapped.replace("\n\n", " ")), cited=(said,)) == ["transcript_span"]
    assert codes(memory(body=said), cited=(said.upper(),)) == []


def test_memories_from_runs_may_be_longer() -> None:
    """A claim of 1,024 bytes and a body of 16 KiB are for memories promoted from runs only."""
    long = memory("c" * 1_024, "g " * 8_000)
    assert codes(long) == ["claim_too_long", "gist_too_long"]
    assert codes(replace(long, author="runs")) == []
    assert codes(replace(long, author="runs", claim="c" * 1_025)) == ["claim_too_long"]


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (memory(), None),
        (memory(body="See <https://example.org>."), None),
        (memory("Open https://example.org/x first."), "url_in_claim"),
        (memory("Open www.example.org first."), "url_in_claim"),
        (memory("Open [this](/x) first."), "url_in_claim"),
        (memory(body="![x](https://example.org/x.png)"), "remote_image"),
        (memory(body="![x](//example.org/x.png)"), "remote_image"),
    ],
)
def test_addresses_need_a_person(one: Memory, reason: str | None) -> None:
    """A claim with an address, or a picture that would be fetched, never lands by itself."""
    assert needs_person(one) == reason
