"""Channels: the addresses of ``notify.urls``, each sent to in its way.

``file:///PATH`` is a file that grows by a line; ``command:PROGRAM WORDS`` a program that is given title and text;
``telegram:CHAT`` a chat of the configured bot; everything else the notification library's. ``env:NAME`` and
``file:PATH`` say where an address stands that must not stand in the settings.
"""

import hashlib
import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from slowwave.disk.config import Config, TelegramSettings
from slowwave.disk.jsonl import append_lines
from slowwave.disk.programs import End, Program, passed_on, run_program
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import NOTICE_SECONDS, TELEGRAM_TEXT_CHARACTERS
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.text import cut
from slowwave.models.keys import TELEGRAM, read_at
from slowwave.wake.notices import Notice, NotSent, Sent
from slowwave.wake.notify import scheme_of, send_by_library
from slowwave.wake.telegram_api import TelegramApi, Trouble

_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:(?!//).+")
_TGRAM = re.compile(r"tgram://(?:bot)?([0-9]+(?::|%3[Aa])[A-Za-z0-9_-]+)/([^?]+?)/?(?:\?.*)?")
_DESKTOP = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP")


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One entry of ``notify.urls``.

    Attributes:
        name: Stable while the entry is the same, and free of secrets.
        written: The entry as it stands in the settings.
    """

    name: str
    written: str = field(repr=False)


def channels_of(urls: tuple[str, ...]) -> tuple[Channel, ...]:
    """The channels of ``notify.urls``, each named; an entry that stands twice is one."""
    named: dict[str, Channel] = {}
    for written in dict.fromkeys(url.strip() for url in urls if url.strip()):
        name = _name(written)
        number = 2
        while name in named:
            name, number = f"{_name(written)}-{number}", number + 1
        named[name] = Channel(name=name, written=written)
    return tuple(named.values())


def _name(written: str) -> str:
    """A reference as it is; else the service, with sixteen bits of the entry: too few to guess a password by."""
    if _REFERENCE.fullmatch(written):
        return written
    kind = scheme_of(written) or written.partition(":")[0][:16]
    kind = kind if re.fullmatch(r"[a-z][a-z0-9_+.-]*", kind) else "address"
    return f"{kind}-{hashlib.sha256(written.encode('utf-8', 'surrogatepass')).hexdigest()[:4]}"


class Channels:
    """Sends notices over the channels of a home.

    Args:
        config: Its settings.
        environment: Where variables are, also those that a command is given.
        clock: The present, for a file's lines.
        stopwatch: Seconds that only grow.
        folder: Where commands run.
    """

    def __init__(
        self,
        config: Config,
        *,
        environment: Mapping[str, str],
        clock: Clock,
        stopwatch: Callable[[], float],
        folder: Path,
    ) -> None:
        self._channels = {channel.name: channel for channel in channels_of(config.notify.urls)}
        self._telegram = config.telegram
        self._environment = environment
        self._clock = clock
        self._stopwatch = stopwatch
        self._folder = folder

    @property
    def channels(self) -> tuple[str, ...]:
        """Their names, in the order of the settings."""
        return tuple(self._channels)

    def send(self, channel: str, notice: Notice) -> Sent | NotSent:
        """Send a notice over a channel, within its time; whatever goes wrong comes back."""
        try:
            url = self._address(self._channels[channel].written)
            return self._send(url, notice)
        except SlowwaveError as error:
            return NotSent(reason=error.message)

    def _address(self, written: str) -> str:
        """The address itself, read anew each time, so that it can be changed while the loop runs."""
        if not _REFERENCE.fullmatch(written):
            return written
        return read_at(written, self._environment, setting="notify.urls", entry="")

    def _send(self, url: str, notice: Notice) -> Sent | NotSent:
        kind = scheme_of(url) or url.partition(":")[0].lower()
        if kind == "file":
            return append_to_file(url, notice, self._clock())
        if kind == "command":
            return self._run(url, notice)
        if kind == "telegram":
            token = read_at(self._telegram.token, self._environment, setting="telegram.token", entry=TELEGRAM)
            peer = url.partition(":")[2].strip("/")
            return send_by_telegram(self._api(token), (peer,) if peer else (), notice)
        own = _TGRAM.fullmatch(url)
        if own and self._telegram.base_url.rstrip("/") != TelegramSettings().base_url:
            # The library knows one address of Telegram's alone.
            peers = tuple(unquote(peer) for peer in own.group(2).split("/") if peer)
            return send_by_telegram(self._api(unquote(own.group(1))), peers, notice)
        return send_by_library(url, notice)

    def _api(self, token: str) -> TelegramApi:
        return TelegramApi(self._telegram.base_url, token, stopwatch=self._stopwatch)

    def _run(self, url: str, notice: Notice) -> Sent | NotSent:
        try:
            words = shlex.split(url.partition(":")[2])
        except ValueError:
            words = []
        if not words:
            return NotSent(reason="the command has no words that a shell would read")
        environment = passed_on(self._environment, _DESKTOP) | {"SLOWWAVE_KEY": notice.key}
        # A text that begins like an option is none.
        text = f" {notice.text}" if notice.text.startswith("-") else notice.text
        program = Program(
            words=(*words, notice.title, text.replace("\0", "\ufffd")), environment=environment, folder=self._folder
        )
        ended = run_program(program, seconds=NOTICE_SECONDS, stopwatch=self._stopwatch)
        if ended.end is End.ENDED and ended.status == 0:
            return Sent()
        if ended.end is End.UNSTARTABLE:
            return NotSent(reason="the command cannot be started")
        if ended.end is End.TOO_LONG:
            return NotSent(reason=f"the command did not end within {NOTICE_SECONDS:g} seconds")
        return NotSent(reason=f"the command ended with status {ended.status}")


def append_to_file(url: str, notice: Notice, now: datetime) -> Sent | NotSent:
    """Add a notice to a file as one JSON object a line; a file that holds anything else is not touched."""
    parts = urlsplit(url)
    path = Path(unquote(parts.path))
    if parts.netloc not in ("", "localhost") or not path.is_absolute():
        return NotSent(reason="a file is named by its whole path: file:///home/ann/reminders.jsonl")
    row = {"key": notice.key, "title": notice.title, "text": notice.text, "sent": stamp(now)}
    if not _is_ours(path):
        return NotSent(reason="that file holds something else than notices; name one of its own")
    append_lines(path, [json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")])
    return Sent()


def _is_ours(path: Path) -> bool:
    """Whether a file is not there yet, empty, or begins as ours do."""
    with speaking(path):
        if not path.exists():
            return True
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return stream.read(1) in (b"", b"{")


def send_by_telegram(api: TelegramApi, peers: tuple[str, ...], notice: Notice) -> Sent | NotSent:
    """Send a notice to chats of a bot, as plain text."""
    for peer in peers:
        given = {
            "chat_id": int(peer) if re.fullmatch(r"-?[0-9]{1,20}", peer) else peer,
            "text": cut(f"{notice.title}\n{notice.text}", TELEGRAM_TEXT_CHARACTERS),
            "disable_web_page_preview": True,
        }
        answer = api.call("sendMessage", given, seconds=NOTICE_SECONDS)
        if isinstance(answer, Trouble):
            return NotSent(reason=answer.message, seconds=answer.seconds)
    return Sent() if peers else NotSent(reason="no chat is named; write telegram:CHAT")
