"""Our own rules for secrets that are known by the name they are given to: ``password = "..."``, headers, manifests.

A value counts when it looks made by a machine or chosen as a password; variables, placeholders and plain words do not.
Keywords are found with ``bytes.find`` over a lower-case copy and every pattern is anchored there and bounded.
"""

import re
from collections.abc import Iterator

from slowwave.records.secret_rules import entropy

_NAME_CHARACTERS = 40  # of a field's name, from its end
_VALUE_CHARACTERS = 4_096  # longest value that is a secret as a whole
_FEWEST_CHARACTERS = 6
_LOWER = bytes(byte + 32 if 65 <= byte <= 90 else 95 if byte in b"-." else byte for byte in range(256))
"""Lower case, with ``-`` and ``.`` as ``_``, so that one spelling of a keyword finds all."""

_PASSWORDS = (b"password", b"passwd", b"pwd", b"passphrase")
_TOKENS = (
    b"secret",
    b"token",
    b"api_key",
    b"apikey",
    b"access_key",
    b"accesskey",
    b"accountkey",
    b"account_key",
    b"private_key",
    b"auth_key",
    b"encryption_key",
    b"signing_key",
    b"credential",
)
_ASSIGNED = re.compile(
    rb"[\w.-]{0,40}(?:\\{0,3}[\"'`\]]){0,2}(?:[ \t]{0,8}(?:=>|:=|\?=|={1,3}|:{1,3})|>|[ \t]{1,4}value(?==))"
    rb"[ \t=]{0,8}(?:\\{0,3}(?P<q>[\"'`])(?P<quoted>[^\"'`\\\s]{6,512})|(?P<bare>[^\s\"'`\\<>(){}\[\],;]{6,512}))"
)
_HEADER = re.compile(
    rb"\\{0,3}[\"'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}[\"'`]?"
    rb"(?:(?i:bearer|basic|token|apikey)[ \t]{1,4})([A-Za-z0-9._~+/=@-]{6,2048})"
)
_BEARER_VALUE = re.compile(rb"[A-Za-z0-9._~+/=-]{20,2048}")
_CURL_USER = re.compile(rb"[ \t=]{0,4}([^\s\\]{3,128})")
_COMMAND_SPAN = 300  # bytes before ``-u`` in which the word curl stands
_MANIFEST_SPAN = 4_000  # bytes around ``kind: Secret`` in which its values stand
_MANIFEST_HEAD = re.compile(rb"[ \t]{0,4}[\"']?secret[\"']?[ \t]{0,4}(?:\r?\n|\\n|,|$)")
_MANIFEST_DATA = re.compile(rb"(?:^|\n|\\n)[ \t]{0,8}(?:data|stringdata):[ \t]{0,4}(?:\r?\n|\\n)")
_MANIFEST_VALUE = re.compile(
    rb"[ \t]{1,16}[\w.-]{1,253}:[ \t]{0,4}(?:[|>][+-]?[ \t]{0,4}(?:\r?\n[ \t]{1,24})?)?"
    rb"[\"']?([A-Za-z0-9+/=]{6,4096})?[\"']{0,2}[ \t]{0,4}(?:\r?\n|\\n|$)"
)
_PLACEHOLDER = re.compile(
    rb"\A[$<{%*]|\[secret:|\$\{|\{\{|<[a-z_ -]{1,40}>|xxxx|\*\*\*|\.\.\.|redacted|example|placeholder|change_?me"
    rb"|your[_-]|_here\b|process\.env|os\.environ|getenv|todo|dummy|insert_|replace_",
    re.IGNORECASE,
)
_PART = re.compile(rb"[._/:@+?&!-]")
_WORD = re.compile(rb"[A-Za-z][a-z]*(?:[A-Z][a-z]+){0,7}[0-9]{0,3}|[A-Z]+[0-9]{0,3}|[0-9]{1,4}")
_CODE = re.compile(rb"(?:self|this|cls|args|options|config|settings|request|req|env)\.")


def assigned_secrets(raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Spans of values given to a name that speaks of a password, token or key: start, end, kind."""
    low = raw.translate(_LOWER)
    for keywords, kind in ((_PASSWORDS, "password"), (_TOKENS, "assigned-secret")):
        for keyword in keywords:
            yield from _assigned(raw, low, keyword, kind)
    yield from _headers(raw, low)
    yield from _curl_users(raw, low)
    yield from _manifests(raw, low)


def is_telling_name(name: str) -> bool:
    """Whether a field's name says that its value is a password, token or key."""
    return _low(name).endswith(_PASSWORDS + _TOKENS)


def _low(name: str) -> bytes:
    return name[-_NAME_CHARACTERS:].encode("ascii", "replace").translate(_LOWER)


def kind_of_value(name: str, value: str) -> str:
    """The kind of secret that a field's whole value is, going by the field's name; empty for none."""
    if not is_telling_name(name):
        return ""
    raw = value[:_VALUE_CHARACTERS].encode("ascii", "replace")
    if len(raw) < _FEWEST_CHARACTERS or b" " in raw or len(value) > len(raw):
        return ""
    is_password = _low(name).endswith(_PASSWORDS)
    if not _is_secret(raw, is_password=is_password, is_quoted=True, is_constant=False):
        return ""
    return "password" if is_password else "assigned-secret"


def _assigned(raw: bytes, low: bytes, keyword: bytes, kind: str) -> Iterator[tuple[int, int, str]]:
    at = low.find(keyword)
    while at >= 0:
        end = at + len(keyword)
        found = _ASSIGNED.match(raw, end)
        if found:
            name = "quoted" if found.group("q") else "bare"
            value = found.group(name)
            is_constant = raw[at:end].isupper() and b"=" in raw[end : found.start(name)]
            if _is_secret(value, is_password=kind == "password", is_quoted=name == "quoted", is_constant=is_constant):
                yield found.start(name), found.end(name), kind
        at = low.find(keyword, end)


def _is_secret(value: bytes, *, is_password: bool, is_quoted: bool, is_constant: bool) -> bool:
    if _PLACEHOLDER.search(value) or len(set(value)) < 4 or _CODE.match(value):
        return False
    classes = _classes(value)
    if is_password and (is_quoted or is_constant):
        return classes >= 2 and not _is_words(value)
    if is_password:
        return len(value) >= 8 and classes >= 3 and not _is_words(value)
    if len(value) < 10 or _is_words(value):
        return False
    if value.isdigit():
        return is_quoted and len(value) >= 15
    has_digit = any(48 <= byte <= 57 for byte in value)
    return entropy(value) >= 3.0 and (has_digit or (len(value) >= 12 and classes >= 2))


def _classes(value: bytes) -> int:
    lower = any(97 <= byte <= 122 for byte in value)
    upper = any(65 <= byte <= 90 for byte in value)
    digit = any(48 <= byte <= 57 for byte in value)
    other = not value.isalnum()
    return lower + upper + digit + other


def _is_words(value: bytes) -> bool:
    """Names, versions and paths: every part between separators is an ordinary word."""
    if value.isalpha() and (value.islower() or value.isupper() or value.istitle()):
        return True
    parts = [part for part in _PART.split(value) if part]
    return all(len(part) <= 48 and _WORD.fullmatch(part) for part in parts) and (len(parts) > 1 or value.isalpha())


def _headers(raw: bytes, low: bytes) -> Iterator[tuple[int, int, str]]:
    at = low.find(b"authorization")
    while at >= 0:
        found = _HEADER.match(raw, at + 13)
        if found and not _PLACEHOLDER.search(found.group(1)) and _classes(found.group(1)) >= 2:
            yield found.start(1), found.end(1), "bearer-token"
        at = low.find(b"authorization", at + 13)
    at = low.find(b"bearer ")
    while at >= 0:
        found = _BEARER_VALUE.match(raw, at + 7)
        if found and _is_secret(found.group(), is_password=False, is_quoted=True, is_constant=False):
            yield found.start(), found.end(), "bearer-token"
        at = low.find(b"bearer ", at + 7)


def _curl_users(raw: bytes, low: bytes) -> Iterator[tuple[int, int, str]]:
    for option in (b" _u", b" __user"):  # dashes stand as low lines in the lower-case copy
        at = low.find(option)
        while at >= 0:
            end = at + len(option)
            found = _CURL_USER.match(raw, end)
            if found and low.rfind(b"curl ", max(0, at - _COMMAND_SPAN), end) >= 0 and _holds_password(found.group(1)):
                yield found.start(1), found.end(1), "curl-user"
            at = low.find(option, end)


def _holds_password(word: bytes) -> bool:
    name, colon, password = (part.strip(b"\"'") for part in word.partition(b":"))
    value = password or (name if _classes(name) >= 2 else b"")  # an API key often stands as the name, with no password
    return bool(colon) and len(set(value)) >= min(3, len(value)) and bool(value) and not _PLACEHOLDER.search(value)


def _manifests(raw: bytes, low: bytes) -> Iterator[tuple[int, int, str]]:
    at, seen = low.find(b"kind:"), 0
    while at >= 0:
        end = at + 5
        if _MANIFEST_HEAD.match(low, end):
            start, end = max(seen, at - _MANIFEST_SPAN), at + _MANIFEST_SPAN
            for head in _MANIFEST_DATA.finditer(low, start, end):
                yield from _manifest_values(raw, head.end(), end)
            seen = end
        at = low.find(b"kind:", end)


def _manifest_values(raw: bytes, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    at = start
    while found := _MANIFEST_VALUE.match(raw, at, end):
        if found.group(1) and len(set(found.group(1))) >= 4:
            yield found.start(1), found.end(1), "manifest-secret"
        at = found.end() if found.end() > at else end
