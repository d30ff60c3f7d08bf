"""The token of the endpoints: in a file of the home that its owner alone can read, made at the first use."""

import re
import secrets

from slowwave.disk.durable import make_folder, read_whole, write_atomic
from slowwave.disk.home import Home
from slowwave.disk.lock import WriterLock
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import DamageError

_TOKEN_BYTES = 32  # 256 bits: nobody guesses it over a socket
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")


def api_token(home: Home, clock: Clock) -> str:
    """The token of a home.

    Raises:
        DamageError: Its file holds none, or others may read it.
        DiskError: The system refused.
    """
    path = home.root / "keys" / "api-token"
    if not path.exists():
        make_folder(path.parent)
        with WriterLock(home.locks / "keys", command="slowwave serve", clock=clock):
            if not path.exists():  # nobody else made one meanwhile
                write_atomic(path, f"{secrets.token_urlsafe(_TOKEN_BYTES)}\n".encode("ascii"))
    if path.stat().st_mode & 0o077 or path.is_symlink() or not path.is_file():
        raise DamageError(
            f"{path} can be read by others", hint="remove it: another token is made, and the old one opens nothing"
        )
    token = (read_whole(path) or b"").decode("ascii", "replace").strip()
    if not _TOKEN.fullmatch(token):
        raise DamageError(f"{path} holds no token", hint="remove it: another one is made")
    return token
