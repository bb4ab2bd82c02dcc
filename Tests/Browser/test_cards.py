"""What a card shows of its number, and what it asks the server: sizes, changes, states, colours, the connection."""

import colorsys
import re
import tempfile

from browser import BrowserTest
from server import Proxy, Server


class CardTest(BrowserTest):
    def text(self, card, part: str) -> str:
        return self.run_script("return arguments[0].querySelector(arguments[1]).textContent", card, part)

    def test_the_size_of_a_number_stays_while_it_moves(self):
        self.server.post("ticker:grows", label="0.00", to=9999.99, duration=0, format={"grouping": True})
        self.visit("/?q=grows&layout=cards")
        view = self.see("ticker:grows").find_element("css selector", "tween-ticker")
        self.run_script("""window.sizes = [];
            arguments[0].addEventListener('tweenframe', ({target, detail}) =>
                sizes.push([detail.text, getComputedStyle(target).fontSize]))""", view)
        self.server.post("ticker:grows", to=10000.01, duration=0.6)
        self.server.post("ticker:grows", to=123456789.01, duration=0.6, interrupt="queue")
        self.until("return sizes.at(-1)?.[0] === '123,456,789.01'")
        first = {size for text, size in self.run_script("return sizes") if len(text) <= 9 and text < "10,000.01"}
        self.assertEqual(len(first), 1)
        longer = [size for text, size in self.run_script("return sizes") if len(text) > 9]
        self.assertEqual(len(set(longer[1:])), 1)

    def test_numbers_of_a_row_stand_on_one_baseline(self):
        for index, to in enumerate((5, 1234567.89, 12345678901234567)):
            self.server.post(f"ticker:base-{index}", label="0.00", to=to, duration=0)
        self.visit("/?q=base&layout=cards")
        for index in range(3):
            self.see(f"ticker:base-{index}")
        bottoms = self.run_script("""return [...document.querySelectorAll('.card:not([hidden]) .stage')].map((stage) => {
            const mark = document.createElement('span');
            mark.style.cssText = 'display: inline-block; width: 0; height: 0; flex: none';
            const {valuePart: value} = stage.querySelector('tween-ticker');
            value.append(mark);
            const {bottom} = mark.getBoundingClientRect();
            mark.remove();
            return bottom - stage.closest('.card').getBoundingClientRect().top; })""")
        self.assertEqual(len(bottoms), 3)
        self.assertLess(max(bottoms) - min(bottoms), 1)

    def test_countdowns_and_numbers_of_a_wall_stand_on_one_line(self):
        for name, actions in (("short", [{"notify": "x"}]), ("long", [{"notify": f"long-action-{index}"} for index in range(9)])):
            self.server.request("PUT", f"/v1/schedules/line-{name}", {"in": 3000, "every": 3600, "label": "in {hours} h", "do": actions})
        self.server.post("ticker:line-rests", label="0", to=5, duration=0)
        self.server.post("ticker:line-moves", label="0", to=5000000, duration=600)
        heights = """return ['long', 'short', 'rests', 'moves'].map((name) => {
            const card = document.querySelector(`.card[data-key$=line-${name}]`), [view] = card.querySelector('.stage').children;
            const {top, bottom} = view.getBoundingClientRect();
            return (top + bottom) / 2 - card.getBoundingClientRect().top; })"""
        for layout in ("cards", "wall"):
            with self.subTest(layout=layout):
                self.visit(f"/?cards=line-long,line-short,line-rests,line-moves&layout={layout}")
                self.see("schedule:line-long")
                note = "return document.querySelector('[data-key$=line-long] .note').textContent"
                self.until(f"{note}.endsWith('→ long-action-0, long-action-1, and 7 more')")
                self.until("return document.querySelector('[data-key$=line-moves] .note').textContent.startsWith('→')")
                long, short, rests, moves = self.run_script(heights)
                if layout == "cards":
                    self.assertAlmostEqual(long, short, delta=1)
                self.assertAlmostEqual(rests, moves, delta=1)

    def test_long_numbers_and_labels_stay_within_the_card(self):
        self.server.post("ticker:long-number", label="0", to="123456789012345678901234567890", duration=0)
        self.server.post("ticker:long-label", label="word " * 79 + "7", to=8, duration=0)
        self.visit("/?q=long&layout=cards")
        for key in ("ticker:long-number", "ticker:long-label"):
            card = self.see(key)
            inside = self.run_script("""const card = arguments[0].getBoundingClientRect();
                const box = arguments[0].querySelector('tween-ticker').getBoundingClientRect();
                return [box.left >= card.left && box.right <= card.right && box.bottom <= card.bottom, card.height]""", card)
            self.assertTrue(inside[0], key)
            self.assertLess(inside[1], 160)
        self.until("return arguments[0].querySelector('tween-ticker').title.endsWith('8')", card)
        # Both lines of the number are there.
        shown = self.run_script("""const {valuePart: value} = document.querySelector(`[data-key='ticker:long-number'] tween-ticker`);
            return value.getBoundingClientRect().height <= value.getRootNode().host.getBoundingClientRect().height + 1""")
        self.assertTrue(shown)

    def test_a_card_tells_the_change_the_target_and_the_age(self):
        self.server.post("ticker:sales", label="$10.00", to=10, duration=0)
        self.server.post("ticker:sales-abroad", label="0", to=10, duration=0, format={"style": "unit", "unit": "kilometer"})
        self.visit("/?q=sales")
        card = self.see("ticker:sales")
        self.assertEqual(self.text(card, ".delta"), "")
        # The number begins where its title does.
        lefts = self.run_script("""return ['.kind', 'tween-ticker'].map((part) =>
            arguments[0].querySelector(part).getBoundingClientRect().left)""", card)
        self.assertLess(abs(lefts[0] - lefts[1]), 2)
        self.server.post("ticker:sales", to=22.75, duration=2)
        self.eventually(lambda: self.text(card, ".note") == "→ $22.75")
        self.eventually(lambda: self.text(card, ".delta") == "▲ +12.75")
        self.eventually(lambda: self.text(card, ".note") == "now")
        self.assertEqual(self.run_script("return arguments[0].querySelector('.delta').dataset.tone", card), "1")
        self.assertIn("L", self.run_script("return arguments[0].querySelector('.spark path').getAttribute('d')", card))
        abroad = self.see("ticker:sales-abroad")
        self.eventually(lambda: self.text(abroad, ".unit") == "kilometer")

    def test_the_delta_of_a_motion_with_from_counts_from_there(self):
        self.server.post("ticker:again", label="0", to=100, duration=0)
        self.visit("/?q=again")
        card = self.see("ticker:again")
        self.run_script("""window.signs = new Set();
            const delta = arguments[0].querySelector('.delta');
            new MutationObserver(() => signs.add(delta.textContent[0])).observe(delta, {childList: true})""", card)
        self.server.post("ticker:again", **{"from": 0, "to": 100, "duration": 1.5})
        self.eventually(lambda: self.text(card, ".note") == "now")
        self.assertEqual(self.text(card, ".delta"), "▲ +100")
        self.assertEqual(self.run_script("return [...signs]"), ["▲"])
        # One that takes over goes on with the change of the one before.
        self.server.post("ticker:again", **{"from": 20, "to": 1020, "duration": 60})
        self.until("return arguments[0].card.data.value > 20", card)
        self.server.post("ticker:again", to=1000, duration=1)
        self.eventually(lambda: self.text(card, ".delta") == "▲ +980")

    def test_a_page_that_comes_on_the_way_tells_the_whole_change(self):
        self.server.post("ticker:midway", label="0", to=100, duration=0)
        self.server.post("ticker:midway", **{"from": 10, "to": 110, "duration": 600})
        self.server.post("ticker:midway", "seek", fraction=0.5)
        self.visit("/?q=midway")
        card = self.see("ticker:midway")
        self.eventually(lambda: self.text(card, ".delta") == "▲ +50")
        self.server.post("ticker:midway", "finish")
        self.eventually(lambda: self.text(card, ".delta") == "▲ +100")

    def test_a_card_asks_once_when_it_is_seen_and_no_more_however_often_it_is_retargeted(self):
        names = [f"poll-{index}" for index in range(6)]
        for name in names:
            self.server.post(f"ticker:{name}", label="0", to=0, duration=0)
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit("/?q=poll", url=proxy.url)
        for name in names:
            self.see(f"ticker:{name}")
        asked = lambda: sum(bool(re.match(r"GET /v1/tickers/poll-\d ", line)) for line in proxy.lines)  # noqa: E731
        self.eventually(lambda: asked() == len(names))
        for to in range(1, 9):
            self.server.request("POST", "/v1/batch", [{"ticker": name, "to": to, "duration": 0.05} for name in names])
            self.until("return document.querySelector(`[data-key='ticker:poll-5'] tween-ticker`).newest.value === arguments[0]", to)
        self.assertEqual(asked(), len(names))

    def test_a_line_begins_with_what_was_before_the_page(self):
        for value in (10, 30, 20, 40):
            self.server.post("ticker:trend", label="0", to=value, duration=0)
        self.server.post("progress:trend", current=10, duration=0)
        self.server.post("progress:trend", current=60, duration=0)
        # Its last target is where it goes, and no value that it had.
        self.server.post("ticker:trend-on", label="0", to=10, duration=0)
        self.server.post("ticker:trend-on", to=1010, duration=600)
        self.server.post("ticker:once", label="0", to=5, duration=0)
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit("/?cards=ticker:trend,progress:trend,ticker:trend-on,once", url=proxy.url)
        values = "return arguments[0].card.points.map(({value}) => value)"
        for path, key in (("tickers", "ticker:trend"), ("progress", "progress:trend")):
            history = [point["value"] for point in self.server.request("GET", f"/v1/{path}/trend/history")["points"]]
            self.assertGreater(len(history), 1)
            card = self.see(key)
            self.eventually(lambda: self.run_script(values, card)[: len(history)] == history)
        path = self.until("return arguments[0].querySelector('.spark path').getAttribute('d')", card)
        self.assertGreaterEqual(path.count("L"), len(history) - 1)
        moving = self.see("ticker:trend-on")
        self.until("return arguments[0].card.points[0]?.value === 0", moving)
        self.assertNotIn(1010, self.run_script(values, moving))
        # Once for each, and not of what has no past.
        self.server.post("progress:trend", current=50, duration=0)
        self.until("return arguments[0].card.data.value === 50", card)
        self.see("ticker:once")
        asked = [line.split(" ")[1] for line in proxy.lines if line.split(" ")[1].endswith("/history")]
        self.assertEqual(sorted(asked), ["/v1/progress/trend/history", "/v1/tickers/trend-on/history", "/v1/tickers/trend/history"])

    def test_a_progress_has_its_shape_when_it_is_first_seen(self):
        for name, shape in (("a-pie", "pie"), ("a-ring", "ring")):
            self.server.post(f"progress:{name}", current=40, duration=0, appearance={"shape": shape})
        self.visit("/?q=none")
        self.run_script("""window.shapes = [];
            const watch = () => {
              for (const view of document.querySelectorAll('.card:not([hidden]) tween-progress')) {
                if (getComputedStyle(view).visibility === 'visible' && view.newest) shapes.push(view.shape);
              }
              requestAnimationFrame(watch);
            };
            watch();
            const {q} = document.querySelector('#view').elements;
            q.value = 'a-';
            q.dispatchEvent(new Event('input', {bubbles: true}));""")
        self.until("return shapes.includes('pie') && shapes.includes('ring')")
        self.assertEqual(set(self.run_script("return shapes")), {"pie", "ring"})

    def test_a_bar_that_moves_is_not_called_stalled(self):
        self.server.post("progress:slow", current=0, duration=0)
        self.server.post("progress:slow", current=1, maximum=100000, duration=600)
        self.visit("/?q=slow")
        card = self.see("progress:slow")
        self.until("return arguments[0].card.resource", card)
        self.run_script("arguments[0].card.updateDetails()", card)
        self.assertEqual(self.run_script("return arguments[0].dataset.state", card), "moving")
        self.assertEqual(self.text(card, ".state"), "")

    def test_milestones_colour_a_card(self):
        self.server.post("ticker:load", label="0", to=0, duration=0)
        self.server.post("ticker:load", to=60, duration=0.5, milestones=[50, 90])
        self.visit("/?q=load")
        card = self.see("ticker:load")
        self.server.post("ticker:load", to=10, duration=0)
        self.server.post("ticker:load", to=60, duration=1, milestones=[50, 90])
        level = "return arguments[0].dataset.level === arguments[1]"
        self.until(level, card, "warning")
        self.server.post("ticker:load", to=95, duration=1, milestones=[50, 90])
        self.until(level, card, "danger")

    def test_each_state_has_a_hue_of_its_own(self):
        for theme in ("light", "dark"):
            self.theme(theme)
            self.visit()
            colours = self.run_script("""const probe = document.body.appendChild(document.createElement('i'));
                return Object.fromEntries(['data', 'rise', 'warning', 'danger', 'selection', 'focus', 'offline'].map((name) => {
                  probe.style.color = `var(--${name})`;
                  return [name, getComputedStyle(probe).color]; }))""")
            hues = {}
            for name, colour in colours.items():
                red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
                hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
                hues[name] = hue * 360 if saturation > 0.2 else None
            self.assertIsNone(hues.pop("offline"))
            ordered = sorted(hues.values())
            gaps = [(after - before) % 360 for before, after in zip(ordered, ordered[1:] + ordered[:1])]
            self.assertGreater(min(gaps), 14, (theme, hues))

    def test_bars_are_seen_in_forced_colours(self):
        self.server.post("progress:forced", current=40, duration=0)
        features = [{"name": "forced-colors", "value": "active"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.visit("/?q=forced")
        card = self.see("progress:forced")
        self.until("return arguments[0].card.resource", card)
        colours = self.run_script("""const {fill} = arguments[0].querySelector('tween-progress');
            return [fill, fill.parentElement, arguments[0]].map((part) => getComputedStyle(part).backgroundColor)""", card)
        self.assertEqual(len(set(colours)), 3)


class SmallWindowTest(BrowserTest):
    def resize(self, width: int, height: int):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def test_the_docked_bar_stays_low_in_a_magnified_window(self):
        self.server.post("ticker:small", to=5, duration=0)
        self.resize(320, 256)
        self.visit()
        self.card("ticker:small")
        self.run_script("document.querySelector('tween-marquee').select(['ticker:small']); document.querySelector('#selection [name=pause]').click()")
        self.until("return document.querySelector('#line').textContent")
        self.assertLessEqual(self.run_script("return document.querySelector('#dock').offsetHeight"), 64)

    def test_the_footer_is_at_the_bottom_of_a_tall_window(self):
        self.resize(1280, 2400)
        self.visit()
        self.assertEqual(self.run_script("return Math.round(document.querySelector('footer').getBoundingClientRect().bottom)"), 2400)

    def test_the_bar_stays_when_the_page_is_scrolled(self):
        self.visit()
        self.run_script("document.querySelector('main').style.paddingBottom = '200vh'; scrollTo(0, 900)")
        self.assertEqual(self.run_script("return document.querySelector('#connection').getBoundingClientRect().top < 40"), True)

    def test_the_inspector_leaves_the_board_its_room(self):
        self.server.post("ticker:small", to=5, duration=0)
        self.visit()
        self.card("ticker:small")
        self.driver.find_element("id", "inspect").click()
        self.until("return document.querySelector('.inspector')")
        edges = self.run_script("""const right = (selector) => document.querySelector(selector).getBoundingClientRect().right;
            return [document.querySelector('.inspector').getBoundingClientRect().left, right('#board'), right('#dock'), right('.bar')]""")
        self.assertGreaterEqual(edges[0], max(edges[1:]))


class TouchTest(BrowserTest):
    def setUp(self):
        super().setUp()
        metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})

    def place(self, element):
        return self.run_script("""const {left, top, width} = arguments[0].getBoundingClientRect();
            return [left + width / 3, top + 20]""", element)

    def tap(self, element):
        self.touch("touchStart", self.place(element))
        self.touch("touchEnd")

    def test_a_finger_that_stays_draws_a_rectangle_and_one_that_goes_scrolls(self):
        for index in range(20):
            self.server.post(f"ticker:held-{index:02}", label="0", to=0, duration=0)
        self.visit("/?q=held")
        cards = [self.see(f"ticker:held-{index:02}") for index in range(3)]
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", cards[1])
        top = self.run_script("return scrollY")
        chosen = "[...document.querySelectorAll('.card.chosen')].map((card) => card.dataset.key.slice(-2)).join(' ')"
        self.touch("touchStart", self.place(cards[0]))
        self.until(f"return {chosen} === '00'")
        for card in cards[1:]:
            self.touch("touchMove", self.place(card))
        self.touch("touchEnd")
        self.until("return !document.querySelector('.marquee')")
        self.assertEqual(self.run_script(f"return {chosen}"), "00 01 02")
        self.assertEqual(self.run_script("return scrollY"), top)
        beside = """const [pick, name] = ['.pick', 'h3'].map((part) => arguments[0].querySelector(part).getBoundingClientRect());
            return pick.right <= name.left"""
        self.assertTrue(self.run_script(beside, cards[0]), "the box covers the name")
        x, y = self.place(cards[2])
        self.touch("touchStart", [x, y])
        for step in range(1, 9):
            self.touch("touchMove", [x, y - 20 * step])
        self.touch("touchEnd")
        self.until("return scrollY > arguments[0] + 50", top)
        self.assertEqual(self.run_script(f"return {chosen}"), "00 01 02")

    def test_a_tap_selects_a_card_and_shows_its_tools_where_they_can_be_hit(self):
        self.server.post("ticker:tapped", label="0", to=0, duration=0)
        self.server.post("ticker:tapped", to=1000, duration=600)
        self.visit("/?q=tapped")
        card = self.see("ticker:tapped")
        shown = "return getComputedStyle(arguments[0].querySelector('.tools')).opacity"
        self.assertEqual(self.run_script(shown, card), "0")
        self.tap(card)
        self.until("return arguments[0].matches('.chosen')", card)
        self.until(f"{shown} === '1'", card)
        seek = card.find_element("css selector", ".tools input")
        self.until("return !arguments[0].disabled", seek)
        # It stands where the motion is, near its start.
        self.until("return arguments[0].value < 0.1", seek)
        self.assertEqual(self.server.get("ticker:tapped")["motion"]["state"], "running")
        small = self.run_script("""return [...document.querySelectorAll('.bar :is(button, select), #view :is(button, select, input), .tools button, #selection button')]
            .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 44)
            .map((control) => control.outerHTML.slice(0, 60))""")
        self.assertEqual(small, [])
        self.tap(card)
        self.until("return !arguments[0].matches('.chosen')", card)


class LostTest(BrowserTest):
    def test_a_page_without_its_server_says_so_everywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(data=folder)
            server.post("ticker:here", to=5, duration=0)
            self.visit(url=server.url)
            card = self.see("ticker:here")
            looks = """return [document.title, document.querySelector('link[rel=icon]').href.split('/').at(-1),
                getComputedStyle(document.querySelector('#board')).filter]"""
            alive = ["Tweencast", "favicon.svg", "none"]
            self.assertEqual(self.run_script(looks), alive)
            port = server.port
            server.kill()
            self.until("return document.querySelector('#connection').dataset.state === 'connecting'")
            self.assertEqual(self.run_script(looks), ["Reconnecting… – Tweencast", "favicon-lost.svg", "grayscale(1)"])
            self.run_script("arguments[0].querySelector('[name=finish]').click()", card)
            problem = "return document.querySelector('#problem').textContent"
            self.until(f"{problem} === 'No connection'")
            # What is loaded when it is first used can't come, and says so.
            for name in (".starts", "[name=more]", "#inspect"):
                self.run_script("document.querySelector('#hide').click(); document.querySelector(arguments[0]).click()", name)
                self.until(f"{problem} === 'No connection'")
            self.run_script("""const form = document.querySelector('#view');
                form.elements.layout.value = 'wall';
                form.dispatchEvent(new Event('input', { bubbles: true }));
                form.dispatchEvent(new Event('change', { bubbles: true }))""")
            server = Server(port=port, data=folder)
            self.addCleanup(server.close)
            self.until("return document.querySelector('#connection').dataset.state === 'live'", seconds=30)
            self.assertEqual(self.run_script(looks), alive)
            # Then it does: the wall that was chosen by itself, the inspector when it is asked for again.
            self.until("return !document.querySelector('#wall').hidden")
            self.until(f"{problem} === ''")
            self.run_script("document.querySelector('#inspect').click()")
            self.until("return document.querySelector('.inspector')")

    def test_an_empty_board_says_so_only_while_connected(self):
        server = Server()
        self.visit(url=server.url)
        empty = "return document.querySelector('#empty:not([hidden])')?.textContent"
        self.until(f"{empty} === 'Nothing here yet. Start a motion, or post one with curl.'")
        server.post("ticker:first", to=5, duration=0)
        self.until(f"{empty} === undefined")
        server.request("DELETE", "/v1/tickers/first")
        self.until(f"{empty} !== undefined")
        server.kill()
        self.until(f"{empty} === 'Reconnecting…'")

    def test_a_page_without_javascript_shows_a_notice(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.driver.get(self.server.url)
        self.assertIn("JavaScript", self.driver.find_element("css selector", ".notice").text)
