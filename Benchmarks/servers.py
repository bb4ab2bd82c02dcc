"""The servers that are measured, each started on a port of its own for one run and ended after it."""
import contextlib
import dataclasses
import http.client
import itertools
import json
import os
import pathlib
import pwd
import resource
import socket
import ssl
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Benchmarks"
TOOLS = ROOT / ".build/benchmarks"
PROGRAM = ROOT / ".build/release/tweencast"
# What is compiled of which sources.
SOURCES = {
    "load": ["load.c", "listeners.c", "posts.c", "answer.c", "processes.c"],
    "floor": ["floor.c"],
    "publish": ["publish.c"],
    "check": ["check.c", "answer.c"],
    "reach": ["reach.c"],
}


@dataclasses.dataclass
class Server:
    """A server that runs."""

    port: int
    processes: list
    # Of a channel's stream; %d is its number.
    stream: str
    # Where others post a channel's messages; None for a server that makes its own.
    publish: str | None = None
    # The same for a message that is kept, and its channel's stream, which begins with it.
    keep: str | None = None
    kept: str | None = None


def compile_tool(tool, folder, compiler="cc"):
    command = [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", folder / tool]
    libraries = ["-lgnutls"] if tool == "load" else []
    subprocess.run(command + [FOLDER / source for source in SOURCES[tool]] + libraries, check=True)
    return folder / tool


def build_tools():
    """Compiles the tools and has them checked."""
    TOOLS.mkdir(parents=True, exist_ok=True)
    for tool in SOURCES:
        compile_tool(tool, TOOLS)
    subprocess.run([TOOLS / "check"], check=True)


@contextlib.contextmanager
def running(command, **options):
    """A program for as long as the block lasts."""
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(port):
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


def family(process):
    """A process and its children."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process] + [int(child) for child in children]


@contextlib.contextmanager
def floor(port, rate, channels, greets=False):
    """The bare send() loop. One that greets begins each stream with a frame, whatever its rate."""
    command = [TOOLS / "floor", "--port", str(port), "--rate", str(rate), "--channels", str(channels)]
    command += ["--greet"] if greets else []
    with running(command) as process:
        wait_for(port)
        yield Server(port, [process.pid], "/ch/%d")


@contextlib.contextmanager
def nginx(template, port, **values):
    """nginx with a configuration of ours, in which names stand for values."""
    with tempfile.TemporaryDirectory() as folder:
        text = (FOLDER / template).read_text()
        user, descriptors = pwd.getpwuid(os.geteuid()).pw_name, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        for name, value in {"PORT": port, "DESCRIPTORS": descriptors, "USER": user, **values}.items():
            text = text.replace(f"@{name}@", str(value))
        configuration = pathlib.Path(folder) / "nginx.conf"
        configuration.write_text(text)
        log = pathlib.Path(folder) / "error.log"
        command = ["nginx", "-p", folder, "-c", configuration, "-e", log]
        with running(command, stderr=subprocess.DEVNULL) as process:
            wait_for(port)
            yield process


@contextlib.contextmanager
def nchan(port, rate=0, channels=1):
    """nginx with nchan and one worker; it passes on what is posted."""
    with nginx("nginx.conf", port) as process:
        yield Server(port, family(process.pid), "/sub/ch%d", "/pub/ch%d", "/keep/ch%d", "/last/ch%d")


def certificate(folder):
    """A certificate that signs itself, and its key, made anew."""
    chain, key = pathlib.Path(folder) / "chain.pem", pathlib.Path(folder) / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-subj", "/CN=localhost", "-keyout", key, "-out", chain]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return chain, key


@contextlib.contextmanager
def own_tls(port, rate, channels):
    """This server, speaking TLS."""
    with tempfile.TemporaryDirectory() as folder:
        with own(port, rate, channels, keys=certificate(folder)) as server:
            yield server


@contextlib.contextmanager
def own_behind_nginx(port, rate, channels):
    """This server, with nginx in front that speaks TLS; what both take counts."""
    with own(port + 1, rate, channels) as behind, tempfile.TemporaryDirectory() as folder:
        chain, key = certificate(folder)
        with nginx("nginx-tls.conf", port, CHAIN=chain, KEY=key, BEHIND=behind.port) as process:
            yield dataclasses.replace(behind, port=port, processes=behind.processes + family(process.pid))


@contextlib.contextmanager
def own(port, rate=0, channels=0, data=None, keys=None, flags=()):
    """This server; its tickers' texts change every tick, or never at rate 0. With a certificate and its key it speaks TLS."""
    keeps = ["--data", data] if data else ["--ephemeral", "--max-streams", "19000"]
    command = [PROGRAM, *keeps, "--port", str(port), "--public", ROOT / "public", *flags]
    if keys:
        command += ["--tls-cert", keys[0], "--tls-key", keys[1]]
    with running(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(port)
        motion = {"label": "Loading assets 0", "from": 0.1, "to": 0.9, "decimals": 6, "duration": 3600}
        update = motion if rate else {"label": "0", "to": 1, "duration": 0}
        lines = [json.dumps({"ticker": f"ch{channel}"} | update) for channel in range(channels)]
        if lines:
            client = http.client.HTTPConnection("127.0.0.1", port)
            if keys:
                context = ssl.create_default_context(cafile=keys[0])
                client = http.client.HTTPSConnection("localhost", port, context=context)
            client.request("POST", "/v1/batch", "\n".join(lines))
            if client.getresponse().status != 200:
                raise RuntimeError("the tickers were refused")
            client.close()
        yield Server(port, [process.pid], "/v1/tickers/ch%d/events?stamp")


@contextlib.contextmanager
def redis(port, sync):
    """A redis-server that keeps what it is given, with every write or every second."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "",
                   "--appendonly", "yes", "--appendfsync", sync]
        with running(command, stdout=subprocess.DEVNULL) as process:
            wait_for(port)
            yield Server(port, [process.pid], "")


@contextlib.contextmanager
def replica(port, store, flags=()):
    """One of the replicas that share a log."""
    command = [PROGRAM, "--port", str(port), "--public", ROOT / "public", *flags]
    command += ["--store", f"redis://127.0.0.1:{store.port}?name=bench"]
    with running(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until_ready(port)
        yield Server(port, [process.pid], "/v1/tickers/ch%d/events?stamp")


def wait_until_ready(port, seconds=120):
    """Until a server says that it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException):
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            client.request("GET", "/readyz")
            if client.getresponse().status == 200:
                return
        time.sleep(0.005)
    raise RuntimeError(f"port {port} is not ready")


SYSTEMS = {"floor": floor, "nchan": nchan, "own": own}


@contextlib.contextmanager
def published(server, rate, channels):
    """Messages for a server that makes none, for as long as the block lasts."""
    if not server.publish or not rate:
        yield
        return
    connections = 10 if channels % 10 == 0 else 2 if channels % 2 == 0 else 1
    command = [
        TOOLS / "publish", "--to", f"127.0.0.1:{server.port}", "--path", server.publish, "--rate", str(rate),
        "--channels", str(channels), "--connections", str(connections),
    ]
    with running(command, stdout=subprocess.DEVNULL):
        yield


def fill(server, lines, batch):
    """Posts updates, so many a request, and makes sure that each is taken."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    lines = iter(lines)
    while part := [json.dumps(line) for line in itertools.islice(lines, batch)]:
        client.request("POST", "/v1/batch", "\n".join(part))
        answer = client.getresponse()
        text = answer.read()
        if text.count(b'"status":2') != len(part):
            refused = next((line for line in text.splitlines() if b'"status":2' not in line), b"").decode()
            raise RuntimeError(f"updates were refused: {answer.status}, {refused}")
    client.close()


def keep_messages(server, channels):
    """Gives a server that makes no messages one in each channel, for whoever comes."""
    if not server.keep:
        return
    client = http.client.HTTPConnection("127.0.0.1", server.port)
    message = {"seq": 1_000_000_001, "t": time.time_ns(), "label": "Loading assets", "progress": 0.123456}
    for channel in range(channels):
        client.request("POST", server.keep % channel, json.dumps(message, separators=(",", ":")))
        answer = client.getresponse()
        answer.read()
        if answer.status >= 300:
            raise RuntimeError("a message was refused")
    client.close()


def load_command(server, path, listeners, **options):
    command = [TOOLS / "load", "--to", f"127.0.0.1:{server.port}", "--path", path, "--listeners", str(listeners)]
    for name, value in options.items():
        # True stands for a switch.
        command += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
    return command + ["--watch", ",".join(map(str, server.processes))]


def load(server, path, listeners, **options):
    """What listeners of a path saw, as the load generator tells it."""
    command = load_command(server, path, listeners, **options)
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=120).stdout)


def figures(server, source="127.0.0.1"):
    """What a server says of itself at /metrics, by name and labels as they stand there; asked from an address."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30, source_address=(source, 0))
    client.request("GET", "/metrics")
    lines = client.getresponse().read().decode().splitlines()
    client.close()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def resident_kilobytes(processes, field="VmRSS"):
    """What processes hold of memory, or have held at their most (VmHWM)."""
    total = 0
    for process in processes:
        for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                total += int(line.split()[1])
    return total


def processor_seconds(processes):
    """CPU time of processes, each by its own clock (as clock_getcpuclockid(3) names it): /proc tells hundredths."""
    return sum(time.clock_gettime(~process << 3 | 2) for process in processes)


# What stands before the number in the names of the server's threads. Those of any other name serve HTTP.
THREADS = ["tick", "store", "checkpoint", "stream", "accept", "log", "webhooks", "preparation", PROGRAM.name]


def thread_seconds(processes):
    """CPU time of each thread, by its process, number and kind."""
    found = {}
    for process in processes:
        for folder in pathlib.Path(f"/proc/{process}/task").iterdir():
            # A thread may end meanwhile.
            with contextlib.suppress(OSError):
                prefix = (folder / "comm").read_text().strip().split("-")[0]
                kind = prefix if prefix in THREADS else "http"
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                found[process, folder.name, kind] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def thread_seconds_since(known, processes):
    """What the threads of each kind have taken since then, together."""
    sums = {}
    for thread, seconds in thread_seconds(processes).items():
        sums[thread[-1]] = sums.get(thread[-1], 0) + seconds - known.get(thread, 0)
    return sums
