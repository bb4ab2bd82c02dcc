"""Ends a blocking read after a time of silence that may change on the way, which a timeout of httpx can't."""

import socket
import threading
import time
from typing import Any

from ._life import connected_socket, shut_down


class Watch:
    """Shuts a connection down when what it waits for takes too long. It has a thread until it is closed."""

    def __init__(self) -> None:
        self.has_expired = False
        self._socket: socket.socket | None = None
        self._deadline: float | None = None
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="tweencast-silence", daemon=True)
        self._thread.start()

    def trace(self, name: str, info: dict[str, Any]) -> None:
        """Takes note of the connection: an extension of httpx calls it at each step."""
        if connection := connected_socket(name, info):
            with self._changed:
                self._socket = connection
                if self.has_expired:
                    shut_down(connection)

    def begin(self, seconds: float) -> None:
        """A wait begins, which may take so long."""
        with self._changed:
            self._deadline = time.monotonic() + seconds
            self._changed.notify()

    def end(self) -> None:
        """The wait has ended."""
        with self._changed:
            self._deadline = None

    def close(self) -> None:
        """Ends the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while not self._is_closed:
                left = None if self._deadline is None else self._deadline - time.monotonic()
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                self.has_expired = True
                self._deadline = None
                if self._socket is not None:
                    shut_down(self._socket)
