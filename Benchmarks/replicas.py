"""What it costs that replicas share a log: how long an update takes to the listeners of another, how many there can be,
what goes to the Redis and back, and what a start takes."""
import contextlib
import http.client
import json
import re
import shutil
import subprocess
import time

import servers
import tables

REPLICAS = 3
WINDOW = 4
UPDATES = 500
MILLION = 1_000_000
# A million tickers are counted as twice as much as the default allows.
LIMITS = ["--board-bytes", str(4 << 30)]
BATCH = 500
# Seconds without a further snapshot after which none is expected.
PATIENCE = 30


@contextlib.contextmanager
def cluster(ports, sync="everysec", count=REPLICAS, flags=()):
    """Replicas over a Redis of their own."""
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(servers.redis(ports.next(), sync))
        yield store, [stack.enter_context(servers.replica(ports.next(), store, flags)) for _ in range(count)]


@contextlib.contextmanager
def alone(ports):
    """One server with a folder of its own."""
    data = servers.TOOLS / "data-alone"
    shutil.rmtree(data, ignore_errors=True)
    with servers.own(ports.next(), data=data) as server:
        yield server
    shutil.rmtree(data)


def post(server, path, body):
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    client.request("POST", path, body)
    answer = client.getresponse()
    if answer.status >= 300 or b'"status":4' in answer.read():
        raise RuntimeError(f"{path}: {answer.status}")


def ask(store, *words):
    command = ["redis-cli", "-p", str(store.port), *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


# MARK: - From one to another

def reach(**options):
    """What the tool of that name measures between servers."""
    command = [servers.TOOLS / "reach"]
    for name, value in options.items():
        command += ["--" + name, f"127.0.0.1:{value.port}" if isinstance(value, servers.Server) else str(value)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=300).stdout)


def reaches(choice, note):
    records = []

    def measure(system, **options):
        for step, times in reach(count=UPDATES, **options).items():
            note("replicas", {"system": system, "step": step, "times": times}, records)

    for _ in range(choice.rounds):
        with alone(choice.ports) as server:
            measure("one node, SQLite", to=server, stream=server)
        for sync in ["everysec", "always"]:
            with cluster(choice.ports, sync) as (store, replicas):
                measure(f"Redis itself, {sync}", redis=store)
                measure(f"replicas, {sync}", to=replicas[0], stream=replicas[1])
    return tables.reaches(records)


def skews(choice, note):
    records = []
    for _ in range(choice.rounds):
        with cluster(choice.ports) as (_, replicas):
            post(replicas[0], "/v1/tickers/reach", json.dumps(
                {"label": "Loading assets 0", "from": 0.1, "to": 0.9, "decimals": 6, "duration": 3600}))
            time.sleep(1)
            note("replicas", reach(stream=replicas[1], beside=replicas[2], count=4 * UPDATES), records)
    return tables.skews(records)


# MARK: - How many

def post_to_all(some, path, lines, connections):
    """How many updates wrk gets answered by servers at once, in all."""
    command = ["wrk", "-t1", f"-c{max(1, connections // len(some))}", f"-d{WINDOW}", "-s", servers.FOLDER / "post.lua"]
    runs = [
        subprocess.Popen(
            [*command, f"http://127.0.0.1:{server.port}", "--", path, str(lines)], stdout=subprocess.PIPE, text=True)
        for server in some
    ]
    requests = 0
    for run in runs:
        report = run.communicate()[0]
        found = re.search(r"(\d+) requests in", report)
        if not found or "Non-2xx" in report:
            raise RuntimeError(f"{path}: {report}")
        requests += int(found[1])
    return requests * lines


def traffic(store):
    """Bytes that the Redis was sent and has sent."""
    text = ask(store, "INFO", "stats")
    return [int(re.search(rf"total_net_{way}_bytes:(\d+)", text)[1]) for way in ["input", "output"]]


def used(servers_of):
    """Microseconds of CPU time so far, by server."""
    return [servers.processor_seconds(server.processes) * 1e6 for server in servers_of]


def rates(choice, note):
    records = []

    def measure(system, asked, others, store, lines):
        path, connections = ("/v1/batch", 8) if lines > 1 else ("/v1/tickers/t1", 64)
        everyone = [*asked, *others, *([store] if store else [])]
        before, sent = used(everyone), traffic(store) if store else None
        updates = post_to_all(asked, path, lines, connections)
        costs = [(after - known) / updates for after, known in zip(used(everyone), before)]
        record = {"system": system, "rate": updates / WINDOW, "all": sum(costs)}
        if others:
            record["follower"] = sum(costs[len(asked):len(asked) + len(others)]) / len(others)
        if store:
            record["redis"] = costs[-1]
            record["bytes"] = [(after - known) / updates for after, known in zip(traffic(store), sent)]
        note("replicas", record, records)

    for _ in range(choice.rounds):
        for lines in [1, 200]:
            form = f", {lines} a request" if lines > 1 else ""
            with alone(choice.ports) as server:
                measure(f"one node, SQLite{form}", [server], [], None, lines)
            with cluster(choice.ports, count=1) as (store, replicas):
                measure(f"one replica{form}", replicas, [], store, lines)
            with cluster(choice.ports) as (store, replicas):
                measure(f"three replicas, one is asked{form}", replicas[:1], replicas[1:], store, lines)
                measure(f"three replicas, all are asked{form}", replicas, [], store, lines)
    return tables.rates(records)


def quiet(choice, note):
    """What goes to and fro when nobody asks for anything."""
    records = []
    for _ in range(choice.rounds):
        with cluster(choice.ports) as (store, replicas):
            time.sleep(1)
            everyone = [store, *replicas]
            before, known = used(everyone), traffic(store)
            time.sleep(2 * WINDOW)
            ways = [(after - sent) / (2 * WINDOW) / REPLICAS for after, sent in zip(traffic(store), known)]
            shares = [(after - spent) / (2 * WINDOW) / 1e4 for after, spent in zip(used(everyone), before)]
            note("replicas", {"bytes": ways, "redis": shares[0], "replica": sum(shares[1:]) / REPLICAS}, records)
    return tables.quiet(records)


# MARK: - Starting with a million

def fill(server, count):
    lines = (
        {"ticker": f"metric-{number:07d}", "to": number % 1000 + 0.5, "duration": 0,
         "label": f"Requests of shard {number % 50}: 0"}
        for number in range(count)
    )
    servers.fill(server, lines, BATCH)


def snapshot(store):
    """The entry that the newest snapshot reaches to, and the last one."""
    return [
        int(ask(store, "HGET", "{bench}:" + key, field).strip() or 0)
        for key, field in [("snapshot", "sequence"), ("head", "seq")]
    ]


def settled(store):
    """The same once no further snapshot comes."""
    known, since = snapshot(store), time.monotonic()
    while time.monotonic() < since + PATIENCE:
        time.sleep(1)
        new = snapshot(store)
        if new != known:
            known, since = new, time.monotonic()
    return known


def starts(choice, note):
    records = []

    def told(system, began, server):
        note("replicas", {
            "system": system, "resources": choice.resources, "seconds": began and time.monotonic() - began,
            "megabytes": servers.resident_kilobytes(server.processes) / 1024,
            "most": servers.resident_kilobytes(server.processes, "VmHWM") / 1024,
        }, records)

    data = servers.TOOLS / "data-million"
    shutil.rmtree(data, ignore_errors=True)
    with servers.own(choice.ports.next(), data=data, flags=LIMITS) as server:
        fill(server, choice.resources)
    began = time.monotonic()
    with servers.own(choice.ports.next(), data=data, flags=LIMITS) as server:
        servers.wait_until_ready(server.port)
        told("one node, SQLite", began, server)
    shutil.rmtree(data)
    with cluster(choice.ports, count=1, flags=LIMITS) as (store, replicas):
        fill(replicas[0], choice.resources)
        reached, last = settled(store)
        began = time.monotonic()
        with servers.replica(choice.ports.next(), store, LIMITS) as late:
            told(f"a replica: a snapshot, and {last - reached} of {last} entries", began, late)
        told("the replica that made the snapshots", None, replicas[0])
        told("the Redis", None, store)
    return tables.starts(records)


def measure(choice, note):
    return "\n".join(part(choice, note) for part in [reaches, skews, rates, quiet, starts])
