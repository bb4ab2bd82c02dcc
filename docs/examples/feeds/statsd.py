"""Takes StatsD's counters (`visits:1|c`) and gauges (`load:7|g`) by UDP, and posts them as tickers in batches.

python3 statsd.py --port 8125
"""

import argparse
import collections
import re
import socket
import sys
import time
import uuid

from post import Refused, post

METRIC = re.compile(r"([A-Za-z0-9._~:-]{1,128}):([+-]?\d+(?:\.\d+)?)\|(c|g)(?:\|@(0?\.\d+))?")
arguments = argparse.ArgumentParser()
arguments.add_argument("--port", type=int, default=8125)
# Each batch has a key, and the server keeps keys for four hours: see docs/limits.md before you make this shorter.
arguments.add_argument("--interval", type=float, default=5, help="seconds between two batches")
options = arguments.parse_args()
listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener.bind(("127.0.0.1", options.port))
print(f"listening on 127.0.0.1:{listener.getsockname()[1]}", flush=True)



def collect():
    """The counts and gauges of one interval, as a batch."""
    counts, gauges = collections.Counter(), {}
    end = time.monotonic() + options.interval
    while (left := end - time.monotonic()) > 0:
        listener.settimeout(left)
        try:
            datagram = listener.recv(65536)
        except TimeoutError:
            break
        for line in datagram.decode(errors="replace").splitlines():
            if found := METRIC.fullmatch(line.strip()):
                name, number, kind, rate = found.groups()
                # A gauge with a sign changes by that much.
                if kind == "c" or number[0] in "+-":
                    counts[name] += float(number) / float(rate or 1)
                else:
                    gauges[name] = float(number)
                    counts.pop(name, None)
    batch = [{"ticker": name, "to": number, "duration": "auto"} for name, number in gauges.items()]
    return batch + [{"ticker": name, "by": count, "duration": "auto"} for name, count in counts.items()]


try:
    while True:
        if batch := collect():
            # What comes meanwhile waits in the socket.
            post("/v1/batch", batch, str(uuid.uuid4()))
except Refused as refusal:
    sys.exit(str(refusal))
except KeyboardInterrupt:
    sys.exit(130)
