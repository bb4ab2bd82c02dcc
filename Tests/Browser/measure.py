"""Prints what 100 moving cards cost: frames a second, and how busy the page's main thread is. Not a test."""

import time

from browser import chromium
from server import Server

CARDS = 100
SECONDS = 10


def main():
    server = Server()
    driver = chromium(1920, 1080)
    try:
        lines = [
            {"ticker": f"card-{n}", "label": "$0.00", "to": 100_000 + n, "decimals": 2, "duration": 120}
            for n in range(CARDS)
        ]
        server.request("POST", "/v1/batch", lines)
        driver.get(server.url)
        # Times of the thread's own clock: what else the machine does is not counted.
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        time.sleep(4)
        driver.execute_script(
            """window.frames60 = []; const tick = (time) => { frames60.push(time); requestAnimationFrame(tick); };
            requestAnimationFrame(tick)"""
        )
        before, start = metrics(driver), time.monotonic()
        time.sleep(SECONDS)
        after, span = metrics(driver), time.monotonic() - start
        times = driver.execute_script("return frames60")
        gaps = sorted(b - a for a, b in zip(times, times[1:]))
        print(f"cards {len(driver.find_elements('css selector', '.card'))}")
        print(
            f"frames a second {(len(times) - 1) * 1000 / (times[-1] - times[0]):.1f}, gap p99 {gaps[int(len(gaps) * 0.99)]:.1f} ms"
        )
        for name in ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration"):
            taken = after[name] - before[name]
            print(f"{name} {100 * taken / span:.1f} % of the main thread, {1000 * taken / (len(times) - 1):.2f} ms a frame")
    finally:
        driver.quit()
        server.close()


def metrics(driver) -> dict[str, float]:
    return {entry["name"]: entry["value"] for entry in driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}


if __name__ == "__main__":
    main()
