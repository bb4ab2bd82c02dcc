"""What is drawn, and how often: nothing that nobody sees, nothing twice, and never more than leaves the page time."""

from browser import BrowserTest

COUNT = 80

# Counts what the views of some cards take.
TALLY = """
window.taken = {};
for (const key of arguments) {
  const {view} = document.querySelector(`[data-key='${key}']`).card;
  taken[key] = 0;
  view.addEventListener('tweenframe', () => taken[key]++);
}
"""


class DrawingTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.names = [f"card-{number:02}" for number in range(COUNT)]
        self.move(self.names)
        self.visit()
        self.until("return document.querySelectorAll('.card').length >= arguments[0]", COUNT)

    def move(self, names: list[str]):
        lines = [{"ticker": name, "label": "0.00", "from": 0, "to": 100, "duration": 1000} for name in names]
        self.server.request("POST", "/v1/batch", lines)

    def taken(self, key: str) -> int:
        return self.run_script("return taken[arguments[0]]", key)

    def test_a_card_out_of_sight_is_drawn_rarely_and_at_once_when_scrolled_to(self):
        first, last = f"ticker:{self.names[0]}", f"ticker:{self.names[-1]}"
        self.see(first)
        self.until(
            """const isVisible = (key) => document.querySelector(`[data-key='${key}']`).card.isVisible;
            return isVisible(arguments[0]) && !isVisible(arguments[1])""",
            first,
            last,
        )
        self.run_script(TALLY, first, last)
        self.until("return taken[arguments[0]] >= 150 && taken[arguments[1]]", first, last, seconds=60)
        self.assertLess(self.taken(last), self.taken(first) / 10)
        # One that rests is told of, too.
        self.server.post(last, to=7, duration=0)
        self.until("return document.querySelector(`[data-key='${arguments[0]}']`).card.data.value === 7", last)
        self.move([self.names[-1]])
        before = self.taken(last)
        self.see(last)
        self.until("return taken[arguments[0]] > arguments[1] + 20", last, before, seconds=30)

    def test_a_frame_writes_only_style_class_and_text_that_changed(self):
        key = f"ticker:{self.names[0]}"
        self.see(key)
        self.run_script(TALLY, key)
        self.run_script(
            """const {view} = document.querySelector(`[data-key='${arguments[0]}']`).card;
            window.written = [];
            new MutationObserver((all) => written.push(...all.map(({attributeName}) => attributeName)))
              .observe(view.shadowRoot, {subtree: true, attributes: true})""",
            key,
        )
        self.until("return taken[arguments[0]] >= 30", key, seconds=30)
        # What is read aloud is written once a second.
        self.assertLessEqual(set(self.run_script("return written")), {"style", "class", "data-text"})

    def test_drawing_leaves_the_page_half_of_its_time(self):
        self.run_script(
            """return import('/js/frame-scheduler.js').then(({FrameScheduler}) => {
              window.drawn = 0;
              window.scheduler = new FrameScheduler(() => {
                drawn++;
                for (const start = performance.now(); performance.now() - start < 200;);
              });
            })"""
        )
        self.run_script("scheduler.request(); scheduler.request(); scheduler.request()")
        self.until("return scheduler.due")
        self.assertEqual(self.run_script("return drawn"), 1)
        # A fifth of a second is more than half of the screen's next two frames: it waits for the third, and no longer.
        self.run_script("scheduler.isRequested = true; scheduler.due = 0; scheduler.begin(1000)")
        self.until("return scheduler.due")
        self.assertEqual(self.run_script("return [drawn, scheduler.due]"), [2, 1045])
        early, late = self.run_script(
            """scheduler.isRequested = true;
            scheduler.due = performance.now() + 1e9;
            scheduler.begin(scheduler.due - 1);
            const early = drawn;
            scheduler.begin(scheduler.due);
            return [early, drawn];"""
        )
        self.assertEqual((early, late), (2, 3))
