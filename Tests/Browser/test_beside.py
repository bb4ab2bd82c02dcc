"""What stands beside the number of a card: its change, where it goes, its tools."""

from selenium.webdriver import ActionChains

from browser import BrowserTest


class BesideTest(BrowserTest):
    def text(self, card, part: str) -> str:
        return self.run_script("return arguments[0].querySelector(arguments[1]).textContent", card, part)

    def test_a_page_that_comes_on_the_way_of_a_progress_tells_the_whole_change(self):
        for name, start, fields in (("fresh", 0, {}), ("again", 200, {}), ("down", 900, {"easing": "linear"})):
            with self.subTest(name=name):
                key = f"progress:midway-{name}"
                target = 1000 - start if name == "down" else 1000
                self.server.post(key, current=start, maximum=2000, duration=0)
                self.server.post(key, current=target, duration=600, **fields)
                self.server.post(key, "seek", fraction=0.5)
                self.visit(f"/?q=midway-{name}")
                card = self.see(key)
                self.until("return arguments[0].card.isInMotion", card)
                self.server.post(key, "finish")
                sign = "▲ +" if target > start else "▼ -"
                self.eventually(lambda card=card: self.text(card, ".note") == "now")
                self.assertEqual(self.text(card, ".delta"), f"{sign}{abs(target - start):,}")

    def test_the_delta_beside_a_repeating_number_follows_its_direction(self):
        cycle = {"from": 0, "to": 100, "duration": 0.8, "repeat": "forever", "label": "Load: $0.00", "easing": "linear"}
        self.server.post("ticker:cycle-over", **cycle)
        self.server.post("ticker:cycle-back", **cycle, autoreverse=True)
        self.visit("/?q=cycle")
        cards = [self.see(f"ticker:cycle-{name}") for name in ("over", "back")]
        self.until("return [...arguments].every(({card}) => card.iteration)", *cards)
        seen = self.driver.execute_async_script("""const [cards, done] = arguments, seen = [[], []];
            const read = (card, part) => card.querySelector(part).textContent;
            const look = () => {
              cards.forEach((card, at) => seen[at].push([card.card.data.value, read(card, '.delta'), read(card, '.note')]));
              if (seen[0].length < 200) requestAnimationFrame(look); else done(seen);
            };
            look()""", cards)
        # It follows within a tenth of a second, in which a number goes an eighth of its way.
        for name, frames in zip(("over", "back"), seen):
            for value, delta, note in frames:
                with self.subTest(name=name, value=value, delta=delta, note=note):
                    change = float(delta[2:] or 0)
                    origin = 100 if note == "→ $0" else 0
                    self.assertLess(abs(origin + change - value), 35)
                    self.assertTrue(change * (1 if origin == 0 else -1) >= 0)
        self.assertEqual({note for *_, note in seen[0]}, {"→ $100"})
        self.assertEqual({note for *_, note in seen[1]}, {"→ $100", "→ $0"})

    def test_the_tools_of_a_card_cover_nothing(self):
        self.server.post("ticker:tooled", label="$0.00", to=10, duration=0)
        self.server.post("progress:tooled", current=3, maximum=4, duration=0, appearance={"shape": "ring"})
        for layout in ("cards", "rows"):
            for key in ("ticker:tooled", "progress:tooled"):
                with self.subTest(layout=layout, key=key):
                    self.visit(f"/?q=tooled&layout={layout}")
                    card = self.see(key)
                    self.server.post(key, by=0.1, duration=0.1)
                    ActionChains(self.driver).move_to_element(card).perform()
                    self.until("return getComputedStyle(arguments[0].querySelector('.tools')).opacity === '1'", card)
                    self.until("return arguments[0].querySelector('.note').textContent === 'now'", card)
                    covered = self.run_script("""const [card] = arguments, box = (part) => {
                          const range = document.createRange();
                          range.selectNodeContents(card.querySelector(part));
                          return range.getBoundingClientRect();
                        };
                        const tools = card.querySelector('.tools').getBoundingClientRect();
                        const others = ['.delta', '.note', '.spark', '.stage', 'h3'].map((part) => [part, box(part)]);
                        return others.filter(([, {left, top, right, bottom}]) => left < tools.right - 1 && right > tools.left + 1
                          && top < tools.bottom - 1 && bottom > tools.top + 1).map(([part]) => part)""", card)
                    self.assertEqual(covered, [])
