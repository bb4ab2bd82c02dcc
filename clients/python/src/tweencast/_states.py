"""What a server says: states of resources, frames and events."""

import dataclasses
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from ._errors import InvalidRequestError, NotUnderstoodError

ResourceKind = Literal["ticker", "progress", "schedule"]
TopicKind = Literal["ticker", "progress", "schedule", "notification"]

RESOURCE_KINDS: tuple[ResourceKind, ...] = ("ticker", "progress", "schedule")
TOPIC_KINDS: tuple[TopicKind, ...] = (*RESOURCE_KINDS, "notification")


@dataclasses.dataclass(frozen=True)
class Topic:
    """What a stream follows: a resource or a notification, or all whose names begin alike."""

    kind: TopicKind
    name: str
    """An id; with `*` at its end, every id that begins with it."""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def of(cls, text: str) -> "Topic":
        """The topic of a text such as `ticker:revenue`."""
        name = text.partition(":")[2]
        for kind in TOPIC_KINDS:
            if text == f"{kind}:{name}" and name:
                return cls(kind, name)
        raise InvalidRequestError(f"{text!r} is no topic, such as ticker:revenue")


def topic_of(data: Mapping[str, Any]) -> Topic | None:
    """The topic that data of the server is about."""
    for kind in TOPIC_KINDS:
        if isinstance(name := data.get(kind), str):
            return Topic(kind, name)
    return None


def number_of(data: Mapping[str, Any], name: str) -> float | None:
    """A number, if there is one."""
    value = data.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


@dataclasses.dataclass(frozen=True)
class State:
    """A resource as it was when the server answered."""

    kind: ResourceKind
    id: str
    text: str
    """What it shows."""
    value: float | None
    """The number behind the text, not rounded; None for a schedule without a date."""
    target: Decimal | None
    """Where it rests, or will rest, with all its digits; None for a schedule."""
    fraction: float | None
    """How much of a progress is done, from 0 to 1; None while the maximum is unknown."""
    data: Mapping[str, Any] = dataclasses.field(hash=False, repr=False)
    """The whole answer."""

    @classmethod
    def of(cls, body: bytes, server: str) -> "State":
        """The state that an answer has."""
        try:
            data, exact = json.loads(body), json.loads(body, parse_float=Decimal)
        except (ValueError, RecursionError):
            raise NotUnderstoodError(server) from None
        return cls.of_data(data, server, exact)

    @classmethod
    def of_data(cls, data: Any, server: str, exact: Any) -> "State":
        """The state in decoded data; `exact` is the same with decimals."""
        if not isinstance(data, dict):
            raise NotUnderstoodError(server)
        for kind in RESOURCE_KINDS:
            if isinstance(data.get(kind), str):
                text, target = data.get("text"), exact.get("target")
                return cls(
                    kind, data[kind], text if isinstance(text, str) else "", number_of(data, "value"),
                    Decimal(target) if isinstance(target, (int, Decimal)) else None, number_of(data, "fraction"), data)
        raise NotUnderstoodError(server)


@dataclasses.dataclass(frozen=True)
class Page:
    """A page of a list."""

    items: list[State]
    next: str | None
    """The id after which the next page begins; None for the last page."""

    @classmethod
    def of(cls, body: bytes, server: str) -> "Page":
        """The page that an answer has."""
        try:
            data, exact = json.loads(body), json.loads(body, parse_float=Decimal)
            pairs = zip(data["items"], exact["items"], strict=True)
            items, after = [State.of_data(one, server, other) for one, other in pairs], data.get("next")
        except (ValueError, TypeError, KeyError, RecursionError):
            raise NotUnderstoodError(server) from None
        if after is not None and not isinstance(after, str):
            raise NotUnderstoodError(server)
        return cls(items, after)


@dataclasses.dataclass(frozen=True)
class Connected:
    """A connection is open; the state of each topic follows."""


@dataclasses.dataclass(frozen=True)
class Disconnected:
    """A connection has ended, or none came about; another one follows."""

    reason: str


@dataclasses.dataclass(frozen=True)
class Frame:
    """What a resource shows at an instant."""

    topic: Topic
    text: str
    value: float | None
    """The number behind the text, not rounded."""
    fraction: float | None
    """How much of a progress is done, from 0 to 1; None while the maximum is unknown."""
    data: Mapping[str, Any] = dataclasses.field(hash=False, repr=False)
    """The whole frame."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Frame | None":
        """The frame in data; None if it has none."""
        topic, text = topic_of(data), data.get("text")
        if topic is None or not isinstance(text, str):
            return None
        return cls(topic, text, number_of(data, "value"), number_of(data, "fraction"), data)


@dataclasses.dataclass(frozen=True)
class Event:
    """What has happened."""

    name: str
    """`complete`, `removed` and so on: docs/streams.md lists them."""
    id: str | None
    """Its place in the server's history."""
    topic: Topic | None
    """The resource or notification; None for an event of all of them."""
    reason: str | None
    """Why a motion ended, or a resource was removed."""
    data: Mapping[str, Any] = dataclasses.field(hash=False, repr=False)
    """The whole event."""

    @property
    def frame(self) -> Frame | None:
        """What the resource shows, where the event has it."""
        return Frame.of(self.data)


Item = Connected | Frame | Event | Disconnected
