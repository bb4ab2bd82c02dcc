"""What slow clients do to honest ones. Slow ones come from one address, honest ones from another, and no address is
exempt from limits. A second server has honest clients too, and nobody else: what they see is the machine's doing."""
import contextlib
import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import time

import servers
import tables

WINDOW = 30
# Seconds before the window: honest clients connect, then slow ones begin.
WARM_UP, LEAD = 3, 1
# Slow ones go on after it, until those of its first seconds have been ended: streams, bodies and answers after 30 s.
REST = 9
TICKERS = 1000
# A ticker with the longest label: a list of its frames is 15 MB.
UNREAD = "unread"
CONNECTIONS, STALLED = 4000, 500
QUIET, STALLED_READERS = "quiet", "stalled readers"
# What honest clients do: streams, each of a ticker of its own, and updates a second.
STREAMS, POSTS = 5, 100
SLOW, HONEST, OBSERVER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
LIMITS = ["--unlimited-from", "none"]
# As slow as slowhttptest can be: what it does, and where to.
MODES = {
    "slow headers": (["-H", "-i", "5"], "/v1/tickers"),
    "slow bodies": (["-B", "-i", "5", "-s", "65000", "-t", "POST"], "/v1/tickers/slow"),
    "slow reads": (["-X", "-i", "2", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "3"],
                   f"/v1/tickers?limit={TICKERS}"),
    "unread answers": (["-X", "-i", "5", "-w", "512", "-y", "512", "-n", "5", "-z", "8", "-k", "1"],
                       f"/v1/tickers/{UNREAD}/frames?from=0&to=3600&fps=1"),
}
# What /metrics says of connections and streams that the server ended.
CUT = ["tweencast_connections_late_total", "tweencast_connections_displaced_total", "tweencast_streams_stalled_total",
       "tweencast_streams_slow_total"]


def slowhttptest(name, server, seconds):
    mode, path = MODES[name]
    return ["slowhttptest", *mode, "-c", str(CONNECTIONS), "-r", "800", "-l", str(round(seconds)), "-p", "3",
            "-u", f"http://127.0.0.1:{server.port}{path}"]


def stalled(server, seconds):
    return servers.load_command(
        server, "/v1/events?ticker=ch*", STALLED, slow=1, source=SLOW, warm_up=0, seconds=seconds, under_way=64)


class Attack:
    """Slow clients of a server. Those of slowhttptest are begun anew when the server has cut off all of them."""

    def __init__(self, name, server, seconds):
        self.name, self.server, self.process = name, server, None
        self.end = time.monotonic() + seconds
        self.go_on()

    def go_on(self):
        left = self.end - time.monotonic()
        if self.name == QUIET or left < 2 or (self.process and self.process.poll() is None):
            return
        if self.name == STALLED_READERS:
            command = stalled(self.server, left)
        else:
            command = slowhttptest(self.name, self.server, left)
        # They get the processor when nobody else wants it, as if they were elsewhere.
        self.process = subprocess.Popen(
            ["chrt", "--idle", "0", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def pair(ports):
    """The server that slow clients come to, and one beside it."""
    with contextlib.ExitStack() as stack:
        both = []
        for _ in range(2):
            # In memory: a disk that both share would be most of what an update's p99 tells.
            data = stack.enter_context(tempfile.TemporaryDirectory(dir="/dev/shm"))
            both.append(stack.enter_context(servers.own(ports.next(), 60, TICKERS, data=data, flags=LIMITS)))
        yield both


def honest(server, window):
    """Starts honest clients: streams at 60 Hz, and updates of a ticker beside them."""
    command = servers.load_command(
        server, server.stream, STREAMS, channels=STREAMS, rate=60, source=HONEST, warm_up=WARM_UP, seconds=window,
        post="/v1/tickers/honest", posts=POSTS)
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def open_connections(server):
    """How many connections of slow clients the server has."""
    command = ["ss", "-Htn", "state", "established", f"( sport = :{server.port} and dst {SLOW} )"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.count(b"\n")


def cut(server):
    """How many connections and streams the server has ended so far."""
    figures = servers.figures(server, OBSERVER)
    return sum(figures[name] for name in CUT)


def is_refused(server):
    """Whether an honest client that asks for a list of ten tickers gets none."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30, source_address=(HONEST, 0))
    client.request("GET", "/v1/tickers?limit=10")
    answer = client.getresponse()
    answer.read()
    client.close()
    return answer.status != 200


def endured(name, server, seconds):
    """Has slow clients at a server. How many connections there were at most and in the end, how many it ended, what it
    took of memory, and the share of lists that others were refused."""
    servers.fill(server, [{"ticker": UNREAD, "label": "0 " + "y" * 4080, "to": 1000000, "duration": 3600}], 1)
    known, base = cut(server), servers.resident_kilobytes(server.processes)
    attack = Attack(name, server, seconds)
    most = memory = 0
    refused = []
    try:
        while time.monotonic() < attack.end:
            time.sleep(1)
            attack.go_on()
            refused.append(is_refused(server))
            left = open_connections(server)
            most, memory = max(most, left), max(memory, servers.resident_kilobytes(server.processes))
        return {"most": most, "left": left, "cut": cut(server) - known, "megabytes": (memory - base) / 1024,
                "refused": sum(refused) / len(refused)}
    finally:
        attack.stop()


def row(name, choice):
    with pair(choice.ports) as (attacked, control):
        clients = [honest(server, choice.window) for server in [attacked, control]]
        time.sleep(WARM_UP - LEAD)
        record = endured(name, attacked, LEAD + choice.window + (REST if name != QUIET else 0))
        seen = [json.loads(client.communicate(timeout=choice.window + 60)[0]) for client in clients]
    return record | {"client": seen[0], "control": seen[1]}


def measure(choice, note):
    names = [QUIET, *MODES, STALLED_READERS]
    if not shutil.which("slowhttptest"):
        print("no slowhttptest: only readers that stall are slow", file=sys.stderr)
        names = [QUIET, STALLED_READERS]
    records = []
    for number in range(choice.rounds):
        for name in names:
            note("slow", {"round": number, "system": name} | row(name, choice), records)
    return tables.slow(records)
