"""Both fuzzers on one server, side by side, with a kill -9 every so often and an honest client beside them.

    soak.py [--binary PATH] [--seed N] [--seconds N] [--kill N] [--slowhttptest] [--patience N] [--memory MB]

Every other kill comes between two requests and compares all resources; the others come in the midst of them. At the end
it says how often the server ended by itself or did not answer, and what the honest client saw before and meanwhile.
A second honest client asks a second server, which nobody attacks, on the same machine: what it sees is the machine's
doing, not the server's. With --slowhttptest (when it is installed) 4,000 connections follow that send heads and bodies,
and read, a byte at a time.
"""

import argparse
import shutil
import subprocess
import sys
import time

from honest import Honest
from program import HOST, Program, raise_descriptor_limit
import tested
from raw import RawFuzz, served
from replay import add_seed, replay
from structured import FLAGS, StructuredFuzz, report
from target import LOOK_SECONDS, Attacker, Failure, Target

QUIET_SECONDS = 10
RATIO = 1.5
# An update is shown at a tick, 60 of which make a second: nobody sees an answer that is late by less than one.
TICK = 1000 / 60
SLOW_CONNECTIONS = 4000
SLOW_SECONDS = 42
SLOW_MODES = {
    "heads": ["-H", "-i", "5"],
    "bodies": ["-B", "-i", "5", "-s", "65000", "-t", "POST"],
    "reads": ["-X", "-i", "2", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "3"],
}


class Soak:
    def __init__(self, target, options):
        self.target, self.options = target, options
        self.spans = []

    def fire(self):
        """Fuzzes for the time that was asked for."""
        options, target = self.options, self.target
        fuzz, raw = StructuredFuzz(target, options.seed), RawFuzz(target, options.seed, options.folds)
        raw.start()
        now = time.monotonic()
        end, kill = now + options.seconds, now + (options.kill or options.seconds * 2)
        told, kills = now, 0
        while time.monotonic() < end and not target.over:
            time.sleep(LOOK_SECONDS)
            target.look()
            served(target)
            if time.monotonic() >= kill and not target.over:
                kills += 1
                self.kill(fuzz if kills % 2 else None)
                kill = time.monotonic() + options.kill
            if time.monotonic() > told + 60:
                told = time.monotonic()
                print(f"{end - told:.0f} s to go: {target.summary()}", flush=True)
        if not target.over:
            self.kill(fuzz)
        fuzz.finish()
        raw.join()

    def kill(self, fuzz):
        start = time.monotonic()
        if fuzz:
            fuzz.restart_quietly()
        else:
            self.target.restart()
        # What an honest client misses while there is no server isn't what the fuzzers did to it.
        self.spans.append((start - 0.5, time.monotonic() + 1.0))


def slow_clients(target, strict):
    """slowhttptest's three attacks; each beside an honest client of its own."""
    if not shutil.which("slowhttptest"):
        print("slowhttptest isn't installed")
        return
    batch = "\n".join(f'{{"ticker":"list{number}","to":{number},"duration":0}}' for number in range(1000))
    target.program.ask("POST", "/v1/batch", batch)
    places = {"heads": "/v1/tickers", "bodies": "/v1/tickers/slow", "reads": "/v1/tickers?limit=1000"}
    for name, mode in SLOW_MODES.items():
        clients = Clients(target, quiet=2)
        command = [
            *(["chrt", "--idle", "0"] if Attacker.yields else []),
            "slowhttptest", *mode, "-c", str(SLOW_CONNECTIONS), "-r", "800", "-l", str(SLOW_SECONDS), "-p", "3",
            "-u", f"http://{HOST}:{target.program.port}{places[name]}",
        ]  # fmt: skip
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SLOW_SECONDS + 30)
        clients.judge(f"slow {name}", strict)
        target.look()


class Clients:
    """An honest client of the server under attack, and one of a server beside it that nobody attacks."""

    def __init__(self, target, quiet):
        self.target = target
        self.other = Program(target.program.command[0], *FLAGS)
        self.witness = Honest(self.other.port, quiet=0.1)
        self.honest = Honest(target.program.port, quiet)

    def judge(self, name, strict, without=()):
        """Prints what they saw; by hand on a quiet machine the ratio is a verdict."""
        fired, beside = self.honest.finish(without), self.witness.finish(without)
        quiet = self.honest.quiet
        for client in (self.honest, self.witness, self.other):
            client.close()
        print(f"{name}: honest {fired}\n    beside {beside}\n    quiet {quiet}", flush=True)
        for what in ("post_p99", "gap_p99"):
            was, now = max(getattr(quiet, what), getattr(beside, what)), getattr(fired, what)
            if strict and now > max(was * RATIO, TICK):
                self.target.fail(f"{name}: {what} {now:.1f} ms, quiet {was:.1f} ms")
        # The server may be gone for it in a kill, and only then.
        if unexpected := [what for what in fired.failures if "503" not in what]:
            self.target.fail(f"{name}: the honest client failed {len(unexpected)} times: {sorted(set(unexpected))[:3]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=tested.PROGRAM, type=tested.program)
    add_seed(parser)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--kill", type=float, default=20, help="seconds between two kills; 0 for none but at the end")
    parser.add_argument("--slowhttptest", action="store_true")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="for a quiet machine, where attackers yield: the honest p99 may be a tick, or 1.5 times the quiet one or "
        "that beside",
    )
    parser.add_argument("--patience", type=float, default=1.0, help="times longer may anything take: debug builds")
    parser.add_argument("--no-folds", dest="folds", action="store_false", help="no header goes on on the next line")
    parser.add_argument("--memory", type=float, help="MB that it may take; 0 for any")
    options = parser.parse_args()
    print(f"both fuzzers for {options.seconds:.0f} s, --seed {options.seed}", flush=True)
    raise_descriptor_limit()
    Attacker.yields = options.strict
    try:
        target = Target(options.binary, *FLAGS, patience=options.patience, endures=True)
    except Failure as failure:
        sys.exit(str(failure))
    if options.memory is not None:
        target.memory_limit = options.memory or float("inf")
    clients = Clients(target, QUIET_SECONDS)
    soak = Soak(target, options)
    soak.fire()
    clients.judge("fuzz", options.strict, soak.spans)
    if options.slowhttptest and target.program.alive:
        slow_clients(target, options.strict)
    report(target, options.binary)
    code = target.program.terminate(30)
    if code != 0:
        target.failures.append("SIGTERM")
        print(f"✘ SIGTERM: {'still there after 30 s' if code is None else f'exit {code}'}")
    target.program.close()
    print(f"{target.exits} exits, {target.hangs} hangs, {len(target.failures)} failures")
    if target.failures:
        print(replay(options.seed))
    return 1 if target.failures else 0


if __name__ == "__main__":
    sys.exit(main())
