"""What both kinds of connections have in common."""

import dataclasses
import os
import ssl
from collections.abc import Callable

import httpx

from ._address import header_value, server_address
from ._errors import InvalidRequestError, TweencastError
from ._exchange import Failure, Request

TIMEOUT = httpx.Timeout(10.0)
"""Seconds that an answer may take, at each step."""
ANSWER_BYTES = 16_777_216
"""The most bytes of an answer."""
CONNECTIONS = httpx.Limits(max_connections=100, max_keepalive_connections=10)
"""Connections of requests; a stream has one of its own."""
STREAM_CONNECTIONS = httpx.Limits(max_connections=None, max_keepalive_connections=0)
SILENCE = "the stream is silent"
"""Why a stream ends on which nothing came for longer than it may."""


@dataclasses.dataclass(frozen=True)
class Server:
    """Where a client's server is, and how the client behaves."""

    url: str
    token: str | None
    verify: ssl.SSLContext | bool
    patience: float
    on_retry: Callable[[TweencastError], None] | None

    @classmethod
    def of(
        cls, url: str | None, token: str | None, authorities: str | None, patience: float,
        on_retry: Callable[[TweencastError], None] | None,
    ) -> "Server":
        """The server of a client's parameters, or of the environment."""
        token = token or os.environ.get("TWEENCAST_TOKEN") or None
        if token is not None:
            header_value(token, "the token")
        verify = ssl.create_default_context(cafile=authorities) if authorities else True
        return cls(server_address(url), token, verify, patience, on_retry)

    def headers(self, request: Request) -> dict[str, str]:
        """The headers of a request."""
        headers = self.authorization()
        if request.key is not None:
            headers["Idempotency-Key"] = header_value(request.key, "the key")
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        return headers

    def stream_headers(self, last_id: str | None) -> dict[str, str]:
        """The headers of a stream."""
        headers = {**self.authorization(), "Accept": "application/x-ndjson", "Accept-Encoding": "identity"}
        if last_id is not None:
            headers["Last-Event-ID"] = header_value(last_id, "the last event's id")
        return headers

    def authorization(self) -> dict[str, str]:
        """The token's header."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def build(self, client: "httpx.Client | httpx.AsyncClient", request: Request) -> httpx.Request:
        """A request for httpx."""
        return _built(client, request.method, self.url + request.path, self.headers(request), request.body, TIMEOUT)

    def build_stream(
        self, client: "httpx.Client | httpx.AsyncClient", path: str, last_id: str | None
    ) -> httpx.Request:
        """A stream's request for httpx. Silence is watched elsewhere, because its limit changes on the way."""
        timeout = httpx.Timeout(TIMEOUT.connect, read=None)
        return _built(client, "GET", self.url + path, self.stream_headers(last_id), None, timeout)


def _built(
    client: "httpx.Client | httpx.AsyncClient", method: str, url: str, headers: dict[str, str], body: bytes | None,
    timeout: httpx.Timeout,
) -> httpx.Request:
    try:
        return client.build_request(method, url, headers=headers, content=body, timeout=timeout)
    except (httpx.InvalidURL, ValueError) as error:
        raise InvalidRequestError(str(error)) from None


def failure(error: BaseException) -> Failure:
    """Why a connection failed."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    return Failure(str(error) or type(error).__name__, is_final=cause is not None)
