"""One page in Chromium with an element for each scenario, and what each draws."""

from driver import Chromium
from factors import DRAWN, Scenario

# All that it shows is in sight: what isn't, isn't drawn.
SIZE = {"width": 1600, "height": 1400}

# What an element draws: its words, and of each wheel the digit that fills its window, or `½` where none does.
DRAWN_NOW = """
const DRAWN_NOW = (element) => {
  const part = element.valuePart ?? element;
  const face = (wheel) => {
    const digit = wheel.querySelector('.digit');
    if (!wheel.matches('.rolling')) return digit.textContent;
    const faces = [...part.style.getPropertyValue('--faces').replace(/\\\\a |"/g, '')];
    const window = wheel.querySelector('.window').getBoundingClientRect();
    const strip = wheel.querySelector('.strip').getBoundingClientRect();
    const row = ((window.top + window.bottom) / 2 - strip.top) / (strip.height / faces.length) - 0.5;
    return Math.abs(row - Math.round(row)) < 0.2 ? faces[Math.round(row)] ?? '?' : '½';
  };
  const said = (piece) => piece.matches('.absent') ? piece.dataset.text : piece.textContent;
  return part.children.length
    ? [...part.children].map((piece) => piece.matches('.wheel') ? face(piece) : said(piece)).join('')
    : part.textContent;
};
"""

SET_UP = (
    DRAWN_NOW
    + """
window.DRAWN_NOW = DRAWN_NOW;
window.told = {};
window.boards = [window];
window.place = document.createElement('div');
place.style.cssText = 'position: fixed; inset: 0 0 0 50%; padding: 4px; background: white; columns: 2; z-index: 9;'
  + 'font: 14px/1.3 sans-serif; color: black';
document.body.append(place);
const done = arguments[0];
import(new URL('/embed.js', location.href)).then(() => done());
"""
)

PUT = """
for (const [id, tag, attributes] of arguments[0]) {
  const line = document.createElement('div'), element = document.createElement(tag);
  for (const [name, value] of attributes) element.setAttribute(name, value);
  element.id = id;
  told[id] = [];
  element.addEventListener('tweenframe', ({detail}) => told[id].push([detail.value, detail.text]));
  line.append(element);
  place.append(line);
}
"""

# A board in a window of its own: one that is opened later is to know nothing of before.
OPEN_BOARD = "boards.push(open(arguments[0], 'late', 'width=800,height=900'))"
CLOSE_BOARDS = "while (window.boards?.length > 1) boards.pop().close()"

FIND = """
const find = (id) => {
  const own = document.getElementById(id);
  if (own) return [own, null];
  for (const board of boards) {
    const place = board.document?.querySelector(`.card[data-key$=":${id}"]`);
    // A board has all cards, those that it doesn't show as well.
    if (place?.card && !place.hidden) return [place.card.view, place.card];
  }
  return [null, null];
};
"""

READ = (
    FIND
    + """
return arguments[0].map((id) => {
  const [element, card] = find(id);
  if (!element) return null;
  return {
    shown: DRAWN_NOW(element), text: element.text ?? '', stale: element.stale ?? element.dataset.tweenStale ?? null,
    delta: card?.delta.textContent ?? null, told: told[id] ?? [],
  };
});
"""
)


class Page:
    """What a wave of scenarios has on the screen."""

    def __init__(self):
        self.driver = Chromium(**SIZE)

    def begin(self, url: str, scenarios: list[Scenario]):
        """A board with the cards, and place for the elements; what is late comes when it is put there."""
        self.driver.execute_script(CLOSE_BOARDS)
        self.driver.get(url + board([one for one in scenarios if one.row["drawn"] == "card"]))
        self.driver.execute_async_script(SET_UP)
        self.put([one for one in scenarios if not one.is_late])

    def put(self, scenarios: list[Scenario]):
        """Adds what shows them."""
        self.driver.execute_script(PUT, [_element(one) for one in scenarios if not one.row["drawn"].endswith("card")])
        if cards := [one for one in scenarios if one.row["drawn"] == "late card"]:
            self.driver.execute_script(CLOSE_BOARDS)
            self.driver.execute_script(OPEN_BOARD, board(cards))
            own = self.driver.current_window_handle
            self.driver.switch_to.window(next(each for each in self.driver.window_handles if each != own))
            self.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", SIZE | {"deviceScaleFactor": 1, "mobile": False}
            )
            self.driver.switch_to.window(own)

    def read(self, scenarios: list[Scenario]) -> list[dict | None]:
        """What each draws now; None where nothing does."""
        return self.driver.execute_script(READ, [one.id for one in scenarios])

    def close(self):
        self.driver.quit()


def board(scenarios: list[Scenario]) -> str:
    """The address of one with their cards, and no others."""
    return f"/?layout=rows&kiosk=1&cards={','.join(one.topic for one in scenarios) or 'none'}"


def _element(one: Scenario) -> list:
    """Its id, name and attributes."""
    if one.row["drawn"] == "span":
        return [one.id, "span", [["data-tween", one.path]]]
    name = "tween-progress" if one.label.kind == "progress" else "tween-ticker"
    pairs = [part.partition("=")[::2] for part in DRAWN[one.row["drawn"]].split()]
    return [one.id, name, [["src", one.path], *pairs]]
