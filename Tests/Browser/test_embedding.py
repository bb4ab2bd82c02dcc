"""Components on another origin's page: one script tag, CORS, styling from outside, text where there is no script. And what
a page of an origin that isn't listed gets: nothing."""

import http.server
import socket
import threading

from browser import BrowserTest

with socket.create_server(("127.0.0.1", 0)) as free:
    PORT = free.getsockname()[1]


class Elsewhere(BrowserTest):
    """Pages of another origin."""

    port = 0
    # By path, for all servers: the browser keeps a connection ready, so that one test's request may reach the server of
    # the test before on the same port.
    pages: dict[str, str] = {}

    def serve(self, html: str) -> str:
        pages = self.pages
        path = f"/{len(pages)}/"
        pages[path] = html

        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path in pages else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(pages.get(self.path, "").encode())

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
        read, written, blind, stream, script = self.driver.execute_async_script(self.ASK, self.server.url)
        self.assertEqual((read, written, stream, script), ("nothing", "nothing", "error", "error"))
        self.assertIn(blind, ("opaque", "nothing"))
        self.assertEqual(self.server.get("ticker:t")["text"], "$12.75")
        # A stream that one of these opened would last; that of the page before may take a moment to end.
        self.eventually(lambda: self.server.request("GET", "/v1/clients")["count"] == 0)

    def test_a_link_from_another_page_leads_to_the_board(self):
        self.driver.get(self.serve(f"<!doctype html><a href='{self.server.url}/'>the board</a>"))
        self.driver.find_element("tag name", "a").click()
        self.until("return document.querySelector('#connection')?.dataset.state === 'live'")
