"""The self-test page, straight to the server and through a proxy that holds pieces back."""

import http.server
import threading
import time
import urllib.request

from browser import BrowserTest


class HoldingProxy(http.server.BaseHTTPRequestHandler):
    """Passes on, streams a second's worth at a time."""

    upstream = ""

    def do_GET(self):
        with urllib.request.urlopen(self.upstream + self.path) as answer:
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.end_headers()
            held, since = b"", time.monotonic()
            while piece := answer.read1():
                held += piece
                if time.monotonic() - since > 1:
                    self.wfile.write(held)
                    held, since = b"", time.monotonic()
            self.wfile.write(held)

    def log_message(self, *_):
        pass


class SelfTestPage(BrowserTest):
    def verdict(self, base):
        self.driver.get(base + "/selftest.html")
        listening = "return !document.querySelector('#verdict').textContent.startsWith('Listening')"
        self.until(listening, seconds=20)
        return self.run_script("return document.querySelector('main').textContent")

    def test_the_self_test_reports_a_path_without_buffering(self):
        text = self.verdict(self.server.url)
        self.assertIn("No problems", text)
        self.assertRegex(text, r"(\d+) of \1 events and (\d+) of \2 heartbeats arrived")
        self.click("#again")
        self.until("return document.querySelector('#verdict')?.textContent.startsWith('Listening')")
        self.assertNoErrors()

    def test_the_self_test_reports_a_proxy_that_buffers(self):
        HoldingProxy.upstream = self.server.url
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), HoldingProxy)
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.assertIn("A proxy buffers", self.verdict(f"http://127.0.0.1:{proxy.server_port}"))
