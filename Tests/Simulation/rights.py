"""What must hold in worlds whose servers require tokens: who has no right to something is refused, and sees nothing of it."""

import json
import re

from world import Request, World, events_of

# Writers with tokens; the `other` one is the next. Only the first may change all schedules, also at once; what a new one
# does needs rights of its own.
WRITERS = 3
OF_ALL = ("/v1/schedules/pause", "/v1/schedules/resume")
SUM = "/v1/tickers/sum"
# By whose token a request carries, how it is refused. Too many unknown tokens of one address are not looked up any more.
REFUSALS = {"nobody": (401,), "stranger": (401, 429), "mute": (403,), "other": (403,), "own": (403,)}


def tokens_decide(world: World):
    """Who has the right is not refused for a lack of it, and everybody else is."""
    for request in world.requests.values() if world.has_tokens else ():
        for answer in request.known:
            if request.path == "/v1/batch" and request.bearer not in ("nobody", "stranger"):
                _check_lines(request, answer)
                continue
            status = answer["status"]
            is_right = status not in (401, 403, 429) if _may(request) else status in REFUSALS[request.bearer]
            assert is_right, f"{request} is answered {status}: {answer['body'][:200]}"


def _may(request: Request) -> bool:
    """Whether the token that it carries gives the right to what it asks for."""
    if request.bearer not in ("own", "other"):
        return False
    holder = request.writer if request.bearer == "own" else (request.writer + 1) % WRITERS
    if request.path in OF_ALL:
        return holder == 0
    if holder == 0 and request.path.startswith("/v1/schedules/") and request.method != "PUT":
        return True
    is_list = re.fullmatch(r"/v1/(tickers|progress|schedules)", request.path)
    return holder == request.writer or request.path == SUM or bool(is_list)


def _check_lines(request: Request, answer: dict):
    """Each line of a batch needs a right of its own."""
    if answer["status"] == 403:
        assert request.bearer == "mute", f"{request} is answered {answer['body'][:200]}"
        return
    if answer["status"] >= 300:
        return
    results = [json.loads(line) for line in answer["body"].splitlines()]
    for line, result in zip(request.lines, results, strict=True):
        may = request.bearer == "own" or request.bearer == "other" and line["ticker"] == "sum"
        # A line that would begin too late is refused before anybody looks for a right.
        is_right = result["status"] != 403 if may else result["status"] in (403, 422)
        assert is_right, f"{line} of {request} is answered {result}"


def origins_are_withheld(world: World):
    """A reader is not told the name of what it may not read, as that which has caused an event, either."""
    for number, listener in world.listeners.items():
        for event in events_of(listener) if listener.is_narrow else ():
            origin = event.data.get("by", {})
            is_readable = all(kind == "ticker" and name.startswith("w0-") for kind, name in origin.items())
            assert listener.hears(event) and is_readable, f"reader {number} was told {event}"


RULES = [tokens_decide, origins_are_withheld]
