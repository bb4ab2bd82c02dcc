"""What components draw: wheels, pies, retargets, motion mode, reduced motion, the page's pace."""

import re
import urllib.error
import urllib.request

from browser import BrowserTest
from drawn import FACE
from server import Proxy

# Keeps, for each frame drawn by a component, what the frame said and what the component shows right after it.
RECORD = FACE + """
const [selector, look] = arguments;
const view = document.querySelector(selector), seen = window.seen = [];
const render = view.render;
const looks = {
  // One that is there by less than half, or on its way out, the text hasn't.
  wheels: () => [...view.shadowRoot.querySelectorAll('.wheel')].filter((wheel) => (wheel.style.opacity || 1) >= 0.5
    && !wheel.getAnimations().some(({effect}) => effect.getTiming().fill === 'forwards')).map(face).join(''),
  // Where the painted sector ends, found by halving.
  turn: () => {
    const fill = view.shadowRoot.querySelector('[part=fill]');
    let [low, high] = [0, 1];
    for (let i = 0; i < 17; i++) {
      const middle = (low + high) / 2, angle = middle * 2 * Math.PI;
      if (fill.isPointInStroke(new DOMPoint(25 * Math.cos(angle), 25 * Math.sin(angle)))) low = middle;
      else high = middle;
    }
    return low;
  },
};
view.render = function (data) { render.call(this, data); seen.push([data, looks[look](), performance.now()]); };
"""

# All ways of showing a number, and when each showed what.
CALM = """
window.told = {};
document.body.innerHTML = ['', 'wheels', 'wheels=up', 'mode=motion', 'mode=motion wheels'].map((way) =>
  `<p><tween-ticker ${way} src="/v1/tickers/pace"></tween-ticker></p>`).join('') + '<p data-tween="/v1/tickers/pace"></p>';
for (const view of document.querySelectorAll('tween-ticker, [data-tween]')) {
  const values = told[view.outerHTML.slice(0, 60)] = [];
  view.addEventListener('tweenframe', ({detail: {value}}) => values.at(-1)?.[0] === value || values.push([value, performance.now()]));
}
"""


class WheelTest(BrowserTest):
    def test_wheels_show_the_digits_of_each_frame(self):
        self.server.post("ticker:wheel", label="$9.90 net", to="9.90", duration=0)
        self.visit()
        self.card("ticker:wheel")
        self.run_script(RECORD, "[data-key='ticker:wheel'] tween-ticker", "wheels")
        self.server.post("ticker:wheel", to="1034.56", duration=1.5)
        self.until("return seen.at(-1)?.[0].text === '$1034.56 net'")
        seen = self.run_script("return seen")
        self.assertGreater(len(seen), 3)
        for data, shown, _ in seen:
            self.assertRegex(re.sub(r"\D", "", data["text"]), f"^{shown}$")

    def test_wheels_show_the_digits_of_any_script(self):
        zeros = {"ar-EG": 0x660, "mr-IN": 0x966}
        for locale, zero in zeros.items():
            with self.subTest(locale=locale):
                key = f"ticker:{locale}"
                self.server.post(key, label="0", to="9.90", duration=0, format={"locale": locale})
                self.visit()
                self.card(key)
                self.run_script(RECORD, f"[data-key='{key}'] tween-ticker", "wheels")
                self.server.post(key, to="1034.56", duration=1.5)
                self.until("return seen.at(-1)?.[0].value === 1034.56")
                seen = self.run_script("return seen")
                self.assertGreater(len(seen), 3)
                for data, shown, _ in seen:
                    self.assertRegex(re.sub(r"\D", "", data["text"]), f"^{shown}$")
                ticker = self.driver.find_element("css selector", f"[data-key='{key}'] tween-ticker")
                self.until("return !arguments[0].valuePart.matches('.turning')", ticker)
                self.assertEqual(re.sub(r"\D", "", self.run_script("return arguments[0].valuePart.textContent", ticker)),
                                 "".join(chr(zero + int(digit)) for digit in "103456"))
                # Digits and separators stand from left to right, whatever the script.
                places = self.run_script("""return [...arguments[0].valuePart.children].map((column) =>
                    column.getBoundingClientRect().left)""", ticker)
                self.assertEqual(places, sorted(places))

    def test_wheels_come_to_rest_on_the_last_digits_and_leave_when_the_number_shrinks(self):
        self.server.post("ticker:shrink", label="1000", to=1000, duration=0)
        self.visit()
        self.card("ticker:shrink")
        self.server.post("ticker:shrink", to=98, duration=0.6)
        shown = self.until("""const root = document.querySelector(`[data-key='ticker:shrink'] tween-ticker`).shadowRoot;
            const wheels = [...root.querySelectorAll('.wheel')], digits = wheels.map((wheel) => wheel.textContent);
            return !root.querySelector('.turning, .rolling') && wheels.length === 2 && digits.join('') === '98' && digits""")
        self.assertEqual(shown, ["9", "8"])

    def test_figures_are_tabular(self):
        self.server.post("ticker:tabular", to=1, duration=0)
        self.visit()
        self.card("ticker:tabular")
        style = "return getComputedStyle(document.querySelector(`[data-key='ticker:tabular'] tween-ticker`)).fontVariantNumeric"
        self.assertIn("tabular-nums", self.run_script(style))

    def test_a_retarget_in_flight_makes_no_jump(self):
        self.server.post("ticker:turn", label="0.000", to=0, duration=0, decimals=3)
        self.visit()
        self.card("ticker:turn")
        self.run_script(RECORD, "[data-key='ticker:turn'] tween-ticker", "wheels")
        self.server.post("ticker:turn", to=1000, duration=2, decimals=3)
        self.until("return seen.at(-1)?.[0].value > 400")
        self.server.post("ticker:turn", to=-200, duration=2, decimals=3)
        self.until("return seen.at(-1)?.[0].value === -200")
        seen = self.run_script("return seen.map(([data, , time]) => [data.value, time])")
        peak = max(value for value, _ in seen)
        self.assertTrue(400 < peak < 1000)
        # 1200 in 2 s is 0.6 a millisecond, and a busy machine may show two frames of 200 ms at once; a restart from an end
        # would be a step of 400 or more.
        for (before, earlier), (after, later) in zip(seen, seen[1:]):
            self.assertLess(abs(after - before), 0.6 * 3 * max(later - earlier, 17) + 120)


class PieTest(BrowserTest):
    def test_the_angle_of_a_pie_is_its_fraction_in_every_frame(self):
        self.server.post("progress:pie", current=0, duration=0, appearance={"shape": "pie"})
        self.visit()
        self.card("progress:pie")
        self.until("return document.querySelector(`[data-key='progress:pie'] tween-progress`).shape === 'pie'")
        self.run_script(RECORD, "[data-key='progress:pie'] tween-progress", "turn")
        self.server.post("progress:pie", current=90, duration=1.2)
        self.until("return seen.at(-1)?.[0].fraction === 0.9")
        seen = self.run_script("return seen")
        self.assertGreater(len(seen), 3)
        for data, turn, _ in seen:
            # A third of a degree: the browser's own tolerance for dashes.
            self.assertAlmostEqual(turn, data["fraction"], delta=1e-3)
        # It starts at twelve; the angle of SVG grows clockwise.
        start = """return document.querySelector(`[data-key='progress:pie'] tween-progress`).shadowRoot
            .querySelector('[part=fill]').getAttribute('transform')"""
        self.assertEqual(self.run_script(start), "rotate(-90)")

    def test_an_indeterminate_progress_has_the_role_and_no_value(self):
        self.server.post("progress:unknown", maximum=None, current=0, duration=0, label="Scanning")
        self.visit()
        self.card("progress:unknown")
        bar = self.run_script(
            """const bar = document.querySelector(`[data-key='progress:unknown'] tween-progress`).shadowRoot
            .querySelector('[role=progressbar]'); return [bar.hasAttribute('aria-valuenow'), bar.getAttribute('aria-label')]"""
        )
        self.assertEqual(bar, [False, "unknown"])

    def test_titles_sit_on_the_side_the_server_names(self):
        for side in ("top", "bottom", "left", "right"):
            looks = {"shape": "bar", "titleDirection": side, "height": 30}
            self.server.post(f"progress:{side}", current=40, duration=0, appearance=looks)
        self.visit()
        for side in ("top", "bottom", "left", "right"):
            self.card(f"progress:{side}")
            place = self.until(
                """const {shadowRoot: root, looks} = document.querySelector(`[data-key='progress:${arguments[0]}'] tween-progress`);
                if (!looks.height) return null;
                const title = root.querySelector('.value').getBoundingClientRect(), bar = root.querySelector('.bar').getBoundingClientRect();
                return {height: bar.height, top: title.bottom <= bar.top, bottom: title.top >= bar.bottom,
                  left: title.right <= bar.left, right: title.left >= bar.right}""",
                side,
            )
            self.assertTrue(place[side], side)
            self.assertEqual(place["height"], 30)


class PaceTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.server.post("ticker:pace", label="0", to=0, duration=0)

    def record(self):
        self.card("ticker:pace")
        self.run_script(RECORD, "[data-key='ticker:pace'] tween-ticker", "wheels")

    def test_reduced_motion_shows_the_true_value_once_a_second_without_rolling(self):
        media = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.driver.get(self.server.url + "/healthz")
        self.driver.execute_async_script("import('/embed.js').then(arguments[0])")
        self.run_script(CALM)
        self.until("return Object.values(told).every((values) => values.length)")
        # Cut off on its way, and sent on: nobody shows where it only goes.
        for target, seconds in ((5000, 600), (500, 5)):
            self.server.post("ticker:pace", to=target, duration=seconds, easing="linear")
        self.until("return Object.values(told).every((values) => values.at(-1)[0] === 500)")
        for way, values in self.run_script("return told").items():
            between = [value for value, _ in values if 0 < value < 500]
            self.assertGreaterEqual(len(between), 2, way)
            self.assertEqual(between, sorted(between), way)
            self.assertEqual([value for value, _ in values if value > 500], [], way)
            # One a second, one when it rests; one that was late doesn't hold up the next.
            self.assertLessEqual(len(values), 2 + (values[-1][1] - values[0][1]) / 1000 + 2, way)
        self.assertFalse(self.run_script("return [...document.querySelectorAll('*')].some(({shadowRoot}) => shadowRoot?.querySelector('.wheel'))"))

    def test_the_page_can_be_paused_and_goes_on_at_the_value_of_now(self):
        self.visit()
        self.record()
        self.driver.find_element("css selector", "#pace [value=paused]").click()
        self.server.post("ticker:pace", to=900, duration=0.5)
        self.eventually(lambda: self.server.get("ticker:pace")["value"] == 900)
        # However often it drew the number that was there, nothing of the motion is shown.
        self.assertLessEqual({data["value"] for data, *_ in self.run_script("return seen")}, {0})
        self.driver.find_element("css selector", "#pace [value=live]").click()
        self.until("return seen.at(-1)?.[0].value === 900")

    def test_pausing_the_page_holds_its_indeterminate_bars_too(self):
        self.server.post("progress:busy", maximum=None, current=0, duration=0, label="Scanning")
        self.visit()
        self.card("progress:busy")
        state = """const fill = document.querySelector(`[data-key='progress:busy'] tween-progress`).shadowRoot.querySelector('.fill');
            return getComputedStyle(fill).animationPlayState"""
        self.assertEqual(self.run_script(state), "running")
        self.driver.find_element("css selector", "#pace [value=paused]").click()
        self.assertEqual(self.run_script(state), "paused")

    def test_an_element_out_of_sight_updates_assistive_technology_without_drawing(self):
        self.server.post("progress:far", current=10, duration=0)
        self.visit()
        self.see("progress:far")
        self.run_script("document.querySelector('main').style.paddingTop = '300vh'; scrollTo(0, 0)")
        view = self.driver.find_element("css selector", "[data-key='progress:far'] tween-progress")
        self.until("return arguments[0].skipsDrawing", view)
        told = "return arguments[0].shadowRoot.querySelector('[role=progressbar]').ariaValueNow"
        drawn = "return arguments[0].shadowRoot.querySelector('.value').textContent"
        self.server.post("progress:far", current=60, duration=0.2)
        self.until(f"{told} === '60'", view)
        self.assertEqual(self.run_script(drawn, view), "10%")
        self.see("progress:far")
        self.until(f"{drawn} === '60%'", view)

    def test_values_are_spoken_once_they_rest(self):
        self.visit()
        self.card("ticker:pace")
        self.run_script("""window.said = [];
            new MutationObserver(() => said.push(document.querySelector('#spoken').textContent))
              .observe(document.querySelector('#spoken'), {childList: true})""")
        self.server.post("ticker:pace", to=300, duration=0.5)
        self.until("return said.length")
        self.assertEqual(self.run_script("return said"), ["pace 300"])


class MotionModeTest(BrowserTest):
    def test_numbers_are_written_as_the_server_writes_them(self):
        cases = {
            "plain": {"label": "Q3 sales: 5", "index": 1, "decimals": 1},
            "money": {"label": "0", "format": {"locale": "de-DE", "style": "currency", "currency": "EUR"}, "decimals": 2},
            "debt": {"label": "0", "format": {"style": "currency", "currency": "USD"}, "decimals": 2},
            "arabic": {"label": "0", "format": {"locale": "ar-EG"}, "decimals": 1},
            "indian": {"label": "0", "format": {"locale": "hi-IN"}, "decimals": 3},
            "spanish": {"label": "0", "format": {"locale": "es"}, "decimals": 0},
            "share": {"label": "0", "format": {"style": "percent", "rounding": "floor"}, "decimals": 1},
            "compact": {"label": "0", "format": {"style": "compact"}, "decimals": 1},
            "coins": {"label": "{n, plural, one {# coin} other {# coins}}", "decimals": 0},
        }
        self.require_motion_mode()
        self.visit()
        for name, face in cases.items():
            with self.subTest(name=name):
                key, ends = f"ticker:as-{name}", (-2345.6789, 1234567.891)
                self.server.post(key, to=ends[0], duration=0, **face)
                self.run_script("""window.told = [];
                    document.body.innerHTML = `<tween-ticker mode=motion src="/v1/tickers/as-${arguments[0]}"></tween-ticker>`;
                    const view = document.querySelector('tween-ticker');
                    view.addEventListener('tweenframe', ({detail}) => told.push(detail));""", name)
                self.until("return told.length")
                # As long as it takes: a busy machine draws few frames a second.
                self.server.post(key, to=ends[1], duration=60, easing="linear", **face)
                between = "told.filter(({value}) => !arguments[0].includes(value)).length"
                self.until(f"return {between} > 20", ends, seconds=50)
                self.server.post(key, to=ends[1], duration=0, **face)
                self.until("return told.at(-1).value === arguments[0]", ends[1])
                told = self.run_script("return told")
                moving = [frame for frame in told if frame["value"] not in ends]
                for frame in [*moving[:: max(1, len(moving) // 12)], told[-1]]:
                    twin = self.server.post(f"ticker:twin-{name}", to=frame["value"], duration=0, **face)
                    self.assertEqual(frame["text"], twin["text"])

    def play(self, name: str):
        """A page with one ticker in motion mode, which keeps what it is given."""
        self.visit()
        self.run_script("""window.told = [];
            window.pace = document.querySelector('#pace');
            document.body.innerHTML = `<tween-ticker mode=motion src="/v1/tickers/${arguments[0]}"></tween-ticker>`;
            document.querySelector('tween-ticker').addEventListener('tweenframe', ({detail}) => told.push(detail));""", name)
        self.until("return told.length")

    def test_a_number_with_more_digits_than_a_double_rests_on_all_of_them(self):
        self.server.post("ticker:exact", to=0, duration=0)
        self.play("exact")
        # Its completion is a long way off.
        self.server.post("ticker:exact", to="9007199254740993", duration=0.3, endDelay=600)
        self.until("return told.at(-1).text === '9007199254740993'")

    def test_a_motion_obeys_the_pace_of_the_page(self):
        self.server.post("ticker:paced", label="0.000", to=0, duration=0)
        self.play("paced")
        self.server.post("ticker:paced", to=500, duration=600, easing="linear")
        self.until("return told.at(-1).value > 0")
        pace = "pace.value = arguments[0]; pace.dispatchEvent(new Event('change')); return told.length"
        count = self.run_script(pace, "paused")
        frames = "return (async () => { for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame); return told.length; })()"
        self.assertEqual(self.run_script(frames), count)
        # Where it is, not where it will be one day; and then not for a while.
        self.run_script(pace, "settled")
        self.until("return told.length > arguments[0]", count)
        self.assertLess(self.run_script("return told.at(-1).value"), 100)
        self.assertLessEqual(self.run_script(frames), count + 2)
        self.run_script(pace, "live")
        self.until("return told.length > arguments[0] + 5", count)

    def test_a_paused_or_cancelled_motion_rests_on_whole_digits(self):
        self.server.post("ticker:held", label="0", to=0, duration=0)
        self.play("held")
        self.run_script("""window.wheels = []; window.events = new EventSource('/v1/tickers/held/events?wheels');
            events.onmessage = ({data}) => wheels.push(JSON.parse(data));""")
        for operation in ("pause", "cancel"):
            with self.subTest(operation=operation):
                self.server.post("ticker:held", to=1000, **{"from": 0}, duration=20, easing="linear", decimals=0)
                self.until("return told.at(-1).value % 1000 > 100 && wheels.at(-1)?.value % 1000 > 100")
                text = self.server.post("ticker:held", operation)["text"]
                self.until("return told.at(-1).text === arguments[0]", text)
                # The very frame that tells of it.
                self.until("return wheels.findLast(({text}) => text !== arguments[0])?.text", text)
                self.until("return wheels.at(-1).text === arguments[0]", text)
                self.eventually(lambda text=text: self.digits() == text)
                self.assertEqual(self.run_script("return told.at(-1).text"), text)

    def digits(self) -> str:
        """The digits on which the wheels of the last frame stand; none between two."""
        last = self.run_script("return wheels.at(-1).wheels")
        return "".join(str(part[1]) for part in last if part[1:])

    def test_a_motion_that_is_cut_off_before_its_script_is_there_is_not_played(self):
        self.server.post("ticker:late", label="0.000", to=0, duration=0)
        proxy = Proxy(self.server.port, held="player.js ")
        self.addCleanup(proxy.close)
        self.driver.get(proxy.url + "/healthz")
        self.driver.execute_async_script("import('/embed.js').then(arguments[0])")
        self.run_script("document.body.innerHTML = '<tween-ticker mode=motion src=/v1/tickers/late></tween-ticker>'")
        self.until("return document.querySelector('tween-ticker').newest")
        self.server.post("ticker:late", to=500_000, duration=600, easing="linear")
        self.eventually(lambda: any("player.js" in line for line in proxy.lines))
        text = self.server.post("ticker:late", "cancel")["text"]
        shown = "return document.querySelector('tween-ticker').text"
        self.until(f"{shown} === arguments[0]", text)
        proxy.release.set()
        self.until("return !!document.querySelector('tween-ticker').player")
        self.run_script("return (async () => { for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); })()")
        self.assertEqual(self.run_script(shown), text)

    def test_motion_mode_with_wheels_shows_wheels(self):
        self.server.post("ticker:both", label="0", to=0, duration=0)
        self.visit()
        self.run_script("document.body.innerHTML = '<tween-ticker mode=motion wheels src=/v1/tickers/both></tween-ticker>'")
        self.server.post("ticker:both", to=900, duration=60)
        self.until("return document.querySelector('tween-ticker').valuePart.matches('.turning')")

    def require_motion_mode(self):
        self.server.post("ticker:played", label="Count 0", to=0, duration=0)
        try:
            urllib.request.urlopen(f"{self.server.url}/v1/tickers/played/events?mode=motion", timeout=5).close()
        except urllib.error.HTTPError as refusal:
            self.skipTest(f"this server has no mode=motion: {refusal}")

    def test_a_motion_mode_element_gets_no_frames_and_ends_exactly(self):
        self.require_motion_mode()
        self.visit()
        self.run_script("""window.view = document.createElement('tween-ticker');
            view.setAttribute('mode', 'motion'); view.setAttribute('src', '/v1/tickers/played'); document.body.prepend(view);
            window.texts = []; const render = view.render;
            view.render = function (data) { render.call(this, data); texts.push(data.text); }""")
        self.until("return view.newest")
        self.server.post("ticker:played", to=250, duration=1)
        self.until("return texts.at(-1) === 'Count 250'")
        self.assertGreater(len(set(self.run_script("return texts"))), 3)
