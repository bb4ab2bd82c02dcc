"""Thousands of updates over all fields: no frame's text is ever malformed, and what is at rest shows exactly its value.

    test_labels.py [--seed N] [--updates N]

The seed is printed. How numbers are written is known to written.py, which shares nothing with the server.
"""

import argparse
import decimal
import http.client
import json
import pathlib
import re
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Browser"))
from server import Server  # noqa: E402
from updates import PROGRESSES, TARGETS, TICKERS, Updates  # noqa: E402
from written import SHARES, WRITINGS, is_well_formed  # noqa: E402

OPTIONS = argparse.Namespace(seed=1, updates=10_000)
LINES = 25


class Reader(threading.Thread):
    """Reads every frame and holds its text against what its ticker or progress may show."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.shapes = dict(zip(TICKERS + PROGRESSES, WRITINGS + SHARES, strict=True))
        self.shapes |= dict(zip(TARGETS, WRITINGS, strict=False))
        self.patterns = {name: re.compile(shape.pattern()) for name, shape in self.shapes.items()}
        self.frames, self.wrong = {"ticker": 0, "progress": 0}, []
        connection = http.client.HTTPConnection("localhost", port)
        connection.request("GET", "/v1/events?ticker=w*&ticker=a*&ticker=end&progress=p*")
        self.stream = connection.getresponse()

    def run(self):
        for line in self.stream:
            if not line.startswith(b"data: {"):
                continue
            fields = json.loads(line[6:])
            if fields.get("ticker") == "end" and fields.get("finished"):
                return
            kind = "ticker" if "ticker" in fields else "progress"
            name, text = fields.get(kind), fields.get("text")
            if text is None or name not in self.patterns:
                continue
            self.frames[kind] += 1
            found = self.patterns[name].fullmatch(text)
            is_wrong = not found or not is_well_formed(text)
            if not is_wrong and kind == "progress":
                is_wrong = not self.tells_one_share(fields, self.shapes[name].number, found["percent"])
            if is_wrong:
                self.wrong.append(fields)

    @staticmethod
    def tells_one_share(fields, number, text):
        """Whether the percentage in a progress' text and the one beside it are the fraction."""
        whole = int(re.search(r"\d+", text.replace(number.group, "").split(number.point)[0])[0])
        percent = fields["percent"]
        return whole == abs(percent) and abs(percent - 100 * fields["fraction"]) < 1 + 1e-9 * abs(percent)


class LabelTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)

    def ask(self, lines):
        answers = self.server.request("POST", "/v1/batch", lines)
        return [json.loads(answer) for answer in answers.splitlines()]

    def test_texts_are_well_formed_and_exact_at_rest(self):
        updates, reader = Updates(OPTIONS.seed), Reader(self.server.port)
        for number in range(len(TICKERS) + len(PROGRESSES)):
            # Some fields don't go together, and a motion to begin with may be one that isn't there yet.
            while not self.take(updates, [updates.update(number) | {"animated": False}]):
                pass
        reader.start()
        accepted = 0
        for _ in range(OPTIONS.updates // LINES):
            accepted += self.take(updates, [updates.line() for _ in range(LINES)])
            if updates.chance.random() < 0.05:
                self.check_at_rest(updates)
        self.check_at_rest(updates)
        self.ask([{"ticker": "end", "to": 1, "duration": 0.2}])
        reader.join(60)
        self.assertFalse(reader.is_alive())
        self.assertEqual(reader.wrong[:5], [])
        print(f"{accepted} updates taken, {reader.frames} frames read")
        self.assertGreater(accepted, OPTIONS.updates * 0.6)
        self.assertGreater(reader.frames["ticker"], OPTIONS.updates / 10)
        self.assertGreater(reader.frames["progress"], OPTIONS.updates / 100)

    def take(self, updates, lines):
        """Sends lines, holds what is late against their numbers, and gives how many updates were taken."""
        taken = 0
        for line, answer in zip(lines, self.ask(lines), strict=True):
            self.assertLess(answer["status"], 500, (line, answer))
            if answer["status"] < 300 and "op" not in line:
                taken += 1
                self.assertEqual(answer.get("late", False), updates.expects_late(line), (line, answer))
        return taken

    def check_at_rest(self, updates):
        """Sends all to targets at once, and holds what they show against what a person would write."""
        for number in range(len(TICKERS)):
            self.check_ticker(updates, TICKERS[number], WRITINGS[number])
        for number in range(len(PROGRESSES)):
            self.check_progress(updates, PROGRESSES[number], SHARES[number])

    def check_ticker(self, updates, name, writing):
        decimals, target = updates.chance.choice([0, 1, 2, 3]), updates.number()
        face = {"decimals": decimals}
        way = updates.chance.choice([target, [updates.number(), target]])
        self.assertEqual(self.rest("ticker", name, face | {"to": way})["text"], writing.text(target, decimals))
        # From there by some amount, or only up or only down.
        way, amount = updates.chance.choice(["by", "max", "min"]), updates.number()
        context = (name, target, way, amount, decimals)
        ends = [decimal.Decimal(target), decimal.Decimal(amount)]
        target = f"{ {'by': sum, 'max': max, 'min': min}[way](ends):f}"
        text = writing.text(target, decimals)
        self.assertEqual(self.rest("ticker", name, face | {way: amount})["text"], text, context)
        if name in updates.sequences:
            late = face | {"to": updates.number(), "sequence": updates.sequences[name]}
            self.assertEqual(self.rest("ticker", name, late)["text"], text, (context, late))
        if writing.reader:
            state = self.server.request("GET", f"/v1/tickers/{name}?locale={writing.reader[0]}")
            self.assertEqual(state["text"], writing.read_in_its_locale().text(target, decimals), context)

    def check_progress(self, updates, name, share):
        decimals, current, maximum = updates.chance.choice([0, 1, 2, 3]), updates.number(), updates.maximum()
        if updates.chance.random() < 0.5:
            current = str(updates.chance.randrange(int(decimal.Decimal(maximum)) + 1))
        state = self.rest("progress", name, {"current": current, "maximum": maximum, "decimals": decimals})
        self.assertEqual(state["text"], share.text(current, maximum, decimals), (name, current, maximum, decimals))

    def rest(self, kind, name, update):
        """Sends an update, has it end, and gives what is there then."""
        # What waits for its turn would go on to another target: it goes first.
        while self.server.get(f"{kind}:{name}")["motion"]["state"] != "idle":
            self.ask([{"op": "cancel", kind: name}])
        self.ask([update | {kind: name, "interrupt": "replace", "duration": 0.01}, {"op": "finish", kind: name}])
        return self.server.get(f"{kind}:{name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=OPTIONS.seed)
    parser.add_argument("--updates", type=int, default=OPTIONS.updates)
    OPTIONS, rest = parser.parse_known_args()
    print(f"random updates of labels, --seed {OPTIONS.seed}", flush=True)
    unittest.main(argv=[sys.argv[0], *rest])
