"""The client for asyncio."""

import asyncio
import contextlib
import functools
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import _requests
from ._amounts import Amount, Duration
from ._connection import ANSWER_BYTES, CONNECTIONS, SILENCE, STREAM_CONNECTIONS, Server, failure
from ._course import Close, Open, Opened, Read, Result, StreamCourse, StreamOptions, follow
from ._errors import ClosedError, NotUnderstoodError, TweencastError
from ._exchange import Answer, Failure, Request, RetryTimes, Wait, exchange, retry_after
from ._life import AsyncLife
from ._requests import Resource, Unknown
from ._states import Event, Frame, Item, Page, ResourceKind, State, Topic
from .motions import Motion

__all__ = ["AsyncClient", "AsyncProgress", "AsyncSchedule", "AsyncTicker"]

T = TypeVar("T")


class AsyncClient:
    """A client of a Tweencast server, for asyncio. It has the methods of Client.

        async with AsyncClient("http://localhost:8080") as client:
            await client.ticker("revenue").set(250, duration=2)
            async for frame in client.ticker("revenue").frames():
                print(frame.text)
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, authorities: str | None = None,
        patience: float = 10.0, on_retry: Callable[[TweencastError], None] | None = None,
    ):
        server = self._server = Server.of(url, token, authorities, patience, on_retry)
        self._http = httpx.AsyncClient(verify=server.verify, limits=CONNECTIONS, follow_redirects=False)
        self._streams = httpx.AsyncClient(verify=server.verify, limits=STREAM_CONNECTIONS, follow_redirects=False)
        self._life = AsyncLife()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections. In other tasks, loops over streams end, and requests raise ClosedError."""
        self._life.end()
        await self._http.aclose()
        await self._streams.aclose()

    def ticker(self, id: str) -> "AsyncTicker":
        """A ticker, which need not exist. InvalidRequestError if none can have this id."""
        return AsyncTicker(self, Resource("ticker", id))

    def progress(self, id: str) -> "AsyncProgress":
        """A progress, which need not exist. InvalidRequestError if none can have this id."""
        return AsyncProgress(self, Resource("progress", id))

    def schedule(self, id: str) -> "AsyncSchedule":
        """A schedule, which need not exist. InvalidRequestError if none can have this id."""
        return AsyncSchedule(self, Resource("schedule", id))

    async def notify(self, name: str, data: object = None, *, key: str | None = None) -> None:
        """Publishes a notification. `data` is anything that JSON can hold; None for none."""
        await self._body(_requests.notification(name, data, key))

    async def list(self, kind: ResourceKind, prefix: str = "") -> AsyncIterator[State]:
        """All resources of a kind whose ids begin with a prefix, in the order of their ids."""
        after: str | None = None
        while True:
            page = Page.of(await self._body(_requests.page(kind, prefix, after)), self._server.url)
            for item in page.items:
                yield item
            if page.next is None:
                return
            after = page.next

    def items(
        self, topics: Iterable[Topic | str], *, fps: float | None = None, heartbeat: float = 5, motions: bool = False,
        last_event_id: str | None = None,
    ) -> AsyncGenerator[Item, None]:
        """Streams what topics show and what happens to them, over any number of connections. See Client.items.

        Its connection is closed with it: `contextlib.aclosing` does that where a loop is left.
        """
        self._life.check()
        options = StreamOptions(fps, heartbeat, motions)
        path = options.path([Topic.of(topic) if isinstance(topic, str) else topic for topic in topics])
        return self._follow(StreamCourse(heartbeat, last_event_id), path)

    async def _follow(self, course: StreamCourse, path: str) -> AsyncGenerator[Item, None]:
        steps = follow(course, self._server.url, path)
        connection = _Stream(self._server, self._streams, self._life)
        result: Result = None
        try:
            while not self._life.has_ended:
                try:
                    step = steps.send(result)
                except StopIteration:
                    return
                result = None
                if isinstance(step, Open):
                    result = await connection.open(step)
                elif isinstance(step, Read):
                    result = await connection.read(step)
                elif isinstance(step, Close):
                    await connection.close()
                elif isinstance(step, Wait):
                    await self._life.sleep(step.seconds)
                else:
                    yield step
        finally:
            await connection.close()

    async def _body(self, request: Request) -> bytes:
        times = RetryTimes(self._server.patience, time.monotonic, random.random)
        steps = exchange(request, self._server.url, times, self._server.on_retry)
        answer: Answer | Failure | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return bytes(end.value)
            answer = None
            if isinstance(step, Wait):
                await self._life.sleep(step.seconds)
                continue
            answer = await self._life.within(functools.partial(self._send, step.request))
            # Its end may have cut the answer short.
            self._life.check()

    async def _send(self, request: Request) -> Answer | Failure:
        try:
            response = await self._http.send(self._server.build(self._http, request), stream=True)
            try:
                body = b""
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > ANSWER_BYTES:
                        raise NotUnderstoodError(self._server.url)
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            return failure(error)
        return Answer(response.status_code, retry_after(response.headers.get("Retry-After")), body)

    async def _state(self, request: Request) -> State:
        return State.of(await self._body(request), self._server.url)


class _Stream:
    """One connection of a stream at a time."""

    def __init__(self, server: Server, http: httpx.AsyncClient, life: AsyncLife):
        self._server = server
        self._http = http
        self._life = life
        self._response: httpx.Response | None = None
        self._pieces: AsyncIterator[bytes] | None = None

    async def open(self, step: Open) -> Opened | Failure:
        request = self._server.build_stream(self._http, step.path, step.last_id)
        response = await self._within(step.silence, lambda: self._http.send(request, stream=True))
        if isinstance(response, Failure):
            return response
        self._response = response
        self._pieces = response.aiter_raw()
        return Opened(response.status_code, retry_after(response.headers.get("Retry-After")))

    async def read(self, step: Read) -> bytes | Failure:
        pieces = self._pieces
        if pieces is None:
            return Failure("there is no connection")
        return await self._within(step.silence, lambda: anext(pieces, b""))

    async def close(self) -> None:
        response, self._response, self._pieces = self._response, None, None
        if response is not None:
            await response.aclose()

    async def _within(self, seconds: float, begin: Callable[[], Awaitable[T]]) -> T | Failure:
        try:
            return await self._life.within(begin, seconds)
        except asyncio.TimeoutError:
            return Failure(SILENCE)
        except (httpx.HTTPError, ClosedError) as error:
            return failure(error)


class _Remote:
    """What all resources of a client have."""

    def __init__(self, client: AsyncClient, resource: Resource):
        self._client = client
        self._resource = resource

    @property
    def id(self) -> str:
        """Its id."""
        return self._resource.id

    async def get(self) -> State:
        """What it shows now. NotFoundError if there is none."""
        return await self._client._state(self._resource.get())

    async def delete(self, *, key: str | None = None) -> None:
        """Removes it. NotFoundError if there is none."""
        await self._client._body(self._resource.delete(key))

    async def frames(self, *, fps: float | None = None, heartbeat: float = 5) -> AsyncGenerator[Frame, None]:
        """What it shows, frame by frame. It ends when the resource is removed; RefusedError if the server refuses."""
        items = self._client.items([self._resource.topic], fps=fps, heartbeat=heartbeat)
        async with contextlib.aclosing(items):
            async for item in items:
                if isinstance(item, Frame):
                    yield item
                elif isinstance(item, Event) and item.name == "removed":
                    return


class _Moving(_Remote):
    """What tickers and progress have."""

    async def update(self, fields: dict[str, Any], *, key: str | None = None) -> State:
        """Posts the fields of an update as they are in the contract."""
        return await self._client._state(self._resource.post(fields, key))

    async def pause(self, *, key: str | None = None) -> State:
        """Holds its motion."""
        return await self._client._state(self._resource.operate("pause", key))

    async def resume(self, *, key: str | None = None) -> State:
        """Lets its motion go on."""
        return await self._client._state(self._resource.operate("resume", key))

    async def finish(self, *, key: str | None = None) -> State:
        """Moves it to the end of its motion, at once."""
        return await self._client._state(self._resource.operate("finish", key))

    async def cancel(self, *, key: str | None = None) -> State:
        """Stops it where it is."""
        return await self._client._state(self._resource.operate("cancel", key))

    async def motions(self, *, heartbeat: float = 5) -> AsyncGenerator[Motion, None]:
        """Its motions, each when it begins or changes. They compute what frames would show."""
        items = self._client.items([self._resource.topic], heartbeat=heartbeat, motions=True)
        async with contextlib.aclosing(items):
            async for item in items:
                if isinstance(item, Event) and item.name == "motion":
                    yield Motion(item.data)
                elif isinstance(item, Event) and item.name == "removed":
                    return


class AsyncTicker(_Moving):
    """A ticker on a server."""

    async def set(
        self, number: Amount, *, from_: Amount | None = None, duration: Duration | None = None,
        label: str | None = None, easing: str | None = None, key: str | None = None, **fields: Any,
    ) -> State:
        """Moves it to a number, and creates it if there is none. The parameters are those of Ticker.set."""
        whole = {**fields, **_requests.origin(from_)}
        request = self._resource.move("to", number, key, duration, label, easing, whole)
        return await self._client._state(request)

    async def add(
        self, number: Amount, *, duration: Duration | None = None, label: str | None = None, easing: str | None = None,
        key: str | None = None, **fields: Any,
    ) -> State:
        """Adds to its target, and creates it if there is none. The parameters are those of Ticker.set."""
        request = self._resource.move("by", number, key, duration, label, easing, fields)
        return await self._client._state(request)


class AsyncProgress(_Moving):
    """A progress on a server."""

    UNKNOWN = _requests.UNKNOWN

    async def set(
        self, number: Amount, *, of: Amount | Unknown | None = None, from_: Amount | None = None,
        duration: Duration | None = None, label: str | None = None, easing: str | None = None, key: str | None = None,
        **fields: Any,
    ) -> State:
        """Moves it, and creates it if there is none. The parameters are those of Progress.set."""
        whole = {**fields, **_requests.maximum(of), **_requests.origin(from_)}
        request = self._resource.move("current", number, key, duration, label, easing, whole)
        return await self._client._state(request)


class AsyncSchedule(_Remote):
    """A schedule on a server."""
