"""What of WCAG 2.2 AA a browser can measure: places, sizes and colours of what is on the page."""

from selenium.webdriver import ActionChains, Keys

from browser import BrowserTest

# Shows every tool, as hovering does, and gives the controls a pointer can aim at. What sticks to the window's edge is put
# where it belongs: from beneath it the page can be scrolled.
TARGETS = """
document.querySelector('#dock').style.position = 'static';
for (const tool of document.querySelectorAll('.tools, .pick')) tool.style.opacity = 1;
return [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((control) =>
  control.checkVisibility()).map((control) => {
    const {left, top, width, height} = (control.closest('label.row') ?? control).getBoundingClientRect();
    return [control.outerHTML.slice(0, 90), left, top, width, height];
  });
"""

# Contrast of two colours as WCAG computes it; a canvas turns any CSS colour into sRGB over what lies below.
CONTRAST = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const paint = (...colours) => {
  for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
};
const contrast = (above, ...below) => {
  const [low, high] = [paint(...below), paint(...below, above)].sort((a, b) => a - b);
  return (high + .05) / (low + .05);
};
const ground = (element) => {
  const all = [];
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) all.unshift(getComputedStyle(at).backgroundColor);
  return all;
};
"""


class GuidelineTest(BrowserTest):
    flags = ("--demo",)

    def resize(self, width: int, height: int = 900):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def open(self, query: str = ""):
        self.visit(f"/{query}")
        self.card("ticker:preset-linear")
        self.card("progress:download")

    def inspect(self):
        self.driver.find_element("id", "inspect").click()
        card = self.card("ticker:preset-linear")
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", card)
        ActionChains(self.driver, duration=0).double_click(card).perform()
        self.until("return document.querySelectorAll('.inspector .row').length > 5")

    def assertLargeEnough(self):
        """24 px each way, or a circle of 24 px around it that touches no other target (2.5.8)."""
        targets = self.run_script(TARGETS)
        self.assertGreater(len(targets), 20)
        for index, (name, left, top, width, height) in enumerate(targets):
            if width >= 24 and height >= 24:
                continue
            x, y = left + width / 2, top + height / 2
            for other, (near, a, b, w, h) in enumerate(targets):
                if other != index:
                    away = max(a - x, 0, x - a - w) ** 2 + max(b - y, 0, y - b - h) ** 2
                    self.assertGreaterEqual(away, 12**2, f"{name} is {width} x {height}, beside {near}")

    def test_every_target_is_24_pixels_or_stands_alone(self):
        for width in (320, 1280):
            with self.subTest(width=width):
                self.resize(width)
                self.open()
                self.run_script("document.querySelector('tween-marquee').select(['ticker:preset-linear'])")
                self.assertLargeEnough()
        self.inspect()
        self.assertLargeEnough()

    def test_the_focused_control_is_never_covered(self):
        """2.4.11, with the bar of a selection and without it, and with the inspector over a small window."""
        for width, state in ((1280, ""), (1280, "chosen"), (390, "chosen"), (700, "inspected")):
            with self.subTest(width=width, state=state):
                self.resize(width, 700)
                self.open()
                if state == "chosen":
                    self.run_script("document.querySelector('tween-marquee').select(['ticker:preset-linear'])")
                if state == "inspected":
                    self.inspect()
                self.run_script("document.activeElement.blur(); scrollTo(0, 0)")
                for _ in range(70):
                    ActionChains(self.driver).send_keys(Keys.TAB).perform()
                    # What counts is where it is when it receives the focus. The demo's cards come and go, and may push it
                    # under a bar just then: it receives the focus anew.
                    self.until("""const at = document.activeElement;
                        if (at === document.body) return true;
                        const {left, top, width, height} = at.getBoundingClientRect();
                        for (const x of [.1, .5, .9]) for (const y of [.2, .5, .8]) {
                          const seen = document.elementFromPoint(left + x * width, top + y * height);
                          if (seen && (at.contains(seen) || seen.contains(at) || at.labels?.[0]?.contains(seen))
                            && seen.localName !== 'body') return true;
                        }
                        at.blur();
                        at.focus();
                        return false;""")

    def test_the_focus_is_two_pixels_wide_and_stands_out(self):
        for theme in ("light", "dark"):
            self.theme(theme)
            self.open()
            for selector in ("#inspect", "[name=q]", "#send .primary", ".pick", ".tools input", ".tools button", "#pace"):
                with self.subTest(theme=theme, selector=selector):
                    width, ratio = self.run_script(
                        CONTRAST + """
                        const at = document.querySelector(arguments[0]);
                        at.focus({focusVisible: true});
                        const style = getComputedStyle(at);
                        return [parseFloat(style.outlineWidth), contrast(style.outlineColor, ...ground(at.parentElement))];""",
                        selector,
                    )
                    self.assertGreaterEqual(width, 2)
                    self.assertGreaterEqual(ratio, 3)

    def test_edges_of_controls_and_pictures_stand_out(self):
        """1.4.11: what tells a control or a value apart has 3 to 1 against its neighbour."""
        for theme in ("light", "dark"):
            self.theme(theme)
            self.open()
            self.open_form()
            self.see("progress:disk")
            self.until("return document.querySelector(`[data-key='progress:disk'] tween-progress`).shadowRoot.querySelector('.edge')")
            ratios = self.run_script(
                CONTRAST + """
                const found = {};
                for (const control of document.querySelectorAll('input:not([type=range], [type=radio]), select, textarea')) {
                  // One with a text and a sign of its own needs no edge.
                  if (!control.checkVisibility() || control.matches('#view select')) continue;
                  found[control.outerHTML.slice(0, 60)] = contrast(getComputedStyle(control).borderTopColor, ...ground(control.parentElement));
                }
                for (const sign of document.querySelectorAll('.tools svg')) {
                  found[sign.parentElement.title] = contrast(getComputedStyle(sign).fill, ...ground(sign.parentElement));
                }
                const bar = document.querySelector(`[data-key='progress:download'] tween-progress`).shadowRoot.querySelector('.fill');
                const pie = document.querySelector(`[data-key='progress:disk'] tween-progress`).shadowRoot;
                found.bar = contrast(getComputedStyle(bar).backgroundColor, ...ground(bar.parentElement));
                found.edge = contrast(getComputedStyle(pie.querySelector('.edge')).stroke, ...ground(pie.host));
                found.curve = contrast(getComputedStyle(document.querySelector('.graph path:last-child')).stroke, ...ground(document.querySelector('.graph')));
                return found;"""
            )
            self.assertGreater(len(ratios), 12)
            for name, ratio in ratios.items():
                with self.subTest(theme=theme, name=name):
                    self.assertGreaterEqual(ratio, 3)

    def test_text_stands_out_in_both_themes(self):
        for theme in ("light", "dark"):
            self.theme(theme)
            self.open()
            ratios = self.run_script(
                CONTRAST + """
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = {};
                while (walker.nextNode()) {
                  const {parentElement: at, data} = walker.currentNode;
                  if (!data.trim() || !at.checkVisibility() || at.closest('.spoken, option, script')) continue;
                  found[data.trim().slice(0, 40)] = contrast(getComputedStyle(at).color, ...ground(at));
                }
                return found;"""
            )
            self.assertGreater(len(ratios), 30)
            for text, ratio in ratios.items():
                with self.subTest(theme=theme, text=text):
                    self.assertGreaterEqual(ratio, 4.5)

    def test_a_card_stands_out_from_the_page_in_the_dark(self):
        self.theme("dark")
        self.open()
        ratio = self.run_script(CONTRAST + """
            const colour = (element) => getComputedStyle(element).backgroundColor;
            return contrast(colour(document.querySelector('.card')), colour(document.body));""")
        self.assertGreater(ratio, 1.07)

    def test_wider_spaced_text_is_not_cut_off(self):
        """1.4.12: lines 1.5, letters .12 em, words .16 em, paragraphs 2 em; at 320 px, where it is tightest (1.4.10)."""
        for width in (320, 1280):
            with self.subTest(width=width):
                self.resize(width)
                self.open()
                # Cards out of sight are laid out by a guess until they are looked at.
                self.run_script("""for (const card of document.querySelectorAll('.card')) card.style.contentVisibility = 'visible';
                  for (const element of document.querySelectorAll('body *')) {
                    for (const [name, value] of [['line-height', '1.5'], ['letter-spacing', '.12em'], ['word-spacing', '.16em']]) {
                      element.style.setProperty(name, value, 'important');
                    }
                    if (element.localName === 'p') element.style.setProperty('margin-bottom', '2em', 'important');
                  }""")
                cut = self.run_script("""return [...document.querySelectorAll('body *')].filter((element) => {
                    const {overflowX, overflowY} = getComputedStyle(element);
                    return element.checkVisibility() && !element.matches('.spoken, option, svg *, select, [type=search], [name=label]')
                      && ((overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1)
                        || (overflowY !== 'visible' && overflowY !== 'auto' && element.scrollHeight > element.clientHeight + 1));
                  }).map((element) => element.outerHTML.slice(0, 80))""")
                self.assertEqual(cut, [])
                wide = self.run_script("""return document.documentElement.scrollWidth <= innerWidth ? [] :
                    [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth)
                      .map((element) => element.outerHTML.slice(0, 80))""")
                self.assertEqual(wide, [])
                overlap = self.run_script("""return [...document.querySelectorAll('.card')].filter((card) =>
                    card.scrollHeight > card.clientHeight + 1).map((card) => card.dataset.key ?? card.id)""")
                self.assertEqual(overlap, [])

    def test_all_that_is_dragged_can_be_done_by_keys_or_clicks(self):
        """2.5.7: seeking by keys and by one click, choosing cards by their boxes."""
        self.server.post("ticker:dragged", label="0", to=0, duration=0)
        self.server.post("ticker:dragged", to=1000, duration=600)
        self.open()
        card = self.card("ticker:dragged")
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", card)
        ActionChains(self.driver).move_to_element(card).perform()
        seek = card.find_element("css selector", ".tools input")
        self.until("return !arguments[0].disabled", seek)
        # What is read while a seek is under way comes late, and is older than the seek's own answer.
        self.run_script("""const real = fetch; window.fetch = (path, options) => options ? real(path, options)
            : real(path).then((answer) => new Promise((give) => setTimeout(give, 500, answer)))""")
        ActionChains(self.driver).move_to_element(seek).click().perform()
        self.eventually(lambda: 400 < self.server.get("ticker:dragged")["value"] < 600)
        before = self.server.get("ticker:dragged")["value"]
        seek.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.eventually(lambda: self.server.get("ticker:dragged")["value"] > before + 10)
        self.until("return arguments[0].value > 0.5", seek)
        pick = card.find_element("css selector", ".pick")
        pick.click()
        self.assertIn("1 selected", self.driver.find_element("id", "selection").text)

    def test_changes_of_state_are_announced_in_live_regions(self):
        """4.1.3: connection, refusals, selection and values at rest sit in live regions that were there before."""
        self.open()
        regions = self.run_script("""return ['#connection', '#problem', '#selection output', '#spoken'].map((selector) => {
            const region = document.querySelector(selector);
            return region.role ?? region.ariaLive ?? region.localName; })""")
        self.assertEqual(regions, ["status", "alert", "output", "polite"])
        focus = "return document.activeElement.id"
        self.driver.find_element("id", "inspect").send_keys(Keys.NULL)
        self.run_script("document.querySelector('#take').focus(); document.querySelector('tween-marquee').select(['ticker:preset-linear'])")
        self.until("return document.querySelector('#selection output').textContent === '1 selected'")
        self.assertEqual(self.run_script(focus), "take")

    def test_the_focus_comes_back_when_the_inspector_closes(self):
        self.open()
        self.inspect()
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        self.until("return document.activeElement.id === 'inspect'")
