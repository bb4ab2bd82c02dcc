"""What is on the board, and whether it is the same after a restart: of what rests all, of what moves where it goes."""

import json
import re
import time

# Seconds within which a stream tells what is waited for; its heartbeats come all the while.
TELLING_SECONDS = 60
FIELDS = {
    "tickers": ["target", "label", "index", "prefix", "suffix", "decimals", "format", "animation", "ttl", "waiting"],
    "progress": ["current", "maximum", "label", "decimals", "format", "appearance", "animation", "ttl", "waiting"],
    "schedules": ["state", "definition", "fired", "due"],
}
MOTION = [
    "state", "from", "to", "start", "end", "duration", "delay", "endDelay", "easing", "spring", "iterations",
    "direction", "rate",
]  # fmt: skip
# What a template shows that goes on with the time, though nothing moves.
OF_TIME = ("{elapsed", "{eta", "{rate")
NAMES = {"tickers": "ticker", "progress": "progress", "schedules": "schedule"}


def pages(program, kind):
    """All items of a list, page by page."""
    after, items = None, []
    while True:
        answer = program.ask("GET", f"/v1/{kind}?limit=1000" + (f"&after={after}" if after else ""), timeout=60)
        page = answer.json
        if answer.status != 200 or page is None:
            raise ValueError(f"GET /v1/{kind} is answered {answer.status} {answer.body[:100]}")
        items += page["items"]
        after = page.get("next")
        if not after:
            return items


def take(program) -> dict:
    """Each resource by its kind and name."""
    taken = {}
    for kind, fields in FIELDS.items():
        for item in pages(program, kind):
            seen = {name: item.get(name) for name in fields}
            seen["revision"] = int(item["revision"])
            motion = item.get("motion", {})
            seen["motion"] = {name: motion.get(name) for name in MOTION}
            if kind != "schedules" and motion.get("state") in ("idle", "paused"):
                seen["value"] = item["value"]
                if not any(word in (item.get("label") or "") for word in OF_TIME):
                    seen["text"] = item["text"]
            taken[kind, item[NAMES[kind]]] = seen
    return taken


def last_event(program) -> str:
    """The id of an event that is told now: what has a later one happens from now on."""
    with program.stream("/v1/events?ticker=snapshot", timeout=TELLING_SECONDS) as reader:
        told = read_until(reader, rb"event: hello\n")
        # A store that is behind has it come again.
        end, update = time.monotonic() + TELLING_SECONDS, {"to": 1, "duration": 0}
        while (answer := program.ask("POST", "/v1/tickers/snapshot", update, timeout=60)).status != 202:
            if time.monotonic() > end:
                raise ValueError(f"POST /v1/tickers/snapshot is answered {answer.status} {answer.body[:100]}")
            time.sleep(0.1)
        told = read_until(reader, rb"id: \S+\nevent: complete\n", told)
    return re.findall(rb"id: (\S+)\nevent: complete\n", told)[-1].decode()


def removed_since(program, event: str) -> set:
    """What the stream tells of as removed after an event, by kind and name."""
    end = last_event(program)
    topics = "&".join(f"{name}=*" for name in NAMES.values())
    with program.stream(f"/v1/events?{topics}", [f"Last-Event-ID: {event}"], timeout=TELLING_SECONDS) as reader:
        told = read_until(reader, rb"id: %b\n|event: reset\n" % re.escape(end).encode())
    if b"\nevent: reset\n" in told:
        raise ValueError(f"after a restart what came after event {event} isn't told any more")
    removals = [json.loads(data) for data in re.findall(rb"\nevent: removed\ndata: (.*)\n", told)]
    return {(kind, removal[name]) for removal in removals for kind, name in NAMES.items() if name in removal}


def read_until(reader, pattern: bytes, told=b"") -> bytes:
    """What comes of a stream until something is in it."""
    end = time.monotonic() + TELLING_SECONDS
    while not re.search(pattern, told):
        piece = reader.recv(65536)
        if not piece or time.monotonic() > end:
            raise ValueError(f"a stream ends, or goes on, without {pattern.decode()}: {told[-200:]}")
        told += piece
    return told


def compare(before: dict, after: dict, removed) -> list:
    """What is wrong with `after`. A higher revision is a motion's end or an action: it went on, as it may. What is gone, or
    began anew, must have been told of as removed, which `removed` asks for."""
    wrong = []
    suspects = {key for key, was in before.items() if key not in after or after[key]["revision"] < was["revision"]}
    for kind, name in suspects - removed() if suspects else ():
        was, now = before[kind, name], after.get((kind, name))
        what = f"is back at revision {now['revision']}" if now else "is gone, and nobody was told"
        wrong.append(f"{kind} {name} {what}: it was {was}")
    for kind, name in before.keys() - suspects:
        was, now = before[kind, name], after[kind, name]
        if now["revision"] == was["revision"]:
            differences = {
                field: (was[field], now[field]) for field in was.keys() & now.keys() if was[field] != now[field]
            }
            # A motion that has ended meanwhile has told so by its state alone.
            if differences and not ended(was, now):
                wrong.append(f"{kind} {name} differs: {differences}")
    return wrong


def ended(was, now) -> bool:
    return was["motion"]["state"] == "running" and now["motion"]["state"] == "idle"
