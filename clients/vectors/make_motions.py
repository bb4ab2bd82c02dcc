"""Writes motions.json: motions of a server, and the values that it shows at moments of them.

TWEENCAST=.build/release/tweencast python3 clients/vectors/make_motions.py
"""

import http.client
import itertools
import json
import pathlib
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402

EASINGS = [
    "linear", "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.3, 1.6, 0.6, -0.4)", "steps(4)",
    "steps(5, jump-both)", "steps(3, jump-none)", "step-start", "step-end", "linear(0, 0.8 20% 40%, 0.3, 1)",
    *(f"power-{form}({power})" for form in ("in", "out", "in-out") for power in (0.6, 2.8)),
    *(f"{kind}-{form}" for kind in ("back", "elastic", "bounce") for form in ("in", "out", "in-out")),
]
SPRINGS = {
    "a spring that swings": {"dampingRatio": 0.3, "response": 0.5},
    "a spring with critical damping": {"dampingRatio": 1, "response": 0.4},
    "a slow spring": {"dampingRatio": 2.5, "response": 0.3},
    "a spring with a velocity": {"dampingRatio": 0.6, "response": 0.5, "initialVelocity": 4},
}
CYCLES = {
    "in reverse": {"direction": "reverse"},
    "backwards": {"rate": -1},
    "backwards and in reverse, at half the rate": {"rate": -0.5, "direction": "reverse"},
    "there and back": {"autoreverse": True},
    "two and a quarter more, with pauses": {"repeat": 2.25, "repeatDelay": 0.2},
    "alternating from the end, after a delay": {"repeat": 1, "direction": "alternate-reverse", "delay": 0.3},
    "there and back forever": {"repeat": "forever", "autoreverse": True},
    "with delays": {"delay": 0.2, "endDelay": 0.4},
    "half a cycle more, backwards and fast": {"repeat": 0.5, "rate": -2},
    "within its ends": {"clamp": True},
    "within its ends, half a cycle more": {"clamp": True, "repeat": 0.5, "endDelay": 0.4},
    "never decreasing": {"clamp": "never-decrease"},
}
KEYFRAMES = [30, {"to": 1659, "offset": 0.6, "easing": "bounce-out"}, {"to": -12.5, "easing": "ease-in"}, 400]
# Off the edges of steps, cycles and delays, where the last bit of a time decides.
MOMENTS = (0.003, 0.07, 0.21, 0.31, 0.52, 0.77, 0.93, 1.31, 2.47)


def updates() -> Iterator[tuple[str, str, list[dict]]]:
    """Names, kinds and updates of motions; each update but the first is posted in the midst of the one before."""
    base = {"from": -30, "to": 1629, "duration": 1}
    for easing in EASINGS:
        yield easing, "tickers", [{**base, "easing": easing}]
    courses = {"ease": {"easing": "ease"}, **{name: {"spring": spring} for name, spring in SPRINGS.items()}}
    for (name, course), (way, fields) in itertools.product(courses.items(), CYCLES.items()):
        if "spring" in course or "clamp" not in fields:
            yield f"{name}, {way}", "tickers", [{**base, **course, **fields}]
    over = {"from": 0, "to": 76, "duration": 0.4, "easing": "back", "repeat": 0.5, "clamp": True, "endDelay": 1}
    yield "within its ends, over in the midst of an overshoot", "tickers", [over]
    for name, course in courses.items():
        yield name, "tickers", [{**base, **course}]
    for way, fields in {"once": {}, **CYCLES}.items():
        yield f"keyframes, {way}", "tickers", [{**base, "to": KEYFRAMES, "easing": "ease", **fields}]
    first = {"from": 0, "to": 800, "duration": 1, "easing": "linear"}
    starts = ["linear", "ease-out", "power-in(4)", "power-out(0.5)", "ease-in", "bounce-out", "back-in"]
    for easing, goal in itertools.product(starts, (1000, 130, -400)):
        name = f"{easing} to {goal}, out of another motion"
        yield name, "tickers", [first, {"to": goal, "duration": 1, "easing": easing}]
    for name, spring in SPRINGS.items():
        yield f"{name}, out of another motion", "tickers", [first, {"to": -400, "spring": spring}]
    full = {"current": 80, "maximum": 100, "duration": 1, "easing": "ease"}
    yield "a progress", "progress", [full]
    for goal, maximum in ((150, 200), (60, 50), (300, 300)):
        name = f"a progress to {goal} of {maximum}, out of 80 of 100"
        yield name, "progress", [full, {"current": goal, "maximum": maximum, "duration": 1, "easing": "elastic-out"}]


class Client:
    """Requests to a server."""

    def __init__(self, port: int):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def request(self, method: str, path: str, body: dict | None = None) -> dict:
        self.connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = json.loads(self.connection.getresponse().read())
        if "status" in answer:
            raise RuntimeError(f"{path}: {answer} to {body}")
        return answer

    def motion(self, path: str) -> dict:
        """The motion as a stream has it that begins now."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", f"{path}/events?mode=motion&as=ndjson")
        stream = connection.getresponse()
        while line := stream.readline():
            event = json.loads(line)
            if event["event"] == "motion":
                connection.close()
                return event["data"]
        raise RuntimeError(f"no motion on {path}")


def vector(client: Client, name: str, path: str, posts: list[dict]) -> dict:
    """A motion, and the values of the server where its own time is held."""
    for index, post in enumerate(posts):
        # A spring sets its own time.
        fields = {key: value for key, value in post.items() if key != "duration" or "spring" not in post}
        if index:
            client.request("POST", f"{path}/seek", {"seconds": 0.21})
        client.request("POST", path, fields)
    event = client.motion(path)
    motion = event["motion"]
    elapsed, rate = motion.get("elapsed", 0), motion.get("rate", 1)
    is_endless, end = motion.get("iterations") == "forever", length(motion)
    client.request("POST", f"{path}/pause")
    at, values = [], []
    for own in MOMENTS:
        if own >= end:
            break
        client.request("POST", f"{path}/seek", {"seconds": own})
        at.append((own - elapsed) / rate)
        values.append(client.request("GET", path)["value"])
    if not is_endless:
        client.request("POST", f"{path}/resume")
        at.append(1000)
        values.append(client.request("POST", f"{path}/finish")["value"])
    return {"name": name, "why": "a server's own values, where its own time is held", "event": event,
            "at": at, "values": values}


def paused(client: Client) -> dict:
    """A motion that stands still: its value is the event's."""
    path = "/v1/tickers/paused"
    client.request("POST", path, {"from": -30, "to": 1629, "duration": 60, "easing": "ease"})
    client.request("POST", f"{path}/pause")
    client.request("POST", f"{path}/seek", {"seconds": 21})
    event = client.motion(path)
    return {"name": "a motion that is paused", "why": "its value is that of the server's own event", "event": event,
            "at": [0, 1000], "values": [event["value"]] * 2}


def length(motion: dict) -> float:
    """The own time before which the motion isn't over."""
    cycles = motion.get("iterations", 1)
    if cycles == "forever":
        return float("inf")
    # Without the delay at its end: a motion may be over when it rests.
    return motion.get("delay", 0) + motion["duration"] * cycles


def main():
    server = Server()
    client = Client(server.port)
    vectors = []
    for index, (name, kind, posts) in enumerate(updates()):
        vectors.append(vector(client, name, f"/v1/{kind}/m{index}", posts))
    vectors.append(paused(client))
    server.close()
    lines = [json.dumps(one, ensure_ascii=False) for one in vectors]
    pathlib.Path(__file__).with_name("motions.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
