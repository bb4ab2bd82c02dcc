"""Readers that others wrote: each hears an event when it is told, and not when a buffer is full, and ends where the stream
does. Nothing else comes for as long as these tests wait."""

import asyncio
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import aiohttp
import httpx
import httpx_sse
import requests
import sseclient
from aiohttp_sse_client import client as aiohttp_sse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from driver import Chromium  # noqa: E402
from server import Server  # noqa: E402

PATIENCE = 30
# Longer than any test waits: a heartbeat would push out what is held back.
QUIET = "heartbeat=60"

GO = """package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
)

func main() {
	answer, err := http.Get(os.Args[1])
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		fmt.Println(lines.Text())
	}
	if lines.Err() != nil {
		panic(lines.Err())
	}
}
"""
NODE = """
const answer = await fetch(process.argv[1]);
for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) process.stdout.write(piece);
"""
PAGE = """
window.told = [];
const stream = new EventSource(arguments[0]);
for (const name of ["hello", "notification", "complete"])
  stream.addEventListener(name, (event) => window.told.push(event.data));
stream.onmessage = (event) => window.told.push(event.data);
stream.onerror = () => { window.told.push("ended"); stream.close(); };
"""


class Reader(threading.Thread):
    """Keeps what it is told, by its lines or the data of its events."""

    def __init__(self, name, url):
        super().__init__(daemon=True)
        self.kind, self.url, self.told = name, url, []
        self.error = None
        self.start()

    def run(self):
        try:
            getattr(self, self.kind)()
        except Exception as error:  # Whatever it is, the test tells it.
            self.error = error

    def requests_lines(self):
        with requests.get(self.url, stream=True, timeout=PATIENCE) as answer:
            for line in answer.iter_lines():
                self.told.append(line.decode())

    def requests_sseclient(self):
        with requests.get(self.url, stream=True, timeout=PATIENCE) as answer:
            for event in sseclient.SSEClient(answer).events():
                self.told.append(event.data)

    def httpx_lines(self):
        with httpx.stream("GET", self.url, timeout=PATIENCE) as answer:
            for line in answer.iter_lines():
                self.told.append(line)

    def httpx_events(self):
        with httpx.Client(timeout=PATIENCE) as client, httpx_sse.connect_sse(client, "GET", self.url) as source:
            for event in source.iter_sse():
                self.told.append(event.data)

    def aiohttp_lines(self):
        async def read():
            async with aiohttp.ClientSession() as session, session.get(self.url) as answer:
                async for line in answer.content:
                    self.told.append(line.decode())

        asyncio.run(read())

    def aiohttp_events(self):
        async def read():
            async with aiohttp_sse.EventSource(self.url) as source:
                async for event in source:
                    # It comes back for ever.
                    if self.told and "tickRate" in event.data:
                        return
                    self.told.append(event.data)

        asyncio.run(read())

    def read_process(self, *command):
        with subprocess.Popen([*command, self.url], stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            self.process = process
            for line in process.stdout:
                self.told.append(line)
        if process.returncode:
            raise RuntimeError(f"it ended with {process.returncode}")

    def curl(self):
        self.read_process("curl", "-sSN")

    def curl_http_1_0(self):
        self.read_process("curl", "-sSN", "--http1.0")

    def node(self):
        self.read_process("node", "--input-type=module", "--eval", NODE)

    def go(self):
        self.read_process(str(ReadersTest.go_reader))


class Page:
    """EventSource in Chromium."""

    error = None

    def __init__(self, url):
        self.driver = Chromium()
        self.driver.get(url.partition("/v1/")[0] + "/healthz")
        self.driver.execute_script(PAGE, url)

    @property
    def told(self):
        return self.driver.execute_script("return window.told")

    def is_alive(self):
        return "ended" not in self.told

    def close(self):
        self.driver.quit()


KINDS = [
    "requests_lines", "requests_sseclient", "httpx_lines", "httpx_events", "aiohttp_lines", "aiohttp_events", "curl",
    "curl_http_1_0", "node", "go",
]  # fmt: skip


class ReadersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        source = pathlib.Path(folder.name, "reader.go")
        source.write_text(GO)
        cls.go_reader = source.with_suffix("")
        subprocess.run(["go", "build", "-o", cls.go_reader, source], check=True)
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def readers(self, path):
        readers = {kind: Reader(kind, self.server.url + path) for kind in KINDS}
        readers["page"] = Page(self.server.url + path)
        self.addCleanup(readers["page"].close)
        self.until(readers, lambda reader: any("tickRate" in text for text in reader.told), "greeted")
        return readers

    def until(self, readers, condition, what):
        end = time.monotonic() + PATIENCE
        for name, reader in readers.items():
            while not condition(reader):
                if time.monotonic() > end:
                    self.fail(f"{name}, not in {PATIENCE} s: {what}; {reader.error}, {reader.told[-5:]}")
                time.sleep(0.01)

    def test_an_event_is_heard_before_there_is_another(self):
        readers = self.readers(f"/v1/events?notification=told&{QUIET}")
        for number in range(3):
            self.server.request("POST", "/v1/notifications/told", {"number": number})
            told = f'"number": {number}'
            self.until(readers, lambda reader, told=told: any(told in text for text in reader.told), told)

    def test_a_stream_ends_without_an_error(self):
        readers = self.readers(f"/v1/events?ticker=once&once&{QUIET}")
        self.server.post("ticker:once", label="0", to=1, duration=0)
        self.until(readers, lambda reader: not reader.is_alive(), "ended")
        for name, reader in readers.items():
            with self.subTest(name):
                self.assertIsNone(reader.error)
                self.assertTrue(any('"finished":true' in text for text in reader.told), reader.told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
