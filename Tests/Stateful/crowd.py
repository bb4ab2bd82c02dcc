"""Clients that do their own work while a server hands over."""

import collections
import contextlib
import threading
import time

from server import Server

# New connections of one address are limited, and a hand-over is short.
PAUSE_SECONDS = 0.002


class Crowd:
    """Clients on ever new connections, each counting its own ticker up: every one of their requests is answered."""

    SIZE = 3

    def __init__(self, server: Server, token: str):
        self.server, self.token = server, token
        self.acknowledged, self.wrong = collections.Counter(), []
        self.may_ask, self.is_ending = threading.Event(), False
        # Held by each while it asks.
        self.locks = [threading.Lock() for _ in range(self.SIZE)]
        self.threads = [threading.Thread(target=self._count, args=(one,), daemon=True) for one in range(self.SIZE)]
        for thread in self.threads:
            thread.start()

    @contextlib.contextmanager
    def asking(self):
        self.may_ask.set()
        try:
            yield
        finally:
            self.may_ask.clear()
            for lock in self.locks:
                with lock:
                    pass

    def _count(self, one: int):
        while not self.is_ending:
            if not self.may_ask.wait(0.1):
                continue
            with self.locks[one]:
                try:
                    body = {"by": 1, "duration": 0}
                    answer = self.server.ask("POST", f"/v1/tickers/crowd-{one}", body, self.token)
                    assert answer.status == 202, f"{answer.status} {answer.body}"
                    self.acknowledged[one] += 1
                except Exception as error:
                    self.wrong.append(repr(error))
            time.sleep(PAUSE_SECONDS)

    def check(self):
        assert not self.wrong, f"{len(self.wrong)} of the crowd's requests failed: {self.wrong[:3]}"
        for one, count in self.acknowledged.items():
            target = self.server.ask("GET", f"/v1/tickers/crowd-{one}", token=self.token).json["target"]
            assert target == count, f"{count} updates of crowd-{one} were acknowledged, {target} are there"

    def end(self):
        self.is_ending = True
        for thread in self.threads:
            thread.join(20)
