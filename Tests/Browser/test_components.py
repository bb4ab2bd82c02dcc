"""What pages of others do with the components: their pace, on any element, in shadow roots, selections."""

from selenium.webdriver import ActionChains, Keys

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


class SettingTest(ComponentTest):
    def test_setting_a_value_of_an_element_warns_and_changes_nothing(self):
        self.driver.get(self.server.url + "/healthz")
        warnings = self.run_script("""return (async () => {
            window.warnings = [];
            console.warn = (text) => warnings.push(text);
            document.body.innerHTML = `<tween-ticker></tween-ticker><tween-progress></tween-progress><tween-ticker value=7></tween-ticker>`;
            const [ticker, progress] = document.body.children;
            // Before the elements are known, too.
            ticker.value = 1;
            await import('/embed.js');
            ticker.value = 2;
            ticker.text = '3';
            progress.fraction = 0.5;
            return [warnings, ticker.value, progress.fraction]; })()""")
        self.assertEqual(warnings[1:], [None, None])
        self.assertEqual(len(warnings[0]), 5)
        for text in warnings[0]:
            self.assertIn('src="', text)
            self.assertIn("send updates", text)


class PaceTest(ComponentTest):
    def test_a_page_sets_the_pace_of_all_its_elements(self):
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

    def test_bound_elements_that_are_added_moved_or_changed_stay_bound(self):
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
        self.assertEqual(self.run_script("return getComputedStyle(bold).opacity"), "0.75")
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

    def test_a_bound_element_has_a_pace_and_fires_the_events_of_elements(self):
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
        # Nor does it get back what was in it before.
        self.run_script("view.dataset.tween = '/v1/tickers/nowhere'")
        self.until("return view.dataset.tweenStale === 'missing'")
        self.assertEqual(self.run_script("return view.value"), "mine")

    def test_a_text_that_somebody_edits_is_left_alone(self):
        self.server.post("ticker:text", label="0", to=5, duration=0)
        self.put("<p contenteditable data-tween=/v1/tickers/text></p><b tabindex=0 data-tween=/v1/tickers/text></b>")
        self.until("return view.textContent === '5'")
        self.run_script("view.focus(); view.textContent = 'mine'")
        self.server.post("ticker:text", to=6, duration=0)
        self.until("return home.lastChild.textContent === '6'")
        self.assertEqual(self.run_script("return view.textContent"), "mine")
        # One that only has the focus goes on.
        self.run_script("home.lastChild.focus()")
        self.server.post("ticker:text", to=7, duration=0)
        self.until("return view.textContent === '7' && home.lastChild.textContent === '7'")

    def test_an_unbound_element_gets_back_its_text_and_value(self):
        self.server.post("ticker:lent", label="0", to=5, duration=0)
        self.put("<data value=12 data-tween=/v1/tickers/lent>twelve</data><data data-tween=/v1/tickers/lent>none</data>")
        self.until("return [...home.children].every(({value, textContent}) => value === '5' && textContent === '5')")
        self.run_script("for (const element of home.children) element.dataset.tween = '/v1/tickers/nowhere'")
        self.until("return home.textContent === 'twelvenone'")
        self.assertEqual(self.run_script("return [...home.children].map((data) => data.getAttribute('value'))"), ["12", None])

    def test_the_element_that_a_ticker_writes_into_can_be_another(self):
        self.server.post("ticker:moves", label="0", to=5, duration=0)
        self.put("<tween-ticker for=one src=/v1/tickers/moves></tween-ticker><i id=one>first</i><i id=two>second</i>")
        texts = "return [view.shadowRoot.querySelector('[part=value]').textContent, one.textContent, two.textContent].join()"
        self.until(f"{texts} === ',5,second'")
        self.run_script("view.setAttribute('for', 'two')")
        self.until(f"{texts} === ',first,5'")
        self.server.request("DELETE", "/v1/tickers/moves")
        self.until("return two.dataset.tweenStale === 'removed'")
        self.assertIsNone(self.run_script("return one.dataset.tweenStale ?? null"))
        self.run_script("view.removeAttribute('for')")
        self.until(f"{texts} === '5,first,second'")
        self.assertIsNone(self.run_script("return two.dataset.tweenStale ?? null"))
        self.run_script("view.setAttribute('for', 'one')")
        self.until(f"{texts} === ',5,second'")

    def test_an_element_that_a_ticker_writes_into_says_that_it_is_stale(self):
        self.server.post("ticker:into", label="0", to=5, duration=0)
        self.put("<tween-ticker for=there src=/v1/tickers/into></tween-ticker><li id=there>none</li>")
        self.until("return home.lastChild.textContent === '5'")
        self.server.request("DELETE", "/v1/tickers/into")
        self.until("return home.lastChild.dataset.tweenStale === 'removed'")


class FrameworkTest(ComponentTest):
    """What frameworks do with elements: set, move and drop them whenever it suits them."""

    topics = BindingTest.topics

    def test_properties_set_before_the_elements_are_defined_apply(self):
        self.server.post("ticker:early", label="0", to=5, duration=0)
        self.server.post("progress:early", current=25, duration=0)
        self.driver.get(self.server.url + "/healthz")
        self.run_script("""return (async () => {
            document.body.innerHTML = '<tween-ticker></tween-ticker><tween-progress></tween-progress>';
            const [ticker, progress] = document.body.children;
            Object.assign(ticker, {src: '/v1/tickers/early', pace: 'settled'});
            Object.assign(progress, {src: '/v1/progress/early', appearance: {shape: 'pie'}});
            window.shadow = document.createElement('div').attachShadow({mode: 'open'});
            shadow.append(document.createElement('tween-ticker'));
            shadow.firstChild.src = '/v1/tickers/early';
            document.body.append(shadow.host);
            await import('/embed.js');
            })()""")
        self.until("return [...document.body.children].slice(0, 2).every(({text}) => text) && shadow.firstChild.text === '5'")
        told = """const [ticker, progress] = document.body.children;
            return [ticker.getAttribute('src'), ticker.pace, Object.hasOwn(ticker, 'src'), progress.shape, progress.fraction]"""
        self.assertEqual(self.run_script(told), ["/v1/tickers/early", "settled", False, "pie", 0.25])

    def test_elements_added_moved_and_removed_in_one_turn_leave_no_topics(self):
        self.server.post("ticker:hasty", label="0", to=5, duration=0)
        self.put("<b></b>")
        self.run_script("""window.failures = []; addEventListener('error', ({message}) => failures.push(message));
            for (let n = 0; n < 50; n++) {
              const ticker = document.createElement('tween-ticker');
              home.append(ticker);
              ticker.src = '/v1/tickers/hasty';
              view.append(ticker);
              if (n) ticker.remove();
              const bound = document.createElement('i');
              bound.dataset.tween = '/v1/tickers/hasty';
              home.append(bound);
              bound.remove();
            }""")
        self.until("return view.firstChild.text === '5'")
        self.assertEqual(self.topics(), ["ticker/hasty"])
        self.run_script("view.firstChild.remove()")
        self.eventually(lambda: self.topics() == [])
        self.assertEqual(self.run_script("return failures"), [])

    def test_a_schedule_stands_alone(self):
        self.server.post("ticker:fed", label="0", to=0, duration=0)
        self.server.request("PUT", "/v1/schedules/tea", {
            "every": 3, "label": "tea in 3 s", "do": [{"ticker": "fed", "by": 1, "duration": 0}]})  # fmt: skip
        self.put("<tween-schedule src=/v1/schedules/tea>soon</tween-schedule>")
        self.run_script("""window.fired = []; view.addEventListener('fired', ({detail}) => fired.push(detail.schedule));""")
        self.until("return new Set(frames.map(({text}) => text)).size > 2 && fired.length", seconds=30)
        self.assertEqual(self.run_script("return [fired[0], view.shadowRoot.querySelector('[role=timer]').textContent === view.text]"),
                         ["tea", True])  # fmt: skip
        self.server.request("DELETE", "/v1/schedules/tea")
        self.until("return view.stale === 'removed'")


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
        self.calm(True)
        self.put(markup)
        self.run_script(look)
        self.until("return seen.length")
        self.assertEqual(self.run_script("return [...new Set(seen.map(([fraction]) => fraction))]"), [0.75])

    def test_an_element_out_of_sight_is_drawn_rarely_and_at_rest(self):
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
        self.assertGreater(told, drawn)


class MarqueeTest(ComponentTest):
    """Selection among anything, on pages of others."""

    def setUp(self):
        super().setUp()
        self.driver.get(self.server.url + "/healthz")
        self.run_script("""return (async () => {
            await import('/marquee.js');
            document.body.innerHTML = `<p id=beside>Text beside it</p><div id=margin style="padding: 60px">
              <tween-marquee items=li role=listbox style="width: 330px">
                <ul role=none style="display: flex; flex-wrap: wrap; list-style: none; padding: 0; gap: 10px"></ul>
              </tween-marquee></div><p style="height: 200vh"></p>`;
            window.marquee = document.querySelector('tween-marquee');
            for (let n = 0; n < 6; n++) {
              const item = document.createElement('li');
              Object.assign(item, {textContent: n, role: 'option', id: `i${n}`});
              item.style.cssText = 'width: 100px; height: 60px; background: #ccc';
              document.querySelector('ul').append(item);
            }
            window.told = [];
            marquee.addEventListener('tweenselect', ({detail}) => told.push(detail.selected.map(({id}) => id).join('')));
            })()""")

    def mouse(self, kind: str, point, modifiers: int = 0, pointer: str = "mouse"):
        pressed = kind != "mouseReleased"
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": point[0], "y": point[1], "button": "left",
            "buttons": int(pressed), "clickCount": 1, "modifiers": modifiers, "pointerType": pointer,
        })  # fmt: skip

    def at(self, name: str):
        return self.run_script("""const {left, top, width, height} = document.querySelector(`#${arguments[0]}`).getBoundingClientRect();
            return [Math.round(left + width / 2), Math.round(top + height / 2)]""", name)

    def drag(self, start, end, modifiers: int = 0, release: bool = True):
        self.mouse("mousePressed", start, modifiers)
        for point in ([(start[0] + end[0]) // 2, (start[1] + end[1]) // 2], end):
            self.mouse("mouseMoved", point, modifiers)
        if release:
            self.mouse("mouseReleased", end, modifiers)

    def click(self, name: str, modifiers: int = 0):
        point = self.at(name)
        self.mouse("mousePressed", point, modifiers)
        self.mouse("mouseReleased", point, modifiers)

    def selected(self) -> str:
        """Ids of what is selected, which its looks and its semantics say as well."""
        ids, marked, told = self.run_script("""const idsOf = (items) => [...items].map(({id}) => id).join('');
            return [idsOf(marquee.selected), idsOf(document.querySelectorAll('[data-selected]')),
              idsOf(document.querySelectorAll('[aria-selected=true]'))]""")
        self.assertEqual((ids, marked), (marked, told))
        return ids.replace("i", "")

    def test_clicks_and_rectangles_select_any_elements(self):
        for name, modifiers, selected in (
            ("i1", 0, "1"), ("i3", 2, "13"), ("i1", 2, "3"), ("i0", 0, "0"), ("i4", 8, "01234"), ("margin", 0, ""),
        ):  # fmt: skip
            self.click(name, modifiers) if name != "margin" else self.drag([20, 80], [20, 80])
            self.assertEqual(self.selected(), selected)
        first, last = self.at("i0"), self.at("i4")
        self.drag([first[0] - 90, first[1] - 50], last)
        self.assertEqual(self.selected(), "0134")
        self.drag(self.at("i1"), self.at("i2"), modifiers=2)
        self.assertEqual(self.selected(), "0234")
        self.assertEqual(self.run_script("return [told[0], told.at(-1)]"), ["i1", "i0i2i3i4"])
        self.drag(first, last, release=False)
        look = self.run_script("""const box = document.querySelector('.tween-rectangle'), style = getComputedStyle(box);
            return [box.matches(':popover-open'), style.position, style.pointerEvents, Math.round(box.getBoundingClientRect().left)]""")
        self.assertEqual(look, [True, "fixed", "none", first[0]])
        self.press(Keys.ESCAPE)
        self.assertEqual(self.selected(), "")
        self.assertEqual(self.run_script("return document.querySelectorAll('.tween-rectangle').length"), 0)
        self.mouse("mouseReleased", last)

    def test_text_beside_it_is_selected_as_ever(self):
        self.run_script("marquee.selected = [document.querySelector('#i5')]")
        x, y = self.at("beside")
        self.drag([10, y], [80, y])
        self.assertIn("ext b", self.run_script("return String(getSelection())"))
        self.assertEqual(self.selected(), "5")

    def test_a_finger_adds_and_takes_away(self):
        for name, selected in (("i1", "1"), ("i2", "12"), ("i1", "2")):
            self.touch("touchStart", self.at(name))
            self.touch("touchEnd")
            self.until_selected(selected)

    def test_a_finger_that_stays_draws_a_rectangle(self):
        self.touch("touchStart", self.at("i0"))
        self.until_selected("0")
        self.touch("touchMove", self.at("i2"))
        self.touch("touchMove", self.at("i4"))
        self.until_selected("0134")
        look = "return [document.querySelectorAll('.tween-rectangle').length, getComputedStyle(document.body).userSelect, scrollY]"
        self.assertEqual(self.run_script(look), [1, "none", 0])
        self.assertTrue(self.run_script("""const menu = new Event('contextmenu', {bubbles: true, cancelable: true});
            document.querySelector('#i4').dispatchEvent(menu); return menu.defaultPrevented"""))
        self.touch("touchEnd")
        self.until("return !document.querySelector('.tween-rectangle')")
        self.assertEqual((self.selected(), self.run_script(look)), ("0134", [0, "auto", 0]))
        self.assertFalse(self.run_script("""const menu = new Event('contextmenu', {bubbles: true, cancelable: true});
            document.querySelector('#i4').dispatchEvent(menu); return menu.defaultPrevented"""))

    def test_a_second_finger_neither_moves_the_rectangle_nor_begins_one(self):
        first, second, far = self.at("i0"), self.at("i5"), self.at("i1")
        self.touch("touchStart", first)
        self.until_selected("0")
        self.touch("touchStart", first, second)
        self.touch("touchMove", far, second)
        self.until_selected("01")
        # Nor does its going end one. The driver lifts all fingers at once: this is what the browser says of the second.
        self.run_script("""for (const name of ['pointerup', 'pointerleave'])
            document.documentElement.dispatchEvent(new PointerEvent(name, {bubbles: name === 'pointerup'}))""")
        self.touch("touchMove", self.at("i4"), second)
        self.until_selected("0134")
        self.touch("touchEnd")
        self.until("return !document.querySelector('.tween-rectangle')")
        self.assertEqual(self.selected(), "0134")
        # Once there is a rectangle, a second finger keeps its shape.
        self.run_script("marquee.selected = []")
        x, y = first
        self.touch("touchStart", first)
        self.until_selected("0")
        self.touch("touchMove", [x + 60, y + 30])
        self.until("return marquee.rectangle?.height === 30")
        self.touch("touchStart", [x + 60, y + 30], second)
        self.touch("touchMove", [x + 100, y + 10], second)
        self.until("return marquee.rectangle.width === 100 && marquee.rectangle.height === 50")
        self.touch("touchEnd")
        self.until("return !document.querySelector('.tween-rectangle') && marquee.rectangle === null")
        # Two that come and go before one of them has stayed long enough.
        self.run_script("""told.length = 0; marquee.selected = []; window.failures = 0;
            addEventListener('error', () => failures++)""")
        self.touch("touchStart", first)
        self.touch("touchStart", first, second)
        self.touch("touchCancel")
        self.run_script("return new Promise((done) => setTimeout(done, 500))")
        self.assertEqual((self.selected(), self.run_script("return failures")), ("", 0))

    def until_selected(self, names: str):
        self.until("return [...document.querySelectorAll('[data-selected]')].map(({id}) => id[1]).join('') === arguments[0]", names)

    def test_a_selection_set_before_marquee_is_defined_is_kept(self):
        self.driver.get(self.server.url + "/healthz")
        self.run_script("""document.body.innerHTML = '<tween-marquee items=p><p id=i0></p><p id=i1></p></tween-marquee>';
            window.marquee = document.querySelector('tween-marquee');
            marquee.selected = [document.querySelector('#i1')];
            return import('/marquee.js').then(() => {})""")
        self.until_selected("1")
        self.assertEqual(self.run_script("return marquee.selected.map(({id}) => id)"), ["i1"])

    def press(self, *keys, shift: bool = False, control: bool = False):
        actions = ActionChains(self.driver)
        held = [key for key, isHeld in ((Keys.SHIFT, shift), (Keys.CONTROL, control)) if isHeld]
        for key in held:
            actions.key_down(key)
        actions.send_keys(*keys)
        for key in held:
            actions.key_up(key)
        actions.perform()

    def test_the_keyboard_can_select_extend_and_clear_in_a_marquee(self):
        self.press(Keys.TAB)
        focused = "return document.activeElement.id"
        self.assertEqual(self.run_script(focused), "i0")
        self.press(Keys.ARROW_RIGHT, Keys.SPACE)
        self.assertEqual(self.selected(), "1")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.run_script(focused), "i4")
        self.press(Keys.ARROW_RIGHT, shift=True)
        self.assertEqual(self.selected(), "145")
        self.press("a", control=True)
        self.assertEqual(self.selected(), "012345")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.selected(), "")
        self.assertEqual(self.run_script("return document.querySelectorAll('[tabindex=\"0\"]').length"), 1)

    def test_removed_items_leave_the_selection_and_new_ones_can_be_selected(self):
        self.click("i2")
        self.run_script("document.querySelector('#i2').remove()")
        self.until("return told.at(-1) === ''")
        self.run_script("document.querySelector('ul').insertAdjacentHTML('beforeend', '<li id=i7 role=option style=\"width: 100px\">7</li>')")
        self.click("i7")
        self.assertEqual(self.selected(), "7")
        # Off the page it hears nothing; on it again, it does.
        self.run_script("const {parentNode} = marquee; marquee.remove(); window.home = parentNode; told.length = 0")
        self.mouse("mousePressed", [100, 150])
        self.mouse("mouseReleased", [100, 150])
        self.run_script("home.append(marquee)")
        self.click("i0")
        self.assertEqual(self.selected(), "0")
        self.assertEqual(self.run_script("return told"), ["i0"])
        # One that is not put back is gone: nothing of the page holds it.
        self.run_script("marquee.remove(); window.weak = new WeakRef(marquee); marquee = null")

        def is_gone():
            self.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
            return self.run_script("return weak.deref() === undefined")

        self.eventually(is_gone)

    def test_a_marquee_works_in_a_shadow_root(self):
        self.run_script("""const host = document.createElement('div');
            document.querySelector('#margin').append(host);
            const root = host.attachShadow({mode: 'open'});
            root.append(marquee);""")
        point = self.run_script("""const {left, top} = marquee.querySelector('#i3').getBoundingClientRect(); return [left + 50, top + 30]""")
        self.drag([point[0] - 95, point[1]], point)
        self.assertEqual(self.run_script("return marquee.selected.map(({id}) => id)"), ["i3"])
        outline = "return getComputedStyle(marquee.querySelector('#i3')).outlineStyle"
        self.assertEqual(self.run_script(outline), "solid")
