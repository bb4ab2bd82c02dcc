"""The inspector: opened late, read-only, remembering what was open."""

import json
import re

from selenium.webdriver import ActionChains, Keys

from browser import BrowserTest
from server import Proxy


class InspectorTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.server.post("ticker:seen", label="Count 0", to=0, duration=0)
        self.server.post("progress:after", current=10, duration=0)
        self.server.post(
            "ticker:seen", to=1000, duration=30, easing="ease-in-out", then=[{"progress": "after", "current": 50}]
        )
        self.proxy = Proxy(self.server.port)
        self.addCleanup(self.proxy.close)
        self.visit(url=self.proxy.url)
        self.card("ticker:seen")
        self.card("progress:after")

    def open(self):
        self.driver.find_element("id", "inspect").click()
        self.until("return document.querySelector('.inspector')")
        self.open_card("ticker:seen")

    def open_card(self, key: str):
        card = self.driver.find_element("css selector", f"[data-key='{key}']")
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", card)
        ActionChains(self.driver, duration=0).double_click(card).perform()
        self.until(
            "return document.querySelector('.inspector .row')?.isConnected && !document.querySelector('.inspector > div').hidden"
        )

    def row(self, name: str) -> str:
        return self.until(
            """return [...document.querySelectorAll('.inspector .row')]
            .find((row) => row.children[1].textContent === arguments[0])?.lastChild.textContent""",
            name,
        )

    def test_the_inspector_is_created_on_first_use_and_a_key_toggles_it(self):
        self.assertEqual(self.run_script("return document.querySelectorAll('.inspector, .outline').length"), 0)
        body = self.driver.find_element("tag name", "body")
        body.send_keys("i")
        self.until("return document.querySelector('.inspector')")
        self.assertFalse(self.run_script("return document.querySelector('.outline').checkVisibility()"))
        self.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.until("return !document.querySelector('.inspector')")

    def test_values_live_while_it_is_open_and_nothing_is_written(self):
        self.open()
        self.assertEqual(self.row("text")[:6], "Count ")
        self.assertTrue(self.run_script("return document.querySelector('.outline').checkVisibility()"))
        before = self.row("text")
        self.until(
            """return [...document.querySelectorAll('.inspector .row')]
            .find((row) => row.children[1].textContent === 'text').lastChild.textContent !== arguments[0]""",
            before,
        )
        self.assertEqual(self.row("easing"), "ease-in-out")
        # As people read it: no more digits than are of use, times as a clock has them.
        self.row("start")
        rows = self.run_script("return [...document.querySelectorAll('.inspector .row .value')].map((value) => value.textContent)")
        self.assertEqual([text for text in rows if re.search(r"\.\d{7}|T\d\d:", text)], [])
        self.assertTrue(all(legend.text for legend in self.driver.find_elements("css selector", ".inspector .legend")))
        self.until("return document.querySelector('.inspector circle').getAttribute('cx') > 0")
        # The stream's gaps and latencies, a line each; nothing arrives before it was sent.
        self.until("""return [...document.querySelectorAll('.inspector details:nth-of-type(4) path')]
            .filter((path) => path.getAttribute('d')?.split('L').length > 20).length === 2""")
        self.assertGreaterEqual(float(self.row("latency").split()[0]), 0)
        self.run_script("document.querySelector(`[data-key='ticker:seen'] [name=pause]`).click()")
        self.assertEqual(self.server.get("ticker:seen")["motion"]["state"], "running")
        self.assertEqual(self.proxy.writes(), [])

    def test_times_are_told_to_the_millisecond(self):
        self.server.request("PUT", "/v1/schedules/tomorrow", {"in": 90000, "do": [{"notify": "later"}]})
        self.open()
        self.assertRegex(self.row("start"), r"^\d\d:\d\d:\d\d\.\d{3}$")
        self.run_script("document.querySelector(`[data-key='schedule:tomorrow']`).dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        # Of another day with its date.
        self.assertRegex(self.row("due"), r"^\S+ \d\d:\d\d:\d\d\.\d{3}$")
        self.assertNotIn('"', self.row("do"))

    def test_an_enumeration_lists_its_alternatives(self):
        self.open()
        read = """const row = [...document.querySelectorAll('.inspector .row')]
            .find((row) => row.children[1].textContent === arguments[0]);
            return row && [row.lastChild.textContent, [...row.querySelectorAll('.choices li')].map((choice) => choice.textContent),
              [...row.querySelectorAll('.choices [aria-current=true]')].map((choice) => choice.textContent)]"""
        for name, present, other in (("easing", "ease-in-out", "linear"), ("state", "running", "paused"), ("interrupt", "retarget", "queue")):
            with self.subTest(name=name):
                value, choices, marked = self.until(read, name)
                self.assertEqual((value, marked), (present, [present]))
                self.assertIn(other, choices)
        # One that has no name is there, too.
        self.server.post("ticker:seen", to=5, duration=30, easing="cubic-bezier(0.1, 0.2, 0.3, 1)")
        self.until(f"const [value, choices, marked] = (() => {{ {read} }})(); return value.startsWith('cubic') && marked[0] === value",
                   "easing")
        self.run_script("document.querySelector(`[data-key='progress:after']`).dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        self.assertEqual(self.until(read, "shape")[2], ["bar"])

    def test_the_inspector_fades_in_and_out_and_dims_the_page(self):
        opacities = "['.inspector', '.dim'].map((part) => getComputedStyle(document.querySelector(part)).opacity)"
        self.run_script(f"""window.seen = [];
            const look = () => {{
              if (document.querySelector('.inspector')) seen.push({opacities}.join());
              if (seen.at(-1) !== '1,1') requestAnimationFrame(look);
            }};
            look();
            document.querySelector('#inspect').click()""")
        self.until("return seen.at(-1) === '1,1'")
        self.assertTrue(any(float(one) < 1 for values in self.run_script("return seen") for one in values.split(",")))
        # A click goes through to the card, which is as bright as ever.
        self.open_card("ticker:seen")
        self.until("return getComputedStyle(document.querySelector('.dim')).clipPath.startsWith('polygon')")
        # Seen right behind the key: a further request could come when it has faded.
        self.run_script("""
            const look = () => { window.isThere = document.querySelector('.inspector')?.isConnected };
            addEventListener('keydown', () => setTimeout(look), true)""")
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        self.until("return window.isThere")
        self.until("return !document.querySelector('.inspector, .dim, .outline')")
        # Who wants less motion has none.
        features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.run_script("document.querySelector('#inspect').click()")
        self.assertEqual(self.run_script(f"return {opacities}"), ["1", "1"])

    def test_open_groups_are_remembered(self):
        self.open()
        for name in ("Value", "Timing"):
            self.run_script(
                "[...document.querySelectorAll('.inspector summary')].find((s) => s.textContent === arguments[0]).click()",
                name,
            )
        self.until("return localStorage.inspector === '011100'")
        self.visit(url=self.proxy.url)
        self.card("ticker:seen")
        self.open()
        groups = self.run_script("""return Object.fromEntries([...document.querySelectorAll('.inspector details')]
            .map((group) => [group.firstChild.textContent, group.open]))""")
        self.assertTrue(groups["Timing"])
        self.assertFalse(groups["Value"])

    def test_the_inspectors_filter_shows_only_matching_rows(self):
        self.open()
        self.row("revision")
        self.driver.find_element("css selector", ".inspector [type=search]").send_keys("revision")
        names = self.run_script(
            "return [...document.querySelectorAll('.inspector .row:not([hidden]) span:not(.value)')].map((name) => name.textContent)"
        )
        self.assertEqual(names, ["revision"])

    def test_the_report_holds_chosen_rows_notes_and_the_browser(self):
        self.open()
        self.row("revision")
        text = self.run_script("""navigator.clipboard.writeText = (text) => { window.report = text; };
            document.querySelector('.inspector textarea').value = 'odd step';
            [...document.querySelectorAll('.inspector .row')].find((row) => row.children[1].textContent === 'revision').firstChild.click();
            const [json, markdown] = [...document.querySelectorAll('.inspector button')].slice(-2);
            json.click(); const first = JSON.parse(report); markdown.click(); return [first, report]""")
        self.assertEqual((text[0]["title"], text[0]["notes"]), ("ticker:seen", "odd step"))
        self.assertIn("Chrom", text[0]["agent"])
        self.assertRegex(text[0]["server"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertIn("Value: target", text[0]["items"])
        self.assertNotIn("Value: revision", text[0]["items"])
        self.assertIn("| Value: target | 1000 |", text[1])

    def test_the_report_has_a_note_on_each_attribute_and_metadata_of_ones_own(self):
        self.open()
        self.row("target")
        reports = self.run_script("""navigator.clipboard.writeText = (text) => { window.report = text; };
            const row = [...document.querySelectorAll('.inspector .row')].find((row) => row.children[1].textContent === 'target');
            row.querySelector('.pen').click();
            row.querySelector('.remark').value = 'too <high> | by far';
            const metadata = document.querySelector('.inspector [name=metadata]');
            metadata.value = 'build: 1842\\nshop: "Nord" & Süd';
            metadata.dispatchEvent(new Event('input'));
            return ['html', 'json', 'markdown'].map((name) => {
              document.querySelector(`.inspector [name=${name}]`).click();
              return report; })""")
        html, data, markdown = reports
        self.assertIn("<tr><td>Value: target</td><td>1000</td><td>too &lt;high&gt; | by far</td></tr>", html)
        self.assertIn("<tr><td>shop</td><td>&quot;Nord&quot; &amp; Süd</td><td></td></tr>", html)
        self.assertEqual(json.loads(data)["metadata"], {"build": "1842", "shop": '"Nord" & Süd'})
        self.assertEqual(json.loads(data)["itemNotes"], {"Value: target": "too <high> | by far"})
        self.assertIn("| Value: target | 1000 | too <high> \\| by far |", markdown)
        # One's own words are there the next time.
        self.visit(url=self.proxy.url)
        self.card("ticker:seen")
        self.open()
        self.assertTrue(self.run_script("return document.querySelector('.inspector [name=metadata]').value.startsWith('build: 1842')"))

    def test_escape_closes_the_inspector_and_nothing_else(self):
        self.run_script("document.querySelector('tween-marquee').select(['ticker:seen'])")
        self.open()
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        self.until("return !document.querySelector('.inspector')")
        self.assertEqual(self.run_script("return [...document.querySelector('tween-marquee').selectedKeys]"), ["ticker:seen"])

    def test_another_card_has_its_own_curve_or_none(self):
        self.server.request("PUT", "/v1/schedules/later", {"in": 600, "do": [{"notify": "later"}]})
        self.card("schedule:later")
        self.open()
        shown = """const [curve] = document.querySelectorAll('.inspector .graph');
            return [curve.checkVisibility(), curve.firstElementChild.getAttribute('d')]"""
        self.until(f"{shown.replace('return', 'const seen =')}; return seen[0]")
        pick = "document.querySelector(`[data-key='${arguments[0]}']`).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
        for key in ("schedule:later", "progress:after"):
            with self.subTest(key=key):
                self.run_script(pick, key)
                self.assertFalse(self.run_script(shown)[0])
                self.until("return document.querySelector('.inspector h2').textContent === arguments[0]", key.split(":")[1])
        self.run_script(pick, "ticker:seen")
        self.until(f"{shown.replace('return', 'const seen =')}; return seen[0]")

    def test_a_button_goes_to_what_comes_next(self):
        self.open()
        self.until("return document.querySelector('.inspector [data-to]')").click()
        self.until("return document.querySelector('.inspector h2').textContent === 'after'")
        self.assertEqual(self.run_script("return document.querySelectorAll('.inspector [data-to]').length"), 0)

    def test_copying_says_so_and_nothing_in_the_inspector_is_spoken_by_itself(self):
        self.open()
        self.row("revision")
        self.run_script("navigator.clipboard.writeText = async () => {}")
        self.driver.find_element("css selector", ".inspector [name=json]").click()
        self.until("return document.querySelector('.inspector [name=json]').textContent === 'Copied'")
        live = "return document.querySelectorAll('.inspector :is(output, [aria-live], [role=status], [role=alert])').length"
        self.assertEqual(self.run_script(live), 0)
