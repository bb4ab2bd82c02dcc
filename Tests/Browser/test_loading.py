"""How the page comes: compressed, kept by the browser, in as few round trips as its modules allow, under any path."""

import gzip
import re
import time
import unittest
import urllib.request

from browser import BrowserTest
from server import ROOT, Proxy, Server

PUBLIC = ROOT / "public"
# What all of it may take on the wire.
MOST_BYTES = 45_000


def imports(path):
    """The modules that a module needs before it runs."""
    text = path.read_text()
    names = re.findall(r'^(?:import|export)\s+(?:[^"\';]*?\sfrom\s+)?["\'](\.[^"\']+)["\']', text, re.MULTILINE)
    return [(path.parent / name).resolve() for name in names]


def graph(path, known=None):
    """A module and all that it needs."""
    known = known if known is not None else set()
    if path not in known:
        known.add(path)
        for other in imports(path):
            graph(other, known)
    return known


class BytesTest(unittest.TestCase):
    def test_everything_compressed_is_small_and_is_what_stands_in_the_folder(self):
        server = Server()
        self.addCleanup(server.close)
        total = 0
        for path in sorted(PUBLIC.rglob("*")):
            if path.is_dir():
                continue
            name = path.relative_to(PUBLIC).as_posix()
            request = urllib.request.Request(f"{server.url}/{name}", headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as answer:
                body = answer.read()
                total += len(body)
                if answer.headers["Content-Encoding"] == "gzip":
                    body = gzip.decompress(body)
            # Pages name what may be kept for good by where that is.
            text = re.sub(rb'"\./static/[0-9a-f]+/', b'"./', body)
            self.assertEqual(text, path.read_bytes(), name)
        self.assertLess(total, MOST_BYTES)

    def test_a_page_asks_for_all_its_modules_at_once(self):
        for page in sorted(PUBLIC.glob("*.html")):
            text = page.read_text()
            scripts = re.findall(r'<script\b[^>]*\bsrc="\./([^"]+)"', text)
            needed = set()
            for script in scripts:
                needed |= graph((PUBLIC / script).resolve())
            named = {(PUBLIC / name).resolve() for name in re.findall(r'rel="modulepreload" href="\./([^"]+)"', text)}
            named |= {(PUBLIC / script).resolve() for script in scripts}
            self.assertEqual(named, needed, page.name)


class ReloadTest(BrowserTest):
    def test_a_page_that_is_loaded_again_asks_once_for_itself(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit(url=proxy.url)
        first = len(proxy.lines)
        self.visit(url=proxy.url)
        asked = [line.split(" ")[1] for line in proxy.lines[first:]]
        files = [path for path in asked if not path.startswith("/v1/")]
        self.assertEqual(files, ["/"])


class BasePathTest(BrowserTest):
    flags = ("--base-path", "/tweens")

    def test_page_and_components_work_under_a_path(self):
        self.server.post("ticker:deep", label="0", to=7, duration=0)
        self.visit("/tweens/")
        self.card("ticker:deep")
        self.assertNoErrors()

    def test_the_path_without_its_slash_leads_to_the_page(self):
        self.driver.get(self.server.url + "/tweens")
        self.until("return location.pathname === '/tweens/'")


class ThrottledTest(BrowserTest):
    """By the clock of the network, which is emulated: no figure here comes from this machine's speed."""

    def test_the_first_number_comes_with_the_second_round_trip(self):
        self.server.post("ticker:first", label="0", to=1000, duration=60)
        latency = 2000
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        conditions = {"offline": False, "latency": latency, "downloadThroughput": 5e4, "uploadThroughput": 5e4}
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
        start = time.monotonic()
        self.driver.get(self.server.url)
        self.until("return document.body.innerText.match(/[1-9][0-9.]*/)", seconds=30)
        self.assertLess(time.monotonic() - start, 3 * latency / 1000)
