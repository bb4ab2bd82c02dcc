"""What must hold of named events, as readers hear them, and of what these cause: actions, webhooks, firings."""

import collections
import json

from world import Listener, Request, World, events_of
from model import Story

ACTIONS = ("then", "else")
# The events that a server keeps for readers that come back.
MOST_KEPT = 10_000
# What a merged completion says of its last motion.
GROWS = frozenset(("animation", "count", "text", "value", "fraction", "percent"))


def events_have_one_order(world: World):
    """The first reader hears of each event once, and misses none."""
    journal = world.journal
    if world.kind == "store":
        assert not journal.resets or world.full_disks, f"a reset: {journal.resets}"
        assert journal.retractions <= world.kills or world.full_disks, f"events were taken back {journal.retractions} times"
    if journal.resets:
        assert world.may_reset, f"a reset without a loss: {journal.resets}"
        return
    numbers = [event.number for event in journal.events]
    first = (journal.start or 0) + 1
    missing = sorted(set(range(first, max(numbers, default=first - 1) + 1)) - set(numbers))
    assert not missing, f"the journal misses {missing[:10]} of {len(numbers)}"
    assert len(numbers) == len(set(numbers)), "the journal has numbers twice"


def readers_hear_the_same(world: World):
    """From its first greeting on each hears what the journal has of its topics, in the same words."""
    journal = world.journal
    if journal.resets:
        return
    epochs = {event.number: event.epoch for event in journal.events}
    for number, listener in world.listeners.items():
        if listener is journal or listener.form in ("&as=terminal",) or listener.start is None:
            continue
        # A reader that lags by more than a server keeps must start over.
        lags = len(journal.events) > MOST_KEPT and all("expired" in reset for reset in listener.resets)
        assert not listener.resets or lags or world.may_reset, f"reader {number} got a reset: {listener.resets}"
        if listener.resets:
            continue
        lost = {(event.epoch, event.number) for event in [*journal.retracted, *listener.retracted]}
        missing = _missing(listener)
        # A merged completion grows until its tick. Who heard it in the instant before a kill heard of motions that were not
        # stored and not acknowledged; others hear it as it was stored.
        grown = GROWS if world.kind == "store" and world.kills else frozenset()
        expected = [
            _plain(event, missing, grown) for event in events_of(journal) if event.number > listener.start and listener.hears(event)
        ]
        heard = [
            _plain(event, missing, grown)
            for event in events_of(listener)
            if event.number > listener.start
            and (event.epoch, event.number) not in lost
            # What nobody else had heard before a kill took it back.
            and epochs.get(event.number, event.epoch) == event.epoch
        ]
        expected = [event for event in expected if (event[2], event[0]) not in lost]
        assert heard == expected, (
            f"reader {number} of {listener.topics}{listener.form} heard {len(heard)} of {len(expected)} events, missed "
            f"{sorted(set(expected) - set(heard))[:2]}, and has {sorted(set(heard) - set(expected))[:2]} alone"
        )


def motions_end_once(world: World):
    """Each motion is told once as complete. Each of the sum's revisions is a motion, so none is missing."""
    if world.has_gaps:
        return
    lives = Story(world.journal.events, world.journal.start or 0).lives
    for events in lives.values():
        for life in events:
            Story.ends_and_milestones(life)
    for audit in world.found("/v1/tickers/sum"):
        if audit["status"] != 200:
            continue
        revision = int(json.loads(audit["body"])["revision"])
        told = sum(event.data.get("count", 1) for event in lives["ticker", "sum"][-1] if event.name == "complete")
        assert told == revision, f"the sum has revision {revision}, and {told} of its motions were told as complete"


def actions_run_once(world: World):
    """For each accepted motion one of its lists runs, once; for none that was refused."""
    if world.losses or world.journal.resets:
        return
    told = collections.Counter()
    for event in events_of(world.journal):
        kind, name = event.topic
        if event.name == "notification" and name.split("-")[0] in ACTIONS:
            told[event.data["data"]["n"]] += 1
    for request in world.requests.values():
        state = _acting(request)
        if state is None:
            continue
        count = told.pop(request.number, 0)
        # What a full disk did not take may have been told, and is done again.
        assert count <= 1 or world.took_back, f"the actions of {request} ran {count} times"
        if state == "accepted":
            assert count >= 1, f"no action of {request} ran"
        elif state == "refused" and not world.took_back:
            assert count == 0, f"actions of {request} ran, which was refused"
    assert not told or world.took_back, f"actions of nobody ran: {told}"


def _acting(request: Request) -> str | None:
    """Whether its motion has actions, and began; None without any."""
    if request.method != "POST":
        return None
    if request.path == "/v1/batch":
        places = [number for number, line in enumerate(request.lines) if "then" in line]
        if not places:
            return None
        if request.is_refused:
            return "refused"
        if request.status is None:
            return "unknown"
        return "accepted" if request.results[places[0]]["status"] < 300 else "refused"
    if not request.body.startswith("{") or "then" not in request.json:
        return None
    if request.status is None:
        return "refused" if request.is_refused else "unknown"
    # One that was refused may be accepted when it comes again.
    return "accepted" if any(answer["status"] < 300 for answer in request.known) else "refused"


def counters_match_notifications(world: World):
    """A list's actions run together, each to its end: what it notifies, it also counts, a motion's list twice."""
    if world.has_gaps:
        return
    counts = collections.Counter(
        event.topic[1] for event in events_of(world.journal) if event.name == "notification"
    )
    listed = {}
    for audit in world.found("/v1/tickers?limit=200"):
        listed = {item["ticker"]: item["target"] for item in json.loads(audit["body"])["items"]}
    for name, count in counts.items():
        kind = name.split("-")[0]
        if kind in (*ACTIONS, "fired"):
            expected = count if kind == "fired" else 2 * count
            assert listed.get(name, 0) == expected, f"{name} was notified {count} times and counted {listed.get(name, 0)}"


def motions_of_no_time_finish(world: World):
    """Nothing cuts off a motion that takes no time: not the next update of its list, either."""
    for event in events_of(world.journal):
        kind, name = event.topic
        if event.name == "complete" and kind == "ticker" and name.split("-")[0] in (*ACTIONS, "fired"):
            assert event.data["finished"], f"{name} was cut off: {event}"


def notifications_are_told_once(world: World):
    if world.has_gaps:
        return
    told = collections.Counter(
        event.data["data"]["n"]
        for event in events_of(world.journal)
        if event.name == "notification" and event.topic[1].startswith("note-")
    )
    for request in world.requests.values():
        if request.path.startswith("/v1/notifications/"):
            count = told[request.number]
            least = int(request.is_accepted)
            most = int(not request.is_refused)
            assert least <= count <= most, f"{request} was told {count} times, and answered {request.status}"


def ids_have_one_text(world: World):
    """Whatever befalls a log: under one id every reader hears the same, also of what is taken back."""
    texts = {}
    for listener in world.listeners.values():
        if _missing(listener):
            continue
        for event in [*listener.events, *listener.retracted]:
            # What a full disk or a kill takes back of a merged completion is told again as it was stored.
            is_taken_back = world.full_disks or world.kind == "store" and world.kills
            if event.topic and not (is_taken_back and "count" in event.data):
                text = _plain(event, set())
                assert texts.setdefault((event.epoch, event.number), text) == text, f"one id for two events: {event}"


def webhooks_are_delivered(world: World):
    """At least once: the receiver answers well in the end."""
    if world.has_gaps:
        return
    called = {json.loads(call["body"])["n"] for call in world.calls if call["status"] == 200}
    for event in events_of(world.journal):
        kind = event.topic[1].split("-")[0]
        if event.name != "notification" or kind not in ACTIONS:
            continue
        number = event.data["data"]["n"]
        is_due = any("webhook" in action for line in world.requests[number].lines for action in line.get(kind, []))
        assert not is_due or number in called, f"the webhook of {number} was never delivered"


def webhooks_are_one_delivery(world: World):
    """Whatever is called again is called under its own id."""
    ids = collections.defaultdict(set)
    for call in world.calls:
        ids[call["body"]].add(call["id"])
    for body, deliveries in ids.items():
        assert len(deliveries) == 1 or world.losses or world.unconfirmed, f"{body} was delivered as {sorted(deliveries)}"


def schedules_count_their_firings(world: World):
    if world.has_gaps:
        return
    for topic, lives in Story(world.journal.events, world.journal.start or 0).lives.items():
        if topic[0] != "schedule":
            continue
        for life in lives:
            count = 0
            for event in life:
                if event.name == "fired":
                    now = event.data["count"]
                    assert now in (count + 1, 1), f"{topic[1]} fired {count} times, then {event}"
                    count = now


def _missing(listener: Listener) -> set[str]:
    """Members of events that this reader is sent in a language of its own, or not without a right to them."""
    return ({"text"} if "locale=" in listener.form else set()) | (
        {"by"} if listener.is_narrow or listener.has_tickets else set()
    )


def _plain(event, missing: set[str], grown: frozenset[str] = frozenset()) -> tuple:
    left_out = missing | grown if "count" in event.data else missing
    data = {name: value for name, value in event.data.items() if name not in left_out}
    return event.number, event.name, event.epoch, json.dumps(data, sort_keys=True)


RULES = [
    events_have_one_order, readers_hear_the_same, motions_end_once, actions_run_once, counters_match_notifications,
    motions_of_no_time_finish, notifications_are_told_once, ids_have_one_text, webhooks_are_delivered,
    webhooks_are_one_delivery, schedules_count_their_firings,
]  # fmt: skip
