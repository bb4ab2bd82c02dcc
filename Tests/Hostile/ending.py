"""Attacks that end the process, keep it from starting, or leave it running and dead."""

import glob
import itertools
import os
import re
import signal
import sqlite3
import time

from program import HOST
from scenario import attack, lines, until

# What is measured is how much a log grows in this time.
LOGGED_SECONDS = 4
# As long updates must be taken beside a log that nobody reads: by then its pipe is full.
UNREAD_SECONDS = 6
FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), "/usr/lib/libfaketime.so.1")


def faked(**how):
    """An environment with another time of day; the monotonic clock stays."""
    return {"LD_PRELOAD": FAKETIME, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"} | how


@attack("ends")
def fps_denormal(run):
    """A rate of frames so small that its period fits into no integer, and every other one at its extremes."""
    program = run.start(ephemeral=True)
    program.ask("POST", "/v1/tickers/a", {"to": 1})
    rates = [
        "1e-300",
        "5e-324",
        "1e-10",
        "0.0999",
        "0",
        "-1",
        "-0",
        "1e308",
        "1e309",
        "nan",
        "inf",
        "0x10",
        "",
        "1e999",
    ]
    statuses = {}
    for path, rate in itertools.product(("/v1/events?ticker=a&", "/v1/tickers/a/events?"), rates):
        answer = program.raw(f"GET {path}fps={rate} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        statuses[rate] = int(answer.split(b" ", 2)[1]) if answer else 0
        if not run.check(program.alive, f"fps={rate} ends it: {program.last_words}"):
            return
    run.alive(program)
    wrong = {rate: status for rate, status in statuses.items() if status not in (400, 422)}
    run.check(not wrong, f"out of range, and not refused: {wrong}")
    fine = program.raw(f"GET /v1/events?ticker=a&fps=0.1 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    run.check(b" 200 " in fine[:15], f"fps=0.1 is answered {fine[:40]}")


@attack("ends")
def surrogate_escape(run):
    r"""Halves of surrogate pairs as \u escapes, in every kind of body."""
    escapes = [r"\ud800\u0041", r"\ud800", r"\udc00", r"\ud800\ud800", r"\udbff\udbff", r"\uD83D\u0000", r"\ud800x"]
    bodies = {
        "/v1/tickers/a": '{{"to":1,"label":"{}"}}', "/v1/tickers": '{{"{}":1}}',
        "/v1/progress/p": '{{"current":1,"label":"{}"}}', "/v1/batch": '{{"ticker":"a","to":1,"label":"{}"}}',
        "/v1/schedules": '{{"in":9,"do":[{{"notify":"n","data":"{}"}}]}}', "/v1/tickers/a/rate": '{{"rate":"{}"}}',
    }  # fmt: skip
    program = run.start(ephemeral=True)
    taken = []
    for (path, body), escape in itertools.product(bodies.items(), escapes):
        answer = program.ask("POST", path, body.format(escape))
        if not run.check(program.alive, f"{escape} to {path} ends it: {program.last_words}"):
            return
        if answer.status not in (400, 422) and not (path == "/v1/batch" and b'"status":20' not in answer.body):
            taken.append(f"{escape} to {path}: {answer.status}")
    run.check(not taken, f"half a pair is no text, and was taken: {taken[:3]}")
    run.alive(program)


@attack("ends")
def deep_json_restart(run):
    """JSON as deep as is taken, then a restart: what can be accepted can be read back."""
    program = run.start()
    kept = []
    for depth in range(20, 42):
        data = "[" * depth + "]" * depth
        asked = {
            f"/v1/tickers/t{depth}": ("POST", f'{{"to":5,"duration":1000,"then":[{{"notify":"n","data":{data}}}]}}'),
            f"/v1/schedules/s{depth}": ("PUT", f'{{"in":9000,"do":[{{"notify":"n","data":{data}}}]}}'),
            f"/v1/progress/p{depth}": ("PUT", f'{{"appearance":{{"own":{data}}}}}'),
            f"/v1/progress/q{depth}": (
                "POST",
                f'{{"current":1,"duration":1000,"then":[{{"notify":"n","data":{data}}}]}}',
            ),
            f"/v1/tickers/u{depth}": (
                "POST",
                f'{{"to":5,"duration":1000,"then":[{{"ticker":"x","to":1,"then":[{{"notify":"n","data":{data}}}]}}]}}',
            ),
        }
        for path, (method, body) in asked.items():
            status = program.ask(method, path, body).status
            run.check(status in (201, 202, 400, 413, 422), f"{path} is answered {status}")
            kept += [path] if status in (201, 202) else []
    run.figure(f"{len(kept)} of {22 * len(asked)} were taken")
    if not run.check(program.restart(), f"what was taken stops the start: {program.last_words}"):
        return
    lost = [path for path in kept if program.ask("GET", path).status != 200]
    run.check(not lost, f"taken, and gone after a restart: {lost[:5]}")
    run.check(len(kept) > 0, "nothing was taken at all")
    run.alive(program)


@attack("ends", needs=FAKETIME)
def due_before_boot(run):
    """Started on a state in which things were due before the machine was: a motion, a ttl, schedules, a queue."""
    program = run.start(environment=faked(FAKETIME="-2d"))
    program.ask("POST", "/v1/tickers/moving", {"to": 5, "duration": 3})
    program.ask("POST", "/v1/tickers/leaving", {"to": 5, "duration": 0, "ttl": 30})
    program.ask("POST", "/v1/tickers/moving", {"to": 9, "interrupt": "queue", "duration": 2})
    # A date stays where it is, whatever is done to the clock; what has an interval has as long to go as before.
    yesterday = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 86_400))
    program.ask("PUT", "/v1/schedules/late", {"at": yesterday, "do": [{"ticker": "fired", "to": 1, "duration": 0}]})
    program.ask("PUT", "/v1/schedules/often", {"every": 5, "do": [{"notify": "n"}]})
    program.kill()
    program.environment = {}
    if not run.check(program.start(), f"does not start: {program.last_words}"):
        return
    for path in ("/healthz", "/readyz", "/v1/tickers", "/metrics", "/v1/schedules"):
        answer = program.ask("GET", path, timeout=4 * run.patience)
        run.check(answer.status == 200, f"GET {path} is answered {answer.status} after {answer.seconds:.1f} s")
    fired = until(lambda: program.ask("GET", "/v1/tickers/fired", timeout=2).status == 200, 5)
    run.check(fired, "the schedule that was missed never fires")
    code = program.terminate()
    run.check(code == 0, f"SIGTERM: {'still there after 20 s' if code is None else f'exit {code}'}")


@attack("ends")
def log_gap_reconnect(run):
    """Commits fail for a while, so numbers of events are missing; clients come back with ids around the gap."""
    program = run.start()

    def instants(first):
        batch = lines({"ticker": f"g{number}", "to": number, "duration": 0} for number in range(first, first + 10))
        answer = program.ask("POST", "/v1/batch", batch)
        return answer.status, answer.body.count(b'"status":20')

    with program.stream("/v1/events?ticker=g*") as greeting:
        hello = b""
        while b"epoch" not in hello:
            hello += greeting.recv(4096)
    epoch = re.search(rb'"epoch":"(\w+)"', hello)[1].decode()
    instants(0)
    store = sqlite3.connect(glob.glob(f"{program.data}/*.sqlite")[0], isolation_level=None, check_same_thread=False)
    store.execute("BEGIN IMMEDIATE")
    lost = instants(10)
    store.execute("COMMIT")
    store.close()
    until(lambda: program.ask("POST", "/v1/tickers/again", {"to": time.time()}).status == 202, 15)
    kept = instants(20)
    run.figure(f"while the store was locked: {lost}, afterwards: {kept}")
    if not run.check(program.restart(), f"does not start: {program.last_words}"):
        return
    for number in range(1, 45):
        answer = program.raw(
            f"GET /v1/events?ticker=g* HTTP/1.1\r\nHost: {HOST}\r\nLast-Event-ID: {epoch}-{number}\r\n\r\n".encode(),
            seconds=5, until=b"event: hello")  # fmt: skip
        if not run.check(program.alive, f"the client at event {number} ends it: {program.last_words}"):
            return
        run.check(b"event: hello" in answer, f"the client at event {number} hears {answer[:60]}")
    run.alive(program)


@attack("ends", slow=True)
def instants_of_a_large_label(run):
    """Batches of instant updates of a label that is 24 KB when escaped, with a listener: 35 bytes in, 49 KB out."""
    program = run.start(ephemeral=True)
    program.ask("PUT", "/v1/tickers/large", {"label": "\x01" * 4090 + "5"})
    listener = run.keep(program.stream("/v1/tickers/large/events"))
    run.wait(program, lambda: program.metric("streams") == 1, "the listener")
    honest = run.honest(program)
    before = program.rss
    batch = lines(f'{{"ticker":"large","to":{number},"duration":0}}' for number in range(10000)).encode()
    head = f"POST /v1/batch HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(batch)}\r\n\r\n".encode()
    senders = [run.keep(program.connect(head + batch)) for _ in range(12)]
    peak, end = 0, time.monotonic() + 60 * run.patience
    for sender in senders:
        sender.settimeout(max(1, end - time.monotonic()))
        try:
            sender.recv(64)
        except OSError as error:
            run.check(False, f"a batch isn't answered: {error!r}")
        peak = max(peak, program.rss)
    if run.alive(program):
        run.figure(f"peak growth {peak - before:.0f} MB")
        run.check(peak - before < 300, f"grows by {peak - before:.0f} MB")
        run.unfrozen(honest)
    listener.close()


@attack("ends")
def log_pipe_unread(run):
    """Actions that are refused a hundred times a second, and a log that is a pipe which nobody reads."""
    reader, writer = os.pipe()
    program = run.start(ephemeral=True, stderr=writer)
    os.close(writer)
    program.ask("POST", "/v1/tickers/busy", {"to": 1, "duration": 1000})
    refused = [{"ticker": "busy", "to": 2, "interrupt": "reject"}] * 32
    for _ in range(20):
        if program.ask("POST", "/v1/schedules", {"every": 0.01, "do": refused}, timeout=5 * run.patience).status == 0:
            break
    end = time.monotonic() + UNREAD_SECONDS
    while time.monotonic() < end:
        answer = program.ask("POST", "/v1/tickers/a", {"to": time.time()}, timeout=3 * run.patience)
        if not run.check(answer.status == 202, f"a POST is answered {answer.status} after {answer.seconds:.1f} s"):
            break
    run.alive(program)
    code = program.terminate()
    run.check(code == 0, f"SIGTERM: {'still there after 20 s' if code is None else f'exit {code}'}")
    os.close(reader)


@attack("grows")
def log_of_refused_actions(run):
    """The same refused actions, and how fast the log grows."""
    program = run.start(ephemeral=True)
    program.ask("POST", "/v1/tickers/busy", {"to": 1, "duration": 1000})
    refused = [{"ticker": "busy", "to": 2, "interrupt": "reject"}] * 32
    honest = run.honest(program)
    for _ in range(20):
        program.ask("POST", "/v1/schedules", {"every": 0.01, "do": refused})
    time.sleep(LOGGED_SECONDS)
    run.alive(program)
    size = program.err.stat().st_size / 1000
    run.figure(f"log after {LOGGED_SECONDS} s: {size:.0f} KB")
    run.check(size < 200, f"the log grows by {size / LOGGED_SECONDS:.0f} KB/s")
    run.unfrozen(honest)


@attack("ends")
def signals_and_closed_descriptors(run):
    """SIGHUP; started without standard error; the log never goes into a file of the store."""
    program = run.start()
    program.process.send_signal(signal.SIGHUP)
    run.wait(program, lambda: "configuration reload requested" in program.log, "what SIGHUP is for")
    if run.check(program.alive, "SIGHUP ends it"):
        run.alive(program)
    # Standard output stays: it says where it listens.
    bare = run.start(launcher=["bash", "-c", 'exec "$0" "$@" 2>&-'])
    bare.ask("POST", "/v1/tickers/busy", {"to": 1, "duration": 1000})
    bare.ask("POST", "/v1/schedules", {"every": 0.05, "do": [{"ticker": "busy", "to": 2, "interrupt": "reject"}]})
    run.alive(bare)
    try:
        second = os.readlink(f"/proc/{bare.process.pid}/fd/2")
    except OSError:
        second = "closed"
    run.check(str(bare.data) not in second, f"descriptor 2 is {second}")
