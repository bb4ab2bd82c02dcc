"""axe-core over every state of the page, and the keyboard."""

from axe_selenium_python import Axe
from selenium.webdriver import ActionChains, Keys

from browser import BrowserTest, GuardedTest


class AxeTest(BrowserTest):
    def assertAccessible(self):
        axe = Axe(self.driver)
        axe.inject()
        results = self.driver.execute_async_script(
            "axe.run(document).then(arguments[0], (error) => arguments[0]({error: String(error)}))"
        )
        self.assertNotIn("error", results)
        found = [
            f"{found['id']}: {node['target']} {node['failureSummary']}"
            for found in results["violations"]
            for node in found["nodes"]
        ]
        self.assertEqual(found, [])

    def resize(self, width: int):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


class AccessibilityTest(AxeTest):
    flags = ("--demo",)

    def test_axe_finds_nothing_in_either_theme_or_layout(self):
        for theme, query in (("light", ""), ("dark", ""), ("dark", "?layout=wall"), ("light", "?order=newest")):
            with self.subTest(theme=theme, query=query):
                self.theme(theme)
                self.visit(f"/{query}")
                self.card("ticker:preset-linear")
                self.card("progress:download")
                self.assertAccessible()

    def test_axe_finds_nothing_with_the_inspector_and_a_selection_open(self):
        self.visit()
        card = self.card("ticker:preset-linear")
        self.run_script("document.querySelector('tween-marquee').select(['ticker:preset-linear'])")
        self.assertAccessible()
        self.driver.find_element("id", "inspect").click()
        self.until("return document.querySelector('.inspector')")
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", card)
        card.click()
        self.run_script("document.querySelector('.inspector > div').hidden = false")
        self.until("return document.querySelectorAll('.inspector .row').length > 5")
        self.run_script("for (const group of document.querySelectorAll('details')) group.open = true")
        self.assertAccessible()

    def test_axe_finds_nothing_on_a_small_phone(self):
        self.resize(320)
        self.visit()
        self.card("progress:download")
        self.assertAccessible()

    def test_the_tab_key_reaches_every_control_and_shows_where_it_is(self):
        self.visit()
        self.card("ticker:preset-linear")
        seen = set()
        for _ in range(120):
            # To whatever has the focus: an element asked for by name may have been replaced meanwhile.
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            name, ring = self.run_script("""const at = document.activeElement;
                return [at.id || at.name || at.className, getComputedStyle(at).outlineStyle !== 'none']""")
            if name:
                self.assertTrue(ring or name == "board", name)
                seen.add(name)
        for name in ("skip", "pace", "inspect", "settings", "primary", "take", "still", "fold", "duration", "q", "order", "all", "easing", "to"):
            self.assertIn(name, seen)

    def focused(self):
        return self.run_script("""const at = document.activeElement;
            return at.dataset.key ?? at.name ?? at.id""")

    def test_all_cards_are_one_tab_stop_and_arrow_keys_move_between_them(self):
        for name in ("a-1", "a-2", "a-10"):
            self.server.post(f"ticker:{name}", to=5, duration=600)
        self.visit("/?q=a-&layout=cards")
        keys = [f"ticker:a-{number}" for number in (1, 2, 10)]
        for key in keys:
            self.card(key)
        stops = "return [...document.querySelectorAll('#board [tabindex=\"0\"]')].map(({dataset}) => dataset.key)"
        self.assertEqual(self.run_script(stops), keys[:1])
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()  # noqa: E731
        self.run_script("document.querySelector('#board [tabindex=\"0\"]').focus()")
        for key, place in ((Keys.ARROW_RIGHT, 1), (Keys.END, 2), (Keys.ARROW_LEFT, 1), (Keys.HOME, 0), (Keys.ARROW_LEFT, 0)):
            press(key)
            self.assertEqual(self.focused(), keys[place])
        press(Keys.SPACE)
        self.assertEqual(self.run_script("return [...document.querySelector('tween-marquee').selectedKeys]"), keys[:1])
        # Enter opens the tools, which the Tab key goes through; Escape comes back.
        press(Keys.ENTER)
        self.until("return document.activeElement.closest('.tools')")
        press(Keys.TAB)
        self.assertEqual(self.focused(), "pause")
        press(Keys.ENTER)
        self.eventually(lambda: self.server.get("ticker:a-1")["motion"]["state"] == "paused")
        press(Keys.ESCAPE)
        self.assertEqual(self.focused(), keys[0])
        self.assertEqual(self.run_script(stops), keys[:1])

    def test_the_focus_goes_to_the_next_card_when_one_is_deleted(self):
        for name in ("b-1", "b-2"):
            self.server.post(f"ticker:{name}", to=5, duration=600)
        self.visit("/?q=b-")
        for name in ("b-1", "b-2"):
            self.card(f"ticker:{name}")
        self.run_script("document.querySelector(`[data-key='ticker:b-1']`).focus()")
        self.server.request("DELETE", "/v1/tickers/b-1")
        self.until("return document.activeElement.dataset.key === 'ticker:b-2'")

    def test_a_dialog_keeps_the_focus_and_escape_means_no(self):
        self.server.post("ticker:kept", to=5, duration=0)
        self.visit()
        card = self.see("ticker:kept")
        self.run_script("arguments[0].querySelector('[name=delete]').click()", card)
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()  # noqa: E731
        self.until("return document.activeElement.value === 'no'")
        for _ in range(4):
            press(Keys.TAB)
            self.assertTrue(self.run_script("return document.activeElement === document.body || !!document.activeElement.closest('#ask')"))
        self.assertAccessible()
        press(Keys.ESCAPE)
        self.until("return !document.querySelector('#ask').open")
        self.assertEqual(self.server.get("ticker:kept")["text"], "5")

    def test_the_inspectors_key_can_be_another_or_none(self):
        self.visit()
        self.card("ticker:preset-linear")
        press = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()  # noqa: E731
        opened = "return !!document.querySelector('.inspector')"
        # It comes with its first use: who has it already gets it at once.
        for key, typed, opens in (("x", "x", True), ("x", "i", False), ("", "i", False)):
            with self.subTest(key=key, typed=typed):
                self.run_script("""document.querySelector('#settings').click();
                    const {key} = document.querySelector('#preferences form').elements;
                    key.value = arguments[0];
                    key.dispatchEvent(new Event('input', {bubbles: true}));
                    document.querySelector('#preferences').close();
                    document.activeElement.blur()""", key)
                press(typed)
                if opens:
                    self.until(opened)
                    press(Keys.ESCAPE)
                    self.until(f"return !({opened.removeprefix('return ')})")
                self.assertFalse(self.run_script(opened))

    def test_completions_are_announced_in_one_sentence_unless_announcing_is_off(self):
        self.visit()
        self.card("ticker:preset-linear")
        self.run_script("""window.said = [];
            new MutationObserver(() => said.push(document.querySelector('#spoken').textContent))
              .observe(document.querySelector('#spoken'), {childList: true})""")
        # In one request: what comes together is announced together, however slow the page is.
        names = [f"told-{index}" for index in range(9)]
        self.server.request("POST", "/v1/batch", [{"ticker": name, "to": 7, "duration": 0} for name in names])
        self.until(r"return said.find((text) => /told-.* and \d+ more$/.test(text))")
        self.assertTrue(all(sentence.count("told-") < len(names) for sentence in self.run_script("return said")))
        # However fast one follows another, none waits for the last.
        self.run_script("said.length = 0")
        self.eventually(lambda: self.server.post("ticker:busy", to=7, duration=0)
                        and self.run_script("return said.find((text) => text.includes('busy'))"))
        self.run_script("""const {spoken} = document.querySelector('#preferences form').elements;
            spoken.click();""")
        self.run_script("said.length = 0")
        self.server.post("ticker:silent", to=7, duration=0)
        self.card("ticker:silent")
        # The demo's own numbers come to rest every few seconds, and would be told.
        self.until("return document.querySelector(`[data-key='ticker:revenue']`).card.view.newest.value > arguments[0]",
                   self.server.get("ticker:revenue")["target"])
        self.assertNotIn("silent", "".join(self.run_script("return said")))


class SignInAccessibilityTest(AxeTest, GuardedTest):
    def test_axe_finds_nothing_where_a_token_is_asked_for(self):
        for theme, path in (("light", "/"), ("dark", "/"), ("dark", "/?layout=wall"), ("light", "/selftest.html")):
            with self.subTest(theme=theme, path=path):
                self.theme(theme)
                self.assertTrue(self.ask(path).is_displayed())
                self.assertAccessible()
        self.enter("nonsense")
        self.reason("the token is not known")
        self.assertAccessible()

    def test_axe_finds_nothing_when_a_session_ended_and_its_cards_remain(self):
        for theme, width in (("light", 1280), ("dark", 320)):
            with self.subTest(theme=theme, width=width):
                self.theme(theme)
                self.resize(width)
                self.grant({"guest": {"subscribe": ["*"]}})
                self.driver.delete_all_cookies()
                self.sign_in("guest")
                self.card("ticker:bank")
                self.assertAccessible()
                self.grant({})
                self.assertTrue(self.asked().is_displayed())
                self.assertTrue(self.card("ticker:bank").is_displayed())
                self.assertAccessible()
                self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)

    def test_axe_finds_nothing_where_a_token_may_read_nothing(self):
        self.sign_in("writer")
        self.until("return document.querySelector('#connection').textContent.startsWith('Nothing')")
        self.assertAccessible()

    def test_the_keyboard_signs_in_and_out(self):
        self.ask()
        keys = lambda *keys: ActionChains(self.driver).send_keys(*keys).perform()  # noqa: E731
        keys(self.token("admin"), Keys.TAB, Keys.SPACE)
        self.until("return document.activeElement.id === 'signout'")
        keys(Keys.ENTER)
        self.asked()
        self.until("return document.activeElement.type === 'password'")
