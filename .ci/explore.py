"""Runs everything that draws at random, in turns, each time with a fresh seed.

    explore.py [--seconds N] [NAME…]

Prints each seed, goes on after a failure, and ends with a table of what failed and the command that repeats it. A failure
becomes a fixed seed of its suite, and a mend.
"""

import argparse
import itertools
import pathlib
import random
import subprocess
import sys
import time
import typing

import gate

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build/explore"
PYTHON = ".venv/bin/python3"
# A run that takes longer is ended.
LIMIT_SECONDS = 900
SHOWN_LINES = 20

# Each command, with {seed} where its seed belongs. A turn of each takes a minute or less.
EXPLORERS = {
    "stateful": f"{PYTHON} Tests/Stateful/stateful.py --seed {{seed}}",
    "simulate": f"{PYTHON} Tests/Simulation/simulate.py --worlds 48 --seed {{seed}}",
    "cuts": f"{PYTHON} Tests/PowerCuts/cuts.py --cuts 1000 --seed {{seed}}",
    "pairs": f"{PYTHON} Tests/Pairs/pairs.py --seed {{seed}}",
    "swift": f"TWEENCAST_SEED={{seed}} {PYTHON} .ci/swift_tests.py --random",
    "raw": f"{PYTHON} Tests/Hostile/raw.py --requests 20000 --patience 4 --seed {{seed}}",
    "structured": f"{PYTHON} Tests/Hostile/structured.py --requests 12000 --patience 4 --seed {{seed}}",
    "fields": f"{PYTHON} Tests/Hostile/fields.py --values 20000 --seed {{seed}}",
    "same": f"{PYTHON} Tests/Replicas/same.py --updates 2000 --moves 100 --seed {{seed}}",
    "chaos": f"{PYTHON} Tests/Replicas/chaos.py --rounds 4 --seed {{seed}}",
    "histories": f"{PYTHON} Tests/Histories/histories.py --operations 10000 --seed {{seed}}",
    "formats": f"{PYTHON} Tests/Peers/test_intl.py --seed {{seed}}",
    "labels": f"{PYTHON} Tests/Peers/test_labels.py --seed {{seed}}",
    "contract": f"TWEENCAST_SEED={{seed}} {PYTHON} Tests/Peers/test_contract_random.py",
}


class Failure(typing.NamedTuple):
    name: str
    command: str
    log: pathlib.Path


def run(name: str, command: str, log: pathlib.Path, limit: float) -> bool:
    """Whether it passes; if not, shows the end of its log."""
    began = time.monotonic()
    child = None
    with log.open("w") as output:
        try:
            with gate.signals_wait():
                child = subprocess.Popen(
                    ["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                    start_new_session=True,
                )  # fmt: skip
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            code = f"nothing, it was ended after {limit:.0f} s"
        finally:
            # Also when this program is asked to end.
            if child and child.poll() is None:
                gate.end(child.pid, gate.GRACE_SECONDS)
                child.wait()
    print(f"{'ok  ' if code == 0 else 'FAIL'} {name} {time.monotonic() - began:.0f} s: {command}", flush=True)
    if code != 0:
        lines = log.read_text(errors="replace").splitlines()
        print(f"     exit code {code}", *(f"     {line[:300]}" for line in lines[-SHOWN_LINES:]), sep="\n", flush=True)
    return code == 0


def explore(commands: dict[str, str], seconds: float) -> list[Failure]:
    """Runs all in turns until the time is up, at least each once."""
    LOGS.mkdir(parents=True, exist_ok=True)
    chance, failures = random.SystemRandom(), []
    end = time.monotonic() + seconds
    for number, (name, command) in enumerate(itertools.cycle(commands.items())):
        if number >= len(commands) and time.monotonic() >= end:
            break
        seeded = command.format(seed=chance.randrange(1 << 31))
        log = LOGS / f"{number}-{name}.log"
        if not run(name, seeded, log, LIMIT_SECONDS):
            failures.append(Failure(name, seeded, log))
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(EXPLORERS))
    parser.add_argument("--seconds", type=float, default=900)
    options = parser.parse_args()
    if unknown := set(options.names) - set(EXPLORERS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    gate.restore_signals()
    chosen = {name: command for name, command in EXPLORERS.items() if name in options.names or not options.names}
    failures = explore(chosen, options.seconds)
    print(f"\n{len(failures)} failures" + (":" if failures else ""))
    for failure in failures:
        print(f"  {failure.name:12} {failure.command}\n{'':14} log: {failure.log.relative_to(ROOT)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
