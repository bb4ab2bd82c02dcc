"""The marquee: four directions, scrolled, every way it can end; and what is done with a selection."""

import json

from selenium.webdriver import ActionChains, Keys

from browser import BrowserTest
from server import Proxy

NAMES = [f"m{index}" for index in range(6)]


class SelectionTest(BrowserTest):
    def setUp(self):
        super().setUp()
        for name in NAMES:
            self.server.post(f"ticker:{name}", label="0", to=0, duration=0)
        self.visit()
        for name in NAMES:
            self.card(f"ticker:{name}")
        self.run_script(
            "document.querySelector('#board').scrollIntoView({block: 'start'}); window.ids = null;"
            "document.addEventListener('selectionchange', (event) => event.detail?.ids && (ids = event.detail.ids))"
        )

    def corners(self, first: str, last: str):
        """The middles of two cards, in the window."""
        return self.run_script(
            """return [...arguments].map((key) => {
            const box = document.querySelector(`[data-key='ticker:${key}']`).getBoundingClientRect();
            return [Math.round(box.left + box.width / 2), Math.round(box.top + 20)]; })""",
            first,
            last,
        )

    def mouse(self, kind: str, point, buttons: int = 1, modifiers: int = 0):
        button = "left" if kind != "mouseMoved" else "none"
        self.driver.execute_cdp_cmd(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": point[0],
                "y": point[1],
                "button": button,
                "buttons": buttons,
                "clickCount": 1,
                "modifiers": modifiers,
            },
        )

    def drag(self, start, end, modifiers: int = 0, release: bool = True):
        middle = [(start[0] + end[0]) // 2, (start[1] + end[1]) // 2]
        self.mouse("mousePressed", start, modifiers=modifiers)
        for point in (middle, end):
            self.mouse("mouseMoved", point, modifiers=modifiers)
        if release:
            self.mouse("mouseReleased", end, buttons=0, modifiers=modifiers)

    def selected(self):
        return self.run_script(
            "return [...document.querySelectorAll('.card.chosen')].map((card) => card.dataset.key.slice(7))"
        )

    def assertGone(self):
        self.assertEqual(self.run_script("return document.querySelectorAll('.marquee').length"), 0)

    def test_all_four_directions_select_what_they_touch(self):
        first, last = self.corners("m0", "m2")
        first[0] -= 40
        boxes = [
            (first, last),
            (last, first),
            ([first[0], last[1] + 30], [last[0], first[1]]),
            ([last[0], first[1]], [first[0], last[1] + 30]),
        ]
        for start, end in boxes:
            with self.subTest(start=start, end=end):
                self.drag(start, end)
                self.assertEqual(self.selected(), ["m0", "m1", "m2"])
                self.assertEqual(self.run_script("return ids"), ["ticker:m0", "ticker:m1", "ticker:m2"])
                self.assertGone()

    def test_three_cards_are_paused_on_the_server_by_one_request(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit(url=proxy.url)
        for name in NAMES:
            self.server.post(f"ticker:{name}", to=1000, duration=60)
            self.card(f"ticker:{name}")
        self.run_script("document.querySelector('#board').scrollIntoView({block: 'start'})")
        self.drag(*self.corners("m0", "m2"))
        self.driver.find_element("css selector", "#selection [name=pause]").click()
        state = lambda name: self.server.get(f"ticker:{name}")["motion"]["state"]  # noqa: E731
        self.eventually(lambda: [state(name) for name in NAMES[:3]] == ["paused"] * 3)
        self.assertEqual([state(name) for name in NAMES[3:]], ["running"] * 3)
        self.assertEqual(proxy.writes(), ["POST /v1/batch HTTP/1.1"])
        self.assertEqual(self.selected(), ["m0", "m1", "m2"])

    def test_a_scrolled_page_selects_what_is_under_the_rectangle(self):
        self.run_script(
            "document.body.style.paddingBottom = '2000px'; scrollTo(0, document.querySelector('#board').offsetTop + 60)"
        )
        start, end = self.corners("m0", "m2")
        self.drag([start[0], end[1] + 60], [end[0], end[1] + 70])
        self.assertEqual(self.selected(), ["m0", "m1", "m2"])

    def test_shift_adds_and_a_click_elsewhere_clears(self):
        first, last = self.corners("m0", "m2")
        self.drag(first, [first[0] + 20, first[1] + 20])
        self.drag(last, [last[0] + 20, last[1] + 20], modifiers=8)
        self.assertEqual(self.selected(), ["m0", "m2"])
        self.mouse("mousePressed", [5, 300])
        self.mouse("mouseReleased", [5, 300], buttons=0)
        self.assertEqual(self.selected(), [])

    def test_the_rectangle_is_tinted_and_lies_above_the_cards(self):
        self.drag(*self.corners("m0", "m2"), release=False)
        looks = self.run_script("""const style = getComputedStyle(document.querySelector('.marquee'));
            return [style.borderTopWidth, style.backgroundColor, +style.zIndex]""")
        self.mouse("mouseReleased", [100, 100], buttons=0)
        self.assertEqual(looks[0], "1px")
        self.assertRegex(looks[1], r"0\.1\)$")
        self.assertGreater(looks[2], 0)

    def test_the_rectangle_can_be_read_while_it_is_drawn(self):
        self.run_script("""window.told = [];
            document.addEventListener('tweenrectangle', ({target, detail: {rectangle, origin}}) => told.push(
              rectangle && [rectangle.left, rectangle.top, rectangle.right, rectangle.bottom, origin.x, origin.y,
                rectangle === target.rectangle && origin === target.origin]))""")
        start, end = self.corners("m4", "m0")
        self.drag(start, end, release=False)
        (left, top, right, bottom, x, y, is_own), *_ = reversed(self.run_script("return told"))
        self.assertEqual([left, top, right, bottom], [*map(min, start, end), *map(max, start, end)])
        self.assertEqual(([x, y], is_own), (start, True))
        self.mouse("mouseReleased", end, buttons=0)
        self.assertIsNone(self.run_script("return told.at(-1)"))
        self.assertIsNone(self.run_script("return document.querySelector('tween-marquee').rectangle"))

    def test_alt_keeps_the_shape_of_the_rectangle(self):
        shape = """const {width, height} = document.querySelector('tween-marquee').rectangle; return [width, height]"""
        alt = 1
        start = self.corners("m0", "m0")[0]
        at = lambda x, y: [start[0] + x, start[1] + y]  # noqa: E731
        self.mouse("mousePressed", start)
        self.mouse("mouseMoved", at(100, 50))
        self.mouse("mouseMoved", at(200, 20), modifiers=alt)
        self.assertEqual(self.run_script(shape), [200, 100])
        self.mouse("mouseMoved", at(10, 80), modifiers=alt)
        self.assertEqual(self.run_script(shape), [160, 80])
        self.mouse("mouseMoved", at(60, 90))
        self.assertEqual(self.run_script(shape), [60, 90])
        # The key itself counts, before the pointer moves again.
        key = lambda kind: self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, "key": "Alt"})  # noqa: E731
        key("keyDown")
        self.mouse("mouseMoved", at(120, 10), modifiers=alt)
        self.assertEqual(self.run_script(shape), [120, 180])
        key("keyUp")
        self.assertEqual(self.run_script(shape), [120, 10])
        self.mouse("mouseReleased", at(120, 10), buttons=0)
        # From the start on it is a square.
        self.drag(start, at(90, 40), modifiers=alt, release=False)
        self.assertEqual(self.run_script(shape), [90, 90])
        self.mouse("mouseReleased", at(90, 40), buttons=0)

    def test_every_way_out_removes_the_rectangle(self):
        ways = {
            "Escape": lambda: ActionChains(self.driver).send_keys(Keys.ESCAPE).perform(),
            "pointercancel": lambda: self.run_script("dispatchEvent(new PointerEvent('pointercancel', {isPrimary: true}))"),
            "leaving": lambda: self.run_script(
                "document.documentElement.dispatchEvent(new PointerEvent('pointerleave', {isPrimary: true}))"
            ),
            "blur": lambda: self.run_script("dispatchEvent(new Event('blur'))"),
        }
        for name, leave in ways.items():
            with self.subTest(way=name):
                start, end = self.corners("m0", "m2")
                self.drag(start, end, release=False)
                self.assertEqual(self.run_script("return document.querySelectorAll('.marquee').length"), 1)
                leave()
                self.assertGone()
                self.mouse("mouseMoved", start)
                self.assertGone()
                self.mouse("mouseReleased", start, buttons=0)
                self.run_script("document.querySelector('tween-marquee').select([])")

    def test_the_keyboard_selects_too(self):
        self.run_script("document.querySelector(`[data-key='ticker:m1']`).focus()")
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()  # noqa: E731
        press(Keys.SPACE)
        self.assertEqual(self.selected(), ["m1"])
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        self.assertEqual(self.selected(), NAMES)
        press(Keys.ESCAPE)
        self.assertEqual(self.selected(), [])

    def click(self, name: str, modifiers: int = 0):
        point, _ = self.corners(name, name)
        self.mouse("mousePressed", point, modifiers=modifiers)
        self.mouse("mouseReleased", point, buttons=0, modifiers=modifiers)

    def test_a_click_selects_one_ctrl_adds_or_takes_away_and_shift_selects_to_there(self):
        for name, modifiers, selected in (
            ("m1", 0, ["m1"]), ("m3", 0, ["m3"]), ("m1", 2, ["m1", "m3"]), ("m3", 2, ["m1"]),
            ("m0", 0, ["m0"]), ("m4", 8, NAMES[:5]), ("m2", 0, ["m2"]), ("m2", 0, []),
        ):
            self.click(name, modifiers)
            self.assertEqual(self.selected(), selected)

    def test_ctrl_turns_round_what_a_rectangle_touches(self):
        self.click("m1")
        self.drag(*self.corners("m0", "m2"), modifiers=2)
        self.assertEqual(self.selected(), ["m0", "m2"])

    def test_a_rectangle_begins_anywhere_on_the_page(self):
        end, _ = self.corners("m0", "m0")
        self.drag([4, end[1] + 40], [end[0], end[1] + 20])
        self.assertEqual(self.selected(), ["m0"])

    def test_a_rectangle_at_the_edge_scrolls_the_page(self):
        self.run_script("document.querySelector('main').style.paddingBottom = '2000px'; scrollTo(0, 0)")
        start, _ = self.corners("m0", "m0")
        self.drag(start, [start[0] + 50, 895], release=False)
        self.until("return scrollY > 100")
        self.mouse("mouseReleased", [start[0] + 50, 895], buttons=0)
        at = self.run_script("return scrollY")
        self.run_script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(self.run_script("return scrollY"), at)

    def test_cards_hidden_by_the_filter_are_counted_and_not_paused(self):
        for name in NAMES[:3]:
            self.server.post(f"ticker:{name}", to=1000, duration=60)
        self.run_script("document.querySelector('tween-marquee').select(['ticker:m0', 'ticker:m1', 'ticker:m2'])")
        self.driver.find_element("name", "q").send_keys("m1")
        told = "return document.querySelector('#selection output').textContent === arguments[0]"
        self.until(told, "1 selected, 2 hidden")
        self.driver.find_element("css selector", "#selection [name=pause]").click()
        state = lambda name: self.server.get(f"ticker:{name}")["motion"]["state"]  # noqa: E731
        self.eventually(lambda: state("m1") == "paused")
        self.assertEqual([state("m0"), state("m2")], ["running"] * 2)

    def test_all_that_is_shown_can_be_selected_and_let_go(self):
        self.driver.find_element("id", "all").click()
        self.assertEqual(self.selected(), NAMES)
        self.driver.find_element("css selector", "#selection [name=clear]").click()
        self.assertEqual(self.selected(), [])

    def test_deleting_asks_and_leaves_no_error_behind(self):
        for name in ("gone-1", "gone-2"):
            self.server.post(f"ticker:{name}", to=1000, duration=60)
            self.see(f"ticker:{name}")
        # Cards request their details shortly after they appear; a request that a deletion overtakes is answered 404.
        self.until("return [1, 2].every((at) => document.querySelector(`[data-key='ticker:gone-${at}']`).card.resource)")
        self.driver.get_log("browser")
        self.run_script("document.querySelector('tween-marquee').select(['ticker:gone-1', 'ticker:gone-2'])")
        for answer, left in (("no", 2), ("yes", 0)):
            self.driver.find_element("css selector", "#selection [name=delete]").click()
            self.assertIn("2", self.driver.find_element("id", "question").text)
            self.driver.find_element("css selector", f"#ask [value={answer}]").click()
            self.until("return document.querySelectorAll(`[data-key^='ticker:gone']`).length === arguments[0]", left)
        self.until("return document.querySelector('#selection').hidden")
        self.assertNoErrors()

    def test_a_confirmation_names_the_card_to_delete_or_stop(self):
        self.run_script("document.querySelector('tween-marquee').select(['ticker:m3'])")
        for name, question in (("delete", "Delete m3?"), ("cancel", "Stop m3?")):
            self.driver.find_element("css selector", f"#selection [name={name}]").click()
            self.assertEqual(self.driver.find_element("id", "question").text, question)
            self.driver.find_element("css selector", "#ask [value=no]").click()
        self.run_script("document.querySelector(`[data-key='ticker:m3'] [name=delete]`).click()")
        self.assertEqual(self.driver.find_element("id", "question").text, "Delete m3?")
        self.driver.find_element("css selector", "#ask [value=no]").click()

    def test_stopping_a_selection_asks(self):
        self.server.post("ticker:m0", to=1000, duration=60)
        self.run_script("document.querySelector('tween-marquee').select(['ticker:m0', 'ticker:m1'])")
        state = lambda: self.server.get("ticker:m0")["motion"]["state"]  # noqa: E731
        for answer, expected in (("no", "running"), ("yes", "idle")):
            self.driver.find_element("css selector", "#selection [name=cancel]").click()
            self.assertIn("Stop 2", self.driver.find_element("id", "question").text)
            self.assertEqual(state(), "running")
            self.driver.find_element("css selector", f"#ask [value={answer}]").click()
            self.eventually(lambda: state() == expected)

    def test_the_selection_bar_shows_the_curl_line_of_the_whole_batch(self):
        self.drag(*self.corners("m0", "m1"))
        self.driver.find_element("css selector", "#selection [name=finish]").click()
        line = self.until("return document.querySelector('#line').textContent.match(/.*finish[^]*/)?.[0]")
        body = line[line.index("'") + 1 : line.rindex("'")]
        self.assertEqual(
            [json.loads(text) for text in body.split("\n")],
            [{"op": "finish", "ticker": "m0"}, {"op": "finish", "ticker": "m1"}],
        )
