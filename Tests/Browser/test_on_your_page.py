"""The page of docs/on-your-page.md, as it stands, on another origin: it shows live numbers, can be paused, and gets on when the
server comes later; so does one with a copy of embed.js. And the countdown of docs/on-a-stream.md."""

import functools
import http.server
import pathlib
import shutil
import tempfile
import threading

from browser import BrowserTest
from ports import free_port
from server import ROOT, Server

PAGE = ROOT / "docs/examples/on-your-page.html"


class Files(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        # A page that a test writes again within the same second would be answered 304.
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        pass


class OnYourPageTest(BrowserTest):
    flags = ("--cors-read-origin", "*")

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Browsers ask for it by themselves.
        self.folder.joinpath("favicon.ico").touch()
        handler = functools.partial(Files, directory=folder.name)
        pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        self.addCleanup(pages.server_close)
        self.addCleanup(pages.shutdown)
        self.origin = f"http://127.0.0.1:{pages.server_port}"
        self.addCleanup(self.driver.get, "about:blank")

    def open(self, server: str, html: str | None = None):
        text = (html or PAGE.read_text()).replace("http://localhost:8080", server)
        self.folder.joinpath("page.html").write_text(text)
        self.driver.get(f"{self.origin}/page.html")

    @staticmethod
    def fill(server: Server):
        server.post("ticker:readers", label="12,345 readers", to=12400, duration=0)
        looks = {"style": "currency", "currency": "USD", "maximumDecimals": 0}
        server.request("PUT", "/v1/progress/fund", {"maximum": 5000, "label": "{current} raised of {maximum}", "format": looks})
        server.post("progress:fund", current=2000, duration=0)

    def shows(self, number: str, goal: str, value: int):
        self.until("return document.querySelector('tween-ticker').text === arguments[0]", number, seconds=30)
        self.until("return document.querySelector('#goal').textContent === arguments[0]", goal)
        self.until("return document.querySelector('progress').value === arguments[0]", value)

    def test_the_page_shows_live_numbers_and_can_be_paused(self):
        self.fill(self.server)
        self.open(self.server.url)
        self.shows("12,400 readers", "$2,000 raised of $5,000", 2000)
        self.click("#pause")
        self.until("return document.querySelector('#pause').matches('[aria-pressed=true]')")
        self.assertEqual(self.run_script("return document.querySelector('tween-ticker').pace"), "paused")
        self.click("#pause")
        self.until("return document.querySelector('#pause').matches('[aria-pressed=false]')")
        self.server.post("ticker:readers", to=12500, duration=0)
        self.server.post("progress:fund", current=2500, duration=0)
        self.shows("12,500 readers", "$2,500 raised of $5,000", 2500)
        self.assertNoErrors()

    def test_the_page_has_colours_of_its_own_by_night(self):
        self.open(self.server.url)
        colour = "return getComputedStyle(document.querySelector('tween-ticker')).color"
        self.assertEqual(self.run_script(colour), "rgb(10, 108, 74)")
        self.theme("dark")
        self.until(f"{colour} === 'rgb(95, 211, 165)'")

    def test_a_page_that_was_loaded_before_the_server_came_gets_its_numbers(self):
        port = free_port()
        self.open(f"http://127.0.0.1:{port}")
        self.assertEqual(self.driver.find_element("tag name", "tween-ticker").text, "12,345 readers")
        self.assertEqual(self.run_script("return document.querySelector('progress').value"), 1250)
        self.eventually(lambda: any("embed.js" in entry["message"] for entry in self.driver.get_log("browser")))
        server = Server(*self.flags, port=port)
        self.addCleanup(server.close)
        self.fill(server)
        self.shows("12,400 readers", "$2,000 raised of $5,000", 2000)

    def test_a_copy_of_embed_connects_when_the_server_comes(self):
        for name in ("embed.js", "js"):
            copy = shutil.copytree if name == "js" else shutil.copy
            copy(ROOT / "public" / name, self.folder / name)
        port = free_port()
        self.open(f"http://127.0.0.1:{port}", """<!doctype html><script type="module" src="embed.js"></script>
            <tween-ticker src="http://localhost:8080/v1/tickers/readers">12,345 readers</tween-ticker>""")
        self.until("return document.querySelector('tween-ticker').stale === 'connecting'")
        server = Server(*self.flags, port=port)
        self.addCleanup(server.close)
        self.fill(server)
        self.until("return document.querySelector('tween-ticker').text === '12,400 readers'", seconds=30)
        scripts = "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /[.]js$/.test(name))"
        self.assertTrue(all(name.startswith(self.origin) for name in self.run_script(f"return {scripts}")))

    def test_an_overlay_is_framed_by_pages_of_listed_origins_alone(self):
        other = f"http://127.0.0.1:{free_port()}"
        for origin, is_shown in ((self.origin, True), (other, False)):
            server = Server("--cors-read-origin", origin)
            self.addCleanup(server.close)
            self.fill(server)
            self.open(server.url, '<iframe src="http://localhost:8080/overlay?ticker=readers"></iframe>')
            self.driver.switch_to.frame(0)
            shown = "return document.querySelector('tween-ticker')?.text ?? ''"
            if is_shown:
                self.until(f"{shown[:-6]} === '12,400 readers'")
            else:
                # The browser shows a page of its own in place of the answer.
                self.until("return location.protocol === 'chrome-error:'")
                self.assertEqual(self.run_script(shown), "")
            self.driver.switch_to.default_content()

    def test_a_countdown_on_an_overlay_ends_with_its_words(self):
        begin = {"id": "start", "in": 2, "label": "Starting in {clock}", "ended": "Starting now!"}
        self.driver.get(f"{self.server.url}/overlay?schedule=start")
        text = "return document.querySelector('tween-schedule').text"
        # The second time it begins where the first one ended.
        for _ in range(2):
            self.server.request("POST", "/v1/schedules", begin)
            self.until(f"{text} === 'Starting in 0:01'")
            self.until(f"{text} === 'Starting in 0:00'")
            self.until(f"{text} === 'Starting now!'")
        self.driver.refresh()
        self.until(f"{text} === 'Starting now!'")
        self.assertIsNone(self.run_script("return document.querySelector('tween-schedule').stale"))
