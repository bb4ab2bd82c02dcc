"""Simulated worlds: servers with faults, clients that drive them, and checks of all that these were told.

simulate.py [--seed N] [--worlds 40 | --seconds 45] [--kinds store,log,redis] [--duration 20] [--marks]
simulate.py --day 86400: a quiet day of three replicas, and the seconds of CPU that it takes

A world is replayed by its seed: simulate.py --seed N --worlds 1 --kinds log
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, readers_show_the_end, servers_agree  # noqa: E402
from replay import add_seed  # noqa: E402
from world import World  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SIMULATION", ROOT / ".build/program/release/simulation"))
# The seed of a world whose history lacks an event, and simulated seconds after which it does.
CANARY, CANARY_SECONDS = 0, 5
# A world takes one or two of CPU; one that takes longer is ended. One that waits is ended, too, but a busy machine may take its time.
CPU_PER_WORLD, SECONDS_PER_WORLD = 30, 300
# Worlds that one process simulates.
PORTION = 8
# Rare situations; a long run meets each.
MARKS = {
    "board loaded again", "board written back to the log", "client left inside a body", "clock set", "died with its last commit",
    "died without its last commit", "entry can't be read", "key repeated", "log emptied", "log lost a suffix",
    "log restored from a copy", "new session", "portion requested", "process died between two requests to its redis",
    "rate of a reader changed", "reader lags", "reader lags no longer",
    "reader stalled", "reader vanished", "redis clock set", "redis confirms too little", "redis emptied",
    "redis failed over", "redis full", "redis head damaged", "redis loading", "redis lost a part",
    "redis lost an entry on its way", "redis restarted between two requests of a turn", "replica cut off", "replica stayed with a replaced server",
    "reply of the log lost", "reply of the redis lost", "request came late to the redis",
    "request refused for its expired token", "request refused for its token", "slow reader has no room", "stalled stream ended", "store recovered",
    "stream ended as its token expired", "stream refused for its expired token",
    "stream refused for its token", "ticket refused",
}  # fmt: skip


def simulate(seeds: list[int], kind: str, duration: int) -> tuple[list[tuple[int, list[str]]], dict[str, int]]:
    """What is wrong in each of these worlds, and how often they met rare situations."""
    # The order of a set or dictionary must be the same in each run.
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    command = [PROGRAM, "--seeds", ",".join(map(str, seeds)), "--kind", kind, "--duration", str(duration)]
    found, marks, world = [], collections.Counter(), None
    limits = ["prlimit", f"--cpu={CPU_PER_WORLD * len(seeds)}", "timeout", str(SECONDS_PER_WORLD * len(seeds))]
    said = tempfile.TemporaryFile()
    child = subprocess.Popen([*limits, *command], stdout=subprocess.PIPE, stderr=said, env=environment)
    for text in child.stdout:
        if not text.endswith(b"\n"):
            # It was ended in the middle of a line.
            break
        line = json.loads(text)
        if line["is"] == "begins":
            world = World(line)
            continue
        world.take(line)
        if line["is"] == "marks":
            marks.update(world.marks)
            found.append((int(world.seed), check(world)))
            world = None
    if child.wait():
        said.seek(0)
        last = said.read()[-2_000:].decode(errors="replace")
        seed = int(world.seed) if world else seeds[len(found)]
        found.append((seed, [f"the simulation ended with {child.returncode}: {last}"]))
    return found, marks


def canary() -> bool:
    """Whether the checks see what is wrong in the world that lacks an event on purpose."""
    found, _ = simulate([CANARY], "store", CANARY_SECONDS)
    return any("misses" in text for text in found[0][1])


def live_a_day(seed: int, seconds: int):
    """Nothing befalls it: it shows how fast worlds go."""
    command = [PROGRAM, "--seeds", str(seed), "--day", str(seconds)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
    day = None
    for text in child.stdout:
        line = json.loads(text)
        if line["is"] == "begins":
            day = World(line)
        else:
            day.take(line)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, f"the simulation ended with {child.returncode}"
    assert not day.wrong, day.wrong[:3]
    servers_agree(day)
    readers_show_the_end(day)
    used = usage.ru_utime + usage.ru_stime
    print(f"{seconds} simulated seconds in {used:.1f} s of CPU, {seconds / used:.0f} times as fast")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_seed(parser)
    parser.add_argument("--worlds", type=int, default=40)
    parser.add_argument("--seconds", type=float, help="in place of a number of worlds")
    parser.add_argument(
        "--kinds", default="store,log,redis", help="a server with its store; three that share a log, or that of a Redis"
    )
    parser.add_argument("--duration", type=int, default=20, help="simulated seconds of commands and faults")
    parser.add_argument("--marks", action="store_true", help="fail if a rare situation was never met")
    parser.add_argument("--day", type=int, help="so many seconds of a quiet day, and nothing else")
    options = parser.parse_args()
    if options.day:
        live_a_day(options.seed, options.day)
        return 0
    print(f"seed {options.seed}", flush=True)
    if not canary():
        sys.exit("the checks are blind: an event is missing in the canary's world, and they pass")
    kinds = options.kinds.split(",")
    seeds = random.Random(options.seed)
    deadline = time.monotonic() + options.seconds if options.seconds else None
    marks, failed, passed = collections.Counter(), 0, 0

    def portions():
        left = options.worlds
        while deadline and time.monotonic() < deadline or not deadline and left > 0:
            count = PORTION if deadline else min(PORTION, left)
            left -= count
            # A single world has the seed itself, so that it can be asked for.
            numbers = [options.seed] if options.worlds == 1 else [seeds.randrange(1 << 31) for _ in range(count)]
            for number, kind in enumerate(kinds):
                share = numbers[number :: len(kinds)] if options.worlds > 1 else numbers
                if share:
                    yield share, kind

    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        running = {}
        for share, kind in portions():
            running[pool.submit(simulate, share, kind, options.duration)] = kind
            if len(running) < (os.cpu_count() or 1) + 1:
                continue
            passed, failed = _report(running, marks, passed, failed, options)
        while running:
            passed, failed = _report(running, marks, passed, failed, options)
    for name, count in sorted(marks.items()):
        print(f"  {name}: {count}")
    if options.marks and (missing := MARKS - set(marks)):
        print(f"never met: {', '.join(sorted(missing))}")
        failed += 1
    print(f"{passed} worlds passed, {failed} failed")
    return 1 if failed else 0


def _report(running: dict, marks: collections.Counter, passed: int, failed: int, options) -> tuple[int, int]:
    """Waits for one portion at least, and prints what failed."""
    done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
    for portion in done:
        kind = running.pop(portion)
        found, met = portion.result()
        marks.update(met)
        for seed, wrong in found:
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"world {seed} of kind {kind} failed:", *wrong[:6], sep="\n  ")
                print(f"  again: Tests/Simulation/simulate.py --seed {seed} --worlds 1 --kinds {kind} --duration {options.duration}")
    return passed, failed


if __name__ == "__main__":
    sys.exit(main())
