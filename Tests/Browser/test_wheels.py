"""Digit wheels in the components: which way they turn, what stands between them, where they stand on the page."""

import re

from browser import BrowserTest

# Keeps, for each frame that a component draws, the frame, and the widths before and after.
RECORD = """
const view = arguments[0], {frame} = Object.getPrototypeOf(view), seen = window.seen = [];
window.ended = null;
view.addEventListener('complete', ({detail}) => { window.ended = detail.value; });
const width = () => view.value.getBoundingClientRect().width;
view.frame = function (data) {
  const before = width();
  frame.call(this, data);
  seen.push([data, before, width()]);
};
"""

# The left edge of each character that is seen at rest, from the first.
EDGES = """
const {value} = arguments[0], left = value.getBoundingClientRect().left, edges = [];
const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT), range = document.createRange();
while (walker.nextNode()) {
  const text = walker.currentNode;
  if (text.parentElement.closest('.strip')) continue;
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
        self.until("const put = document.querySelector('#put'); return put.newest && put.feed.isTold")
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

    def test_styles_that_follow_the_value_are_told_apart_and_others_are_an_odometer(self):
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
                    digit = self.run_script("return arguments[0].value.querySelector('.wheel').offsetWidth", view)
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
                    self.until("return !arguments[0].value.querySelector('[style*=opacity]')", view)
                    self.until("return !arguments[0].value.getAnimations({subtree: true}).length", view)
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

    def test_every_character_stands_where_the_text_has_it(self):
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
                    self.assertEqual(self.run_script("return !!arguments[0].value.querySelector('.wheel')", view), attributes != "")
                # Text in one piece is shaped as one: a quarter of a pixel at most.
                self.assertEqual([character for character, _ in edges["wheels"]], [character for character, _ in edges[""]])
                for (_, place), (_, expected) in zip(edges["wheels"], edges[""]):
                    self.assertAlmostEqual(place, expected, delta=0.5)

    def test_a_keycap_and_a_combined_digit_stay_whole(self):
        for name, suffix in (("keycap", "\ufe0f\u20e3 likes"), ("accent", "\u0301")):
            self.server.post(f"ticker:{name}", suffix=suffix, to=7, duration=0)
            view = self.put(name)
            self.assertEqual(self.run_script("return arguments[0].value.innerHTML", view), f"7{suffix}")

    def test_what_is_paused_or_cancelled_shows_whole_digits(self):
        for operation in ("pause", "cancel"):
            with self.subTest(operation=operation):
                self.server.post("ticker:held", label="0", to=0, duration=0)
                view = self.put("held")
                self.server.post("ticker:held", to=997, duration=90)
                self.until("return arguments[0].value.matches('.turning')", view)
                self.server.post("ticker:held", operation)
                self.until("return !arguments[0].value.matches('.turning')", view)
                self.until("return [...arguments[0].value.querySelectorAll('.digit')].map((digit) => digit.textContent).join('')"
                           " === arguments[0].newest.text", view)

    def test_a_page_that_is_paused_shows_whole_digits(self):
        self.server.post("ticker:page", label="0", to=0, duration=0)
        self.visit()
        view = self.card("ticker:page").find_element("css selector", "tween-ticker")
        self.server.post("ticker:page", to=997, duration=90)
        self.until("return arguments[0].value.matches('.turning')", view)
        self.driver.find_element("css selector", "#pace [value=paused]").click()
        self.assertEqual(self.run_script("return arguments[0].value.innerHTML === arguments[0].newest.text", view), True)
        self.driver.find_element("css selector", "#pace [value=live]").click()
        self.until("return arguments[0].value.matches('.turning')", view)

    def test_wheels_stand_on_the_baseline_whatever_the_height_of_a_line(self):
        self.server.post("ticker:line", label="$0.0000", to=42, duration=0)
        for height in ("1", "1.5", "2", "normal", "60px"):
            with self.subTest(height=height):
                view = self.put("line", style=f"font: 32px/{height} sans-serif")
                # The first wheels stand while the last one turns.
                self.server.post("ticker:line", to=43, duration=600, decimals=4)
                self.until("return arguments[0].value.matches('.turning')", view)
                places = self.run_script(
                    """const range = document.createRange();
                    return [...arguments[0].value.querySelectorAll('.wheel')].slice(0, 2).map((wheel) => {
                      const strip = wheel.querySelector('.strip'), digit = wheel.querySelector('.digit');
                      const position = /-([\\d.]+)%/.exec(strip.style.transform)?.[1] * 0.11 || 0;
                      range.setStart(strip.firstChild, Math.round(position) * 2);
                      range.setEnd(strip.firstChild, Math.round(position) * 2 + 1);
                      const over = range.getBoundingClientRect(), text = digit.getBoundingClientRect();
                      return [over.top - text.top, over.left - text.left];
                    });""",
                    view,
                )
                self.assertEqual(len(places), 2)
                for down, across in places:
                    self.assertLess(abs(down), 1)
                    self.assertLess(abs(across), 1)
                self.server.post("ticker:line", to=42, duration=0)

    def test_a_number_that_is_too_long_for_its_line_goes_on_in_the_next(self):
        self.server.post("ticker:long", label="0", to="9" * 30, duration=0)
        view = self.put("long", style="width: 9em; font: 30px/1.2 sans-serif")
        self.server.post("ticker:long", to="8" * 30, duration=0.2)
        self.until("return arguments[0].newest.text === '8'.repeat(30)", view)
        outside = """const {left, right} = arguments[0].parentElement.getBoundingClientRect();
            return [...arguments[0].value.querySelectorAll('.wheel')].map((wheel) => wheel.getBoundingClientRect())
              .filter((box) => box.left < left - 1 || box.right > right + 1).length"""
        self.assertEqual(self.run_script(outside, view), 0)
        self.assertEqual(re.sub(r"\s", "", self.run_script("return arguments[0].value.innerText", view))[-1], "8")

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
                self.until("return !arguments[0].value.matches('.turning')", view)
                self.assertEqual(self.run_script("return arguments[0].value.querySelector('.digit').textContent", view), "6")
