"""What is on a page stays where it is while the page comes: layout shift, on first visits and later ones, fast and slow."""

import time

from browser import BrowserTest
from measure_loading import SlowLink
from test_loading import bundled

# Of Google's "good" a fifth.
MOST = 0.02
# A digit that comes or goes rolls, and moves its neighbours by less than this in each of its frames: that is motion, no jump.
ROLL = 0.002
WATCH = """window.shifts = [];
new PerformanceObserver((list) => {
  for (const {value, startTime, hadRecentInput} of list.getEntries()) if (!hadRecentInput) shifts.push([value, startTime]);
}).observe({type: 'layout-shift', buffered: true});"""


class JumpTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.flags = ("--demo", "--public", bundled(cls))
        super().setUpClass()
        cls.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def shift(self, url: str) -> float:
        """What moved without being asked, until all cards have been there for a while."""
        self.driver.get(url)
        self.live()
        self.until("return 'ready' in document.body.dataset && document.querySelectorAll('.card').length === 11", seconds=30)
        # What a page asks the server for then comes within some round trips.
        time.sleep(1.5)
        return sum(value for value, _ in self.run_script("return shifts") if value >= ROLL)

    def jumps(self, width: int, height: int, trip: float, queries: tuple[str, ...]):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        link = SlowLink(self.server.port, trip, 1e9)
        for query in queries:
            self.driver.get(link.url + "/favicon.svg")
            self.run_script("localStorage.clear()")
            for visit in ("first", "second"):
                with self.subTest(width=width, trip=trip, query=query, visit=visit):
                    self.assertLessEqual(self.shift(f"{link.url}/{query}"), MOST)

    def test_nothing_jumps_on_a_desk(self):
        self.jumps(1280, 900, 0, ("", "?layout=rows", "?layout=wall", "?kiosk=1", "?dir=rtl", "?lang=de"))

    def test_nothing_jumps_over_a_slow_network(self):
        self.jumps(1280, 900, 0.2, ("", "?layout=wall"))

    def test_nothing_jumps_on_a_phone(self):
        self.jumps(390, 844, 0, ("",))
        self.jumps(390, 844, 0.2, ("", "?lang=de"))

    def test_nothing_jumps_on_a_tablet(self):
        self.jumps(800, 1100, 0.2, ("?lang=de",))
