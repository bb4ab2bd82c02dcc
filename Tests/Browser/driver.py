"""Chromium, driven by WebDriver. The tests of a process share one, which each finds as if it had just been started."""

import atexit
import os
import pathlib
import re
import signal
import urllib.parse

import urllib3.exceptions
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder

# Longer than a script may run; a command that isn't answered by then never is.
ANSWER_SECONDS = 60
SCRIPT_SECONDS = 30

# What undoes the settings that tests make by the DevTools protocol.
UNDOING = {
    "Browser.setPermission": ("Browser.resetPermissions", {}),
    "CSS.enable": ("CSS.disable", {}),
    "DOM.enable": ("DOM.disable", {}),
    "Emulation.setDefaultBackgroundColorOverride": ("Emulation.setDefaultBackgroundColorOverride", {}),
    "Emulation.setEmulatedMedia": ("Emulation.setEmulatedMedia", {"media": "", "features": []}),
    "Emulation.setScriptExecutionDisabled": ("Emulation.setScriptExecutionDisabled", {"value": False}),
    "Emulation.setTimezoneOverride": ("Emulation.setTimezoneOverride", {"timezoneId": ""}),
    "Emulation.setTouchEmulationEnabled": ("Emulation.setTouchEmulationEnabled", {"enabled": False}),
    "Network.enable": ("Network.disable", {}),
    "Network.setBlockedURLs": ("Network.setBlockedURLs", {"urls": []}),
    "Page.setWebLifecycleState": ("Page.setWebLifecycleState", {"state": "active"}),
    "Performance.enable": ("Performance.disable", {}),
    "Security.setIgnoreCertificateErrors": ("Security.setIgnoreCertificateErrors", {"ignore": False}),
}
METRICS = "Emulation.setDeviceMetricsOverride"
ADD_SCRIPT = "Page.addScriptToEvaluateOnNewDocument"
# These set nothing that outlasts the page.
PASSING = re.compile(r"\w+\.(get|query|capture|collect|dispatch|print)\w*$|Page\.removeScriptToEvaluateOnNewDocument$")


class Chromium(webdriver.Chrome):
    """A headless one with a profile of its own and one window."""

    def __init__(self, width: int = 1280, height: int = 900):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self._is_fresh = False
        super().__init__(options=options, service=Service("/usr/bin/chromedriver"))
        self.command_executor.client_config.timeout = ANSWER_SECONDS
        # Its profile is locked by a link that names it: host-pid.
        lock = pathlib.Path(self.capabilities["chrome"]["userDataDir"]) / "SingletonLock"
        self.process_id = int(os.readlink(lock).rpartition("-")[2])
        self.set_script_timeout(SCRIPT_SECONDS)
        self._window = self.current_window_handle
        self._metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._origins: set[str] = set()
        self._undoing: dict[str, dict] = {}
        self._scripts: list[dict] = []
        super().execute_cdp_cmd(METRICS, self._metrics)
        self._is_fresh = True

    def execute(self, driver_command: str, params: dict | None = None) -> dict:
        self._is_fresh = False
        return super().execute(driver_command, params)

    def get(self, url: str):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme.startswith("http"):
            self._origins.add(f"{parts.scheme}://{parts.netloc}")
        super().get(url)

    def execute_cdp_cmd(self, cmd: str, cmd_args: dict):
        """Settings that are made this way are undone by `clear`; one that it couldn't undo is refused."""
        if cmd in UNDOING:
            undo, parameters = UNDOING[cmd]
            self._undoing[undo] = parameters
        elif cmd not in (METRICS, ADD_SCRIPT) and not PASSING.match(cmd):
            raise ValueError(f"{cmd}: UNDOING in driver.py must say what undoes it")
        answer = super().execute_cdp_cmd(cmd, cmd_args)
        if cmd == ADD_SCRIPT:
            self._scripts.append(answer)
        return answer

    def clear(self):
        """Closes what a test has opened, and undoes what it has set and stored. The HTTP cache stays."""
        is_fresh = self._is_fresh
        # Asked in either case: it shows whether the browser answers.
        windows = self.window_handles
        if is_fresh:
            self._is_fresh = True
            return
        for window in windows:
            if window != self._window:
                self.switch_to.window(window)
                self.close()
        # Out of any frame, too.
        self.switch_to.window(self._window)
        self._undo()
        ActionBuilder(self).clear_actions()
        # A script's way there keeps the process that draws the page, which spares the next page half of its time.
        self.execute_script("location.replace('about:blank')")
        if self.current_url != "about:blank":
            self.get("about:blank")
        for origin in self._origins:
            self._forget(origin)
        self._origins.clear()
        super().execute_cdp_cmd("Page.resetNavigationHistory", {})
        self.get_log("browser")
        self._is_fresh = True

    def forget(self):
        """Removes what pages of all origins have stored, and the HTTP cache. This costs as much as half a page."""
        is_fresh = self._is_fresh
        self._forget("*")
        super().execute_cdp_cmd("Network.clearBrowserCache", {})
        self._is_fresh = is_fresh

    def _undo(self):
        command = super().execute_cdp_cmd
        for undo, parameters in self._undoing.items():
            command(undo, parameters)
        self._undoing.clear()
        for script in self._scripts:
            command("Page.removeScriptToEvaluateOnNewDocument", script)
        self._scripts.clear()
        command(METRICS, self._metrics)

    def _forget(self, origin: str):
        super().execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    def end(self):
        """Ends it although it doesn't answer."""
        try:
            os.kill(self.process_id, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            self.quit()
        except UNANSWERED:
            self.service.stop()


UNANSWERED = (WebDriverException, urllib3.exceptions.HTTPError, OSError)
_shared: Chromium | None = None


def shared() -> Chromium:
    """The one of this process, as if it had just been started. One that doesn't answer is replaced."""
    global _shared
    if _shared:
        try:
            _shared.clear()
            return _shared
        except UNANSWERED as error:
            print(f"Chromium doesn't answer and is replaced: {str(error).partition(chr(10))[0]}")
            _shared.end()
    else:
        atexit.register(lambda: _shared.quit())
    _shared = Chromium()
    return _shared
