"""That all of a number is seen, where there is little room for it: long labels, high bars, little of a ring, paper."""

import base64
import re

from browser import BrowserTest

# Labels of eighty characters and more: words before the number, behind it, on either side; with digits of their own; a message.
LABELS = {
    "before": {"label": "This is a very long label that says a lot about the number of things that there are: 0"},
    "behind": {"label": "0 things are what this very long label is about, that says a lot of them and their number"},
    "around": {"label": "This is a very long label about the number 7 of things: $0.00 of them, and more of these words"},
    "message": {"label": "{n, plural, one {# thing is} other {# things are}} what this very long label says a whole lot of words about"},
    "compact": {"label": "What is told here at length, and in many more words than it takes: 0", "format": {"style": "compact"}},
    "endless": {"label": "What is told here at length, and in many more words than it takes: 0 of what is counted", "to": "8" * 30},
    "hebrew": {"label": "זוהי תווית ארוכה מאוד שמספרת הרבה על מספר הדברים שיש כאן ועל עוד דברים: 0 דברים שיש כאן"},
}
# Characters of the number, as the server has it, that are not within what cuts off around it.
HIDDEN = """
const [card, number] = arguments, view = card.querySelector('tween-ticker'), hidden = [], range = document.createRange();
const walker = document.createTreeWalker(view.valuePart, NodeFilter.SHOW_TEXT), nodes = [];
while (walker.nextNode()) nodes.push(walker.currentNode);
const text = nodes.map(({data}) => data).join(''), first = text.lastIndexOf(number);
if (first < 0) return ['not there: ' + text];
let at = 0;
for (const node of nodes) for (let index = 0; index < node.data.length; index++, at++) {
  if (at < first || at >= first + number.length) continue;
  range.setStart(node, index);
  range.setEnd(node, index + 1);
  const box = range.getBoundingClientRect();
  for (const home of [node.parentElement, view.valuePart, view, card.querySelector('.stage'), card]) {
    if (getComputedStyle(home).display === 'inline') continue;
    const {left, right, top, bottom} = home.getBoundingClientRect();
    // A font's box is higher than its digits are.
    const edge = box.height / 5;
    if (box.left < left - 1 || box.right > right + 1 || box.top + edge < top || box.bottom - edge > bottom) hidden.push(node.data[index]);
  }
}
return hidden
"""

# What is printed besides cards, and of each card the text, as it should be and as it is, and where.
PRINTED = """
const beside = [...document.querySelectorAll('body *')].filter((part) => part.checkVisibility({visibilityProperty: true})
  && !part.children.length && part.textContent.trim() && !part.closest('.card, .group, .spoken'));
const cards = [...document.querySelectorAll('.card')].filter((card) => card.checkVisibility());
return [beside.map(({outerHTML}) => outerHTML), cards.map((element) => {
  const {view} = element.card, {left, top} = element.getBoundingClientRect();
  return [view.text, view.valuePart.textContent, [left, top]];
})]
"""


class RoomTest(BrowserTest):
    def test_the_words_of_a_long_label_give_way_to_its_number(self):
        for name, face in LABELS.items():
            self.server.post(f"ticker:room-{name}", **{"to": 28597.5, "duration": 0, **face})
        for layout, pace in (("cards", "live"), ("cards", "paused"), ("rows", "live"), ("wall", "live")):
            self.visit(f"/?q=room&layout={layout}&pace={pace}")
            for name in LABELS:
                with self.subTest(layout=layout, pace=pace, name=name):
                    number = self.server.get(f"ticker:room-{name}")["display"]["value"]
                    card = self.see(f"ticker:room-{name}")
                    self.until("return arguments[0].querySelector('tween-ticker').valuePart.textContent", card)
                    self.assertEqual(self.run_script(HIDDEN, card, number), [])
                    text = self.run_script("return arguments[0].querySelector('tween-ticker').valuePart.textContent", card)
                    self.assertEqual(text, self.server.get(f"ticker:room-{name}")["text"])

    def test_a_high_progress_bar_is_not_cut_off_in_any_layout(self):
        for height in (60, 1000):
            looks = {"height": height, "margin": 30}
            self.server.post(f"progress:high-{height}", current=75, duration=0, appearance=looks)
        for layout in ("cards", "rows", "wall"):
            self.visit(f"/?q=high&layout={layout}")
            for height in (60, 1000):
                with self.subTest(layout=layout, height=height):
                    card = self.see(f"progress:high-{height}")
                    self.until("return !arguments[0].querySelector('.waiting')", card)
                    cut = self.run_script("""const [card] = arguments, view = card.querySelector('tween-progress');
                        const parts = [view.track.firstChild, view.valuePart].map((part) => part.getBoundingClientRect());
                        return [card.querySelector('.stage'), card].flatMap((home) => {
                          const {top, bottom, left, right} = home.getBoundingClientRect();
                          return parts.filter((box) => box.top < top - 1 || box.bottom > bottom + 1 || box.left < left || box.right > right);
                        }).length""", card)
                    self.assertEqual(cut, 0)
                    self.assertLess(self.run_script("return arguments[0].offsetHeight", card), 240 if layout != "wall" else 900)

    def test_a_ring_is_as_long_as_its_share(self):
        self.server.post("progress:ring", current=0, duration=0, appearance={"shape": "ring"})
        self.visit()
        self.run_script("document.body.innerHTML = '<tween-progress src=/v1/progress/ring></tween-progress>'")
        self.until("return document.querySelector('tween-progress').newest && document.querySelector('tween-progress').shape === 'ring'")
        # Where it is painted, a thousand looks round the circle.
        painted = """const {fill} = document.querySelector('tween-progress'), r = parseFloat(getComputedStyle(fill).r);
            return [...Array(1000).keys()].filter((at) => fill.isPointInStroke(new DOMPoint(
              r * Math.cos((at + 0.5) / 500 * Math.PI), r * Math.sin((at + 0.5) / 500 * Math.PI)))).length"""
        for percent in (0.5, 3, 5, 6, 50, 97, 100):
            with self.subTest(percent=percent):
                self.server.post("progress:ring", current=percent, duration=0)
                self.until("return document.querySelector('tween-progress').newest.value === arguments[0]", percent)
                self.assertAlmostEqual(self.run_script(painted), percent * 10, delta=4)
        self.server.post("progress:ring", current=0.05, duration=0)
        self.until("return document.querySelector('tween-progress').newest.value === 0.05")
        self.assertLessEqual(self.run_script(painted), 2)

    def test_arrows_point_the_way_that_the_page_is_read(self):
        self.server.post("ticker:arrow", label="0", to=0, duration=0)
        self.server.post("ticker:arrow", to=900, duration=600)
        self.server.request("PUT", "/v1/schedules/arrow", {"every": 3600, "do": [{"ticker": "arrow", "by": 1}]})
        for direction, forwards in (("", True), ("&dir=rtl", False)):
            self.visit(f"/?q=arrow{direction}")
            for key in ("ticker:arrow", "schedule:arrow"):
                with self.subTest(key=key, forwards=forwards):
                    card = self.see(key)
                    self.until("return /[→←]/.test(arguments[0].querySelector('.note').textContent)", card)
                    # The arrow's sign, and whether it stands before where it points to, as lines run.
                    arrow = self.run_script("""const text = arguments[0].querySelector('.note').firstChild, range = document.createRange();
                        const at = /[→←]/.exec(text.data).index, place = (index) => {
                          range.setStart(text, index);
                          range.setEnd(text, index + 1);
                          return range.getBoundingClientRect().left; };
                        const goal = text.data[at] === '→' ? at + 2 : at - 2;
                        return [text.data[at], place(at) < place(goal)]""", card)
                    self.assertEqual(arrow, ["→", True] if forwards else ["←", False])

    def test_a_printed_board_has_its_numbers_and_no_controls(self):
        for index in range(40):
            self.server.post(f"ticker:paper-{index}", label="$0.00", to=index + 0.5, duration=0)
        self.server.post("progress:paper", current=75, duration=0)
        for layout in ("cards", "rows", "wall"):
            with self.subTest(layout=layout):
                self.visit(f"/?q=paper&layout={layout}")
                self.card("progress:paper")
                self.until("return document.querySelectorAll('.card:not([hidden])').length === 41")
                pages = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
                self.assertIn(len(re.findall(rb"/Type\s*/Page\b", pages)), (1, 2, 3))
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
                self.run_script("dispatchEvent(new Event('beforeprint'))")
                seen, shown = self.run_script(PRINTED)
                self.assertEqual(seen, [])
                self.assertEqual(len(shown), 41)
                for text, drawn, _ in shown:
                    self.assertEqual(drawn, text)
                # None lies on another.
                self.assertEqual(len({tuple(place) for *_, place in shown}), 41)
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
