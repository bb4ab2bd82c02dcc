"""How the page comes: in one piece, compressed, kept by the browser, under any path."""

import gzip
import re
import subprocess
import tempfile
import unittest
import urllib.request

from browser import BrowserTest
from server import ROOT, Proxy, Server

PUBLIC = ROOT / "public"
# What the page is until its first number, compressed.
MOST_BYTES = 50_000
PAGE = ("index.html", "viewer.css", "board.css", "js/app.js", "js/source.js", "favicon.svg")


def bundled(test) -> str:
    """The folder that `make run` serves."""
    folder = tempfile.TemporaryDirectory()
    test.addClassCleanup(folder.cleanup)
    subprocess.run(["bash", str(ROOT / "packaging/viewer"), str(PUBLIC), folder.name + "/viewer"], check=True)
    return folder.name + "/viewer"


def imports(path):
    """The modules that a module needs before it runs."""
    names = re.findall(r'^import\s+(?:[^"\';]*?\sfrom\s+)?"(\.[^"]+)"', path.read_text(), re.MULTILINE)
    return [(path.parent / name).resolve() for name in names]


def graph(path, known):
    """A module and all that it needs."""
    if path not in known:
        known.add(path)
        for other in imports(path):
            graph(other, known)
    return known


class FilesTest(unittest.TestCase):
    def test_files_come_compressed_and_are_what_stands_in_the_folder(self):
        server = Server()
        self.addCleanup(server.close)
        for path in sorted(PUBLIC.rglob("*")):
            if path.is_dir():
                continue
            name = path.relative_to(PUBLIC).as_posix()
            request = urllib.request.Request(f"{server.url}/{name}", headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as answer:
                body = answer.read()
                if answer.headers["Content-Encoding"] == "gzip":
                    body = gzip.decompress(body)
                else:
                    self.assertLess(len(body), 300, name)
            # Entries name what may be kept for good by where that is.
            self.assertEqual(re.sub(rb'"\./static/[0-9a-f]+/', b'"./', body), path.read_bytes(), name)

    def test_a_page_asks_for_all_its_modules_at_once(self):
        for page in sorted(PUBLIC.glob("*.html")):
            text = page.read_text()
            named = re.findall(r'(?:rel="modulepreload" href|<script type="module" src)="\./([^"]+)"', text)
            needed = set()
            for name in named[:1]:
                graph((PUBLIC / name).resolve(), needed)
            self.assertEqual({(PUBLIC / name).resolve() for name in named}, needed, page.name)


class LoadingTest(BrowserTest):
    """The viewer as it is best sent, under a path of another's."""

    @classmethod
    def setUpClass(cls):
        cls.flags = ("--base-path", "/tweens", "--public", bundled(cls))
        super().setUpClass()

    def test_the_page_is_small(self):
        total = 0
        for name in PAGE:
            request = urllib.request.Request(f"{self.server.url}/{name}", headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as answer:
                total += len(answer.read())
        self.assertLess(total, MOST_BYTES)

    def test_a_page_that_is_loaded_again_asks_once_for_itself(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit("/tweens/", proxy.url)
        first = len(proxy.lines)
        self.visit("/tweens/", proxy.url)
        asked = [line.split(" ")[1] for line in proxy.lines[first:]]
        self.assertEqual([path for path in asked if "/v1/" not in path], ["/tweens/"])
        # Nor was anything asked for outside of its path.
        self.assertEqual([line for line in proxy.lines if not line.split(" ")[1].startswith("/tweens/")], [])

    def test_page_and_components_work_under_a_path(self):
        self.server.post("ticker:deep", label="0", to=7, duration=0)
        self.visit("/tweens/")
        self.card("ticker:deep")
        self.assertNoErrors()

    def test_the_path_without_its_slash_leads_to_the_page(self):
        self.driver.get(self.server.url + "/tweens")
        self.until("return location.pathname === '/tweens/'")
