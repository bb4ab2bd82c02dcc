"""The JavaScript package as its users have it: packed, installed without a network, in Node, in a page and under
TypeScript."""

import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from driver import Chromium  # noqa: E402
from clients import Pages  # noqa: E402
from server import Server  # noqa: E402

PACKAGE = ROOT / "clients/javascript"
# npm's package `eventsource`, as Debian packs it.
EVENT_SOURCE = pathlib.Path("/usr/share/nodejs/eventsource")
PATIENCE = 60
TOKEN = "worker-token-of-the-tests"

FOREIGN = f"""
const EventSource = require({json.dumps(str(EVENT_SOURCE))});
const stream = new EventSource(process.argv[1]);
const print = (name) => ({{ data }}) => console.log(JSON.stringify({{ [name]: JSON.parse(data).value ?? null }}));
stream.onmessage = print("value");
for (const name of ["hello", "complete"]) stream.addEventListener(name, print(name));
"""
PAGE = """<!doctype html>
<script type="importmap">
{"imports": {"@tweencast/client": "./node_modules/@tweencast/client/dist/tweencast.js"}}
</script>
<output></output><ol></ol>
<script type="module">
import { Client } from "@tweencast/client";
const client = new Client("SERVER", { heartbeat: 1, patience: 60 });
window.add = (number) => client.ticker("visitors").add(number, { duration: 0 });
for await (const item of client.items(["ticker:visitors"])) {
  if (item.type === "frame") document.querySelector("output").textContent = item.text;
  else document.querySelector("ol").append(`${item.type} ${item.name ?? ""};`);
}
</script>
"""


class Lines:
    """A program, and the JSON that it prints, line by line."""

    def __init__(self, command: list[str], **environment: str):
        usual = {name: value for name, value in os.environ.items() if not name.startswith("TWEENCAST_")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=usual | {"HEARTBEAT": "1"} | environment)
        self.waiting: queue.Queue = queue.Queue()
        self.seen: list[dict] = []
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.waiting.put(json.loads(line))

    def until(self, condition) -> dict:
        """The first line of which something holds; reads on if none of those seen is one."""
        end = time.monotonic() + PATIENCE
        while not (found := list(filter(condition, self.seen))):
            try:
                line = self.waiting.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"not in {PATIENCE} s, after {self.seen[-20:]}") from None
            self.seen.append(line)
        return found[0]

    def close(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()


def run(command: list[str], folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, env=os.environ | environment)


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        built = run(["bash", str(PACKAGE / "build"), folder.name], ROOT)
        assert built.returncode == 0, built.stdout + built.stderr
        cls.archive = pathlib.Path(built.stdout.strip())
        cls.user = cls.folder / "user"
        cls.user.mkdir()
        # Modules of JavaScript, for the compiler.
        (cls.user / "package.json").write_text('{"type": "module"}')
        done = run(["npm", "install", "--offline", "--no-audit", "--no-fund", str(cls.archive)], cls.user)
        assert done.returncode == 0, done.stdout + done.stderr
        shutil.copy(PACKAGE / "test/program.mjs", cls.user)

    def serve(self, *flags: str, **options) -> Server:
        server = Server(*flags, **options)
        self.addCleanup(server.close)
        return server

    def program(self, *words: str, **environment: str) -> Lines:
        lines = Lines(["node", str(self.user / "program.mjs"), *words], **environment)
        self.addCleanup(lines.close)
        return lines


class ContentsTest(PackageTest):
    def test_the_package_passes_its_own_tests(self):
        tests = sorted(map(str, (PACKAGE / "test").glob("*.test.mjs")))
        self.assertTrue(tests)
        done = run(["node", "--test", *tests], PACKAGE)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_package_contains_the_files_it_names_and_no_others(self):
        names = subprocess.run(["tar", "-tzf", self.archive], capture_output=True, text=True, check=True).stdout.split()
        fixed = {f"package/{name}" for name in ("LICENSE", "README.md", "package.json", "dist/tweencast.js")}
        self.assertLess(fixed, set(names))
        types = set(names) - fixed
        self.assertTrue(all(re.fullmatch(r"package/dist/types/[\w/-]+\.d\.ts", name) for name in types), types)
        manifest = json.loads((self.user / "node_modules/@tweencast/client/package.json").read_text())
        self.assertNotIn("dependencies", manifest)
        self.assertIn("package/" + manifest["types"].removeprefix("./"), types)

    def test_the_package_has_the_version_of_the_server(self):
        server = self.serve()
        manifest = json.loads((PACKAGE / "package.json").read_text())
        self.assertEqual(manifest["version"], server.request("GET", "/version")["version"])

    def problems(self, name: str) -> list[int]:
        """The lines of a file that the compiler refuses."""
        shutil.copy(PACKAGE / "test/types" / name, self.user)
        flags = ["--noEmit", "--strict", "--target", "es2022", "--module", "node16", "--moduleResolution", "node16"]
        output = run(["tsc", *flags, "--lib", "es2022,dom", name], self.user).stdout
        found = re.findall(rf"^{re.escape(name)}\((\d+),", output, re.MULTILINE)
        self.assertEqual(len(found), len(re.findall("error TS", output)), output)
        return [int(line) for line in found]

    def test_types_accept_correct_use_in_strict_mode(self):
        self.assertEqual(self.problems("right.ts"), [])

    def test_types_refuse_each_line_of_wrong_use(self):
        lines = (PACKAGE / "test/types/wrong.ts").read_text().splitlines()
        first = next(number for number, line in enumerate(lines, 1) if "set(true)" in line)
        self.assertEqual(sorted(set(self.problems("wrong.ts"))), list(range(first, len(lines) + 1)))


class UseTest(PackageTest):
    # What each example of the package's page prints, in part.
    EXAMPLES = ("262.5\n", "progress:build ", "1500 visitors\n", "422 /easing\n")

    def test_examples_of_its_page_work(self):
        server = self.serve()
        blocks = re.findall(r"^```js\n(.*?)^```", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), len(self.EXAMPLES))
        for block, output in zip(blocks, self.EXAMPLES):
            with self.subTest(block):
                (self.user / "example.mjs").write_text(block.replace("http://localhost:8080", server.url))
                done = run(["node", "--no-warnings", "example.mjs"], self.user)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(output, done.stdout)

    def test_a_stream_survives_kills_and_has_each_end_once(self):
        store = tempfile.mkdtemp(dir=self.folder)
        server = Server(data=store)
        self.addCleanup(lambda: server.close())
        items = self.program("items", server.url, "ticker:visitors", "notification:done")
        items.until(lambda line: line["item"] == "connected")
        for number in range(1, 4):
            server.post("ticker:visitors", by=1, duration=0)
            server.kill()
            # It is sent while there is no server.
            adding = self.program("add", server.url, "other", "1")
            server = Server(data=store, port=server.port)
            self.assertEqual(adding.until(lambda _: True), number)
            items.until(lambda line, text=str(number): line.get("text") == text)
        server.post("ticker:visitors", by=1, duration=0)
        server.request("POST", "/v1/notifications/done")
        items.until(lambda line: line.get("name") == "notification")
        # Events come in order, so that one sent twice would be among them.
        self.assertEqual(sum(line.get("name") == "complete" for line in items.seen), 4)
        items.until(lambda line: line.get("text") == "4")

    def test_the_client_connects_with_a_token(self):
        tokens = self.folder / "tokens.json"
        tokens.write_text(json.dumps({"tokens": [{"name": "worker", "token": TOKEN, "admin": True}]}))
        server = self.serve("--auth", f"tokens:{tokens}")
        refused = self.program("items", server.url, "ticker:visitors").until(lambda _: True)
        self.assertEqual((refused["item"], refused["status"]), ("refused", 401))
        done = run(["node", "program.mjs", "add", server.url, "visitors", "1"], self.user)
        self.assertIn("TweencastError", done.stderr)
        done = run(["node", "program.mjs", "add", server.url, "visitors", "1"], self.user, TWEENCAST_TOKEN=TOKEN)
        self.assertEqual(done.stdout, "1\n", done.stderr)
        items = self.program("items", server.url, "ticker:visitors", TWEENCAST_TOKEN=TOKEN)
        items.until(lambda line: line.get("text") == "1")

    @unittest.skipUnless(EVENT_SOURCE.exists(), "it needs node-eventsource")
    def test_the_client_sees_the_same_events_as_another_client(self):
        server = self.serve()
        own = self.program("items", server.url, "ticker:visitors")
        foreign = Lines(["node", "--eval", FOREIGN, "--", f"{server.url}/v1/events?ticker=visitors"])
        self.addCleanup(foreign.close)
        own.until(lambda line: line["item"] == "connected")
        foreign.until(lambda line: "hello" in line)
        for value in (1, 2.5, -1e-7, 1e21):
            server.post("ticker:visitors", to=value, duration=0, decimals=7)
            own.until(lambda line, value=value: line.get("value") == value)
            foreign.until(lambda line, value=value: line.get("complete") == value)
        values = [[line["value"] for line in lines.seen if "value" in line] for lines in (own, foreign)]
        self.assertEqual(*values)

    def test_the_client_works_in_a_page_of_another_origin(self):
        pages = Pages(self.user)
        self.addCleanup(pages.close)
        store = tempfile.mkdtemp(dir=self.folder)
        server = Server("--cors-origin", pages.url, data=store)
        self.addCleanup(lambda: server.close())
        (self.user / "page.html").write_text(PAGE.replace("SERVER", server.url))
        driver = Chromium()
        self.addCleanup(driver.quit)
        driver.get(f"{pages.url}/page.html")
        wait = WebDriverWait(driver, PATIENCE)
        add = "const [number, done] = arguments; window.add(number).then(({ target }) => done(target), done)"
        shown = "return document.querySelector('output').textContent"
        wait.until(lambda _: "connected" in driver.find_element(By.TAG_NAME, "ol").text)
        self.assertEqual(driver.execute_async_script(add, "1.50"), 1.5)
        wait.until(lambda _: driver.execute_script(shown) == "1.50")
        server.kill()
        wait.until(lambda _: "disconnected" in driver.find_element(By.TAG_NAME, "ol").text)
        # It is sent while there is no server.
        driver.execute_script("window.adding = window.add(1)")
        server = Server("--cors-origin", pages.url, data=store, port=server.port)
        wait.until(lambda _: driver.execute_script(shown) == "2.50")
        added = driver.execute_async_script("const [done] = arguments; adding.then(({ target }) => done(target))")
        self.assertEqual(added, 2.5)
        self.assertEqual(driver.find_element(By.TAG_NAME, "ol").text.count("complete"), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
