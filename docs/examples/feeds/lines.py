"""Counts the lines that pass through a pipe, such as the log of a build.

make 2>&1 | python3 lines.py progress/build 214     of 214 lines that are expected
tail -f access.log | python3 lines.py tickers/requests
"""

import argparse
import sys
import threading
import time

from post import Refused, try_once

arguments = argparse.ArgumentParser()
arguments.add_argument("target", help="progress/ID or tickers/ID")
arguments.add_argument("expected", type=int, nargs="?", help="how many lines a progress expects")
options = arguments.parse_args()
count = 0
is_over = threading.Event()


def send():
    """Sends the total so far: one that is lost is made good by the next, and one that arrives late changes nothing."""
    field = {"current": count, "maximum": options.expected} if options.expected else {"to": count}
    return try_once(f"/v1/{options.target}", {**field, "sequence": time.time_ns() // 1_000_000, "duration": 0.5})


def follow():
    try:
        sent = 0
        while not is_over.wait(0.5):
            if count > sent:
                sent = count
                send()
        # A pipe doesn't wait for ever for a server that is away.
        for _ in range(5):
            if (pause := send()) is None:
                return
            time.sleep(pause)
    except Refused as refusal:
        print(refusal, file=sys.stderr)


follower = threading.Thread(target=follow)
follower.start()
try:
    for line in sys.stdin:
        count += 1
        print(line, end="", flush=True)
except KeyboardInterrupt:
    sys.exit(130)
finally:
    is_over.set()
    follower.join()
