"""What must hold of reads and of conditions: all ways to ask for a number say the same of it."""

import bisect
import collections
import fractions
import json
import math
import re
import unicodedata

from world import Request, World

# A revision that no number has.
NEVER = '"999999"'
KINDS = {"tickers": "ticker", "progress": "progress"}
NUMBER = re.compile(r"/v1/(tickers|progress)/[\w-]+")


def conditions_decide(world: World):
    """A change is made at the revision that it asks for, and counts one further; a refusal says of another."""
    for request in world.requests.values():
        for answer in request.known if request.condition else []:
            asked = int(request.condition.strip('"'))
            if answer["status"] == 412:
                detail = json.loads(answer["body"])["detail"]
                assert f"is at revision {asked};" not in detail, f"{request}: {detail}"
            elif answer["status"] < 300:
                assert request.condition != NEVER, f"{request} was accepted"
                shown = int(answer["etag"].strip('"'))
                # What waits may begin at once. A replica that still works with a replaced server may know of others that wait.
                is_next = shown == asked + 1 if request.is_certain and world.lasts(request) else shown > asked
                assert is_next, f"{request} asked for revision {asked}, and made {shown}"


def one_change_follows_a_revision(world: World):
    """Of two changes that ask for one revision of one number one is made at most."""
    followers: dict[tuple, Request] = {}
    # Each attempt of a removal: one that found nothing removes what has come since when it is sent again.
    removals: dict[str, list[int]] = collections.defaultdict(list)
    for request in world.requests.values():
        if request.method == "DELETE":
            removals[request.path] += [sent[0] for sent in request.sent]
    for number in sorted(world.requests):
        request = world.requests[number]
        # One that was refused first may have been carried out much later, when it came again.
        if not request.condition or not request.known or any(answer["status"] >= 300 for answer in request.known):
            continue
        if not world.lasts(request):
            continue
        before = sum(sent < request.asked for sent in removals[request.path])
        place = (request.path, before, request.condition)
        assert place not in followers, f"{followers[place]} and {request} were both made at {request.condition}"
        followers[place] = request


def true_conditions_hold(world: World):
    """Who changes a number alone, and names the revision that its last change has made, is not refused."""
    for request in world.requests.values():
        if request.is_certain and request.known and world.lasts(request):
            status = request.known[0]["status"]
            assert status != 412, f"{request} named the present revision {request.condition}, and was refused"


def moments_and_frames_are_known(world: World):
    """A list of frames leads to the target, and a motion begins where it says."""
    for request in world.requests.values():
        if request.method != "GET" or request.status != 200:
            continue
        if request.path.endswith("/frames"):
            _check_frames(request, json.loads(request.known[0]["body"]), world)
        elif request.target.endswith("?at=0"):
            body = json.loads(request.known[0]["body"])
            begun = body["motion"].get("from")
            assert begun in (None, body["value"]), f"{request} is {body['value']}, and began at {begun}"


def _check_frames(request: Request, body: dict, world: World):
    times = [frame["time"] for frame in body["frames"]]
    assert times[0] == 0 and times == sorted(set(times)), f"{request} has the times {times[:5]}"
    last = body["frames"][-1]
    # A paused motion is known until now, and stays where it is.
    is_paused = len({frame["value"] for frame in body["frames"]}) == 1
    if last["source"] != "motion" or "?to=" in request.target or is_paused:
        return
    number = request.path.split("/")[3]
    sent = {
        fractions.Fraction(str(line.get("to", line.get("current", 0))))
        for other in world.requests.values()
        if other.method == "POST" and other.writer == request.writer
        for line in other.lines
        if other.path == request.path.removesuffix("/frames") or line.get("ticker") == number
    }
    assert fractions.Fraction(str(last["value"])) in sent, f"{request} ends with {last}, where nothing was sent"


def pages_make_the_list(world: World):
    """A walk through small pages finds each item once, in order."""
    walks = collections.defaultdict(list)
    for page in world.pages:
        assert page["status"] == 200, f"{page['target']} is answered {page['status']} by {page['server']}"
        walks[page["server"], page["target"].split("?")[0]].append(json.loads(page["body"]))
    for (server, path), pages in walks.items():
        kind = KINDS[path.split("/")[2]]
        walked = [item[kind] for page in pages for item in page["items"]]
        values = {item[kind]: item["value"] for page in pages for item in page["items"]}
        for audit in world.found(f"{path}?limit=200"):
            if audit["server"] == server:
                whole = json.loads(audit["body"])["items"]
                assert walked == [item[kind] for item in whole], f"pages of {path} at {server} have {walked}"
                assert values == {item[kind]: item["value"] for item in whole}, f"pages of {path} at {server} have {values}"
    for request in world.requests.values():
        match = re.fullmatch(r"/v1/(tickers|progress)\?limit=(\d)&after=([\w-]+)", request.target)
        if not match or request.status != 200:
            continue
        page = json.loads(request.known[0]["body"])
        ids = [item[KINDS[match[1]]] for item in page["items"]]
        assert len(ids) <= int(match[2]) and ids == sorted(set(ids)), f"{request.target} has {ids}"
        assert not ids or ids[0] > match[3], f"{request.target} has {ids}"
        assert page.get("next", ids and ids[-1]) == (ids and ids[-1]), f"{request.target} goes on behind {page['next']}"


def bodies_that_break_off_have_no_end(world: World):
    """Who was sent a part of a list can't take it for the whole."""
    for cut in world.cuts:
        try:
            json.loads(cut["body"])
        except ValueError:
            continue
        raise AssertionError(f"{world.requests[cut['n']]} broke off, and was sent a whole body: {cut['body'][-200:]}")


def lists_have_what_lasts(world: World):
    """A list, in however many portions, has each number once that was there all the time, in order, and none that was not.

    All the time is from what its reader must see until the answer has come. A store shows what was acknowledged before the
    request. A replica shows what was acknowledged before its reader sent the last change that this replica has answered.
    """
    lives, changed = _lives(world), _own_changes(world)
    for request in world.requests.values():
        match = re.fullmatch(r"/v1/(tickers|progress)\?limit=50", request.target)
        if not match or request.status != 200 or request.bearer != "own":
            continue
        body = json.loads(request.known[0]["body"])
        listed = [item[KINDS[match[1]]] for item in body["items"]]
        assert listed == sorted(set(listed)) and "next" not in body, f"{request} has {listed}"
        (since, server), until = request.sent[0][:2], request.known[0]["at"]
        if world.kind != "store":
            since = changed[request.writer, server].before(since)
        for path, life in lives.items():
            kind, name = path.split("/")[2:]
            if kind != match[1] or world.has_tokens and not name.startswith(f"w{request.writer}-"):
                continue
            if life.before(until) > since:
                # Nobody knows at which instant it came or went.
                continue
            is_there = life.is_made(until)
            assert is_there == (name in listed), f"{request} of {until} has {listed}; {path} was {is_there} since {since}"


class Course:
    """Instants, each with another one, and the latest of these so far."""

    def __init__(self):
        self.instants: list[int] = []
        self.latest: list[float] = []
        # Whether a number was made, or else removed.
        self.makes: list[bool] = []

    def add(self, instant: int, other: float, makes: bool = False):
        self.instants.append(instant)
        self.latest.append(max(other, self.latest[-1] if self.latest else -1))
        self.makes.append(makes)

    def before(self, instant: int) -> float:
        place = bisect.bisect_left(self.instants, instant)
        return self.latest[place - 1] if place else -1

    def is_made(self, instant: int) -> bool:
        place = bisect.bisect_left(self.instants, instant)
        return place > 0 and self.makes[place - 1]


def _lives(world: World) -> dict[str, Course]:
    """By path, what made and removed the numbers that writers own: when it was asked for, and when it was certainly done."""
    lives: dict[str, Course] = collections.defaultdict(Course)
    for request in sorted(world.requests.values(), key=lambda request: request.asked):
        is_verb = request.method == "POST" and request.path != "/v1/batch" and not NUMBER.fullmatch(request.path)
        if request.method == "GET" or is_verb:
            continue
        is_known = bool(request.known) and world.lasts(request) and len({answer["status"] < 300 for answer in request.known}) == 1
        if is_known and not request.is_accepted:
            continue
        paths = request.tracks
        if is_known and request.path == "/v1/batch":
            made = zip(request.lines, request.results, strict=True)
            paths = [f"/v1/tickers/{line['ticker']}" for line, result in made if "to" in line and result["status"] < 300]
        for path in paths:
            if NUMBER.fullmatch(path) and re.match(r"w\d-", path.split("/")[3]):
                done = request.known[0]["at"] if is_known else math.inf
                lives[path].add(request.asked, done, request.method != "DELETE")
    return lives


def _own_changes(world: World) -> dict[tuple[int, str], Course]:
    """By writer and server, when a change was answered, and when that was sent."""
    answers = sorted(
        (answer["at"], answer["sent"], request.writer, answer["server"])
        for request in world.requests.values()
        if request.method != "GET" and world.lasts(request)
        for answer in request.answers
        if answer["status"] < 300
    )
    changes: dict[tuple[int, str], Course] = collections.defaultdict(Course)
    for at, sent, writer, server in answers:
        changes[writer, server].add(at, sent)
    return changes


def numbers_rest_in_their_frames(world: World):
    """The one frame of a number at rest, and what it showed a moment ago, are what a GET shows."""
    for look in world.rested:
        path = NUMBER.match(look["target"])[0]
        audit = next(audit for audit in world.found(path) if audit["server"] == look["server"])
        assert look["status"] == audit["status"], f"{look['target']} is answered {look['status']} by {look['server']}"
        if look["status"] != 200:
            continue
        number, shown = json.loads(audit["body"]), json.loads(look["body"])
        assert len(shown.get("frames", [0])) == 1, f"{look['target']} has {len(shown['frames'])} frames of a number at rest"
        frame = shown.get("frames", [shown])[0]
        assert frame["source"] == "rest", f"{look['target']} is known by {frame['source']}"
        for member in ("value", "text"):
            assert frame[member] == number[member], f"{look['target']} shows {frame[member]}, and {path} {number[member]}"


def motions_are_known_ahead(world: World):
    """A motion's list of frames is the same at every server, ends with the target, and has what it shows at each instant."""
    for start in world.starts:
        assert start["status"] == 202, f"{start['target']} is answered {start['status']}: {start['body']}"
        goal = json.loads(start["body"])
        goal = goal.get("target", goal.get("current"))
        path = start["target"]
        looks = [look for look in world.moving if NUMBER.match(look["target"])[0] == path]
        assert looks, f"nobody looked where {path} is"
        for look in looks:
            assert look["status"] == 200, f"{look['target']} is answered {look['status']} by {look['server']}: {look['body']}"
        lists = {look["server"]: look["body"] for look in looks if "/frames" in look["target"]}
        assert len(set(lists.values())) == 1, f"frames of {path} differ: {lists}"
        frames = {frame["time"]: frame for frame in json.loads(next(iter(lists.values())))["frames"]}
        last = list(frames.values())[-1]
        assert last["value"] == goal, f"the last frame of {path} is {last}, not {goal}"
        for look in looks:
            instant = look["target"].partition("?at=")[2]
            if instant:
                shown, frame = json.loads(look["body"]), frames[float(instant)]
                for member in ("value", "text"):
                    assert shown[member] == frame[member], f"{look['target']} is {shown[member]}; listed: {frame[member]}"


def terminals_show_the_end(world: World):
    """What a terminal makes of its stream's bytes: a line for each number, with the text that it has in the end."""
    texts = {
        item[kind]: item["text"]
        for path, kind in KINDS.items()
        for audit in world.found(f"/v1/{path}?limit=200")
        for item in json.loads(audit["body"])["items"]
    }
    for number, listener in world.listeners.items():
        if "as=terminal" not in listener.form:
            continue
        assert not listener.misplaced, f"reader {number} was sent {listener.misplaced}"
        lines = _visible(listener.screen, but="\n").split("\n")
        is_partial = any(re.fullmatch(r"… and \d+ more", line) for line in lines)
        # Notifications, which may have the names of numbers, stand above all numbers.
        rows = {words[0]: line for line in lines if (words := line.split())}
        for name, text in texts.items():
            row = rows.get(name)
            if is_partial and (row is None or "{" in row or row.split() == [name]):
                continue
            assert row is not None, f"reader {number} shows nothing of {name}"
            assert row.endswith("  " + _visible(text)) or row.endswith("▏ " + _visible(text)), (
                f"reader {number} shows {row!r} of {name}, which is {text!r}"
            )
        # What a loss takes back it doesn't remove.
        for name, row in rows.items() if not (world.took_back or listener.resets) else ():
            if re.fullmatch(r"w\d-[abp]", name) and name not in texts:
                assert row.split() == [name, "removed"], f"reader {number} shows {row!r} of {name}, which is gone"


def _visible(text: str, but: str = "") -> str:
    """Without marks of direction, which take no place."""
    return "".join(letter for letter in text if letter in but or unicodedata.category(letter) not in ("Cf", "Cc"))


RULES = [
    conditions_decide, one_change_follows_a_revision, true_conditions_hold, moments_and_frames_are_known, pages_make_the_list,
    bodies_that_break_off_have_no_end, lists_have_what_lasts,
    numbers_rest_in_their_frames, motions_are_known_ahead, terminals_show_the_end,
]  # fmt: skip
