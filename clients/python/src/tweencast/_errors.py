"""Why something failed."""

import dataclasses
import json
from typing import Any


class TweencastError(Exception):
    """Any failure of this package. Its text is a sentence for people."""


class InvalidRequestError(TweencastError, ValueError):
    """An address, a token, an id, a topic or a number that can't be sent."""


class ClosedError(TweencastError):
    """The client is closed. What was asked before may have been done."""

    def __init__(self) -> None:
        super().__init__("the client is closed")


class UnreachableError(TweencastError):
    """No answer came: no connection, or it broke. What was asked may have been done."""

    def __init__(self, server: str, reason: str):
        super().__init__(f"no answer from {server}: {reason}")
        self.server = server
        self.reason = reason


class NotUnderstoodError(TweencastError):
    """The answer isn't one of a Tweencast server."""

    def __init__(self, server: str):
        super().__init__(f"the answer of {server} is not that of a Tweencast server")
        self.server = server


@dataclasses.dataclass(frozen=True)
class Problem:
    """Problem details (RFC 9457)."""

    status: int
    title: str
    detail: str
    """What is wrong, and what to do."""
    pointer: str | None = None
    """The field at fault as a JSON pointer, or ? and a parameter."""

    @classmethod
    def of(cls, status: int, body: bytes) -> "Problem":
        """The problem of an answer, or of what a proxy answers in its place."""
        try:
            details = json.loads(body)
        except (ValueError, RecursionError):
            details = None
        known: dict[str, Any] = details if isinstance(details, dict) else {}

        def text(name: str) -> str | None:
            value = known.get(name)
            return value if isinstance(value, str) else None

        detail = text("detail") or f"the server answered with status {status}"
        return cls(status, text("title") or "", detail, text("pointer"))


class RefusedError(TweencastError):
    """The server answers that it doesn't do what was asked."""

    def __init__(self, problem: Problem):
        super().__init__(f"{problem.detail} ({problem.pointer})" if problem.pointer else problem.detail)
        self.problem = problem

    @property
    def status(self) -> int:
        """The status code."""
        return self.problem.status

    @property
    def title(self) -> str:
        """The meaning of the status."""
        return self.problem.title

    @property
    def detail(self) -> str:
        """What is wrong, and what to do."""
        return self.problem.detail

    @property
    def pointer(self) -> str | None:
        """The field at fault as a JSON pointer, or ? and a parameter."""
        return self.problem.pointer


class UnauthorizedError(RefusedError):
    """The server asks for a token, or doesn't know this one (401)."""


class ForbiddenError(RefusedError):
    """The token may not do that (403)."""


class NotFoundError(RefusedError):
    """There is no such resource (404)."""


_KINDS: dict[int, type[RefusedError]] = {401: UnauthorizedError, 403: ForbiddenError, 404: NotFoundError}


def refused(status: int, body: bytes) -> RefusedError:
    """The error of an answer."""
    return _KINDS.get(status, RefusedError)(Problem.of(status, body))


def is_temporary(status: int) -> bool:
    """Whether the same request may succeed later."""
    return status >= 500 or status in (408, 425, 429)
