"""The client's program for clients/vectors, in two forms: it waits for answers, or it is written for asyncio.

python3 program.py [async] items URL TOPIC…
python3 program.py [async] add URL TICKER AMOUNT
python3 program.py motions < motions.json
"""

import asyncio
import json
import os
import sys
from decimal import Decimal

from tweencast import AsyncClient, Client, Connected, Disconnected, Event, Frame, Item, Motion, RefusedError

HEARTBEAT = float(os.environ.get("HEARTBEAT", "5"))
AUTHORITIES = os.environ.get("AUTHORITIES")
# Longer than any server of a test is away.
PATIENCE = 300.0


def print_line(**members: object) -> None:
    """A line of JSON, without members that are None."""
    print(json.dumps({name: value for name, value in members.items() if value is not None}), flush=True)


def print_item(item: Item) -> None:
    """The line of an item."""
    if isinstance(item, Connected):
        print_line(item="connected")
    elif isinstance(item, Disconnected):
        print_line(item="disconnected")
    elif isinstance(item, Frame):
        print_line(item="frame", topic=str(item.topic), text=item.text, value=item.value, fraction=item.fraction)
    elif isinstance(item, Event):
        topic = str(item.topic) if item.topic else None
        print_line(item="event", name=item.name, topic=topic, reason=item.reason)


def print_refusal(error: RefusedError) -> None:
    """The line of a refusal."""
    print_line(item="refused", status=error.status, detail=error.detail)


def print_items(url: str, topics: list[str]) -> None:
    """The items of a stream."""
    with Client(url, authorities=AUTHORITIES) as client:
        try:
            for item in client.items(topics, heartbeat=HEARTBEAT):
                print_item(item)
            print_line(item="ended")
        except RefusedError as error:
            print_refusal(error)


async def print_items_async(url: str, topics: list[str]) -> None:
    """The same with asyncio."""
    async with AsyncClient(url, authorities=AUTHORITIES) as client:
        try:
            async for item in client.items(topics, heartbeat=HEARTBEAT):
                print_item(item)
            print_line(item="ended")
        except RefusedError as error:
            print_refusal(error)


def add(url: str, ticker: str, number: Decimal) -> None:
    """Adds to a ticker."""
    with Client(url, authorities=AUTHORITIES, patience=PATIENCE) as client:
        print(client.ticker(ticker).add(number).target)


async def add_async(url: str, ticker: str, number: Decimal) -> None:
    """The same with asyncio."""
    async with AsyncClient(url, authorities=AUTHORITIES, patience=PATIENCE) as client:
        print((await client.ticker(ticker).add(number)).target)


def print_motions() -> None:
    """The values of motions."""
    vectors = json.load(sys.stdin)
    print(json.dumps([[Motion(vector["event"]).value(at) for at in vector["at"]] for vector in vectors]))


def main(words: list[str]) -> None:
    """Carries out a command."""
    is_async = words[:1] == ["async"]
    verb, *rest = words[1:] if is_async else words
    if verb == "motions":
        print_motions()
    elif verb == "items" and is_async:
        asyncio.run(print_items_async(rest[0], rest[1:]))
    elif verb == "items":
        print_items(rest[0], rest[1:])
    elif is_async:
        asyncio.run(add_async(rest[0], rest[1], Decimal(rest[2])))
    else:
        add(rest[0], rest[1], Decimal(rest[2]))


if __name__ == "__main__":
    main(sys.argv[1:])
