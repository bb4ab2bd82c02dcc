"""How what the server takes grows with what it has: streams, moving tickers, and resources at rest."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import servers
import tables

WINDOW, WARM_UP = 10, 1.5
STREAMS = [1000, 2000, 5000, 10_000, 15_000]
# Ticks a second: what two cores can carry at the largest sizes, the load generator's share included.
RATE = 5
MOVING = [1, 10, 100, 1000, 10_000, 100_000]
# As many as a stream may have topics. Where there are more tickers, there are more streams, each of tickers of its own.
TICKERS_A_STREAM = 10_000
RESTING = [1000, 10_000, 100_000, 1_000_000]
RESTARTS = 3
# A million tickers are counted as twice as much as the default allows.
LIMITS = ["--board-bytes", str(4 << 30)]
# Updates a request.
BATCH = 5000
# Seconds that filling a board may take: a size that would take longer, going by the one before, is left out.
PATIENCE = 180
MOTION = {"label": "Loading assets 0", "from": 0.1, "to": 0.9, "decimals": 6, "duration": 3600}


# MARK: - Streams

def streams(choice, note):
    records = []
    for number in range(choice.rounds):
        for count in STREAMS:
            with servers.own(choice.ports.next(), RATE, 1, flags=["--tick-rate", str(RATE)]) as server:
                base = servers.resident_kilobytes(server.processes)
                client = servers.load(
                    server, server.stream, count, rate=RATE, seconds=WINDOW, warm_up=WARM_UP, sources=4,
                    under_way=64)
            note("growth", {"round": number, "count": count, "base_rss_kb": base, "client": client}, records)
    return tables.growing_streams(records, RATE)


# MARK: - Moving tickers

def moving(choice, note):
    records = []
    for number in range(choice.rounds):
        for count in MOVING:
            groups = -(-count // TICKERS_A_STREAM)
            with servers.own(choice.ports.next(), flags=["--tick-rate", str(RATE)]) as server:
                tickers = ({"ticker": f"g{ticker % groups}-{ticker}"} | MOTION for ticker in range(count))
                servers.fill(server, tickers, BATCH)
                client = servers.load(
                    server, "/v1/events?ticker=g%d-*&stamp", groups, channels=groups, seconds=WINDOW, warm_up=WARM_UP,
                    rate=RATE * count / groups)
            note("growth", {"round": number, "count": count, "streams": groups, "client": client}, records)
    return tables.growing_tickers(records, RATE)


# MARK: - At rest

def resting_ticker(number):
    return {"ticker": f"metric-{number:07d}", "to": number % 1000 + 0.5, "duration": 0,
            "label": f"Requests of shard {number % 50}: 0"}


def bytes_in(folder):
    return sum(entry.stat().st_size for entry in os.scandir(folder))


def empty_kilobytes(ports):
    """What a server has of memory that has nothing else."""
    with tempfile.TemporaryDirectory() as data, servers.own(ports.next(), data=data, flags=LIMITS) as server:
        servers.wait_until_ready(server.port)
        return servers.resident_kilobytes(server.processes)


def restarted(ports, data, base, signal_in_the_end):
    """Starts a server over what another left behind, and ends it."""
    began = time.monotonic()
    # Without own(), which waits for the port and looks again after 50 ms.
    port = ports.next()
    command = [servers.PROGRAM, "--data", data, "--port", str(port), "--public", servers.ROOT / "public", *LIMITS]
    with servers.running(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        servers.wait_until_ready(port)
        record = {
            "seconds": time.monotonic() - began, "cpu_s": servers.processor_seconds([process.pid]),
            "bytes": (servers.resident_kilobytes([process.pid]) - base) * 1024,
        }
        process.send_signal(signal_in_the_end)
        process.wait()
    return record


def resting(choice, note):
    records = []
    for number in range(choice.rounds):
        base, rate = empty_kilobytes(choice.ports), None
        for count in RESTING:
            if rate and count / rate > PATIENCE:
                print(f"{count:,} resources would take {count / rate:.0f} s: left out", file=sys.stderr)
                break
            data = servers.TOOLS / "data-growth"
            shutil.rmtree(data, ignore_errors=True)
            with servers.own(choice.ports.next(), data=data, flags=LIMITS) as server:
                began = time.monotonic()
                servers.fill(server, map(resting_ticker, range(count)), BATCH)
                rate = count / (time.monotonic() - began)
                filled = (servers.resident_kilobytes(server.processes) - base) * 1024
                os.kill(server.processes[0], signal.SIGKILL)
            known = {"round": number, "count": count, "filled": filled, "at_kill": bytes_in(data), "fill_rate": rate}
            # After a clean end the log of the database has gone.
            starts = [restarted(choice.ports, data, base, signal.SIGKILL) for _ in range(RESTARTS - 1)]
            starts.append(restarted(choice.ports, data, base, signal.SIGTERM))
            for start in starts:
                note("growth", known | start | {"disk": bytes_in(data)}, records)
            shutil.rmtree(data)
    return tables.growing_boards(records)


PARTS = {"streams": streams, "moving": moving, "resting": resting}


def measure(choice, note):
    return "\n".join(PARTS[name](choice, note) for name in choice.parts)
