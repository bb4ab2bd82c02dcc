"""Clients that are closed while something waits, and what is asked of them afterwards."""

import asyncio
import os
import signal
import threading
import unittest
from collections.abc import Callable

from stub import PATIENCE, Stub, answer, stream
from tweencast import AsyncClient, Client, ClosedError, Connected, Disconnected, Item, TweencastError

HELLO = b'{"event":"hello","id":"a-1","retry":50,"data":{"heartbeat":15}}\n'
FRAME = b'{"event":"frame","data":{"ticker":"a","value":1,"text":"$1"}}\n'
BUSY = answer("503 Service Unavailable", b'{"detail":"busy"}', "Retry-After: 50")
CONNECTED, BUSY_ITEM = Connected(), Disconnected("busy")


class ClosingTest(unittest.TestCase):
    """Both clients, closed."""

    def stub(self, *answers: bytes | None) -> Stub:
        """A server that ends with the test."""
        stub = Stub(*answers)
        self.addCleanup(stub.close)
        return stub

    def closed(self, url: str, work: Callable[[Client, threading.Event], object], came: threading.Event) -> object:
        """What comes of work in a thread, whose client is closed when it has come so far."""
        results: list[object] = []

        def run() -> None:
            try:
                results.append(work(client, came))
            except Exception as error:
                results.append(error)

        client = Client(url)
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.assertTrue(came.wait(PATIENCE))
        client.close()
        thread.join(PATIENCE)
        return results[0] if results else "it still waits"

    @staticmethod
    def read(client: Client, came: threading.Event) -> list[Item]:
        """All items of a stream."""
        items = []
        for item in client.items(["ticker:a"], heartbeat=60):
            items.append(item)
            came.set()
        return items

    def test_a_thread_that_waits_for_an_item_reads_its_stream_to_the_end(self) -> None:
        # It waits for an event, or for the time to connect again.
        for answered, items in ((stream(HELLO), [CONNECTED]), (BUSY, [BUSY_ITEM])):
            with self.subTest(items):
                stub = self.stub(answered)
                self.assertEqual(self.closed(stub.url, self.read, threading.Event()), items)
                self.assertEqual(len(stub.requests), 1)
        for thread in threading.enumerate():
            if thread.name == "tweencast-silence":
                thread.join(PATIENCE)
                self.assertFalse(thread.is_alive())

    def test_a_thread_that_waits_for_an_answer_has_none(self) -> None:
        stub = self.stub(None)
        self.assertEqual(self.closed(stub.url, self.read, stub.asked), [])
        for work in (lambda client, _: client.ticker("a").set(1), lambda client, _: list(client.list("ticker"))):
            stub = self.stub(None)
            self.assertIsInstance(self.closed(stub.url, work, stub.asked), ClosedError)

    def test_a_thread_that_waits_to_send_again_does_not(self) -> None:
        came = threading.Event()
        stub = self.stub(BUSY)
        client = Client(stub.url, patience=100, on_retry=lambda _: came.set())
        closing = threading.Thread(target=lambda: came.wait(PATIENCE) and client.close())
        closing.start()
        with self.assertRaises(ClosedError):
            client.ticker("a").set(1)
        closing.join()
        self.assertEqual(len(stub.requests), 1)

    def test_a_loop_may_close_its_own_client(self) -> None:
        stub = self.stub(stream(HELLO, FRAME))
        client = Client(stub.url)
        for frame in client.ticker("a").frames():
            client.close()
            self.assertEqual(frame.text, "$1")
        self.assertTrue(stub.closed.acquire(timeout=PATIENCE))

    def test_the_handler_of_a_signal_may_close_a_client(self) -> None:
        stub = self.stub(stream(HELLO))
        client = Client(stub.url)
        before = signal.signal(signal.SIGUSR1, lambda *_: client.close())
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        for item in client.items(["ticker:a"]):
            self.assertEqual(item, CONNECTED)
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGUSR1)).start()

    def test_what_is_asked_of_a_closed_client_is_refused(self) -> None:
        client = Client("http://localhost:9")
        client.close()
        client.close()
        for ask in (
            client.ticker("a").get, lambda: client.progress("a").set(1), lambda: client.items(["ticker:a"]),
            lambda: next(client.ticker("a").frames()), lambda: next(client.list("ticker")), lambda: client.notify("a"),
        ):
            with self.assertRaises(ClosedError) as caught:
                ask()
            self.assertIsInstance(caught.exception, TweencastError)
            self.assertEqual(str(caught.exception), "the client is closed")


class AsyncClosingTest(unittest.IsolatedAsyncioTestCase):
    """The same with asyncio."""

    async def closed(self, answered: bytes | None, work: Callable[[AsyncClient], object], waits: bool) -> object:
        """What comes of a task's work, whose client is closed when it has come so far."""
        stub = Stub(answered)
        self.addCleanup(stub.close)
        self.came = asyncio.Event()
        client = AsyncClient(stub.url, patience=100, on_retry=lambda _: self.came.set())
        task = asyncio.ensure_future(work(client))  # type: ignore[arg-type]
        if waits:
            self.assertTrue(await asyncio.to_thread(stub.asked.wait, PATIENCE))
        else:
            await asyncio.wait_for(self.came.wait(), PATIENCE)
        await client.close()
        result, = await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), PATIENCE)
        self.assertEqual(len(stub.requests), 1)
        return result

    async def read(self, client: AsyncClient) -> list[Item]:
        """All items of a stream."""
        items = []
        async for item in client.items(["ticker:a"], heartbeat=60):
            items.append(item)
            self.came.set()
        return items

    async def test_a_task_that_waits_for_an_item_reads_its_stream_to_the_end(self) -> None:
        self.assertEqual(await self.closed(stream(HELLO), self.read, False), [CONNECTED])
        self.assertEqual(await self.closed(BUSY, self.read, False), [BUSY_ITEM])
        self.assertEqual(await self.closed(None, self.read, True), [])

    async def test_a_task_that_waits_for_an_answer_has_none(self) -> None:
        self.assertIsInstance(await self.closed(None, lambda client: client.ticker("a").get(), True), ClosedError)
        self.assertIsInstance(await self.closed(BUSY, lambda client: client.ticker("a").get(), False), ClosedError)

    async def test_a_cancelled_task_stays_cancelled_if_its_client_is_closed(self) -> None:
        stub = Stub(stream(HELLO))
        self.addCleanup(stub.close)
        self.came = asyncio.Event()
        client = AsyncClient(stub.url)
        task = asyncio.create_task(self.read(client))
        await asyncio.wait_for(self.came.wait(), PATIENCE)
        task.cancel()
        await client.close()
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_what_is_asked_of_a_closed_client_is_refused(self) -> None:
        client = AsyncClient("http://localhost:9")
        await client.close()
        await client.close()
        for ask in (
            client.ticker("a").get, lambda: client.notify("a"), lambda: anext(client.ticker("a").frames()),
            lambda: anext(client.list("ticker")),
        ):
            with self.assertRaises(ClosedError):
                await ask()
        with self.assertRaises(ClosedError):
            client.items(["ticker:a"])


if __name__ == "__main__":
    unittest.main()
