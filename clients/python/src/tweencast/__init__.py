"""A client of Tweencast, the server that animates numbers and streams them.

    from tweencast import Client

    with Client("http://localhost:8080") as client:
        client.ticker("revenue").set(250, duration=2)
        for frame in client.ticker("revenue").frames():
            print(frame.text)
"""

from ._amounts import Amount, Duration
from ._async_client import AsyncClient, AsyncProgress, AsyncSchedule, AsyncTicker
from ._client import Client, Progress, Schedule, Ticker
from ._errors import (
    ClosedError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    NotUnderstoodError,
    Problem,
    RefusedError,
    TweencastError,
    UnauthorizedError,
    UnreachableError,
)
from ._states import Connected, Disconnected, Event, Frame, Item, State, Topic
from .motions import Motion

__version__ = "1.0.0"

__all__ = [
    "Amount", "AsyncClient", "AsyncProgress", "AsyncSchedule", "AsyncTicker", "Client", "ClosedError", "Connected",
    "Disconnected", "Duration", "Event", "ForbiddenError", "Frame", "InvalidRequestError", "Item", "Motion",
    "NotFoundError", "NotUnderstoodError", "Problem", "Progress", "RefusedError", "Schedule", "State", "Ticker",
    "Topic", "TweencastError", "UnauthorizedError", "UnreachableError",
]
