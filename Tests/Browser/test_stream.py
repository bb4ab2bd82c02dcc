"""The one stream: shared by tabs, back by itself after the server was away."""

import tempfile

from browser import BrowserTest
from server import Proxy, Server


class SharedStreamTest(BrowserTest):
    def test_two_tabs_and_their_components_use_one_stream(self):
        self.server.post("ticker:shared", label="0", to=0, duration=0)
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit(url=proxy.url)
        self.card("ticker:shared")
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.visit(url=proxy.url)
        self.card("ticker:shared")
        self.server.post("ticker:shared", to=77, duration=0.3)
        for window in (self.driver.current_window_handle, first):
            self.driver.switch_to.window(window)
            self.until(
                "return document.querySelector(`[data-key='ticker:shared'] tween-ticker`).newest?.text === '77'"
            )
        self.assertEqual(proxy.streams, 1)
        self.assertEqual(sum(line.startswith("POST /v1/events") for line in proxy.lines), 1)
        for window in self.driver.window_handles:
            if window != first:
                self.driver.switch_to.window(window)
                self.driver.close()
        self.driver.switch_to.window(first)
        self.server.post("ticker:shared", to=78, duration=0)
        self.until("return document.querySelector(`[data-key='ticker:shared'] tween-ticker`).newest?.text === '78'")


class ReconnectTest(BrowserTest):
    def test_a_killed_server_is_seen_and_a_new_one_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(data=folder)
            server.post("ticker:back", label="0", to=41, duration=0)
            self.visit(url=server.url)
            self.card("ticker:back")
            port = server.port
            server.kill()
            self.until("return document.querySelector('#connection').dataset.state === 'connecting'")
            self.assertIn("Reconnecting", self.driver.find_element("id", "connection").text)
            # The curve and its playhead are as old as the numbers.
            for place in ("#board", ".plot"):
                grey = "return getComputedStyle(document.querySelector(arguments[0]).closest('#board, #flight')).filter"
                self.assertEqual(self.run_script(grey, place), "grayscale(1)")
            server = Server(port=port, data=folder)
            self.addCleanup(server.close)
            self.until("return document.querySelector('#connection').dataset.state === 'live'", seconds=30)
            server.post("ticker:back", to=42, duration=0)
            self.until("return document.querySelector(`[data-key='ticker:back'] tween-ticker`)?.newest.text === '42'")

    def test_cards_of_what_is_gone_leave_after_a_reconnect(self):
        server = Server()
        server.post("ticker:lost", to=1, duration=0)
        self.visit(url=server.url)
        self.card("ticker:lost")
        port = server.port
        server.kill()
        server = Server(port=port)
        self.addCleanup(server.close)
        self.until("return !document.querySelector(`[data-key='ticker:lost']`)", seconds=30)
