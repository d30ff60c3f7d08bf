"""The endpoints of a home, put together: its token, its socket, its app."""

import asyncio
import socket
from collections.abc import Callable

from slowwave.desk.api.app import make_app
from slowwave.desk.api.backing import HomeBacking, OpenHome
from slowwave.desk.api.contract import LiveLoop
from slowwave.desk.api.guard import Rules
from slowwave.desk.api.server import Server, url_of


class HomeEndpoints:
    """The endpoints of a home as a service.

    Args:
        open_home: Opens the home; called in the thread that will use it.
        listening: Where they are asked.
        rules: Of their guard.
        live: The waking loop of this process, where there is one.
    """

    def __init__(
        self,
        open_home: Callable[[], OpenHome],
        *,
        listening: socket.socket,
        rules: Rules,
        live: LiveLoop | None = None,
    ) -> None:
        self._backing = HomeBacking(open_home, live=live)
        self._server = Server(make_app(self._backing, rules), listening)
        self.url = url_of(listening)

    async def run(self) -> None:
        """Serve until ``stop``; the loop of the caller is the one that the waking loop ticks in."""
        self._backing.ticking = asyncio.get_running_loop()
        try:
            await self._server.run()
        finally:
            await asyncio.to_thread(self._backing.close)

    def stop(self) -> None:
        """Take no more; answer what is under way."""
        self._backing.is_ending = True
        self._server.stop()
