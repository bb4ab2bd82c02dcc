"""What an update costs: the ways to send one, what they take of each kind of thread, and beside them a server that keeps
nothing and a request that changes nothing."""
import contextlib
import dataclasses
import http.client
import re
import shutil
import subprocess
import time

import servers
import tables

WINDOW = 4
LISTENERS = 100


@dataclasses.dataclass
class Way:
    """A way to send updates, and what is to come of it."""

    system: str
    # Of one of a thousand tickers.
    path: str = "/v1/tickers/t%d"
    # Updates a request; 0 is a GET.
    lines: int = 1
    connections: int = 64
    headers: dict = dataclasses.field(default_factory=dict)
    statuses: tuple = (200, 201, 202)
    listeners: tuple = (0,)


NCHAN = Way("nchan, volatile", "/pub/ch0", listeners=(0, LISTENERS))
MINIMAL = Way("own, durable, minimal answers", headers={"Prefer": "return=minimal"}, statuses=(204,))
DURABLE = [
    Way("own, durable", listeners=(0, LISTENERS)),
    MINIMAL,
    Way("own, durable, 200 a request", "/v1/batch", lines=200, connections=8, statuses=(200,), listeners=(0, LISTENERS)),
]
EPHEMERAL = [
    Way("own, ephemeral"),
    # Nothing but HTTP: requests instead of updates.
    Way("own, GET /healthz", "/healthz", lines=0, statuses=(200,)),
]


def expect_status(server, way):
    """A row is what it says only if a request of its kind is answered as it should be."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    path = way.path.replace("%d", "1")
    if way.lines:
        client.request("POST", path, '{"ticker":"t1","to":1}' if way.lines > 1 else '{"to":1}',
                       {"Content-Type": "application/x-ndjson" if way.lines > 1 else "application/json", **way.headers})
    else:
        client.request("GET", path, headers=way.headers)
    status = client.getresponse().status
    client.close()
    if status not in way.statuses:
        raise RuntimeError(f"{way.system}: {path} answers {status}, not {' or '.join(map(str, way.statuses))}")


def send(server, way):
    """Updates a second that wrk gets answered, and microseconds of the server's CPU time each, by kind of thread."""
    expect_status(server, way)
    command = ["wrk", "-t1", f"-c{way.connections}", f"-d{WINDOW}", "-s", servers.FOLDER / "post.lua"]
    for name, value in way.headers.items():
        command += ["-H", f"{name}: {value}"]
    command += [f"http://127.0.0.1:{server.port}", "--", way.path, str(way.lines)]
    before, known = servers.processor_seconds(server.processes), servers.thread_seconds(server.processes)
    report = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    taken = servers.processor_seconds(server.processes) - before
    threads = servers.thread_seconds_since(known, server.processes)
    requests = re.search(r"(\d+) requests in", report)
    if not requests or int(requests[1]) == 0 or "Non-2xx" in report:
        raise RuntimeError(f"{way.path}: {report}")
    updates = int(requests[1]) * max(way.lines, 1)
    each = {kind: seconds / updates * 1e6 for kind, seconds in threads.items()}
    return {"rate": updates / WINDOW, "cost": taken / updates * 1e6, "threads": each}


def rows(server, way, stream, note, records):
    for listeners in way.listeners:
        command = servers.load_command(server, stream, listeners or 1, seconds=WINDOW + 2, warm_up=1)
        crowd = subprocess.Popen(command, stdout=subprocess.DEVNULL) if listeners else None
        if crowd:
            time.sleep(1)
        record = {"system": way.system, "listeners": listeners, **send(server, way)}
        if crowd:
            crowd.wait()
        note("ingest", record, records)


@contextlib.contextmanager
def durable(ports):
    data = servers.TOOLS / "data-ingest"
    shutil.rmtree(data, ignore_errors=True)
    with servers.own(ports.next(), data=data) as server:
        yield server
    shutil.rmtree(data)


def measure(choice, note):
    records = []
    stream = "/v1/tickers/t1/events"
    for _ in range(choice.rounds):
        if "nchan" in choice.systems:
            with servers.nchan(choice.ports.next()) as server:
                rows(server, NCHAN, "/sub/ch0", note, records)
        with durable(choice.ports) as server:
            for way in DURABLE:
                if way is not MINIMAL or choice.minimal:
                    rows(server, way, stream, note, records)
        with servers.own(choice.ports.next()) as server:
            for way in EPHEMERAL:
                rows(server, way, stream, note, records)
    return tables.ingest(records)
