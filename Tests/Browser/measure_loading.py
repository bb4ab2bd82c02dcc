"""Prints when a first visit, and a second one, see a number move, over networks as slow as phones have them. Not a test."""

import asyncio
import subprocess
import tempfile
import threading

from driver import Chromium
from server import ROOT, Server

# Round trip in seconds and bytes a second, as Chromium's own profiles of these names have them.
NETWORKS = {"local": (0, 1e9), "fast 3G": (0.5625, 180_000), "slow 3G": (2, 50_000)}
PACKET = 1448
# Milliseconds since navigation: the first paint, and the first text of a number that is another than before. Numbers are those
# of the page's own text and of the elements.
WATCH = """
const before = new Map();
const look = () => {
  for (const place of document.querySelectorAll('[data-early], tween-ticker, tween-progress')) {
    const text = place.text || place.textContent;
    if (before.has(place) && before.get(place) !== text) window.moved ??= performance.now();
    before.set(place, text);
  }
  if (!window.moved) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


class SlowLink:
    """Passes bytes on as late and as slowly as a network would, whose connections take turns."""

    def __init__(self, port: int, trip: float, rate: float):
        self.port, self.trip, self.rate = port, trip, rate
        self.received = 0
        self.turn = asyncio.Lock()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self.loop).result()
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _serve(self, client, sink):
        source, target = await asyncio.open_connection("127.0.0.1", self.port)
        await asyncio.gather(self._pump(client, target, False), self._pump(source, sink, True))

    async def _pump(self, source, sink, isDown):
        queue = asyncio.Queue()

        async def deliver():
            while item := await queue.get():
                due, data = item
                await asyncio.sleep(max(0, due - self.loop.time()))
                if not sink.is_closing():
                    sink.write(data)
            sink.close()

        delivery = asyncio.create_task(deliver())
        try:
            while data := await source.read(PACKET):
                if isDown:
                    async with self.turn:
                        self.received += len(data)
                        await asyncio.sleep(len(data) / self.rate)
                queue.put_nowait((self.loop.time() + self.trip / 2, data))
        except ConnectionError:
            pass
        queue.put_nowait(None)
        await delivery


def visit(driver, url: str) -> tuple[float, float]:
    driver.get(url)
    driver.set_script_timeout(60)
    return driver.execute_async_script(
        """const [done] = arguments;
        const look = () => window.moved
          ? done([performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, window.moved])
          : setTimeout(look, 50);
        look()"""
    )


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["bash", str(ROOT / "packaging/viewer"), str(ROOT / "public"), folder + "/viewer"], check=True)
        server = Server("--demo", "--public", folder + "/viewer")
        print(f"{'network':10} {'visit':8} {'paint, s':>9} {'moves, s':>9} {'KB by then':>11}")
        for name, (trip, rate) in NETWORKS.items():
            driver = Chromium(1280, 900)
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            link = SlowLink(server.port, trip, rate)
            for which in ("first", "second"):
                link.received = 0
                paint, moved = visit(driver, link.url + "/")
                print(f"{name:10} {which:8} {paint / 1000:9.2f} {moved / 1000:9.2f} {link.received / 1000:11.1f}")
                # Until everything has come, and is kept.
                driver.execute_async_script("setTimeout(arguments[0], 8000)")
            driver.quit()
        server.close()


if __name__ == "__main__":
    main()
