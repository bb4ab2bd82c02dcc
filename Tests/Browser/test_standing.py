"""What stands in the windows of wheels, beside the text: on the way through zero, with digits that come and go, in any script."""

import json
import random
import time

from browser import BrowserTest
from drawn import FACE, STANDING
from server import Server

# Ways in which a ticker is shown; the first, as text, is what the others are held against.
WAYS = (
    "", "wheels", "wheels=continuous", "wheels=up", "wheels=down", "wheels=shortest", "wheels=strip", "mode=motion",
    "mode=motion wheels", "mode=motion wheels=continuous",
)  # fmt: skip
# A script's digits, and a label in it.
FACES = {
    "latin": {"label": "Temperature: 13F"},
    "bare": {"label": "0"},
    "euro": {"label": "0,00 €", "decimals": 2},
    "arabic": {"label": "0", "format": {"locale": "ar-EG"}},
    "persian": {"label": "دما: 0", "format": {"locale": "fa-IR"}},
    "devanagari": {"label": "0", "decimals": 1, "format": {"locale": "mr-IN"}},
    "burmese": {"label": "0", "format": {"locale": "my-MM"}},
    "thai": {"label": "0", "format": {"locale": "th-TH-u-nu-thai"}},
    "bengali": {"label": "0 টি", "format": {"locale": "bn-BD"}},
    "khmer": {"label": "0", "format": {"locale": "km-KH-u-nu-khmr"}},
    "tamil": {"label": "0", "format": {"locale": "ta-IN-u-nu-tamldec"}},
    "chinese": {"label": "0", "format": {"locale": "zh-CN-u-nu-hanidec"}},
    "adlam": {"label": "0", "format": {"locale": "en-US-u-nu-adlm"}},
}
# From each number to the next, and how: steps and speeds of each size.
STEPS = [
    (250, {"duration": 0}),
    (-250, {"duration": 2}),
    (9, {"duration": 0.7, "easing": "linear"}),
    (-9, {"duration": 0.15}),
    (5, {"duration": 1}),
    (-5, {"duration": 1}),
    (1433, {"spring": {"dampingRatio": 0.4, "response": 0.5}}),
    (-40, {"duration": 1.2, "easing": "easeOut"}),
    (0, {"duration": 0.4}),
    (99_999, {"duration": 1}),
    (-1, {"duration": 1}),
    (0.6, {"duration": 0.8, "easing": "linear"}),
]

PAGE = """
const [names, ways, server = ""] = arguments;
document.body.innerHTML = names.map((name) => ways.map((way) =>
  `<p dir="ltr"><tween-ticker ${way} src="${server}/v1/tickers/${name}"></tween-ticker></p>`).join('')).join('');
document.body.style.cssText = 'display: grid; grid-template-columns: repeat(10, 1fr); font: 13px/1.1 sans-serif; margin: 0';
"""

# Those that don't rest on the text that each is to show.
RESTLESS = """
return [...document.querySelectorAll('tween-ticker')].filter((view) => view.newest?.text !== arguments[0][view.src.split("/").pop()]
  || view.valuePart.matches('.turning') || view.valuePart.getAnimations({subtree: true}).length)
  .map((view) => `${view.outerHTML} ${view.newest?.text} ${view.valuePart.outerHTML}`)
"""

# Those that show anything else than the text beside them, or have anything else to be copied.
WRONG = STANDING + """
const wrong = [], all = [...document.querySelectorAll('tween-ticker')];
all.forEach((view, index) => {
  const text = all[index - index % arguments[0]], [shown, right] = [standing(view), standing(text)];
  const is = [shown, view.valuePart.textContent, view.text], be = [right, text.newest.text, text.newest.text];
  if (JSON.stringify(is) !== JSON.stringify(be)) wrong.push([view.outerHTML, ...is, ...be].join(' | '));
});
return wrong
"""

# Keeps of each frame with wheels the text, the digits nearest to the middle of their windows, and where their strips are.
RECORD = FACE + """
window.seen = [];
for (const view of document.querySelectorAll('tween-ticker[wheels]')) {
  const {render} = view;
  view.render = function (data) {
    render.call(this, data);
    if (!data.wheels) return;
    const isLeaving = (part) => part.getAnimations().some(({effect}) => effect.getTiming().fill === 'forwards');
    const wheels = [...this.valuePart.querySelectorAll('.wheel')].filter((wheel) => !isLeaving(wheel));
    const placeOf = ({style}) => /-([\\d.]+)%/.exec(style.transform)?.[1] * 0.11 || 0;
    seen.push([data.text, wheels.map(face).join(''), wheels.map((wheel) => placeOf(wheel.querySelector('.strip')))]);
  };
}
"""

# Gives a counter from 7 to 13 in 12 s, sixty frames a second, and tells how many frames its wheels were between digits.
COUNT = """
const [isStepping] = arguments, view = document.querySelector('tween-ticker'), {wheels} = view;
wheels.isStepping = isStepping;
let between = 0;
for (let frame = 0; frame <= 720; frame++) {
  const value = 7 + frame / 120, text = `${Math.round(value)}`;
  const entered = value < 9 ? [] : value < 10 ? [[1, 1, value - 9]] : [[1, 1]];
  wheels.show({text, wheels: [...entered.filter(([,, presence]) => presence !== 0), [0, value % 10]]}, true, 1e6 + frame * 1000 / 60);
  const place = /-([\\d.]+)%/.exec(view.valuePart.querySelector('.wheel:last-of-type .strip').style.transform)?.[1] * 0.11 || 0;
  if (Math.abs(place - Math.round(place)) > 0.01) between++;
}
return between
"""

# Puts each text into places, in a ticker of each way and in a span.
PLACES = """
const [texts, ways, places] = arguments, beside = (place, html) => `<div class="box">${place.replace('{}', html)}</div>`;
document.body.style.font = '16px/1.2 sans-serif';
document.body.innerHTML = places.map((place) => Object.entries(texts).map(([name, text]) => ways.map((way) =>
  `<section>${beside(place, `<tween-ticker ${way} src="/v1/tickers/${name}"></tween-ticker>`)}
  ${beside(place, `<span>${text}</span>`)}</section>`).join('')).join('')).join('');
"""
# The places in which a ticker is higher than a span is.
HIGHER = """
return [...document.querySelectorAll('section')].filter((section) => {
  const [shown, expected] = [...section.querySelectorAll('tween-ticker, span:not(:empty)')].map((part) =>
    (part.valuePart ?? part).getBoundingClientRect().height);
  return shown > expected + 1;
}).map(({innerHTML}) => innerHTML)
"""


def text_at_rest(server: Server, name: str) -> str:
    """What a ticker shows once it has arrived, or is held."""
    end = time.monotonic() + 30
    while True:
        ticker = server.get(f"ticker:{name}")
        if ticker["motion"]["state"] != "running":
            return ticker["text"]
        assert time.monotonic() < end, f"{name} goes on moving"
        time.sleep(0.02)


class StandingTest(BrowserTest):
    def put(self, names: list[str], ways: tuple[str, ...] = WAYS):
        self.driver.get(self.server.url + "/healthz")
        self.driver.execute_async_script("import('/embed.js').then(arguments[0])")
        self.run_script(PAGE, names, ways)
        self.rest(names)

    def move(self, names: list[str], to: float, **way):
        lines = [{"ticker": name, "to": to, **way} for name in names]
        answers = self.server.request("POST", "/v1/batch", lines)
        for answer in answers.splitlines():
            self.assertNotIn("title", json.loads(answer))

    def rest(self, names: list[str]):
        """Waits for all to rest: a number that is there shows the text that the server has of it."""
        texts = {name: text_at_rest(self.server, name) for name in names}
        end = time.monotonic() + 20
        while restless := self.run_script(RESTLESS, texts):
            if time.monotonic() > end:
                self.assertEqual(restless, [], texts)

    def assertRight(self, count: int = len(WAYS)):
        self.assertEqual(self.run_script(WRONG, count), [])

    def test_wheels_at_rest_show_the_text_after_any_motion(self):
        names = list(FACES)
        for name, face in FACES.items():
            self.server.post(f"ticker:{name}", to=0, duration=0, **face)
        self.put(names)
        for to, way in STEPS:
            with self.subTest(to=to, way=way):
                self.move(names, to, **way)
                self.rest(names)
                self.assertRight()

    def test_wheels_show_the_text_after_pause_cancel_or_retarget(self):
        names = [f"cut-{name}" for name in ("latin", "euro", "persian", "thai", "adlam")]
        for name in names:
            self.server.post(f"ticker:{name}", to=0, duration=0, **FACES[name[4:]])
        self.put(names)
        lot = random.Random(1)
        for _ in range(8):
            size = 10 ** lot.randint(1, 4)
            for _ in range(lot.randint(1, 4)):
                self.move(names, round(lot.uniform(-size, size), 1), duration=lot.choice((0.3, 1, 2)))
                # As many frames as happen to be drawn.
                self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            verb = lot.choice(("pause", "cancel", ""))
            if verb:
                for name in names:
                    if self.server.get(f"ticker:{name}")["motion"]["state"] == "running":
                        self.server.post(f"ticker:{name}", verb)
            self.rest(names)
            self.assertRight()

    def test_the_digits_nearest_to_their_windows_are_those_of_the_text(self):
        # Less than a unit a second and some more; rounded as usual and down, over a digit that comes, and one that goes.
        cases = {
            "slow": (7, 11, 6, {}), "quick": (88, 104, 4, {}), "down": (12, 8, 6, {}),
            "floor": (7, 11, 6, {"format": {"rounding": "floor"}}),
        }  # fmt: skip
        for name, (start, end, seconds, face) in cases.items():
            self.server.post(f"ticker:{name}", label="0", to=start, duration=0, decimals=0, **face)
        self.put(list(cases), ("", "wheels", "mode=motion wheels"))
        self.run_script(RECORD)
        for name, (_, end, seconds, _) in cases.items():
            self.server.post(f"ticker:{name}", to=end, duration=seconds, easing="linear")
        self.rest(list(cases))
        seen = self.run_script("return seen")
        self.assertGreater(len({text for text, *_ in seen}), 10)
        for text, digits, _ in seen:
            self.assertRegex(text, f"^{digits}$")

    def test_a_slow_wheel_turns_within_150_ms_and_stands_else(self):
        self.server.post("ticker:count", label="0", to=7, duration=0)
        self.put(["count"], ("wheels",))
        # Six steps, each of which has nine frames in 150 ms; two for the first speed.
        between = self.run_script(COUNT, True)
        self.assertGreater(between, 6 * 5)
        self.assertLess(between, 6 * 10 + 2)
        # As continuous wheels do, which nobody asked for.
        self.assertGreater(self.run_script(COUNT, False), 600)

    def test_wheels_of_any_style_turn_where_the_sign_alone_changes(self):
        styles = ("up", "down", "shortest", "strip")
        for style in styles:
            with self.subTest(style=style):
                self.server.post("ticker:sign", label="0", to=5, duration=0)
                self.put(["sign"], (f"wheels={style}",))
                self.run_script(RECORD)
                self.server.post("ticker:sign", to=-5, duration=1.5, easing="linear")
                self.rest(["sign"])
                digits = {digits for _, digits, _ in self.run_script("return seen")}
                # There and back, if not by each of them on a busy machine.
                self.assertGreater(len(digits), 3, digits)

    def test_wheels_follow_the_number_where_that_is_asked_for(self):
        self.server.post("ticker:asked", label="0", to=7, duration=0, decimals=0)
        self.put(["asked"], ("wheels=continuous",))
        self.run_script(RECORD)
        self.server.post("ticker:asked", to=13, duration=4, easing="linear")
        self.rest(["asked"])
        places = [place for _, _, places in self.run_script("return seen") for place in places]
        self.assertGreater(sum(0.1 < place % 1 < 0.9 for place in places), len(places) / 3)

    def test_a_number_in_a_narrow_place_has_the_lines_of_a_span(self):
        faces = {"plain": {"label": "$0.00"}, "worded": {"label": "Sold: $0.00 net"}, "rial": {"format": {"locale": "fa-IR"}}}
        texts = {
            name: self.server.post(f"ticker:{name}", to="-2859759.5", duration=0, **face)["text"] for name, face in faces.items()
        }
        self.put(list(faces), ("", "wheels"))
        self.run_script(PLACES, texts, ("", "wheels"), (
            "<table style='width: 200px'><td>what it is<td>{}<td>and more words than fit</table>",
            "<table style='width: 40px; table-layout: fixed'><td>{}</table>",
            "<div style='display: flex; width: 60px'><b>words words</b>{}</div>",
            "<div style='display: grid; grid-template-columns: 1fr 1fr; width: 60px'><b>words</b><div>{}</div></div>",
            "<div style='display: grid; grid-template-columns: 30px'>{}</div>",
            "<div style='width: 3em'>{}</div>",
        ))  # fmt: skip
        self.rest(list(faces))
        self.assertEqual(self.run_script(HIGHER), [])
