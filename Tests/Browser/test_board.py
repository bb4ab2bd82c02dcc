"""The board page: motion, cards that come and go, the address, hostile labels."""

import pathlib

from selenium.webdriver import ActionChains

from browser import BrowserTest
from server import Proxy

PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "public"


class DemoTest(BrowserTest):
    flags = ("--demo",)

    def test_a_ticker_is_seen_to_move_without_a_console_error(self):
        self.visit()
        self.card("ticker:preset-linear")
        seen = set()
        self.eventually(lambda: seen.add(self.run_script("return document.querySelector('.big tween-ticker').text")) or len(seen) > 3)
        self.assertNoErrors()

    def test_every_resource_of_the_server_has_a_card(self):
        self.visit()
        for kind, path in (("ticker", "tickers"), ("progress", "progress"), ("schedule", "schedules")):
            for item in self.server.request("GET", f"/v1/{path}")["items"]:
                self.card(f"{kind}:{item[kind]}")


class BoardTest(BrowserTest):
    def test_cards_come_with_resources_and_go_with_them(self):
        self.visit()
        self.server.post("ticker:newcomer", to=5, duration=0)
        card = self.card("ticker:newcomer")
        self.assertTrue(card.is_displayed())
        self.server.request("DELETE", "/v1/tickers/newcomer")
        self.until("return !document.querySelector(`[data-key='ticker:newcomer']`)")

    def test_a_hostile_label_is_shown_as_text(self):
        label = "<script>window.hit=true</script><img src=x onerror='window.hit=true'> 5"
        self.server.post("ticker:hostile", label=label, to=7, duration=0)
        self.visit()
        self.card("ticker:hostile")
        text = self.until("""const view = document.querySelector(`[data-key='ticker:hostile'] tween-ticker`);
            return view.shadowRoot.querySelector('.spoken').dataset.text""")
        self.assertEqual(text, label.replace("5", "7"))
        inside = self.run_script(
            """const root = document.querySelector(`[data-key='ticker:hostile'] tween-ticker`).shadowRoot;
            return [root.querySelectorAll('script, img').length, window.hit ?? null]"""
        )
        self.assertEqual(inside, [0, None])

    def test_filter_order_and_layout_live_in_the_address(self):
        for name in ("apple", "banana"):
            self.server.post(f"ticker:{name}", to=1, duration=0)
        self.visit()
        self.card("ticker:banana")
        self.driver.find_element("name", "q").send_keys("banan")
        self.until("return new URLSearchParams(location.search).get('q') === 'banan'")
        self.assertFalse(self.card("ticker:apple").is_displayed())
        self.visit("/?q=apple&order=name&layout=wall")
        self.assertTrue(self.card("ticker:apple").is_displayed())
        self.assertFalse(self.card("ticker:banana").is_displayed())
        self.assertEqual(self.run_script("return document.body.dataset.layout"), "wall")

    def test_the_form_starts_a_ticker_and_shows_its_curl_line(self):
        self.visit()
        self.open_form()
        self.run_script(
            """const form = document.querySelector('#start').elements;
            form.id.value = 'started'; form.duration.value = 0; form.to.value = 25000; form.id.dispatchEvent(new Event('input', {bubbles: true}))"""
        )
        line = self.run_script("return document.querySelector('#start .line').textContent")
        self.assertIn('/v1/tickers/started -d \'{"to":25000,"duration":0,"easing":"easeOut"', line)
        self.click("#start .primary")
        self.card("ticker:started")
        self.eventually(lambda: self.server.get("ticker:started")["text"] == "25000")

    def test_dragging_the_handle_seeks_the_motion_on_the_server(self):
        self.server.post("ticker:sought", label="0", to=0, duration=0)
        self.server.post("ticker:sought", to=1000, duration=60)
        self.visit()
        card = self.card("ticker:sought")
        ActionChains(self.driver).move_to_element(card).perform()
        seek = card.find_element("css selector", ".tools input")
        self.until("return !arguments[0].disabled", seek)
        width = seek.size["width"]
        ActionChains(self.driver).move_to_element_with_offset(seek, -width // 4, 0).click_and_hold().move_by_offset(
            width // 2, 0
        ).release().perform()
        self.eventually(lambda: 650 < self.server.get("ticker:sought")["value"] < 850)
        # Read out as people say it, and named as a sentence begins.
        self.assertRegex(seek.get_attribute("aria-valuetext"), r"^\d{1,2} %$")
        names = self.run_script("return [...arguments[0].querySelectorAll('.tools [aria-label]')].map(({ariaLabel}) => ariaLabel)", card)
        self.assertEqual([name for name in names if not name[0].isupper()], [])
        self.assertIn("/v1/tickers/sought/seek", self.run_script("return document.querySelector('#line').textContent"))

    def test_seek_finish_and_cancel_of_a_motion_can_be_undone(self):
        started = {"to": 1000, "duration": 600, "easing": "linear", "then": [{"notify": "there"}]}
        self.server.post("ticker:undone", label="0", to=0, duration=0)
        self.visit("/?cards=undone")
        card = self.see("ticker:undone")
        value = lambda: self.server.get("ticker:undone")["value"]  # noqa: E731
        undo = self.driver.find_element("id", "undo")
        for act in ("seek.value = .5", "seek.value = 1", "finish", "cancel"):
            with self.subTest(act=act):
                animation = self.server.post("ticker:undone", **{"from": 0, **started})["animation"]
                self.until("return arguments[0].card.animation === arguments[1] && arguments[0].card.isInMotion", card, animation)
                ActionChains(self.driver).move_to_element(self.driver.find_element("id", "count")).move_to_element(card).perform()
                self.until("arguments[0].card.refresh(); return arguments[0].card.resource?.animation === arguments[1]", card, animation)
                self.run_script("""const [card, act] = arguments, {seek} = card.card.tools;
                    if (act.startsWith('seek')) {
                      seek.value = act.split(' ').at(-1);
                      seek.dispatchEvent(new Event('input'));
                      seek.dispatchEvent(new Event('change'));
                    } else card.querySelector(`[name=${act}]`).click()""", card, act)
                self.until("return !arguments[0].hidden", undo)
                self.assertTrue(value() > 400 or act == "cancel")
                undo.click()
                self.eventually(lambda: self.server.get("ticker:undone")["motion"]["state"] == "running" and value() < 100)
                motion = self.server.get("ticker:undone")["motion"]
                self.assertEqual((motion["to"], motion["duration"], motion["then"]), (1000, 600, started["then"]))
                self.until("return arguments[0].hidden", undo)
        # A number of more digits than the page knows is better left alone.
        self.server.post("ticker:undone", to="12345678901234567890.5", duration=600)
        self.until("arguments[0].card.refresh(); return arguments[0].card.resource.motion.to > 1e18", card)
        self.run_script("arguments[0].querySelector('[name=finish]').click()", card)
        self.until("return document.querySelector('#line').textContent.includes('finish')")
        self.eventually(lambda: self.server.get("ticker:undone")["motion"]["state"] == "idle")
        self.assertFalse(undo.is_displayed())

    def test_a_card_says_that_it_is_paused(self):
        self.server.post("ticker:still", label="0", to=0, duration=0)
        self.visit()
        card = self.card("ticker:still")
        said = "return arguments[0].querySelector('.state').textContent"
        self.assertEqual(self.run_script(said, card), "")
        offered = """return ['pause', 'resume'].filter((name) => arguments[0].querySelector(`[name=${name}]`).checkVisibility())"""
        self.server.post("ticker:still", to=100, duration=60)
        # Assistive technology is told where it goes; at rest, 60 s later, would be late.
        self.until("return arguments[0].card.view.spoken.dataset.text === '100'", card)
        self.assertEqual(self.run_script(offered, card), ["pause"])
        self.server.post("ticker:still", "pause")
        self.eventually(lambda: "paused" in self.run_script(said, card))
        self.assertEqual(self.run_script(offered, card), ["resume"])
        self.server.post("ticker:still", "resume")
        self.eventually(lambda: self.run_script(said, card) == "")

    def test_right_to_left_text_starts_at_the_right(self):
        self.server.post("ticker:rtl", label="الإيرادات: 0 ريال", to=12345, duration=0)
        self.visit()
        self.card("ticker:rtl")
        place = self.run_script("""const view = document.querySelector(`[data-key='ticker:rtl'] tween-ticker`);
            const {valuePart} = view, wheels = [...valuePart.querySelectorAll('.wheel')], left = (part) => part.getBoundingClientRect().left;
            return [getComputedStyle(valuePart).direction, left(valuePart.firstChild) > left(wheels[0]),
                wheels.map((wheel) => wheel.textContent).join('')]""")
        self.assertEqual(place, ["rtl", True, "12345"])

    def test_schedules_show_their_next_times_and_obey(self):
        self.server.request(
            "PUT", "/v1/schedules/tea", {"in": 300, "every": 60, "label": "Tea in 0 s", "do": [{"notify": "Tea"}]}
        )
        self.visit()
        card = self.see("schedule:tea")
        shown = """const [card, due] = arguments, time = new Date(due).toLocaleTimeString('en-US');
            return card.querySelector('.note').textContent === `every 60 s · ${time} · → Tea`"""
        self.until(shown, card, self.server.get("schedule:tea")["due"])
        for operation, state in (("pause", "paused"), ("resume", "pending")):
            self.run_script("arguments[0].querySelector(`[name=${arguments[1]}]`).click()", card, operation)
            self.eventually(lambda: self.server.get("schedule:tea")["state"] == state)
        self.run_script("arguments[0].querySelector('[name=cancel]').click()", card)
        self.click("#ask [value=yes]")
        self.until("return !document.querySelector(`[data-key='schedule:tea']`)")

    def test_buttons_in_the_schedules_heading_pause_resume_and_cancel_all(self):
        for name in ("one", "two"):
            self.server.request("PUT", f"/v1/schedules/{name}", {"in": 300, "do": [{"notify": name}]})
        self.visit()
        self.card("schedule:two")
        heading = self.run_script("return document.querySelector(`[data-key='schedule:one']`).previousElementSibling.id")
        self.assertEqual(heading, "schedules")
        self.run_script("document.querySelector('#schedules [name=pause]').click()")
        self.eventually(lambda: self.server.get("schedule:two")["state"] == "paused")
        self.run_script("document.querySelector('#schedules [name=resume]').click()")
        self.eventually(lambda: self.server.get("schedule:two")["state"] == "pending")
        for answer, count in (("no", 2), ("yes", 0)):
            self.run_script("document.querySelector('#schedules [name=cancel]').click()")
            self.click(f"#ask [value={answer}]")
            self.until("return document.querySelectorAll('.card[data-kind=schedule]').length === arguments[0]", count)
        self.assertFalse(self.driver.find_element("id", "schedules").is_displayed())

    def test_a_refused_request_shows_the_error_of_the_service(self):
        self.visit()
        self.open_form()
        self.run_script("document.querySelector('#start').elements.label.value = 'x'.repeat(70000)")
        self.click("#start .primary")
        self.until("return document.querySelector('#problem').textContent")

    def test_no_page_code_is_inline_or_writes_markup(self):
        html = (PUBLIC / "index.html").read_text()
        for banned in ("style=", "<style", "onclick", "innerHTML"):
            self.assertNotIn(banned, html)
        for path in PUBLIC.rglob("*.js"):
            self.assertNotRegex(
                path.read_text(), r"(inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|\beval\(|document\.write", path.name
            )

    def test_the_page_never_scrolls_sideways_from_320_to_2560_pixels(self):
        self.server.post(
            "ticker:wide", label="A rather long label with a number 12345678901234 in it", to=98765432109876, duration=0
        )
        self.server.request("PUT", "/v1/schedules/wide", {"in": 300, "do": [{"notify": "wide"}]})
        for width in (320, 390, 768, 1280, 2560):
            with self.subTest(width=width):
                metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
                self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                self.visit()
                self.card("ticker:wide")
                self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
                # Controls of one kind are one height.
                heights = self.run_script("""return [...document.querySelectorAll('#view :is(input, select, button)')]
                    .map((control) => Math.round(control.getBoundingClientRect().height))""")
                self.assertEqual(len(set(heights)), 1, heights)
                # No word is broken in two.
                self.card("schedule:wide")
                heights = self.run_script("""const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
                    return [...document.querySelectorAll('#schedules :is(h3, button)')]
                      .map((part) => part.getBoundingClientRect().height / letter)""")
                self.assertLess(max(heights), 2.2)


class ReadOnlyTest(BrowserTest):
    flags = ("--read-only", "--demo")

    def test_a_read_only_page_offers_no_controls_that_change_anything(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit(url=proxy.url)
        self.see("ticker:revenue")
        offered = self.run_script("""return [...document.querySelectorAll('button, input, select')]
            .filter((control) => control.checkVisibility()).map(({id, name, ariaLabel}) => id || name || ariaLabel)""")
        self.assertIn("inspect", offered)
        changing = {"Send to", "to", "easing", "still", "pause", "resume", "finish", "cancel", "delete", "all", "name", "Select revenue", "Seek revenue"}
        self.assertEqual(changing & set(offered), set())
        refused = self.run_script(
            "return fetch('/v1/tickers/revenue', {method: 'DELETE'}).then(({status}) => status)")
        self.assertEqual(refused, 403)
        self.assertEqual([line for line in proxy.writes() if "/v1/events" not in line and "/v1/streams" not in line],
            ["DELETE /v1/tickers/revenue HTTP/1.1"])
