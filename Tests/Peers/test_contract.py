"""The contract against the server: what it is asked and answers, and every event of every form of stream."""

import datetime
import functools
import http.client
import json
import pathlib
import signal
import socket
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Browser"))
from channels import Channels  # noqa: E402
from contract import LINES, Contract, Events  # noqa: E402
from server import Server  # noqa: E402

ALL = "/v1/events?ticker=*&progress=*&schedule=*&notification=*"
JSON = "application/json"
# What each form of stream adds to the frames of each kind.
FORMS = {
    "": {},
    "&display": {"ticker": ["display"], "progress": ["display"], "schedule": ["display"]},
    "&display=parts": {"ticker": ["display"], "progress": ["display"], "schedule": ["display"]},
    "&stamp": {kind: ["t"] for kind in ("ticker", "progress", "schedule")},
    "&wheels": {"ticker": ["wheels"]},
    "&wheels=continuous": {"ticker": ["wheels"]},
    "&wheels=up&display&stamp&fps=30": {"ticker": ["wheels", "display", "t"], "progress": ["display", "t"]},
    "&wheels=down": {"ticker": ["wheels"]},
    "&wheels=shortest": {"ticker": ["wheels"]},
    "&mode=motion": {},
    "&mode=motion&display&stamp": {},
    "&as=text": {},
    "&as=ndjson": {},
}


def read_file(server: Server, path: str) -> str:
    with urllib.request.urlopen(server.url + path, timeout=10) as answer:
        return answer.read().decode()


def read_contract(server: Server) -> Contract:
    return Contract(read_file(server, "/openapi.yaml"))


def read_channels(server: Server, contract: Contract) -> Channels:
    return Channels(read_file(server, "/asyncapi.yaml"), contract)


class ContractTest(unittest.TestCase):
    """A session in which everything happens that the contract speaks of."""

    @classmethod
    def setUpClass(cls):
        # Bound but not listening: whoever calls is refused at once.
        cls.deaf = socket.socket()
        cls.deaf.bind(("127.0.0.1", 0))
        cls.deaf_host = f"127.0.0.1:{cls.deaf.getsockname()[1]}"
        cls.addClassCleanup(cls.deaf.close)
        cls.server = Server(
            "--heartbeat", "1", "--webhook-host", cls.deaf_host, "--webhook-attempts", "1",
            "--webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")  # fmt: skip
        cls.addClassCleanup(cls.server.close)
        cls.contract = read_contract(cls.server)
        cls.contract.channels = read_channels(cls.server, cls.contract)

    def call(self, method, path, body=None, expect=200, **headers):
        """A request and its answer, both held against the contract; a body that it forbids must be refused."""
        kind = LINES if path.startswith("/v1/batch") else JSON
        data = body if isinstance(body, str) else json.dumps(body)
        if kind == LINES:
            data = "\n".join(map(json.dumps, body))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, None if body is None else data.encode(), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        self.assertEqual(answer.status, expect, f"{method} {path} {body}: {text.decode()}")
        plain = path.split("?")[0]
        if body is not None and expect < 300:
            self.contract.check_request(method, plain, kind, body)
        is_minimal = answer.headers["Preference-Applied"] == "return=minimal"
        self.assertEqual(is_minimal, "Prefer" in headers and expect < 300)
        if is_minimal:
            self.assertIn("ETag", answer.headers)
            self.assertEqual("Location" in answer.headers, expect == 201)
        return self.contract.check_answer(
            method, plain, answer.status, answer.headers["Content-Type"], text, minimal=is_minimal
        )

    def refuse(self, expect, method, path, body=None, pointer=None, **headers):
        problem = self.call(method, path, body, expect, **headers)
        self.assertEqual((problem["status"], problem.get("pointer")), (expect, pointer))

    def events(self, path, **options):
        stream = Events(self.contract, self.server.port, path, **options)
        self.addCleanup(stream.close)
        return stream

    def until(self, condition):
        """What a condition gives once it gives something."""
        end = time.monotonic() + 15
        while time.monotonic() < end:
            if found := condition():
                return found
            time.sleep(0.02)
        self.fail("it did not come to that")

    def test_a_session_keeps_to_the_contract(self):
        """Everything happens that the contract speaks of, on streams of every form."""
        self.main = self.events(ALL)
        forms = [self.events(ALL + form, must=must, text="text" in form) for form, must in FORMS.items()]
        self.move_tickers()
        self.move_progress()
        self.run_schedules()
        self.be_refused()
        self.prefer_less()
        self.serve_the_rest()
        self.tell_others()
        self.read_lines()
        self.come_back_too_late()
        self.call("POST", "/v1/tickers/end", {"to": 1, "animated": False, "then": [{"notify": "End"}]}, 202)
        for stream in forms:
            with self.subTest(stream.path):
                names = {name for name, _ in stream.until("notification", notification="End")}
                self.assertEqual("motion" in names, "mode=motion" in stream.path)
                self.assertIn("message", names)
        self.lag_behind()
        self.name_too_many()
        self.stand_by()
        self.ask_for_tokens()
        self.leave()
        self.look_at_what_was_seen()

    def move_tickers(self):
        call, main = self.call, self.main
        call("PUT", "/v1/tickers/a", {"label": "Total: 0.0 USD", "duration": 0.2}, 201)
        call("PUT", "/v1/tickers/a", {"easing": "steps(20)"})
        then = [{"notify": "Arrived", "data": {"x": [1.50, None]}}, {"ticker": "b", "by": 2, "duration": 0.1}]
        call("POST", "/v1/tickers/a", {"to": 12.5, "milestones": [3, "9.5"], "then": then}, 202, Idempotency_Key="k")
        call("POST", "/v1/tickers/a", {"to": 12.5, "milestones": [3, "9.5"], "then": then}, 202, Idempotency_Key="k")
        main.until("notification", notification="Arrived")
        call("GET", "/v1/tickers/a")
        # A spring, and playback.
        spring = {"duration": 9, "bounce": 0.4}
        call("POST", "/v1/tickers/s", {"to": 100, "spring": spring, "index": 0, "ttl": 600}, 202)
        call("POST", "/v1/tickers/s/pause")
        main.until("paused", ticker="s")
        call("POST", "/v1/tickers/s/seek", {"seconds": 0.25})
        call("POST", "/v1/tickers/s/resume")
        call("POST", "/v1/tickers/s/rate", {"rate": 2})
        # Whoever comes now sees the rate, whatever changes before the next tick.
        self.events("/v1/events?ticker=s&mode=motion").until("motion", ticker="s")
        call("POST", "/v1/tickers/s", {"to": 7, "interrupt": "queue"}, 202)
        for spring in ("smooth", "snappy", "bouncy"):
            call("POST", "/v1/tickers/named", {"by": 1, "spring": spring, "repeat": 1, "autoreverse": True}, 202)
        call("POST", "/v1/tickers/named", {"by": 1, "easing": "elastic-in-out"}, 202)
        call("POST", "/v1/tickers/flung", {"decay": {"velocity": 900, "timeConstant": 0.5, "min": 0, "max": "99.50"}}, 202)
        call("POST", "/v1/tickers/flung", {"decay": {}}, 202)
        call("POST", "/v1/progress/flung", {"decay": {"velocity": 90}}, 202)
        self.assertEqual(call("GET", "/v1/tickers/s")["waiting"], 1)
        call("POST", "/v1/tickers/s/finish")
        # One without an end, whose successor is cancelled.
        endless = {"to": 1000, "duration": 3, "delay": 0.1, "endDelay": 1, "repeat": "forever"}
        call("POST", "/v1/tickers/e", endless | {"direction": "alternate"}, 202)
        call("GET", "/v1/tickers/e")
        main.until("message", ticker="e")
        call("POST", "/v1/tickers/e", {"to": "1234567.89", "duration": 9, "format": {"style": "percent"}}, 202)
        main.until("complete", ticker="e", reason="superseded")
        call("POST", "/v1/tickers/e/cancel")
        main.until("complete", ticker="e", reason="cancelled")
        # What a motion is told by.
        for target in (1000, 2000):
            call("POST", "/v1/tickers/longer", {"to": target, "duration": 60, "clamp": True}, 202)
        swing = {"dampingRatio": 0.5, "response": 20, "initialVelocity": 1}
        call("POST", "/v1/tickers/swings", {"to": 9, "spring": swing, "clamp": "never-decrease"}, 202)
        half = {"to": 9, "duration": 60, "easing": "back-out", "repeat": 0.5, "clamp": True}
        call("POST", "/v1/tickers/half", half, 202)
        call("POST", "/v1/tickers/legs", {"to": [5, 3, 9], "duration": 60, "repeat": 1, "repeatDelay": 1}, 202)
        # Other digits, other words.
        arabic = {"locale": "ar-EG", "grouping": "min2"}
        call("POST", "/v1/tickers/f", {"to": 25, "duration": 0.1, "format": arabic}, 202)
        money = {"style": "currency", "currency": "EUR", "locale": "de", "currencyDisplay": "name"}
        parts = {"prefix": "≈", "suffix": ""}
        call("POST", "/v1/tickers/m", {"by": "5.00", "duration": 0.1, "format": money} | parts, 202)
        main.until("complete", ticker="m")
        # More motions within one tick than are told one by one.
        lines = [{"ticker": "c", "to": target, "duration": 5} for target in range(100)]
        lines += [{"op": "rate", "ticker": "c", "rate": 0.5}, {"op": "seek", "ticker": "x", "fraction": 1}]
        call("POST", "/v1/batch", lines)
        call("DELETE", "/v1/tickers/c", None, 204)
        main.until("complete", ticker="c", reason="removed")
        main.until("removed", ticker="c", reason="deleted")
        # One that the server names, as a stream and not.
        call("POST", "/v1/tickers", {"to": 3, "duration": 0.1, "ttl": 0.2}, 202)
        for path in ("/v1/tickers?display", "/v1/tickers/followed?display"):
            stream = self.events(path, method="POST", body={"to": 4, "duration": 0.1})
            self.assertEqual([name for name, _ in stream][-1], "complete")
        self.events("/v1/tickers/a/events?once=true").until("message")
        self.assertIn("next", call("GET", "/v1/tickers?limit=2"))

    def move_progress(self):
        call, main = self.call, self.main
        look = {"shape": "ring", "ends": "round", "mine": {"deep": [True]}}
        call("PUT", "/v1/progress/p", {"maximum": 40, "appearance": look}, 201)
        call("PUT", "/v1/progress/p", {"label": "{percent}%, {eta} left"})
        goal = {"maximum": 5, "milestones": [2, {"at": "5", "do": [{"notify": "Goal"}]}], "then": [{"notify": "Gift"}]}
        self.assertEqual(call("PUT", "/v1/progress/goal", goal, 201)["definition"], goal)
        call("POST", "/v1/progress/goal", {"by": 5}, 202)
        for name in ("Goal", "Gift"):
            main.until("notification", notification=name, by={"progress": "goal"})
        call("DELETE", "/v1/progress/goal", None, 204)
        call("POST", "/v1/progress/p", {"current": 10, "milestones": [5], "then": [{"progress": "q", "by": 1}]}, 202)
        main.until("milestone", progress="p")
        main.until("complete", progress="p", reason="finished")

        def moves_on():
            call("POST", "/v1/progress/p", {"by": 0.01, "decimals": 2}, 202)
            return "etaRange" in call("GET", "/v1/progress/p")

        self.until(moves_on)
        call("POST", "/v1/progress/p", {"current": 30, "duration": 60}, 202)
        call("POST", "/v1/progress/p", {"maximum": 50}, 202)
        call("POST", "/v1/progress/p/pause")
        main.until("paused", progress="p")
        call("POST", "/v1/progress/p/resume")
        main.until("resumed", progress="p")
        call("POST", "/v1/progress/p/seek", {"fraction": 0.5})
        call("POST", "/v1/progress/p/rate", {"rate": 3})
        call("POST", "/v1/progress/p/cancel")
        call("POST", "/v1/progress/p/finish")
        call("POST", "/v1/progress/i", {"current": 5, "maximum": None, "label": "{value} after {elapsed}"}, 202)
        call("POST", "/v1/progress", {"current": 5, "ttl": 1}, 202)
        for path in ("/v1/progress", "/v1/progress/followed"):
            stream = self.events(path, method="POST", body={"current": 4, "duration": 0.1})
            self.assertEqual([name for name, _ in stream][-1], "complete")
        self.events("/v1/progress/p/events").until("message")
        self.assertIn("next", call("GET", "/v1/progress?limit=1"))
        call("DELETE", "/v1/progress/i", None, 204)

    def run_schedules(self):
        call, main = self.call, self.main
        shown = {"label": "in {words}", "ended": "now", "ttl": 0.5}
        soon = {"id": "soon", "in": 0.2, **shown, "do": [{"notify": "Soon"}, {"progress": "q", "by": 1}]}
        call("POST", "/v1/schedules", soon, 201)
        for name in ("scheduled", "fired"):
            main.until(name, schedule="soon")
        main.until("message", schedule="soon", state="ended", text="now")
        self.assertEqual(call("GET", "/v1/schedules/soon")["state"], "ended")
        main.until("removed", schedule="soon", reason="completed")
        # Answered by the stream of what they make: one that is removed when it has fired, and one that stays.
        stream = self.events("/v1/schedules", method="POST", body={"id": "followed", "in": 0.2, "do": []})
        self.assertEqual([name for name, _ in stream][-1], "removed")
        stream = self.events("/v1/schedules/followed", method="PUT", body={"in": 0.2, "label": "in {words}", "ttl": 1})
        self.assertEqual([name for name, _ in stream][-1], "fired")
        again = [{"schedule": {"id": "again", "in": 0, "do": []}}, {"notify": "Later", "delay": 60}]
        chain = [{"op": "pause", "ticker": "b"}, {"op": "finish", "ticker": "b"}, {"ticker": "b", "label": "1"}, *again]
        cut = {"to": 9, "duration": 60, "then": [], "else": chain}
        self.assertEqual(call("POST", "/v1/tickers/cut", cut, 202)["motion"]["else"], chain)
        call("POST", "/v1/tickers/cut/cancel")
        main.until("removed", schedule="again", reason="completed")
        waiting = [item for item in call("GET", "/v1/schedules")["items"] if "by" in item]
        self.assertEqual([item["by"] for item in waiting], [{"ticker": "cut"}])
        call("DELETE", "/v1/schedules/" + waiting[0]["schedule"], None, 204)
        start = {"start": {"after": "ticker:first", "offset": 1}}
        lines = [{"ticker": name, "from": 0, "to": 1, "duration": 2} for name in ("first", "second", "third")]
        call("POST", "/v1/batch?stagger=0.5", [lines[0], lines[1] | start, lines[2] | start])
        self.assertAlmostEqual(call("GET", "/v1/tickers/third")["motion"]["delay"], 4, 1)
        for name in ("first", "second", "third"):
            call("DELETE", "/v1/tickers/" + name, None, 204)
        call("PUT", "/v1/schedules/often", {"every": 0.1, "count": 2, "do": [{"ticker": "b", "by": 1}]}, 201)
        main.until("removed", schedule="often", reason="completed")
        call("PUT", "/v1/schedules/held", {"every": "PT1H", "do": [], "ifMissed": "skip"}, 201)
        self.assertIn("due", call("PUT", "/v1/schedules/held", {"every": "PT1H", "do": []}))
        self.assertNotIn("due", call("POST", "/v1/schedules/held/pause"))
        main.until("paused", schedule="held")
        held = self.events("/v1/schedules/held/events?display&stamp", must={"schedule": ["display", "t"]})
        held.until("message", schedule="held", state="paused")
        call("POST", "/v1/schedules/held/resume")
        main.until("resumed", schedule="held")
        calendar = {"every": "0 3 * * mon-fri", "timeZone": "Europe/Berlin", "until": "2099-01-01T00:00:00Z", "do": []}
        call("PUT", "/v1/schedules/nightly?preview=3", calendar, 201)
        self.assertEqual(len(call("GET", "/v1/schedules/nightly?preview=3")["next"]), 3)
        self.assertIn("next", call("GET", "/v1/schedules?limit=1"))
        for path in ("/v1/tickers/b/history", "/v1/progress/p/history?points=1"):
            self.assertGreater(len(call("GET", path)["points"]), 0)
        for path in ("/v1/tickers/cut", "/v1/progress/p"):
            frame = call("GET", path + "/frames?fps=1")["frames"][-1]
            self.assertEqual([line["text"] for line in call("GET", path + "/frames?as=ndjson")][-1:], [frame["text"]])
            self.assertIn(",text,source\r\n", call("GET", path + "/frames?as=csv"))
            self.assertIn("source", call("GET", path + "?at=" + call("GET", path + "/frames")["from"]))
            self.assertIn("<svg ", call("GET", path + "/image.svg"))
            self.assertEqual(call("GET", path + "/badge.json")["label"], path.split("/")[-1])
            call("GET", path + "/image.svg", None, 304, If_None_Match="*")
        self.assertEqual(len(call("POST", "/v1/schedules/preview?preview=3", calendar)["next"]), 3)
        call("POST", "/v1/schedules/pause")
        main.until("paused", all=True)
        missed = {"at": "2020-01-01T00:00:00Z", "every": 3600, "ifMissed": "skip", "do": []}
        call("PUT", "/v1/schedules/missed", missed, 201)
        call("PUT", "/v1/schedules/gone", {"at": "2020-01-01T00:00:00Z", "ifMissed": "skip", "do": []}, 201)
        call("POST", "/v1/schedules/resume")
        main.until("resumed", all=True)
        main.until("skipped", schedule="missed")
        main.until("removed", schedule="gone", reason="skipped")
        call("DELETE", "/v1/schedules/held", None, 204)
        main.until("removed", schedule="held", reason="cancelled")
        call("DELETE", "/v1/schedules", None, 204)

    def be_refused(self):
        refuse = self.refuse
        self.call("POST", "/v1/tickers/r", {"to": 5, "duration": 60}, 202)
        refuse(400, "POST", "/v1/tickers/r", "{")
        refuse(400, "POST", "/v1/tickers/r", {"to": 1}, If_Match="5")
        refuse(403, "POST", "/v1/tickers/r", {"to": 1}, Origin="http://elsewhere.example")
        for path in ("/v1/clients", "/v1/tickers/r", "/metrics", "/v1/events?ticker=r"):
            refuse(403, "GET", path, Origin="http://elsewhere.example")
            refuse(403, "GET", path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")
        refuse(403, "GET", "/v1/tickers/r", Host="elsewhere.example")
        refuse(404, "GET", "/v1/tickers/nothing")
        refuse(404, "GET", "/v1/schedules/nothing/events")
        refuse(404, "DELETE", "/v1/webhooks/failed/nothing")
        for path, body in (("/v1/tickers/r/pause", None), ("/v1/notifications/N", {}), ("/v1/schedules/pause", None)):
            refuse(406, "POST", path, body, Accept="text/event-stream")
        refuse(409, "POST", "/v1/tickers/r", {"to": 6, "interrupt": "reject"})
        refuse(412, "POST", "/v1/tickers/r", {"to": 6}, If_Match='"77"')
        refuse(413, "POST", "/v1/tickers/r", " " * 70_000)
        refuse(415, "POST", "/v1/tickers/r", {"to": 1}, Origin=self.server.url, Content_Type="text/plain")
        refuse(422, "GET", "/v1/schedules?limit=1001", pointer="?limit")
        for kind in ("tickers", "progress", "schedules"):
            refuse(422, "GET", f"/v1/{kind}?prefx=r", pointer="?prefx")
            refuse(422, "GET", f"/v1/{kind}?prefix=r*", pointer="?prefix")
        refuse(422, "GET", "/v1/events?ticker=a&fps=0", pointer="?fps")
        # What the contract forbids, the server refuses.
        for method, path, body, pointer in [
            ("POST", "/v1/tickers/r", {"to": 1, "tu": 2}, "/tu"),
            ("POST", "/v1/tickers/r", {"to": 1, "by": 2}, "/by"),
            ("POST", "/v1/tickers/r", {"to": 1, "decay": {}}, "/decay"),
            ("POST", "/v1/tickers/r", {"decay": {}, "duration": 1}, "/duration"),
            ("POST", "/v1/progress/r", {"decay": {"timeConstant": 0}}, "/decay/timeConstant"),
            ("POST", "/v1/tickers/r", {"to": 1, "spring": "wobbly"}, "/spring"),
            ("POST", "/v1/tickers/r", {"to": 1, "prefix": "a", "label": "b"}, "/prefix"),
            ("PUT", "/v1/tickers/r", {"to": 1}, "/to"),
            ("POST", "/v1/tickers/r", {"to": 1, "spring": {"dampingRatio": 1, "bounce": 0}}, "/spring"),
            ("POST", "/v1/tickers/r", {"to": 1, "format": {"sign": "often"}}, "/format/sign"),
            ("POST", "/v1/tickers/r/seek", {"fraction": 2}, "/fraction"),
            ("POST", "/v1/tickers/r/rate", {}, "/rate"),
            ("POST", "/v1/progress/r", {"decimals": 1}, "/current"),
            ("POST", "/v1/progress/r", {"current": 1, "appearance": {"shape": "cube"}}, "/appearance/shape"),
            ("POST", "/v1/schedules", {"do": []}, "/at"),
            ("POST", "/v1/schedules", {"in": 1, "do": [{"shout": "a"}]}, "/do/0"),
            ("POST", "/v1/schedules", {"in": 1, "do": [{"notify": "a", "loud": True}]}, "/do/0/loud"),
        ]:
            refuse(422, method, path, body, pointer)
            with self.assertRaises(AssertionError, msg=body):
                self.contract.check_request(method, path, JSON, body)

    def prefer_less(self):
        """Whatever answers with a resource leaves it out for who asks for that."""
        call = functools.partial(self.call, Prefer="return=minimal")
        moves = {"tickers": {"to": 1, "duration": 60}, "progress": {"current": 1, "duration": 60}}
        for kind, move in moves.items():
            path = f"/v1/{kind}/less"
            call("POST", f"/v1/{kind}", move, 201)
            call("POST", path, move, 201)
            call("POST", path, move, 204)
            call("PUT", path, {"label": "1"}, 204)
            call("PUT", f"{path}-defined", {"label": "1"}, 201)
            for verb in ("pause", "resume"):
                call("POST", f"{path}/{verb}", None, 204)
            call("POST", f"{path}/seek", {"fraction": 0.5}, 204)
            call("POST", f"{path}/rate", {"rate": 2}, 204)
            for verb in ("cancel", "finish"):
                call("POST", f"{path}/{verb}", None, 204)
            call("POST", path, {"tu": 1}, 422)
        schedule = {"in": 3600, "do": []}
        for status in (201, 204):
            call("POST", "/v1/schedules", schedule | {"id": "less"}, status)
            call("PUT", "/v1/schedules/less-defined", schedule, status)
        for verb in ("pause", "resume"):
            call("POST", f"/v1/schedules/less/{verb}", None, 204)

    def serve_the_rest(self):
        call = self.call
        lines = [{"ticker": "r", "to": 5}, {"progress": "r", "by": 1}, {"op": "delete", "schedule": "no"}]
        lines.append({"notify": "Line", "data": [1.50]})
        answers = call("POST", "/v1/batch", lines)
        self.assertEqual([answer["status"] for answer in answers], [200, 201, 404, 200])
        self.assertEqual(self.told("Line"), {"notification": "Line", "data": [1.5]})
        call("POST", "/v1/tickers/r", {"to": 1, "duration": 0, "then": [{"webhook": f"http://{self.deaf_host}/"}]}, 202)
        given_up = lambda: call("GET", "/v1/webhooks/failed?limit=5")["items"]  # noqa: E731
        self.assertEqual(self.until(given_up)[0]["by"], {"ticker": "r"})
        call("POST", f"/v1/webhooks/failed/{given_up()[0]['id']}/retry", None, 204)
        call("DELETE", f"/v1/webhooks/failed/{self.until(given_up)[0]['id']}", None, 204)
        self.assertGreater(call("GET", "/v1/clients")["count"], 5)
        for path in ("/healthz", "/readyz", "/metrics", "/version"):
            call("GET", path)

    def told(self, name: str) -> dict:
        """What those who listen to a notification are told next."""
        return self.main.until("notification", notification=name)[-1][1]

    def tell_others(self):
        """What is published by itself is told at once, as it was given, and once for a key."""
        for data in ({"menu": ["soup", None]}, "It is ready", 0, None):
            self.call("POST", "/v1/notifications/Lunch", None if data is None else json.dumps(data), 204)
            expected = {"notification": "Lunch"} | ({} if data is None else {"data": data})
            self.assertEqual(self.told("Lunch"), expected)
        for number in (1, 1, 2):
            self.call("POST", "/v1/notifications/Once", number, 204, Idempotency_Key=f"once-{number}")
        self.assertEqual([self.told("Once")["data"] for _ in range(2)], [1, 2])
        self.refuse(400, "POST", "/v1/notifications/Lunch", "{")
        self.refuse(422, "POST", "/v1/notifications/a%20b", {})

    def read_lines(self):
        """A stream as lines of JSON, asked for in either way; what is answered as one, too."""
        for path, accept in (("/v1/events?ticker=r&as=ndjson", "*/*"), ("/v1/tickers/r/events", LINES)):
            stream = self.events(path, accept=accept)
            self.assertEqual([name for name, _ in stream.until("message", ticker="r")], ["hello", "message"])
        stream = self.events("/v1/events", method="POST", body={"ticker": ["r"]}, accept=LINES)
        stream.until("message", ticker="r")
        stream = self.events("/v1/tickers", method="POST", body={"to": 4, "duration": 0.1}, accept=LINES)
        self.assertEqual([name for name, _ in stream][-1], "complete")
        self.refuse(422, "POST", "/v1/events", {"ticker": ["r"], "as": "text"}, "/as", Accept=LINES)
        self.call("GET", "/v1/events?ticker=r&as=text", None, 422, Accept=LINES)

    def come_back_too_late(self):
        """Whoever missed the end of a resource is told it by its own stream, and then that there is no more."""
        makes = {
            "tickers": {"to": 1, "animated": False},
            "progress": {"current": 1, "animated": False},
            "schedules": {"in": 3600, "do": []},
        }
        for kind, body in makes.items():
            path, is_schedule = f"/v1/{kind}/late", kind == "schedules"
            self.call("PUT" if is_schedule else "POST", path, body, 201 if is_schedule else 202)
            self.call("POST", "/v1/notifications/Before", None, 204)
            self.told("Before")
            before = self.main.last
            self.call("DELETE", path, None, 204)
            seen = list(self.events(f"{path}/events", last=before))
            self.assertEqual([name for name, _ in seen], ["hello", "removed"])
            self.main.until("removed", **seen[-1][1])
            after = self.main.last
            self.call("GET", f"{path}/events", None, 204, Last_Event_ID=after)
            self.refuse(404, "GET", f"{path}/events")
            self.refuse(404, "GET", f"{path}-never/events", Last_Event_ID=after)

    def lag_behind(self):
        """Someone who takes nothing is told of fewer frames when he goes on."""
        lines = [{"ticker": f"lag{number}", "to": 1e9, "duration": 600} for number in range(200)]
        self.call("POST", "/v1/batch", lines)
        stream = self.events("/v1/events?ticker=lag*&wheels=continuous&display")
        stream.until("message")

        def is_told():
            clients = self.call("GET", "/v1/clients")["items"]
            return any(client["waitingEvents"] for client in clients if client["topics"] == ["ticker/lag*"])

        self.until(is_told)
        stream.until("rate")
        self.call("POST", "/v1/batch", [{"op": "delete", "ticker": line["ticker"]} for line in lines])

    def name_too_many(self):
        """Someone who asks for more than a stream may have is told so."""
        body = "\n".join(json.dumps({"ticker": f"many{number}", "to": number, "duration": 0}) for number in range(10_000))
        for lines in (body, json.dumps({"ticker": "many-one", "to": 1, "duration": 0})):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
            connection.request("POST", "/v1/batch", lines.encode(), {"Content-Type": LINES})
            connection.getresponse().read()
            connection.close()
        self.events("/v1/events?ticker=many*").until("limit", limit="topics", maximum=10_000)
        wish = {"ticker": ["many7"], "progress": ["none*"], "fps": 30, "as": "json", "stamp": True}
        self.contract.check_request("POST", "/v1/events", JSON, wish)
        self.events("/v1/events", method="POST", body=wish).until("message", ticker="many7")
        self.refuse(422, "POST", "/v1/events", {"ticker": ["a"], "fps": 0}, "/fps")
        self.refuse(422, "POST", "/v1/events", {"ticker": ["a b"]}, "/ticker/0")
        self.change_what_is_heard()

    def change_what_is_heard(self):
        wish = {"parts": [{"ticker": ["many7"]}, {"ticker": ["many8"], "wheels": "up", "display": True}], "heartbeat": 5}
        self.contract.check_request("POST", "/v1/events", JSON, wish)
        stream = self.events("/v1/events", method="POST", body=wish)
        name = stream.until("hello", heartbeat=5)[-1][1]["stream"]
        stream.until("message", ticker="many8")
        self.call("PUT", f"/v1/streams/{name}", {"parts": [{"ticker": ["many9"]}, {"ticker": ["many7"]}]}, 204)
        stream.until("message", ticker="many9")
        self.refuse(422, "PUT", f"/v1/streams/{name}", {"ticker": ["many9"], "lastEventID": "e-1"}, "/lastEventID")
        self.refuse(422, "PUT", f"/v1/streams/{name}", {"parts": [{"ticker": ["many9"], "fps": 1}]}, "/parts/0/fps")
        self.refuse(404, "PUT", f"/v1/streams/{'A' * 22}", {"ticker": ["many9"]})

    def stand_by(self):
        self.events("/v1/selftest").until("selftest", n=1)
        self.events("/v1/events?notification=Nothing").until("heartbeat")
        self.events("/v1/events?notification=*&lastEventID=nowhere-1").until("reset", reason="unknown")

    def ask_for_tokens(self):
        """A server where somebody's token ends by its date, and another's by its owner."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tokens = pathlib.Path(folder.name, "tokens.json")
        end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=12)
        short = {"name": "short", "token": "the-token-that-ends-soon", "subscribe": ["*"]}
        taken = {"name": "taken", "token": "the-token-that-is-taken", "publish": ["*"], "subscribe": ["*"]}
        tokens.write_text(json.dumps({"tokens": [short | {"expires": end.strftime("%Y-%m-%dT%H:%M:%SZ")}, taken]}))
        session, self.server = self.server, Server("--auth", f"tokens:{tokens}", "--max-streams-per-token", "2")
        self.addCleanup(self.server.close)
        # First, while its token counts; its end comes with time.
        ending = self.events(ALL, token=short["token"])
        bearer = {"Authorization": f"Bearer {taken['token']}"}
        self.refuse(401, "GET", "/v1/limits")
        self.refuse(403, "GET", "/v1/clients", **bearer)
        limits = self.call("GET", "/v1/limits", **bearer)
        self.assertIn("token_streams", [limit["name"] for limit in limits["own"]])
        self.call("POST", "/v1/session", None, 204, **bearer)
        self.call("DELETE", "/v1/session", None, 204)
        ticket = self.call("POST", "/v1/tickets", {"ticker": ["a", "b*"]}, 201, **bearer)["ticket"]
        mine = [self.events(ALL, token=taken["token"]), self.events(f"/v1/events?ticker=*&ticket={ticket}")]
        self.events(ALL, token=taken["token"]).until("bye", reason="limit", limit="token_streams")
        ending.until("bye", reason="expired")
        tokens.write_text("{}")
        self.server.process.send_signal(signal.SIGHUP)
        for stream in mine:
            stream.until("bye", reason="revoked")
        self.server = session

    def leave(self):
        """A server with room for two, and for one event of the past."""
        self.server = Server("--history", "1", "--max-streams", "2")
        closing = [self.server.close]
        self.addCleanup(lambda: closing and closing[0]())
        first = self.events(ALL)
        for target in (1, 2, 3):
            self.call("POST", "/v1/tickers/a", {"to": target, "duration": 0}, 202)
        first.until("complete", ticker="a", value=3)
        epoch = self.contract.events["hello"][-1]["epoch"]
        second = self.events(f"{ALL}&lastEventID={epoch}-1")
        second.until("reset", reason="expired")
        self.events(ALL).until("bye", reason="full")
        closing.pop()()
        for stream in (first, second):
            stream.until("bye", reason="draining")

    def look_at_what_was_seen(self):
        """Nothing of the contract went untried."""
        contract = self.contract
        self.assertEqual(contract.names - contract.events.keys(), set(), "events that were not seen")
        versions = {hello["version"] for hello in contract.events["hello"]}
        self.assertEqual(versions, {contract.document["info"]["version"]})
        self.assertEqual(contract.promised - contract.operations, set(), "answers that were not seen")
        channels = contract.channels
        seen = {channel for channel, _ in channels.seen}, {message for _, message in channels.seen}
        self.assertEqual((channels.channels.keys() - seen[0], channels.messages.keys() - seen[1]), (set(), set()))
        for name, values in contract.events.items():
            reason = contract.members(name).get("reason", {}) if name != "message" else {}
            # No request brings a server to a stop or takes a log from replicas, and no short session makes a reader slow
            # or reads in a crowd of locales: tests of their own see these.
            elsewhere = {"behind", "stuck", "slow", "locales", "reloaded"}
            reasons = set(reason.get("enum", [])) - elsewhere
            self.assertEqual(reasons, {value["reason"] for value in values if "reason" in value}, name)
        stamps = {frozenset({"t", "seq"} & frame.keys()) for frame in contract.events["message"]}
        self.assertEqual(stamps, {frozenset(), frozenset({"t"}), frozenset({"t", "seq"})})
        sources = {"by" in told for told in contract.events["notification"]}
        self.assertEqual(sources, {True, False}, "what actions tell, and what is published by itself")
        seen = {name: {member for value in values for member in value} for name, values in contract.events.items()}
        for name in ("motion", "complete", "notification", "milestone", "paused", "resumed", "removed"):
            missing = contract.members(name).keys() - seen[name]
            self.assertEqual(missing, set(), name)
        motion = contract.members("motion", "motion").keys()
        members = {member for value in contract.events["motion"] for member in value["motion"]}
        self.assertEqual(motion - members, set(), "of a motion")
        for name, kind in (("TickerFrame", "ticker"), ("ProgressFrame", "progress"), ("ScheduleFrame", "schedule")):
            members = {member for value in contract.events["message"] if kind in value for member in value}
            self.assertEqual(contract.schema(name)["properties"].keys() - members, set(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
