"""A test case with a server and a headless Chromium of its own."""

import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from server import Server


def chromium(width: int = 1280, height: int = 900) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.set_script_timeout(30)
    return driver


class BrowserTest(unittest.TestCase):
    """`flags` go to the server. Each test starts on a fresh page."""

    flags: tuple[str, ...] = ()
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.flags)
        cls.addClassCleanup(cls.server.close)
        cls.driver = chromium()
        cls.addClassCleanup(cls.driver.quit)

    def theme(self, name: str):
        """The system's theme, `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def visit(self, path: str = "/", url: str | None = None):
        self.driver.get((url or self.server.url) + path)
        self.until("return document.querySelector('#connection')?.dataset.state === 'live'")

    def run_script(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments, seconds: float = 10):
        """Waits for a script to give something true, and gives it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.driver.execute_script(script, *arguments):
                return value
            time.sleep(0.02)
        self.fail(f"not within {seconds} s: {script}")

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

    def card(self, key: str):
        self.until("return document.querySelector(`[data-key='${arguments[0]}']`)?.children[1].newest", key)
        return self.driver.find_element("css selector", f"[data-key='{key}']")

    def see(self, key: str):
        """The card, in the middle of the window: what is out of sight is neither asked about nor drawn."""
        card = self.card(key)
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", card)
        return card

    def assertNoErrors(self):
        messages = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(messages, [])
