"""The form that starts tickers, progress and schedules: what it sends, what it shows of that, what it refuses."""

import json

from browser import BrowserTest


class FormTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.visit()
        self.open_form()

    def fill(self, **fields):
        self.run_script("""const {elements} = document.querySelector('#start');
            for (const [name, value] of Object.entries(arguments[0])) {
              const field = elements[name];
              if (field.type === 'checkbox') field.checked = value;
              else field.value = value;
              field.dispatchEvent(new Event('input', {bubbles: true}));
            }""", fields)

    def line(self) -> str:
        return self.run_script("return document.querySelector('#start .line').textContent")

    def body(self):
        line = self.line()
        return json.loads(line[line.index("'") + 1 : line.rindex("'")])

    def start(self):
        self.run_script("document.querySelector('#start .primary').click()")

    def test_numbers_are_typed_and_sent_as_they_were(self):
        for typed, sent in (("-12.5", -12.5), ("0", 0), ("1e3", 1000), ("0.1", 0.1),
                            ("123456789012345678901234567890", "123456789012345678901234567890"),
                            ("12345678901234.56789", "12345678901234.56789")):
            with self.subTest(typed=typed):
                self.fill(shape="ticker", id="typed", to=typed)
                self.assertEqual(self.body()["to"], sent)
        self.fill(duration="0")
        self.start()
        self.card("ticker:typed")
        self.eventually(lambda: self.server.get("ticker:typed")["text"].startswith("12345678901234"))

    def test_every_kind_can_be_started(self):
        for shape, key in (("ticker", "ticker:made"), ("bar", "progress:made"), ("ring", "progress:made-too")):
            with self.subTest(shape=shape):
                self.fill(shape=shape, id=key.split(":")[1], to="40", duration="0")
                self.start()
                self.card(key)
        self.assertEqual(self.server.get("progress:made-too")["appearance"], {"shape": "ring"})
        self.fill(shape="schedule", id="made", when="every", time="60", target="made", way="by", to="5")
        self.start()
        self.card("schedule:made")
        definition = self.server.get("schedule:made")["definition"]
        self.assertEqual(definition, {"every": 60, "do": [{"ticker": "made", "by": 5}]})
        # The server's next instants, below the line.
        self.until("return document.querySelectorAll('#start .told time').length === 5")

    def edit(self, key: str):
        card = self.see(key)
        self.run_script("arguments[0].querySelector('[name=more]').click()", card)
        self.until("return document.querySelector('#menu:popover-open')")
        self.click("#menu [data-writes]")

    def test_the_form_edits_a_resource_and_keeps_its_format_and_appearance(self):
        euro = {"style": "currency", "currency": "EUR", "locale": "de-DE"}
        self.server.post("ticker:price", label="Preis: 1.234,50 €", to=1300.75, decimals=2, format=euro, duration=0)
        self.edit("ticker:price")
        self.until("return document.querySelector('#start').elements.id.value === 'price'")
        self.assertEqual(self.body()["to"], 1300.75)
        self.fill(to="2000", duration="0")
        self.start()
        self.eventually(lambda: self.server.get("ticker:price")["text"] == "Preis: 2.000,00\u00a0€")
        self.server.post("progress:part", current=3, maximum=8, duration=0, appearance={"shape": "ring"})
        self.edit("progress:part")
        self.until("return document.querySelector('#start').elements.id.value === 'part'")
        self.fill(to="6", duration="0")
        self.start()
        self.eventually(lambda: self.server.get("progress:part")["current"] == 6)
        part = self.server.get("progress:part")
        self.assertEqual((part["maximum"], part["appearance"]["shape"]), (8, "ring"))
        self.server.request("PUT", "/v1/schedules/nightly", {"every": "0 3 * * *", "do": [{"ticker": "price", "by": 5}]})
        self.edit("schedule:nightly")
        self.until("return document.querySelector('#start').elements.id.value === 'nightly'")
        self.assertEqual(self.body(), {"every": "0 3 * * *", "do": [{"ticker": "price", "by": 5}]})

    def test_a_schedule_that_the_form_has_no_room_for_is_shown_as_its_line(self):
        self.server.request("PUT", "/v1/schedules/two", {"every": 60, "do": [{"notify": "a"}, {"notify": "b"}]})
        self.edit("schedule:two")
        self.until("return document.querySelector('#problem').textContent.includes('have fields for all of this')")
        self.assertIn('{"every":60,"do":[{"notify":"a"},{"notify":"b"}]}', self.run_script("return document.querySelector('#line').textContent"))

    def test_a_refused_cron_line_shows_its_error_in_one_place(self):
        self.fill(shape="schedule", id="refused", when="cron")
        self.fill(time="61 3 * * *")
        self.until("return document.querySelector('#start .told').textContent")
        reason = self.run_script("return document.querySelector('#start .told').textContent")
        self.start()
        told = "return [document.querySelector('#start .told'), document.querySelector('#problem')].map((place) => place.textContent)"
        self.until("return document.querySelector('#problem').textContent")
        self.assertEqual(self.run_script(told), ["", reason])
        # Its line stands in the form alone.
        self.assertFalse(self.run_script("return document.querySelector('#request').checkVisibility()"))
        self.fill(time="0 3 * * *")
        self.until("return document.querySelectorAll('#start .told time').length > 2")
        self.assertEqual(self.run_script("return document.querySelector('#problem').textContent"), "")

    def test_a_progress_has_its_maximum(self):
        self.server.post("progress:files", current=5, maximum=1000, duration=0)
        self.edit("progress:files")
        title = "return document.querySelector('#start h2').textContent"
        self.until(f"{title} === 'Change files'")
        self.assertEqual(self.body()["maximum"], 1000)
        self.fill(maximum="2000", to="7", duration="0")
        self.start()
        self.eventually(lambda: self.server.get("progress:files")["maximum"] == 2000)
        self.fill(id="others")
        self.assertEqual(self.run_script(title), "Start something")
        self.fill(shape="ticker")
        self.assertNotIn("maximum", self.body())

    def test_schedules_come_due_by_date_and_by_cron_too(self):
        for when, time, field in (("at", "2031-05-01T12:00:00Z", {"at": "2031-05-01T12:00:00Z"}),
                                  ("cron", "0 3 * * *", {"every": "0 3 * * *"}), ("in", "30", {"in": 30})):
            with self.subTest(when=when):
                self.fill(shape="schedule", id=f"due-{when}", when=when)
                self.fill(time=time)
                self.assertEqual({name: value for name, value in self.body().items() if name != "do"}, field)
                self.start()
                self.card(f"schedule:due-{when}")

    def test_a_schedule_is_seen_before_it_is_made(self):
        self.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
        self.visit("/?lang=de")
        self.open_form()
        self.fill(shape="schedule", id="seen", when="cron", target="seen", to="5")
        self.fill(time="0 3 1 1 *")
        times = """return [...document.querySelectorAll('#start .told li')].map((line) =>
            [line.querySelector('time').dateTime, line.textContent])"""
        told = self.until(f"const times = (() => {{ {times} }})(); return times.length > 2 && times")
        for instant, text in told:
            self.assertRegex(instant, r"^\d{4}-01-01T03:00:00(\.0+)?Z$")
            # Noon in Tokyo is three o'clock where the server counts.
            self.assertRegex(text, r"1\. Jan\. \d{4}, 12:00:00 · in [\d.]+ Tagen$")
        self.assertIn("Asia/Tokyo", self.run_script("return document.querySelector('#start .told').textContent"))
        made = [item["schedule"] for item in self.server.request("GET", "/v1/schedules")["items"]]
        self.assertNotIn("seen", made)
        # What can't be says why, and what comes late counts no more.
        self.fill(time="0 3 * *")
        self.until("return /\\w/.test(document.querySelector('#start .told').textContent) && !document.querySelector('#start .told li')")
        self.fill(when="every")
        self.fill(time="3600")
        self.until(f"return (() => {{ {times} }})()[0]?.[1].includes('Std')")
        self.fill(shape="ticker")
        self.assertEqual(self.run_script("return document.querySelector('#start .told').textContent"), "")

    def test_optional_fields_of_the_form_are_sent_only_if_filled_in(self):
        self.fill(shape="ticker", id="further", to="5", duration="1", label="0 €")
        self.assertEqual(self.body(), {"to": 5, "duration": 1, "easing": "easeOut", "label": "0 €"})
        self.fill(decimals="2", delay="0.5", repeat="forever", autoreverse=True, notation="currency", currency="eur",
                  locale="de-DE", next="then", nextTo="9")
        self.fill(**{"from": "-1"})
        self.assertEqual(self.body(), {
            "to": 5, "from": -1, "duration": 1, "easing": "easeOut", "label": "0 €", "delay": 0.5, "repeat": "forever",
            "autoreverse": True, "then": [{"ticker": "then", "to": 9}], "decimals": 2,
            "format": {"style": "currency", "currency": "EUR", "locale": "de-DE"},
        })
        self.start()
        self.card("ticker:further")
        self.assertEqual(self.run_script("return document.querySelector('#problem').textContent"), "")

    def test_a_spring_has_a_response_and_its_own_fields(self):
        caption = "return document.querySelector('#start [name=duration]').previousElementSibling.textContent"
        self.assertEqual(self.run_script(caption), "Duration")
        self.fill(shape="ticker", easing="spring", duration="0.5", damping="0.3")
        self.assertEqual(self.run_script(caption), "Response")
        self.assertEqual(self.body()["spring"], {"dampingRatio": 0.3, "response": 0.5, "initialVelocity": 0})
        self.assertNotIn("duration", self.body())

    def test_a_curve_is_drawn_as_large_as_fits(self):
        for easing in ("linear", "elastic", "back", "steps(8, end)"):
            with self.subTest(easing=easing):
                self.fill(shape="ticker", easing=easing)
                path, ends = self.run_script("""const [ends, curve] = document.querySelectorAll('#start .graph path');
                    return [curve, ends].map((path) => path.getAttribute('d'))""")
                heights = [float(point.split()[1]) for point in path[1:].split("L")]
                self.assertGreaterEqual(min(heights), 0)
                self.assertLessEqual(max(heights), 90)
                self.assertGreater(max(heights) - min(heights), 70)
                # The lines are where it begins and where it goes.
                start, target = (float(line.split()[1].split("H")[0]) for line in ends[1:].split("M"))
                self.assertAlmostEqual(heights[0], start)
                self.assertAlmostEqual(heights[-1], target)

    def test_an_invalid_name_shows_an_error_and_no_curl_line(self):
        for name in ("two words", "it's", ""):
            with self.subTest(name=name):
                self.fill(shape="ticker", id=name)
                self.assertTrue(self.line().startswith("Name: "))
                self.assertNotIn("curl", self.line())
        described = self.run_script("""const {id} = document.querySelector('#start').elements;
            return document.getElementById(id.getAttribute('aria-describedby')).textContent""")
        self.assertIn("Letters", described)

    def test_the_form_keeps_its_height_whatever_its_line(self):
        height = "return document.querySelector('#start').getBoundingClientRect().height"
        self.fill(shape="ticker", id="high")
        before = self.run_script(height)
        self.fill(label="x" * 900)
        self.assertEqual(self.run_script(height), before)
