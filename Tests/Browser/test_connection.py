"""The page's end of a stream, against a server that the test plays: clocks, networks, tickets, and what a browser lacks."""

from browser import BrowserTest

# Answers the stream's requests: `streams` are those opened, and `send` writes an event to the last. `later` moves both of the
# page's clocks, `ahead` only the wall clock.
PLAY = r"""
window.streams = [];
window.told = [];
window.later = window.ahead = 0;
const [wall, uptime, encoder] = [Date.now, performance.now.bind(performance), new TextEncoder()];
Date.now = () => wall() + later + ahead;
performance.now = () => uptime() + later;
window.iso = (ms) => new Date(ms).toISOString();
window.send = (name, data) => streams.at(-1).enqueue(encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
window.motion = (start, key = 'moving') => send('motion', {ticker: key, value: 0, text: '0',
  motion: {state: 'running', from: 0, to: 1000, start: iso(start), duration: 1000, easing: 'linear'}, number: {}});
window.serve = async (address, {method, signal}) => {
  if (method === 'PUT') return new Response('{}');
  const body = new ReadableStream({start: (stream) => {
    streams.push(stream);
    signal.addEventListener('abort', () => stream.error(signal.reason));
    send('hello', {now: iso(Date.now()), heartbeat: 5, stream: 'played'});
  }});
  return new Response(body);
};
window.fetch = (...all) => serve(...all);
// The stream is never silent for long.
setInterval(() => send('heartbeat', {}), 1000);
const { feedFrom } = await import('/js/feed.js');
window.feed = feedFrom('http://other.example/', window.ticket);
window.listen = (id) => feed.listen(`ticker:${id}`, {raw: (name, json) => told.push(name), wants: {motion: true}});
listen('moving');
"""


class PlayedTest(BrowserTest):
    def play(self, before: str = ""):
        self.driver.get(self.server.url + "/healthz")
        self.run_script(f"return (async () => {{{before}{PLAY}}})()")

    def opened(self, count: int):
        self.until(f"return streams.length === {count} && feed.status.state === 'live'")


class NetworkTest(PlayedTest):
    def test_events_that_were_too_many_for_a_hidden_page_are_made_good(self):
        self.play()
        self.opened(1)
        self.run_script("""send('message', {ticker: 'moving', value: 1, text: '1'});
            window.removed = 0;
            feed.listen('ticker:moving', {event: (data, key, name) => { if (name === 'removed') removed++; }});""")
        self.until("return feed.latest.has('ticker:moving')")
        # Nothing is drawn between the first of these events and the last.
        self.run_script("""const draw = requestAnimationFrame, waiting = [];
            window.requestAnimationFrame = (act) => waiting.push(act);
            send('removed', {ticker: 'moving', reason: 'deleted'});
            for (let n = 0; n < 6000; n++) send('milestone', {ticker: 'moving', milestone: n});
            window.show = () => { requestAnimationFrame = draw; waiting.forEach((act) => draw(act)); }""")
        self.until("return told.filter((name) => name === 'milestone').length === 6000")
        self.run_script("show()")
        self.opened(2)


class BrowserWithoutTest(PlayedTest):
    """What some browsers don't have, or keep from some pages."""

    def put(self, before: str, html: str):
        self.driver.get(self.server.url + "/healthz")
        self.run_script("""const [before, html] = arguments;
            return (async () => { eval(before); await import('/embed.js'); document.body.innerHTML = html; })()""", before, html)

    def test_without_a_shared_worker_the_page_has_a_stream_of_its_own(self):
        self.server.post("ticker:alone", label="0", to=5, duration=0)
        for worker in (
            "window.SharedWorker = class { constructor() { throw new DOMException('denied', 'SecurityError'); } }",
            "window.SharedWorker = class { port = {postMessage() {}}; constructor() { setTimeout(() => this.onerror?.(new Event('error')), 50); } }",
            "delete window.SharedWorker",
        ):
            self.put(worker, "<tween-ticker src=/v1/tickers/alone></tween-ticker>")
            self.until("return document.querySelector('tween-ticker').text === '5'")

    def test_a_motion_whose_script_does_not_come_is_shown_by_frames(self):
        self.server.post("ticker:plain", label="0", to=0, duration=0)
        self.server.post("ticker:plain", to=1000, duration=600)
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/player.js"]})
        self.addCleanup(self.driver.execute_cdp_cmd, "Network.setBlockedURLs", {"urls": []})
        self.put("", "<tween-ticker mode=motion src=/v1/tickers/plain></tween-ticker>")
        self.until("return document.querySelector('tween-ticker').text")

    def test_without_states_the_attribute_says_what_is_stale(self):
        self.put("CustomStateSet.prototype.add = () => { throw new DOMException('no dashes', 'SyntaxError'); }",
                 "<tween-ticker src=/v1/tickers/nowhere></tween-ticker>")
        self.until("return document.querySelector('tween-ticker').stale === 'missing'")
        self.until("return document.querySelector('tween-ticker').shadowRoot.querySelector('[part=stale]').title")
