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
        self.run_script("document.querySelector('tween-marquee').choose(['ticker:preset-linear'])")
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
        for name in ("pace", "inspect", "presets", "q", "order", "pick", "pause", "easing", "to", "copy"):
            self.assertIn(name, seen)


class SignInAccessibilityTest(AxeTest, GuardedTest):
    def tearDown(self):
        self.resize(1280)

    def test_axe_finds_nothing_where_a_token_is_asked_for(self):
        for theme, path in (("light", "/"), ("dark", "/"), ("dark", "/?layout=wall"), ("light", "/selftest.html")):
            with self.subTest(theme=theme, path=path):
                self.theme(theme)
                self.assertTrue(self.ask(path).is_displayed())
                self.assertAccessible()
        self.enter("nonsense")
        self.reason("the token is not known")
        self.assertAccessible()

    def test_axe_finds_nothing_over_what_is_left_of_a_session(self):
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
