"""The same pages in another browser: the board, and components on another origin's page."""

import http.server
import tempfile
import threading
import unittest

import test_standing as standing
from firefox import Firefox, Picture
from server import Proxy, Server

# Keeps what an element tells of each frame.
HEAR = """
const view = document.querySelector(arguments[0]), told = window.told = [];
view.addEventListener('tweenframe', ({detail}) => told.push(detail));
"""

# Shows a number whose wheels all stand on an 8 that its text hasn't, and gives the place of the 8 before it and theirs.
EIGHTS = """
const view = document.querySelector('#drawn'), range = document.createRange();
view.fallback.hidden = true;
view.wheels.show({text: '1111', wheels: [[3, 1], [2, 1], [1, 1], [0, 1]]}, false, 1000);
view.wheels.show({text: '1111', wheels: [[3, 8], [2, 8], [1, 8], [0, 8.5]]}, false, 1016);
range.setStart(view.previousSibling, 0);
range.setEnd(view.previousSibling, 1);
return [range, ...view.shadowRoot.querySelectorAll('.rolling')].map((one) => one.getBoundingClientRect())
  .map(({left, right}) => [left, right]);
"""


class FirefoxTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--cors-origin", "*")
        cls.addClassCleanup(cls.server.close)
        cls.firefox = Firefox()
        cls.addClassCleanup(cls.firefox.close)

    def setUp(self):
        # What the page before still loads ends with it, in an error of its own.
        self.firefox.get("about:blank")
        self.firefox.run("")
        self.firefox.events.clear()

    def visit(self, server: Server | None = None):
        self.firefox.get(f"{(server or self.server).url}/")
        self.until("return document.querySelector('#connection')?.dataset.state === 'live'")

    def shows(self, key: str):
        """Waits for a card to have its first frame."""
        self.until("return document.querySelector(`[data-key='${arguments[0]}']`)?.card.view.newest", key)

    def serve(self, body: str, server: Server | Proxy | None = None):
        """Opens a page of another origin that has the components."""
        url = (server or self.server).url
        html = f"<!doctype html><script type=module src={url}/embed.js></script>{body.replace('SERVER', url)}"

        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(html.encode())

            def log_message(self, *_):
                pass

        pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        self.addCleanup(pages.server_close)
        self.addCleanup(pages.shutdown)
        self.firefox.get(f"http://127.0.0.1:{pages.server_port}/")

    def run_script(self, script: str, *arguments):
        return self.firefox.run(script, *arguments)

    def until(self, script: str, *arguments, seconds: float = 20):
        return self.firefox.until(script, *arguments, seconds=seconds)

    def assertNoErrors(self):
        self.assertEqual(self.firefox.errors(), [])

    def test_the_numbers_of_the_board_move_and_end_right(self):
        self.server.post("ticker:count", label="$0.00", to=0, duration=0)
        self.server.post("progress:build", current=0, duration=0, appearance={"shape": "pie"})
        self.visit()
        self.shows("ticker:count")
        self.shows("progress:build")
        # What is out of sight isn't drawn.
        self.run_script("document.querySelector(`[data-key='progress:build']`).scrollIntoView()")
        self.run_script(HEAR, "[data-key='ticker:count'] tween-ticker")
        self.server.post("ticker:count", to="1250.50", duration=1.5)
        self.server.post("progress:build", current=75, duration=1)
        self.until("return told.at(-1)?.text === '$1250.50'")
        values = self.run_script("return told.map(({value}) => value)")
        self.assertEqual(values, sorted(values))
        self.assertGreater(len(set(values)), 3)
        self.until("""const {fill} = document.querySelector(`[data-key='progress:build'] tween-progress`);
            return fill.localName === 'circle' && parseFloat(fill.style.strokeDasharray) === 0.75""")
        # What is written, and over it no window any more.
        self.run_script("document.querySelector(`[data-key='ticker:count']`).scrollIntoView()")
        self.until("""const {valuePart} = document.querySelector(`[data-key='ticker:count'] tween-ticker`);
            return !valuePart.querySelector('.rolling') && valuePart.textContent === '$1250.50'""")
        self.assertNoErrors()

    def test_a_rectangle_selects_the_cards_that_it_touches(self):
        for index in range(3):
            self.server.post(f"ticker:m{index}", label="0", to=0, duration=0)
        self.visit()
        self.shows("ticker:m2")
        self.run_script("document.querySelector('#board').scrollIntoView({block: 'start'})")
        middle = """const {left, top, width, height} = document.querySelector(`[data-key='ticker:m${arguments[0]}']`)
            .getBoundingClientRect(); return [left + width / 2, top + height / 2]"""
        places = [self.run_script(middle, index) for index in (0, 1)]
        self.firefox.drag(*places)
        chosen = "return [...document.querySelectorAll('.card.chosen')].map(({dataset}) => dataset.key)"
        self.assertEqual(self.run_script(chosen), ["ticker:m0", "ticker:m1"])
        self.assertFalse(self.run_script("return document.querySelector('.marquee')"))
        self.assertNoErrors()

    def test_elements_on_a_page_of_another_origin_stand_on_its_line(self):
        self.server.post("ticker:revenue", label="0", to=0, duration=0)
        self.serve("""<title>Elsewhere</title><style>body { margin: 0; background: #fff; color: #000 }
            p { margin: 20px; font: 32px/2 serif } tween-ticker::part(value) { color: rgb(1, 2, 3) }</style>
            <p>8 <tween-ticker id=drawn wheels src="SERVER/v1/tickers/none"></tween-ticker> after</p>
            <p><tween-ticker id=revenue wheels src="SERVER/v1/tickers/revenue">none</tween-ticker></p>""")
        self.until("return document.querySelector('#revenue').newest?.text === '0'")
        colour = "return getComputedStyle(document.querySelector('#revenue').valuePart).color"
        self.assertEqual(self.run_script(colour), "rgb(1, 2, 3)")
        [text, *wheels] = self.run_script(EIGHTS)
        self.assertEqual(len(wheels), 4)
        picture = Picture(self.firefox, 500, 120)
        row = picture.middle(*text)
        for wheel in wheels[:-1]:
            self.assertAlmostEqual(picture.middle(*wheel), row, delta=0.2)
        self.server.post("ticker:revenue", to=900, duration=0.5)
        self.until("""const {newest, valuePart} = document.querySelector('#revenue');
            return newest.text === '900' && valuePart.textContent === '900' && !valuePart.querySelector('.rolling')""")
        self.assertNoErrors()

    def test_wheels_at_rest_show_the_text_after_any_motion_in_firefox(self):
        names = list(standing.FACES)
        for name, face in standing.FACES.items():
            self.server.post(f"ticker:{name}", to=0, duration=0, **face)
        self.serve("<title>Elsewhere</title>")
        self.until("return !!customElements.get('tween-ticker')")
        self.run_script(standing.PAGE, names, standing.WAYS, self.server.url)
        for to, way in standing.STEPS[:6]:
            with self.subTest(to=to, way=way):
                self.server.request("POST", "/v1/batch", [{"ticker": name, "to": to, **way} for name in names])
                texts = {name: standing.text_at_rest(self.server, name) for name in names}
                restless = "return !(function () { %s }).apply(null, arguments).length" % standing.RESTLESS
                self.until(restless, texts)
                self.assertEqual(self.run_script(standing.WRONG, len(standing.WAYS)), [])
        self.assertNoErrors()

    def test_adding_elements_on_a_page_of_another_origin_opens_no_further_stream(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        names = [f"coming-{index}" for index in range(20)]
        lines = [{"ticker": name, "label": "0", "to": 3, "duration": 0} for name in names]
        self.server.request("POST", "/v1/batch", lines)
        self.serve("<p id=home></p>", proxy)
        for name in names:
            self.run_script("""home.insertAdjacentHTML('beforeend', `<tween-ticker src=${arguments[1]}/v1/tickers/${arguments[0]}>`);
                if (home.children.length > 5) home.firstChild.remove();""", name, proxy.url)
            self.until("return home.lastChild.newest?.text === '3'")
        self.assertEqual(sum(line.startswith("POST /v1/events") for line in proxy.lines), 1)
        self.assertNoErrors()

    def test_motion_mode_writes_numbers_as_the_server_does(self):
        faces = {
            "euros": {"label": "0", "format": {"locale": "de", "style": "currency", "currency": "EUR"}, "decimals": 2},
            "arabic": {"label": "0", "format": {"locale": "ar-EG"}, "decimals": 1},
            "compact": {"label": "0", "format": {"style": "compact"}, "decimals": 1},
            "coins": {"label": "{n, plural, one {# coin} other {# coins}}", "decimals": 0},
        }
        ends = (-2345.6789, 1234567.891)
        for name, face in faces.items():
            self.server.post(f"ticker:as-{name}", to=ends[0], duration=0, **face)
        element = "<tween-ticker mode=motion id={0} src=SERVER/v1/tickers/as-{0}></tween-ticker>"
        self.serve("".join(map(element.format, faces)))
        self.run_script("""window.told = {};
            for (const view of document.querySelectorAll('tween-ticker')) {
              told[view.id] = [];
              view.addEventListener('tweenframe', ({detail}) => told[view.id].push(detail));
            }""")
        self.until("return [...document.querySelectorAll('tween-ticker')].every(({newest}) => newest)")
        # As long as it takes: a busy machine draws few frames a second.
        for name, face in faces.items():
            self.server.post(f"ticker:as-{name}", to=ends[1], duration=60, easing="linear", **face)
        between = "frames.filter(({value}) => !arguments[0].includes(value)).length > 12"
        self.until(f"return Object.values(told).every((frames) => {between})", ends, seconds=50)
        for name, face in faces.items():
            self.server.post(f"ticker:as-{name}", to=ends[1], duration=0, **face)
        self.until("return Object.values(told).every((frames) => frames.at(-1).value === arguments[0])", ends[1])
        for name, frames in self.run_script("return told").items():
            moving = [frame for frame in frames if frame["value"] not in ends]
            for frame in [*moving[:: max(1, len(moving) // 6)], frames[-1]]:
                twin = self.server.post(f"ticker:twin-{name}", to=frame["value"], duration=0, **faces[name])
                self.assertEqual(frame["text"], twin["text"], name)
        self.assertNoErrors()

    def test_elements_are_stale_without_a_server_and_reconnect_to_a_new_one(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server("--cors-origin", "*", data=folder)
            server.post("ticker:back", label="0", to=41, duration=0)
            self.serve("<tween-ticker src=SERVER/v1/tickers/back>none</tween-ticker>", server)
            self.until("return document.querySelector('tween-ticker').newest?.text === '41'")
            self.assertFalse(self.run_script("return document.querySelector('tween-ticker').matches('[stale]')"))
            server.kill()
            self.until("return document.querySelector('tween-ticker').getAttribute('stale') === 'connecting'")
            self.assertTrue(self.run_script("return document.querySelector('tween-ticker').matches(':state(stale)')"))
            server = Server("--cors-origin", "*", port=server.port, data=folder)
            self.addCleanup(server.close)
            self.until("return !document.querySelector('tween-ticker').matches('[stale]')", seconds=30)
            server.post("ticker:back", to=42, duration=0)
            self.until("return document.querySelector('tween-ticker').newest.text === '42'")
