"""What may stand in a file of lines and must come back byte for byte: each puts it into a session that is whole."""

from collections.abc import Callable, Mapping

MARK = b"\xef\xbb\xbf"
STRANGE = b'{"type":"a-type-of-tomorrow","uuid":"u-strange","nested":{"deep":[1,{"a":null}]},"sessionId":"nobody"}\n'


def _behind_first(raw: bytes, more: bytes) -> bytes:
    first, rest = raw.split(b"\n", 1)
    return first + b"\n" + more + rest


def _glued(raw: bytes) -> bytes:
    """The second and the third record on one line."""
    first, second, third, *rest = raw.split(b"\n")
    return b"\n".join([first, second + third, *rest])


def _twice(raw: bytes) -> bytes:
    """The first record again, with the same id."""
    return _behind_first(raw, raw.split(b"\n", 1)[0] + b"\n")


NASTY: Mapping[str, Callable[[bytes], bytes]] = {
    "byte order mark": lambda raw: MARK + raw,
    "crlf": lambda raw: raw.replace(b"\n", b"\r\n"),
    "no final newline": lambda raw: raw.rstrip(b"\n"),
    "torn tail": lambda raw: raw + b'{"type":"user","message":{"role":"user","content":"and th',
    "torn middle": lambda raw: _behind_first(raw, b'{"type":"user","message":{"content":"x'),
    "glued": _glued,
    "blank lines": lambda raw: b"\n \n\t\n" + raw.replace(b"\n", b"\n\n") + b"\n\n",
    "nul": lambda raw: _behind_first(raw, b"\x00" * 300 + b"\n") + b"\x00\x00",
    "invalid utf-8": lambda raw: _behind_first(raw, b'{"type":"system","content":"\xff\xfe\xc3("}\n'),
    "half surrogate": lambda raw: _behind_first(raw, b'{"type":"system","content":"\\ud800 and \\udc00"}\n'),
    "line separator": lambda raw: _behind_first(raw, '{"type":"system","content":"a\u2028b\u2029c\x85d"}\n'.encode()),
    "huge number": lambda raw: _behind_first(raw, b'{"type":"system","n":-123456789012345678901234567890,"f":1E400}\n'),
    "key twice": lambda raw: _behind_first(raw, b'{"type":"x","type":"system","content":"a","content":"b"}\n'),
    "nan": lambda raw: _behind_first(raw, b'{"type":"system","n":NaN,"i":-Infinity}\n'),
    "deep": lambda raw: _behind_first(raw, b'{"type":"system","d":' + b"[" * 3_000 + b"]" * 3_000 + b"}\n"),
    "unknown type": lambda raw: _behind_first(raw, STRANGE * 3),
    "no object": lambda raw: _behind_first(raw, b'1\nnull\n"text"\n[{"type":"user"}]\ntrue\n'),
    "begins with no object": lambda raw: b"[1, 2]\n" + raw,
    "begins with damage": lambda raw: b'{"a\n{"b\n{"c\n' + raw,
    "record in a text": lambda raw: _behind_first(raw, b'"{\\"type\\":\\"system\\",\\"content\\":\\"x\\"}"\n'),
    "id twice": _twice,
    "control characters": lambda raw: _behind_first(raw, b'{"type":"system","content":"a\x01\x1b[31m\x0b"}\n'),
    "blanks around": lambda raw: raw.replace(b"\n", b" \t\n  "),
}
"""By name."""
