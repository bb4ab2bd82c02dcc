"""Takes the README's pictures: the demo board at three widths in both themes, as small PNGs in docs/images."""

import pathlib
import sys
import time

from browser import chromium
from server import ROOT, Server

# The pictures show a board that has run as long: its counters are under way, and none is at its end.
RUN_SECONDS = 3


def main():
    folder = ROOT / "docs/images"
    folder.mkdir(parents=True, exist_ok=True)
    server = Server("--demo")
    try:
        for width, height in ((390, 1500), (1280, 1150), (1920, 1080)):
            driver = chromium(width, height)
            for theme in ("light", "dark"):
                features = [{"name": "prefers-color-scheme", "value": theme}]
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
                driver.get(server.url)
                driver.execute_script("localStorage.clear()")
                # As a first visit, whose counters run by themselves.
                driver.get(server.url)
                time.sleep(RUN_SECONDS)
                path = folder / f"viewer-{width}-{theme}.png"
                driver.save_screenshot(str(path))
                shrink(path)
            driver.quit()
    finally:
        server.close()


def shrink(path: pathlib.Path):
    """128 colours are enough for a flat page; without Pillow the picture stays as it is."""
    try:
        from PIL import Image
    except ImportError:
        print("Pillow is missing: pictures stay large", file=sys.stderr)
        return
    Image.open(path).convert("RGB").quantize(128, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


if __name__ == "__main__":
    main()
