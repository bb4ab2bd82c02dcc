"""Takes the pictures of README and docs/viewer.md, into docs/images: the demo board at three widths in both themes, and the
first screen as it moves."""

import io
import pathlib
import time

from PIL import Image

from driver import Chromium
from server import ROOT, Server

FOLDER = ROOT / "docs/images"
# The pictures show a board that has run as long: its counters are under way, and none is at its end.
RUN_SECONDS = 3
# The moving picture: its width in pixels, milliseconds a frame, and those for which a number that has arrived stands still.
MOVING = "first-screen.webp"
WIDTH = 960
FRAME = 40
STILL = 1200


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    take_boards()
    take_first_screen(FOLDER / MOVING)


def take_boards():
    server = Server("--demo")
    try:
        for width, height in ((390, 1500), (1280, 1150), (1920, 1080)):
            driver = Chromium(width, height)
            for theme in ("light", "dark"):
                features = [{"name": "prefers-color-scheme", "value": theme}]
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
                driver.get(server.url)
                driver.execute_script("localStorage.clear()")
                driver.get(server.url)
                time.sleep(RUN_SECONDS)
                path = FOLDER / f"viewer-{width}-{theme}.png"
                driver.save_screenshot(str(path))
                # 128 colours are enough for a flat page.
                Image.open(path).convert("RGB").quantize(128, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
            driver.quit()
    finally:
        server.close()


def take_first_screen(path: pathlib.Path):
    """A number goes to 100 and springs back. Each motion is begun by the page, and stopped for each frame by the server, so that
    the picture doesn't depend on how fast the machine is."""
    server = Server()
    driver = Chromium(WIDTH, 600)
    frames, times = [], []

    def take(milliseconds: int):
        frames.append(Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB").crop((0, top, WIDTH, bottom)))
        times.append(milliseconds)

    def move(selector: str, seconds: float):
        driver.execute_script("document.querySelector(arguments[0]).click()", selector)
        wait(driver, "document.querySelector('.hero:not([data-absent])')")
        server.post("ticker:hello", "pause")
        count = round(seconds * 1000 / FRAME)
        for at in range(1, count):
            value = server.post("ticker:hello", "seek", fraction=at / count)["text"]
            wait(driver, f"document.querySelector('.big').firstElementChild.text === '{value}'")
            take(FRAME)
        server.post("ticker:hello", "finish")
        wait(driver, "document.querySelector('.plot svg + svg').style.clipPath.includes(' 0% ')")
        take(STILL)

    try:
        driver.get(server.url)
        wait(driver, "'ready' in document.body.dataset")
        top, bottom = driver.execute_script("""const {top, bottom} = document.querySelector('.hero').getBoundingClientRect();
            return [Math.round(top), Math.round(bottom)]""")
        take(STILL)
        move("#send .primary", 2)
        move("#send [value=spring]", 1.8)
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=70, method=6)
    finally:
        driver.quit()
        server.close()


def wait(driver, condition: str):
    end = time.monotonic() + 10
    while not driver.execute_script(f"return {condition}"):
        if time.monotonic() > end:
            raise RuntimeError(f"not within 10 s: {condition}")
        time.sleep(0.01)


if __name__ == "__main__":
    main()
