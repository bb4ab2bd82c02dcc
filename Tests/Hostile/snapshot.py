"""What is on the board, and whether it is the same after a restart: of what rests all, of what moves where it goes."""

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


def compare(before: dict, after: dict) -> list:
    """What is wrong with `after`. A higher revision is a motion's end or an action: it went on, as it may."""
    wrong = []
    for (kind, name), was in before.items():
        now = after.get((kind, name))
        if now is None:
            # Its time may have been up; a schedule's last firing ends it.
            if was.get("ttl") is None and kind != "schedules":
                wrong.append(f"{kind} {name} is gone: it was {was}")
        elif now["revision"] < was["revision"]:
            wrong.append(f"{kind} {name} is back at revision {now['revision']} of {was['revision']}")
        elif now["revision"] == was["revision"]:
            differences = {
                field: (was[field], now[field]) for field in was.keys() & now.keys() if was[field] != now[field]
            }
            # A motion that has ended meanwhile has told so by its state alone.
            if differences and not ended(was, now):
                wrong.append(f"{kind} {name} differs: {differences}")
    return wrong


def ended(was, now) -> bool:
    return was["motion"]["state"] == "running" and now["motion"]["state"] == "idle"
