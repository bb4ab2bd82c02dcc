"""One request and its answer, retried for as long as it makes sense. It has no connection: it says what to do next."""

import dataclasses
import uuid
from collections.abc import Callable, Generator

from ._errors import TweencastError, UnreachableError, is_temporary, refused

LONGEST_ASKED = 60.0
"""Seconds that a client waits at most for an answer's `Retry-After`."""


@dataclasses.dataclass(frozen=True)
class Request:
    """A request."""

    method: str
    path: str
    """Behind the server's address."""
    body: bytes | None = None
    key: str | None = None
    """The `Idempotency-Key`, which makes a retry of a change safe."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """An answer with its body."""

    status: int
    retry_after: float | None
    body: bytes


@dataclasses.dataclass(frozen=True)
class Failure:
    """No answer came."""

    reason: str
    is_final: bool = False
    """Whether the next attempt would fail as well: the server isn't trusted."""


@dataclasses.dataclass(frozen=True)
class Send:
    """Send the request; the exchange goes on with an Answer or a Failure."""

    request: Request


@dataclasses.dataclass(frozen=True)
class Wait:
    """Wait for seconds; what waits goes on with None."""

    seconds: float


def new_key() -> str:
    """A key for one update."""
    return str(uuid.uuid4())


def retry_after(header: str | None) -> float | None:
    """The seconds of a header; None if it has none. Dates aren't sent by the server."""
    text = (header or "").strip()
    return float(min(int(text), 10**9)) if text.isascii() and text.isdigit() and len(text) < 20 else None


@dataclasses.dataclass(frozen=True)
class RetryTimes:
    """When a request is sent again."""

    patience: float
    """Seconds for which retries may go on."""
    clock: Callable[[], float]
    """Seconds of a clock that isn't set."""
    chance: Callable[[], float]
    """A random number, 0 ≤ … < 1."""

    FIRST = 0.25
    LONGEST = 8.0

    def pause(self, attempt: int, asked: float | None, elapsed: float) -> float | None:
        """How long to wait before the next attempt; None if that would be too late.

        - attempt: the number of the attempt that failed, from 1
        - asked: the answer's `Retry-After` in seconds
        - elapsed: seconds since the first attempt
        """
        doubled = min(self.FIRST * 2 ** min(attempt - 1, 16), self.LONGEST)
        own = doubled * (0.5 + 0.5 * self.chance())
        pause = max(own, min(asked or 0.0, LONGEST_ASKED))
        return pause if elapsed + pause <= self.patience else None


def exchange(
    request: Request, server: str, times: RetryTimes, on_retry: Callable[[TweencastError], None] | None
) -> Generator[Send | Wait, Answer | Failure | None, bytes]:
    """Returns the body of an answer that is a success."""
    began = times.clock()
    attempt = 1
    while True:
        answer = yield Send(request)
        asked: float | None = None
        error: TweencastError
        if isinstance(answer, Answer):
            if 200 <= answer.status < 300:
                return answer.body
            asked, error = answer.retry_after, refused(answer.status, answer.body)
            if not is_temporary(answer.status):
                raise error
        else:
            error = UnreachableError(server, answer.reason if answer else "it was cancelled")
            if answer and answer.is_final:
                raise error
        pause = times.pause(attempt, asked, times.clock() - began)
        if pause is None:
            raise error
        if on_retry:
            on_retry(error)
        yield Wait(pause)
        attempt += 1
