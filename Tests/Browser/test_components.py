"""What pages of others do with the components: their pace, on any element, in shadow roots, selections."""

from browser import BrowserTest

PUT = """
window.embed = await import('/embed.js');
document.body.innerHTML = `<div id="home">${arguments[0]}</div>`;
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


class BindingTest(ComponentTest):
    """`data-tween` on elements of the page's own."""

    def topics(self) -> list[str]:
        """What the one stream of the page tells of."""
        clients = self.server.request("GET", "/v1/clients")["items"]
        self.assertLessEqual(len(clients), 1)
        return clients[0]["topics"] if clients else []

    def test_any_element_shows_a_resource_as_its_kind_does(self):
        self.server.post("ticker:price", label="$0.00", to="12.75", duration=0)
        self.server.post("progress:build", current=30, maximum=120, duration=0)
        self.put("""<h2 data-tween=/v1/tickers/price>twelve</h2><input data-tween=/v1/tickers/price>
            <input type=number step=any data-tween=/v1/tickers/price><input type=range max=20 step=any data-tween=/v1/tickers/price>
            <meter max=20 data-tween=/v1/tickers/price></meter><data data-tween=/v1/tickers/price></data>
            <button data-tween=/v1/tickers/price></button><output data-tween=/v1/tickers/price></output>
            <progress data-tween=/v1/progress/build></progress><meter min=-1 max=3 data-tween=/v1/progress/build></meter>
            <span data-tween=/v1/progress/build></span><tween-ticker src=/v1/tickers/price></tween-ticker>""")
        self.until("return frames.length && home.querySelector('span').textContent === '25%'")
        shown = self.run_script("""return [...home.children].slice(0, -1).map((element) => [element.localName,
            element.localName === 'button' ? null : element.value ?? null, element.textContent, element.ariaValueText])""")
        self.assertEqual(shown, [
            ["h2", None, "$12.75", None], ["input", "$12.75", "", None],
            ["input", "12.75", "", None], ["input", "12.75", "", None],
            ["meter", 12.75, "", "$12.75"], ["data", "12.75", "$12.75", None],
            ["button", None, "$12.75", None], ["output", "$12.75", "$12.75", None],
            ["progress", 0.25, "", "25%"], ["meter", 0, "", "25%"], ["span", None, "25%", None],
        ])  # fmt: skip
        self.assertEqual(sorted(self.topics()), ["progress/build", "ticker/price"])
        self.server.post("progress:build", current=30, maximum=None, duration=0)
        self.until("return home.querySelector('progress').matches(':indeterminate')")

    def test_what_comes_goes_moves_or_changes_is_followed(self):
        for number, name in enumerate(("one", "two")):
            self.server.post(f"ticker:{name}", label="0", to=number + 1, duration=0)
        self.put("")
        self.run_script("""home.innerHTML = '<div><b>before</b></div><div></div>';
            window.bold = home.querySelector('b'); bold.dataset.tween = '/v1/tickers/one';""")
        self.until("return bold.textContent === '1'")
        # Its text is the same node: a framework may have kept it.
        self.run_script("window.node = bold.firstChild; home.lastChild.append(bold)")
        self.server.post("ticker:one", to=5, duration=0)
        self.until("return bold.textContent === '5' && node.isConnected")
        self.run_script("bold.dataset.tween = '/v1/tickers/nowhere'")
        self.until("return bold.textContent === 'before' && bold.dataset.tweenStale === 'missing'")
        self.assertEqual(self.run_script("return getComputedStyle(bold).opacity"), "0.55")
        self.run_script("bold.dataset.tween = '/v1/tickers/two'")
        self.until("return bold.textContent === '2' && bold.dataset.tweenStale === undefined")
        self.server.request("DELETE", "/v1/tickers/two")
        self.until("return bold.dataset.tweenStale === 'removed'")
        self.run_script("bold.removeAttribute('data-tween')")
        self.eventually(lambda: self.topics() == [])
        self.assertIsNone(self.run_script("return bold.dataset.tweenStale ?? null"))
        self.run_script("home.innerHTML = '<p><i data-tween=/v1/tickers/one></i></p>'")
        self.until("return home.textContent === '5'")
        self.run_script("home.innerHTML = ''")
        self.eventually(lambda: self.topics() == [])

    def test_a_shadow_root_is_observed_when_that_is_asked_for(self):
        self.server.post("ticker:inner", label="0", to=5, duration=0)
        self.put("<div></div>")
        self.run_script("""window.root = view.attachShadow({mode: 'open'});
            root.innerHTML = '<b data-tween=/v1/tickers/inner></b>';
            window.stop = embed.observe(root);""")
        self.until("return root.textContent === '5'")
        # Its host goes, and comes back.
        self.run_script("view.remove()")
        self.eventually(lambda: self.topics() == [])
        self.server.post("ticker:inner", to=6, duration=0)
        self.run_script("home.append(view)")
        self.until("return root.textContent === '6'")
        self.run_script("stop()")
        self.eventually(lambda: self.topics() == [])
        # What else is observed is so still.
        self.run_script("home.insertAdjacentHTML('beforeend', '<b data-tween=/v1/tickers/inner></b>')")
        self.until("return home.lastChild.textContent === '6'")

    def test_it_obeys_its_pace_and_tells_what_the_elements_tell(self):
        self.server.post("ticker:tell", label="0", to=0, duration=0)
        self.put("<b data-tween=/v1/tickers/tell data-tween-pace=settled></b>")
        self.run_script("""window.done = []; addEventListener('complete', ({target, detail}) => done.push([target === view, detail.finished]));""")
        self.until("return view.textContent === '0'")
        self.server.post("ticker:tell", to=900, duration=1)
        self.until("return view.textContent === '900' && done.length")
        self.assertEqual(self.run_script("return [frames.map(({value}) => value), done]"), [[0, 900], [[True, True]]])

    def test_a_field_that_somebody_writes_in_is_left_alone(self):
        self.server.post("ticker:field", label="0", to=5, duration=0)
        self.put("<input data-tween=/v1/tickers/field><b data-tween=/v1/tickers/field></b>")
        self.until("return view.value === '5'")
        self.run_script("view.focus(); view.value = 'mine'")
        self.server.post("ticker:field", to=6, duration=0)
        self.until("return home.lastChild.textContent === '6'")
        self.assertEqual(self.run_script("return view.value"), "mine")

    def test_an_element_that_a_ticker_writes_into_says_that_it_is_stale(self):
        self.server.post("ticker:into", label="0", to=5, duration=0)
        self.put("<tween-ticker for=there src=/v1/tickers/into></tween-ticker><li id=there>none</li>")
        self.until("return home.lastChild.textContent === '5'")
        self.server.request("DELETE", "/v1/tickers/into")
        self.until("return home.lastChild.dataset.tweenStale === 'removed'")


class SightTest(ComponentTest):
    """What is first seen when it is scrolled to."""

    # Elements a long way down.
    FAR = "<p style='height: 300vh'></p>{}"

    def test_a_number_counts_up_when_it_is_first_seen(self):
        self.server.post("ticker:far", label="$1,000.00", to="1234.50", duration=0)
        views = ("<tween-ticker when=visible over=1 from=100 src=/v1/tickers/far>$12.50</tween-ticker>",
                 "<tween-ticker when=visible over=1 wheels src=/v1/tickers/far>$1,000.00</tween-ticker>",
                 "<tween-ticker when=visible over=1 mode=motion src=/v1/tickers/far></tween-ticker>",
                 "<b data-tween=/v1/tickers/far data-tween-when=visible data-tween-over=1></b>")
        for markup in views:
            with self.subTest(markup=markup):
                self.put(self.FAR.format(markup))
                self.run_script("""window.last = home.lastChild; window.texts = [];
                    last.addEventListener('tweenframe', ({detail}) => texts.push([detail.value, detail.text]));
                    window.near = document.createElement('tween-ticker'); near.src = '/v1/tickers/far'; home.prepend(near);""")
                self.until("return near.text === '$1,234.50'")
                self.assertEqual(self.run_script("return texts.length"), 0)
                self.run_script("last.scrollIntoView()")
                self.until("return texts.at(-1)?.[1] === '$1,234.50'")
                texts = self.run_script("return texts")
                values = [value for value, _ in texts]
                self.assertEqual(values, sorted(values))
                begin = 100 if "from" in markup else 1000 if "wheels" in markup else 0
                self.assertTrue(begin <= values[0] < 1234, values)
                self.assertGreater(len(texts), 3)
                for value, text in texts:
                    self.assertAlmostEqual(float(text.replace("$", "").replace(",", "")), value, delta=0.011)
                # Once is enough.
                self.run_script("scrollTo(0, 0); texts.length = 0")
                self.run_script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                self.run_script("last.scrollIntoView()")
                self.server.post("ticker:far", to="1234.50", duration=0)
                self.until("return texts.every(([value]) => value === 1234.5)")

    def test_a_progress_fills_and_readers_who_want_no_motion_see_it_at_once(self):
        self.server.post("progress:fill", current=60, maximum=80, duration=0)
        markup = self.FAR.format("<tween-progress when=visible over=1 src=/v1/progress/fill></tween-progress>")
        look = """window.last = home.lastChild; window.seen = [];
            last.addEventListener('tweenframe', ({detail}) => seen.push([detail.fraction, detail.text]));
            last.scrollIntoView();"""
        self.put(markup)
        self.run_script(look)
        self.until("return seen.at(-1)?.[1] === '75%'")
        seen = self.run_script("return seen")
        self.assertLess(seen[0][0], 0.75)
        for fraction, text in seen:
            self.assertAlmostEqual(float(text.rstrip("%")) / 100, fraction, delta=0.011)
        self.addCleanup(self.calm, False)
        self.calm(True)
        self.put(markup)
        self.run_script(look)
        self.until("return seen.length")
        self.assertEqual(self.run_script("return [...new Set(seen.map(([fraction]) => fraction))]"), [0.75])

    def test_what_is_out_of_sight_is_written_now_and_then_and_at_rest(self):
        self.server.post("ticker:below", label="0", to=0, duration=0)
        self.put(self.FAR.format("<tween-ticker wheels src=/v1/tickers/below></tween-ticker>"))
        self.run_script("""window.last = home.lastChild; window.drawn = 0; window.told = 0;
            const {show, write} = last.wheels;
            last.wheels.show = function (...all) { drawn++; return show.apply(this, all); };
            last.addEventListener('tweenframe', () => told++);""")
        self.until("return told")
        self.run_script("drawn = told = 0")
        self.server.post("ticker:below", to=900, duration=2)
        self.until("return last.shadowRoot.querySelector('[part=value]').innerText.replace(/\\\\s/g, '') === '900'")
        drawn, told = self.run_script("return [drawn, told]")
        self.assertGreater(told, 3 * drawn)
