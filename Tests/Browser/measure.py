"""Prints what moving cards cost a browser: CPU milliseconds a frame, by thread. Not a test.

How fast the machine is counts, and what else it does hardly: threads are asked how long they ran, and the page has a
clock of its own, by which each frame that it draws is a sixtieth of a second and takes no time, so that none is left
out. (Two processes on one core still slow each other down: where figures are compared, `script` says how much.) Names
as arguments choose among SCENES.
"""

import collections
import pathlib
import statistics
import sys
import time

from driver import Chromium
from server import Server

# Name, cards, address, how far it is scrolled.
SCENES = (
    ("wall of 100", 100, "?layout=wall", 0),
    ("100 cards, scrolled", 100, "?layout=cards", 900),
    ("100 rows", 100, "?layout=rows", 600),
    ("500 cards, scrolled", 500, "?layout=cards", 2000),
    ("wall of 500", 500, "?layout=wall", 0),
)
FRAMES = 240
# What of the main thread's time goes where; the rest is painting, and what the browser does besides.
SHARES = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}
THREADS = ("main", "compositor", "raster", "gpu")
COLUMNS = ("built s", "frames/s", "main", *SHARES, "rest", *THREADS[1:], "filter ms", "heap MB", "listeners")

# Stands in for the shared worker: tells of as many tickers as are asked for, a sixtieth of a second further with each
# frame. Half of them move by less than eight units a second, half by up to 64; wheels are as the server has them.
STREAM = """
let frame = 0;
const beats = [];
performance.now = () => frame * 1000 / 60;
window.setInterval = (act, ms) => beats.push({ act, ms, due: ms });
class Stream {
  constructor() {
    window.stream = this;
    this.port = { postMessage: () => {
      if (this.isOpen) return;
      this.isOpen = true;
      setTimeout(() => this.begin());
    } };
  }
  async begin() {
    const { wheelsOf } = await import("/js/odometer.js");
    const plan = { decimals: [2, 2], groups: [3, 3, 1], prefix: "$" };
    const text = (value) => `$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
    this.frames = Array.from({ length: LENGTH }, (_, at) => Array.from({ length: COUNT }, (_, n) => {
      const value = 20_000 + 97 * n + 2 ** (n % 8 - 1) * at / 60;
      const target = 90_000 + n, key = `ticker:card-${n}`;
      return ["message", key, JSON.stringify({
        ticker: `card-${n}`, value, text: text(value), wheels: wheelsOf(value, plan),
        display: { value: text(value), text: text(value), target: text(target), percent: "22%", trend: "rising",
          rate: "64.0", eta: "18 min", accessible: text(target) },
      })];
    }));
    await new Promise((resolve) => { this.start = resolve; });
    const status = { state: "live", greeting: { tickRate: 60, version: "" } };
    this.port.onmessage({ data: [["status", "", status], ["told", "", true], ...this.frames[0]] });
  }
  /** There and back again: numbers go on without a leap. */
  at() {
    const last = this.frames.length - 1;
    return last - Math.abs(last - frame % (2 * last));
  }
  /** Shows a number of frames. */
  run(count) {
    const end = frame + count;
    return new Promise((resolve) => {
      const next = () => {
        if (frame === end) return resolve();
        frame++;
        for (const beat of beats) {
          if (beat.due > performance.now()) continue;
          beat.due += beat.ms;
          beat.act();
        }
        this.port.onmessage({ data: this.frames[this.at()] });
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
  }
}
window.SharedWorker = Stream;
"""


class Threads:
    """The CPU seconds of a browser's threads."""

    def __init__(self, driver):
        self.root = driver.service.process.pid

    def processes(self) -> list[int]:
        found = [self.root]
        for parent in found:
            for tasks in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
                found += map(int, tasks.read_text().split())
        return found[1:]

    def read(self) -> collections.Counter[str]:
        times: collections.Counter[str] = collections.Counter()
        for process in self.processes():
            command = pathlib.Path(f"/proc/{process}/cmdline").read_text()
            kind = command.split("--type=")[1].split("\0")[0].split(" ")[0] if "--type=" in command else "browser"
            for task in pathlib.Path(f"/proc/{process}/task").iterdir():
                try:
                    name = "main" if int(task.name) == process else (task / "comm").read_text().strip()
                    times[self.share(kind, name)] += int((task / "schedstat").read_text().split()[0]) / 1e9
                except OSError:
                    # It has ended.
                    continue
        return times

    @staticmethod
    def share(kind: str, name: str) -> str:
        if kind != "renderer":
            return "gpu" if kind == "gpu-process" else kind
        return {"main": "main", "Compositor": "compositor"}.get(name, "raster")


def main():
    wanted = sys.argv[1:]
    print(" " * 20, *(f"{column:>10}" for column in COLUMNS), sep="")
    for scene in SCENES:
        if not wanted or any(word in scene[0] for word in wanted):
            figures = measure(*scene[1:])
            print(f"{scene[0]:20}", *(f"{figures[column]:>10.2f}" for column in COLUMNS), sep="", flush=True)


def measure(count: int, address: str, top: int) -> dict[str, float]:
    server = Server()
    driver = Chromium(1920, 1080)
    try:
        driver.set_script_timeout(300)
        # Times of the thread's own clock.
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        source = STREAM.replace("LENGTH", str(FRAMES)).replace("COUNT", str(count))
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        driver.get(f"{server.url}/{address}")
        figures = {"built s": built(driver, count)}
        driver.execute_script("scrollTo(0, arguments[0])", top)
        run(driver, 90)
        threads = Threads(driver)
        before, spent = metrics(driver), threads.read()
        span = run(driver, FRAMES)
        after, spending = metrics(driver), threads.read()
        figures["frames/s"] = FRAMES / span
        figures |= {name: 1000 * (spending[name] - spent[name]) / FRAMES for name in THREADS}
        figures |= {name: 1000 * (after[metric] - before[metric]) / FRAMES for name, metric in SHARES.items()}
        figures["rest"] = figures["main"] - sum(figures[name] for name in SHARES)
        figures["filter ms"] = keystroke(driver)
        return figures | {"heap MB": after["JSHeapUsedSize"] / 2**20, "listeners": after["JSEventListeners"]}
    finally:
        driver.quit()
        server.close()


def built(driver, count: int) -> float:
    """CPU seconds of the main thread from the first frames of the stream until all cards are there and drawn."""
    wait_for(driver, "return window.stream?.start !== undefined")
    before = metrics(driver)["TaskDuration"]
    driver.execute_script("stream.start()")
    wait_for(driver, "return document.querySelectorAll('.card').length >= arguments[0]", count)
    run(driver, 2)
    return metrics(driver)["TaskDuration"] - before


def wait_for(driver, script: str, *arguments):
    while not driver.execute_script(script, *arguments):
        time.sleep(0.02)


def run(driver, frames: int) -> float:
    """Shows frames; the seconds that it took."""
    return driver.execute_async_script(
        """const [frames, done] = arguments, start = Date.now();
        stream.run(frames).then(() => done((Date.now() - start) / 1000))""",
        frames,
    )


def keystroke(driver) -> float:
    """Milliseconds of script, style and layout for a letter in the filter, the median of several."""
    times = driver.execute_script("""
        const field = document.querySelector('#view [name=q]');
        return ['c', 'ca', 'card-1', 'card-', 'card', 'card-2', '', 'card-33', ''].map((text) => {
          const start = Date.now();
          field.value = text;
          field.dispatchEvent(new Event('input', {bubbles: true}));
          document.querySelector('#board').getBoundingClientRect();
          return Date.now() - start;
        });""")
    return statistics.median(times)


def metrics(driver) -> dict[str, float]:
    return {entry["name"]: entry["value"] for entry in driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}


if __name__ == "__main__":
    main()
