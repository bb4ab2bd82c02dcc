"""The formulas of docs/motions.md show what the server does: they are taken out of the page, and run on its events."""

import datetime
import http.client
import itertools
import json
import random
import re
import sys
import unittest

from console import ROOT, Console

sys.path.insert(0, str(ROOT / "Tests"))
import tested  # noqa: E402

EASINGS = [
    "linear", "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.3, 1.6, 0.6, -0.4)", "steps(4)",
    "steps(5, jump-both)", "steps(3, jump-none)", "step-start", "linear(0, 0.8 20% 40%, 0.3, 1)",
    *(f"power-{form}({power})" for form in ("in", "out", "in-out") for power in (0.6, 2.8)),
    *(f"{kind}-{form}" for kind in ("back", "elastic", "bounce") for form in ("in", "out", "in-out")),
]
SPRINGS = [
    {"dampingRatio": 0.3, "response": 0.5}, {"dampingRatio": 1, "response": 0.4},
    {"dampingRatio": 2.5, "response": 0.3}, {"dampingRatio": 0.6, "response": 0.5, "initialVelocity": 4},
]
CYCLES = [
    {}, {"direction": "reverse"}, {"rate": -1}, {"rate": -0.5, "direction": "reverse"}, {"autoreverse": True},
    {"repeat": 2.25, "repeatDelay": 0.2}, {"repeat": 1, "direction": "alternate-reverse", "delay": 0.3},
    {"repeat": "forever", "autoreverse": True}, {"delay": 0.2, "endDelay": 0.4}, {"repeat": 0.5, "rate": -2},
    {"clamp": True}, {"clamp": True, "repeat": 0.5, "endDelay": 0.4}, {"clamp": "never-decrease"},
]
KEYFRAMES = [30, {"to": 1659, "offset": 0.6, "easing": "bounce-out"}, {"to": -12.5, "easing": "ease-in"}, 400]


def formulas() -> dict:
    """What the page's lines define."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/motions.md").read_text(), re.MULTILINE | re.DOTALL)
    page: dict = {}
    exec("\n".join(blocks), page)
    return page


class Client:
    def __init__(self, port: str):
        self.port = port
        self.connection = http.client.HTTPConnection("localhost", int(port))

    def post(self, path: str, body: dict | None = None) -> dict:
        self.connection.request("POST", path, json.dumps(body) if body is not None else None)
        return json.loads(self.connection.getresponse().read())

    def get(self, path: str) -> dict:
        self.connection.request("GET", path)
        return json.loads(self.connection.getresponse().read())

    def event(self, path: str) -> dict:
        """The motion as a stream is told of it that begins now."""
        connection = http.client.HTTPConnection("localhost", int(self.port))
        connection.request("GET", f"{path}/events?mode=motion")
        stream = connection.getresponse()
        while line := stream.readline():
            if line.strip() == b"event: motion":
                data = next(line for line in iter(stream.readline, b"") if line.startswith(b"data:"))
                connection.close()
                return json.loads(data[5:])
        raise AssertionError(f"no motion on {path}")


class MotionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = formulas()
        cls.console = cls.enterClassContext(Console(tested.program()))
        cls.client = Client(cls.console.ports["8080"])
        cls.ids = itertools.count()

    def follow(self, kind: str, updates: list[dict]):
        """Sends updates, each but the first in the midst of the one before, and looks at moments of the last."""
        path = f"/v1/{'progress' if kind == 'progress' else 'tickers'}/m{next(self.ids)}"
        for index, update in enumerate(updates):
            if "dampingRatio" in update.get("spring", ""):
                # It sets its own time.
                update = {name: value for name, value in update.items() if name != "duration"}
            if index:
                self.client.post(f"{path}/seek", {"seconds": 0.21})
            answer = self.client.post(path, update)
            self.assertNotIn("status", answer, update)
        self.client.post(f"{path}/pause")
        moments = [0, 0.07, 0.2, 0.31, 0.5, 0.77, 0.999, 1, 1.31, 2.4, 5]
        for seconds in moments:
            self.client.post(f"{path}/seek", {"seconds": seconds})
            event = self.client.event(path)
            self.compare(event, self.page["value"](event["motion"], 0), event["value"], seconds)
            if "fraction" in event:
                maximum = self.page["maximum_at"](event["motion"], seconds)
                fraction = event["value"] / maximum if maximum else 1
                self.assertAlmostEqual(fraction, event["fraction"], delta=1e-9)
        # On its way by the clock, and at its end.
        self.client.post(f"{path}/seek", {"seconds": 0.1})
        self.client.post(f"{path}/rate", {"rate": 1e-6 if answer["motion"].get("rate", 1) > 0 else -1e-6})
        self.client.post(f"{path}/resume")
        event, state = self.client.event(path), self.client.get(path)
        motion = event["motion"]
        start = datetime.datetime.fromisoformat(motion["start"]).timestamp()
        now = start + (state["motion"]["elapsed"] - motion.get("elapsed", 0)) / motion["rate"]
        self.compare(event, self.page["value"](motion, now), state["value"], "its own time", 1e-6)
        if motion.get("iterations") != "forever":
            self.compare(event, self.page["value"](motion, 1e11), self.client.post(f"{path}/finish")["value"], "its end")

    def compare(self, event: dict, computed: float, shown: float, moment: object, share: float = 1e-9):
        reach = max(abs(event["motion"]["to"] - event["motion"]["from"]), abs(shown), 1)
        self.assertAlmostEqual(computed, shown, delta=share * reach, msg=f"at {moment}: {json.dumps(event)}")

    def test_every_easing_there_and_back(self):
        for easing, way in itertools.product(EASINGS, CYCLES[:3]):
            with self.subTest(easing=easing, way=way):
                self.follow("ticker", [{"from": -30, "to": 1629, "duration": 1, "easing": easing, **way}])

    def test_every_cycle_of_each_course(self):
        courses = [{"easing": "elastic-out"}, {"easing": "ease"}, *({"spring": spring} for spring in SPRINGS)]
        for course, way in itertools.product(courses, CYCLES):
            if way.get("clamp") == "never-decrease" and course == courses[0]:
                continue
            with self.subTest(course=course, way=way):
                self.follow("ticker", [{"from": 0, "to": 1659, "duration": 1, **course, **way}])

    def test_clients_compute_keyframes_in_every_direction_as_the_server_does(self):
        for way in CYCLES:
            with self.subTest(way=way):
                self.follow("ticker", [{"from": 7, "to": KEYFRAMES, "duration": 1, "easing": "ease", **way}])

    def test_velocities_that_are_taken_over(self):
        chance = random.Random(7)
        easings = ["linear", "ease-out", "power-in(4)", "power-out(0.5)", "ease-in", "bounce-out", "back-in"]
        courses = [*({"easing": easing} for easing in easings), *({"spring": spring} for spring in SPRINGS)]
        for course, goal in itertools.product(courses, [1000, 130, -400, KEYFRAMES]):
            if goal is KEYFRAMES and "spring" in course:
                continue
            way = chance.choice([way for way in CYCLES if way.get("clamp") != "never-decrease"])
            with self.subTest(course=course, goal=goal, way=way):
                first = {"from": 0, "to": 800, "duration": 1, "easing": "linear"}
                self.follow("ticker", [first, {"to": goal, "duration": 1, **course, **way}])

    def test_progress_within_its_bounds_and_with_a_maximum_on_its_way(self):
        courses = [{"easing": "back-out"}, {"easing": "elastic-in-out"}, *({"spring": spring} for spring in SPRINGS)]
        for course, (maximum, end) in itertools.product(courses, [(1000, 1000), (500, 500), (500, 700), (400, 0)]):
            with self.subTest(course=course, maximum=maximum, end=end):
                first = {"from": 0, "current": 300, "maximum": 1000, "duration": 0}
                update = {"current": end, "maximum": maximum, "duration": 1, **course}
                self.follow("progress", [first, update])


if __name__ == "__main__":
    unittest.main()
