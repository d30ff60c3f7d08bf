"""The notification library: the one file that imports it, when something is sent and not before.

An address may hold a password, and the library writes addresses into its log. Its log goes nowhere from here on, and of
what it says only whether it sent.
"""

import importlib
import logging
import re
import warnings
from types import ModuleType
from urllib.parse import urlsplit

from slowwave.facts.limits import NOTICE_SECONDS
from slowwave.facts.refusal import ExtraMissingError
from slowwave.wake.notices import Notice, NotSent, Sent

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9_+.-]{0,31})://")
_WITH_FIELD = ("json", "jsons", "xml", "xmls", "form", "forms")
_WITH_HEADER = (*_WITH_FIELD, "mailto", "mailtos")
_TALKATIVE = ("apprise", "urllib3.connectionpool", "requests", "paho", "slixmpp")


def scheme_of(url: str) -> str:
    """The service that an address names, in lower case; empty where it names none."""
    named = _SCHEME.match(url)
    return named.group(1).lower() if named else ""


def send_by_library(url: str, notice: Notice) -> Sent | NotSent:
    """Send a notice to an address of the library's; its key is a header and a field where the service has them.

    Raises:
        ExtraMissingError: The library is not installed.
    """
    library = _library()
    with warnings.catch_warnings():
        # Two hundred services are loaded here, some by names that Python is about to drop.
        warnings.simplefilter("ignore")
        made = library.Apprise(asset=_settings(library))
        if not made.add(with_key(url, notice.key)):
            return NotSent(reason=f"the library knows no service for this {scheme_of(url) or 'address'}")
        done = made.notify(
            title=notice.title, body=notice.text, body_format=library.NotifyFormat.TEXT, timeout=NOTICE_SECONDS
        )
    if done:
        return Sent()
    is_slow = done.status == library.AppriseResultStatus.TIMEOUT
    return NotSent(reason=f"no answer within {NOTICE_SECONDS:g} seconds" if is_slow else "the service did not take it")


def with_key(url: str, key: str) -> str:
    """An address that also sends a key: the library reads headers and fields to add from the address itself."""
    scheme = scheme_of(url)
    added = [f"+Idempotency-Key={key}"] if scheme in _WITH_HEADER else []
    added += [f":key={key}"] if scheme in _WITH_FIELD else []
    if not added:
        return url
    return f"{url}{'&' if urlsplit(url).query else '' if url.endswith('?') else '?'}{'&'.join(added)}"


def _settings(library: ModuleType) -> object:
    """What the library may do: keep nothing on the disk, make no keys, follow no redirect, interpret nothing."""
    return library.AppriseAsset(
        app_id="slowwave",
        app_desc="slowwave",
        storage_mode="memory",
        service_timeout=NOTICE_SECONDS,
        http_redirects=False,
        interpret_escapes=False,
        interpret_emojis=False,
        pgp_autogen=False,
        pem_autogen=False,
        allow_templates=False,
        async_mode=False,
    )


def _library() -> ModuleType:
    for name in _TALKATIVE:
        logger = logging.getLogger(name)
        # No record passes, whatever the level: even its warnings name hosts and users.
        logger.disabled = True
    try:
        return importlib.import_module("apprise")
    except ImportError:
        raise ExtraMissingError("sending notices", "notify") from None
