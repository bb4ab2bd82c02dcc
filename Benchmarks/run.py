#!/usr/bin/env python3
"""Measures what docs/benchmarks.md shows and prints the tables; with --page they go into the page, between its marks.

    Benchmarks/run.py [frames] [peers] [connects] [tls] [dashboard] [ingest] [latency] [growth]
                      [replicas] [slow] [--rounds N] [--page FILE] [--workloads A B10 B60 C D] [--systems floor nchan own]
                      [--parts streams moving resting]

frames      Benchmarks/Frames: what a frame costs in the process
peers       this server beside the bare send() loop and nchan, in rounds: every system in turn within each workload
connects    how many streams can be opened a second, each with its first frame, beside the same peers
tls         streams over TLS, by this server and by nginx in front of it, beside plain ones
dashboard   50 tickers on each of many streams
ingest      durable updates here beside nchan's volatile ones, their CPU time by kind of thread, and what more cores would
            do by a model
latency     how long one client waits for a durable update, beside a Redis that syncs each write, and for a start
growth      what is taken as streams, moving tickers and resources at rest grow in number, and the slopes
replicas    what it costs that replicas share a log on a Redis, beside one node with SQLite
slow        what honest clients see while thousands of others send or read as slowly as they can

It measures a release build, which must be there. As root it works in a network namespace of its own, where congestion
control is Debian's whatever the machine's is. Without nginx, nchan is left out. What each run told stays in
.build/benchmarks as JSON. A table that fails is reported at the end, with exit code 1; the page keeps its previous text.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import sys
import traceback

import growth
import ingest
import latency
import replicas
import servers
import slow
import tables

WINDOW, WARM_UP = 4, 1.5
# Few enough for two cores, of which the load generator, which has to decrypt, needs one.
TLS_STREAMS = 500
# Listeners, frames a second, channels.
WORKLOADS = {
    "A": (1000, 60, 1), "B10": (5000, 10, 1), "B60": (5000, 60, 1), "C": (1000, 60, 1000), "D": (10000, 0, 1),
}
# Streams that are opened, and what they are spread over: on one channel each costs nchan the more the more there are.
CONNECTS, CONNECT_CHANNELS = 10_000, 1000
INSIDE = "TWEENCAST_BENCHMARK_NAMESPACE"


def enter_namespace():
    """Starts this again in a network namespace of its own, where that is allowed."""
    if INSIDE in os.environ:
        pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").write_text("15000 65000")
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        for route in ["127.0.0.0/8", "127.0.0.1"]:
            command = ["ip", "route", "replace", "local", route, "dev", "lo", "table", "local", "src", "127.0.0.1"]
            subprocess.run(command + ["congctl", "cubic"], check=True)
    elif os.geteuid() == 0 and subprocess.run(["unshare", "--net", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ[INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    else:
        print("no network namespace: the machine's own settings hold", file=sys.stderr)


class Ports:
    """A port for each run, so that none meets what is left of the one before."""

    def __init__(self):
        self.last = 9500

    def next(self):
        self.last += 10
        return self.last


def note(name, record, records):
    records.append(record)
    with open(servers.TOOLS / f"{name}.jsonl", "a") as file:
        print(json.dumps(record), file=file)
    shown = {key: value for key, value in record.items() if key not in ["client", "control", "waits"]}
    print(name, shown, file=sys.stderr)


def frames(choice):
    return tables.frames([
        subprocess.run([servers.ROOT / ".build/release/bench"], check=True, stdout=subprocess.PIPE, text=True).stdout
        for _ in range(choice.rounds)])


def peers(choice):
    records = []
    for number in range(choice.rounds):
        for workload in choice.workloads:
            listeners, rate, channels = WORKLOADS[workload]
            window, warm_up = (1, 0.5) if workload == "D" else (WINDOW, WARM_UP)
            for system in choice.systems:
                with servers.SYSTEMS[system](choice.ports.next(), rate, channels) as server:
                    base = servers.resident_kilobytes(server.processes)
                    with servers.published(server, rate, channels):
                        client = servers.load(
                            server, server.stream, listeners, channels=channels, rate=rate, seconds=window,
                            warm_up=warm_up, sources=4, under_way=64)
                record = {"round": number, "workload": workload, "system": system, "base_rss_kb": base}
                note("peers", record | {"client": client}, records)
    return tables.peers(records)


def connects(choice):
    """Streams of tickers at rest, opened as fast as can be; each is open when it has its first frame."""
    records = []
    for number in range(choice.rounds):
        for system in choice.systems:
            options = {"greets": True} if system == "floor" else {}
            with servers.SYSTEMS[system](choice.ports.next(), 0, CONNECT_CHANNELS, **options) as server:
                servers.keep_messages(server, CONNECT_CHANNELS)
                base = servers.resident_kilobytes(server.processes)
                client = servers.load(
                    server, server.kept or server.stream, CONNECTS, channels=CONNECT_CHANNELS, seconds=0.2, warm_up=0,
                    sources=4, under_way=64, first_frame=True)
            record = {"round": number, "system": system, "base_rss_kb": base, "client": client}
            note("connects", record, records)
    return tables.connects(records)


def tls(choice):
    records = []
    systems = {
        "plain": servers.own, "TLS in Tweencast": servers.own_tls, "nginx in front": servers.own_behind_nginx,
    }
    if not has_nginx():
        del systems["nginx in front"]
    for number in range(choice.rounds):
        for system, start in systems.items():
            with start(choice.ports.next(), 60, 1) as server:
                base = servers.resident_kilobytes(server.processes)
                options = {} if system == "plain" else {"tls": True}
                client = servers.load(
                    server, server.stream, TLS_STREAMS, rate=60, seconds=WINDOW, warm_up=WARM_UP, under_way=64, **options)
            note("tls", {"round": number, "system": system, "base_rss_kb": base, "client": client}, records)
    return tables.tls(records)


def dashboard(choice):
    records = []

    def view(system, server, path, viewers):
        client = servers.load(server, path, viewers, rate=3000, seconds=WINDOW, warm_up=1)
        note("dashboard", {"system": system, "viewers": viewers, "client": client}, records)

    for _ in range(choice.rounds):
        if "nchan" in choice.systems:
            # Only 20: with more viewers it has no time left.
            with servers.nchan(choice.ports.next(), 60, 50) as server, servers.published(server, 60, 50):
                view("nchan", server, "/all?of=" + ",".join(f"ch{channel}" for channel in range(50)), 20)
        with servers.own(choice.ports.next(), 60, 50) as server:
            for viewers in [20, 100, 500]:
                view("own", server, "/v1/events?ticker=ch*&stamp", viewers)
    return tables.dashboard(records)


def has_nginx():
    return shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") is not None


TABLES = {
    "frames": frames, "peers": peers, "connects": connects, "tls": tls, "dashboard": dashboard,
    "ingest": lambda choice: ingest.measure(choice, note), "latency": lambda choice: latency.measure(choice, note),
    "growth": lambda choice: growth.measure(choice, note),
    "replicas": lambda choice: replicas.measure(choice, note), "slow": lambda choice: slow.measure(choice, note),
}


def surroundings():
    """The machine, its kernel and what else it does."""
    models = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    load = os.getloadavg()[0]
    return (f"{(models or [platform.machine()])[0]}, {os.cpu_count()} cores, Linux {platform.release()}; "
            f"load {load:.1f} before.\n")


def put_in(page, name, text):
    """Puts a table between the page's marks of its name."""
    marks = re.compile(f"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    contents, count = marks.subn(lambda found: f"{found[1]}\n{text}\n{found[2]}", page.read_text())
    if count != 1:
        raise RuntimeError(f"{page} has no place for {name}")
    page.write_text(contents)


def make_tables(choice):
    """Prints the chosen tables and puts them in the page. Returns the names of those that failed: the others don't miss it."""
    failed = []
    for name in choice.tables or TABLES:
        (servers.TOOLS / f"{name}.jsonl").unlink(missing_ok=True)
        machine = surroundings()
        try:
            text = f"{TABLES[name](choice).strip()}\n\n{machine}"
            print(text)
            if choice.page:
                put_in(choice.page, name, text)
        except Exception:
            traceback.print_exc()
            failed.append(name)
    return failed


def read_choice():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="all when none is named")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--workloads", nargs="+", choices=WORKLOADS, default=["A", "B60", "C", "D"])
    parser.add_argument("--systems", nargs="+", choices=servers.SYSTEMS, default=list(servers.SYSTEMS))
    parser.add_argument("--resources", type=int, default=replicas.MILLION, help="that a replica starts with")
    parser.add_argument("--window", type=float, default=slow.WINDOW, help="seconds, beside slow clients")
    parser.add_argument("--parts", nargs="+", choices=growth.PARTS, default=list(growth.PARTS), help="of the growth")
    parser.add_argument(
        "--without-minimal", dest="minimal", action="store_false",
        help="ingest without the row of minimal answers, for a server that doesn't know Prefer: return=minimal")
    choice = parser.parse_args()
    for name in choice.tables:
        if name not in TABLES:
            parser.error(f"no table is called {name}")
    choice.ports = Ports()
    return choice


def main():
    choice = read_choice()
    enter_namespace()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    if not has_nginx():
        print("no nginx: nchan and TLS by nginx are left out", file=sys.stderr)
        choice.systems = [system for system in choice.systems if system != "nchan"]
    servers.build_tools()
    if failed := make_tables(choice):
        names = " ".join(failed)
        sys.exit(f"no table, for the reasons above, and the previous text stays: {names}\n"
                 f"again: make bench TABLES=\"{names}\"")


if __name__ == "__main__":
    main()
