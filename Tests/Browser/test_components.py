"""What pages of others do with the components: their pace, on any element, in shadow roots, selections."""

from browser import BrowserTest

PUT = """
window.embed = await import('/embed.js');
document.body.innerHTML = `<p id="home">${arguments[0]}</p>`;
window.home = document.querySelector('#home');
window.view = home.firstElementChild;
window.frames = [];
view?.addEventListener('tweenframe', ({detail}) => frames.push(detail));
"""


class ComponentTest(BrowserTest):
    def put(self, html: str, url: str | None = None):
        """Puts elements into a page that has nothing else; `view` is the first of them."""
        self.driver.get((url or self.server.url) + "/healthz")
        self.run_script(f"return (async (...arguments) => {{{PUT}}})(...arguments)", html)

    def calm(self, isCalm: bool):
        """Whether the reader prefers reduced motion."""
        value = "reduce" if isCalm else "no-preference"
        features = [{"name": "prefers-reduced-motion", "value": value}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


class PaceTest(ComponentTest):
    def test_a_page_sets_the_pace_of_all_that_moves_on_it(self):
        self.server.post("ticker:run", label="0", to=0, duration=0)
        self.server.post("progress:busy", maximum=None, current=0, duration=0, label="Scanning")
        self.put("<tween-ticker src=/v1/tickers/run></tween-ticker><tween-progress src=/v1/progress/busy></tween-progress>")
        self.until("return view.text === '0' && home.lastChild.text === 'Scanning'")
        playing = """return getComputedStyle(home.lastChild.shadowRoot.querySelector('.fill')).animationPlayState"""
        self.assertEqual(self.run_script(playing), "running")
        self.run_script("embed.setPace('paused'); frames.length = 0")
        self.assertEqual(self.run_script(playing), "paused")
        self.server.post("ticker:run", to=100, duration=0.1)
        # One that the page shows for the first time says what is so now, and then stands still, too.
        self.run_script("home.insertAdjacentHTML('beforeend', '<tween-ticker src=/v1/tickers/late></tween-ticker>')")
        self.server.post("ticker:late", label="0", to=7, duration=0)
        self.until("return home.lastChild.text === '7'")
        self.assertEqual(self.run_script("return [view.text, frames.length]"), ["0", 0])
        self.run_script("embed.setPace('settled')")
        self.until("return view.text === '100'")
        self.run_script("frames.length = 0")
        self.server.post("ticker:run", to=900, duration=0.5)
        self.until("return view.text === '900'")
        self.assertEqual(self.run_script("return [...new Set(frames.map(({value}) => value))]"), [900])
        self.run_script("embed.setPace('live'); frames.length = 0")
        self.server.post("ticker:run", to=0, duration=1)
        self.until("return frames.some(({value}) => value > 0 && value < 900)")
        self.assertEqual(self.run_script("try { embed.setPace('fast') } catch ({name}) { return name }"), "TypeError")

    def test_without_a_choice_the_page_follows_its_reader(self):
        self.addCleanup(self.calm, False)
        self.calm(True)
        self.put("")
        self.assertEqual(self.run_script("return embed.pagePace()"), "settled")
        self.run_script("window.told = []; embed.followPace((pace) => told.push(pace))")
        self.calm(False)
        self.until("return told.at(-1) === 'live'")
        self.run_script("embed.setPace('paused')")
        self.calm(True)
        self.run_script("embed.setPace()")
        self.assertEqual(self.run_script("return told"), ["settled", "live", "paused", "settled"])

    def test_an_element_may_be_slower_than_its_page(self):
        self.server.post("ticker:calm", label="0", to=0, duration=0)
        self.put("<tween-ticker pace=settled src=/v1/tickers/calm></tween-ticker>"
                 "<tween-ticker pace=paused src=/v1/tickers/calm></tween-ticker>"
                 "<tween-ticker wheels src=/v1/tickers/calm></tween-ticker>")
        self.until("return [...home.children].every(({text}) => text === '0')")
        self.server.post("ticker:calm", to=900, duration=1)
        self.until("return view.text === '900' && home.lastChild.text === '900'")
        self.assertEqual(self.run_script("return frames.map(({value}) => value)"), [0, 900])
        self.assertEqual(self.run_script("return home.children[1].text"), "0")
        self.run_script("home.children[1].pace = 'live'")
        self.assertEqual(self.run_script("return home.children[1].text"), "900")
        # Nor is one faster than it.
        self.run_script("embed.setPace('settled'); home.children[1].pace = 'live'")
        self.assertEqual(self.run_script("return home.children[1].pace"), "settled")
