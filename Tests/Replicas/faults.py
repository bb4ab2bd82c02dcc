"""Faults as docs/replicas.md promises them, one after another, each with a Redis, replicas and listeners of its own:
faults.py [--jobs N] [NAME…]; without names all of them. Prints a line each. Nothing in them is random."""

import argparse
import concurrent.futures
import sys
import threading
import time
import traceback

import clock_faults
import failover_faults
import replica_faults
import start_faults
import store_faults
from replay import replay
from scene import FAULTS, Scene, Skipped

SETS = (store_faults, clock_faults, replica_faults, failover_faults, start_faults)
PRINTING = threading.Lock()


def play(name):
    """Whether all was as promised."""
    scene = Scene()
    began = time.monotonic()
    told, is_fine = "", True
    try:
        told = FAULTS[name](scene) or ""
    except Skipped as skipped:
        told = f"skipped: {skipped}"
    except Exception:
        is_fine = False
        told = f"FAILED\n{traceback.format_exc()}{scene.said}"
    finally:
        scene.close()
    with PRINTING:
        print(f"{time.monotonic() - began:6.1f} s  {name}  {told}".rstrip(), flush=True)
    return is_fine


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FAULTS))
    parser.add_argument("--jobs", type=int, default=3, help="how many at a time; most of it is waiting")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(FAULTS)
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        names = arguments.names or list(FAULTS)
        results = list(pool.map(play, names))
    print(f"{sum(results)} of {len(results)} as promised")
    if failed := [name for name, is_fine in zip(names, results) if not is_fine]:
        print(replay(words=failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
