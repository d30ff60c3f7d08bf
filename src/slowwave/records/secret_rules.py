"""Our own rules for secrets that are known by how they begin: provider tokens, private keys, passwords in addresses.

Every rule is linear: a run of token characters is found with byte tables first, and a pattern is tried only inside it.
A text arrives as bytes with one byte a character (anything beyond ASCII as ``?``), so offsets are character offsets.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator

RUN = 16
"""Shortest run of token characters that is looked into: no provider issues a shorter token with a known prefix."""

_TOKEN_CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~+/="
RUN_TABLE = bytes(97 if byte in _TOKEN_CHARACTERS else 32 for byte in range(256))
"""Maps token characters to ``a`` and all others to a blank, so that ``find`` finds runs."""
_CLASSES = (
    bytes(
        100 if chr(byte).isdigit() else 97 if chr(byte).isalpha() else 46 if byte in b"_-.+=~" else 32
        for byte in range(128)
    )
    + b" " * 128
)
"""Maps digits to ``d``, letters to ``a``, signs inside tokens to a dot and all others to a blank."""

# kind, prefixes, what follows. Prefixes are public knowledge of each provider; lengths are what they issue today.
_PREFIXED = (
    ("aws-key-id", "AKIA ASIA ABIA ACCA", "[A-Z2-7]{16}"),
    ("aws-key-id", "A3T", "[A-Z0-9][A-Z2-7]{16}"),
    ("aws-bedrock-key", "ABSK", "[A-Za-z0-9+/]{109,269}={0,2}"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{36,251}"),
    ("github-token", "github_pat_", "[A-Za-z0-9_]{22,255}"),
    (
        "gitlab-token",
        "glpat- glptt- glrt- gldt- glft- glimt- glagent- gloas- glsoat- glcbt- glffct-",
        "[\\w.-]{20,300}",
    ),
    ("gitlab-token", "GR1348941", "[\\w-]{20,50}"),
    ("anthropic-key", "sk-ant-", "[\\w-]{20,200}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-or-v1-", "[\\w-]{20,300}"),
    ("openai-key", "sk-", "[A-Za-z0-9]{32,64}"),
    ("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp-", "[A-Za-z0-9-]{10,250}"),
    ("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", "[A-Za-z0-9]{10,247}"),
    ("google-key", "AIza", "[\\w-]{35}"),
    ("google-token", "ya29.", "[\\w.-]{20,1000}"),
    ("google-secret", "GOCSPX-", "[\\w-]{28}"),
    ("npm-token", "npm_", "[A-Za-z0-9]{36}"),
    ("pypi-token", "pypi-AgE", "[\\w-]{50,1000}"),
    ("hugging-face-token", "hf_ api_org_", "[A-Za-z0-9]{30,40}"),
    ("jwt", "ey", "[\\w-]{15,2000}\\.ey[\\w/-]{15,4000}(?:\\.[\\w/-]{10,2000}={0,2})?"),
    ("sendgrid-key", "SG.", "[\\w=.-]{66}"),
    ("digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", "[a-fA-F0-9]{64}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32}"),
    ("vault-token", "hvb. hvs.", "[\\w-]{90,300}"),
    ("alibaba-key-id", "LTAI", "[A-Za-z0-9]{20}"),
    ("artifactory-key", "AKCp", "[A-Za-z0-9]{69}"),
    ("artifactory-token", "cmVmd", "[A-Za-z0-9]{59}"),
    ("fly-token", "fo1_ fm1a_ fm1r_ fm2_", "[\\w+/-]{43,500}={0,3}"),
    ("grafana-token", "glc_", "[A-Za-z0-9+/]{32,400}={0,3}"),
    ("grafana-token", "glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    ("harness-key", "pat. sat.", "[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}"),
    ("planetscale-secret", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[\\w=.-]{32,64}"),
    ("clickhouse-key", "4b1d", "[A-Za-z0-9]{38}"),
)
# kind, a mark inside the token, characters before it, the whole token from there
_MARKED = (
    ("terraform-token", b".atlasv1.", 14, re.compile(rb"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}(?![\w=-])")),
    ("azure-secret", b"Q~", 4, re.compile(rb"[\w.~]{3}[0-9]Q~[\w.~-]{31,34}(?![\w.~-])")),
)


def _trie(words: list[str]) -> str:
    """A pattern for any of the words that looks at each letter once; a choice of 70 words would try each in turn."""
    if "" in words:
        return ""
    heads = sorted({word[0] for word in words})
    tails = [re.escape(head) + _trie([word[1:] for word in words if word[0] == head]) for head in heads]
    return tails[0] if len(tails) == 1 else "(?:" + "|".join(tails) + ")"


_BODIES = {
    prefix.encode(): (kind, re.compile(f"{body}(?![A-Za-z0-9])".encode()))
    for kind, prefixes, body in _PREFIXED
    for prefix in prefixes.split()
}
_START = re.compile(_trie([prefix.decode() for prefix in _BODIES]).encode())
_LONGEST_PREFIX = max(len(prefix) for prefix in _BODIES)
_BEFORE = re.compile(rb"(?<![A-Za-z0-9])|(?<=\\[nrt])")  # a line break spelled as two characters is a border too

_KEY_BEGIN = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(rb"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BYTES = 16 * 1024  # the longest private key block in use; an unclosed one is masked this far
_ADDRESS = re.compile(rb"://[A-Za-z0-9._~%!$&+,;=-]{0,64}:([^\s@/\"'`<>\\\[\]]{1,256})@")
_VARIABLE = re.compile(rb"\$\{?\w+\}?|%\w+%|\{+[\w. ]+\}+|\*+|\.+|pass(?:word)?|pw|secret|token", re.IGNORECASE)
LEAST_ENTROPY = 2.4
"""Bits a character that a machine-made token has at the least, prefix included; samples like ``sk-aaaa`` have fewer."""
_KEY_CHARACTERS = 10  # different ones that the first lines of a private key hold; fewer is a sample


def known_tokens(raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Spans of tokens that a provider marks by a prefix or an infix: start, end, kind."""
    for start, end in _runs(raw):
        for found in _START.finditer(raw, start, end):
            if _BEFORE.match(raw, found.start()):
                yield from _token_at(raw, found.start(), end)
    for kind, mark, before, whole in _MARKED:
        at = raw.find(mark)
        while at >= 0:
            if at >= before and (token := whole.match(raw, at - before)) and entropy(token.group()) >= LEAST_ENTROPY:
                yield token.start(), token.end(), kind
            at = raw.find(mark, at + 1)


def _token_at(raw: bytes, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The token whose prefix stands at ``start``, by the longest prefix that has a fitting body."""
    head = raw[start : min(end, start + _LONGEST_PREFIX)]
    for size in range(len(head), 1, -1):
        rule = _BODIES.get(head[:size])
        token = rule[1].match(raw, start + size, end) if rule else None
        if rule and token and entropy(raw[start : token.end()]) >= LEAST_ENTROPY:
            yield start, token.end(), rule[0]
            return


def private_keys(raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Spans of private key blocks, to their end line or, unclosed, as far as the longest key goes."""
    at = raw.find(b"-----BEGIN ")
    while at >= 0:
        if begin := _KEY_BEGIN.match(raw, at):
            most = min(len(raw), begin.end() + _KEY_BYTES)
            close = _KEY_END.search(raw, begin.end(), most)
            end = close.end() if close else most
            if len(set(raw[begin.end() : begin.end() + 200].strip())) >= _KEY_CHARACTERS:
                yield at, end, "private-key"
            at = end
        else:
            at += 1
        at = raw.find(b"-----BEGIN ", at)


def address_passwords(raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Spans of the password in ``scheme://name:password@host``."""
    at = raw.find(b"://")
    while at >= 0:
        found = _ADDRESS.match(raw, at)
        if found and not _VARIABLE.fullmatch(found.group(1)):
            yield found.start(1), found.end(1), "password-in-url"
        at = raw.find(b"://", at + 3)


def entropy(value: bytes) -> float:
    """Shannon bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values()) if size else 0.0


def has_token_like(raw: bytes) -> bool:
    """Whether any word is long and mixed enough to be a token: letters and digits, with the signs tokens have."""
    words = raw.translate(_CLASSES).split()
    return any(len(word) >= RUN and b"d" in word and b"a" in word for word in words)


def _runs(raw: bytes) -> Iterator[tuple[int, int]]:
    shape = raw.translate(RUN_TABLE)
    at = shape.find(b"a" * RUN)
    while at >= 0:
        end = shape.find(b" ", at)
        end = len(shape) if end < 0 else end
        yield at, end
        at = shape.find(b"a" * RUN, end)
