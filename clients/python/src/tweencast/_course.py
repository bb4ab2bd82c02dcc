"""Follows a stream over its connections: what came, where to go on, and when. It has none: it says what to do next."""

import dataclasses
import json
from collections.abc import Generator, Sequence
from math import isfinite
from typing import Any

from ._address import checked_pattern, escaped
from ._errors import RefusedError, UnreachableError, is_temporary, refused
from ._exchange import LONGEST_ASKED, Failure, Wait
from ._states import Connected, Disconnected, Event, Frame, Item, Topic, number_of, topic_of


@dataclasses.dataclass(frozen=True)
class StreamOptions:
    """Options of a stream."""

    fps: float | None = None
    """The most frames a second of each topic; None for those of the server."""
    heartbeat: float = 5
    """Seconds of silence before a heartbeat, 1 to 60."""
    motions: bool = False
    """Sends motions in place of their frames, as events with the name `motion`."""

    def path(self, topics: Sequence[Topic]) -> str:
        """What is asked of the server."""
        names = [f"{topic.kind}={escaped(checked_pattern(topic.name))}" for topic in topics]
        fps = [] if self.fps is None else [f"fps={self.fps:g}"]
        mode = ["mode=motion"] if self.motions else []
        return "/v1/events?" + "&".join([*names, *fps, *mode, "as=ndjson", f"heartbeat={self.heartbeat:g}"])


class StreamCourse:
    """What a stream has come to."""

    LONGEST = 30.0
    """The longest pause in seconds that this client chooses by itself."""
    LONGEST_RETRY = 3600.0
    """The longest pause in seconds that a stream can ask for."""
    LONGEST_HEARTBEAT = 3600.0
    """Seconds; a greeting with a longer one is taken for a mistake."""
    LINE_BYTES = 65_536
    """The most bytes of a line, as the contract says; a longer one is dropped."""

    def __init__(self, heartbeat: float, last_id: str | None = None):
        self.asked_heartbeat = heartbeat
        self.heartbeat = heartbeat
        self.last_id = last_id
        """The id from which the next connection goes on."""
        self.retry = 2.0
        self.failures = 0
        """Attempts since anything came."""
        self.is_open = False
        """Whether this connection has brought anything."""
        self.is_ending = False
        """Whether the server ends the stream: `bye`."""
        self.end_reason = ""
        self._rest = b""
        self._is_too_long = False

    @property
    def silence(self) -> float:
        """The seconds of silence after which a connection is dead."""
        return 2 * self.heartbeat + 1

    def begin(self) -> None:
        """A connection begins: what was left of the one before is no line."""
        self._rest = b""
        self._is_too_long = False
        self.is_open = False
        self.is_ending = False
        self.end_reason = "the connection was closed"
        self.heartbeat = self.asked_heartbeat

    def take(self, data: bytes) -> list[Item]:
        """Takes bytes of the stream, and returns what they bring."""
        items: list[Item] = []
        *lines, rest = data.split(b"\n")
        for line in lines:
            whole, self._rest = self._rest + line, b""
            if not self._is_too_long and len(whole) < self.LINE_BYTES:
                self._take_line(whole, items)
            self._is_too_long = False
        self._rest += rest
        if len(self._rest) >= self.LINE_BYTES:
            self._rest = b""
            self._is_too_long = True
        return items

    def _take_line(self, line: bytes, items: list[Item]) -> None:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return
        # What isn't understood is ignored: a later version may send it.
        if self.is_ending or not isinstance(event, dict) or not isinstance(event.get("event"), str):
            return
        self.failures = 0
        if not self.is_open:
            self.is_open = True
            items.append(Connected())
        self._keep_position(event)
        data = event.get("data")
        self._take_event(event["event"], event, data if isinstance(data, dict) else {}, items)

    def _keep_position(self, event: dict[str, Any]) -> None:
        self.last_id = self._id(event) or self.last_id
        if (retry := number_of(event, "retry")) is not None and isfinite(retry):
            self.retry = min(max(0.0, retry / 1000), self.LONGEST_RETRY)

    @staticmethod
    def _id(event: dict[str, Any]) -> str | None:
        # It is sent back in a header.
        text = event.get("id")
        return text if isinstance(text, str) and text.isascii() and text.isprintable() and text else None

    def _take_event(self, name: str, event: dict[str, Any], data: dict[str, Any], items: list[Item]) -> None:
        reason = data.get("reason")
        if name == "hello":
            heartbeat = number_of(data, "heartbeat")
            if heartbeat is not None and 0 < heartbeat < self.LONGEST_HEARTBEAT:
                self.heartbeat = heartbeat
        elif name == "frame":
            if frame := Frame.of(data):
                items.append(frame)
        elif name == "bye":
            self.is_ending = True
            self.end_reason = f"the server says goodbye: {reason or ''}"
        elif name not in ("heartbeat", "rate"):
            text = reason if isinstance(reason, str) else None
            items.append(Event(name, self._id(event), topic_of(data), text, data))

    def fail(self) -> None:
        """No stream came of an attempt."""
        self.failures += 1

    def pause(self, asked: float | None) -> float:
        """Seconds to wait before the next connection; `asked` are those of an answer's `Retry-After`."""
        if asked is not None:
            return min(asked, LONGEST_ASKED)
        doubled = self.retry * 2.0 ** min(max(0, self.failures - 1), 5)
        return max(self.retry, min(doubled, self.LONGEST))


@dataclasses.dataclass(frozen=True)
class Open:
    """Open a connection; the stream goes on with Opened or Failure. `silence` are the seconds to wait at most."""

    path: str
    last_id: str | None
    silence: float


@dataclasses.dataclass(frozen=True)
class Opened:
    """The head of an answer."""

    status: int
    retry_after: float | None


@dataclasses.dataclass(frozen=True)
class Read:
    """Read what comes, a part of the body at most; the stream goes on with its bytes, b"" at its end, or Failure."""

    silence: float


@dataclasses.dataclass(frozen=True)
class Close:
    """Close the connection."""


Step = Open | Read | Close | Wait | Connected | Frame | Event | Disconnected
Result = Opened | Failure | bytes | None

PROBLEM_BYTES = 65_536
"""The most bytes of an answer without a stream that are read."""


def follow(course: StreamCourse, server: str, path: str) -> Generator[Step, Result, None]:
    """The steps of a stream, items among them. It returns when nothing more will come.

    It raises RefusedError where the server refuses, and UnreachableError where it isn't trusted.
    """
    while True:
        course.begin()
        asked: float | None = None
        opened = yield Open(path, course.last_id, course.silence)
        if isinstance(opened, Opened):
            if opened.status == 204:
                yield Close()
                return
            if opened.status == 200:
                reason = yield from _stream(course)
            else:
                error = yield from _problem(course, opened.status)
                if not is_temporary(opened.status):
                    yield Close()
                    raise error
                reason, asked = error.detail, opened.retry_after
        else:
            reason = opened.reason if isinstance(opened, Failure) else "there is no connection"
        yield Close()
        if isinstance(opened, Failure) and opened.is_final:
            raise UnreachableError(server, reason)
        if not course.is_open:
            course.fail()
        yield Disconnected(reason)
        yield Wait(course.pause(asked))


def _stream(course: StreamCourse) -> Generator[Step, Result, str]:
    """Reads a stream, and returns why it ended."""
    while not course.is_ending:
        piece = yield Read(course.silence)
        if isinstance(piece, Failure):
            return piece.reason
        if not isinstance(piece, bytes) or not piece:
            break
        yield from course.take(piece)
    return course.end_reason


def _problem(course: StreamCourse, status: int) -> Generator[Step, Result, RefusedError]:
    body = b""
    while len(body) < PROBLEM_BYTES:
        piece = yield Read(course.silence)
        if not isinstance(piece, bytes) or not piece:
            break
        body += piece
    return refused(status, body)
