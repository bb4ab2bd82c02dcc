"""The one stream of a page: what is on it, and what is said when it tells nothing any more."""

import signal

from browser import BrowserTest
from server import Proxy, Server

# Puts elements into a page of the server's that has nothing else, once they are known there.
PUT = """
await import('/embed.js');
const home = document.createElement('p');
home.id = 'home';
home.innerHTML = arguments[0];
document.body.replaceChildren(home);
window.told = [];
window.failures = [];
addEventListener('error', ({message}) => failures.push(message));
for (const view of home.children) {
  for (const name of ['stale', 'connected']) {
    view.addEventListener(name, ({detail}) => told.push([name, detail.reason]));
  }
}
"""
# What a feed from a server tells its listener; the stream sends a number, loses two connections and keeps the third.
SHORT = r"""return (async () => {
  const { feedFrom } = await import('/js/feed.js');
  const real = window.fetch, told = [];
  const hello = 'retry: 10\n\nevent: hello\ndata: {"now":"2026-01-01T00:00:00.000Z","heartbeat":15}\n\n';
  const frame = 'data: {"ticker":"kept","value":5,"text":"5 m"}\n\n';
  let connections = 0;
  window.fetch = async () => {
    const number = ++connections;
    if (number === 3) await new Promise((done) => setTimeout(done, 4500));
    const body = new ReadableStream({ start(controller) {
      controller.enqueue(new TextEncoder().encode(number === 2 ? hello : hello + frame));
      if (number < 3) setTimeout(() => controller.close(), 50);
    } });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  };
  const stop = feedFrom('http://other.example/').listen('ticker:kept', { raw: (name, _, key) => told.push(`${name} ${key}`) });
  await new Promise((done) => setTimeout(done, 5500));
  stop();
  window.fetch = real;
  return told;
})()"""
SHOWN = "return [...document.querySelectorAll('#home > *')].every((view) => view.newest)"


class FeedTest(BrowserTest):
    def put(self, html: str, url: str | None = None):
        self.driver.get((url or self.server.url) + "/healthz")
        self.run_script(f"return (async (...arguments) => {{{PUT}}})(...arguments)", html)

    def proxied(self) -> Proxy:
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.close)
        return proxy

    def tickers(self, count: int) -> list[str]:
        names = [f"of-{number}" for number in range(count)]
        self.server.request(
            "POST", "/v1/batch", [{"ticker": name, "label": "0", "to": 3, "duration": 0} for name in names])  # fmt: skip
        return names

    def stale(self, selector: str = "#home > *") -> str | None:
        return self.run_script("return document.querySelector(arguments[0]).getAttribute('stale')", selector)

    def test_nine_motions_leave_room_for_requests(self):
        names = self.tickers(9)
        self.put("".join(f"<tween-ticker mode=motion src=/v1/tickers/{name}></tween-ticker>" for name in names))
        self.until(SHOWN)
        for name in names:
            self.server.post(f"ticker:{name}", to=1000, duration=100, easing="linear")
        moved = "return [...document.querySelectorAll('#home > *')].every((view) => view.newest.value > 4)"
        self.until(moved)
        # Assistive technology doesn't wait for the end.
        self.until(moved.replace("newest.value > 4", "spoken.dataset.text !== '3'"))
        # A browser has six connections to a server, and a request waits for a seventh for ever.
        self.assertEqual(self.run_script("return fetch('/healthz').then(({status}) => status)"), 200)
        self.assertEqual(self.server.request("GET", "/v1/clients")["count"], 1)

    def test_motions_and_frames_of_one_ticker_are_not_mixed_up(self):
        self.server.post("ticker:both", label="0", to=0, duration=0)
        self.put("<tween-ticker mode=motion src=/v1/tickers/both></tween-ticker><tween-ticker src=/v1/tickers/both></tween-ticker>")
        self.until(SHOWN)
        self.run_script(
            """window.seen = [];
            const view = document.querySelector('[mode]');
            view.addEventListener('tweenframe', ({detail}) => seen.push(detail.value));"""
        )
        self.server.post("ticker:both", to=100, duration=1, easing="linear")
        self.until("return [...document.querySelectorAll('#home > *')].every((view) => view.newest.text === '100')")
        seen = self.run_script("return seen")
        # The clocks are one to within a few milliseconds.
        self.assertTrue(all(next > one - 1 for one, next in zip(seen, seen[1:])), seen)

    def test_an_inspector_and_three_tabs_use_one_stream(self):
        self.server.post("ticker:peek", label="0", to=1, duration=0)
        first = self.driver.current_window_handle
        for _ in range(2):
            self.driver.switch_to.new_window("tab")
            self.visit()
        self.driver.switch_to.window(first)
        self.visit()
        self.card("ticker:peek")
        self.click("#inspect")
        self.click("[data-key='ticker:peek'] h3")
        self.server.post("ticker:peek", to=900, duration=60)
        self.eventually(lambda: self.server.request("GET", "/v1/clients")["items"][0]["frames"] > 5)
        self.assertEqual(self.server.request("GET", "/v1/clients")["count"], 1)

    def test_adding_and_removing_elements_opens_no_further_stream(self):
        proxy = self.proxied()
        names = self.tickers(20)
        self.put("", proxy.url)
        for name in names:
            self.run_script("home.innerHTML += `<tween-ticker src=/v1/tickers/${arguments[0]}></tween-ticker>`", name)
        self.until(SHOWN)
        self.until("return [...home.children].at(-1).feed.isReady")
        self.run_script("home.firstChild.remove()")
        self.until("return [...home.children].at(-1).feed.isReady")
        self.assertEqual(sum(line.startswith("POST /v1/events") for line in proxy.lines), 1)
        # The page before this one may still be on its way out.
        self.eventually(lambda: self.server.request("GET", "/v1/clients")["count"] == 1)
        [client] = self.server.request("GET", "/v1/clients")["items"]
        self.assertEqual(client["topics"], sorted(f"ticker/{name}" for name in names[1:]))

    def test_seven_hundred_components_are_live(self):
        names = self.tickers(700)
        proxy = self.proxied()
        self.put("".join(f"<tween-ticker src=/v1/tickers/{name}></tween-ticker>" for name in names), proxy.url)
        self.until(SHOWN)
        self.server.request("POST", "/v1/batch", [{"ticker": name, "to": 4, "duration": 0} for name in names])
        self.until("return [...home.children].every((view) => view.newest.text === '4')")
        self.assertEqual(sum(line.startswith("POST /v1/events") for line in proxy.lines), 1)

    # What is not so any more

    def test_an_element_of_a_missing_resource_is_stale_until_it_is_created(self):
        self.put("<tween-ticker src=/v1/tickers/later>none</tween-ticker>")
        self.until("return home.firstChild.getAttribute('stale') === 'missing'")
        self.assertTrue(self.run_script("return home.firstChild.matches(':state(stale)')"))
        self.assertEqual(self.run_script("return home.innerText"), "none")
        self.server.post("ticker:later", label="0", to=5, duration=0)
        self.until("return !home.firstChild.hasAttribute('stale') && home.firstChild.newest")
        self.assertEqual(self.run_script("return told")[-2:], [["stale", "missing"], ["connected", None]])
        self.server.request("DELETE", "/v1/tickers/later")
        self.until("return home.firstChild.getAttribute('stale') === 'removed'")
        # What it was can still be read.
        self.assertEqual(self.run_script("return home.firstChild.shadowRoot.querySelector('[part=value]').textContent"), "5")

    def test_another_address_shows_nothing_of_the_one_before(self):
        self.server.post("ticker:first", label="0", to=5, duration=0)
        self.put("<tween-ticker wheels src=/v1/tickers/first>none</tween-ticker>")
        self.until(SHOWN)
        self.run_script("home.firstChild.setAttribute('src', '/v1/tickers/nowhere')")
        self.until("return home.firstChild.getAttribute('stale') === 'missing'")
        self.assertEqual(self.run_script("return home.innerText.trim()"), "none")
        for broken in ("http://[", "/v1/tickers/%E0%A4%A", "/v1/tickers/a%20b", "/nowhere", ""):
            self.run_script("home.firstChild.setAttribute('src', arguments[0])", broken)
            self.assertEqual(self.stale(), "missing", broken)
        self.run_script("home.firstChild.setAttribute('src', '/v1/tickers/first')")
        self.until("return home.firstChild.newest?.text === '5' && !home.firstChild.hasAttribute('stale')")
        self.assertEqual(self.run_script("return failures"), [])
        # The same id on another server.
        shown = "home.firstChild.setAttribute('src', 'http://127.0.0.1:1/v1/tickers/first'); return home.firstChild.newest"
        self.assertIsNone(self.run_script(shown))

    def test_elements_are_stale_while_the_server_is_frozen_or_gone(self):
        server = Server()
        server.post("ticker:here", label="0", to=5, duration=0)
        self.put("<tween-ticker src=/v1/tickers/here></tween-ticker>", server.url)
        self.until(SHOWN)
        self.assertIsNone(self.stale())
        server.process.send_signal(signal.SIGSTOP)
        self.until("return home.firstChild.getAttribute('stale') === 'frozen'", seconds=20)
        server.process.send_signal(signal.SIGCONT)
        self.until("return !home.firstChild.hasAttribute('stale')", seconds=30)
        server.kill()
        self.until("return home.firstChild.getAttribute('stale') === 'connecting'")

    def test_a_motion_whose_end_was_missed_is_not_shown_on(self):
        """The server comes back without its store: one number rests elsewhere, the other doesn't exist."""
        server = Server()
        for name in ("here", "gone"):
            server.post(f"ticker:{name}", label="0 m", to=1000, duration=600)
        self.put("".join(f"<tween-ticker mode=motion src=/v1/tickers/{name}></tween-ticker>" for name in ("here", "gone")),
                 server.url)
        self.until("return [...home.children].every((view) => view.player?.isPlaying)")
        server.kill()
        self.until("return [...home.children].every((view) => view.stale)")
        other = Server(port=server.port)
        self.addCleanup(other.close)
        other.post("ticker:here", label="0 m", to=-7, duration=0)
        self.until("return home.firstChild.text === '-7 m' && !home.firstChild.stale", seconds=20)
        self.assertFalse(self.run_script("return home.firstChild.player.isPlaying"))
        self.until("return home.lastChild.stale === 'removed' && !home.lastChild.player.isPlaying")

    def test_a_connection_lost_early_does_not_mark_resources_as_removed(self):
        """The second connection is lost before it has sent what the first one had; the third is slow to come."""
        self.put("")
        told = self.run_script(SHORT)
        self.assertIn("message ticker:kept", told)
        self.assertNotIn("removed ticker:kept", told)

    # Pages

    def test_an_element_is_written_into_where_its_ticker_is(self):
        self.server.post("ticker:inner", label="0", to=5, duration=0)
        self.put("<output id=there></output>")
        self.run_script(
            """const root = home.appendChild(document.createElement('div')).attachShadow({mode: 'open'});
            root.innerHTML = '<output id=there></output><tween-ticker for=there src=/v1/tickers/inner></tween-ticker>';"""
        )
        self.until("return home.lastChild.shadowRoot.querySelector('#there').textContent === '5'")
        self.assertEqual(self.run_script("return home.firstChild.textContent"), "")

    def test_a_progress_element_takes_the_appearance_of_its_source(self):
        for name, shape in (("round", "pie"), ("flat", "bar")):
            self.server.post(f"progress:{name}", current=5, duration=0, appearance={"shape": shape})
        proxy = self.proxied()
        self.put("<tween-progress></tween-progress>", proxy.url)
        before = len(proxy.lines)
        for name, shape in (("round", "pie"), ("flat", "bar"), ("round", "pie")):
            self.run_script("home.firstChild.setAttribute('src', `/v1/progress/${arguments[0]}`)", name)
            self.until("return home.firstChild.shadowRoot.querySelector('[part=bar]').className === arguments[0]", shape)
        asked = [line.split(" ")[1] for line in proxy.lines[before:] if line.startswith("GET /v1/")]
        self.assertEqual(asked, ["/v1/progress/round", "/v1/progress/flat", "/v1/progress/round"])

    def test_a_progress_that_is_created_again_takes_its_new_looks(self):
        self.put("<tween-progress src=/v1/progress/again></tween-progress>")
        shape = "return home.firstChild.shadowRoot.querySelector('[part=bar]').className === arguments[0]"
        for looks in ("pie", "ring"):
            self.until("return home.firstChild.stale")
            self.server.post("progress:again", current=5, duration=0, appearance={"shape": looks})
            self.until(shape, looks)
            self.server.request("DELETE", "/v1/progress/again")
            self.until("return home.firstChild.stale === 'removed'")
            # What it was can still be seen.
            self.until(shape, looks)
