"""The only way out: one host, headers by name, the key once, an answer of bounded size and of a sort we read.

Every client library reads variables, adds headers about the machine, follows what a server points to. All of them send
through this transport, and what they should not say or ask ends here.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx2

from slowwave import __version__
from slowwave.facts.limits import MOST_PROVIDER_BYTES
from slowwave.models.as_sent import kept_as_text
from slowwave.models.channel import Kind, Trouble

_SENT = frozenset(
    {"host", "content-type", "content-length", "transfer-encoding", "accept", "anthropic-version", "anthropic-beta"}
)
"""Headers that a provider needs; whatever else a library adds stays here."""
_KEYS = {"x-api-key": "", "x-goog-api-key": "", "authorization": "Bearer "}
"""Headers that carry a key, with what stands before it."""
_ANSWERS = ("application/json", "text/event-stream", "application/vnd.amazon.eventstream")


class BrokenOffError(httpx2.TransportError):
    """The exchange was ended here; what was wrong stands in ``Outgoing.trouble``."""


class Outgoing(httpx2.AsyncBaseTransport):
    """Carries the requests of one channel to its one host.

    Args:
        url: The provider's address; nothing is sent to another host or port.
        key: Its key; no other secret leaves with a request. Empty where none is needed.
        provider: Its name, which tells where its answers hold arguments.

    Attributes:
        is_used: Whether anything was to be sent.
        trouble: Why the last exchange was ended here; None where it was not.
    """

    def __init__(self, url: str, key: str, provider: str) -> None:
        parts = urlsplit(url)
        self._origin = (parts.scheme, parts.hostname or "", parts.port)
        self._key = key
        self._provider = provider
        # The environment's proxies, certificates and password files are not read: what is sent goes where it is said.
        self._inner = httpx2.AsyncHTTPTransport(trust_env=False, retries=0)
        self.trouble: Trouble | None = None
        self.is_used = False

    def __repr__(self) -> str:
        return f"Outgoing({self._origin[1]})"

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request of the library, and read its whole answer."""
        self.trouble = None
        self.is_used = True
        parts = urlsplit(str(request.url))
        if (parts.scheme, parts.hostname or "", parts.port) != self._origin:
            raise self._ended(Kind.AWAY, "the client library wanted to ask another host than the one configured")
        request.headers = httpx2.Headers(_headers(request.headers, self._key))
        response = await self._inner.handle_async_request(request)
        try:
            self._look_at(response)
            content = self._readable(response, await self._whole(response))
        finally:
            await response.aclose()
        framing = ("transfer-encoding", "content-length")  # of what came, not of what is passed on
        kept = [(name, value) for name, value in response.headers.multi_items() if name not in framing]
        return httpx2.Response(response.status_code, headers=kept, content=content, request=request)

    async def fetch(
        self, url: str, headers: Mapping[str, str | bytes], content: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """Post something and give back status, headers and content: for a client that brings its own HTTP."""
        plain = {name: str(value, "ascii") if isinstance(value, bytes) else value for name, value in headers.items()}
        async with httpx2.AsyncClient(transport=self, trust_env=False, timeout=None) as http:
            response = await http.post(url, headers=plain, content=content)
            return response.status_code, dict(response.headers), response.content

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._inner.aclose()

    def _look_at(self, response: httpx2.Response) -> None:
        """Refuse an answer by its head."""
        if response.headers.get("content-encoding", "identity") not in ("identity", ""):
            raise self._ended(Kind.AWAY, "the provider packed its answer, which it was asked not to")
        if 300 <= response.status_code < 400:
            raise self._ended(
                Kind.AWAY, "the provider points to another address; nothing is sent there, set models.base_url to it"
            )
        if response.status_code < 300 and _sort(response) not in _ANSWERS:
            raise self._ended(Kind.AWAY, "what answers at models.base_url sends neither JSON nor events: no provider")

    def _readable(self, response: httpx2.Response, content: bytes) -> bytes:
        """An answer as the library may read it."""
        if response.status_code >= 300:
            return content
        try:
            return kept_as_text(self._provider, _sort(response), content)
        except RecursionError:
            message = "the model's answer is nested deeper than can be read"
            raise self._ended(Kind.REJECTED, message, is_counted=True) from None

    async def _whole(self, response: httpx2.Response) -> bytes:
        parts, size = [], 0
        async for part in response.aiter_raw():
            size += len(part)
            if size > MOST_PROVIDER_BYTES:
                message = f"the answer has more than {MOST_PROVIDER_BYTES // 1024**2} MiB, which no answer needs"
                raise self._ended(Kind.AWAY, message, is_counted=True)
            parts.append(part)
        return b"".join(parts)

    def _ended(self, kind: Kind, message: str, *, is_counted: bool = False) -> BrokenOffError:
        self.trouble = Trouble(kind=kind, message=message, is_counted=is_counted)
        return BrokenOffError(message)


def _sort(response: httpx2.Response) -> str:
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def _headers(given: Mapping[str, str], key: str) -> dict[str, str]:
    """What of a library's headers leaves: those a provider needs, and our key where the library puts one."""
    kept = {name: value for name, value in given.items() if name.lower() in _SENT}
    for name, before in _KEYS.items():
        if key and name in given:
            kept[name] = before + key  # whatever a variable made the library put there
    # Not packed: a few bytes that unpack to gigabytes would pass the bound.
    return {**kept, "user-agent": f"slowwave/{__version__}", "accept-encoding": "identity"}
