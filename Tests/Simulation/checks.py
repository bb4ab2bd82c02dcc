"""What must hold in every world, whatever befell it."""

import collections
import fractions
import json
import re

import reads
from world import Request, World, events_of
from model import Story

# What keeps its place on the way of an event.
PROBLEM = {"status", "title", "detail"}
ACTIONS = ("then", "else")
# The log or the store takes no changes, or has no room.
UNAVAILABLE = (503, 507)
# A progress that isn't over counts its seconds.
VOLATILE = re.compile(r'"(?:elapsed|eta)":(?:"[\d:]*"|[\d.]+),')


def check(world: World) -> list[str]:
    """What is wrong."""
    wrong = list(world.wrong)
    for rule in RULES:
        try:
            rule(world)
        except AssertionError as error:
            wrong.append(f"{rule.__name__}: {error}")
        except (KeyError, IndexError, ValueError) as error:
            # An answer that isn't what the rule reads.
            wrong.append(f"{rule.__name__}: {error!r}")
    return wrong


def answers_are_clear(world: World):
    """No request fails by the server's fault, and a refusal says why."""
    for request in world.requests.values():
        for answer in request.answers:
            status = answer["status"]
            assert status in UNAVAILABLE or status < 500, f"{_text(request)}: {status} {answer['body']}"
            if status >= 400 and request.method != "GET":
                problem = json.loads(answer["body"])
                assert problem.keys() >= PROBLEM and problem["status"] == status, f"{_text(request)}: {answer['body']}"


def equal_keys_have_equal_answers(world: World):
    for request in world.requests.values():
        known = request.known
        if not request.key or not request.is_accepted or not world.lasts(request):
            continue
        assert sum(not answer["replayed"] for answer in known) <= 1, f"{_text(request)} was carried out twice"
        texts = {(answer["status"], answer["body"]) for answer in known}
        assert len(texts) == 1, f"{_text(request)} has different answers: {texts}"


def events_have_one_order(world: World):
    """The first reader hears of each event once, and misses none."""
    journal = world.journal
    if world.kind == "store":
        assert not journal.resets or world.full_disks, f"a reset: {journal.resets}"
        assert journal.retractions <= world.kills or world.full_disks, f"events were taken back {journal.retractions} times"
    if journal.resets:
        assert world.took_back, f"a reset without a loss: {journal.resets}"
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
    for number, listener in world.listeners.items():
        if listener is journal or listener.form in ("&as=terminal",) or listener.start is None:
            continue
        assert not listener.resets or world.took_back, f"reader {number} got a reset: {listener.resets}"
        if listener.resets:
            continue
        lost = {(event.epoch, event.number) for event in [*journal.retracted, *listener.retracted]}
        own = "locale=" in listener.form
        expected = [
            _plain(event, own) for event in events_of(journal) if event.number > listener.start and listener.hears(event)
        ]
        heard = [
            _plain(event, own)
            for event in events_of(listener)
            if event.number > listener.start and (event.epoch, event.number) not in lost
        ]
        expected = [event for event in expected if (event[2], event[0]) not in lost]
        assert heard == expected, (
            f"reader {number} of {listener.topics}{listener.form} heard {len(heard)} of {len(expected)} events, missed "
            f"{sorted(set(expected) - set(heard))[:2]}, and has {sorted(set(heard) - set(expected))[:2]} alone"
        )


def sums_are_exact(world: World):
    """What was added is there: all that was acknowledged since the last loss, once, and nothing that nobody sent."""
    acknowledged = unknown = 0
    for request in world.requests.values():
        if request.method != "POST" or request.status is not None and not request.is_accepted:
            continue
        count = 0
        if request.path == "/v1/tickers/sum":
            count = 1
        elif request.path == "/v1/batch":
            added = [number for number, line in enumerate(request.lines) if line.get("ticker") == "sum"]
            count = sum(not request.known or request.results[number]["status"] < 300 for number in added)
        is_there = request.is_accepted and world.lasts(request)
        acknowledged, unknown = acknowledged + count * is_there, unknown + count * (not is_there)
    for audit in world.found("/v1/tickers/sum"):
        target = json.loads(audit["body"])["target"] if audit["status"] == 200 else 0
        most = acknowledged + unknown
        assert acknowledged <= target <= most, f"{acknowledged} to {most} were added, and the sum is {target}"


def motions_end_once(world: World):
    """Each motion is told once as complete. Each of the sum's revisions is a motion, so none is missing."""
    if world.took_back:
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
        assert count <= 1 or world.took_back, f"the actions of {_text(request)} ran {count} times"
        if state == "accepted":
            assert count >= 1, f"no action of {_text(request)} ran"
        elif state == "refused" and not world.took_back:
            assert count == 0, f"actions of {_text(request)} ran, which was refused"
    assert not told or world.took_back, f"actions of nobody ran: {told}"


def _acting(request: Request) -> str | None:
    """Whether its motion has actions, and began; None without any."""
    if request.method != "POST":
        return None
    if request.path == "/v1/batch":
        places = [number for number, line in enumerate(request.lines) if "then" in line]
        if not places:
            return None
        if request.status is None:
            return "unknown"
        if not request.is_accepted:
            return "refused"
        return "accepted" if request.results[places[0]]["status"] < 300 else "refused"
    if not request.body.startswith("{") or "then" not in request.json:
        return None
    if request.status is None:
        return "unknown"
    # One that was refused may be accepted when it comes again.
    return "accepted" if any(answer["status"] < 300 for answer in request.known) else "refused"


def counters_match_notifications(world: World):
    """A list's actions run together, each to its end: what it notifies, it also counts, a motion's list twice."""
    if world.took_back:
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
    if world.took_back:
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
            most = int(request.is_accepted or request.status is None)
            assert least <= count <= most, f"{_text(request)} was told {count} times, and answered {request.status}"


def ids_have_one_text(world: World):
    """Whatever befalls a log: under one id every reader hears the same, also of what is taken back."""
    texts = {}
    for listener in world.listeners.values():
        if "locale=" in listener.form:
            continue
        for event in [*listener.events, *listener.retracted]:
            # What a full disk takes back of a merged completion is told again as it was stored.
            if event.topic and not (world.full_disks and "count" in event.data):
                text = _plain(event, False)
                assert texts.setdefault((event.epoch, event.number), text) == text, f"one id for two events: {event}"


def webhooks_are_delivered(world: World):
    """At least once: the receiver answers well in the end."""
    if world.took_back:
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
        assert len(deliveries) == 1 or world.losses, f"{body} was delivered as {sorted(deliveries)}"


def schedules_count_their_firings(world: World):
    if world.took_back:
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


def numbers_rest_where_they_were_sent(world: World):
    for path, target in _targets(world).items():
        for audit in world.found(path):
            if target == "nothing":
                assert audit["status"] == 404, f"{path} was deleted, and {audit['server']} answers {audit['status']}"
            elif target is not None:
                assert audit["status"] == 200, f"{path} is answered {audit['status']} by {audit['server']}"
                value = fractions.Fraction(str(json.loads(audit["body"])["value"]))
                assert value == target, f"{path} was sent to {target}, and rests at {value}"


def _targets(world: World) -> dict[str, fractions.Fraction | str | None]:
    """Where each number rests at the end; None where the history doesn't say."""
    targets: dict[str, fractions.Fraction | str | None] = {}
    queued: set[str] = set()
    for number in sorted(world.requests):
        request = world.requests[number]
        if not world.lasts(request):
            targets.update(dict.fromkeys(request.tracks))
            queued.update(request.tracks if '"queue"' in request.body else [])
            continue
        if request.path == "/v1/batch":
            for line, to in _own_lines(request):
                path = f"/v1/tickers/{line}"
                # Its answer doesn't say what waits.
                targets[path] = None if path in queued else to
            continue
        match = re.fullmatch(r"(/v1/(?:tickers|progress)/w\d-\w)(/\w+)?", request.path)
        if not match or request.method == "GET" or request.status is not None and not request.is_accepted:
            continue
        path, verb = match[1], match[2]
        if request.method == "DELETE":
            targets[path] = "nothing" if request.is_accepted else None
        elif verb is None:
            body = request.json
            if body.get("interrupt") == "queue":
                queued.add(path)
            to = fractions.Fraction(str(body.get("to", body.get("current"))))
            targets[path] = _target(request, to, targets.get(path)) if request.is_accepted else None
        elif verb == "/cancel" and targets.get(path) != "nothing":
            targets[path] = None
    # A key whose request was refused may be carried out when it comes again, whenever that is.
    for request in world.requests.values():
        if len({answer["status"] < 300 for answer in request.known}) > 1:
            targets.update(dict.fromkeys(request.tracks))
    return targets


def _target(request: Request, to: fractions.Fraction, before) -> fractions.Fraction | str | None:
    """Where the number rests after an accepted update: there, or where what waits behind it goes."""
    answer = json.loads(request.known[0]["body"])
    if request.json.get("interrupt") == "queue":
        return to
    if answer.get("waiting"):
        return before
    shown = fractions.Fraction(str(answer.get("target", answer.get("current"))))
    assert shown == to or before in (shown, None), f"{_text(request)} goes to {shown}"
    return shown


def _own_lines(request: Request) -> list[tuple[str, fractions.Fraction | None]]:
    """The numbers that a batch moves, and where to."""
    found = []
    for place, line in enumerate(request.lines):
        if "to" not in line:
            continue
        if request.status is None:
            found.append((line["ticker"], None))
        elif request.is_accepted and request.results[place]["status"] < 300:
            found.append((line["ticker"], fractions.Fraction(line["to"])))
    return found


def one_replica_is_the_steward(world: World):
    """It calls webhooks and writes snapshots."""
    stewards = [audit["server"] for audit in world.found("/metrics") if "\ntweencast_steward 1\n" in audit["body"]]
    assert world.kind == "store" or len(stewards) == 1, f"stewards in the end: {stewards}"


def servers_agree(world: World):
    """10 seconds after the last fault every server is ready; in the end they answer alike, and lists are their numbers."""
    for audit in world.found("/readyz"):
        assert audit["status"] == 200, f"{audit['server']} isn't ready: {audit['body']}"
    by_target = collections.defaultdict(dict)
    for audit in world.audits:
        if audit["target"] not in ("/readyz", "/metrics", "/v1/schedules/resume"):
            by_target[audit["target"]][audit["server"]] = (audit["status"], VOLATILE.sub("", audit["body"]))
    for target, answers in by_target.items():
        assert len(set(answers.values())) == 1, f"{target} is answered in different ways: {answers}"
    places = {(item["sequence"], item["digest"]) for item in world.progress}
    assert len(places) <= 1, f"replicas are at different places: {world.progress}"
    for target, key in (("/v1/tickers?limit=200", "ticker"), ("/v1/progress?limit=200", "progress")):
        for answer in by_target.get(target, {}).values():
            listed = {item[key]: item for item in json.loads(answer[1])["items"]}
            path = "tickers" if key == "ticker" else key
            for found, answers in by_target.items():
                match = re.fullmatch(rf"/v1/{path}/([\w-]+)", found)
                if not match:
                    continue
                for status, body in answers.values():
                    assert (status == 200) == (match[1] in listed), f"{found} is answered {status}; listed: {set(listed)}"
                    if status == 200:
                        assert json.loads(body)["value"] == listed[match[1]]["value"], f"{found} differs from the list"


def pictures_are_there(world: World):
    for audit in world.audits:
        if audit["target"].endswith("/image.svg"):
            number = world.found(audit["target"].removesuffix("/image.svg"))[0]
            assert audit["status"] == number["status"], f"{audit['target']} is answered {audit['status']}"


def readers_show_the_end(world: World):
    """Every reader is there, and its last frame of a number is what that rests at."""
    texts = {}
    for audit in world.audits:
        match = re.fullmatch(r"/v1/(tickers|progress)/([\w-]+)(\?locale=de-DE)?", audit["target"])
        if match and audit["status"] == 200:
            kind = "ticker" if match[1] == "tickers" else "progress"
            body = json.loads(audit["body"])
            texts[kind, match[2], match[3] or ""] = body["display"]["text"]
    for number, listener in world.listeners.items():
        assert listener.is_open, f"reader {number} is not connected in the end"
        locale = "?locale=de-DE" if "locale=de-DE" in listener.form else ""
        for frame in listener.frames.values():
            if not frame.startswith("{"):
                continue
            data = json.loads(frame)
            kind = "ticker" if "ticker" in data else "progress"
            text = texts.get((kind, data.get(kind), locale))
            if text is not None and "text" in data:
                assert data["text"] == text, f"reader {number} shows {data['text']!r} of {data[kind]}, which is {text!r}"
        if listener.form == "&as=text" and ("ticker", "w0-a", "") in texts:
            shown = listener.frames.get("text")
            assert shown == texts["ticker", "w0-a", ""], f"reader {number} shows {shown!r}, not {texts['ticker', 'w0-a', '']!r}"


def _plain(event, has_own_text: bool) -> tuple:
    """`has_own_text`: whether its reader is sent texts in a language of its own."""
    data = {name: value for name, value in event.data.items() if not (has_own_text and name == "text")}
    return event.number, event.name, event.epoch, json.dumps(data, sort_keys=True)


def _text(request: Request) -> str:
    return f"{request.method} {request.target} {request.body[:200]} ({request.number})"


RULES = [
    answers_are_clear, equal_keys_have_equal_answers, events_have_one_order, readers_hear_the_same, sums_are_exact,
    motions_end_once, actions_run_once, counters_match_notifications,
    motions_of_no_time_finish, notifications_are_told_once,
    ids_have_one_text, webhooks_are_delivered, webhooks_are_one_delivery, schedules_count_their_firings, numbers_rest_where_they_were_sent,
    one_replica_is_the_steward, servers_agree,
    pictures_are_there, readers_show_the_end, *reads.RULES,
]  # fmt: skip
