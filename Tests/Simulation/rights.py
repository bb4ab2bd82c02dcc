"""What must hold in worlds whose servers require tokens: who has no right to something is refused, and sees nothing of it."""

import json
import math
import re

from world import Request, World, events_of

# Nanoseconds for which a ticket is valid, by which clocks may differ, and within which a stream ends.
LIFETIME, TOLERANCE, LONGEST_END = 30_000_000_000, 200_000_000, 1_000_000_000
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


def tokens_end_in_time(world: World):
    """A signed token is refused from when it expires, and not before."""
    if not world.keeps_time:
        return
    for request in world.requests.values():
        for answer in request.answers:
            if not answer["expires"]:
                continue
            if answer["at"] < answer["expires"] - TOLERANCE:
                assert answer["status"] != 401, f"{request} is refused, with a token until {answer['expires']}: {answer}"
            elif answer["sent"] > answer["expires"] + TOLERANCE:
                is_right = answer["status"] == 401 or answer["status"] >= 500
                assert is_right, f"{request} is answered {answer['status']}, with a token until {answer['expires']}"
    for refusal in world.refusals:
        assert refusal["at"] > refusal["expires"] - TOLERANCE, f"a stream is refused, with a token that is valid: {refusal}"


def streams_end_with_their_tokens(world: World):
    """A stream ends when the token expires with which it, or its ticket, was asked for, and says so."""
    if not world.keeps_time:
        return
    for number, listener in world.listeners.items():
        for connection in listener.connections:
            end = world.now if connection.ended is None else connection.ended
            expires = connection.expires or math.inf
            assert connection.asked < expires + TOLERANCE, f"reader {number} has a stream with an expired token: {connection}"
            if connection.told is not None:
                assert connection.told > expires - TOLERANCE, f"reader {number} was told too early: {connection}"
            # What a reader reads late it was sent before. A replica that is behind opens a stream late, and ends it then.
            last = max(expires, connection.opened) + LONGEST_END
            assert connection.is_delayed or end < last, f"reader {number} still reads: {connection}"


def tickets_open_one_stream(world: World):
    """A ticket opens one stream at most, within its time and its owner's."""
    for (reader, _), ticket in world.tickets.items():
        uses = sorted(ticket.uses.values(), key=lambda use: use.sent)
        opened = [use for use in uses if use.outcome == "stream"]
        # Entries that a log has lost have not used it.
        assert len(opened) <= 1 or world.took_back, f"reader {reader} has {len(opened)} streams with {ticket}"
        for use in uses:
            is_clear = use.outcome in (None, "lost", "stream", "200", "401", "429") or use.outcome.startswith("50")
            assert is_clear, f"reader {reader} is answered {use}"
        if not world.keeps_time:
            continue
        end = min(ticket.made + LIFETIME, ticket.expires or math.inf) + TOLERANCE
        assert all(use.sent < end for use in opened), f"reader {reader} has a stream with an old ticket: {ticket}"
        last = max((use.answered or math.inf for use in uses), default=math.inf)
        is_young = last < min(ticket.asked + LIFETIME, ticket.expires or math.inf) - TOLERANCE
        # A store doesn't keep tickets.
        is_kept = world.kind != "store" or not any(ticket.asked <= time <= last for time in world.changes_of_servers)
        if is_young and is_kept and not world.may_reset:
            assert any(use.outcome != "401" for use in uses), f"reader {reader} can't use {ticket}"


RULES = [tokens_decide, origins_are_withheld, tokens_end_in_time, streams_end_with_their_tokens, tickets_open_one_stream]
