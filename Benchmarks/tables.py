"""What was measured as Markdown. A cell is the median of the rounds, and behind it the least and the most of them."""
import math
import re
import statistics


def spread(values, digits):
    """Median (least-most); `-` where nothing was measured."""
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    cell = f"{statistics.median(values):.{digits}f}"
    return cell if len(values) == 1 else f"{cell} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def ratio(value, reference):
    """None where there is nothing to compare with, as in a round in which nothing came."""
    return value / reference if value and reference else None


def table(header, rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in [header, *rows]]
    lines.insert(1, "|" + "---|" * len(header))
    return "\n".join(lines) + "\n"


def groups(records, *names):
    """Records by the values of fields, in the order of their first ones."""
    found = {}
    for record in records:
        found.setdefault(tuple(record[name] for name in names), []).append(record)
    return found


def measured_table(first, records, columns):
    """A row for each system; a column is a title, digits behind the point, and how a record gives the value."""
    rows = [
        [system] + [spread([get(record) for record in runs], digits) for _, digits, get in columns]
        for (system,), runs in groups(records, "system").items()
    ]
    return table([first] + [title for title, _, _ in columns], rows)


# MARK: - Side by side with the peers

TITLES = {
    "A": "A: 1 channel x 1000 subscribers, 60 Hz",
    "B10": "B10: 1 x 5000, 10 Hz",
    "B60": "B60: 1 x 5000, 60 Hz (saturation)",
    "C": "C: 1000 channels x 1 subscriber, 60 Hz",
    "D": "D: 10000 idle connections",
}


def frames(pages):
    """The page that the program for frames prints, with the spread of its numbers over the rounds."""
    lines = []
    for line, *others in zip(*(page.splitlines() for page in pages), strict=True):
        rounds = [re.findall(r"(?<=\| )[\d.]+(?= \|)", each) for each in (line, *others)]
        spreads = iter([spread([float(cell) for cell in cells], 2 if "." in cells[0] else 0)
                        for cells in zip(*rounds, strict=True)])
        lines.append(re.sub(r"(?<=\| )[\d.]+(?= \|)", lambda _: next(spreads), line))
    return "\n".join(lines)


def server_cost(record):
    """Seconds of CPU time a million frames."""
    client = record["client"]
    return client["server"]["cpu_s"] / client["events"] * 1e6 if client["events"] else None


def client_cost(record):
    client = record["client"]
    return sum(client["client_cpu_s"].values()) / client["events"] * 1e6 if client["events"] else None


def cost_ratio(records, reference):
    """A record's cost relative to another system's in the same round, where a slow spell of the machine cancels out."""
    costs = {record["round"]: server_cost(record) for record in records if record["system"] == reference}

    return lambda record: ratio(server_cost(record), costs.get(record["round"]))


def milliseconds(figure, quantile):
    return lambda record: record["client"][figure][quantile] / 1e3


def bytes_a_connection(record):
    grown = record["client"]["server"]["rss_kb"] - record["base_rss_kb"]
    return grown * 1024 / record["client"]["conn_ok"] if record["client"]["conn_ok"] else None


def stream_columns(records):
    return [
        ("kdeliv/s", 1, lambda record: record["client"]["events_per_s"] / 1e3),
        ("% of expected", 0, lambda record: record["client"]["expected_fraction"] * 100),
        ("lat p50 ms", 1, milliseconds("latency_us", "p50")),
        ("lat p99", 1, milliseconds("latency_us", "p99")),
        ("gap p50 ms", 1, milliseconds("gap_us", "p50")),
        ("gap p99", 1, milliseconds("gap_us", "p99")),
        ("gap p99.9", 1, milliseconds("gap_us", "p999")),
        ("server CPU s/M", 1, server_cost),
        ("x floor", 2, cost_ratio(records, "floor")),
        ("client CPU s/M", 1, client_cost),
        ("RSS MB", 0, lambda record: record["client"]["server"]["rss_kb"] / 1024),
        ("RSS B/conn", 0, bytes_a_connection),
        ("missing", 0, lambda record: record["client"]["seq"]["missing"]),
        ("conn failed", 0, lambda record: record["client"]["conn_failed"]),
    ]


IDLE_COLUMNS = [
    ("connected", 0, lambda record: record["client"]["conn_ok"]),
    ("connects/s", 0, lambda record: record["client"]["connects_per_s"]),
    ("connect p50 ms", 1, milliseconds("connect_us", "p50")),
    ("p99 ms", 1, milliseconds("connect_us", "p99")),
    ("RSS B/conn", 0, bytes_a_connection),
]


# Beyond this, rounds were measured on a machine that changed meanwhile.
STEADY = 1.2


def noise(records, cost):
    """A line that says so where the floor's own rounds differ too much; else nothing."""
    costs = [cost(record) for record in records if record["system"] == "floor"]
    costs = [one for one in costs if one]
    if not costs or max(costs) <= STEADY * min(costs):
        return ""
    return f"\n**Noisy**: the floor's own rounds differ by {100 * (max(costs) / min(costs) - 1):.0f} %.\n"


def peers(records):
    parts = []
    for (workload,), runs in groups(records, "workload").items():
        columns = IDLE_COLUMNS if workload == "D" else stream_columns(runs)
        quiet = "" if workload == "D" else noise(runs, server_cost)
        parts.append(f"### {TITLES[workload]}\n\n{measured_table('system', runs, columns)}{quiet}")
    return "\n".join(parts)


def connect_cost(record):
    """Microseconds of the server's CPU time a connect, from the first connect to the last."""
    return ratio(record["client"]["server_connect_cpu_s"] * 1e6, record["client"]["conn_ok"])


def connects(records):
    return measured_table("10,000 streams of 1,000 channels", records, [
        ("open", 0, lambda record: record["client"]["conn_ok"]),
        ("connects/s", 0, lambda record: record["client"]["connects_per_s"]),
        ("first frame p50 ms", 1, milliseconds("connect_us", "p50")), ("p99 ms", 1, milliseconds("connect_us", "p99")),
        ("CPU µs a connect", 1, connect_cost),
        ("RSS B/conn", 0, bytes_a_connection),
    ]) + noise(records, connect_cost)


# MARK: - TLS

def tls(records):
    # What a sender puts on the wire in one piece is an event here: all have one ticker.
    return measured_table("500 streams at 60 Hz", records, [
        ("CPU µs a send", 1, server_cost), ("x plain", 2, cost_ratio(records, "plain")),
        ("% of expected", 0, lambda record: record["client"]["expected_fraction"] * 100),
        ("lat p50 ms", 1, milliseconds("latency_us", "p50")), ("lat p99", 1, milliseconds("latency_us", "p99")),
        ("gap p99 ms", 1, milliseconds("gap_us", "p99")),
        ("connects/s", 0, lambda record: record["client"]["connects_per_s"]),
        ("RSS B/conn", 0, bytes_a_connection),
    ])


# MARK: - Dashboard and ingest

def dashboard(records):
    rows = []
    for (system, viewers), runs in groups(records, "system", "viewers").items():
        rows.append([
            system, str(viewers),
            spread([run["client"]["events_per_s"] / 1e3 for run in runs], 0),
            spread([run["client"]["expected_fraction"] * 100 for run in runs], 0),
            spread([server_cost(run) for run in runs], 2),
            spread([
                100 * run["client"]["server"]["cpu_s"] / run["client"]["window_s"] / viewers for run in runs
            ], 2),
        ])
    return table(
        ["system", "viewers", "kframes/s", "% of expected", "CPU s/M frames", "% of a core a viewer"], rows)


# Kinds of threads of which a server has several, as many as it has cores: work that spreads.
SPREADING = ["http", "stream"]
CORES = [2, 4, 8, 16]


def of_threads(kinds, runs):
    """Microseconds an update that threads of these kinds took; what can't be told apart for others' servers is left out."""
    if not runs[0]["system"].startswith("own"):
        return "-"
    return spread([sum(run["threads"].get(kind, 0) for kind in kinds) for run in runs], 1)


def ingest(records):
    rows = []
    others = sorted({kind for record in records for kind in record["threads"]} - {"tick", "http", "store"})
    for (system, listeners), runs in groups(records, "system", "listeners").items():
        rows.append([
            system, str(listeners), spread([run["rate"] / 1e3 for run in runs], 0),
            spread([run["cost"] for run in runs], 1),
            *(of_threads(kinds, runs) for kinds in [["tick"], ["http"], ["store"], others]),
        ])
    head = ["system", "listeners", "thousand updates/s", "CPU µs an update", "tick thread", "HTTP workers",
            "store thread", "others"]
    return table(head, rows) + "\n" + more_cores(records)


def most_updates(costs, cores):
    """Thousand updates a second on so many cores, and what ends it. `costs` is CPU time by kind of thread, in
    microseconds: a thread of which there is one has no more than a core to itself, and all together have all cores."""
    bounds = {f"{kind} thread": 1e3 / cost for kind, cost in costs.items() if cost > 0 and kind not in SPREADING}
    bounds["all cores"] = cores * 1e3 / sum(costs.values())
    return min((rate, name) for name, rate in bounds.items())


def more_cores(records):
    rows = []
    for (system, listeners), runs in groups(records, "system", "listeners").items():
        if not system.startswith("own") or listeners:
            continue
        kinds = {kind for run in runs for kind in run["threads"]}
        costs = {kind: statistics.median(run["threads"].get(kind, 0) for run in runs) for kind in kinds}
        bounds = [most_updates(costs, cores) for cores in CORES]
        rows.append([system] + [f"{rate:.0f} ({name})" for rate, name in bounds])
    return table(["thousand updates/s, by the model"] + [f"{cores} cores" for cores in CORES], rows)


# MARK: - Latency

def latency(records, start, commands):
    """`start` is the median, least and most milliseconds; `commands` are milliseconds by program."""
    def at(share):
        return lambda record: record["waits"][int(len(record["waits"]) * share)]

    reference = statistics.median(at(0.5)(record) for record in records if record["system"].startswith("redis"))
    columns = [
        ("p50, µs", 0, at(0.5)), ("x Redis", 2, lambda record: at(0.5)(record) / reference), ("p99, µs", 0, at(0.99)),
    ]
    line = "From the start of the process to `listening`, empty store: {:.0f} ms ({:.0f}-{:.0f}).\n".format(*start)
    own, curl = (statistics.median(commands[name]) for name in ("tweencast", "curl"))
    line += f"\nThe command `tweencast get`, from start to end: {own:.1f} ms, {own / curl:.2f} x curl ({curl:.1f} ms).\n"
    return measured_table("one connection, one request at a time", records, columns) + "\n" + line


# MARK: - Growth

def slope(points):
    """The exponent of the power law that is nearest to points by least squares of logarithms: 1 is linear."""
    points = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in points}) < 2:
        return None
    return statistics.linear_regression(*zip(*points)).slope


def slopes(records, totals):
    """A line that says how totals grow with the count, over all sizes and from the last but one to the last. They are
    those of medians."""
    found = []
    for name, get in totals:
        points = [
            (count, statistics.median(get(run) for run in runs)) for (count,), runs in groups(records, "count").items()
        ]
        whole, last = slope(points), slope(points[-2:])
        if whole is not None and last is not None:
            found.append(f"{name} {whole:.2f} ({last:.2f})")
    return "Slope over all sizes (and over the last step): " + ", ".join(found) + ".\n"


def growth_table(first, records, columns, totals):
    named = [record | {"system": f"{record['count']:,}"} for record in records]
    return measured_table(first, named, columns) + "\n" + slopes(records, totals)


def server_seconds(record):
    return record["client"]["server"]["cpu_s"]


def growing_streams(records, rate):
    def gap(record):
        return record["client"]["gap_us"]["p99"] / 1e3

    def memory(record):
        return (record["client"]["server"]["rss_kb"] - record["base_rss_kb"]) * 1024

    return growth_table(f"streams of one ticker, {rate} Hz", records, [
        ("% of expected", 1, lambda record: record["client"]["expected_fraction"] * 100),
        ("CPU µs a delivery", 2, server_cost),
        ("% of a core", 1, lambda record: 100 * server_seconds(record) / record["client"]["window_s"]),
        ("RSS B a stream", 0, bytes_a_connection), ("gap p99 ms", 1, gap),
    ], [("CPU time", server_seconds), ("memory", memory), ("p99 gap", gap)])


def growing_tickers(records, rate):
    def gap(record):
        return record["client"]["tick_gap_us"]["p99"] / 1e3

    return growth_table(f"moving tickers, {rate} Hz", records, [
        ("streams", 0, lambda record: record["streams"]),
        ("% of frames arrived", 1, lambda record: record["client"]["expected_fraction"] * 100),
        ("CPU µs a frame", 2, server_cost),
        ("% of a core", 2, lambda record: 100 * server_seconds(record) / record["client"]["window_s"]),
        ("gap p99 ms", 1, gap), ("lat p99 ms", 1, milliseconds("latency_us", "p99")),
    ], [("CPU time", server_seconds), ("p99 gap", gap)])


def growing_boards(records):
    def each(name):
        return lambda record: record[name] / record["count"]

    def seconds(record):
        return record["seconds"]

    def cost(record):
        return record["cpu_s"]

    return growth_table("resources at rest", records, [
        ("RSS B each", 0, each("bytes")), ("when filled", 0, each("filled")),
        ("bytes on disk each", 0, each("disk")), ("when killed", 0, each("at_kill")), ("seconds until ready", 3, seconds),
        ("CPU s of the restart", 3, cost),
        ("CPU µs each", 1, lambda record: record["cpu_s"] / record["count"] * 1e6),
    ], [
        ("memory", lambda record: record["bytes"]), ("on disk", lambda record: record["disk"]),
        ("seconds until ready", seconds), ("CPU time of the restart", cost),
    ])


# MARK: - Slow clients

def against_quiet(records, figure):
    """A record's p99 relative to that of the same round without slow clients."""
    times = {record["round"]: record["client"][figure]["p99"] for record in records if record["system"] == "quiet"}
    return lambda record: ratio(record["client"][figure]["p99"], times.get(record["round"]))


def against_control(figure):
    """A record's p99 relative to that at the server beside it, where what the machine does cancels out."""
    return lambda record: ratio(record["client"][figure]["p99"], record["control"][figure]["p99"])


def share_more(record):
    """Per cent of a core that the server took more than the one beside it."""
    more = record["client"]["server"]["cpu_s"] - record["control"]["server"]["cpu_s"]
    return 100 * more / record["client"]["window_s"]


def slow(records):
    columns = []
    for figure, name in [("post_us", "POST"), ("gap_us", "gap")]:
        columns += [
            (f"{name} p50 ms", 2, milliseconds(figure, "p50")), (f"{name} p99", 2, milliseconds(figure, "p99")),
            ("x quiet", 2, against_quiet(records, figure)), ("x control", 2, against_control(figure)),
        ]
    columns += [
        ("failed", 0, lambda record: record["client"]["posts_failed"] + record["client"]["disconnects"]),
        ("% of lists refused", 0, lambda record: 100 * record["refused"]),
    ]
    attacks = [record for record in records if record["system"] != "quiet"]
    return "\n".join([
        measured_table("honest clients beside", records, columns),
        measured_table("slow clients", attacks, [
            ("open at most", 0, lambda record: record["most"]), ("cut by the server", 0, lambda record: record["cut"]),
            ("open in the end", 0, lambda record: record["left"]), ("% of a core more", 1, share_more),
            ("RSS MB more", 1, lambda record: record["megabytes"]),
        ]),
    ])


# MARK: - Replicas

STEPS = {
    "ping": "PING", "set": "SET", "answer": "the answer", "end": "an end, on a stream",
    "frame": "a first frame, on a stream",
}


def reaches(records):
    rows = [
        [system, STEPS[step]] + [spread([run["times"][name] / 1e3 for run in runs], 2) for name in ["p50", "p99"]]
        for (system, step), runs in groups(records, "system", "step").items()
    ]
    return table(["system", "from a request to", "ms p50", "p99"], rows)


def skews(records):
    return table(["frames compared", "different", "apart ms p50", "p99"], [[
        str(sum(run["apart"]["count"] for run in records)), str(sum(run["different"] for run in records)),
        spread([run["apart"]["p50"] / 1e3 for run in records], 2),
        spread([run["apart"]["p99"] / 1e3 for run in records], 2),
    ]])


def rates(records):
    def to_and_fro(way):
        return lambda record: record["bytes"][way] if "bytes" in record else None

    return measured_table("durable updates", records, [
        ("thousand a second", 1, lambda record: record["rate"] / 1e3),
        ("CPU µs an update, of all", 1, lambda record: record["all"]),
        ("of each that only follows", 1, lambda record: record.get("follower")),
        ("of the Redis", 1, lambda record: record.get("redis")),
        ("bytes to the Redis an update", 0, to_and_fro(0)), ("bytes from it", 0, to_and_fro(1)),
    ])


def quiet(records):
    head = ["when nobody asks", "bytes a second to the Redis, of each", "from it", "% of a core, each", "the Redis"]
    return table(head, [[
        "three replicas", spread([run["bytes"][0] for run in records], 0),
        spread([run["bytes"][1] for run in records], 0), spread([run["replica"] for run in records], 2),
        spread([run["redis"] for run in records], 2),
    ]])


def starts(records):
    return measured_table(f"with {records[0]['resources']:,} tickers", records, [
        ("seconds until ready", 1, lambda record: record["seconds"]),
        ("RSS MB", 0, lambda record: record["megabytes"]), ("at its most", 0, lambda record: record["most"]),
    ])
