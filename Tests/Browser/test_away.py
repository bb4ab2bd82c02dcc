"""Pages that are away for a while: in the browser's cache behind another page, or frozen in the background."""

from browser import BrowserTest

# The numbers that the page shows, by topic.
SHOWN = "Object.fromEntries([...document.querySelectorAll('.card')].map(({card}) => [card.key, card.view.text]))"


class PageTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.first = self.driver.current_window_handle
        self.open_page()

    def open_page(self):
        for name in ("stays", "goes"):
            self.server.post(f"ticker:{name}", label="0", to=1, duration=0)
        self.visit()
        self.card("ticker:goes")
        self.run_script("window.isSamePage = true")

    def open_another_tab(self):
        self.driver.switch_to.new_window("tab")
        self.visit()
        self.driver.switch_to.window(self.first)

    def change(self):
        """What happens while the page is away."""
        self.server.request("DELETE", "/v1/tickers/goes")
        self.server.post("ticker:stays", to=2, duration=0)

    def clients(self) -> int:
        return self.server.request("GET", "/v1/clients")["count"]

    def shows_what_there_is(self):
        self.until(f"return JSON.stringify({SHOWN}) === arguments[0]", '{"ticker:stays":"2"}')
        self.assertTrue(self.run_script("return isSamePage"))
        self.server.post("ticker:stays", to=3, duration=0)
        self.until(f"return {SHOWN}['ticker:stays'] === '3'")


class CacheTest(PageTest):
    def leave_and_return(self, change, prepare=lambda: None):
        """Goes on to another page and back. Now and then Chromium has dropped the page from its cache; then it goes again."""
        for _ in range(5):
            prepare()
            self.driver.get(self.server.url + "/favicon.svg")
            change()
            self.driver.back()
            if self.run_script("return window.isSamePage === true"):
                return
            self.open_page()
        self.fail("Chromium never kept the page")

    def test_a_page_from_the_cache_shows_what_there_is_now(self):
        self.leave_and_return(self.change)
        self.shows_what_there_is()

    def test_a_cached_page_shows_current_values_though_another_tab_kept_the_stream(self):
        self.open_another_tab()
        self.leave_and_return(self.change)
        self.shows_what_there_is()

    def test_a_motion_that_was_cut_off_meanwhile_is_not_shown_on(self):
        def prepare():
            self.server.post("ticker:stays", to=1000, duration=600)
            self.run_script("""document.body.innerHTML = '<tween-ticker mode=motion src=/v1/tickers/stays></tween-ticker>';
                window.view = document.body.firstChild;""")
            self.until("return view.player?.isPlaying")

        self.open_another_tab()
        self.leave_and_return(lambda: self.server.post("ticker:stays", to=-7, duration=0), prepare)
        self.until("return view.text === '-7'")


class FrozenTest(PageTest):
    def freeze(self, state: str):
        self.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": state})

    def test_a_frozen_page_is_sent_nothing_and_then_shows_what_there_is(self):
        self.freeze("frozen")
        self.eventually(lambda: self.clients() == 0)
        self.change()
        self.freeze("active")
        # Freezing has hidden it; it is shown when a tab over it closes.
        self.driver.switch_to.new_window("tab")
        self.driver.close()
        self.driver.switch_to.window(self.first)
        self.shows_what_there_is()
