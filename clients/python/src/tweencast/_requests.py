"""The requests of a client, whether it waits for their answers or not."""

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any

from ._address import checked_name, escaped
from ._amounts import Amount, Duration, amount, json_body, update
from ._errors import InvalidRequestError
from ._exchange import Request, new_key
from ._states import ResourceKind, Topic

_LISTS: dict[ResourceKind, str] = {"ticker": "tickers", "progress": "progress", "schedule": "schedules"}


class Unknown(enum.Enum):
    """The maximum of a progress that has none yet."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


@dataclasses.dataclass(frozen=True)
class Resource:
    """A resource on a server, which need not exist."""

    kind: ResourceKind
    id: str

    def __post_init__(self) -> None:
        checked_name(self.id)

    @property
    def topic(self) -> Topic:
        """What a stream of it follows."""
        return Topic(self.kind, self.id)

    @property
    def path(self) -> str:
        """Its address behind the server's."""
        return f"/v1/{_LISTS[self.kind]}/{escaped(self.id)}"

    def get(self) -> Request:
        """Reads it."""
        return Request("GET", self.path)

    def delete(self, key: str | None) -> Request:
        """Removes it."""
        return Request("DELETE", self.path, key=key or new_key())

    def operate(self, operation: str, key: str | None) -> Request:
        """Pauses, resumes, finishes or cancels it."""
        return Request("POST", f"{self.path}/{operation}", key=key or new_key())

    def post(self, fields: Mapping[str, Any], key: str | None) -> Request:
        """Moves it."""
        return Request("POST", self.path, json_body(fields), key or new_key())

    def move(
        self, member: str, number: Amount, key: str | None, duration: Duration | None, label: str | None,
        easing: str | None, fields: Mapping[str, Any],
    ) -> Request:
        """Moves it to or by a number."""
        return self.post({**update(fields, duration, label, easing), member: amount(number)}, key)


def maximum(of: Amount | Unknown | None) -> dict[str, Any]:
    """The fields of an update of a progress' maximum."""
    if of is None:
        return {}
    return {"maximum": None if isinstance(of, Unknown) else amount(of)}


def origin(number: Amount | None) -> dict[str, Any]:
    """The fields of an update of where it starts."""
    return {} if number is None else {"from": amount(number)}


def notification(name: str, data: object, key: str | None) -> Request:
    """Publishes a notification."""
    body = None if data is None else json_body(data)
    return Request("POST", f"/v1/notifications/{escaped(checked_name(name))}", body, key or new_key())


def page(kind: ResourceKind, prefix: str, after: str | None) -> Request:
    """A page of a list."""
    if kind not in _LISTS:
        raise InvalidRequestError(f"{kind!r} is none of {', '.join(_LISTS)}")
    begin = f"&prefix={escaped(prefix)}" if prefix else ""
    place = f"&after={escaped(after)}" if after else ""
    return Request("GET", f"/v1/{_LISTS[kind]}?limit=1000{begin}{place}")
