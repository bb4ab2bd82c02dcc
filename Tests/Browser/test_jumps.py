"""What is on a page stays where it is while the page comes: layout shift, on first visits and later ones, fast and slow."""

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
# Whether all cards are there, those in sight with their details, and no answer has come for some milliseconds.
QUIET = """const cards = [...document.querySelectorAll('.card')].map(({card}) => card);
const answers = performance.getEntriesByType('resource').map(({responseEnd}) => responseEnd);
return 'ready' in document.body.dataset && cards.length === 11 && cards.every(({isVisible, resource}) => resource || !isVisible)
  && performance.now() - Math.max(...answers) > arguments[0];"""


class JumpTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.flags = ("--demo", "--public", bundled(cls))
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def shift(self, url: str, trip: float) -> float:
        """What moved without being asked, until all cards are there and what the page then asks the server for."""
        self.driver.get(url)
        self.live()
        self.until(QUIET, 300 + 2000 * trip, seconds=30)
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
                    self.assertLessEqual(self.shift(f"{link.url}/{query}", trip), MOST)

    def test_nothing_jumps_on_a_desk(self):
        self.jumps(1280, 900, 0, ("", "?layout=rows", "?layout=wall", "?kiosk=1", "?dir=rtl", "?lang=de"))

    def test_nothing_jumps_over_a_slow_network(self):
        self.jumps(1280, 900, 0.2, ("", "?layout=wall"))

    def test_nothing_jumps_on_a_phone(self):
        self.jumps(390, 844, 0, ("",))
        self.jumps(390, 844, 0.2, ("", "?lang=de"))

    def test_nothing_jumps_on_a_tablet(self):
        self.jumps(800, 1100, 0.2, ("?lang=de",))
