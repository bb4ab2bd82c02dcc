"""One number at one moment, wherever it is looked at: all displays show the same text."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.common.exceptions import JavascriptException

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from driver import Chromium  # noqa: E402
from drawn import SHOWN  # noqa: E402
from server import Server  # noqa: E402
from tested import program  # noqa: E402

PATIENCE = 60
# Paused on the way, at rest, and with a bar of its own; digits of two scripts.
UPDATES = {
    "/v1/tickers/revenue": {
        "label": "Umsatz: 0,00 €", "decimals": 2, "from": 0, "to": 1234.5, "duration": 3600, "easing": "linear"},
    "/v1/tickers/sales": {"label": "المبيعات ١٢٫٥ ريال", "to": 99.25, "duration": 0},
    "/v1/progress/build": {"label": "{bar} {percent}% of {maximum}", "maximum": 200, "current": 69, "duration": 0},
}
TOPICS = ["ticker:revenue", "ticker:sales", "progress:build"]
QUERY = "ticker=revenue&ticker=sales&progress=build"


class Terminal:
    """A command in a terminal of tmux."""

    def __init__(self, *command: str):
        self.folder = tempfile.TemporaryDirectory()
        self.tmux = ["tmux", "-u", "-f", "/dev/null", "-S", self.folder.name + "/socket"]
        environment = os.environ | {"LANG": "C.UTF-8", "TERM": "xterm-256color"}
        subprocess.run(
            [*self.tmux, "new-session", "-d", "-x", "100", "-y", "12", *command], check=True, env=environment)

    def text(self) -> str:
        shown = subprocess.run([*self.tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True)
        return shown.stdout

    def close(self):
        subprocess.run([*self.tmux, "kill-server"], check=False)
        self.folder.cleanup()


class DisplaysTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        for path, update in UPDATES.items():
            cls.server.request("POST", path, update)
        cls.server.request("POST", "/v1/tickers/revenue/seek", {"fraction": 0.5})
        cls.server.request("POST", "/v1/tickers/revenue/pause")
        cls.texts = [cls.server.request("GET", path)["text"] for path in UPDATES]

    def test_sample_texts_in_three_languages_are_as_written_by_hand(self):
        revenue, sales, build = self.texts
        self.assertRegex(revenue, r"^Umsatz: 617,2\d €$")
        self.assertEqual(sales, "المبيعات ٩٩٫٢٥ ريال")
        self.assertEqual(build, "███▌░░░░░░ 34% of 200")

    def assert_all_in(self, look, what: str):
        """Waits until a display shows every text."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not all(text in look() for text in self.texts):
            time.sleep(0.05)
        shown = look()
        for text in self.texts:
            self.assertIn(text, shown, what)

    def test_curl_in_a_terminal(self):
        terminal = Terminal("curl", "-sN", f"{self.server.url}/v1/events?{QUERY}&as=terminal&width=100")
        self.addCleanup(terminal.close)
        self.assert_all_in(terminal.text, "curl")

    def test_the_program_in_a_terminal(self):
        command = [program(), "watch", "--server", self.server.url, *TOPICS]
        terminal = Terminal(*map(str, command))
        self.addCleanup(terminal.close)
        self.assert_all_in(terminal.text, "watch")

    def test_a_stream_of_texts(self):
        # What is paused is not at rest, so the stream would go on.
        address = f"{self.server.url}/v1/events?ticker=sales&progress=build&once"
        command = ["curl", "-sN", "-H", "Accept: text/plain", address]
        lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
        self.assertEqual(sorted(lines.splitlines()), sorted(self.texts[1:]))

    def test_the_board_and_pictures(self):
        driver = Chromium()
        self.addCleanup(driver.quit)
        driver.get(self.server.url)
        for topic, text in zip(TOPICS, self.texts, strict=True):
            with self.subTest(topic=topic):
                if topic.startswith("ticker:"):
                    self.assert_shown(driver, SHOWN, text, f"[data-key='{topic}'] tween-ticker")
                else:
                    script = "return document.querySelector(arguments[0]).shadowRoot.textContent"
                    self.assert_shown(driver, script, text, f"[data-key='{topic}'] tween-progress")
        if folder := os.environ.get("SCREENSHOTS"):
            driver.save_screenshot(f"{folder}/board.png")
        for path, text in zip(UPDATES, self.texts, strict=True):
            with self.subTest(picture=path):
                driver.get(f"{self.server.url}{path}/image.svg")
                self.assert_shown(driver, "return document.documentElement.textContent", text)

    def assert_shown(self, driver, script: str, text: str, *arguments):
        def shown() -> str:
            try:
                return driver.execute_script(script, *arguments) or ""
            except JavascriptException:
                return ""  # not drawn yet

        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and text not in shown():
            time.sleep(0.05)
        self.assertIn(text, shown())

    def test_the_clients_of_three_languages(self):
        python = str(ROOT / "clients/python/tests/program.py")
        commands = {
            "python": [sys.executable, python], "javascript": ["node", str(ROOT / "clients/javascript/test/program.mjs")],
            "swift": [str(ROOT / ".build/debug/client-vectors")],
        }
        environment = os.environ | {"PYTHONPATH": str(ROOT / "clients/python/src")}
        for name, command in commands.items():
            with self.subTest(client=name):
                process = subprocess.Popen(
                    [*command, "items", self.server.url, *TOPICS], stdout=subprocess.PIPE, text=True, env=environment)
                shown: dict[str, str] = {}
                for line in process.stdout:
                    item = json.loads(line)
                    if item["item"] == "frame":
                        shown[item["topic"]] = item["text"]
                    if len(shown) == len(TOPICS):
                        break
                process.kill()
                process.wait()
                process.stdout.close()
                self.assertEqual([shown[topic] for topic in TOPICS], self.texts)


if __name__ == "__main__":
    unittest.main(verbosity=2)
