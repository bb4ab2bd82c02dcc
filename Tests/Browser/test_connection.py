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


class ClockTest(PlayedTest):
    def begin(self):
        self.play()
        self.opened(1)
        self.run_script("motion(Date.now() - 60_000)")
        self.until("return told.includes('motion')")
        self.run_script("told.length = 0")

    def test_a_server_clock_set_back_makes_the_page_reconnect(self):
        self.begin()
        self.run_script("motion(Date.now() - 60_500)")
        self.opened(2)
        self.assertNotIn("motion", self.run_script("return told"))

    def test_a_server_clock_set_forward_makes_the_page_reconnect(self):
        for step in (2000, 3_600_000):
            self.begin()
            self.run_script("motion(Date.now() - 60_000 + arguments[0])", step)
            self.opened(2)
            self.assertNotIn("motion", self.run_script("return told"))

    def test_a_server_clock_set_while_nothing_moved_makes_the_page_reconnect(self):
        for hour in (3_600_000, -3_600_000):
            self.begin()
            self.run_script("send('complete', {ticker: 'moving', value: 0, text: '0', finished: true})")
            # What a stream begins with may have started at any time.
            self.run_script("later = 6000; motion(Date.now() + arguments[0])", hour)
            self.opened(2)

    def test_a_clock_of_this_machine_that_is_set_reopens_the_stream(self):
        self.begin()
        self.run_script("ahead = 3_600_000")
        self.opened(2)
        self.assertLess(abs(self.run_script("return feed.now() - Date.now()")), 1000)

    def test_a_motion_slightly_in_the_future_corrects_the_clock_offset(self):
        self.begin()
        # The clock stands still: time alone doesn't get there.
        self.run_script("const now = Date.now(); Date.now = () => now; motion(now + 700)")
        self.until("return feed.now() === Date.now() + 700")
        self.assertEqual(self.run_script("return streams.length"), 1)

    def test_motions_with_plausible_start_times_do_not_reconnect(self):
        self.begin()
        self.run_script("later = 6000; motion(Date.now()); motion(Date.now() - 2000, 'late')")
        self.until("return told.includes('motion')")
        self.assertEqual(self.run_script("return streams.length"), 1)


class NetworkTest(PlayedTest):
    def test_a_network_that_is_back_is_used_at_once(self):
        # Without chance and patience: each attempt fails, and the next one would come after an hour.
        self.play("""window.timers = setTimeout;
            window.setTimeout = (act, ms) => timers(act, ms > 200 && window.isSlow ? 3_600_000 : ms);""")
        self.opened(1)
        self.run_script("""window.isSlow = true; window.works = serve;
            serve = async () => { throw new TypeError('no network') };
            streams[0].close()""")
        self.until("return feed.status.state === 'connecting'")
        self.run_script("serve = works; dispatchEvent(new Event('online'))")
        self.opened(2)

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


class TicketTest(PlayedTest):
    def test_a_provider_that_refuses_is_asked_less_and_less_and_said_once(self):
        self.play("""window.delays = []; window.warnings = []; window.asked = 0; window.timers = setTimeout;
            console.warn = (text) => warnings.push(`${text}`);
            window.setTimeout = (act, ms) => { if (ms >= 1000) delays.push(ms); return timers(act, ms >= 1000 && ms < 60_000 ? 1 : ms); };
            window.ticket = async (topics) => {
              asked++;
              if (topics.ticker.includes('secret')) throw new Error('not for you');
              return 'good';
            };""")
        self.opened(1)
        self.run_script("delays.length = 0; listen('secret')")
        self.until("return asked > 7")
        self.assertIn(15_000, self.run_script("return delays"))
        self.assertEqual(self.run_script("return warnings"), ["Error: not for you"])


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
        self.put("", "<tween-ticker mode=motion src=/v1/tickers/plain></tween-ticker>")
        self.until("return document.querySelector('tween-ticker').text")

    def test_without_states_the_attribute_says_what_is_stale(self):
        self.put("CustomStateSet.prototype.add = () => { throw new DOMException('no dashes', 'SyntaxError'); }",
                 "<tween-ticker src=/v1/tickers/nowhere></tween-ticker>")
        self.until("return document.querySelector('tween-ticker').stale === 'missing'")
        self.until("return document.querySelector('tween-ticker').shadowRoot.querySelector('[part=stale]').title")
