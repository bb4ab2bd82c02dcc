"""The pages' commands work as they are written, and answer what the pages show; their tables of fields are the
contract's."""

import concurrent.futures
import functools
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request

import yaml

from console import ROOT, Console, match, steps

sys.path.insert(0, str(ROOT / "Tests"))
import tested  # noqa: E402

# How many commands each has at least, so that none goes unseen.
PAGES = {
    "README.md": 1, "docs/getting-started.md": 5, "docs/guide.md": 86, "docs/streams.md": 20, "docs/clients.md": 3,
    "docs/configuration.md": 7, "docs/upgrades.md": 1, "docs/on-your-page.md": 3, "docs/from-your-service.md": 15,
    "docs/on-a-stream.md": 4, "docs/command-line.md": 10,
}


class PageTest(unittest.TestCase):
    @staticmethod
    def failures(page: str) -> list[str]:
        with Console(tested.program()) as console:
            console.run(page)
            return console.failures

    def test_commands_answer_what_the_pages_show(self):
        pages = {name: (ROOT / name).read_text() for name in PAGES}
        # Beside each other, each with servers of its own: most of the time they wait for motions to end.
        with concurrent.futures.ThreadPoolExecutor(len(pages)) as pool:
            runs = {name: pool.submit(self.failures, page) for name, page in pages.items()}
        for name, run in runs.items():
            with self.subTest(name):
                self.assertGreaterEqual(len(steps(pages[name])), PAGES[name])
                self.assertFalse(run.result(), "\n\n".join(run.result()))


class ContractTest(unittest.TestCase):
    """The tables of events and of an update's fields have all of the contract's, and no others."""

    @classmethod
    def setUpClass(cls):
        cls.contract = yaml.safe_load((ROOT / "Sources/Service/TweencastService/openapi.yaml").read_text())

    @staticmethod
    def rows(page: str, heading: str) -> list[list[str]]:
        """The rows of a section's tables."""
        text = (ROOT / "docs" / page).read_text()
        section = re.search(rf"^## {heading}\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)[1]
        lines = [line.strip("|") for line in section.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.split("|")] for line in lines]

    def resolved(self, node: dict) -> dict:
        """What stands where a reference leads."""
        while reference := node.get("$ref"):
            node = functools.reduce(dict.__getitem__, reference.split("/")[1:], self.contract)
        return node

    def schema(self, name: str) -> dict:
        return self.contract["components"]["schemas"][name]

    def fields(self, schema: dict) -> set[str]:
        """The members that a schema tells of, whatever it is made of."""
        schema = self.resolved(schema)
        parts = [part for word in ("allOf", "oneOf", "anyOf") for part in schema.get(word, [])]
        return set(schema.get("properties", {})).union(*map(self.fields, parts))

    @staticmethod
    def names(cell: str) -> set[str]:
        return set(re.findall(r"`(\w+)`", cell))

    def test_the_streams_page_lists_the_contracts_fields_of_frames(self):
        rows = [row for row in self.rows("streams.md", "Frames and events") if len(row) == 2]
        kinds = {kind: self.names(fields) for kind, fields in rows}
        for kind in ("ticker", "progress", "schedule"):
            fields = self.fields(self.schema(f"{kind.title()}Frame"))
            # The contract has a fraction only beside a progress.
            self.assertEqual(kinds[kind], fields - ({"fraction", "percent"} if kind == "ticker" else set()), kind)

    def test_the_streams_page_lists_the_contracts_events_and_their_fields(self):
        events = self.schema("Events")["properties"]
        rows = [row for row in self.rows("streams.md", "Frames and events") if len(row) == 3]
        told = {name: self.names(fields) for event, _, fields in rows for name in self.names(event)}
        self.assertEqual(set(told), set(events) - {"message"})
        for name, fields in told.items():
            self.assertEqual(fields, self.fields(events[name]), name)

    def test_fields_of_an_update(self):
        told = [self.names(field) for field, *_ in self.rows("guide.md", "All fields of an update")]
        updates = [self.contract["paths"][f"/v1/{kind}/{{id}}"]["post"] for kind in ("tickers", "progress")]
        bodies = [self.resolved(update["requestBody"])["content"]["application/json"]["schema"] for update in updates]
        self.assertEqual(set().union(*told), set().union(*map(self.fields, bodies)))


class LinkTest(unittest.TestCase):
    """Links between the pages lead somewhere, to a heading where they name one."""

    @staticmethod
    def text(page: pathlib.Path) -> str:
        return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)

    def anchors(self, page: pathlib.Path) -> set[str]:
        """Headings as they stand in addresses."""
        headings = re.findall(r"^#+ (.*)$", self.text(page), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

    def test_links_lead_somewhere(self):
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
            for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", self.text(page)):
                with self.subTest(f"{page.name}: {link}"):
                    path, _, anchor = link.partition("#")
                    target = page.parent / path if path else page
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, self.anchors(target))


class AddressTest(unittest.TestCase):
    """What the pages tell others to load is there in the viewer as it is delivered, with what a module is to export."""

    # Hosts that stand for a server, at the root or behind a path.
    SERVER = r"(?:https?://)?(?:localhost:8080|tweens\.example|tweencast\.example\.org|host)/"
    FILE = r"[\w/.-]+\.(?:d\.ts|js|html|yaml|svg)\b"
    IMPORT = re.compile(rf'import \{{([^}}]+)\}} from "{SERVER}({FILE})"')

    @classmethod
    def setUpClass(cls):
        cls.viewer = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        subprocess.run(["bash", ROOT / "packaging/viewer", ROOT / "public", cls.viewer], check=True)
        cls.port = cls.enterClassContext(Console(tested.program(), cls.viewer)).ports["8080"]

    def load(self, path: str) -> str:
        with urllib.request.urlopen(f"http://localhost:{self.port}/{path}", timeout=10) as answer:
            return answer.read().decode()

    def exports(self, path: str) -> set[str]:
        module = self.load(path)
        names = {name for part in re.findall(r"export\s*(\{[^{}]*\})", module) for name in re.findall(r"(\w+)(?=[,}])", part)}
        return names.union(*(self.exports(other) for other in re.findall(r'export\s*\*\s*from\s*"\./([^"]+)"', module)))

    @staticmethod
    def pages() -> list[str]:
        files = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("clients/*/README.md")]
        return [file.read_text() for file in files]

    def test_each_address_that_a_page_names_is_served(self):
        named = re.compile(rf"{self.SERVER}(?!v1/)({self.FILE})|`((?:js/)?[a-z-]+\.(?:d\.ts|js|html))`")
        found = {path for page in self.pages() for paths in named.findall(page) for path in paths if path}
        # Files with such names that are of the reader's own.
        found -= {"page.html", "on-your-page.html"}
        self.assertGreaterEqual(found, {"embed.js", "embed.d.ts", "js/motion.js", "js/odometer.js", "openapi.yaml"})
        for path in sorted(found):
            with self.subTest(path):
                self.load(path)

    def test_modules_export_what_pages_import(self):
        imports = [found for page in self.pages() for found in self.IMPORT.findall(page)]
        self.assertIn("js/motion.js", [path for _, path in imports])
        for names, path in imports:
            self.assertLessEqual({name.strip() for name in names.split(",")}, self.exports(path), path)

    def test_the_files_name_no_others_that_are_missing(self):
        for file in [*self.viewer.glob("*.html"), *self.viewer.glob("*.js"), *self.viewer.glob("js/*.js")]:
            for name in re.findall(r'(?:src=|href=|from|import|import\()"(\./[\w./-]+)"', file.read_text()):
                with self.subTest(f"{file.name}: {name}"):
                    self.load((file.parent / name).relative_to(self.viewer).as_posix())


class QuoteTest(unittest.TestCase):
    def test_the_page_that_a_guide_shows_is_the_one_that_browsers_load(self):
        """Tests/Browser/test_on_your_page.py loads it."""
        guide = (ROOT / "docs/on-your-page.md").read_text()
        shown = re.search(r"^```html\n(<!doctype html>.*?)^```$", guide, re.MULTILINE | re.DOTALL)[1]
        self.assertEqual(shown, (ROOT / "docs/examples/on-your-page.html").read_text())


class MatchTest(unittest.TestCase):
    """A page that shows what doesn't come, or leaves out what does, is told."""

    SHOWN = ['{"ticker":"a","value":5,"text":"$5","motion":{…},"at":"2026-11-26T05:44:48.322Z"}']
    CAME = '{"ticker":"a","value":5,"text":"$5","motion":{"state":"idle"},"at":"2027-01-02T03:04:05.678Z"}\n'

    def test_ids_times_and_moving_values_match_any_of_their_form(self):
        self.assertIsNone(match(self.SHOWN, self.CAME, whole=True))
        moment = match(['data: {"value":13.9033,"text":"14F"}'], 'data: {"value":7,"text":"7F"}\n', whole=True)
        self.assertIsNone(moment)
        self.assertIsNone(match(["id: 1a1fb9af874-1"], "id: 2b00-77\n", whole=True))

    def test_a_shown_member_that_is_missing_or_different_is_a_mismatch(self):
        self.assertIn("shown", match([self.SHOWN[0].replace('"text"', '"words"')], self.CAME, whole=True))
        self.assertIn("shown", match([self.SHOWN[0].replace('"value":5', '"value":6')], self.CAME, whole=True))
        self.assertIn("shown", match(['data: {"value":13.9033,"words":"14F"}'], 'data: {"value":7}\n', whole=True))

    def test_a_member_that_the_page_does_not_show_is_a_mismatch(self):
        self.assertIn("shown", match([self.SHOWN[0].replace('"value":5,', "")], self.CAME, whole=True))
        self.assertIn("nothing is shown", match([], self.CAME, whole=True))
        self.assertIsNotNone(match(self.SHOWN, self.CAME * 2, whole=True))

    def test_lines_may_be_left_out_where_the_page_says_so(self):
        self.assertIsNone(match(["a", "… and so on", "c"], "a\nb\nb\nc\n", whole=True))
        self.assertIsNotNone(match(["a", "c"], "a\nb\nb\nc\n", whole=True))
        self.assertIsNone(match(["a"], "a\nb\n", whole=False))


if __name__ == "__main__":
    unittest.main(verbosity=2)
