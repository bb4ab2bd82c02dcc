"""How long one client waits: for a durable update, beside a redis-server that syncs each write, for a start, for a command."""
import contextlib
import shutil
import socket
import statistics
import subprocess
import time

import servers
import tables

# Requests of a run, and those before it that aren't counted: by then a store's write-ahead log is written over, as it is in a server
# that has run for a while.
REQUESTS, WARM_UP = 2000, 1500
STARTS = 15
COMMANDS = 100

INCREMENT = b"*2\r\n$4\r\nINCR\r\n$1\r\na\r\n"


def update(number, minimal):
    body = b'{"to":%d,"duration":0.5}' % (number % 1000)
    prefer = b"Prefer: return=minimal\r\n" if minimal else b""
    head = b"POST /v1/tickers/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + prefer
    return head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def read_answer(client):
    """Reads one answer of HTTP, which states its length, or is a 204."""
    text = client.recv(65536)
    while b"\r\n\r\n" not in text:
        text += client.recv(65536)
    head, _, body = text.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 20"):
        raise RuntimeError(head)
    length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = int(length[0].split(b":")[1]) - len(body) if length else 0
    while missing > 0:
        missing -= len(client.recv(65536))


def waits(port, request, read):
    """Microseconds from sending each request to its answer, over one connection."""
    found = []
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number in range(WARM_UP + REQUESTS):
            message = request(number)
            start = time.perf_counter()
            client.sendall(message)
            read(client)
            found.append((time.perf_counter() - start) * 1e6)
    return sorted(found[WARM_UP:])


@contextlib.contextmanager
def durable(ports):
    data = servers.TOOLS / "data-latency"
    shutil.rmtree(data, ignore_errors=True)
    with servers.own(ports.next(), data=data) as server:
        yield server
    shutil.rmtree(data)


def start(folder):
    """Milliseconds from the start of the process to its line `listening`."""
    shutil.rmtree(folder, ignore_errors=True)
    begin = time.perf_counter()
    command = [servers.PROGRAM, "--data", folder, "--port", "0"]
    with servers.running(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        taken = (time.perf_counter() - begin) * 1e3
    shutil.rmtree(folder)
    return taken


def command_times(ports):
    """Milliseconds that `tweencast get` takes, and `curl` for the same ticker, in turns."""
    taken = {"tweencast": [], "curl": []}
    with servers.own(ports.next(), channels=1) as server:
        address = f"http://127.0.0.1:{server.port}"
        commands = {
            "tweencast": [servers.PROGRAM, "get", "ch0", "--server", address],
            "curl": ["curl", "-s", f"{address}/v1/tickers/ch0"],
        }
        for _ in range(COMMANDS):
            for name, command in commands.items():
                begin = time.perf_counter()
                subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
                taken[name].append((time.perf_counter() - begin) * 1e3)
    return taken


def measure(choice, note):
    records = []
    for _ in range(choice.rounds):
        with servers.redis(choice.ports.next(), "always") as server:
            found = waits(server.port, lambda _: INCREMENT, lambda client: client.recv(65536))
            note("latency", {"system": "redis-server, appendfsync always: INCR", "waits": found}, records)
        for name, minimal in [("own, durable", False), ("own, durable, minimal answers", True)]:
            with durable(choice.ports) as server:
                found = waits(server.port, lambda number, minimal=minimal: update(number, minimal), read_answer)
                note("latency", {"system": name, "waits": found}, records)
    starts = [start(servers.TOOLS / "data-latency") for _ in range(STARTS)]
    return tables.latency(
        records, [statistics.median(starts), min(starts), max(starts)], command_times(choice.ports))
