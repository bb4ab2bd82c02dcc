"""Tweencast's streams read by clients that nobody here wrote: what they take for events, ids and reconnection."""

import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import httpx
import httpx_sse
import sseclient
from aiohttp_sse_client import client as aiohttp_sse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Browser"))
from driver import Chromium  # noqa: E402
from server import Server  # noqa: E402

STREAM = "/v1/events?ticker=t&notification=*"


# Each peer yields (event, id, data) of one connection, with the id to go on from sent as it does that itself.


def curl(url, last):
    headers = ["-H", f"Last-Event-ID: {last}"] if last else []
    process = subprocess.Popen(["curl", "-sN", "--max-time", "20", *headers, url], stdout=subprocess.PIPE, text=True)
    event, identity, data = "message", "", []
    try:
        for line in process.stdout:
            line = line.rstrip("\n")
            if not line and data:
                yield event, identity, "\n".join(data)
            if not line:
                event, data = "message", []
            field, _, value = line.partition(": ")
            if field == "event":
                event = value
            elif field == "id":
                identity = value
            elif field == "data":
                data.append(value)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def httpx_client(url, last):
    headers = {"Last-Event-ID": last} if last else {}
    with httpx.Client(timeout=20) as session, httpx_sse.connect_sse(session, "GET", url, headers=headers) as source:
        for event in source.iter_sse():
            yield event.event, event.id, event.data


def sseclient_client(url, last):
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
    with httpx.stream("GET", url, headers=headers, timeout=20) as answer:
        for event in sseclient.SSEClient(answer.iter_bytes()).events():
            yield event.event, event.id, event.data


def aiohttp_client(url, last):
    async def collect(queue):
        headers = {"Last-Event-ID": last} if last else {}
        async with aiohttp_sse.EventSource(url, headers=headers) as source:
            async for event in source:
                await queue.put((event.type or "message", event.last_event_id, event.data))

    loop = asyncio.new_event_loop()
    queue = asyncio.Queue()
    task = loop.create_task(collect(queue))
    try:
        while True:
            yield loop.run_until_complete(asyncio.wait_for(queue.get(), 20))
    finally:
        task.cancel()
        loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        loop.close()


PEERS = {"curl": curl, "httpx-sse": httpx_client, "sseclient-py": sseclient_client, "aiohttp-sse-client": aiohttp_client}


def told(seen, target):
    """Whether the motion's end has been told and the target shown: a stream that begins when it is over is told the one
    before the other."""
    data = [(event, json.loads(data)) for event, _, data in seen]
    texts = [fields["text"] for event, fields in data if event == "message"]
    is_over = any(event == "notification" and fields["notification"] == f"at{target}" for event, fields in data)
    return is_over and texts[-1:] == [f"Total: {target}"]


class PeerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = Server(data=self.folder)
        self.addCleanup(lambda: self.server.close())
        self.server.post("ticker:t", label="Total: 0", to=0, duration=0)

    def restart(self):
        """Kills the server, and starts it where it was."""
        port = self.server.port
        self.server.kill()
        self.server = Server(port=port, data=self.folder)

    def until(self, condition, what):
        """What a condition gives once it gives something."""
        end = time.monotonic() + 30
        while not (found := condition()):
            if time.monotonic() > end:
                self.fail(f"not in 30 s: {what}")
            time.sleep(0.02)
        return found

    def until_told(self, events, target):
        seen = []
        for event in events:
            seen.append(event)
            if told(seen, target):
                return seen
        self.fail(f"the stream ended before {target}: {seen}")

    def move(self, target):
        """A short motion that says when it is over."""
        self.server.post("ticker:t", to=target, duration=0.3, then=[{"notify": f"at{target}"}])

    def check(self, seen, target, completions):
        frames = [json.loads(data) for event, _, data in seen if event == "message"]
        self.assertEqual(frames[-1]["text"], f"Total: {target}")
        values = [frame["value"] for frame in frames]
        self.assertEqual(values, sorted(values))
        ends = [json.loads(data)["value"] for event, _, data in seen if event == "complete"]
        self.assertEqual(ends, completions)

    def test_frames_events_and_reconnection(self):
        for name, peer in PEERS.items():
            with self.subTest(name):
                start = json.loads(next(data for event, _, data in peer(self.server.url + STREAM, "") if event == "message"))
                base = int(start["value"])
                events = peer(self.server.url + STREAM, "")
                self.assertEqual(next(events)[0], "hello")
                self.move(base + 100)
                seen = self.until_told(events, base + 100)
                self.check(seen, base + 100, [base + 100])
                last = seen[-1][1]
                self.assertTrue(last)
                events.close()
                self.move(base + 200)
                # In the midst of the motion: frames were made, and its end wasn't.
                self.until(lambda: self.server.get("ticker:t")["value"] > base + 100, f"a motion beyond {base + 100}")
                self.restart()
                again = self.until_told(peer(self.server.url + STREAM, last), base + 200)
                self.check(again, base + 200, [base + 200])
                self.assertNotIn("reset", [event for event, _, _ in again])
                ids = [identity for event, identity, _ in again if event in ("complete", "notification")]
                self.assertEqual(len(ids), len(set(ids)))

    def test_chromium_s_event_source_comes_back_by_itself(self):
        driver = Chromium()
        self.addCleanup(driver.quit)
        driver.get(self.server.url)
        driver.execute_script(
            """
            window.seen = [];
            const source = new EventSource(arguments[0]);
            const note = event => seen.push([event.type, event.lastEventId, event.data]);
            for (const name of ['message', 'hello', 'complete', 'notification', 'reset']) source.addEventListener(name, note);
            """,
            STREAM,
        )

        def seen(target):
            events = driver.execute_script("return seen")
            return events if told(events, target) else None

        def until(target):
            events = self.until(lambda: seen(target), f"the end at {target}")
            driver.execute_script("seen.length = 0")
            return events

        self.until(lambda: driver.execute_script("return seen.length"), "a greeting")
        self.move(100)
        self.check(until(100), 100, [100])
        self.move(200)
        self.restart()
        again = until(200)
        self.check(again, 200, [200])
        self.assertNotIn("reset", [event for event, _, _ in again])


if __name__ == "__main__":
    unittest.main(verbosity=2)
