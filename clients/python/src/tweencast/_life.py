"""Whether a client is open, and how its end wakes what waits."""

import asyncio
import contextlib
import socket
import threading
import weakref
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, TypeVar

from ._errors import ClosedError

T = TypeVar("T")


def connected_socket(name: str, info: dict[str, Any]) -> socket.socket | None:
    """The socket of a step of httpx that has made a connection."""
    # What comes before depends on whether there is a proxy.
    if name.endswith((".connect_tcp.complete", ".start_tls.complete")):
        found = info["return_value"].get_extra_info("socket")
        return found if isinstance(found, socket.socket) else None
    return None


def shut_down(connection: socket.socket) -> None:
    """Ends what another thread reads, which closing a socket doesn't."""
    with contextlib.suppress(OSError):  # it has ended by itself
        # That of a TLS socket would take the session from under its reader.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


class Life:
    """That of a client whose threads wait. A thread holds it while it uses a connection: the last one closes them."""

    def __init__(self, close: Callable[[], None]):
        self.has_ended = False
        self._close = close
        self._users = 0
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        # It can be taken twice: a signal's handler may close the client.
        self._changed = threading.Condition()

    def check(self) -> None:
        """ClosedError if it has ended."""
        if self.has_ended:
            raise ClosedError

    def __enter__(self) -> None:
        with self._changed:
            # In this order, the end counts this user even if it comes in between.
            self._users += 1
            if not self.has_ended:
                return
        self._leave()
        raise ClosedError

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        with self._changed:
            self._users -= 1
            is_last = self.has_ended and self._users == 0
        if is_last:
            self._close()

    def trace(self, name: str, info: dict[str, Any]) -> None:
        """Takes note of a connection: an extension of httpx calls it at each step."""
        if connection := connected_socket(name, info):
            with self._changed:
                self._sockets.add(connection)
                has_ended = self.has_ended
            if has_ended:
                shut_down(connection)

    def sleep(self, seconds: float) -> None:
        """Waits, until its end at most."""
        with self._changed:
            self._changed.wait_for(lambda: self.has_ended, seconds)

    def end(self) -> None:
        """Wakes all that waits, and closes the connections."""
        with self._changed:
            self.has_ended = True
            self._changed.notify_all()
            is_unused = self._users == 0
            sockets = list(self._sockets)
        for connection in sockets:
            shut_down(connection)
        if is_unused:
            self._close()


class AsyncLife:
    """That of a client whose tasks wait."""

    def __init__(self) -> None:
        self.has_ended = False
        self._waiting: set[asyncio.Future[None]] = set()

    def check(self) -> None:
        """ClosedError if it has ended."""
        if self.has_ended:
            raise ClosedError

    async def within(self, begin: Callable[[], Awaitable[T]], seconds: float | None = None) -> T:
        """What comes within a time, or asyncio.TimeoutError; ClosedError if its end comes first."""
        self.check()
        task = asyncio.ensure_future(_begun(begin))
        try:
            await self._wait(seconds, task)
            if task.done():
                return task.result()
        finally:
            if not task.done():
                task.cancel()
                # It closes its connection first.
                await asyncio.wait((task,))
            if not task.cancelled():
                task.exception()  # it has been seen
        self.check()
        raise asyncio.TimeoutError

    async def sleep(self, seconds: float) -> None:
        """Waits, until its end at most."""
        if not self.has_ended:
            await self._wait(seconds)

    def end(self) -> None:
        """Wakes all that waits."""
        self.has_ended = True
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def _wait(self, seconds: float | None, *tasks: asyncio.Future[Any]) -> None:
        # An end that cancelled tasks would look like any other cancellation.
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(end)
        try:
            await asyncio.wait((end, *tasks), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting.discard(end)


async def _begun(begin: Callable[[], Awaitable[T]]) -> T:
    return await begin()
