# Next instants of cron expressions as cronsim and croniter see them. Reads lines: `Z name first start:offset …` (a
# zone's changes) and `C zone start expression`; writes a line per C: five instants or `-` of each, in Unix seconds.
import io
import struct
import sys
from datetime import datetime, timezone
from itertools import islice
from zoneinfo import ZoneInfo

from croniter import croniter
from cronsim import CronSim

COUNT = 5


def zone(name, first, changes):
    """A zone with just these changes: a TZif file of version 2 (RFC 8536), so that both sides hold the same data."""
    changes = [tuple(map(int, change.split(":"))) for change in changes]
    offsets = sorted({int(first)} | {offset for _, offset in changes})
    offsets.remove(int(first))
    offsets.insert(0, int(first))
    counts = struct.pack(">6l", 0, 0, 0, len(changes), len(offsets), 4)
    body = b"".join(struct.pack(">q", start) for start, _ in changes)
    body += bytes(offsets.index(offset) for _, offset in changes)
    body += b"".join(struct.pack(">lBB", offset, 0, 0) for offset in offsets) + b"LMT\0"
    empty = b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 1) + struct.pack(">lBB", 0, 0, 0) + b"\0"
    return ZoneInfo.from_file(io.BytesIO(empty + b"TZif2" + bytes(15) + counts + body + b"\n\n"), key=name)


def simulated(expression, start):
    return islice(CronSim(expression, start), COUNT)


def iterated(expression, start):
    # croniter has the digit of a last weekday behind the L.
    fields = expression.split()
    fields[4] = ",".join("L" + item[:-1] if item[-1:] == "L" else item for item in fields[4].split(","))
    # Its name for what Vixie cron does where a field of days begins with an asterisk.
    cron = croniter(" ".join(fields), start, ret_type=datetime, implement_cron_bug=True)
    return (cron.get_next() for _ in range(COUNT))


def instants(peer, expression, start):
    try:
        return " ".join(str(int(instant.timestamp())) for instant in peer(expression, start)) or "-"
    except Exception as error:
        return f"- {type(error).__name__} {error}".replace("|", "")


zones = {}
for line in sys.stdin:
    kind, name, rest = line.rstrip("\n").split(" ", 2)
    if kind == "Z":
        first, *changes = rest.split()
        zones[name] = zone(name, first, changes)
        continue
    start, expression = rest.split(" ", 1)
    instant = datetime.fromtimestamp(int(start), timezone.utc).astimezone(zones[name])
    print(instants(simulated, expression, instant) + "|" + instants(iterated, expression, instant))
