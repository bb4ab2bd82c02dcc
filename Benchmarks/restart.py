#!/usr/bin/env python3
"""How long a server of .build/release takes to serve again after SIGKILL, with COUNT resources on its board.

Benchmarks/restart.py [COUNT (100000)] [ROUNDS (15)] [KIND ...]: tickers, labels (tickers with a label and a
currency each), schedules, mixed. A line each: milliseconds from process start to an answer over HTTP, and what CPU that
took.
"""
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TICK = os.sysconf("SC_CLK_TCK")


def start(folder):
    """A server and its port."""
    process = subprocess.Popen(
        [ROOT / ".build/release/tweencast", "--data", folder, "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT)
    return process, int(process.stdout.readline().rsplit(b":", 1)[1])


def send(client, method, path, body=None):
    client.request(method, path, body)
    answer = client.getresponse()
    text = answer.read()
    assert answer.status < 300 and b'"status":4' not in text, text
    return text


def ticker(number):
    label = f"Requests of shard {number % 50}: 0"
    return {"ticker": f"metric-{number:06d}", "to": number % 1000 + 0.5, "duration": 100000, "label": label}


def labelled(number):
    money = {"locale": "de-DE", "style": "currency", "currency": "EUR"}
    return ticker(number) | {"label": f"Sales of shop-{number:06d}: 0", "format": money}


def progress(number):
    return {"progress": f"job-{number:06d}", "current": number % 100, "duration": 100000}


def schedule(number):
    notify = [{"notify": "N", "data": {"number": number}}]
    update = [{"ticker": f"metric-{number:06d}", "by": 1, "duration": 3}]
    return [
        {"in": 100000 + number % 5000, "do": update},
        {"every": f"{number % 60} 3 1 1 *", "timeZone": "Europe/Vienna", "do": notify},
        {"every": 86400, "do": update},
    ][number % 3]


def fill(client, kind, count):
    schedules = {"schedules": count, "mixed": count * 2 // 5}.get(kind, 0)
    motion = labelled if kind == "labels" else ticker
    lines = [
        json.dumps(progress(number) if kind == "mixed" and number % 3 == 0 else motion(number))
        for number in range(count - schedules)
    ]
    for first in range(0, len(lines), 500):
        send(client, "POST", "/v1/batch", "\n".join(lines[first:first + 500]))
    for number in range(schedules):
        send(client, "PUT", f"/v1/schedules/s-{number:06d}", json.dumps(schedule(number)))


def restart(folder):
    """Milliseconds to the first answer, of CPU in user and system mode, and MB of memory."""
    began = time.perf_counter()
    process, port = start(folder)
    send(http.client.HTTPConnection("127.0.0.1", port), "GET", "/v1/tickers?limit=1")
    taken = (time.perf_counter() - began) * 1000
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    memory = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    process.kill()
    process.wait()
    return taken, int(fields[11]) * 1000 / TICK, int(fields[12]) * 1000 / TICK, memory


def main():
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    count, rounds = (numbers + [100_000, 15][len(numbers):])[:2]
    kinds = [word for word in sys.argv[1:] if not word.isdigit()] or ["tickers", "labels", "schedules", "mixed"]
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder:
            process, port = start(folder)
            fill(http.client.HTTPConnection("127.0.0.1", port), kind, count)
            process.kill()
            process.wait()
            size = os.path.getsize(f"{folder}/tweencast.sqlite") / 1e6
            taken, user, system, memory = zip(*(restart(folder) for _ in range(rounds)))
            print(
                f"{kind}: {size:.0f} MB on disk, served after {statistics.median(taken):.0f} ms"
                f" ({min(taken):.0f} to {max(taken):.0f}), CPU {statistics.median(user):.0f} ms user"
                f" and {statistics.median(system):.0f} ms system, {statistics.median(memory):.0f} MB resident",
                flush=True)


main()
