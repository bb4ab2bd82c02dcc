"""A headless Firefox, driven by WebDriver BiDi, which it speaks itself: Debian has no geckodriver."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

import drawn
import websocket

# Nothing is asked of anybody but the server under test, and nothing is in the way of the page.
PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}
# Gives what a script returns as JSON, so that it is the same here; arguments come as JSON, too.
CALL = "async (json) => JSON.stringify(await (async function () {\n%s\n})(...JSON.parse(json)) ?? null)"


class Firefox:
    """One process with a profile of its own and one tab."""

    def __init__(self, width: int = 1280, height: int = 900):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        profile = pathlib.Path(self.folder.name)
        lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
        # Its children go with it: they are one group.
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, process_group=0,
            env={**os.environ, "HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        try:
            self.socket = websocket.create_connection(f"{self._address()}/session", timeout=60, suppress_origin=True)
        except BaseException:
            self._end()
            raise
        self.count = 0
        self.events: list[dict] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def _address(self) -> str:
        said = []
        for line in self.process.stderr:
            said.append(line)
            if line.startswith("WebDriver BiDi listening on "):
                # What it says from here on nobody reads; a full pipe would hold it up.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return line.split()[-1]
        raise RuntimeError(f"Firefox did not start: {''.join(said)}")

    def ask(self, method: str, **parameters) -> dict:
        """Sends a command and gives its result; events that come meanwhile are kept."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer["type"] == "event":
                self.events.append(answer)
            elif answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
            elif answer["id"] == self.count:
                return answer["result"]

    def get(self, url: str):
        self.ask("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def run(self, script: str, *arguments):
        """What a script returns, which may be a promise."""
        told = self.ask(
            "script.callFunction",
            functionDeclaration=CALL % script,
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self.tab},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise RuntimeError(f"{told['exceptionDetails']['text']}: {script}")
        return json.loads(told["result"]["value"])

    def until(self, script: str, *arguments, seconds: float = 20):
        """Waits for a script to give something true, and gives it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(script, *arguments):
                return value
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {script}")

    def drag(self, start: tuple[float, float], end: tuple[float, float]):
        """Drags with the left button, by way of the middle."""
        middle = tuple((a + b) / 2 for a, b in zip(start, end))
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in (start, middle, end)]
        steps = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self.ask("input.performActions", context=self.tab, actions=[pointer])

    def errors(self) -> list[str]:
        """What the console had of errors so far."""
        self.run("")
        entries = [event["params"] for event in self.events if event["method"] == "log.entryAdded"]
        return [entry["text"] for entry in entries if entry["level"] == "error"]

    def screenshot(self, **options) -> str:
        """What the window shows, as a PNG in base64."""
        return self.ask("browsingContext.captureScreenshot", context=self.tab, **options)["data"]

    def close(self):
        self.socket.close()
        self._end()

    def _end(self):
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stderr.close()
        self.folder.cleanup()


class Picture(drawn.Picture):
    """What the window of a Firefox shows from its top left corner on."""

    def __init__(self, firefox: Firefox, width: int, height: int):
        shot = firefox.screenshot(clip={"type": "box", "x": 0, "y": 0, "width": width, "height": height})
        read = "return new Promise((done) => (function () { %s })(arguments[0], done))"
        self.rows = firefox.run(read % drawn.PIXELS, shot)
        self.scale = 1
