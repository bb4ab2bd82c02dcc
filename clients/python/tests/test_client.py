"""Both clients with connections: what they send, and when they close what they opened."""

import asyncio
import contextlib
import os
import socket
import threading
import unittest
from unittest import mock

from stub import PATIENCE, Stub, answer, stream
from tweencast import (
    AsyncClient, Client, Connected, Disconnected, NotUnderstoodError, RefusedError, UnauthorizedError,
    UnreachableError,
)
from tweencast import _async_client, _client

TICKER = b'{"ticker":"a","value":1,"text":"$7","target":7}'
HELLO = b'{"event":"hello","id":"a-1","retry":50,"data":{"heartbeat":15}}\n'
FRAME = b'{"event":"frame","data":{"ticker":"a","value":1,"text":"$1"}}\n'
# The head of a body that ends with its connection.
UNMARKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"
REMOVED = b'{"event":"removed","id":"a-2","data":{"ticker":"a","reason":"deleted"}}\n'


class StubTest(unittest.TestCase):
    """A test with a server of its own."""

    def stub(self, *answers: bytes | None) -> Stub:
        """A server that ends with the test."""
        stub = Stub(*answers)
        self.addCleanup(stub.close)
        return stub


class RequestTest(StubTest):
    """Requests of both clients."""

    async def add_async(self, stub: Stub) -> object:
        """Adds with asyncio."""
        async with AsyncClient(stub.url, "s3cret") as client:
            return (await client.ticker("a").add(7)).target

    def add(self, stub: Stub) -> object:
        """Adds."""
        with Client(stub.url, "s3cret") as client:
            return client.ticker("a").add(7).target

    def test_an_update_counts_once_however_often_it_is_sent(self) -> None:
        for name in ("sync", "async"):
            with self.subTest(name):
                busy = answer("503 Service Unavailable", b"{}", "Retry-After: 0")
                stub = self.stub(busy, b"", answer("202 Accepted", TICKER))
                target = self.add(stub) if name == "sync" else asyncio.run(self.add_async(stub))
                self.assertEqual(target, 7)
                self.assertEqual({request.target for request in stub.requests}, {"/v1/tickers/a"})
                self.assertEqual({request.body for request in stub.requests}, {b'{"by":"7"}'})
                self.assertEqual({request.headers["authorization"] for request in stub.requests}, {"Bearer s3cret"})
                keys = [request.headers["idempotency-key"] for request in stub.requests]
                self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_no_redirect_is_followed(self) -> None:
        for name in ("sync", "async"):
            with self.subTest(name):
                redirect = answer("307 Temporary Redirect", b"", "Location: /elsewhere")
                stub = self.stub(redirect, answer("200 OK", TICKER))
                with self.assertRaises(RefusedError) as caught:
                    self.add(stub) if name == "sync" else asyncio.run(self.add_async(stub))
                self.assertEqual((caught.exception.status, len(stub.requests)), (307, 1))

    def test_the_environment_names_a_server_and_a_token(self) -> None:
        stub = self.stub(answer("401 Unauthorized", b'{"detail":"no such token"}'))
        with mock.patch.dict(os.environ, {"TWEENCAST_URL": stub.url, "TWEENCAST_TOKEN": "mine"}):
            with Client() as client, self.assertRaises(UnauthorizedError):
                client.progress("b").get()
        self.assertEqual(stub.requests[0].headers["authorization"], "Bearer mine")

    def test_nothing_but_a_token_that_is_given_is_sent(self) -> None:
        stub = self.stub(answer("204 No Content"))
        with mock.patch.dict(os.environ, clear=True), Client(stub.url) as client:
            client.notify("deploy", {"version": "1.2"}, key="mine")
        request = stub.requests[0]
        self.assertNotIn("authorization", request.headers)
        self.assertEqual((request.headers["idempotency-key"], request.body), ("mine", b'{"version":"1.2"}'))

    def test_an_answer_that_is_too_long_is_not_read(self) -> None:
        with mock.patch.object(_client, "ANSWER_BYTES", 10), mock.patch.object(_async_client, "ANSWER_BYTES", 10):
            for name in ("sync", "async"):
                with self.subTest(name), self.assertRaises(NotUnderstoodError):
                    stub = self.stub(answer("200 OK", TICKER))
                    self.add(stub) if name == "sync" else asyncio.run(self.add_async(stub))

    def test_a_server_that_is_not_there_is_said(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        retries: list[Exception] = []
        with Client(url, patience=0.5, on_retry=retries.append) as client:
            with self.assertRaises(UnreachableError) as caught:
                client.ticker("a").get()
        self.assertIn(url, str(caught.exception))
        self.assertTrue(retries)

    def test_a_list_has_all_pages(self) -> None:
        pages = (b'{"items":[%s],"next":"a"}' % TICKER, b'{"items":[%s]}' % TICKER.replace(b'"a"', b'"b"'))
        stub = self.stub(*(answer("200 OK", page) for page in pages))
        with Client(stub.url) as client:
            self.assertEqual([state.id for state in client.list("ticker")], ["a", "b"])
        targets = [request.target for request in stub.requests]
        self.assertEqual(targets, ["/v1/tickers?limit=1000", "/v1/tickers?limit=1000&after=a"])


class StreamTest(StubTest):
    """Streams of both clients."""

    def assert_closed(self, stub: Stub) -> None:
        """The client has closed a stream."""
        self.assertTrue(stub.closed.acquire(timeout=PATIENCE))

    def assert_no_watch(self) -> None:
        """No thread of a stream is left."""
        for thread in threading.enumerate():
            if thread.name == "tweencast-silence":
                thread.join(PATIENCE)
                self.assertFalse(thread.is_alive())

    async def first(self, stub: Stub) -> object:
        """The first item of a stream with asyncio."""
        async with AsyncClient(stub.url) as client:
            async with contextlib.aclosing(client.items(["ticker:a"], heartbeat=0.1)) as items:
                return await anext(items)

    def test_a_loop_that_is_left_closes_its_stream(self) -> None:
        stub = self.stub(stream(HELLO, FRAME))
        with Client(stub.url) as client:
            frames = client.ticker("a").frames()
            self.assertEqual(next(frames).text, "$1")
            del frames
            self.assert_closed(stub)
        self.assert_no_watch()

    def test_a_task_that_is_cancelled_closes_its_stream(self) -> None:
        stub = self.stub(stream(HELLO, FRAME))

        async def watch() -> None:
            async with AsyncClient(stub.url) as client, contextlib.aclosing(client.ticker("a").frames()) as frames:
                came = asyncio.Event()

                async def read() -> None:
                    async for _ in frames:
                        came.set()

                task = asyncio.create_task(read())
                await asyncio.wait_for(came.wait(), PATIENCE)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertTrue(await asyncio.to_thread(stub.closed.acquire, timeout=PATIENCE))

        asyncio.run(watch())

    def test_frames_end_with_their_resource(self) -> None:
        stub = self.stub(stream(HELLO, FRAME, REMOVED))
        with Client(stub.url) as client:
            self.assertEqual([frame.text for frame in client.ticker("a").frames()], ["$1"])
            self.assert_closed(stub)
        self.assert_no_watch()

    def test_a_server_that_never_answers_is_given_up(self) -> None:
        stub = self.stub(None, stream(HELLO))
        with Client(stub.url) as client:
            items = client.items(["ticker:a"], heartbeat=0.1)
            self.assertEqual(next(items), Disconnected("the stream is silent"))
            self.assert_closed(stub)
            self.assertEqual(next(items), Connected())
            del items
        self.assert_no_watch()

    def test_a_server_that_never_answers_is_given_up_with_asyncio(self) -> None:
        stub = self.stub(None)
        self.assertEqual(asyncio.run(self.first(stub)), Disconnected("the stream is silent"))
        self.assert_closed(stub)

    def test_silence_is_said_however_the_server_marks_the_end(self) -> None:
        for head in (UNMARKED, stream()):
            with self.subTest(head):
                stub = self.stub(head)
                with Client(stub.url) as client, contextlib.closing(client.items(["ticker:a"], heartbeat=0.1)) as items:
                    self.assertEqual(next(items), Disconnected("the stream is silent"))
                self.assertEqual(asyncio.run(self.first(self.stub(head))), Disconnected("the stream is silent"))

    def test_a_stream_may_go_on_from_an_id(self) -> None:
        stub = self.stub(answer("204 No Content"))
        with Client(stub.url) as client:
            self.assertEqual(list(client.items(["ticker:a"], last_event_id="a-7")), [])
        self.assertEqual(stub.requests[0].headers["last-event-id"], "a-7")


if __name__ == "__main__":
    unittest.main()
