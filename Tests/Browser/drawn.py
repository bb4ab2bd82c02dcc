"""What a wheel shows, for scripts of tests."""

# The digit nearest to the middle of a wheel's window, or that of the text where no window is open; a dot where two are as
# near, as far as a style tells, which has six digits, and for a blur.
FACE = """
const face = (wheel) => {
  if (!wheel.matches('.rolling')) return wheel.querySelector('.digit').textContent;
  const faces = [...wheel.parentElement.style.getPropertyValue('--faces').replace(/\\\\a |"/g, '')];
  const place = /-([\\d.]+)%/.exec(wheel.querySelector('.strip').style.transform)?.[1] * 0.11 || 0;
  return wheel.matches('.fast') || Math.abs(place % 1 - 0.5) < 1e-5 ? '.' : faces[Math.round(place)];
};
"""

# What a ticker that is found by a selector shows: its words, and of each wheel the digit in its window, but for wheels on their
# way out.
SHOWN = FACE + """
const {valuePart} = document.querySelector(arguments[0]);
const isLeaving = (part) => part.getAnimations().some(({effect}) => effect.getTiming().fill === 'forwards');
return [...valuePart.children].filter((part) => !isLeaving(part))
  .map((part) => part.matches('.wheel') ? face(part) : part.textContent).join('');
"""

# What stands in the windows of a component's number, from left to right: characters of its text that are seen, and in place of
# one under an open window the digit whose box fills that, `~` where two share it. All by where boxes are on the page.
STANDING = """
const inWindow = (wheel) => {
  const faces = [...wheel.parentElement.style.getPropertyValue('--faces').replace(/\\\\a |"/g, '')];
  const [strip, window] = ['.strip', '.window'].map((part) => wheel.querySelector(part).getBoundingClientRect());
  const height = strip.height / 11, row = (window.top + window.height / 2 - strip.top) / height - 0.5;
  return Math.abs(row - Math.round(row)) > 0.25 ? '~' : faces[Math.round(row) % 10];
};
const standing = ({valuePart}) => {
  const seen = [], range = document.createRange();
  const walker = document.createTreeWalker(valuePart, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const {currentNode: text} = walker, wheel = text.parentElement.closest('.wheel');
    let at = 0;
    for (const character of text.data) {
      range.setStart(text, at);
      range.setEnd(text, at += character.length);
      const {left, width} = range.getBoundingClientRect();
      if (width) seen.push([left + width / 2, wheel?.matches('.rolling') ? inWindow(wheel) : character]);
    }
  }
  // What isn't in the text stands in the way of what is.
  for (const part of valuePart.querySelectorAll('.absent')) seen.push([part.getBoundingClientRect().left, '?']);
  return seen.sort(([a], [b]) => a - b).map(([, character]) => character).join('');
};
"""

# The brightness of each pixel of a picture, row by row.
PIXELS = """
const [data, done] = arguments;
createImageBitmap(new Blob([Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))])).then((picture) => {
  const {width, height} = picture, context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(picture, 0, 0);
  const {data} = context.getImageData(0, 0, width, height);
  done(Array.from({length: height}, (_, y) => Array.from({length: width}, (_, x) => data[4 * (y * width + x) + 1])));
});
"""


class Picture:
    """What the window shows from its top left corner on."""

    def __init__(self, driver, width: int, height: int, scale: float = 1):
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
        self.rows = driver.execute_async_script(PIXELS, shot["data"])
        self.scale = scale

    def part(self, left: float, right: float) -> list[list[int]]:
        """The ink of the columns between two places, 0 to 255."""
        return [[255 - value for value in row[int(left * self.scale) : int(right * self.scale) + 1]] for row in self.rows]

    def middle(self, left: float, right: float) -> float:
        """The row that the ink between two places is balanced on."""
        weights = [sum(row) for row in self.part(left, right)]
        return sum(row * weight for row, weight in enumerate(weights)) / sum(weights) / self.scale
