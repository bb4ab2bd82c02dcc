"""What must hold in every world, whatever befell it: of requests, and of all servers in the end."""

import collections
import fractions
import json
import re

import heard
import reads
import rights
from world import Request, World

# What keeps its place on the way of an event.
PROBLEM = {"status", "title", "detail"}
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
            assert status in UNAVAILABLE or status < 500, f"{request}: {status} {answer['body']}"
            if status >= 400 and request.method != "GET":
                problem = json.loads(answer["body"])
                assert problem.keys() >= PROBLEM and problem["status"] == status, f"{request}: {answer['body']}"


def equal_keys_have_equal_answers(world: World):
    for request in world.requests.values():
        known = request.known
        if not request.key or not request.is_accepted or not world.lasts(request):
            continue
        assert sum(not answer["replayed"] for answer in known) <= 1, f"{request} was carried out twice"
        texts = {(answer["status"], answer["body"]) for answer in known}
        assert len(texts) == 1, f"{request} has different answers: {texts}"


def sums_are_exact(world: World):
    """What was added is there: all that was acknowledged since the last loss, once, and nothing that was refused."""
    acknowledged = unknown = 0
    for request in world.requests.values():
        if request.method != "POST" or request.is_refused:
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
    # A key whose request was refused, or whose answer a log has lost, may be carried out when it comes again, whenever that is.
    unclear: set[str] = set()
    for request in world.requests.values():
        is_new = not world.lasts(request) and request.sent[-1][0] > world.lost_at
        if is_new or len({answer["status"] < 300 for answer in request.known}) > 1:
            unclear.update(request.tracks)
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
        if not match or request.method == "GET" or request.is_refused:
            continue
        path, verb = match[1], match[2]
        if path in unclear:
            continue
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
    return targets | dict.fromkeys(unclear)


def _target(request: Request, to: fractions.Fraction, before) -> fractions.Fraction | str | None:
    """Where the number rests after an accepted update: there, or where what waits behind it goes."""
    answer = json.loads(request.known[0]["body"])
    if request.json.get("interrupt") == "queue":
        return to
    if answer.get("waiting"):
        return before
    shown = fractions.Fraction(str(answer.get("target", answer.get("current"))))
    assert shown == to or before in (shown, None), f"{request} goes to {shown}"
    return shown


def _own_lines(request: Request) -> list[tuple[str, fractions.Fraction | None]]:
    """The numbers that a batch moves, and where to."""
    found = []
    for place, line in enumerate(request.lines):
        if "to" not in line or request.is_refused:
            continue
        if request.status is None:
            found.append((line["ticker"], None))
        elif request.is_accepted and request.results[place]["status"] < 300:
            found.append((line["ticker"], fractions.Fraction(line["to"])))
    return found


def one_replica_is_the_steward(world: World):
    """It calls webhooks and writes snapshots."""
    stewards = [audit["server"] for audit in world.found("/metrics") if audit["body"] == "tweencast_steward 1"]
    assert world.kind == "store" or len(stewards) == 1, f"stewards in the end: {stewards}"


def entries_that_cannot_be_read_are_told(world: World):
    """A replica that meets such an entry is not ready and says why, and still shows what it has."""
    for look in world.halted:
        if look["status"] == 0:
            continue
        if look["target"] != "/readyz":
            assert look["status"] == 200, f"{look['target']} is answered {look['status']} by {look['server']}: {look['body']}"
            continue
        says_why = "has an unreadable entry" in look["body"] or "continues in format" in look["body"]
        assert look["status"] == 503 and says_why, f"{look['server']} can't read an entry, and says {look['body']}"


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


RULES = [
    answers_are_clear, equal_keys_have_equal_answers, sums_are_exact, numbers_rest_where_they_were_sent,
    one_replica_is_the_steward, entries_that_cannot_be_read_are_told, servers_agree, pictures_are_there,
    readers_show_the_end, *heard.RULES, *reads.RULES, *rights.RULES,
]  # fmt: skip
