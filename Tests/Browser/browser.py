"""A test case with a server of its own, in the Chromium of its process."""

import json
import pathlib
import signal
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from selenium.webdriver import Keys

from driver import shared
from server import Server


class BrowserTest(unittest.TestCase):
    """`flags` go to the server. Each test starts in a browser that keeps nothing of the test before."""

    flags: tuple[str, ...] = ()
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.flags)
        cls.addClassCleanup(cls.server.close)
        cls.driver = shared()
        cls.driver.forget()
        # Its pages end before the server does.
        cls.addClassCleanup(shared)

    def setUp(self):
        type(self).driver = shared()

    def theme(self, name: str):
        """The system's theme, `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def visit(self, path: str = "/", url: str | None = None):
        self.driver.get((url or self.server.url) + path)
        self.live()

    def live(self):
        # A browser that has just started takes its time on a busy machine.
        self.until("return document.querySelector('#connection')?.dataset.state === 'live'", seconds=60)

    def run_script(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments, seconds: float = 10):
        """Waits for a script to give something true, and gives it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.driver.execute_script(script, *arguments):
                return value
            time.sleep(0.02)
        self.fail(f"not within {seconds} s: {script}, with {arguments}")

    def eventually(self, check, seconds: float = 10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := check():
                return value
            time.sleep(0.02)
        self.fail(f"not within {seconds} s")

    def click(self, selector: str):
        """Clicks in the middle of the window, clear of what sticks to its edges."""
        element = self.driver.find_element("css selector", selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def touch(self, kind: str, *points):
        """A finger comes down, moves or goes: `touchStart`, `touchMove`, `touchEnd`."""
        places = [{"x": x, "y": y} for x, y in points]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def open_form(self):
        """The form that starts something, in the panel that is closed at first."""
        if not self.run_script("return document.querySelector('#start').childElementCount"):
            self.run_script("document.querySelector('#view .starts').click()")
        self.until("return document.querySelector('#start .primary')")

    def card(self, key: str):
        there = "document.querySelector(`[data-key='${arguments[0]}']`)?.card.view.newest"
        self.until(f"return 'ready' in document.body.dataset && {there}", key)
        return self.driver.find_element("css selector", f"[data-key='{key}']")

    def see(self, key: str):
        """The card, in the middle of the window: what is out of sight is neither asked about nor drawn."""
        card = self.card(key)
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", card)
        return card

    def assertNoErrors(self):
        messages = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(messages, [])


class GuardedTest(BrowserTest):
    """A server that asks for tokens. Each test starts signed out, with the tokens of `entries`."""

    # What whoever brings no token may do.
    anonymous: dict | None = None
    entries = {
        "admin": {"admin": True},
        "shop": {"subscribe": ["ticker=shop-*"], "publish": ["ticker=shop-till"]},
        "writer": {"publish": ["*"]},
    }

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.tokens = pathlib.Path(folder.name) / "tokens.json"
        cls.write(cls.entries)
        cls.flags = (*cls.flags, "--auth", f"tokens:{cls.tokens}")
        super().setUpClass()
        cls.server.token = cls.token("admin")
        for name in ("shop-till", "shop-door", "bank"):
            cls.server.post(f"ticker:{name}", label="0", to=5, duration=0)

    def setUp(self):
        super().setUp()
        self.grant({})

    @staticmethod
    def token(name: str) -> str:
        return f"{name}-token-of-the-tests"

    @classmethod
    def write(cls, entries: dict):
        tokens = [{"name": name, "token": cls.token(name), **grant} for name, grant in entries.items()]
        anonymous = {"anonymous": cls.anonymous} if cls.anonymous else {}
        cls.tokens.write_text(json.dumps({**anonymous, "tokens": tokens}))

    def grant(self, entries: dict, without: str = ""):
        """Has the server read other tokens: `entries` besides those above, but for one."""
        # One that is there from now on tells when they are read.
        sign = f"sign-{time.monotonic_ns()}"
        kept = {name: grant for name, grant in self.entries.items() if name != without}
        self.write({**kept, **entries, sign: {}})
        self.server.process.send_signal(signal.SIGHUP)
        self.eventually(lambda: self.status("POST", "/v1/session", sign) == 204)

    def status(self, method: str, path: str, name: str) -> int:
        """What the server answers to a request with a token."""
        headers = {"Authorization": f"Bearer {self.token(name)}"}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.server.url + path, headers=headers, method=method)) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def ask(self, path: str = "/", url: str | None = None):
        """Opens a page that asks for a token, and gives the field."""
        self.driver.get((url or self.server.url) + path)
        return self.asked()

    def asked(self):
        self.until("return document.querySelector('.signin')")
        return self.driver.find_element("css selector", ".signin input")

    def enter(self, text: str):
        self.asked().send_keys(text, Keys.ENTER)

    def sign_in(self, name: str, path: str = "/", url: str | None = None):
        self.ask(path, url)
        self.enter(self.token(name))
        self.until("return !document.querySelector('.signin')")

    def reason(self, text: str):
        """Waits for the form to give a reason."""
        read = "return document.querySelector('.signin [role=alert]')?.textContent"
        try:
            self.until(f"{read} === arguments[0]", text)
        except AssertionError:
            self.assertEqual(self.run_script(read), text)
