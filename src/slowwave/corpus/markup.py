"""What a Markdown text would do if somebody showed it: headings, HTML, links, images, and its words without markup."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

_WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,512})(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SAFE_SCHEMES = frozenset({"http:", "https:", "mailto:"})
_URL = re.compile(r"(?:https?|ftp)://|www\.[\w-]|mailto:|\]\(\s*[A-Za-z/]", re.IGNORECASE)
_REMOTE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//")


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """A text taken apart by a CommonMark parser.

    Attributes:
        titles: How many first-level headings it has.
        has_html: Whether any of it is raw HTML.
        links: Targets of links and images within the corpus, without fragment.
        wiki_links: Targets of ``[[...]]`` links.
        unsafe: Schemes of links that are neither the web, mail nor the corpus, such as ``javascript:``.
        has_remote_image: Whether showing it would fetch something from elsewhere.
        words: The text without markup, block by block.
    """

    titles: int
    has_html: bool
    links: tuple[str, ...]
    wiki_links: tuple[str, ...]
    unsafe: tuple[str, ...]
    has_remote_image: bool
    words: tuple[str, ...]


def read_markup(text: str) -> Markup:
    """Parse with HTML on and every link target let through, so that what is there is seen, then judged here."""
    tokens = list(_flat(_parser().parse(text)))
    targets = [str(token.attrs["href"]) for token in tokens if token.type == "link_open" and "href" in token.attrs]
    images = [str(token.attrs["src"]) for token in tokens if token.type == "image" and "src" in token.attrs]
    schemes = [found.group().lower() for target in targets + images if (found := _SCHEME.match(target.strip()))]
    prose = [token.content for token in tokens if token.type == "text"]
    return Markup(
        titles=sum(token.type == "heading_open" and token.tag == "h1" for token in tokens),
        has_html=any(token.type in {"html_block", "html_inline"} for token in tokens),
        links=tuple(dict.fromkeys(path for target in targets + images if (path := _local(target)))),
        wiki_links=tuple(dict.fromkeys(m.group(1).strip() for part in prose for m in _WIKI_LINK.finditer(part))),
        unsafe=tuple(dict.fromkeys(scheme for scheme in schemes if scheme not in _SAFE_SCHEMES)),
        has_remote_image=any(_REMOTE.match(image.strip()) for image in images),
        words=_words(tokens),
    )


def holds_address(text: str) -> bool:
    """Whether a text holds a web or mail address, or a link, in any spelling a viewer might make clickable."""
    return _URL.search(text) is not None


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True})
    vars(parser)["validateLink"] = lambda _url: True  # the default drops unsafe links, and we would not see them
    return parser


def _flat(tokens: list[Token]) -> Iterator[Token]:
    """Blocks and, in place of each run of inline text, its parts; image texts stay within their image."""
    for token in tokens:
        if token.type == "inline":
            yield from token.children or ()
            yield Token("inline_end", "", 0)
        else:
            yield token


def _local(target: str) -> str:
    """The corpus path a link names, or nothing for an address elsewhere or a place within the page."""
    target = target.strip()
    if _SCHEME.match(target) or _REMOTE.match(target):
        return ""
    return unquote(target.partition("#")[0].partition("?")[0])


def _words(tokens: list[Token]) -> tuple[str, ...]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token.type == "inline_end":
            parts.append([])
        elif token.type in {"softbreak", "hardbreak"}:
            parts[-1].append(" ")
        elif token.content:
            parts[-1].append(token.content)
    return tuple("".join(part) for part in parts if part)
