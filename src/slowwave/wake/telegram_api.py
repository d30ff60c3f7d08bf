"""The Telegram Bot API, as far as it is needed: the one file of the waking loop that opens an HTTP connection.

The token stands in every address there, so no address, and nothing that may hold one, leaves this file.
"""

import importlib
import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from slowwave.disk.config import ConfigError
from slowwave.facts.limits import MOST_TELEGRAM_BYTES
from slowwave.facts.refusal import ExtraMissingError

_TOKEN = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,200}")
_WIRES = ("httpx2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")))
_DESCRIPTION_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What Telegram gave back."""

    result: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why nothing was given back.

    Attributes:
        status: Its HTTP status, or the code it names; 0 where none came.
        message: A few words without the token.
        seconds: How long it asked us to wait; None where it did not.
    """

    status: int
    message: str
    seconds: float | None = None

    @property
    def is_final(self) -> bool:
        """Whether asking again is of no use before somebody changes the settings: the token is none."""
        return self.status in (401, 404)


class TelegramApi:
    """The methods of one bot.

    Args:
        url: Where the API is, such as ``https://api.telegram.org``.
        token: The bot's token.
        stopwatch: Seconds that only grow.

    Raises:
        ConfigError: The token has not the form of one, or the address is none.
        ExtraMissingError: The package for it is not installed.
    """

    def __init__(self, url: str, token: str, *, stopwatch: Callable[[], float]) -> None:
        if not _TOKEN.fullmatch(token):
            raise ConfigError("what telegram.token leads to is no token", hint="it looks like 123456:ABC-def")
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise ConfigError("telegram.base_url is no address", hint="for example https://api.telegram.org")
        self._url = f"{url.rstrip('/')}/bot{token}"
        self._token = token
        self._stopwatch = stopwatch
        self._http = _library()

    def __repr__(self) -> str:
        return f"TelegramApi({self.name})"

    @property
    def name(self) -> str:
        """The public half of the token: which bot it is."""
        return self._token.partition(":")[0]

    def call(self, method: str, given: Mapping[str, Any], *, seconds: float) -> Answered | Trouble:
        """Call a method; whatever goes wrong comes back as trouble."""
        until = self._stopwatch() + seconds
        plain = {"accept-encoding": "identity"}  # a few bytes that unpack to gigabytes would pass the bound
        try:
            # The environment's proxies are not read: what is sent goes where it is said, and nowhere on a redirect.
            with (
                self._http.Client(trust_env=False, timeout=seconds, follow_redirects=False) as client,
                client.stream("POST", f"{self._url}/{method}", json=dict(given), headers=plain) as response,
            ):
                content = b""
                for part in response.iter_raw():
                    content += part
                    if len(content) > MOST_TELEGRAM_BYTES or self._stopwatch() > until:
                        return Trouble(status=0, message="the answer is longer, or takes longer, than Telegram's do")
                return self._read(response.status_code, content)
        except (self._http.HTTPError, self._http.InvalidURL, self._http.StreamError) as error:
            return Trouble(status=0, message=f"Telegram cannot be reached ({type(error).__name__})")

    def _read(self, status: int, content: bytes) -> Answered | Trouble:
        try:
            tree = json.loads(content)
        except (ValueError, RecursionError):
            tree = None
        if not isinstance(tree, dict):
            return Trouble(status=status, message=f"what answers there is no Telegram (status {status})")
        if tree.get("ok") is True and status < 300:
            return Answered(result=tree.get("result"))
        code = tree.get("error_code")
        told = tree.get("parameters")
        return Trouble(
            status=code if isinstance(code, int) else status,
            message=self._without_token(str(tree.get("description") or f"refused with status {status}")),
            seconds=_seconds(told.get("retry_after") if isinstance(told, dict) else None),
        )

    def _without_token(self, text: str) -> str:
        secret = self._token.partition(":")[2]
        return text.replace(self._token, "[token]").replace(secret, "[token]")[:_DESCRIPTION_CHARACTERS]


def _seconds(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if isinstance(value, int | float) and is_number and 0 < value < 10**9 else None


def _library() -> ModuleType:
    try:
        http = importlib.import_module("httpx2")
    except ImportError:
        raise ExtraMissingError("speaking with Telegram", "notify") from None
    for name in _WIRES:
        # Both log each request with its address, and with it the token.
        logging.getLogger(name).addFilter(_silent)
    return http


def _silent(record: logging.LogRecord) -> bool:
    """Lets nothing through that speaks of a bot's address."""
    return "/bot" not in record.getMessage()
