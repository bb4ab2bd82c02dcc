"""The first screen: one number on its way, its curve, the request that moved it, and controls that send another."""

import shlex
import subprocess
import unittest

from selenium.webdriver import ActionChains, Keys

from browser import BrowserTest, GuardedTest
from server import ROOT, Proxy

LINE = "return document.querySelector('#curl').textContent"
NUMBER = "return document.querySelector('.big').firstElementChild.text"
# The share of the way that is drawn as passed.
PASSED = """return 1 - parseFloat(document.querySelector('.plot svg + svg').style.clipPath.split(' ')[1]) / 100"""
BUTTON = "return document.querySelector('#send .primary').innerText"


class ScreenTest(BrowserTest):
    def resize(self, width: int, height: int):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def press(self):
        self.driver.find_element("css selector", "#send .primary").click()

    def choose(self, name: str, value: str):
        self.run_script("""const field = document.querySelector('#send').elements[arguments[0]];
            const chosen = field instanceof RadioNodeList ? [...field].find((one) => one.value === arguments[1]) : field;
            if (chosen === field) field.value = arguments[1];
            else chosen.checked = true;
            for (const name of ['input', 'change']) chosen.dispatchEvent(new Event(name, {bubbles: true}));""", name, value)

    def run_line(self, line: str):
        subprocess.run([*shlex.split(line), "--silent", "--fail", "--max-time", "10"], check=True, capture_output=True)


class EmptyTest(ScreenTest):
    def setUp(self):
        super().setUp()
        for item in self.server.request("GET", "/v1/tickers")["items"]:
            self.server.request("DELETE", f"/v1/tickers/{item['ticker']}")
        self.visit()

    def test_an_empty_board_invites_and_writes_only_when_asked(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit(url=proxy.url)
        self.until("return 'ready' in document.body.dataset")
        line = self.run_script(LINE)
        self.assertEqual(line, f"curl {proxy.url}/v1/tickers/hello -d '{{\"to\":100,\"duration\":2,\"easing\":\"easeOut\"}}'")
        self.assertEqual(self.run_script(BUTTON), "Send to 100")
        self.assertEqual(proxy.writes(), [])
        self.press()
        self.eventually(lambda: self.run_script(NUMBER) == "100")
        self.assertEqual(proxy.writes(), ["POST /v1/tickers/hello HTTP/1.1"])
        self.assertEqual(self.run_script(LINE), line)
        self.card("ticker:hello")

    def test_the_curl_line_starts_the_same_motion_as_the_button(self):
        motion = lambda: self.server.get("ticker:hello")["motion"]  # noqa: E731
        self.choose("duration", "6")
        self.card("ticker:hello")
        clicked = motion()
        self.server.request("DELETE", "/v1/tickers/hello")
        self.run_line(self.run_script(LINE))
        run = motion()
        for name in ("from", "to", "duration", "easing"):
            self.assertEqual(run[name], clicked[name], name)

    def test_the_playhead_moves_along_the_curve_to_its_end(self):
        self.assertEqual(self.run_script(PASSED), 0)
        self.press()
        shares = []
        self.eventually(lambda: shares.append(self.run_script(PASSED)) or shares[-1] == 1)
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(len({share for share in shares if 0 < share < 1}), 3)
        ends = self.run_script("return [...document.querySelectorAll('.plot span')].map(({textContent}) => textContent)")
        self.assertEqual(ends, ["100", "0", "2 s"])

    def test_the_button_goes_to_and_fro_and_turns_a_number_that_moves(self):
        goal = lambda: self.server.get("ticker:hello").get("target")  # noqa: E731
        self.choose("duration", "6")
        self.card("ticker:hello")
        self.eventually(lambda: goal() == 100)
        self.eventually(lambda: self.run_script(BUTTON) == "Send to 0")
        self.press()
        self.eventually(lambda: goal() == 0)
        self.eventually(lambda: self.run_script(BUTTON) == "Send to 100")
        self.choose("to", "40")
        self.eventually(lambda: goal() == 40)
        self.press()
        self.eventually(lambda: goal() == 0)
        self.press()
        self.eventually(lambda: goal() == 40)

    def test_another_curve_is_seen_at_once(self):
        self.choose("duration", "0.4")
        card = self.card("ticker:hello")
        self.until("const {card} = arguments[0]; return !card.isInMotion && card.data.value === 100", card)
        self.eventually(lambda: self.run_script(BUTTON) == "Send to 0")
        self.choose("easing", "spring")
        self.eventually(lambda: self.run_script(NUMBER) == "0")
        self.assertIn('"to":0,"spring":{"dampingRatio":0.4,', self.run_script(LINE))

    def test_a_number_that_was_removed_begins_anew(self):
        self.press()
        self.eventually(lambda: self.run_script(NUMBER) == "100")
        self.server.request("DELETE", "/v1/tickers/hello")
        self.until("return document.querySelector('.hero').hasAttribute('data-absent')")
        self.assertEqual(self.run_script("return document.querySelector('.big').textContent"), "0")
        self.press()
        self.eventually(lambda: self.run_script(NUMBER) == "100")
        self.assertNoErrors()

    def test_the_first_screen_shows_a_moving_resource_until_something_is_sent(self):
        self.server.post("progress:job", current=70, duration=600)
        self.until("return document.querySelector('.big tween-progress')?.text")
        self.assertEqual(self.run_script(LINE),
            f"curl {self.server.url}/v1/progress/job -d '{{\"current\":70,\"duration\":600,\"easing\":\"ease-in-out\"}}'")
        self.press()
        self.until("return document.querySelector('.big tween-ticker')?.text === '100'")
        self.server.request("DELETE", "/v1/progress/job")

    def test_the_form_is_one_click_away_and_gives_the_focus_back(self):
        self.until("return 'ready' in document.body.dataset")
        form = self.driver.find_element("id", "start")
        self.assertFalse(form.is_displayed())
        self.click("#send .starts")
        self.until("return document.activeElement.name === 'shape'")
        self.assertTrue(form.is_displayed())
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        self.assertFalse(form.is_displayed())
        self.assertTrue(self.run_script("return document.activeElement.matches('#send .starts')"))

    def test_the_page_can_be_paused_from_here(self):
        self.choose("duration", "6")
        self.click("#still")
        self.assertEqual(self.run_script("return [document.body.dataset.pace, document.querySelector('#pace').value]"), ["paused"] * 2)
        self.click("#still")
        self.assertEqual(self.run_script("return document.body.dataset.pace"), "live")

    def test_the_screen_can_be_hidden_and_stays_so(self):
        height = "return document.querySelector('.hero').getBoundingClientRect().height"
        self.click("#fold")
        self.assertLess(self.run_script(height), 60)
        self.visit()
        self.assertLess(self.run_script(height), 60)
        self.click("#fold")
        self.assertGreater(self.run_script(height), 200)

    def test_the_first_screen_fits_every_window_in_every_language_and_theme(self):
        label = "الإيرادات: 0 ريال"
        self.server.post("ticker:hello", label=label, to=12345, duration=0)
        for width, height in ((390, 844), (1280, 800), (1920, 1080), (3840, 2160)):
            for query in ("", "?lang=de", "?dir=rtl"):
                with self.subTest(width=width, query=query):
                    self.resize(width, height)
                    self.visit(f"/{query}")
                    self.until("return 'ready' in document.body.dataset")
                    outside = self.run_script("""return [...document.querySelectorAll('.hero, .hero *:not(svg *):not(.spoken)')].filter((part) => {
                        const {left, right} = part.getBoundingClientRect();
                        return left < -1 || right > innerWidth + 1; }).map((part) => part.outerHTML.slice(0, 80))""")
                    self.assertEqual(outside, [])
                    self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
                    # Number, curve, line and button are all on it without scrolling.
                    bottom = self.run_script("return document.querySelector('#send .primary').getBoundingClientRect().bottom")
                    self.assertLess(bottom, height * 0.72)

    def test_with_reduced_motion_the_playhead_goes_where_the_number_does(self):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.visit()
        self.press()
        shares = set()
        self.eventually(lambda: shares.add(self.run_script(PASSED)) or 1 in shares)
        self.assertLessEqual(len(shares), 5)
        self.assertEqual(self.run_script(NUMBER), "100")


class DemoTest(ScreenTest):
    flags = ("--demo", "--read-only")

    def test_a_page_that_may_only_read_tells_of_what_moves(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit(url=proxy.url)
        seen = set()
        self.eventually(lambda: seen.add(self.run_script(NUMBER)) or len(seen) > 5)
        self.assertFalse(self.driver.find_element("id", "send").is_displayed())
        line = self.run_script(LINE)
        self.assertEqual(line, f"curl {proxy.url}/v1/tickers/preset-ease-out -d '"
            '{"from":0,"to":100,"duration":3.5,"easing":"easeOut","repeat":"forever","repeatDelay":1.5}\'')
        before = self.server.get("ticker:preset-ease-out")["motion"]
        self.run_line(line)
        after = self.server.get("ticker:preset-ease-out")["motion"]
        for name in ("from", "to", "duration", "easing", "iterations", "repeatDelay"):
            self.assertEqual(after[name], before[name], name)
        self.assertNoErrors()


class SignedOutTest(GuardedTest):
    def test_the_first_screen_is_hidden_until_sign_in(self):
        self.driver.get(self.server.url)
        self.until("return document.querySelector('.signin')")
        self.assertFalse(self.driver.find_element("class name", "hero").is_displayed())
        self.run_script("document.querySelector('.signin input').value = arguments[0]", self.token("admin"))
        self.run_script("document.querySelector('.signin').requestSubmit()")
        self.live()
        self.until("return document.querySelector('#curl').textContent.includes('Bearer $TOKEN')")
        self.driver.find_element("css selector", "#send .primary").click()
        self.eventually(lambda: self.server.get("ticker:hello")["value"] == 100)


class PictureTest(unittest.TestCase):
    """README's moving picture, which screenshots.py takes."""

    def test_the_animated_picture_is_small_and_near_the_top_of_the_readme(self):
        lines = (ROOT / "README.md").read_text().splitlines()
        place = next(at for at, line in enumerate(lines) if "(docs/images/first-screen.webp)" in line)
        self.assertLess(place, 10)
        picture = (ROOT / "docs/images/first-screen.webp").read_bytes()
        self.assertLess(len(picture), 400_000)
        self.assertGreater(picture.count(b"ANMF"), 50)
