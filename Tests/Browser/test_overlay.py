"""One number over a picture: what the address has of it, what it can't mean, and what shows when nothing comes."""

from urllib.parse import urlencode

from browser import BrowserTest
from drawn import Picture
from server import Server

PAGE = "/overlay"


class OverlayTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.post("ticker:revenue", label="$0.00", to="12.50", duration=0)
        cls.server.post("progress:build", current=42, duration=0, appearance={"shape": "pie"})
        cls.server.request("PUT", "/v1/schedules/tea", {"in": 3000, "label": "Tea in {minutes} min", "do": [{"notify": "Tea"}]})

    def open(self, server: Server | None = None, **asked: str):
        self.driver.get(f"{(server or self.server).url}{PAGE}?{urlencode(asked)}")
        return self.until("return document.querySelector('.shown')")

    def shows(self, text: str):
        self.until("return document.querySelector('.shown').lastChild.newest?.text === arguments[0]", text)

    def style(self, name: str, element: str = "body") -> str:
        return self.run_script("return getComputedStyle(document.querySelector(arguments[1]))[arguments[0]]", name, element)

    def test_each_kind_is_shown_alone(self):
        for asked, text in (({"ticker": "revenue"}, "$12.50"), ({"progress": "build"}, "42%"),
                            ({"progress": "build", "shape": "ring"}, "42%"), ({"ticker": "revenue", "wheels": ""}, "$12.50")):
            with self.subTest(asked=asked):
                self.open(**asked)
                self.shows(text)
        self.open(schedule="tea")
        self.until("return document.querySelector('tween-schedule').newest?.text.startsWith('Tea in ')")
        self.open(progress="build")
        self.until("return document.querySelector('tween-progress').shape === 'pie'")
        self.open(progress="build", shape="ring")
        self.until("return document.querySelector('tween-progress').shape === 'ring'")
        self.assertNoErrors()

    def test_an_overlay_is_transparent_around_its_number(self):
        ground = {"color": {"r": 9, "g": 123, "b": 9, "a": 1}}
        self.driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", ground)
        for theme in ("light", "dark"):
            self.theme(theme)
            self.open(ticker="revenue")
            self.shows("$12.50")
            rows = Picture(self.driver, 1280, 900).rows
            self.assertEqual({rows[5][5], rows[890][1270]}, {123})
            # The number itself is white.
            self.assertIn(255, {value for row in rows[300:600] for value in row})

    def test_words_over_a_bar_begin_where_its_number_does(self):
        self.server.post("progress:goal", current=25, label="${current} of $100", duration=0)
        left = "return document.querySelector(arguments[0]).getBoundingClientRect().left"
        for align in ("center", "end"):
            with self.subTest(align):
                self.open(progress="goal", label="Microphone", align=align)
                self.shows("$25 of $100")
                self.assertEqual(self.style("textAlign", "p"), "start")
                self.assertEqual(self.run_script(left, "p"), self.run_script(left, "tween-progress"))

    def test_looks_are_what_the_address_asks_for(self):
        self.open(ticker="revenue", style="box", color="ff8800", size="40", font="Some Font", align="right", label="Today", ground="navy")
        self.shows("$12.50")
        self.assertEqual(self.style("color"), "rgb(255, 136, 0)")
        self.assertEqual(self.style("fontSize"), "40px")
        self.assertTrue(self.style("fontFamily").startswith('"Some Font"'))
        self.assertEqual(self.style("backgroundColor", ".shown"), "rgb(0, 0, 128)")
        self.assertEqual(self.run_script("return document.querySelector('p').textContent"), "Today")
        right = self.run_script("return document.querySelector('.shown').getBoundingClientRect().right")
        self.assertGreater(right, 1250)
        self.open(ticker="revenue", style="outline")
        self.assertNotEqual(self.style("webkitTextStrokeWidth", "tween-ticker"), "0px")
        self.open(progress="build", color="gold")
        self.until("""return getComputedStyle(document.querySelector('tween-progress').shadowRoot.querySelector('.fill')).stroke
            === 'rgb(255, 215, 0)'""")

    def test_invalid_looks_in_an_overlays_address_are_ignored(self):
        usual = {"color": "rgb(255, 255, 255)", "fontSize": "72px", "textAlign": "center"}
        family = "system-ui, sans-serif"
        for asked in ({}, {"color": "var(--x)", "size": "9999", "font": 'x"; url(y)', "align": "up", "style": "loud", "stale": "x"},
                      {"color": "url(x)", "size": "huge", "font": "a" * 65}, {"color": "rgb(var(--x))", "size": "-5"}):
            with self.subTest(asked=asked):
                self.open(ticker="revenue", label="<b>bold</b>", **asked)
                self.shows("$12.50")
                self.assertEqual({name: self.style(name) for name in usual}, usual)
                self.assertEqual(self.style("fontFamily"), family)
                self.assertEqual(self.run_script("return [document.querySelector('b'), document.body.dataset.look]"), [None, "shadow"])
        self.open(color="red")
        self.assertIn("?ticker=", self.run_script("return document.querySelector('p').textContent"))

    def test_a_stale_overlay_fades_hides_or_stays_as_asked(self):
        for stale, least, most in (("fade", 0.1, 0.9), ("hide", 0, 0.01), ("keep", 1, 1)):
            with self.subTest(stale=stale):
                server = Server()
                server.post("ticker:revenue", label="$0.00", to="12.50", duration=0)
                self.open(server, ticker="revenue", stale=stale)
                self.shows("$12.50")
                self.assertEqual(self.style("opacity", ".shown"), "1")
                server.kill()
                self.until("return document.querySelector('[stale]')")
                self.eventually(lambda: least <= float(self.style("opacity", ".shown")) <= most)
