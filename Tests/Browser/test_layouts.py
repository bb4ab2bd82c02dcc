"""How the board is laid out and what the address has of it: cards, rows, the wall, order, filter, languages."""

import html.parser
import pathlib
import re

from selenium.webdriver import ActionChains, Keys

from browser import BrowserTest
from server import Server

PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "public"
NAMES = ("job-10", "job-2", "job-1")


class Texts(html.parser.HTMLParser):
    """What of a page is read or spoken."""

    def __init__(self):
        super().__init__()
        self.found: set[str] = set()
        # Without script there is nothing that could translate; what stands in code is in no language.
        self.untranslated = 0

    def handle_starttag(self, tag, attributes):
        self.untranslated += tag in ("noscript", "code")
        self.found |= {value for name, value in attributes if name in ("aria-label", "placeholder") and value}

    def handle_endtag(self, tag):
        self.untranslated -= tag in ("noscript", "code")

    def handle_data(self, data):
        text = " ".join(data.split())
        if not self.untranslated and any(map(str.isalpha, text)):
            self.found.add(text)


class LayoutTest(BrowserTest):
    def resize(self, width: int, height: int = 900, mobile: bool = False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


    def address(self, query: str):
        """Waits for the address to have these choices, in any order: it depends on how soon after the load they are made."""
        same = "const sorted = (query) => [...new URLSearchParams(query)].sort().join('&')"
        self.until(f"{same}; return sorted(location.search) === sorted(arguments[0])", query)


class AddressTest(LayoutTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, shift in zip(NAMES, ("late", "early", "night")):
            cls.server.post(f"ticker:{name}", label=f"the {shift} shift 0", to=5, duration=0)

    def open(self, query: str = ""):
        self.visit(f"/{query}")
        for name in NAMES:
            self.card(f"ticker:{name}")
        self.until("return 'ready' in document.body.dataset")

    def shown(self):
        return self.run_script("""return [...document.querySelectorAll('.card:not([hidden])')]
            .map((card) => card.dataset.key.slice(7))""")

    def test_names_are_ordered_as_people_count(self):
        self.open("?order=name")
        self.assertEqual(self.shown(), ["job-1", "job-2", "job-10"])

    def test_the_newest_first_survives_a_reload(self):
        self.open("?order=newest")
        self.server.post("ticker:job-3", to=5, duration=0)
        self.addCleanup(self.server.request, "DELETE", "/v1/tickers/job-3")
        self.card("ticker:job-3")
        self.until("return Object.values(localStorage).some((text) => text.includes('job-3'))")
        order = self.shown()
        self.assertEqual(order[0], "job-3")
        self.open("?order=newest")
        self.card("ticker:job-3")
        self.assertEqual(self.shown(), order)

    def test_the_filter_reads_ids_and_texts_and_moves_nothing(self):
        self.open()
        field = self.driver.find_element("name", "q")
        self.run_script("""window.moved = 0;
            new MutationObserver((records) => { moved += records.length; })
              .observe(document.querySelector('#board'), {childList: true})""")
        for typed, shown in (("JOB-2", ["job-2"]), ("Night", ["job-1"]), ("shift", ["job-1", "job-2", "job-10"])):
            with self.subTest(typed=typed):
                field.clear()
                field.send_keys(typed)
                self.assertEqual(self.shown(), shown)
        self.assertEqual(self.run_script("return moved"), 0)

    def test_a_card_that_comes_moves_no_other(self):
        self.open()
        self.run_script("""window.moved = 0;
            new MutationObserver((records) => { moved += records.flatMap(({addedNodes}) => [...addedNodes]).length; })
              .observe(document.querySelector('#board'), {childList: true})""")
        self.server.post("ticker:job-5", to=5, duration=0)
        self.addCleanup(self.server.request, "DELETE", "/v1/tickers/job-5")
        self.card("ticker:job-5")
        self.assertEqual(self.run_script("return moved"), 1)

    def test_unknown_values_in_the_address_fall_back_to_the_defaults(self):
        self.open("?order=sideways&kind=banana&layout=cube&pace=quick")
        self.assertEqual(len(self.shown()), 3)
        self.assertEqual(
            self.run_script("return [document.body.dataset.layout, document.body.dataset.pace, document.querySelector('[name=order]').value]"),
            ["cards", "live", ""],
        )
        # Nor does the address keep it.
        self.address("")

    def test_the_address_has_what_was_chosen_and_no_more(self):
        self.open("?lang=en&q=job")
        self.driver.find_element("css selector", "#pace [value=paused]").click()
        self.driver.find_element("css selector", "[name=order] [value=name]").click()
        self.address("?lang=en&q=job&pace=paused&order=name")
        self.open(self.run_script("return location.search"))
        self.assertEqual(self.run_script("return [document.body.dataset.pace, document.querySelector('#pace').value]"), ["paused"] * 2)
        connection = self.driver.find_element("id", "connection")
        self.assertEqual(connection.text, "Connected")
        self.driver.find_element("css selector", "#pace [value=live]").click()
        self.assertEqual(connection.text, "Live, 60 Hz")
        self.run_script("const {q} = document.querySelector('#view').elements; q.value = ''; q.dispatchEvent(new Event('input', {bubbles: true}))")
        self.address("?lang=en&order=name")

    def test_some_cards_alone_can_be_asked_for(self):
        self.open("?cards=job-2,ticker:job-10")
        self.assertEqual(self.shown(), ["job-2", "job-10"])

    def test_an_empty_board_says_why(self):
        self.open("?q=nothing-like-it")
        empty = "return document.querySelector('#empty:not([hidden])')?.textContent"
        self.assertEqual(self.run_script(empty), "No card matches.")
        self.open()
        self.assertIsNone(self.run_script(empty))

    def test_a_phone_has_rows(self):
        self.resize(390, mobile=True)
        self.open()
        self.assertEqual(self.run_script("return document.body.dataset.layout"), "rows")
        lefts = self.run_script("return [...document.querySelectorAll('.card')].map((card) => card.getBoundingClientRect().left)")
        self.assertEqual(len(set(lefts)), 1)
        self.assertLess(self.run_script("return document.querySelector('.card').getBoundingClientRect().height"), 70)

    def test_the_page_is_german_where_that_is_wanted(self):
        self.open("?lang=de")
        self.assertEqual(self.run_script("return document.documentElement.lang"), "de")
        told = self.run_script("""const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
            while (walker.nextNode()) if (walker.currentNode.parentElement.checkVisibility()) found.push(walker.currentNode.data.trim());
            return found.filter(Boolean)""")
        self.assertIn("Einstellungen", told)
        self.assertIn("Alle auswählen", told)
        english = {"Settings", "Inspect", "Filter by name", "Select all", "Start", "Copy", "Duration", "Curve", "Tickers 3", "By kind"}
        self.assertEqual(english & set(told), set())

    def test_numbers_lists_and_curves_are_german_too(self):
        self.server.request("PUT", "/v1/schedules/often", {"every": 2.5, "do": [{"notify": name} for name in "abcde"]})
        self.addCleanup(self.server.request, "DELETE", "/v1/schedules/often")
        self.open("?lang=de")
        card = self.see("schedule:often")
        note = "return arguments[0].querySelector('.note').textContent"
        self.until(f"{note}.endsWith('→ a, b und 3 weitere')", card)
        self.assertTrue(self.run_script(note, card).startswith("alle 2,5 s"))
        self.open_form()
        curves = self.run_script("""const {easing} = document.querySelector('#start').elements;
            return [...easing.options].map(({value, text}) => [value, text])""")
        self.assertEqual([value for value, text in curves if value == text], [])
        told = self.driver.execute_async_script("import('/js/i18n.js').then(({formatNumber}) => arguments[0](['1234.50', '1:20'].map(formatNumber)))")
        self.assertEqual(told, ["1.234,50", "1:20"])

    def test_an_age_is_told_in_words_that_rarely_change(self):
        for language, milliseconds, text in (
            ("en", 3000, "now"), ("en", 47_000, "40 sec. ago"), ("en", 125_000, "2 min. ago"), ("en", 7_300_000, "2 hr. ago"),
            ("en", 90_000_000, "yesterday"), ("de", 125_000, "vor 2 Min."), ("de", 3000, "jetzt"),
        ):
            with self.subTest(language=language, milliseconds=milliseconds):
                self.driver.get(f"{self.server.url}/?lang={language}")
                told = self.driver.execute_async_script(
                    "import('/js/i18n.js').then(({formatAge}) => arguments[1](formatAge(arguments[0])))", milliseconds)
                self.assertEqual(told, text)

    def test_every_text_of_the_page_has_its_german(self):
        tables = (path.read_text() for path in PUBLIC.glob("js/*-translations.js"))
        table = {text for words in tables for text in re.findall(r'^  "(.*?)":', words, re.MULTILINE)}
        texts = Texts()
        texts.feed((PUBLIC / "index.html").read_text())
        asked = {text for path in PUBLIC.glob("js/*.js") for text in re.findall(r'translate\(\s*"(.*?)"', path.read_text())}
        # The form's fields, which stand in tables.
        asked |= {text for text in re.findall(r'\["\w+", "([^"]+)", ', (PUBLIC / "js/start-form.js").read_text())}
        names = {"Tweencast", "JSON", "Markdown", "English", "Deutsch"}
        self.assertEqual((texts.found | asked) - table - names, set())

    def test_right_to_left_mirrors_the_page(self):
        self.open("?dir=rtl")
        self.open_form()
        # What is typed into a shell is read from left to right: its last sign is the last on its line.
        ends = self.run_script("""const [{firstChild: text}] = document.querySelectorAll('#start .line');
            const range = document.createRange(), place = (at) => {
              range.setStart(text, at);
              range.setEnd(text, at + 1);
              return range.getBoundingClientRect(); };
            return [place(text.length - 2), place(text.length - 1)].map(({left, top}) => [left, top])""")
        self.assertTrue(ends[0][0] < ends[1][0] and ends[0][1] == ends[1][1], ends)
        self.driver.find_element("id", "inspect").click()
        self.until("return document.querySelector('.inspector')")
        place = self.run_script("""const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
            return [left('.mark') > left('#settings'), left('.inspector'), left('.card h3') > left('.card .kind')]""")
        self.assertEqual(place, [True, 0, False])
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 1280)

    def test_a_theme_that_was_chosen_is_kept(self):
        self.theme("light")
        self.open()
        ground = "return getComputedStyle(document.body).backgroundColor"
        light = self.run_script(ground)
        self.run_script("""const {theme} = document.querySelector('#preferences form').elements;
            theme.value = 'dark'; theme.dispatchEvent(new Event('input', {bubbles: true}))""")
        self.assertNotEqual(self.run_script(ground), light)
        self.open()
        self.assertNotEqual(self.run_script(ground), light)


class WallTest(LayoutTest):
    COUNT = 100

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = [{"ticker": f"w{index}", "label": "$0.00", "to": index * 997.5, "duration": 0} for index in range(cls.COUNT)]
        cls.server.request("POST", "/v1/batch", lines)

    def wall(self, query: str = ""):
        self.visit(f"/?layout=wall{query}")
        self.until(f"return document.querySelectorAll('.card').length === {self.COUNT}")

    BOXES = """return [...document.querySelectorAll('.card')].filter((card) => card.checkVisibility()).map((card) => {
        const {left, top, right, bottom} = card.getBoundingClientRect();
        return [left, top, right, bottom]; })"""

    def test_a_hundred_cards_fit_the_screen(self):
        for width, height in ((1920, 1080), (3840, 2160), (1080, 1920)):
            with self.subTest(width=width):
                self.resize(width, height)
                self.wall()
                self.assertEqual(self.run_script("return [document.documentElement.scrollHeight, document.documentElement.scrollWidth]"), [height, width])
                boxes = self.run_script(self.BOXES)
                self.assertEqual(len(boxes), self.COUNT)
                for left, top, right, bottom in boxes:
                    self.assertTrue(0 <= left < right <= width and 0 <= top < bottom <= height)
                self.assertEqual(len({(round(left), round(top)) for left, top, *_ in boxes}), self.COUNT)
                cut = self.run_script("""return [...document.querySelectorAll('.card')].filter((card) => {
                    const box = card.querySelector('tween-ticker').getBoundingClientRect(), {right, bottom} = card.getBoundingClientRect();
                    return box.right > right || box.bottom > bottom; }).length""")
                self.assertEqual(cut, 0)

    def test_a_wall_with_too_many_cards_rotates_its_pages(self):
        self.resize(640, 360)
        self.wall("&rotate=2")
        first = self.run_script(self.BOXES)
        self.assertLess(len(first), self.COUNT)
        page = "return document.querySelector('#wall output').textContent"
        self.assertRegex(self.run_script(page), r"^Page 1 of \d+$")
        self.until(f"{page.removeprefix('return ')}; return document.querySelector('#wall output').textContent.startsWith('Page 2')")

    def test_a_full_screen_wall_shows_numbers_alone_and_escape_leaves_it(self):
        self.resize(1920, 1080)
        # Headless there is no screen to be kept on.
        keep = """navigator.wakeLock.request = async () => {
            window.locks = (window.locks ?? 0) + 1;
            return {released: false, release: async () => { locks--; }}; }"""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": keep})
        self.wall()
        self.until("return window.locks === 1")
        self.driver.find_element("css selector", "#wall [name=full]").click()
        self.until("return document.fullscreenElement")
        seen = """return ['.bar', '.hero', '#view', 'footer'].filter((selector) =>
            document.querySelector(selector).checkVisibility())"""
        self.assertEqual(self.run_script(seen), [])
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        self.until("return document.body.dataset.layout === 'cards'")
        self.address("")
        self.assertEqual(len(self.run_script(seen)), 4)
        self.until("return locks === 0 && !document.fullscreenElement")

    def test_a_wall_says_when_it_hears_nothing_and_covers_no_number(self):
        server = Server()
        server.post("ticker:alone", label="0", to=0, duration=0)
        server.post("ticker:alone", to=1e9, duration=600)
        self.visit("/?layout=wall", url=server.url)
        card = self.card("ticker:alone")
        bar = "return document.querySelector('#connection').checkVisibility()"
        self.assertFalse(self.run_script(bar))
        # Wheels that no eye follows are a blur as long as they turn.
        self.until("return arguments[0].querySelector('tween-ticker').shadowRoot.querySelector('.fast')", card)
        server.kill()
        self.until(bar)
        self.until("""return document.querySelector('.bar').getBoundingClientRect().bottom
            <= arguments[0].querySelector('header').getBoundingClientRect().top""", card)
        self.assertLessEqual(self.run_script("return arguments[0].getBoundingClientRect().bottom - innerHeight", card), 0)
        value = """const {valuePart, newest} = arguments[0].querySelector('tween-ticker');
            return [valuePart.querySelectorAll('.wheel').length, valuePart.textContent === newest.text]"""
        self.assertEqual(self.run_script(value, card), [0, True])

    def test_the_grid_of_a_wall_follows_the_screens_shape(self):
        self.driver.get(self.server.url)
        cases = [(1, 1920, 1080, [1, 1, 1]), (2, 1920, 1080, None), (100, 1920, 1080, None), (7, 1080, 1920, None), (100, 200, 100, None)]
        for count, width, height, expected in cases:
            with self.subTest(count=count, width=width):
                columns, rows, pages = self.driver.execute_async_script(
                    """const [count, width, height, done] = arguments;
                    import('/js/wall.js').then(({gridFor}) => gridFor(count, width, height))
                      .then(({columns, rows, pages}) => done([columns, rows, pages]))""", count, width, height)
                self.assertGreaterEqual(columns * rows * pages, count)
                self.assertLess((columns * rows - max(columns, rows)) * pages, count + pages * columns * rows - count)
                if expected:
                    self.assertEqual([columns, rows, pages], expected)


class KioskTest(LayoutTest):
    def open(self, query: str):
        for name in ("a", "b", "c"):
            self.server.post(f"ticker:{name}", label="0", to=5, duration=0)
        self.visit(f"/?{query}")
        self.until("return document.querySelectorAll('.card:not([hidden])').length === 2")

    def test_a_kiosk_shows_numbers_and_offers_nothing(self):
        for query in ("kiosk&cards=a,b", "cards=a,b&layout=wall&rotate=5&kiosk=1"):
            with self.subTest(query=query):
                self.open(query)
                offered = self.run_script("""return [...document.querySelectorAll('button, input, select, summary, footer, .hero')]
                    .filter((control) => control.checkVisibility()).map((control) => control.outerHTML.slice(0, 60))""")
                self.assertEqual(offered, [])
                before = self.run_script("return [location.href, document.body.dataset.layout]")
                card = self.card("ticker:a")
                self.until("return !dispatchEvent(new MouseEvent('click', {cancelable: true}))")
                self.run_script("window.isHere = true; document.querySelector('.bar a').click()")
                ActionChains(self.driver).move_to_element(card).click().send_keys("i", Keys.ESCAPE, Keys.SPACE).perform()
                self.assertEqual(self.run_script("return document.querySelectorAll('.inspector, .chosen, .marquee').length"), 0)
                self.assertEqual(self.run_script("return [location.href, document.body.dataset.layout]"), before)
                self.assertTrue(self.run_script("return window.isHere"))

    def test_a_pointer_is_seen_as_long_as_it_moves(self):
        self.open("kiosk&cards=a,b")
        cursor = "return getComputedStyle(document.querySelector('.card')).cursor"
        self.assertEqual(self.run_script(cursor), "none")
        self.eventually(lambda: ActionChains(self.driver).move_by_offset(1, 1).perform() or self.run_script(cursor) == "auto")
        self.until(f"{cursor} === 'none'")

    def test_a_kiosk_still_tells_of_its_connection(self):
        server = Server()
        server.post("ticker:alone", to=5, duration=0)
        self.visit("/?kiosk", url=server.url)
        self.card("ticker:alone")
        self.assertTrue(self.run_script("return document.querySelector('#connection').checkVisibility()"))
        server.kill()
        self.until("return document.querySelector('#connection').textContent === 'Reconnecting…'")

    def test_a_wall_gives_the_link_of_its_kiosk(self):
        self.open("cards=a,b&layout=wall&rotate=5")
        self.run_script("""window.copied = null;
            Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { copied = text; }}});
            document.querySelector('#wall [name=kiosk]').click()""")
        self.until("return document.querySelector('#wall [name=kiosk]').textContent === 'Copied'")
        self.assertEqual(self.run_script("return copied"), f"{self.server.url}/?cards=a%2Cb&layout=wall&rotate=5&kiosk=1")

    def test_an_unknown_kiosk_value_in_the_address_gives_no_kiosk(self):
        self.open("cards=a,b&kiosk=perhaps")
        self.assertTrue(self.driver.find_element("id", "settings").is_displayed())


class CopyTest(LayoutTest):
    def test_a_cards_value_link_and_code_can_be_copied_without_tls(self):
        self.server.post("ticker:copied", label="$0.00", to=12.75, duration=0)
        self.visit()
        card = self.see("ticker:copied")
        # A page without TLS has no clipboard of its own.
        self.run_script("""Object.defineProperty(navigator, 'clipboard', {value: undefined});
            window.copied = null;
            document.execCommand = (name) => { copied = getSelection().toString() || document.activeElement.value; return name === 'copy'; }""")
        expected = [
            "$12.75",
            f"{self.server.url}/?cards=ticker%3Acopied",
            f'<script type="module" src="{self.server.url}/embed.js"></script>\n'
            f'<tween-ticker src="{self.server.url}/v1/tickers/copied">copied</tween-ticker>',
            f"{self.server.url}/overlay?ticker=copied",
        ]
        for index, text in enumerate(expected):
            with self.subTest(text=text):
                self.run_script("arguments[0].querySelector('[name=more]').click()", card)
                self.until("return document.querySelector('#menu:popover-open')")
                item = "document.querySelectorAll('#menu button:not([data-writes])')[arguments[0]]"
                self.run_script(f"{item}.click()", index)
                self.until(f"return {item}.textContent === 'Copied'", index)
                self.assertEqual(self.run_script("return copied"), text)
        # The focus stays where it was.
        self.assertTrue(self.run_script("return document.activeElement.closest('#menu') !== null"))

    def test_every_link_of_the_page_leads_somewhere(self):
        self.visit()
        for link in self.run_script("return [...document.querySelectorAll('footer a')].map(({href}) => href)"):
            self.assertTrue(self.fetched(link), link)

    def fetched(self, link: str) -> bool:
        return self.driver.execute_async_script("fetch(arguments[0]).then(({ok}) => arguments[1](ok))", link)
