"""The client that waits for answers."""

import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from types import TracebackType
from typing import Any

import httpx

from . import _requests
from ._amounts import Amount, Duration
from ._connection import ANSWER_BYTES, CONNECTIONS, SILENCE, STREAM_CONNECTIONS, Server, failure
from ._course import Close, Open, Opened, Read, Result, StreamCourse, StreamOptions, follow
from ._errors import ClosedError, NotUnderstoodError, TweencastError
from ._exchange import Answer, Failure, Request, RetryTimes, Wait, exchange, retry_after
from ._life import Life
from ._requests import Resource, Unknown
from ._states import Event, Frame, Item, Page, ResourceKind, State, Topic
from ._watch import Watch
from .motions import Motion

__all__ = ["Client", "Progress", "Schedule", "Ticker"]


class Client:
    """A client of a Tweencast server.

        with Client("http://localhost:8080") as client:
            client.ticker("revenue").set(250, duration=2)
            for frame in client.ticker("revenue").frames():
                print(frame.text)

    - url: `http://localhost:8080`, or the path under which a proxy forwards; default `TWEENCAST_URL`
    - token: sent to this server alone: no redirect is followed; default `TWEENCAST_TOKEN`
    - authorities: a file of certificate authorities (PEM) to check the server by; default those of httpx
    - patience: seconds for which a request is retried while the server can't be reached, or asks to wait
    - on_retry: called before each retry of a request, with the reason
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, authorities: str | None = None,
        patience: float = 10.0, on_retry: Callable[[TweencastError], None] | None = None,
    ):
        server = self._server = Server.of(url, token, authorities, patience, on_retry)
        self._http = httpx.Client(verify=server.verify, limits=CONNECTIONS, follow_redirects=False)
        self._streams = httpx.Client(verify=server.verify, limits=STREAM_CONNECTIONS, follow_redirects=False)
        self._life = Life(self._close)

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections. In other threads, loops over streams end, and requests raise ClosedError."""
        self._life.end()

    def _close(self) -> None:
        self._http.close()
        self._streams.close()

    def ticker(self, id: str) -> "Ticker":
        """A ticker, which need not exist. InvalidRequestError if none can have this id."""
        return Ticker(self, Resource("ticker", id))

    def progress(self, id: str) -> "Progress":
        """A progress, which need not exist. InvalidRequestError if none can have this id."""
        return Progress(self, Resource("progress", id))

    def schedule(self, id: str) -> "Schedule":
        """A schedule, which need not exist. InvalidRequestError if none can have this id."""
        return Schedule(self, Resource("schedule", id))

    def notify(self, name: str, data: object = None, *, key: str | None = None) -> None:
        """Publishes a notification. `data` is anything that JSON can hold; None for none."""
        self._body(_requests.notification(name, data, key))

    def list(self, kind: ResourceKind, prefix: str = "") -> Iterator[State]:
        """All resources of a kind whose ids begin with a prefix, in the order of their ids."""
        after: str | None = None
        while True:
            page = Page.of(self._body(_requests.page(kind, prefix, after)), self._server.url)
            yield from page.items
            if page.next is None:
                return
            after = page.next

    def items(
        self, topics: Iterable[Topic | str], *, fps: float | None = None, heartbeat: float = 5, motions: bool = False,
        last_event_id: str | None = None,
    ) -> Iterator[Item]:
        """Streams what topics show and what happens to them, over any number of connections.

        It ends when the server says that nothing more will come, or the client is closed, and raises RefusedError when
        the server refuses.

        - topics: `ticker:revenue`, or `ticker:room-*` for all that begin alike
        - fps: the most frames a second of each topic
        - heartbeat: seconds of silence before a heartbeat; a stream that is silent for over twice as long is dead
        - motions: sends motions in place of frames, as events named `motion`
        - last_event_id: where to go on: the id of an event that was processed
        """
        self._life.check()
        options = StreamOptions(fps, heartbeat, motions)
        path = options.path([Topic.of(topic) if isinstance(topic, str) else topic for topic in topics])
        return self._follow(StreamCourse(heartbeat, last_event_id), path)

    def _follow(self, course: StreamCourse, path: str) -> Generator[Item, None, None]:
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
                    result = connection.open(step)
                elif isinstance(step, Read):
                    result = connection.read(step)
                elif isinstance(step, Close):
                    connection.close()
                elif isinstance(step, Wait):
                    self._life.sleep(step.seconds)
                else:
                    yield step
        finally:
            connection.close()

    def _body(self, request: Request) -> bytes:
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
                self._life.sleep(step.seconds)
                continue
            with self._life:
                answer = self._send(step.request)
                # Its end may have cut the answer short.
                self._life.check()

    def _send(self, request: Request) -> Answer | Failure:
        built = self._server.build(self._http, request)
        built.extensions["trace"] = self._life.trace
        try:
            response = self._http.send(built, stream=True)
            try:
                body = b""
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > ANSWER_BYTES:
                        raise NotUnderstoodError(self._server.url)
            finally:
                response.close()
        except httpx.HTTPError as error:
            return failure(error)
        return Answer(response.status_code, retry_after(response.headers.get("Retry-After")), body)

    def _state(self, request: Request) -> State:
        return State.of(self._body(request), self._server.url)


class _Stream:
    """One connection of a stream at a time."""

    def __init__(self, server: Server, http: httpx.Client, life: Life):
        self._server = server
        self._http = http
        self._life = life
        self._watch: Watch | None = None
        self._response: httpx.Response | None = None
        self._pieces: Iterator[bytes] = iter(())

    def open(self, step: Open) -> Opened | Failure:
        try:
            with self._life:
                return self._open(step)
        except ClosedError as error:
            return failure(error)

    def read(self, step: Read) -> bytes | Failure:
        try:
            with self._life:
                return self._read(step)
        except ClosedError as error:
            return failure(error)

    def _open(self, step: Open) -> Opened | Failure:
        request = self._server.build_stream(self._http, step.path, step.last_id)
        watch = self._watch = Watch()

        def trace(name: str, info: dict[str, Any]) -> None:
            watch.trace(name, info)
            self._life.trace(name, info)

        request.extensions["trace"] = trace
        watch.begin(step.silence)
        try:
            response = self._response = self._http.send(request, stream=True)
        except httpx.HTTPError as error:
            return self._failure(error)
        finally:
            watch.end()
        self._pieces = response.iter_raw()
        return Opened(response.status_code, retry_after(response.headers.get("Retry-After")))

    def _read(self, step: Read) -> bytes | Failure:
        if self._watch is None:
            return Failure("there is no connection")
        self._watch.begin(step.silence)
        try:
            piece = next(self._pieces, b"")
        except httpx.HTTPError as error:
            return self._failure(error)
        finally:
            self._watch.end()
        # A body that ends with its connection seems whole when the watch ends that.
        return Failure(SILENCE) if not piece and self._watch.has_expired else piece

    def close(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _failure(self, error: httpx.HTTPError) -> Failure:
        is_silent = self._watch is not None and self._watch.has_expired
        return Failure(SILENCE) if is_silent else failure(error)


class _Remote:
    """What all resources of a client have."""

    def __init__(self, client: Client, resource: Resource):
        self._client = client
        self._resource = resource

    @property
    def id(self) -> str:
        """Its id."""
        return self._resource.id

    def get(self) -> State:
        """What it shows now. NotFoundError if there is none."""
        return self._client._state(self._resource.get())

    def delete(self, *, key: str | None = None) -> None:
        """Removes it. NotFoundError if there is none."""
        self._client._body(self._resource.delete(key))

    def frames(self, *, fps: float | None = None, heartbeat: float = 5) -> Iterator[Frame]:
        """What it shows, frame by frame. It ends when the resource is removed; RefusedError if the server refuses."""
        for item in self._client.items([self._resource.topic], fps=fps, heartbeat=heartbeat):
            if isinstance(item, Frame):
                yield item
            elif isinstance(item, Event) and item.name == "removed":
                return


class _Moving(_Remote):
    """What tickers and progress have."""

    def update(self, fields: dict[str, Any], *, key: str | None = None) -> State:
        """Posts the fields of an update as they are in the contract."""
        return self._client._state(self._resource.post(fields, key))

    def pause(self, *, key: str | None = None) -> State:
        """Holds its motion."""
        return self._client._state(self._resource.operate("pause", key))

    def resume(self, *, key: str | None = None) -> State:
        """Lets its motion go on."""
        return self._client._state(self._resource.operate("resume", key))

    def finish(self, *, key: str | None = None) -> State:
        """Moves it to the end of its motion, at once."""
        return self._client._state(self._resource.operate("finish", key))

    def cancel(self, *, key: str | None = None) -> State:
        """Stops it where it is."""
        return self._client._state(self._resource.operate("cancel", key))

    def motions(self, *, heartbeat: float = 5) -> Iterator[Motion]:
        """Its motions, each when it begins or changes. They compute what frames would show."""
        for item in self._client.items([self._resource.topic], heartbeat=heartbeat, motions=True):
            if isinstance(item, Event) and item.name == "motion":
                yield Motion(item.data)
            elif isinstance(item, Event) and item.name == "removed":
                return


class Ticker(_Moving):
    """A ticker on a server."""

    def set(
        self, number: Amount, *, from_: Amount | None = None, duration: Duration | None = None,
        label: str | None = None, easing: str | None = None, key: str | None = None, **fields: Any,
    ) -> State:
        """Moves it to a number, and creates it if there is none.

        - from_: where it starts, at once; None for where it is
        - duration: seconds of the way; None for its default, 2 s unless set otherwise
        - key: the `Idempotency-Key` under which the update is carried out once; None for a new one
        - fields: any other field of an update
        """
        whole = {**fields, **_requests.origin(from_)}
        request = self._resource.move("to", number, key, duration, label, easing, whole)
        return self._client._state(request)

    def add(
        self, number: Amount, *, duration: Duration | None = None, label: str | None = None, easing: str | None = None,
        key: str | None = None, **fields: Any,
    ) -> State:
        """Adds to its target, and creates it if there is none. The parameters are those of `set`."""
        request = self._resource.move("by", number, key, duration, label, easing, fields)
        return self._client._state(request)


class Progress(_Moving):
    """A progress on a server."""

    UNKNOWN = _requests.UNKNOWN

    def set(
        self, number: Amount, *, of: Amount | Unknown | None = None, from_: Amount | None = None,
        duration: Duration | None = None, label: str | None = None, easing: str | None = None, key: str | None = None,
        **fields: Any,
    ) -> State:
        """Moves it, and creates it if there is none.

        - of: where it is done; `Progress.UNKNOWN` if that isn't known; None leaves it, which is 100 for a new one
        - the others are those of a ticker
        """
        whole = {**fields, **_requests.maximum(of), **_requests.origin(from_)}
        request = self._resource.move("current", number, key, duration, label, easing, whole)
        return self._client._state(request)


class Schedule(_Remote):
    """A schedule on a server."""
