"""Fuzzed values in every field that a client controls, read back by a parser written from the WHATWG text.

    fields.py [--binary PATH] [--seed N] [--values N]

Streams in every form listen to all there is. What must hold of each: no field that nobody wrote; numbers of events
without a gap; each notification and completion once, with the very text and data that were posted; frames with texts of
theirs alone. What is refused says so in JSON, and is heard by nobody.
"""

import argparse
import http.client
import json
import random
import re
import sys
import threading
import time
import urllib.parse

from program import HOST, Connection, Program
import tested
from replay import add_seed, replay
from scenario import until

FORMS = {
    "json": "", "text": "as=text", "display": "display", "parts": "display=parts", "wheels": "wheels=odometer",
    "strip": "wheels=strip&display", "motion": "mode=motion", "stamp": "stamp", "stamped text": "as=text&stamp",
    "locale": "locale=de-DE&display=parts&wheels=up", "slow": "fps=5",
}  # fmt: skip
ALL = "ticker=*&progress=*&schedule=*&notification=*"
LINES = 400
BARRIER = "barrier"
# The text of a schedule that is due at once.
COUNTDOWN = "0:00"
PATIENCE = 60
PIECES = [
    "\n", "\r", "\r\n", "\n\n", "\r\r", "\n\r", "data: ", "data:", "id: 1-1", "id:", "event: bye", "event: complete",
    "retry: 1", ": ", ":", " ", "\t", "\0", "\ufeff", "\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1b[2J", "\x7f",
    "\\", '"', "\\n", "\\u000a", "{", "}", "[", ",", "<b>", "&", "é", "e\u0301", "\U0001f600", "\u202e", "\ud7ff",
    "\ue000", "\uffff", "\U0010ffff", "null", "x" * 40, "data: {}\n\n", "\n\nid: 9-9\nevent: forged\ndata: {}\n\n",
]  # fmt: skip
IDS = "ABCXYZabcxyz0189._~:-"
EVENTS = {
    "hello", "message", "complete", "notification", "scheduled", "fired", "removed", "motion", "heartbeat", "skipped",
    "rate", "milestone",
}  # fmt: skip


def without_controls(text):
    """As a text alone is sent: without what would control a terminal, and with a blank for other breaks than CR and LF."""
    text = re.sub("[\v\f\x85\u2028\u2029]", " ", text)
    return re.sub("[\0-\x08\x0e-\x1f\x7f-\x9f\u202d\u202e]", "", text)


class Parser:
    """Section 9.2.6 of the HTML standard, over bytes as they come; it also keeps what the standard would ignore."""

    def __init__(self):
        self.rest, self.type, self.data, self.last_id = b"", b"", [], ""
        self.strangers = []

    def feed(self, piece):
        """The events that end with these bytes, as (type, data, last event id)."""
        # A carriage return may be half of a line's end.
        text = self.rest + piece
        held = b"\r" if text.endswith(b"\r") else b""
        *lines, self.rest = re.split(b"\r\n|\n|\r", text[: len(text) - len(held)])
        self.rest += held
        for line in lines:
            if line:
                self.field(line)
            else:
                if self.data:
                    yield self.type.decode() or "message", b"\n".join(self.data).decode(), self.last_id
                self.type, self.data = b"", []

    def field(self, line):
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self.data.append(value)
        elif name == b"event":
            self.type = value
        elif name == b"id" and b"\0" not in value:
            self.last_id = value.decode()
        elif not (name == b"retry" and value.isdigit()):
            self.strangers.append(line)


def normalized(text):
    return re.sub("\r\n|\r", "\n", text)


class Expected:
    """What was posted and is to be heard; `texts` are those of the present lines and of the ones before."""

    def __init__(self):
        self.notifications, self.completions, self.texts, self.before = {}, {}, set(), set()

    def begin(self):
        self.notifications, self.completions = {}, {}
        self.before, self.texts = self.texts, set()


class Reader(threading.Thread):
    """One stream, read to its end; what is wrong with it stands in `failures`."""

    def __init__(self, port, form, query, expected, failures):
        super().__init__(daemon=True)
        self.form, self.expected, self.failures = form, expected, failures
        self.program_port, self.query = port, query
        self.number, self.epoch, self.frames, self.events = 0, None, 0, 0
        self.notified, self.completed = set(), set()
        self.ready, self.reached = threading.Event(), threading.Event()
        self.is_text = "as=text" in query

    def run(self):
        try:
            self.read()
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}")
        self.ready.set()
        self.reached.set()

    def fail(self, what):
        self.failures.append(f"{self.form}: {what}"[:600])

    def read(self):
        stream = http.client.HTTPConnection(HOST, self.program_port, timeout=PATIENCE)
        stream.request("GET", f"/v1/events?{ALL}&{self.query}")
        answer = stream.getresponse()
        parser = Parser()
        while piece := answer.read1(1 << 16):
            for event in parser.feed(piece):
                self.hear(*event)
            if parser.strangers:
                raise ValueError(f"a field that nobody wrote: {parser.strangers[0][:200]!r}")
        raise ValueError("the stream has ended")

    def hear(self, kind, data, last_id):
        if kind not in EVENTS:
            raise ValueError(f"there is no event {kind!r}: {data[:200]!r}")
        if kind == "hello":
            self.epoch = json.loads(data)["epoch"]
            return self.ready.set()
        if kind == "message":
            return self.frame(data)
        if kind in ("motion", "heartbeat", "rate"):
            return json.loads(data)
        self.events += 1
        self.number += 1
        if last_id != f"{self.epoch}-{self.number}":
            raise ValueError(f"{last_id} comes in place of {self.epoch}-{self.number}")
        event = json.loads(data)
        if kind == "notification":
            self.notification(event)
        elif kind == "complete":
            self.completion(event)

    def frame(self, data):
        self.frames += 1
        text = data if self.is_text else json.loads(data).get("text")
        known = (self.expected.texts, self.expected.before)
        if self.is_text:
            known = ({normalized(without_controls(one)) for one in texts} for texts in known)
        if text is not None and text != COUNTDOWN and not any(text in texts for texts in known):
            raise ValueError(f"a frame says what nobody posted: {text[:200]!r}")

    def notification(self, event):
        serial = event["data"].get("serial") if isinstance(event.get("data"), dict) else None
        if serial == BARRIER:
            return self.reached.set()
        if self.expected.notifications.get(serial) != event["data"] or serial in self.notified:
            raise ValueError(f"a notification that nobody sent: {event!r}")
        self.notified.add(serial)

    def completion(self, event):
        name = event.get("ticker") or event.get("progress")
        if self.expected.completions.get(name) != event["text"] or name in self.completed:
            raise ValueError(f"{event['text']!r} in place of {self.expected.completions.get(name)!r}")
        self.completed.add(name)


class Fields:
    """Posts values and waits until every stream has told them."""

    def __init__(self, program, seed):
        self.program, self.random = program, random.Random(seed)
        self.connection = Connection(program.port, PATIENCE)
        self.expected, self.failures = Expected(), []
        self.serial = self.values = self.accepted = self.refused = 0
        self.readers = [
            Reader(program.port, form, query, self.expected, self.failures) for form, query in FORMS.items()
        ]
        for reader in self.readers:
            reader.start()
            reader.ready.wait(PATIENCE)

    # What is posted.

    def value(self):
        self.values += 1
        text = "".join(self.random.choices(PIECES, k=self.random.randint(0, 6)))
        return text if self.random.random() < 0.9 else "".join(map(self.character, range(self.random.randint(0, 12))))

    def character(self, _):
        code = self.random.choice([self.random.randrange(0x80), self.random.randrange(0xD800), 0x10FFFF])
        return chr(code)

    def name(self):
        self.values += 1
        return "".join(self.random.choices(IDS, k=self.random.randint(3, 20))) + f"-{self.serial}"

    def data(self):
        made = {"serial": self.serial, self.value(): self.value(), "deep": [{self.value(): [self.value()]}]}
        text = json.dumps(made, ensure_ascii=self.random.random() < 0.5)
        # Between its tokens JSON has line breaks of its own; a line of a batch may hold the one kind.
        return made, re.sub(r'^\{"serial"', '{\r"serial"', text) if self.random.random() < 0.3 else text

    def line(self):
        """A line of a batch and what is heard of it: (line, name, text, serial, data)."""
        self.serial += 1
        made, data = self.data()
        then = '[{"notify":%s,"data":%s}]' % (json.dumps(self.name()), data)
        name = self.name()
        fields = {"duration": 0}
        if self.random.random() < 0.3:
            fields |= {"progress": name, "current": 5, "maximum": 10}
            text, fields["label"] = self.template()
            fields["appearance"] = {"own" + self.value(): self.value(), "title": self.value()}
        else:
            fields |= {"ticker": name, "to": 5}
            text = self.label(fields)
        line = json.dumps(fields, ensure_ascii=self.random.random() < 0.5)[:-1] + f',"then":{then}}}'
        return line, name, text, self.serial, made

    def template(self):
        before, behind = self.value(), self.value()
        escaped = [part.replace("{", "{{").replace("}", "}}") for part in (before, behind)]
        return f"{before}5{behind}", escaped[0] + "{value}" + escaped[1]

    def label(self, fields):
        if self.random.random() < 0.5:
            fields["prefix"], fields["suffix"] = self.value(), self.value()
            return f"{fields['prefix']}5{fields['suffix']}"
        # The last number of the text is the one that moves, unless a name in braces makes it a message.
        text = re.sub(r"\d|\{(?!\s*\})", "", self.value()) + "#5"
        fields["label"] = text
        return text

    # What is heard.

    def post_batch(self):
        self.expected.begin()
        lines = [self.line() for _ in range(LINES)]
        for _, name, text, serial, made in lines:
            self.expected.completions[name] = text
            self.expected.notifications[serial] = made
            self.expected.texts |= {text, normalized(text)}
        answer = self.ask("POST", "/v1/batch", "\n".join(line[0] for line in lines).encode("utf-8", "surrogatepass"))
        statuses = [json.loads(line)["status"] for line in answer.body.splitlines()]
        if len(statuses) != LINES:
            return self.failures.append(f"{len(statuses)} answers to {LINES} lines: {answer.body[:300]!r}")
        for status, (_, name, _, serial, _) in zip(statuses, lines, strict=True):
            self.accepted += status < 300
            self.refused += status >= 300
            if status >= 300:
                self.expected.completions.pop(name)
                self.expected.notifications.pop(serial)
        self.wait()
        for _, name, *_ in lines[:: LINES // 4]:
            self.ask("GET", f"/v1/tickers/{name}")
        self.ask("POST", "/v1/batch", b"\n".join(self.removal(line[0], line[1]) for line in lines))

    def removal(self, line, name):
        kind = "progress" if '"progress": "' in line else "ticker"
        return json.dumps({kind: name, "op": "delete"}).encode()

    def wait(self):
        """Has every stream catch up, and holds what it told against what was posted."""
        until(lambda: self.failures or self.told, PATIENCE, pause=0.005)
        # Behind all that was expected: whatever comes before it besides was forged.
        barrier = {"notify": "barrier", "data": {"serial": BARRIER}}
        self.ask("POST", "/v1/schedules", json.dumps({"in": 0, "do": [barrier]}))
        for reader in self.readers:
            if not reader.reached.wait(PATIENCE) and not self.failures:
                reader.fail("it is not told all that there is")
            reader.reached.clear()
            lost = len(self.expected.completions) - len(reader.completed)
            lost += len(self.expected.notifications) - len(reader.notified)
            if lost and not self.failures:
                reader.fail(f"{lost} events are lost")
            reader.completed, reader.notified = set(), set()

    @property
    def told(self):
        return all(
            len(reader.notified) >= len(self.expected.notifications)
            and len(reader.completed) >= len(self.expected.completions)
            for reader in self.readers
        )

    def ask(self, method, path, body=None, headers=None):
        answer = self.connection.ask(method, path, body, headers)
        kind = answer.headers.get("content-type", "")
        if answer.status == 0 or answer.status >= 500:
            self.failures.append(f"{method} {path[:200]}: {answer.status} {answer.body[:200]!r}")
        elif answer.status >= 400 and kind != "application/problem+json" or "json" in kind and not self.is_json(answer):
            self.failures.append(f"{method} {path[:200]}: {answer.status} is no JSON: {answer.body[:300]!r}")
        return answer

    @staticmethod
    def is_json(answer):
        lines = "ndjson" in answer.headers["content-type"]
        return answer.json is not None or lines or not answer.body

    def post_single(self):
        """What no line of a batch has: addresses, headers, schedules, formats. Most of it is refused."""
        text = self.value()
        quoted = urllib.parse.quote(text, safe="")
        header = re.sub(r"[\r\n\0]", " ", self.value()).encode("utf-8", "replace").decode("latin-1")
        kind = self.random.choice(["ticker", "progress", "schedule", "notification"])
        request = self.random.choice([
            ("GET", f"/v1/events?{kind}={quoted}&once&locale={quoted}", None, {"Last-Event-ID": header}),
            ("GET", f"/v1/events?{kind}=zz*&lastEventID={quoted}", None, {}),
            ("POST", "/v1/events", {kind: [text], "locale": text[:60], "lastEventID": text[:200]}, {}),
            ("POST", f"/v1/tickers/{quoted}", {"by": "x" + text}, {"Idempotency-Key": header}),
            ("GET", f"/v1/tickers?prefix={quoted}&{quoted}={quoted}", None, {"If-Match": header}),
            ("POST", "/v1/tickers/zz", {"to": 1, "format": {"locale": text, "currency": text, "unit": text, "x": 1}}, {}),
            ("POST", "/v1/schedules", {"id": "/" + text, "in": 1, "label": text, "do": []}, {}),
            ("PUT", "/v1/schedules/zz", {"every": text, "timeZone": text, "do": [{"notify": text}]}, {}),
            ("POST", "/v1/progress/zz", {"easing": text, text: text}, {}),
        ])  # fmt: skip
        method, path, body, headers = request
        answer = self.ask(method, path, None if body is None else json.dumps(body), headers)
        # What is taken all the same has no part in what is counted.
        if answer.status < 300 and method != "GET" and path != "/v1/events":
            self.failures.append(f"{method} {path[:200]} {body!r} was taken: {answer.status}")

    def post(self, values):
        while self.values < values and not self.failures:
            self.post_batch()
            for _ in range(LINES // 4):
                self.post_single()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=tested.PROGRAM, type=tested.program)
    add_seed(parser)
    parser.add_argument("--values", type=int, default=1_000_000)
    return parser.parse_args()


def main():
    options = arguments()
    print(f"{options.values} values in every field, --seed {options.seed}", flush=True)
    program = Program(options.binary, "--history", "100", ephemeral=True)
    start = time.monotonic()
    fields = Fields(program, options.seed)
    fields.post(options.values)
    seconds = time.monotonic() - start
    events = sum(reader.events for reader in fields.readers)
    frames = sum(reader.frames for reader in fields.readers)
    print(
        f"  {fields.values} values in {fields.accepted} changes, {fields.refused} refused, in {seconds:.0f} s; "
        f"{len(fields.readers)} streams were told {events} events and {frames} frames"
    )
    for failure in fields.failures[:10]:
        print(f"✘ {failure}")
    if not program.alive:
        print(f"✘ {program.last_words}")
    failed = bool(fields.failures) or not program.alive
    program.close()
    if failed:
        print(replay(options.seed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
