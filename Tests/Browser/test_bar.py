"""The bar on a phone: one line in each language and font, whatever it tells of the connection."""

import itertools

from test_layouts import LayoutTest

# What a page may be drawn in, and the package that has it. DejaVu, the widest, is all that a bare Debian has.
FONTS = {"DejaVu Sans": "fonts-dejavu-core", "Liberation Sans": "fonts-liberation", "Noto Sans": "fonts-noto-core"}
NAMES = {"en": ["Inspect", "Settings", "Sign out"], "de": ["Untersuchen", "Einstellungen", "Abmelden"]}
STATES = [
    ["live", "Live, {rate} Hz"], ["live", "Connected"], ["connecting", "Connecting…"], ["connecting", "Reconnecting…"],
    ["unauthorized", "Not signed in"], ["forbidden", "Nothing to show: {detail}"],
]

# Has the bar tell each of these in turn, with *Sign out* or without, and gives where its parts are then. Servers that bring all
# of them about would take minutes.
MEASURE = """
const [states, isSignedIn, done] = arguments;
const bar = document.querySelector('.bar'), connection = document.querySelector('#connection');
document.querySelector('#signout').hidden = !isSignedIn;
import('/js/i18n.js').then(({translate}) => done(states.map(([state, text]) => {
  connection.dataset.state = state;
  connection.textContent = translate(text, {rate: 120, detail: 'this token may not listen to any of these topics'});
  const parts = [...bar.children].filter((part) => part.checkVisibility()).map((part) => {
    const {left, top, width, height} = part.getBoundingClientRect();
    return {id: part.id, tag: part.localName, left, width, height, middle: top + height / 2};
  });
  return {state, text: connection.textContent, parts, height: bar.offsetHeight, across: document.documentElement.scrollWidth,
    isCut: connection.scrollWidth > connection.clientWidth};
})));
"""


class BarTest(LayoutTest):
    def setUp(self):
        super().setUp()
        # Fingers are given larger buttons.
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})

    def open(self, language: str, font: str):
        """The page in a language and a font, which is seen to be the one."""
        self.visit(f"/?lang={language}")
        self.run_script("""const sheet = new CSSStyleSheet();
            sheet.replaceSync(`* { font-family: "${arguments[0]}" !important; }`);
            document.adoptedStyleSheets = [sheet];
            // Which font is used is known once there is a layout.
            return document.body.offsetHeight""", font)
        for domain in ("DOM", "CSS"):
            self.driver.execute_cdp_cmd(f"{domain}.enable", {})
        root = self.driver.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]
        node = self.driver.execute_cdp_cmd("DOM.querySelector", {"nodeId": root, "selector": "footer a"})
        used = [each["familyName"] for each in self.driver.execute_cdp_cmd("CSS.getPlatformFontsForNode", node)["fonts"]]
        self.assertEqual(used, [font], f"without {font} this can't be tested: apt-get install {FONTS[font]}")

    def assertOneLine(self, told: dict, width: int):
        middles = [part["middle"] for part in told["parts"]]
        self.assertLess(max(middles) - min(middles), 3, told)
        # A button's 44 pixels and the room around it.
        self.assertLess(told["height"], 60, told)
        self.assertLessEqual(told["across"], width, told)
        end = 0
        for part in told["parts"]:
            self.assertGreaterEqual(part["left"], end, told)
            end = part["left"] + part["width"]
        self.assertLessEqual(end, width, told)

    def assertReachable(self, told: dict, count: int):
        controls = [part for part in told["parts"] if part["tag"] in ("button", "select")]
        self.assertEqual(len(controls), count, told)
        for control in controls:
            self.assertGreaterEqual(min(control["width"], control["height"]), 44, control)

    def test_the_header_bar_is_one_line_in_every_connection_state(self):
        for width, language, font, signed in itertools.product((390, 360, 320), NAMES, FONTS, (False, True)):
            with self.subTest(width=width, language=language, font=font, signed=signed):
                self.resize(width, mobile=True)
                self.open(language, font)
                for told in self.driver.execute_async_script(MEASURE, STATES, signed):
                    with self.subTest(width=width, language=language, font=font, signed=signed, text=told["text"]):
                        self.assertOneLine(told, width)
                        self.assertReachable(told, 4 if signed else 3)
                        # A refusal may be long, and stands on the board, too.
                        if told["state"] != "forbidden" and width >= (390 if signed else 360):
                            self.assertFalse(told["isCut"], told)

    def test_a_button_that_is_a_sign_keeps_its_name(self):
        self.resize(390, mobile=True)
        for language, names in NAMES.items():
            with self.subTest(language=language):
                self.visit(f"/?lang={language}")
                self.run_script("document.querySelector('#signout').hidden = false")
                buttons = self.driver.find_elements("css selector", ".bar button")
                self.assertEqual([button.accessible_name for button in buttons], names)
                for button in buttons:
                    self.assertTrue(button.find_element("css selector", "svg").is_displayed())

    def test_an_error_in_the_header_bar_has_a_line_of_its_own(self):
        self.resize(390, mobile=True)
        self.open("de", "DejaVu Sans")
        self.run_script("document.querySelector('.bar [role=alert]').textContent = arguments[0]", "Keine Verbindung " * 5)
        [told] = self.driver.execute_async_script(MEASURE, STATES[:1], True)
        *line, alert = sorted(told["parts"], key=lambda part: part["middle"])
        self.assertEqual((alert["tag"], alert["left"], alert["width"]), ("p", 12, 390 - 24))
        self.assertOneLine({**told, "parts": sorted(line, key=lambda part: part["left"]), "height": 0}, 390)
