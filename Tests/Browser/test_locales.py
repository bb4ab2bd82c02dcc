"""Elements in a locale of their own, an address on the wrong server, and what a stale number looks like."""

from browser import BrowserTest
from ports import free_port
from test_embedding import Elsewhere

PORT = free_port()
TEXTS = "return [...document.querySelectorAll('[data-is]')].map((place) => place.text ?? place.textContent)"


class LocaleTest(Elsewhere):
    flags = ("--cors-read-origin", "*")
    port = PORT
    # The page's own server has no streams.
    posts = {"/v1/events": lambda _: None}

    def setUp(self):
        super().setUp()
        self.server.post("ticker:revenue", label="$1,204.50", to="5000.25", duration=0)

    def place(self, body: str, lang: str = "en"):
        self.driver.get(self.serve(f"""<!doctype html><html lang={lang}><script type=module src="{self.server.url}/embed.js"></script>{body}"""))

    def shown(self, *texts: str):
        self.eventually(lambda: self.run_script(TEXTS) == list(texts))

    def warnings(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "WARNING"]

    def test_an_element_is_in_its_own_locale_or_that_of_its_address_or_of_its_page(self):
        src = f"{self.server.url}/v1/tickers/revenue"
        self.place(f"""
            <tween-ticker data-is src={src}>0</tween-ticker>
            <tween-ticker data-is locale=de-DE src={src}>0</tween-ticker>
            <tween-ticker data-is src={src}?locale=de-DE>0</tween-ticker>
            <tween-ticker data-is locale src={src}>0</tween-ticker>
            <p lang=ar-EG><tween-ticker data-is locale mode=motion src={src}>0</tween-ticker></p>
            <b data-is data-tween={src} data-tween-locale=de-DE>0</b>""", lang="de")
        self.shown("$5,000.25", "$5.000,25", "$5.000,25", "$5.000,25", "$٥٬٠٠٠٫٢٥", "$5.000,25")
        self.server.post("ticker:revenue", to="6000.25", duration=0.3)
        self.shown("$6,000.25", "$6.000,25", "$6.000,25", "$6.000,25", "$٦٬٠٠٠٫٢٥", "$6.000,25")
        self.run_script("document.querySelector('[locale=de-DE]').setAttribute('locale', 'en-US')")
        self.shown("$6,000.25", "$6,000.25", "$6.000,25", "$6.000,25", "$٦٬٠٠٠٫٢٥", "$6.000,25")
        self.assertEqual(self.warnings(), [])

    def test_a_locale_without_data_is_warned_of_once_and_shows_what_was_posted(self):
        src = f"{self.server.url}/v1/tickers/revenue"
        self.place(f"<tween-ticker data-is locale=xx src={src}>0</tween-ticker>" * 2)
        self.shown("$5,000.25", "$5,000.25")
        self.server.post("ticker:revenue", to="7000.25", duration=0.3)
        self.shown("$7,000.25", "$7,000.25")
        [warning] = self.warnings()
        self.assertIn("xx", warning)
        self.assertIn("as they were posted", warning)

    def test_an_address_on_the_pages_own_server_is_warned_of_once_with_the_cure(self):
        self.place("<tween-ticker src=/v1/tickers/revenue>0</tween-ticker><b data-tween=/v1/tickers/revenue>0</b>")
        warnings = []
        self.eventually(lambda: warnings.extend(self.warnings()) or warnings)
        [warning] = [text for text in warnings if "embed.js" in text]
        self.assertIn(f"{self.server.url}/v1/tickers/revenue", warning)


class StaleTest(BrowserTest):
    def test_a_stale_number_can_be_read_in_both_themes(self):
        self.server.post("ticker:gone", label="0", to=5, duration=0)
        for theme in ("light", "dark"):
            with self.subTest(theme=theme):
                self.theme(theme)
                self.visit()
                card = self.card("ticker:gone")
                ratio = self.run_script("""const [card] = arguments, view = card.querySelector('tween-ticker');
                    view.setAttribute('stale', 'missing');
                    const parse = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
                    const {opacity} = getComputedStyle(view.valuePart);
                    const ground = parse(getComputedStyle(card).backgroundColor);
                    const ink = parse(getComputedStyle(view.valuePart).color)
                      .map((part, at) => part * opacity + ground[at] * (1 - opacity));
                    const light = (parts) => parts.map((part) => part / 255)
                      .map((part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
                      .reduce((sum, part, at) => sum + part * [.2126, .7152, .0722][at], 0);
                    const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
                    return (high + .05) / (low + .05);""", card)
                self.assertGreaterEqual(ratio, 4.5)
