"""A page with a plain EventSource in Chromium, by HTTPS and HTTP/2 through nginx, while the server is restarted."""

import re
import sys
import tempfile
import time
import unittest

from proxies import ROOT, Certificate, Nginx, wait_until
from source import Source

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from driver import Chromium  # noqa: E402
from server import Server  # noqa: E402

TOPICS = "/v1/events?ticker=*&notification=*"
ABSENCE = 3.0
# What a page does that knows nothing of restarts, and what came of it.
PAGE = """
window.opened = 0;
window.told = [];
window.source = new EventSource(arguments[0]);
source.onopen = () => opened++;
for (const kind of ["complete", "notification"]) {
  source.addEventListener(kind, (event) => told.push([event.lastEventId, kind, event.data]));
}
"""
# Browsers have six connections by HTTP/1.1.
MANY = 12


class BrowserTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = self.started()
        self.addCleanup(lambda: self.server.close())
        self.certificate = Certificate()
        self.addCleanup(self.certificate.remove)

    def started(self, port=0):
        # A short leave: those who are told of it come back when it is over.
        return Server("--drain-timeout", "2", port=port, data=self.folder)

    def open(self, edit=lambda text: text):
        """A page through nginx that listens."""
        proxy = Nginx(self.server.port, self.certificate, edit)
        self.addCleanup(proxy.close)
        self.driver = Chromium()
        self.addCleanup(self.driver.quit)
        self.driver.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": True})
        self.driver.get(proxy.url + "/favicon.svg")
        self.driver.execute_script(PAGE, TOPICS)
        self.until("return opened === 1")

    def until(self, script, *arguments):
        return wait_until(lambda: self.driver.execute_script(script, *arguments), script)

    def notify(self, name):
        self.server.post("ticker:told", to=0, duration=0, then=[{"notify": name}])

    def until_told(self, name):
        self.until("return told.some(([, , data]) => data.includes(arguments[0]))", f'"{name}"')

    def restart(self, wait):
        """Stops the server, and starts it where it was when whatever is waited for has come."""
        port = self.server.port
        self.notify("begin")
        self.until_told("begin")
        for number in range(10):
            self.server.post(f"ticker:moving-{number}", to=10, duration=0.3 * number, then=[{"notify": f"end-{number}"}])
        self.server.close()
        wait()
        self.server = self.started(port)

    def told_since(self, first, name):
        """What the server itself has told since an event, up to a notification."""
        source = Source(self.server.url + TOPICS, last=first)
        self.addCleanup(source.end)
        wait_until(lambda: source.has_been_notified(name), f"{name} wasn't told")
        return [list(event) for event in source.events]

    def test_a_page_reconnects_after_the_server_was_away(self):
        self.open()
        begin = time.monotonic()

        def is_over():
            return self.driver.execute_script("return opened") > 2 and time.monotonic() > begin + ABSENCE

        self.restart(lambda: wait_until(is_over, "nginx never answered in the server's place"))
        self.until_told("end-9")
        self.notify("end")
        self.until_told("end")
        told = self.driver.execute_script("return told")
        first = told[0][0]
        self.assertEqual(told[1:], self.told_since(first, "end"))
        self.assertEqual(self.driver.execute_script("return source.readyState"), 1)

    def test_without_the_recipes_error_page_a_page_stays_disconnected(self):
        self.open(lambda text: re.sub(r"error_page.*", "", text))
        self.restart(lambda: self.until("return source.readyState === EventSource.CLOSED"))
        # Another one of the same page is told again.
        self.driver.execute_script("window.lost = { source, told }")
        self.driver.execute_script(PAGE, TOPICS)
        self.until("return opened === 1")
        self.notify("end")
        self.until_told("end")
        self.assertEqual(self.driver.execute_script("return lost.source.readyState"), 2)
        self.assertNotIn('"end"', str(self.driver.execute_script("return lost.told")))

    def test_a_page_may_have_many_streams(self):
        self.open()
        script = "window.sources = Array.from({ length: arguments[1] }, () => new EventSource(arguments[0]))"
        self.driver.execute_script(script, TOPICS, MANY)
        self.until("return sources.every((source) => source.readyState === EventSource.OPEN)")


if __name__ == "__main__":
    unittest.main(verbosity=2)
