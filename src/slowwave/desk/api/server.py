"""The socket on the loopback, and the server on it; the only file that knows uvicorn."""

import asyncio
import socket

import uvicorn

from slowwave.desk.api.asgi import Application
from slowwave.desk.api.errors import AddressTakenError
from slowwave.facts.limits import REQUESTS_AT_ONCE, STOP_SECONDS


def listen(host: str, port: int) -> socket.socket:
    """A socket on the loopback, so that a taken port is said before anything else begins.

    Raises:
        AddressTakenError: Something else has that port, or this user may not.
    """
    named = "127.0.0.1" if host.strip().lower() == "localhost" else host.strip().strip("[]")
    family = socket.AF_INET6 if ":" in named else socket.AF_INET
    try:
        return socket.create_server((named, port), family=family)
    except OSError as error:
        raise AddressTakenError(
            f"{named} port {port} cannot be listened on: {error.strerror or error}",
            hint="another slowwave may run; else set serve.port to a free port",
        ) from error


def url_of(listening: socket.socket) -> str:
    """Where a socket is asked."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Server:
    """The endpoints on a socket; they run in a thread of their own, so that a long tick keeps nobody waiting."""

    def __init__(self, application: Application, listening: socket.socket) -> None:
        self._listening = listening
        self._server = uvicorn.Server(
            uvicorn.Config(
                application,
                interface="asgi3",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="off",
                ws="none",
                http="h11",
                loop="asyncio",
                limit_concurrency=REQUESTS_AT_ONCE,
                timeout_graceful_shutdown=int(STOP_SECONDS),
            )
        )

    async def run(self) -> None:
        """Serve until ``stop``, or until the task is cancelled."""
        serving = asyncio.create_task(asyncio.to_thread(self._server.run, [self._listening]))
        try:
            await asyncio.shield(serving)
        finally:
            self.stop()
            await serving
            self._listening.close()

    def stop(self) -> None:
        """Take no more; what is under way is answered first."""
        self._server.should_exit = True
