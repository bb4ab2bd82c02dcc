"""What must hold of reads and of conditions: all ways to ask for a number say the same of it."""

import bisect
import collections
import fractions
import json
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
    for number in sorted(world.requests):
        request = world.requests[number]
        # One that was refused first may have been carried out much later, when it came again.
        if not request.condition or not request.known or any(answer["status"] >= 300 for answer in request.known):
            continue
        if not world.lasts(request):
            continue
        # One that is made again begins with the first revision.
        place = (request.path, bisect.bisect(world.removals[request.path], request.asked), request.condition)
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
    numbers_rest_in_their_frames, motions_are_known_ahead, terminals_show_the_end,
]  # fmt: skip
