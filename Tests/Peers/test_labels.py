"""Thousands of updates over all fields: no frame's text is ever malformed, and what is at rest shows exactly its value.

    test_labels.py [--seed N] [--updates N]

The seed is printed. How numbers are written is known to written.py, which shares nothing with the server.
"""

import argparse
import http.client
import json
import pathlib
import random
import re
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Browser"))
from server import Server  # noqa: E402
from written import WRITINGS, is_well_formed  # noqa: E402

OPTIONS = argparse.Namespace(seed=random.SystemRandom().randrange(1 << 31), updates=10_000)
LINES = 25
EASINGS = ["linear", "ease-in-out", "easeOut", "power-in(4)", "steps(5)", "cubic-bezier(0.3, -0.6, 0.7, 1.6)"]
SPRINGS = [{"dampingRatio": 0.4, "response": 0.2}, {"duration": 0.3, "bounce": 0.5}, {"stiffness": 200, "damping": 9}]


class Updates:
    """Random updates of one ticker for each way of writing, and what is known of each."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def number(self):
        digits = self.chance.choice([1, 2, 3, 5, 7, 9])
        whole = self.chance.randrange(10**digits) * self.chance.choice([1, 1, -1])
        scale = self.chance.choice([0, 0, 1, 2, 4])
        return f"{whole}.{self.chance.randrange(10**scale):0{scale}}" if scale else str(whole)

    def timing(self):
        fields = {"duration": self.chance.choice([0, 0.01, 0.05, 0.2, 1, 20, "auto"])}
        if self.chance.random() < 0.3:
            fields["easing"] = self.chance.choice(EASINGS)
        elif self.chance.random() < 0.3:
            fields = {"spring": self.chance.choice(SPRINGS)}
        choices = {
            "delay": [0.01, 0.1], "endDelay": [0.01, 0.1], "repeat": [1, 0.5, 2], "autoreverse": [True], "rate": [0.5, 3],
            "direction": ["reverse", "alternate", "alternate-reverse"], "clamp": [True, False], "animated": [False],
            "interrupt": ["retarget", "replace", "queue", "reject"], "milestones": [[0, 10, 1000]],
        }  # fmt: skip
        return fields | {name: self.chance.choice(values) for name, values in choices.items() if self.chance.random() < 0.1}

    def update(self, number):
        """A line of a batch."""
        writing = WRITINGS[number]
        fields = {"ticker": f"w{number}", "label": writing.label} | self.timing()
        if writing.format:
            fields["format"] = writing.format
        fields["by" if self.chance.random() < 0.2 else "to"] = self.number()
        if self.chance.random() < 0.1:
            fields["from"] = self.number()
        fields["decimals"] = self.chance.choice([0, 1, 2, 3])
        return fields

    def line(self):
        number = self.chance.randrange(len(WRITINGS))
        if self.chance.random() < 0.15:
            verb = self.chance.choice(["pause", "resume", "resume", "cancel", "finish"])
            return {"op": verb, "ticker": f"w{number}"}
        return self.update(number)


class Reader(threading.Thread):
    """Reads every frame and holds its text against what its ticker may show."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.patterns = [re.compile(writing.pattern()) for writing in WRITINGS]
        self.frames, self.wrong = 0, []
        connection = http.client.HTTPConnection("localhost", port)
        connection.request("GET", "/v1/events?ticker=w*&ticker=end")
        self.stream = connection.getresponse()

    def run(self):
        for line in self.stream:
            if not line.startswith(b"data: {"):
                continue
            fields = json.loads(line[6:])
            if fields.get("ticker") == "end" and fields.get("finished"):
                return
            name, text = fields.get("ticker", ""), fields.get("text")
            if text is None or not name.startswith("w"):
                continue
            self.frames += 1
            if not self.patterns[int(name[1:])].fullmatch(text) or not is_well_formed(text):
                self.wrong.append((name, text))


class LabelTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)

    def ask(self, lines):
        answers = self.server.request("POST", "/v1/batch", lines)
        return [json.loads(answer) for answer in answers.splitlines()]

    def test_texts_are_well_formed_and_exact_at_rest(self):
        updates, reader = Updates(OPTIONS.seed), Reader(self.server.port)
        for number in range(len(WRITINGS)):
            self.ask([updates.update(number) | {"animated": False}])
        reader.start()
        accepted = 0
        for _ in range(OPTIONS.updates // LINES):
            lines = [updates.line() for _ in range(LINES)]
            for line, answer in zip(lines, self.ask(lines), strict=True):
                self.assertLess(answer["status"], 500, (line, answer))
                accepted += answer["status"] < 300 and "op" not in line
            if updates.chance.random() < 0.05:
                self.check_at_rest(updates)
        self.check_at_rest(updates)
        self.ask([{"ticker": "end", "to": 1, "duration": 0.2}])
        reader.join(60)
        self.assertFalse(reader.is_alive())
        self.assertEqual(reader.wrong[:5], [])
        print(f"{accepted} updates taken, {reader.frames} frames read")
        self.assertGreater(accepted, OPTIONS.updates * 0.6)
        self.assertGreater(reader.frames, OPTIONS.updates / 10)

    def check_at_rest(self, updates):
        """Sends every ticker to a target at once, and holds what it shows against what a person would write."""
        for number, writing in enumerate(WRITINGS):
            name, decimals, target = f"w{number}", updates.chance.choice([0, 1, 2, 3]), updates.number()
            update = {"ticker": name, "to": target, "decimals": decimals, "interrupt": "replace", "duration": 0.01}
            # What waits for its turn would go on to another target: it goes first.
            while self.server.get(f"ticker:{name}")["motion"]["state"] != "idle":
                self.ask([{"op": "cancel", "ticker": name}])
            self.ask([update, {"op": "finish", "ticker": name}])
            state = self.server.get(f"ticker:{name}")
            self.assertEqual(state["text"], writing.text(target, decimals), (writing.label, target, decimals))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=OPTIONS.seed)
    parser.add_argument("--updates", type=int, default=OPTIONS.updates)
    OPTIONS, rest = parser.parse_known_args()
    print(f"random updates of labels, --seed {OPTIONS.seed}", flush=True)
    unittest.main(argv=[sys.argv[0], *rest])
