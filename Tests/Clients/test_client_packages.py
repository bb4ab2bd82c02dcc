"""The client packages in all languages pass the vectors of clients/vectors, and send an update until it is answered."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

from script import Script

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "clients"
sys.path.insert(0, str(CLIENTS / "vectors"))
import play  # noqa: E402

PATIENCE = 60
# Each mostly waits.
AT_ONCE = 6
# What `make test-build` has made of Tests/ClientVectors.
SWIFT = {"swift": [str(ROOT / ".build/debug/client-vectors")]}
PYTHON = [sys.executable, str(CLIENTS / "python/tests/program.py")]
PROGRAMS = {
    "python": {"python": PYTHON, "python, asyncio": [*PYTHON, "async"]},
    "javascript": {"javascript": ["node", str(CLIENTS / "javascript/test/program.mjs")]},
}


def programs() -> dict[str, list[str]]:
    """The commands of all packages: those of each folder."""
    folders = [folder.name for folder in sorted(CLIENTS.iterdir()) if folder.is_dir() and folder.name != "vectors"]
    return {name: command for folder in folders for name, command in PROGRAMS[folder].items()}


class PackagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(mock.patch.dict(os.environ, {"PYTHONPATH": str(CLIENTS / "python/src")}))
        cls.programs = programs()

    def test_each_client_package_follows_every_stream_scenario(self):
        runs = {}
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for name, command in (self.programs | SWIFT).items():
                for scenario in play.scenarios():
                    runs[name, scenario["name"]] = pool.submit(play.play, scenario, command)
        for (name, scenario), run in runs.items():
            with self.subTest(client=name, scenario=scenario):
                self.assertFalse(run.result(), "\n".join(run.result()))

    def test_each_client_package_computes_motions_as_the_server_does(self):
        for name, command in (self.programs | SWIFT).items():
            with self.subTest(client=name):
                faults = play.compare_motions(command)
                self.assertFalse(faults, "\n".join(faults))

    def test_an_update_is_sent_until_it_is_answered(self):
        busy = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
        ticker = b'{"ticker":"visitors","value":0,"text":"0","target":7}'
        done = b"HTTP/1.1 202 Accepted\r\nContent-Length: %d\r\n\r\n%s" % (len(ticker), ticker)
        for name, command in (self.programs | SWIFT).items():
            with self.subTest(client=name):
                # The second connection breaks without an answer.
                script = Script(busy, b"", done)
                self.addCleanup(script.close)
                run = subprocess.run(
                    [*command, "add", script.url, "visitors", "1.50"], capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual((run.returncode, run.stdout.strip()), (0, "7"), run.stderr)
                keys = {request.headers["Idempotency-Key"] for request in script.requests}
                self.assertEqual((len(script.requests), len(keys)), (3, 1))
                self.assertNotIn(None, keys)
                self.assertGreaterEqual(script.waits[0], 1)


class PlayTest(unittest.TestCase):
    """Clients that do wrong are found out."""

    SCENARIO = {
        "name": "one frame", "why": "", "topics": ["ticker:a"],
        "connections": [
            {
                "lastEventID": None, "answer": {"status": 200},
                "events": [
                    {"event": "hello", "id": "1-1", "retry": 50, "data": {"heartbeat": 15}},
                    {"event": "frame", "data": {"ticker": "a", "value": 1, "text": "1"}},
                ],
                "end": "close",
            },
            {"lastEventID": "1-1", "after": {"atLeast": 0.05}, "answer": {"status": 204}, "end": "close"},
        ],
        "items": [
            {"item": "connected"}, {"item": "frame", "topic": "ticker:a", "text": "1", "value": 1},
            {"item": "disconnected"}, {"item": "ended"},
        ],
    }
    CLIENT = """
import json, sys, time, urllib.request
def read(last, kind="ticker"):
    headers = {"Last-Event-ID": last} if last else {}
    address = f"{sys.argv[-2]}/v1/events?{kind}=a"
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        lines = answer.read().decode()
    return answer.status
say = lambda **item: print(json.dumps(item), flush=True)
say(item="connected"); say(item="frame", topic="ticker:a", text="1", value=1)
"""
    END = "\nsay(item='disconnected'); say(item='ended')"

    def faults(self, end: str) -> str:
        """What is found of a client that ends in a way."""
        return "\n".join(play.play(self.SCENARIO, [sys.executable, "-c", self.CLIENT + end + self.END]))

    def test_a_correct_client_has_no_faults(self):
        self.assertEqual(self.faults("read(None); time.sleep(0.05); read('1-1')"), "")

    def test_wrong_ids_pauses_topics_and_items(self):
        self.assertIn("not 0.05 s", self.faults("read(None); read('1-1')"))
        self.assertIn("has the id None", self.faults("read(None); time.sleep(0.05); read(None)"))
        self.assertIn("asks for the topics", self.faults("read(None, 'progress'); time.sleep(0.05); read('1-1')"))
        self.assertIn("are not", self.faults("say(item='connected'); read(None); time.sleep(0.05); read('1-1')"))
        self.assertIn("after the last one", self.faults("read(None); time.sleep(0.05); read('1-1'); read('1-1')"))

    def test_a_client_that_never_reconnects_is_a_fault(self):
        self.assertIn("doesn't come", self.faults("read(None)"))
        self.assertIn("ends with 1", self.faults("read(None); sys.exit(1)"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
