"""Digit wheels in the components: which way they turn, what stands between them, where they stand on the page."""

import re

from browser import BrowserTest
from drawn import Picture
from selenium.webdriver import ActionChains, Keys

# Keeps, for each frame that a component draws, the frame, and the widths before and after.
RECORD = """
const view = arguments[0], {render} = Object.getPrototypeOf(view), seen = window.seen = [];
window.ended = null;
view.addEventListener('complete', ({detail}) => { window.ended = detail.value; });
const width = () => view.valuePart.getBoundingClientRect().width;
view.render = function (data) {
  const before = width();
  render.call(this, data);
  seen.push([data, before, width()]);
};
"""

# The left edge of each character that is seen at rest, from the first.
EDGES = """
const {valuePart} = arguments[0], left = valuePart.getBoundingClientRect().left, edges = [];
const walker = document.createTreeWalker(valuePart, NodeFilter.SHOW_TEXT), range = document.createRange();
while (walker.nextNode()) {
  const text = walker.currentNode;
  for (let i = 0; i < text.length; i++) {
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    edges.push([text.data[i], Math.round((range.getBoundingClientRect().left - left) * 8) / 8]);
  }
}
return edges;
"""


class WheelPlaceTest(BrowserTest):
    def put(self, name: str, attributes: str = "wheels", style: str = ""):
        """An element on a page of its own, with its first frame drawn."""
        self.visit()
        self.run_script(
            """const [name, attributes, style] = arguments, home = document.createElement('p');
            home.style.cssText = style;
            home.innerHTML = `<tween-ticker id=put ${attributes} src="/v1/tickers/${name}"></tween-ticker> after`;
            document.body.replaceChildren(home);""",
            name,
            attributes,
            style,
        )
        self.until("const put = document.querySelector('#put'); return put.newest && put.feed.isReady")
        return self.driver.find_element("id", "put")

    def moved(self, view, name: str, **update):
        """What a motion's frames drew, to its end."""
        self.run_script(RECORD, view)
        self.server.post(f"ticker:{name}", **update)
        self.until("return ended === arguments[0]", float(update["to"]))
        return self.run_script("return seen")

    def test_wheels_turn_the_way_the_attribute_says(self):
        # From 9 to 1: two steps on, or eight back.
        onwards = {"up": True, "shortest": True, "down": False, "strip": False}
        for style, forwards in onwards.items():
            with self.subTest(style=style):
                name = f"way-{style}"
                self.server.post(f"ticker:{name}", label="0", to=190, duration=0)
                seen = self.moved(self.put(name, f"wheels={style}"), name, to=210, duration=1, easing="linear")
                tens = [part[1] for data, *_ in seen for part in data["wheels"] if part[0] == 1]
                self.assertEqual(any(3 < position < 7 for position in tens), not forwards)
                self.assertEqual({part[1] for data, *_ in seen for part in data["wheels"] if part[0] == 0}, {0})

    def test_continuous_wheels_turn_together_and_unknown_styles_as_an_odometer(self):
        self.server.post("ticker:carry", label="0", to=100, duration=0)
        for style, turns in (("continuous", True), ("odometer", False), ("", False), ("sideways", False)):
            with self.subTest(style=style):
                self.server.post("ticker:carry", to=150, duration=0)
                seen = self.moved(self.put("carry", f"wheels='{style}'"), "carry", to=158, duration=1, easing="linear")
                tens = {part[1] for data, *_ in seen[:-1] for part in data["wheels"] if part[0] == 1}
                self.assertEqual(any(5 < position < 5.8 for position in tens), turns)

    def test_columns_come_and_go_without_a_jump(self):
        for name, start, end, duration in (("slow", 998, 1001, 2), ("fast", 9, 100_000, 0.5), ("down", 1001, 998, 2)):
            for style in ("odometer", "shortest"):
                with self.subTest(name=name, style=style):
                    key = f"{name}-{style}"
                    self.server.post(f"ticker:{key}", label="$0,000 net", to=start, duration=0)
                    view = self.put(key, f"wheels={style}", "font: 40px/1 sans-serif")
                    digit = self.run_script("return arguments[0].valuePart.querySelector('.wheel').offsetWidth", view)
                    seen = self.moved(view, key, to=end, duration=duration, easing="linear")
                    last = None
                    for data, before, after in seen:
                        parts = [part if isinstance(part, list) else [part, 1] for part in data["wheels"]]
                        shares = [part[-1] if len(part) == 3 or isinstance(part[0], str) else 1 for part in parts]
                        if last is not None and len(shares) != len(last):
                            # What is there in part takes up its share; what comes or goes all at once begins as it was.
                            share = sum(share for share in (shares if len(shares) > len(last) else last) if share < 1)
                            self.assertLessEqual(abs(after - before), share * digit + 1, data)
                        last = shares
                    self.until("return !arguments[0].valuePart.querySelector('[style*=opacity]')", view)
                    self.until("return !arguments[0].valuePart.getAnimations({subtree: true}).length", view)
                    shown = self.run_script(EDGES, view)
                    text = self.run_script("return arguments[0].newest.text", view)
                    self.assertEqual("".join(character for character, _ in shown), text)

    def test_the_sign_is_that_of_the_text_in_every_frame(self):
        for style in ("shortest", "odometer"):
            with self.subTest(style=style):
                self.server.post("ticker:sign", label="5", to=5, duration=0)
                view = self.put("sign", f"wheels={style}")
                for target in (-5, 5):
                    for data, *_ in self.moved(view, "sign", to=target, duration=0.8, easing="linear"):
                        self.assertEqual("-" in data["text"], "-" in data["wheels"])

    def test_wheels_place_every_character_where_plain_text_has_it(self):
        cases = {
            "en": ("Total $0.00 net", {"locale": "en-US"}),
            "he": ("מחיר: 0 בלבד", {"locale": "he", "style": "currency", "currency": "ILS"}),
            "ar": ("السعر 0", {"locale": "ar-EG"}),
            "fa": ("0", {"locale": "fa"}),
            "percent": ("השלמה: 0", {"locale": "he", "style": "percent"}),
            "dollars": ("סך הכול $0 בלבד", {"locale": "he"}),
            "latin": ("الإيرادات: 0 ريال", {"locale": "en-US"}),
        }
        for name, (label, style) in cases.items():
            with self.subTest(name=name):
                self.server.post(f"ticker:{name}", label=label, to="-1234.5", duration=0, format=style)
                edges = {}
                for attributes in ("", "wheels"):
                    view = self.put(name, attributes)
                    edges[attributes] = self.run_script(EDGES, view)
                    self.assertEqual(self.run_script("return !!arguments[0].valuePart.querySelector('.wheel')", view), attributes != "")
                # Text in one piece is shaped as one: a quarter of a pixel at most.
                self.assertEqual([character for character, _ in edges["wheels"]], [character for character, _ in edges[""]])
                for (_, place), (_, expected) in zip(edges["wheels"], edges[""]):
                    self.assertAlmostEqual(place, expected, delta=0.5)

    def test_a_keycap_and_a_combined_digit_stay_whole(self):
        for name, suffix in (("keycap", "\ufe0f\u20e3 likes"), ("accent", "\u0301")):
            self.server.post(f"ticker:{name}", suffix=suffix, to=7, duration=0)
            view = self.put(name)
            self.assertEqual(self.run_script("return arguments[0].valuePart.innerHTML", view), f"7{suffix}")

    def test_wheels_of_a_paused_or_cancelled_number_show_whole_digits(self):
        for operation in ("pause", "cancel"):
            with self.subTest(operation=operation):
                self.server.post("ticker:held", label="0", to=0, duration=0)
                view = self.put("held")
                self.server.post("ticker:held", to=997, duration=90)
                self.until("return arguments[0].valuePart.matches('.turning')", view)
                self.server.post("ticker:held", operation)
                self.until("return !arguments[0].valuePart.matches('.turning')", view)
                self.until("return [...arguments[0].valuePart.querySelectorAll('.digit')].map((digit) => digit.textContent).join('')"
                           " === arguments[0].newest.text", view)

    def test_a_page_that_is_paused_shows_whole_digits(self):
        self.server.post("ticker:page", label="0", to=0, duration=0)
        self.visit()
        view = self.card("ticker:page").find_element("css selector", "tween-ticker")
        self.server.post("ticker:page", to=997, duration=90)
        self.until("return arguments[0].valuePart.matches('.turning')", view)
        for pace in ("paused", "settled"):
            self.driver.find_element("css selector", f"#pace [value={pace}]").click()
            self.assertEqual(self.run_script("return arguments[0].valuePart.innerHTML === arguments[0].newest.text", view), True)
            self.driver.find_element("css selector", "#pace [value=live]").click()
            self.until("return arguments[0].valuePart.matches('.turning')", view)

    def test_a_number_that_is_too_long_for_its_line_goes_on_in_the_next(self):
        self.server.post("ticker:long", label="0", to="9" * 30, duration=0)
        view = self.put("long", style="width: 9em; font: 30px/1.2 sans-serif")
        self.server.post("ticker:long", to="8" * 30, duration=0.2)
        self.until("return arguments[0].newest.text === '8'.repeat(30)", view)
        outside = """const {left, right} = arguments[0].parentElement.getBoundingClientRect();
            return [...arguments[0].valuePart.querySelectorAll('.wheel')].map((wheel) => wheel.getBoundingClientRect())
              .filter((box) => box.left < left - 1 || box.right > right + 1).length"""
        self.assertEqual(self.run_script(outside, view), 0)
        self.assertEqual(re.sub(r"\s", "", self.run_script("return arguments[0].valuePart.innerText", view))[-1], "8")

    def test_a_spring_carries_a_wheel_past_its_digit_and_back_to_rest(self):
        # Half-way between 5 and 6 the text is the last one's already; the wheel goes on. By 0.4 of bounce it swings by
        # exp(-0.6 pi / 0.8), a tenth of the way, beyond; by 0.6, by a quarter.
        for bounce, least, most in ((0.4, 6.05, 6.095), (0.6, 6.2, 6.254)):
            with self.subTest(bounce=bounce):
                name = f"likes-{bounce}".replace(".", "-")
                self.server.post(f"ticker:{name}", label="5 likes", to=5, duration=0)
                view = self.put(name)
                self.run_script(RECORD, view)
                self.server.post(f"ticker:{name}", by=1, spring={"duration": 2, "bounce": bounce})
                self.until("return ended === 6")
                places = [part[1] for data, *_ in self.run_script("return seen") for part in data["wheels"] if part[0] == 0]
                self.assertGreater(max(places), least)
                self.assertLessEqual(max(places), most)
                self.assertEqual(places[-1], 6)
                self.until("return !arguments[0].valuePart.matches('.turning')", view)
                self.assertEqual(self.run_script("return arguments[0].valuePart.querySelector('.digit').textContent", view), "6")


# A component whose frames a test makes: `draw` shows a text by its parts, at a time in milliseconds.
MAKE = """
const [style, wheels, done] = arguments, home = document.createElement('p');
home.style.cssText = style;
home.innerHTML = `8 <tween-ticker id=put ${wheels}></tween-ticker> after`;
document.body.replaceChildren(home);
document.querySelector('link[rel=stylesheet]')?.remove();
document.body.style.cssText = 'margin: 0; color: #000; background: #fff';
const view = window.view = document.querySelector('#put');
view.fallback.hidden = true;
window.draw = (text, parts, now, digits) => {
  view.newest = {text, value: 0};
  if (parts) view.wheels.show({text, wheels: parts, digits}, !/shortest/.test(wheels), now);
  else view.wheels.write(text);
};
// When it is first seen it shows what it has, without wheels: that comes before what is drawn here.
new IntersectionObserver((_, observer) => { observer.disconnect(); done(); }).observe(view);
"""
PLACES = """
const range = document.createRange(), text = document.querySelector('p').firstChild;
range.setStart(text, 0);
range.setEnd(text, 1);
return [range, ...view.shadowRoot.querySelectorAll('.wheel')].map((one) => one.getBoundingClientRect())
  .map(({left, right}) => [left, right]);
"""


class WheelLookTest(BrowserTest):
    """Frames are given by the test: each look is that of one instant."""

    def setUp(self):
        super().setUp()
        # No board: there, who drags selects cards.
        self.driver.get(self.server.url + "/embedding.html")
        self.driver.execute_async_script("import('/embed.js').then(arguments[0])")

    def make(self, style: str = "font: 32px/1.5 sans-serif", attributes: str = "wheels"):
        self.driver.execute_async_script(MAKE, f"margin: 20px; white-space: nowrap; {style}", attributes)

    def draw(self, text: str, parts: list | None, now: float = 1000, digits: str | None = None):
        self.run_script("draw(...arguments)", text, parts, now, digits or "0123456789")

    def rest(self):
        self.until("return !view.valuePart.matches('.turning')")

    def scale(self, scale: float):
        metrics = {"width": 1280, "height": 900, "deviceScaleFactor": scale, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def test_digits_stand_where_those_of_the_text_around_do(self):
        for scale, family, size, height in (
            (1, "sans-serif", 32, 1), (1, "serif", 32, 1.2), (1, "sans-serif", 32, 1.5), (1, "serif", 32, 2),
            (1, "serif", 17.5, 1), (1, "sans-serif", 25.6, 2), (1, "monospace", 33, 1.5), (2, "sans-serif", 24, 1.2),
        ):  # fmt: skip
            with self.subTest(scale=scale, family=family, size=size, height=height):
                self.scale(scale)
                self.make(f"font: {size}px/{height} {family}")
                self.draw("1111111", [[6, 0], [5, 1], [4, 3], [3, 5], [2, 7], [1, 9], [0, 8.5]])
                # Windows are open over the first six, each on an 8 that the text hasn't.
                self.draw("1111111", [*([place, 8] for place in range(6, 0, -1)), [0, 8.5]])
                self.assertEqual(self.run_script("return view.shadowRoot.querySelectorAll('.rolling').length"), 7)
                [text, *wheels] = self.run_script(PLACES)
                picture = Picture(self.driver, 500, 120, scale)
                row = picture.middle(*text)
                for wheel in wheels[:-1]:
                    self.assertAlmostEqual(picture.middle(*wheel), row, delta=0.2)
                # And where they stand they are whole: nothing of a neighbour shows.
                ink = [max(row) for row in picture.part(*wheels[0])]
                shown = [row for row, most in enumerate(ink) if most > 24]
                self.assertEqual(len(shown), shown[-1] - shown[0] + 1)

    def test_wheels_at_rest_look_like_plain_text(self):
        self.make(attributes="wheels", style="font: 31px/1.5 serif")
        self.draw("1,234,567,890.5", [[9, 0.5], [8, 1], [0, 3]])
        parts = [[9, 1], ",", [8, 2], [7, 3], [6, 4], ",", [5, 5], [4, 6], [3, 7], ",", [2, 8], [1, 9], [0, 0], ".", [-1, 5]]
        self.draw("1,234,567,890.5", [*parts[:-1], [-1, 4.7]], 1016)
        self.draw("1,234,567,890.5", parts, 1032)
        self.rest()
        self.until("return !view.valuePart.getAnimations({subtree: true}).length")
        wheels = self.inks()
        self.draw("1,234,567,890.5", None)
        text = self.inks()
        # Text in one piece is shaped as one, a quarter of a pixel aside at most: ink in a row is the same but for its edges.
        for wheel, plain in zip(wheels, text):
            self.assertAlmostEqual(wheel, plain, delta=max(text) / 50)

    def inks(self) -> list[int]:
        """How much ink each row has."""
        picture = Picture(self.driver, 400, 100)
        return [sum(row) for row in picture.part(0, 400)]

    def test_a_wheel_fades_at_the_edges_of_its_window(self):
        self.make("font: 64px/1.5 sans-serif")
        self.draw("11", [[1, 1], [0, 1]])
        # A 1 has ink in all rows; half of one is above, half of the next below.
        self.draw("11", [[1, 1], [0, 1.3]])
        wheel = self.run_script(PLACES)[2]
        ink = [max(row) for row in Picture(self.driver, 400, 160).part(*wheel)]
        top = next(row for row, most in enumerate(ink) if most)
        self.assertLess(ink[top], 60)
        self.assertEqual(sorted(ink[top : top + 12]), ink[top : top + 12])
        self.assertGreater(ink[top + 16], 240)

    def test_a_wheel_too_fast_for_the_eye_is_a_blur_of_whole_digits(self):
        self.make()
        fast = "return [...view.shadowRoot.querySelectorAll('.wheel')].map((wheel) => wheel.matches('.fast'))"
        # 625 units a second, at 60 frames: the ones go round ten times between frames, the hundreds move six times a second.
        for frame in range(30):
            value = 10_000.25 + frame * 625 / 60
            digits = [[place, int(value / 10**place) % 10] for place in (4, 3, 2, 1)]
            self.draw(f"{value:.0f}", [*digits, [0, value % 10]], 1000 + frame * 1000 / 60)
        self.assertEqual(self.run_script(fast), [False, False, False, True, True])
        place = self.run_script("return view.shadowRoot.querySelectorAll('.strip')[4].style.transform")
        self.assertAlmostEqual(float(re.search(r"-([\d.]+)%", place)[1]) * 0.11 % 1, 0, delta=1e-3)
        # Slower, it is seen to turn; at rest nothing is a blur.
        for frame in range(30):
            value += 12 / 60
            self.draw(f"{value:.0f}", [*digits, [0, value % 10]], 1500 + frame * 1000 / 60)
        self.assertEqual(self.run_script(fast), [False] * 5)

    def test_frames_of_a_motion_change_nothing_but_transforms(self):
        self.make()
        self.draw("$100.00", ["$", [2, 1], [1, 0], [0, 0], ".", [-1, 0], [-2, 0]])
        changes = self.run_script(
            """draw("$100.00", ["$", [2, 1], [1, 0], [0, 0], ".", [-1, 0], [-2, 0.5]], 2000);
            const seen = [], watch = new MutationObserver(() => {});
            watch.observe(view.shadowRoot, {subtree: true, childList: true, characterData: true, attributes: true});
            // 20 frames on whole digits and between them, before the text is written anew.
            for (let frame = 1; frame <= 20; frame++) draw("$100.00",
              ["$", [2, 1], [1, 0], [0, 0], ".", [-1, frame % 10], [-2, frame % 4 ? (frame * 0.7) % 10 : 5]], 2000 + frame * 2);
            return watch.takeRecords().map(({type, attributeName, target}) => [type, attributeName, target.className].join(' '))
              .filter((change) => change !== 'attributes style strip')""")
        # One window opens.
        self.assertEqual(changes, ["attributes class wheel rolling"])

    def test_the_text_can_be_found_selected_and_copied(self):
        self.make()
        parts = ["Revenue: $", [3, 1], ",", [2, 2], [1, 3], [0, 4], ".", [-1, 5], [-2, 0], " today"]
        text = "Revenue: $1,234.50 today"
        for state in ("resting", "turning"):
            with self.subTest(state=state):
                self.draw(text, parts)
                if state == "turning":
                    self.draw(text, [*parts[:-2], [-2, 0.4], parts[-1]])
                self.assertEqual(self.run_script("return view.valuePart.textContent"), text)
                found = """getSelection().removeAllRanges();
                    return [find(arguments[0]), find(arguments[0]), getSelection().removeAllRanges()].slice(0, 2)"""
                self.assertEqual(self.run_script(found, text), [True, False])
                self.assertEqual(self.copied(), f"8 {text} after")

    def copied(self) -> str:
        """What a reader has who drags over the line, copies it and pastes it elsewhere."""
        left, right, middle = self.run_script(
            """getSelection().removeAllRanges();
            const field = document.body.appendChild(document.createElement('textarea')), range = document.createRange();
            range.selectNodeContents(document.querySelector('p'));
            const {left, right, top, bottom} = range.getBoundingClientRect();
            return [left, right, (top + bottom) / 2].map(Math.round)""")
        drag = ActionChains(self.driver, duration=0)
        mouse = drag.w3c_actions.pointer_action
        mouse.move_to_location(left - 4, middle).pointer_down().move_to_location(right + 4, middle).pointer_up()
        drag.perform()
        ActionChains(self.driver, duration=0).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
        field = self.driver.find_element("css selector", "textarea")
        field.click()
        ActionChains(self.driver, duration=0).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
        return self.run_script("const {value} = arguments[0]; arguments[0].remove(); return value", field)

    def test_an_entering_digit_is_not_part_of_the_text_content(self):
        self.make()
        cases = (
            ("$999 a 3", ["$", [3, 1, 0.4], [",", 0.4], [2, 9], [1, 9], [0, 9.4], " a 3"], "0123456789"),
            ("Q3 9", ["Q3 ", [1, 1, 0.2], [0, 9.2], ""], "0123456789"),
            ("१०", [[2, 1, 0.2], [1, 1], [0, 0.2]], "०१२३४५६७८९"),
        )
        for text, parts, digits in cases:
            with self.subTest(text=text):
                self.draw("", None)
                self.draw(text, [part for part in parts if part], 1000, digits)
                self.assertEqual(self.run_script("return view.valuePart.textContent"), text)
                # It has its room, though.
                width = "return view.valuePart.querySelector('.wheel').getBoundingClientRect().width"
                self.assertGreater(self.run_script(width), 10)

    def test_a_leaving_digit_that_comes_back_is_part_of_the_text_content_again(self):
        for label, parts in (("-$1,000 net", ["-$", [3, 1], ",", [2, 0], [1, 0], [0, 0], " net"]), ("-1", ["-", [0, 1]]),
                             ("1 km", [[0, 1], " km"])):  # fmt: skip
            with self.subTest(label=label):
                self.make()
                self.draw("", None)
                self.draw(label, parts)
                self.draw("1", [[0, 1]])
                self.draw(label, parts)
                self.assertEqual(self.run_script("return view.valuePart.textContent"), label)
                self.assertEqual(self.run_script("return view.valuePart.querySelectorAll('.absent').length"), 0)

    def test_a_number_keeps_its_width_while_it_moves_where_the_page_wants_that(self):
        width = "return view.valuePart.getBoundingClientRect().width"
        for held in (False, True):
            with self.subTest(held=held):
                self.make(f"font: 32px/1.5 sans-serif; --tween-hold-width: {int(held)}")
                self.draw("1000", [[3, 1], [2, 0], [1, 0], [0, 0]])
                whole = self.run_script(width)
                self.draw("999", [[3, 1], [2, 0], [1, 0], [0, 0.4]])
                self.run_script("return new Promise(requestAnimationFrame)")
                self.draw("999", [[3, 1, 0.5], [2, 9], [1, 9], [0, 9.6]])
                self.assertAlmostEqual(self.run_script(width), whole if held else whole * 7 / 8, delta=1)
                self.draw("999", [[2, 9], [1, 9], [0, 9]])
                self.rest()
                self.until("return !view.valuePart.getAnimations({subtree: true}).length")
                self.assertAlmostEqual(self.run_script(width), whole * 3 / 4, delta=1)

    def test_readers_who_prefer_reduced_motion_see_text(self):
        features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.make()
        self.draw("$12", ["$", [1, 1.2], [0, 2.5]])
        self.assertEqual(self.run_script("return view.valuePart.innerHTML"), "$12")

    def test_a_component_tells_its_text_and_value(self):
        self.server.post("ticker:told", label="$0.00", to="1234.5", duration=0)
        self.run_script("document.body.innerHTML = '<tween-ticker>none</tween-ticker>'")
        read = "const {text, value, fraction} = document.querySelector('tween-ticker'); return [text, value, fraction]"
        self.assertEqual(self.run_script(read), ["", None, None])
        self.run_script("document.body.innerHTML = '<tween-ticker src=/v1/tickers/told></tween-ticker>'")
        self.until("return document.querySelector('tween-ticker').text")
        self.assertEqual(self.run_script(read), ["$1234.5", 1234.5, None])

    def test_screen_readers_get_the_value_at_rest_once(self):
        self.server.post("ticker:read", label="$0.00 net", to="98765", duration=0)
        for attributes in ("wheels", "wheels announce"):
            with self.subTest(attributes=attributes):
                self.run_script("document.body.innerHTML = `<tween-ticker ${arguments[0]} src=/v1/tickers/read></tween-ticker>`", attributes)
                self.until("return document.querySelector('tween-ticker').text")
                tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
                said = [node["name"]["value"] for node in tree if node["role"]["value"] == "StaticText" and not node["ignored"]]
                self.assertEqual(said, ["$98765 net"])
                # A live region is text; but for that there is one number on the page.
                if "announce" not in attributes:
                    found = "getSelection().removeAllRanges(); return [find('$98765 net'), find('$98765 net')]"
                    self.assertEqual(self.run_script(found), [True, False])
