"""Components on another origin's page: one script tag, CORS, styling from outside, text where there is no script. And what
a page of an origin that isn't listed gets: nothing. Where the server asks for tokens, the page hands out tickets."""

import http.server
import json
import threading
from collections.abc import Callable

from browser import BrowserTest, GuardedTest
from ports import free_port
from server import Proxy

PORT = free_port()


class Elsewhere(BrowserTest):
    """Pages of another origin."""

    port = 0
    # By path, for all servers: the browser keeps a connection ready, so that one test's request may reach the server of
    # the test before on the same port.
    pages: dict[str, str] = {}
    # What the pages' own server answers to JSON that is posted, by path; nothing is a failure.
    posts: dict[str, Callable[[dict], dict | None]] = {}

    def serve(self, html: str) -> str:
        pages, posts = self.pages, self.posts
        path = f"/{len(pages)}/"
        pages[path] = html

        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path in pages else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(pages.get(self.path, "").encode())

            def do_POST(self):
                told = posts[self.path](json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200 if told else 503)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(told).encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}{path}"


class EmbeddingTest(Elsewhere):
    flags = ("--cors-origin", f"http://127.0.0.1:{PORT}")
    port = PORT

    def test_a_page_of_a_listed_origin_shows_live_values(self):
        self.server.post("ticker:revenue", label="$0.00", to="12.75", duration=0)
        looks = {"color": "rgb(4, 5, 6)", "titleDirection": "left"}
        self.server.post("progress:build", current=25, duration=0, appearance=looks)
        url = self.serve(f"""<!doctype html><script type="module" src="{self.server.url}/embed.js"></script>
            <style>tween-ticker::part(value) {{ color: rgb(1, 2, 3) }}</style>
            <tween-ticker src="{self.server.url}/v1/tickers/revenue">twelve</tween-ticker>
            <tween-progress shape="pie" src="{self.server.url}/v1/progress/build">a quarter</tween-progress>
            <tween-ticker for="field" src="{self.server.url}/v1/tickers/revenue"></tween-ticker><input id="field">""")
        self.driver.get(url)
        self.until("return document.querySelector('tween-ticker').newest?.text === '$12.75'")
        self.until("return document.querySelector('tween-progress').newest?.fraction === 0.25")
        self.until("return document.querySelector('#field').value === '$12.75'")
        # Looks come from the server, but an attribute wins.
        self.until("return document.querySelector('tween-progress').shadowRoot.querySelector('.body').matches('.left')")
        colour = "return getComputedStyle(document.querySelector('tween-progress').shadowRoot.querySelector('.fill')).stroke"
        self.assertEqual(self.run_script(colour), "rgb(4, 5, 6)")
        # What a client posts makes no page ask another server for anything.
        hostile = {"color": f"var(--none, url({url}stolen))", "trackColor": r"v\61r(--none, url(//127.0.0.1/stolen))"}
        self.server.post("progress:hostile", current=25, duration=0, appearance=hostile | {"titleDirection": "bottom"})
        self.run_script("document.querySelector('tween-progress')"
                        f".insertAdjacentHTML('afterend', `<tween-progress src='{self.server.url}/v1/progress/hostile'>`)")
        self.until("return document.querySelector('tween-progress + tween-progress').shadowRoot.querySelector('.bottom')")
        self.assertEqual(self.run_script("return performance.getEntriesByType('resource').filter(({name}) => /stolen/.test(name)).length"), 0)
        self.assertEqual(self.run_script("""return document.querySelector('tween-progress + tween-progress').shadowRoot
            .querySelector('.body').style.cssText"""), "")
        colour = (
            "return getComputedStyle(document.querySelector('tween-ticker').shadowRoot.querySelector('.value')).color"
        )
        self.assertEqual(self.run_script(colour), "rgb(1, 2, 3)")
        self.run_script(
            "window.done = []; document.addEventListener('complete', (event) => done.push(event.detail.finished))"
        )
        self.server.post("ticker:revenue", to="20.00", duration=0.2)
        self.until("return done.length")
        self.assertEqual(self.run_script("return done[0]"), True)

    def test_without_script_the_text_content_stays(self):
        url = self.serve("<!doctype html><tween-ticker src='/v1/tickers/revenue'>12.75</tween-ticker>")
        self.driver.get(url)
        self.assertEqual(self.driver.find_element("tag name", "tween-ticker").text, "12.75")


class TicketTest(Elsewhere, GuardedTest):
    """A page whose own server has a token, and gives those who visit it tickets."""

    flags = ("--cors-origin", f"http://127.0.0.1:{PORT}")
    port = PORT

    def setUp(self):
        super().setUp()
        self.server.post("ticker:shop-till", label="0", to=5, duration=0)
        self.server.post("progress:shop-sale", current=25, duration=0)
        self.proxy = Proxy(self.server.port)
        self.addCleanup(self.proxy.close)
        self.wishes: list[dict] = []
        self.failures = 0
        self.posts["/tickets"] = self.ticket

    def ticket(self, wish: dict) -> dict | None:
        if self.failures:
            self.failures -= 1
            return None
        self.wishes.append(wish)
        return self.server.request("POST", "/v1/tickets", wish)

    def streams(self) -> list[str]:
        return [line for line in self.proxy.lines if line.startswith("POST /v1/events")]

    def shows(self, text: str):
        self.until("""return [...document.querySelectorAll('tween-ticker')].every(({newest}) => newest?.text === arguments[0])""", text)

    def test_a_function_of_the_page_gives_a_ticket_for_each_connection(self):
        src = f"{self.proxy.url}/v1"
        # The function is there before the elements are known, as it is where a page's script comes first.
        self.driver.get(self.serve(f"""<!doctype html><link rel="icon" href="data:,">
            <script type="module" src="{self.proxy.url}/embed.js"></script>
            <tween-ticker src="{src}/tickers/shop-till">five</tween-ticker>
            <tween-ticker mode="motion" src="{src}/tickers/shop-till">five</tween-ticker>
            <tween-progress src="{src}/progress/shop-sale">a quarter</tween-progress>
            <script>const ticket = async (topics) =>
                (await (await fetch("/tickets", {{ method: "POST", body: JSON.stringify(topics) }})).json()).ticket;
            for (const element of document.querySelectorAll("tween-ticker, tween-progress")) element.ticket = ticket;</script>"""))
        self.shows("5")
        self.until("return document.querySelector('tween-progress').newest?.fraction === 0.25")
        self.assertEqual(self.wishes, [{"ticker": ["shop-till"], "progress": ["shop-sale"]}])
        self.assertNoErrors()
        self.proxy.drop()
        self.server.post("ticker:shop-till", to=6, duration=0)
        self.shows("6")
        first, second = self.streams()
        self.assertRegex(first, r"[?&]ticket=[^& ]+")
        self.assertNotEqual(first, second)
        self.assertEqual(len(self.wishes), 2)

    def test_an_address_of_the_page_gives_tickets_and_may_fail(self):
        self.failures = 1
        src = f"{self.proxy.url}/v1/tickers/shop-till"
        self.driver.get(self.serve(f"""<!doctype html><script type="module" src="{self.proxy.url}/embed.js"></script>
            <tween-ticker wheels ticket="/tickets" src="{src}">five</tween-ticker>"""))
        self.shows("5")
        self.assertEqual((self.failures, self.wishes), (0, [{"ticker": ["shop-till"]}]))

    def test_without_a_ticket_the_text_content_stays_and_the_server_is_left_alone(self):
        self.driver.get(self.serve(f"""<!doctype html><script type="module" src="{self.proxy.url}/embed.js"></script>
            <tween-ticker src="{self.proxy.url}/v1/tickers/shop-till">five</tween-ticker>"""))
        self.eventually(lambda: len(self.streams()) == 1)
        # One that the page gets hold of later is enough.
        self.run_script("document.querySelector('tween-ticker').setAttribute('ticket', '/tickets')")
        self.shows("5")
        self.assertEqual(len(self.streams()), 2)


class ForeignPageTest(Elsewhere):
    """A page that wasn't listed, in a browser that has the server open too."""

    ASK = """
        const [url, done] = [arguments[0], arguments[arguments.length - 1]];
        const asked = (promise) => promise.then((value) => value, () => "nothing");
        const event = (target, ...names) => new Promise((resolve) =>
            names.forEach((name) => target.addEventListener(name, () => resolve(name))));
        const image = new Image(), script = document.createElement("script");
        const frame = document.createElement("iframe");
        Object.assign(image, { src: `${url}/images/none.png` });
        Object.assign(script, { src: `${url}/js/feed.js` });
        frame.src = `${url}/v1/events?ticker=*`;
        document.head.append(script);
        document.body.append(frame);
        const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"to":99}' };
        Promise.all([
            asked(fetch(`${url}/v1/tickers/t`).then((answer) => answer.text())),
            asked(fetch(`${url}/v1/tickers/t`, json).then((answer) => answer.text())),
            asked(fetch(`${url}/v1/tickers/t`, { ...json, mode: "no-cors", headers: {} }).then((answer) => answer.type)),
            event(new EventSource(`${url}/v1/events?ticker=t`), "open", "error"),
            event(script, "load", "error"),
        ]).then(done)"""

    def test_a_page_of_another_origin_reads_and_writes_nothing(self):
        self.server.post("ticker:t", label="$0.00", to="12.75", duration=0)
        self.driver.get(self.serve("<!doctype html><title>Elsewhere</title><body>"))
        # The stream of the page before may take a while to end.
        self.eventually(lambda: self.server.request("GET", "/v1/clients")["count"] == 0, 60)
        read, written, blind, stream, script = self.driver.execute_async_script(self.ASK, self.server.url)
        self.assertEqual((read, written, stream, script), ("nothing", "nothing", "error", "error"))
        self.assertIn(blind, ("opaque", "nothing"))
        self.assertEqual(self.server.get("ticker:t")["text"], "$12.75")
        # A stream that one of these opened would last.
        self.eventually(lambda: self.server.request("GET", "/v1/clients")["count"] == 0)

    def test_a_link_from_another_page_leads_to_the_board(self):
        self.driver.get(self.serve(f"<!doctype html><a href='{self.server.url}/'>the board</a>"))
        self.driver.find_element("tag name", "a").click()
        self.until("return document.querySelector('#connection')?.dataset.state === 'live'")
