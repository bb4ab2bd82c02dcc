"""A wave: scenarios that go on at the same time, with one server, one page and a reader for each."""

import concurrent.futures
import contextlib
import http.client
import json
import tempfile
import threading
import time
import traceback

from checks import drawn_after_zero, drawn_at_rest
from factors import FEED_COUNT, READERS, Scenario
from page import Page
from played import Answer, Phase, Played
from reader import Reader, Told
from server import Server

# Everything has ended by then, on a machine that is busy, too.
LONGEST_SECONDS = 20
# What is drawn at rest: wheels settle a moment after the last frame; a page comes back some seconds after a restart.
REST_SECONDS = 8
# Between two updates of a feed.
FEED_GAP_SECONDS = 0.06
# Told of all between two restarts; a second passes where fewer scenarios are played.
TOLD_BETWEEN = 150
PAUSE_SECONDS = 1.0

# What is sent for events that aren't called as verbs are.
VERBS = {"seek": ("seek", {"fraction": 0.5}), "faster": ("rate", {"rate": 2}), "back": ("rate", {"rate": -1})}


class NotYet(AssertionError):
    """Something didn't come in time."""


def wait_until(condition, what, seconds=LONGEST_SECONDS):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise NotYet(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.01)
    return found


class Wave:
    def __init__(self, scenarios: list[Scenario], page: Page):
        self.all = [Played(one) for one in scenarios]
        self.page, self.page_lock = page, threading.Lock()
        self.folder = tempfile.TemporaryDirectory(prefix="tweencast-pairs-")
        self.server = Server(data=self.folder.name)
        self.port, self.url = self.server.port, self.server.url
        self.pool = concurrent.futures.ThreadPoolExecutor(len(scenarios))
        query = "ticker=*&progress=*&notification=*&stamp"
        self.witness = Reader(self.url, f"/v1/events?{query}")

    def play(self):
        try:
            wait_until(lambda: self.witness.greeted, "the witness' greeting")
            self._each(self._prepare)
            with self.page_lock:
                self.page.begin(self.url, [one.scenario for one in self.all])
            early = [one for one in self.all if not one.scenario.is_late]
            wait_until(lambda: all(self._read(early)), lambda: f"drawn: {self._missing(early)}")
            self._each(self._update)
            events = [self.pool.submit(self._guarded, self._befall, one) for one in self.all]
            if late := [one for one in self.all if one.scenario.is_late]:
                with self.page_lock:
                    self.page.put([one.scenario for one in late])
                self._see(late)
            if self.all[0].scenario.row["event"] == "restart":
                self._restart()
            concurrent.futures.wait(events)
            self._each(self._finish)
            self._look(drawn_at_rest)
            for played in self.all:
                played.at_rest = played.drawn
            crossing = [self.pool.submit(self._guarded, self._cross, one) for one in self.all]
            self._open_again([one for one in self.all if one.scenario.is_filled_again])
            concurrent.futures.wait(crossing)
            self._look(drawn_after_zero)
        finally:
            self._close()

    def _each(self, step):
        concurrent.futures.wait([self.pool.submit(self._guarded, step, one) for one in self.all])

    def _guarded(self, step, played: Played):
        """What goes wrong is the scenario's own."""
        if any("Traceback" in line for line in played.wrong):
            return
        try:
            step(played)
        except NotYet as error:
            played.wrong.append(str(error))
        except Exception:
            played.wrong.append(traceback.format_exc())

    def ask(self, method: str, path: str, body=None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            sent = time.time_ns()
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            text = answer.read()
            answered = time.time_ns()
        finally:
            connection.close()
        return Answer(answer.status, json.loads(text, parse_float=str) if text else None, sent, answered)

    def told(self, played: Played) -> list[Told]:
        """What the witness was told since the update."""
        return self.witness.by_topic.get(played.scenario.topic, [])[played.known :]

    def _completes(self, played: Played) -> int:
        return sum(told.name == "complete" for told in self.told(played))

    def _prepare(self, played: Played):
        one = played.scenario
        answer = self.ask("POST", one.path, one.first_body())
        assert answer.status == 202, f"{one.first_body()} is answered {answer.status} {answer.json}"
        wait_until(lambda: self._completes(played), "complete of the first update")
        kind, name = one.topic.split(":")
        played.reader = Reader(self.url, f"/v1/events?{kind}={name}&{READERS[one.row['reader']]}".rstrip("&"))
        wait_until(lambda: played.reader.told or played.reader.wrong, "the first frame of a reader")
        # A rate wants a past.
        for number in range(FEED_COUNT if one.has_rate else 0):
            self.ask("POST", one.path, {"by": 1, "duration": 0})
            wait_until(lambda number=number: self._completes(played) > number + 1, "complete of a feed")
            time.sleep(FEED_GAP_SECONDS)

    def _update(self, played: Played):
        one = played.scenario
        played.known = len(self.witness.by_topic.get(one.topic, []))
        answer = self.ask("POST", one.path, one.body())
        assert answer.status == 202, f"{one.body()} is answered {answer.status} {answer.json}"
        played.answers["update"] = answer
        played.phases.append(Phase(answer.sent, answer.answered, (0, 0), 1))
        wait_until(lambda: self.told(played), "a frame")

    def _befall(self, played: Played):
        """The event, some time after the update."""
        one, event = played.scenario, played.scenario.row["event"]
        if event in ("nothing", "restart"):
            return
        # It comes in the midst of the motion: that takes its time.
        while time.time_ns() < played.answers["update"].answered + one.event_after * 1e9:
            time.sleep(0.01)
        played.was_over = self._completes(played) > 0
        if event == "reconnect":
            played.reader.cut()
        elif event in ("retarget", "replace", "queue"):
            played.answers[event] = answer = self.ask("POST", one.path, one.second_body())
            assert answer.status == 202, f"{one.second_body()} is answered {answer.status} {answer.json}"
            played.loose_from = answer.sent if event != "queue" else None
        elif event == "delete":
            played.answers[event] = answer = self.ask("DELETE", one.path)
            assert answer.status == 204, f"DELETE is answered {answer.status}"
            played.loose_from = answer.sent
        else:
            self._handle(played, event)

    def _handle(self, played: Played, event: str):
        """A verb."""
        one = played.scenario
        verb, body = VERBS.get(event, (event, None))
        played.answers[event] = answer = self.ask("POST", f"{one.path}/{verb}", body)
        if answer.status == 409:
            # It has come to its end meanwhile.
            played.was_over = True
            return
        assert answer.status == 200, f"{verb} is answered {answer.status} {answer.json}"
        motion = answer.json["motion"]
        if event in ("cancel", "finish"):
            played.loose_from = answer.sent
            return
        if motion["state"] == "idle":
            return
        own = float(motion["elapsed"])
        rate = {"pause": 0, "faster": 2, "back": -1}.get(event, 1)
        played.phases.append(Phase(answer.sent, answer.answered, (own, own), rate))
        if event == "pause":
            self._hold(played)

    def _hold(self, played: Played):
        """Stays paused for a while, is looked at, and goes on."""
        one = played.scenario
        time.sleep(PAUSE_SECONDS)
        played.answers["held"] = held = self.ask("GET", one.path)

        def is_drawn() -> bool:
            with self.page_lock:
                played.drawn_while_paused = shown = self.page.read([one])[0]
            return not shown or one.has_rate or shown["shown"] == held.json["text"]

        with contextlib.suppress(NotYet):
            wait_until(is_drawn, "what is drawn while it is paused", REST_SECONDS)
        played.answers["resume"] = answer = self.ask("POST", f"{one.path}/resume")
        assert answer.status == 200, f"resume is answered {answer.status} {answer.json}"
        own = float(answer.json["motion"]["elapsed"])
        played.phases.append(Phase(answer.sent, answer.answered, (own, own), 1))

    def _restart(self):
        """A power cut, and once all go on an end by SIGTERM."""
        for end in ("kill", "close"):
            begun = len(self.witness.told)
            with contextlib.suppress(NotYet):
                wait_until(lambda begun=begun: len(self.witness.told) > begun + TOLD_BETWEEN, "the next restart", 1)
            getattr(self.server, end)()
            self.server = Server(data=self.folder.name, port=self.port)

    def _finish(self, played: Played):
        """Waits for the end."""
        one, event = played.scenario, played.scenario.row["event"]
        gone, count = event == "delete", 2 if event in ("retarget", "replace", "queue") else 1

        def is_over():
            told = self.told(played)
            return self._completes(played) >= count and (not gone or any(event.name == "removed" for event in told))

        wait_until(
            is_over, lambda: f"its end: {[told.data for told in self.told(played) if told.name != 'frame'][-3:]}"
        )
        if not gone:
            played.final = {
                locale: self.ask("GET", f"{one.path}{locale and '?locale=' + locale}").json
                for locale in ("", "de-DE", "ar-EG")
            }
        wait_until(
            lambda: self._has_all(played) or played.reader.wrong, lambda: f"the reader's end: {played.reader.told[-3:]}"
        )
        if not one.has_rate and "motion" not in one.row["reader"] and not gone:
            # Where it broke off, the state comes after what was missed.
            wait_until(
                lambda: self._shows_the_end(played), lambda: f"the reader's last frame: {played.reader.told[-3:]}"
            )

    def _shows_the_end(self, played: Played) -> bool:
        shown = next(told.data for told in reversed(played.reader.told) if told.name == "frame")
        asked = READERS[played.scenario.row["reader"]]
        final = played.final[asked.partition("locale=")[2].partition("&")[0]]
        return (shown if isinstance(shown, str) else shown["text"]) == final["text"]

    def _has_all(self, played: Played) -> bool:
        """Whether the reader was told whatever has an id."""
        last = [told for told in self.told(played) if told.id][-1].id
        return any(told.id == last for told in played.reader.told)

    def _read(self, some: list[Played]) -> list[bool]:
        with self.page_lock:
            found = self.page.read([one.scenario for one in some])
        return [bool(each and each["shown"]) for each in found]

    def _see(self, late: list[Played]):
        """Notes when each is drawn for the first time."""

        def are_seen():
            for played, is_there in zip(late, self._read(late), strict=True):
                if is_there and played.seen is None:
                    played.seen = time.time()
            return all(played.seen or played.wrong or played.scenario.row["event"] == "delete" for played in late)

        try:
            wait_until(are_seen, "drawn for the first time")
        except NotYet as error:
            for played in late:
                played.wrong += [] if played.seen else [str(error)]

    def _missing(self, some: list[Played]) -> list[str]:
        return [one.scenario.story for one, is_there in zip(some, self._read(some), strict=True) if not is_there]

    def _cross(self, played: Played):
        """Goes through zero, from rest to rest."""
        one = played.scenario
        played.witnessed = self.told(played)
        played.heard = list(played.reader.told)
        played.reader.end()
        if not one.crossing or one.row["event"] == "delete":
            return
        played.seen_first, begun = played.seen, self._completes(played)
        for number, body in enumerate(one.crossing):
            answer = self.ask("POST", one.path, body)
            assert answer.status == 202, f"{body} is answered {answer.status} {answer.json}"
            played.has_set_out = number == 1
            wait_until(lambda number=number: self._completes(played) > begun + number, "its end behind zero")
        played.has_crossed, played.crossed_at = True, self.told(played)[-1].at

    def _open_again(self, filled: list[Played]):
        """Has a new page show cards while their numbers are on their way."""
        if not filled:
            return
        wait_until(
            lambda: all(played.has_set_out or played.wrong for played in filled), "progress that is filled again"
        )
        with self.page_lock:
            self.page.put([played.scenario for played in self.all if played.scenario.row["drawn"] == "late card"])
        for played in filled:
            played.seen = None
        self._see(filled)

    def _look(self, wrong_with):
        """Reads what is drawn until it is what it must be; at last as it is."""
        end = time.monotonic() + REST_SECONDS
        while True:
            with self.page_lock:
                found = self.page.read([one.scenario for one in self.all])
            for played, each in zip(self.all, found, strict=True):
                played.drawn = each
                played.witnessed = played.witnessed or self.told(played)
            if time.monotonic() > end or not any(wrong_with(one) for one in self.all):
                return
            time.sleep(0.1)

    def _close(self):
        notices = [told.data["notification"] for told in self.witness.told if told.name == "notification"]
        for played in self.all:
            played.notified = notices.count(f"{played.scenario.row['follow']}-{played.scenario.id}")
            if played.reader:
                played.reader.end()
        self.witness.end()
        self.pool.shutdown(wait=False)
        try:
            self.server.close()
        finally:
            self.folder.cleanup()
