"""A typed client that a foreign generator makes of the contract: without a warning, whole, and good for a session."""

import concurrent.futures
import datetime
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import typing
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Browser"))
from operations import Operations  # noqa: E402
from server import Server  # noqa: E402
from test_contract import read_contract  # noqa: E402

PACKAGE = "tweencast_client"


def snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).removeprefix("_")


def parts(kind):
    """A type, and all that it is made of."""
    yield typing.get_origin(kind) or kind
    for part in typing.get_args(kind):
        yield from parts(part)


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.contract = read_contract(cls.server)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.generate()
        sys.path.insert(0, folder.name)
        cls.models = importlib.import_module(f"{PACKAGE}.models")
        cls.types = importlib.import_module(f"{PACKAGE}.types")
        cls.client = importlib.import_module(f"{PACKAGE}.client").Client(
            cls.server.url, raise_on_unexpected_status=True
        )

    @classmethod
    def generate(cls):
        command = [
            sys.executable, "-m", "openapi_python_client", "generate", "--url", f"{cls.server.url}/openapi.yaml",
            "--config", str(HERE / "client.yaml"), "--meta", "none", "--output-path", str(cls.folder / PACKAGE),
            "--fail-on-warning",
        ]  # fmt: skip
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        cls.words = [line for line in run.stdout.splitlines() if not line.startswith("Generating ")]
        if run.returncode != 0:
            raise AssertionError(run.stdout)

    def call(self, tag: str, operation: str, *arguments, expect: int, **named):
        """Calls an operation; gives what the client has made of the answer."""
        module = importlib.import_module(f"{PACKAGE}.api.{tag}.{operation}")
        answer = module.sync_detailed(*arguments, client=self.client, **named)
        self.assertEqual(answer.status_code, expect, answer.content)
        return answer.parsed

    def test_a_client_generated_from_openapi_has_every_operation(self):
        """Those that answer with a stream give its text when it has ended, as one with `once` does."""
        self.assertEqual(self.words, [])
        made = {path.stem for path in (self.folder / PACKAGE / "api").glob("*/*.py")} - {"__init__"}
        self.assertEqual(made, {snake(name) for name in Operations(self.contract).by_name})

    def test_the_generated_clients_attributes_have_types(self):
        """Nothing is whatever it may be, but for data that are."""
        free = {
            ("NotifyAction", "data"),
            ("NotifyLine", "data"),
            ("WebhookAction", "data"),
            ("NotificationEvent", "data"),
            ("FailedWebhook", "data"),
        }
        found = set()
        names = [name for name in dir(self.models) if isinstance(getattr(self.models, name), type)]
        self.assertGreater(len(names), 100)
        scope = vars(self.models) | {"Unset": self.types.Unset}
        for name in names:
            model = getattr(self.models, name)
            if not hasattr(model, "__attrs_attrs__"):
                continue
            for member, kind in typing.get_type_hints(model, vars(sys.modules[model.__module__]) | scope).items():
                if member == "additional_properties":
                    continue
                if {typing.Any, dict} & set(parts(kind)):
                    found.add((name, member))
        self.assertEqual(found, free)

    def test_the_generated_client_works_against_the_server(self):
        self.move_a_ticker()
        self.list_and_send_a_batch()
        self.show_progress()
        self.schedule()
        self.be_refused()
        self.call("tickers", "remove_ticker", "visitors", expect=204)
        self.tell_others()
        gone = self.call("tickers", "get_ticker", "visitors", expect=404)
        self.assertIsInstance(gone, self.models.Problem)

    def move_a_ticker(self):
        models, call = self.models, self.call
        update = models.TickerUpdate(
            to=1500,
            label="0 visitors",
            duration=60,
            easing="ease-out",
            then=[models.NotifyAction("Full", data={"n": [1]})],
        )
        ticker = call("tickers", "move_ticker", "visitors", body=update, expect=202)
        self.assertIsInstance(ticker, models.Ticker)
        motion = ticker.motion
        self.assertIsInstance(motion, models.Motion)
        self.assertEqual((ticker.text, motion.to, motion.state), ("0 visitors", 1500, models.MotionState.RUNNING))
        self.assertEqual(motion.end - motion.start, datetime.timedelta(seconds=60))
        self.assertIsInstance(motion.then[0], models.NotifyAction)
        self.assertEqual(motion.then[0].data, {"n": [1]})
        self.assertIsInstance(motion.spring, self.types.Unset)
        paused = call("tickers", "pause_ticker", "visitors", expect=200)
        self.assertEqual(paused.motion.state, models.MotionState.PAUSED)
        resumed = call("tickers", "resume_ticker", "visitors", if_match=f'"{paused.revision}"', expect=200)
        self.assertEqual(resumed.motion.state, models.MotionState.RUNNING)
        sought = call("tickers", "seek_ticker", "visitors", body=models.Seek(fraction=0.5), expect=200)
        self.assertGreaterEqual(sought.motion.fraction, 0.5)
        # Nothing that was left out is sent: the label is the one that was posted, and so is the spring.
        spring = models.SpringByResponse(damping_ratio=0.5, response=20)
        swinging = call(
            "tickers", "move_ticker", "visitors", body=models.TickerUpdate(by="0.5", spring=spring), expect=202
        )
        self.assertEqual((swinging.label, swinging.target), ("0 visitors", 1500.5))
        self.assertEqual(swinging.motion.spring, models.SpringNumbers(damping_ratio=0.5, response=20))
        self.assertIsNone(call("tickers", "finish_ticker", "visitors", prefer="return=minimal", expect=204))
        points = call("tickers", "get_ticker_history", "visitors", expect=200).points
        self.assertEqual(points[-1].value, 1500.5)
        self.listen()

    def listen(self):
        """A stream that ends: somebody finishes the motion as soon as the server tells that it is listened to."""
        call = self.call
        call("tickers", "move_ticker", "soon", body=self.models.TickerUpdate(to=1, duration=600), expect=202)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            text = pool.submit(call, "tickers", "stream_ticker", "soon", once=True, expect=200)
            while call("server", "list_clients", expect=200).count == 0 and not text.done():
                time.sleep(0.02)
            call("tickers", "finish_ticker", "soon", expect=200)
            self.assertIn("event: complete", text.result())

    def list_and_send_a_batch(self):
        models, call = self.models, self.call
        lines = [
            models.TickerChange(ticker="batched", to=5),
            models.Operation(models.OperationOp.PAUSE, ticker="nobody"),
        ]
        text = "\n".join(json.dumps(line.to_dict()) for line in lines)
        body = self.types.File(io.BytesIO(text.encode()))
        answers = call("batch", "send_batch", body=body, expect=200).payload.read().splitlines()
        made, refused = map(json.loads, answers)
        self.assertEqual(models.BatchSuccess.from_dict(made).status, models.BatchSuccessStatus.VALUE_201)
        self.assertEqual(models.Problem.from_dict(refused).status, 404)
        page = call("tickers", "list_tickers", limit=1, expect=200)
        self.assertIsInstance(page, models.TickerPage)
        names = [item.ticker for item in page.items]
        while page.next_:
            page = call("tickers", "list_tickers", limit=1, after=page.next_, expect=200)
            names += [item.ticker for item in page.items]
        self.assertEqual(names, ["batched", "soon", "visitors"])

    def show_progress(self):
        models, call = self.models, self.call
        ring = models.Appearance(shape=models.AppearanceShape.RING)
        definition = models.ProgressDefinition(maximum=200, label="{percent}% done", appearance=ring)
        defined = call("progress", "define_progress", "build", body=definition, expect=201)
        self.assertIsInstance(defined, models.Progress)
        self.assertEqual(defined.definition, definition)
        update = models.ProgressUpdate(current=50, animated=False)
        moved = call("progress", "move_progress", "build", body=update, expect=202)
        self.assertEqual((moved.label, moved.maximum, moved.appearance), ("{percent}% done", 200, ring))
        unknown = call("progress", "move_progress", "build", body=models.ProgressUpdate(maximum=None), expect=202)
        self.assertIsNone(unknown.maximum)

    def schedule(self):
        models, call = self.models, self.call
        do = [
            models.TickerChange(ticker="visitors", by=1),
            models.TextChange(ticker="visitors", label="Closed: 1"),
            models.OperationAction(models.OperationOp.PAUSE, progress="build", delay=2),
        ]
        zone = "Europe/Berlin"
        berlin = models.ScheduleDefinition(do=do, every="0 3 * * *", time_zone=zone, until=self.date(2099))
        schedule = call("schedules", "define_schedule", "nightly", body=berlin, preview=3, expect=201)
        self.assertIsInstance(schedule, models.Schedule)
        self.assertEqual(schedule.due, schedule.next_[0])
        self.assertEqual(schedule.definition.until, self.date(2099))
        self.assertEqual([action.to_dict() for action in schedule.definition.do], [action.to_dict() for action in do])
        preview = call("schedules", "preview_schedule", body=berlin, preview=3, expect=200)
        self.assertEqual(preview.next_, schedule.next_)
        self.assertTrue(call("schedules", "pause_all_schedules", expect=200).paused)
        paused = call("schedules", "get_schedule", "nightly", expect=200)
        self.assertEqual(paused.state, models.ScheduleState.PAUSED)
        call("schedules", "resume_all_schedules", expect=200)
        self.assertEqual(call("schedules", "list_schedules", expect=200).pending, 1)
        call("schedules", "remove_all_schedules", expect=204)

    def date(self, year: int) -> datetime.datetime:
        return datetime.datetime(year, 1, 1, tzinfo=datetime.UTC)

    def tell_others(self):
        self.assertIsNone(self.call("notifications", "publish_notification", "lunch", body={"menu": "soup"}, expect=204))
        version = self.call("server", "get_version", expect=200)
        self.assertIsInstance(version, self.models.Version)
        self.assertEqual(version.version, self.contract.document["info"]["version"])
        listed = self.call("tickers", "list_tickers", prefix="batch", expect=200)
        self.assertEqual([item.ticker for item in listed.items], ["batched"])

    def be_refused(self):
        models, call = self.models, self.call
        wrong = call("tickers", "move_ticker", "visitors", body=models.TickerUpdate(to=1, easing="wobbly"), expect=422)
        self.assertIsInstance(wrong, models.Problem)
        self.assertEqual((wrong.status, wrong.pointer), (422, "/easing"))
        still = call("tickers", "set_ticker_rate", "visitors", body=models.Rate(2), expect=409)
        self.assertEqual(still.title, "Conflict")
        other = call("tickers", "cancel_ticker", "visitors", if_match='"77"', expect=412)
        self.assertIsInstance(other, models.Problem)


if __name__ == "__main__":
    unittest.main(verbosity=2)
