"""The page of examples: what it shows works, its code is what makes it, and what isn't there can be made."""

from browser import BrowserTest
from server import Proxy, Server
from test_accessibility import AxeTest as Axe


class ExamplesTest(Axe):
    flags = ("--demo",)

    def open(self, query: str = "", url: str | None = None):
        self.driver.get(f"{url or self.server.url}/embedding.html{query}")
        self.until("return document.querySelectorAll('.code').length > 10")

    def live(self):
        """Waits until all that is seen shows its resource."""
        self.until("""return [...document.querySelectorAll('.live :is(tween-ticker, tween-progress, tween-schedule)')]
            .every((view) => view.text || view.matches('[when]'))""")

    def test_the_example_page_uses_one_stream_and_is_accessible_in_both_themes(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        for theme, query, width in (("light", "", 1280), ("dark", "?lang=de", 390)):
            with self.subTest(theme=theme):
                self.theme(theme)
                self.resize(width)
                self.open(query, proxy.url)
                self.live()
                self.until("return document.querySelector('.live progress').value > 0")
                self.assertAccessible()
                self.assertEqual(self.run_script("return document.documentElement.scrollWidth"), width)
        self.assertNoErrors()
        self.assertEqual(len([line for line in proxy.lines if line.startswith("POST /v1/events")]), 2)

    def test_the_code_beside_it_is_whole_and_can_be_copied(self):
        self.open()
        codes = self.run_script("return [...document.querySelectorAll('.code pre')].map(({textContent}) => textContent)")
        for code in codes:
            self.assertNotIn("tweens.example", code)
        self.assertIn(f'<tween-ticker class="large" wheels src="{self.server.url}/v1/tickers/revenue">$1,204.50</tween-ticker>', codes)
        # On a page of its own it does what it does here.
        self.driver.get(self.server.url + "/healthz")
        self.run_script("""return (async () => {
            await import('/embed.js');
            document.body.innerHTML = arguments[0];
            })()""".replace("arguments[0]", repr(next(code for code in codes if "data-tween" in code))))
        self.until("return document.querySelector('h3').textContent !== '$1,204.50'")

    def test_a_number_counts_up_once_more_and_the_page_can_be_paused(self):
        self.open()
        self.click("[name=again]")
        self.until("return document.querySelector('tween-ticker[when]').text")
        self.driver.find_element("css selector", "#pace [value=paused]").click()
        self.assertEqual(self.run_script("return document.querySelector('tween-ticker').pace"), "paused")

    def test_the_example_page_shows_the_selected_item(self):
        self.open()
        self.click("tween-marquee [role=option]:nth-child(2)")
        self.until("return document.querySelector('#chosen').textContent === 'A2'")


class EmptyTest(BrowserTest):
    def test_the_example_page_creates_missing_resources_on_a_click(self):
        server = Server()
        self.addCleanup(server.close)
        self.driver.get(server.url + "/embedding.html")
        self.until("return !document.querySelector('#missing').hidden")
        self.assertEqual(server.request("GET", "/v1/tickers")["items"], [])
        self.click("#missing button")
        self.until("return document.querySelector('#missing').hidden", seconds=20)
        made = [[item[kind] for item in server.request("GET", path)["items"]]
                for kind, path in (("ticker", "/v1/tickers"), ("progress", "/v1/progress"), ("schedule", "/v1/schedules"))]  # fmt: skip
        self.assertEqual(made, [["revenue"], ["download"], ["next-sale"]])
