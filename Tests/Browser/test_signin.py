"""A server that asks for tokens: signing in and out, what a token may do, and its end."""

import datetime
import time

from selenium.webdriver import ActionChains

from browser import GuardedTest
from server import Proxy

NOT_SIGNED_IN = "Not signed in"
# What is measured is that nothing is asked in this time: four times as long as a page waits before it tries again.
SILENT_SECONDS = 3


class SecretTest(GuardedTest):
    """With a board of its own: the line of the first screen is that of what moved last."""

    def test_the_token_stays_nowhere_in_the_page(self):
        self.ask()
        self.run_script("window.field = document.querySelector('.signin input')")
        self.enter(self.token("admin"))
        self.live()
        places = self.run_script("""return [field.value, field.outerHTML, document.documentElement.outerHTML, location.href,
            document.cookie, JSON.stringify([localStorage, sessionStorage, history.state]),
            performance.getEntriesByType('resource').map(({name}) => name).join()]""")
        for place in places:
            self.assertNotIn(self.token("admin"), place)
        self.open_form()
        self.card("ticker:bank")
        self.run_script("document.querySelector('tween-marquee').select(['ticker:bank'])")
        self.run_script("document.querySelector('#selection [name=pause]').click()")
        for selector, path in (("#curl", "tickers/hello"), ("#start .line", "tickers/demo"), ("#line", "batch")):
            self.until("return document.querySelector(arguments[0]).textContent.includes(arguments[1])",
                       selector, f'/v1/{path} -H "Authorization: Bearer $TOKEN" ')


class SignInTest(GuardedTest):
    def connection(self) -> str:
        return self.driver.find_element("id", "connection").text

    def keys(self) -> list[str]:
        return self.run_script("return [...document.querySelectorAll('#board .card')].map((card) => card.dataset.key).sort()")

    def test_the_board_is_shown_to_who_brings_a_token(self):
        field = self.ask()
        self.assertEqual(
            [field.accessible_name, field.get_attribute("type"), field.get_attribute("autocomplete")],
            ["Token", "password", "current-password"],
        )
        self.reason("a token is needed to listen to any of these topics")
        self.assertIn(NOT_SIGNED_IN, self.connection())
        self.assertEqual(self.run_script("return document.activeElement === arguments[0]", field), True)
        self.enter(self.token("admin"))
        self.live()
        self.card("ticker:bank")
        self.until("return !document.querySelector('.signin') && document.activeElement.id === 'signout'")
        cookie = self.driver.get_cookie("tweencast_token")
        self.assertEqual((cookie["httpOnly"], cookie["sameSite"]), (True, "Strict"))

    def test_a_wrong_token_shows_the_reason_and_asks_again(self):
        field = self.ask()
        for text, reason in (
            ("nonsense", "the token is not known"),
            ("two words", "A token has no spaces, and no letters other than a to z"),
            ("señal", "A token has no spaces, and no letters other than a to z"),
        ):
            with self.subTest(text=text):
                self.enter(text)
                self.reason(reason)
                self.assertEqual(self.run_script("return [arguments[0].value, document.activeElement === arguments[0]]", field), ["", True])
        self.assertIn(NOT_SIGNED_IN, self.connection())
        self.enter(f" {self.token('admin')} ")
        self.live()

    def test_a_session_holds_in_all_tabs_until_sign_out_in_one(self):
        self.sign_in("admin")
        self.card("ticker:bank")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.visit()
        self.card("ticker:bank")
        self.click("#signout")
        for window in (self.driver.current_window_handle, first):
            self.driver.switch_to.window(window)
            self.asked()
            self.reason("a token is needed to listen to any of these topics")
            self.assertEqual(self.keys(), [])
            self.assertNotIn("signout", [button.get_attribute("id") for button in self.shown("button")])
        self.assertIsNone(self.driver.get_cookie("tweencast_token"))
        # What one of them brings counts for both.
        self.enter(self.token("admin"))
        self.card("ticker:bank")
        self.driver.switch_to.window(next(window for window in self.driver.window_handles if window != first))
        self.card("ticker:bank")
        self.until("return !document.querySelector('.signin')")
        self.assertIn("signout", [button.get_attribute("id") for button in self.shown("button")])

    def shown(self, selector: str):
        return [element for element in self.driver.find_elements("css selector", selector) if element.is_displayed()]

    def test_a_sign_out_without_a_connection_shows_an_error(self):
        self.sign_in("admin")
        self.live()
        self.run_script("window.fetch = async () => { throw new TypeError(); }")
        self.click("#signout")
        self.until("return document.querySelector('header [role=alert]').textContent === 'No connection'")

    # MARK: What a token may do

    def test_a_token_sees_only_its_cards_and_a_refused_change_shows_the_reason(self):
        self.server.post("ticker:shop-door", to=1000, duration=600)
        self.sign_in("shop")
        self.see("ticker:shop-till")
        card = self.see("ticker:shop-door")
        self.assertEqual(self.keys(), ["ticker:shop-door", "ticker:shop-till"])
        problem = "return document.querySelector('#problem').textContent === arguments[0]"
        for operation in ("pause", "delete"):
            self.run_script("arguments[0].querySelector(`[name=${arguments[1]}]`).click()", card, operation)
            self.run_script("document.querySelector('#ask[open] [value=yes]')?.click()")
            self.until(problem, "this token may not change ticker shop-door")
        self.run_script("document.querySelector('tween-marquee').select(['ticker:shop-till'])")
        self.driver.find_element("css selector", "#selection [name=pause]").click()
        self.until(problem, "")
        self.run_script("document.querySelector('tween-marquee').select(['ticker:shop-till', 'ticker:shop-door'])")
        self.driver.find_element("css selector", "#selection [name=pause]").click()
        self.until(problem, "this token may not change ticker shop-door")
        self.run_script("document.querySelector('#send .primary').click()")
        self.until(problem, "this token may not change ticker hello")
        self.assertEqual(self.server.get("ticker:shop-door")["motion"]["state"], "running")
        self.assertIsNone(self.run_script("return document.querySelector('.signin')"))

    def test_a_write_only_token_sees_a_notice_and_can_still_write(self):
        self.sign_in("writer")
        told = "Nothing to show: this token may not listen to any of these topics"
        self.until("return document.querySelector('#connection').textContent === arguments[0]", told)
        self.until("return document.querySelector('#empty').textContent === arguments[0]", told)
        self.open_form()
        self.run_script("document.querySelector('#start').elements.id.value = 'blind'")
        self.click("#start .primary")
        self.eventually(lambda: self.status("GET", "/v1/tickers/blind", "admin") == 200)
        self.click("#signout")
        self.asked()

    def test_rights_that_become_fewer_take_cards_away(self):
        self.grant({"guest": {"subscribe": ["ticker=*"]}})
        self.sign_in("guest")
        self.card("ticker:bank")
        self.grant({"guest": {"subscribe": ["ticker=shop-*"]}})
        self.until("return !document.querySelector(`[data-key='ticker:bank']`)", seconds=20)
        self.card("ticker:shop-till")
        self.live()

    # MARK: Ends

    def test_a_token_that_expires_is_asked_for_again_and_the_server_left_alone(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=12)
        self.grant({"brief": {"subscribe": ["*"], "expires": end.isoformat().replace("+00:00", "Z")}})
        self.sign_in("brief", url=proxy.url)
        card = self.card("ticker:bank")
        asked = lambda: sum("/events" in line for line in proxy.lines)  # noqa: E731
        before = asked()
        self.until("return document.querySelector('.signin')", seconds=40)
        self.until("return document.querySelector('.signin [role=alert]').textContent === 'The token has expired'", seconds=20)
        self.assertIn(NOT_SIGNED_IN, self.connection())
        # What is left on the board is seen to be of before.
        self.assertTrue(card.is_displayed())
        self.assertEqual(self.run_script("return getComputedStyle(document.querySelector('#board')).filter"), "grayscale(1)")
        # The stream's own way back, whose answer says why, and nothing besides.
        time.sleep(SILENT_SECONDS)
        self.assertEqual(asked() - before, 1)
        self.assertEqual(self.server.request("GET", "/v1/clients")["count"], 0)
        self.enter(self.token("admin"))
        self.live()
        self.assertEqual(self.run_script("return getComputedStyle(document.querySelector('#board')).filter"), "none")

    def test_a_revoked_token_asks_for_another_and_the_page_goes_on_with_that(self):
        self.grant({"guest": {"subscribe": ["*"]}})
        self.sign_in("guest")
        self.card("ticker:bank")
        self.grant({})
        revoked = "return document.querySelector('.signin [role=alert]')?.textContent === 'The token was revoked'"
        self.until(revoked, seconds=20)
        # What cards are asked meanwhile is refused too, in other words.
        card = self.see("ticker:bank")
        refused = "return performance.getEntriesByType('resource').filter(({responseStatus}) => responseStatus === 401).length"
        before = self.run_script(refused)
        # Looked at again and again: a card asks once in two seconds at most.
        self.until(f"arguments[1].dispatchEvent(new PointerEvent('pointerenter')); {refused} > arguments[0]", before, card)
        self.assertTrue(self.run_script(revoked))
        self.enter(self.token("guest"))
        self.reason("the token is not known")
        self.enter(self.token("shop"))
        self.live()
        self.until("return !document.querySelector(`[data-key='ticker:bank']`)")
        self.card("ticker:shop-till")

    def test_a_page_loaded_anew_with_a_token_that_ended_asks_for_another(self):
        self.grant({"guest": {"subscribe": ["*"]}})
        self.sign_in("guest")
        self.card("ticker:bank")
        self.driver.get("about:blank")
        self.grant({})
        self.ask()
        self.reason("the token is not known")
        self.enter(self.token("admin"))
        self.card("ticker:bank")

    def test_the_inspectors_own_streams_come_back_with_another_token(self):
        self.grant({"guest": {"subscribe": ["*"]}})
        self.sign_in("guest")
        card = self.see("ticker:bank")
        self.driver.find_element("id", "inspect").click()
        self.until("return document.querySelector('.inspector')")
        card.click()
        self.run_script("document.querySelector('.inspector > div').hidden = false")
        self.run_script("for (const group of document.querySelectorAll('.inspector details')) group.open = true")
        raw = "return document.querySelector('.inspector pre').textContent.includes(arguments[0])"
        self.until(raw, '"text":"5"')
        self.grant({})
        self.until("return document.querySelector('.signin')", seconds=20)
        self.enter(self.token("admin"))
        self.live()
        self.server.post("ticker:bank", to=6, duration=0)
        self.addCleanup(self.server.post, "ticker:bank", to=5, duration=0)
        self.until(raw, '"text":"6"')

    # MARK: The self-test

    def test_the_self_test_asks_and_then_runs(self):
        self.ask("/selftest.html")
        self.reason("a token is needed to run the self test")
        self.enter("nonsense")
        self.reason("the token is not known")
        self.enter(self.token("shop"))
        self.until("return document.querySelector('#verdict').textContent.startsWith('No problems')", seconds=20)
        self.click("#signout")
        self.asked()


class AnonymousTest(GuardedTest):
    """Everybody may look."""

    anonymous = {"subscribe": ["ticker=*"]}

    def test_an_anonymous_reader_is_asked_for_a_token_to_change_something(self):
        self.visit()
        card = self.see("ticker:bank")
        self.assertIsNone(self.run_script("return document.querySelector('.signin')"))
        pause = card.find_element("css selector", "[name=pause]")
        ActionChains(self.driver).move_to_element(card).perform()
        pause.click()
        field = self.asked()
        self.reason("a token is needed to change ticker bank")
        focused = "return document.activeElement === arguments[0]"
        self.until(focused, field)
        self.click(".signin [name=later]")
        self.until("return !document.querySelector('.signin')")
        self.assertTrue(self.run_script(focused, pause))
        self.server.post("ticker:bank", to=1000, duration=600)
        self.addCleanup(self.server.post, "ticker:bank", to=5, duration=0)
        pause.click()
        self.enter(self.token("admin"))
        self.until("return !document.querySelector('.signin')")
        self.assertTrue(self.run_script(focused, pause))
        self.live()
        pause.click()
        self.eventually(lambda: self.server.get("ticker:bank")["motion"]["state"] == "paused")

    def test_after_a_token_is_revoked_a_reader_can_go_on_anonymously(self):
        self.grant({"guest": {"subscribe": ["*"]}})
        self.visit()
        self.run_script("document.querySelector('#send .primary').click()")
        self.enter(self.token("guest"))
        self.until("return !document.querySelector('.signin')")
        self.live()
        self.grant({})
        self.until("return document.querySelector('.signin [role=alert]')?.textContent === 'The token was revoked'", seconds=20)
        self.click("#signout")
        self.live()
        self.card("ticker:bank")
        self.assertIsNone(self.run_script("return document.querySelector('.signin')"))
