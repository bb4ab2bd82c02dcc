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
MOST_BYTES = 46_000
# Requests until then, those of the stream included.
MOST_REQUESTS = 20
# What a page of others loads for its numbers, compressed.
MOST_EMBEDDED = 16_400

# Notes when a card shows its first number.
FIRST_NUMBER = """const look = () => {
  if ([...document.querySelectorAll('.card')].some(({card}) => card.view.text)) window.firstNumber = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);"""


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
    def test_files_are_served_compressed_and_equal_those_in_the_folder(self):
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

    def body(self, path: str) -> tuple[int, str]:
        """A file's compressed length, and its text."""
        request = urllib.request.Request(f"{self.server.url}/{path}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
            return len(body), (gzip.decompress(body) if answer.headers["Content-Encoding"] else body).decode()

    def test_the_page_is_small_and_needs_few_connections(self):
        size, page = self.body("index.html")
        names = set(re.findall(r'"\./(static/[^"]+\.(?:js|css|svg))"', page)) - {"favicon-lost.svg"}
        # One of the six that a browser opens is the stream's.
        self.assertLessEqual(len([name for name in names if name.endswith(".js")]), 5)
        total = size + self.body("js/shared-stream.js")[0] + sum(self.body(name)[0] for name in names)
        self.assertLess(total, MOST_BYTES)
        self.assertGreater(total, MOST_BYTES / 2)

    def test_the_first_number_of_a_card_needs_few_requests_and_bytes(self):
        for name in range(12):
            self.server.post(f"ticker:count-{name}", to=50, duration=600)
        self.server.post("progress:work-1", current=50, duration=600)
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FIRST_NUMBER})
        self.driver.get(proxy.url + "/tweens/")
        names, size = self.until("""if (!window.firstNumber) return null;
            const all = performance.getEntries().filter(({entryType, startTime}) =>
              /navigation|resource/.test(entryType) && startTime < firstNumber);
            return [all.map(({name}) => name), all.reduce((sum, {encodedBodySize}) => sum + (encodedBodySize ?? 0), 0)]""")
        # The worker asks for itself, its parts and the stream.
        self.assertLess(len(names) + 4, MOST_REQUESTS, names)
        self.assertLess(size, MOST_BYTES)
        self.assertGreater(size, MOST_BYTES / 2)
        # What a card asks for beside its frames is asked once.
        card = self.see("progress:work-1")
        self.until("return arguments[0].card.resource", card)
        self.server.post("progress:work-1", current=60, duration=0)
        self.until("return arguments[0].card.data.value === 60", card)
        asked = [line for line in proxy.lines if "/v1/progress/work-1 " in line]
        self.assertLessEqual(len(asked), 1)

    def test_a_page_that_is_loaded_again_asks_once_for_itself(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        self.visit("/tweens/", proxy.url)
        _, page = self.body("index.html")
        # The worker, and what comes when the first numbers are there.
        scripts = len(set(re.findall(r'static/[^"]+\.js', page))) + 2
        self.eventually(lambda: sum(".js " in line for line in proxy.lines) == scripts
                        and any("favicon-lost" in line for line in proxy.lines))
        first = len(proxy.lines)
        self.visit("/tweens/", proxy.url)
        asked = [line.split(" ")[1] for line in proxy.lines[first:]]
        self.assertEqual([path for path in asked if "/v1/" not in path], ["/tweens/"])
        # Nor was anything asked for outside of its path.
        self.assertEqual([line for line in proxy.lines if not line.split(" ")[1].startswith("/tweens/")], [])

    def test_a_first_visit_sees_numbers_before_the_scripts_are_there(self):
        """Two round trips: the page, then the numbers; whatever takes longer is not waited for."""
        proxy = Proxy(self.server.port, held=".js ")
        self.addCleanup(proxy.close)
        self.server.post("ticker:preset-ease-out", label="0", to=100, duration=3, repeat="forever")
        # The driver waits for what loads in its own window.
        self.driver.get(proxy.url + "/tweens/favicon.svg")
        self.run_script("window.page = open('/tweens/', '_blank', 'popup')")
        number = "page.document.querySelector('[data-early=preset-ease-out]')?.textContent"
        first = self.until(f"return {number}.match(/[1-9].*/)?.[0]")
        self.until(f"return {number} !== arguments[0]", first)
        self.assertFalse(self.run_script("return !!page.customElements.get('tween-ticker')"))
        proxy.release.set()
        self.until("return page.document.querySelector('.big tween-ticker').newest")
        # The page's own stream takes over.
        self.eventually(lambda: proxy.streams == 1)
        self.run_script("page.close()")
        # A picture by itself has no icon.
        self.driver.get_log("browser")

    def test_page_and_components_work_under_a_path(self):
        self.server.post("ticker:deep", label="0", to=7, duration=0)
        self.visit("/tweens/")
        self.card("ticker:deep")
        self.assertNoErrors()

    def test_the_embedding_script_is_small_and_loads_all_its_modules(self):
        self.server.post("ticker:deep", label="0", to=7, duration=0)
        self.assertLess(self.body("js/embedding.js")[0], MOST_EMBEDDED)
        self.driver.get(self.server.url + "/tweens/healthz")
        self.run_script("""return (async () => {
            await import('/tweens/embed.js');
            await import('/tweens/marquee.js');
            document.body.innerHTML = `<b data-tween=v1/tickers/deep></b><tween-marquee></tween-marquee>
              <tween-ticker mode=motion wheels src=v1/tickers/deep></tween-ticker>
              <tween-ticker when=visible over=0.2 src=v1/tickers/deep></tween-ticker>`;
            })()""")
        shown = "[...document.querySelectorAll('tween-ticker')].every(({text}) => text === arguments[0])"
        self.until(f"return document.querySelector('b').textContent === '7' && {shown}", "7")
        self.server.post("ticker:deep", to=900, duration=0.5)
        self.until(f"return {shown}", "900")
        self.assertTrue(self.run_script("return 'selected' in document.querySelector('tween-marquee')"))

    def test_the_path_without_its_slash_leads_to_the_page(self):
        self.driver.get(self.server.url + "/tweens")
        self.until("return location.pathname === '/tweens/'")
