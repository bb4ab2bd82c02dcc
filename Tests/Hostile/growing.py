"""Attacks that fill the memory or the disk, for a request or two."""

import json
import re
import time

from freezing import Drain, Listener, moving
from program import HOST
from scenario import attack, fill, lines, settle, until
from sockets import answered, ended, unread

# The attack: one that reads so many bytes each second, for so many seconds where nothing else says how long.
SLOW_BYTES, SLOW_READS = 600, 12
SLOW_READ_SECONDS = 1
CONTROL = "\x01"


def controls(size=1_360):
    """A label that is six times as long when it is escaped: 8,162 bytes, of 8,192 that a label may be long so."""
    return CONTROL * size + "5"


@attack("grows")
def slow_reader_of_notices(run):
    """One reader takes 600 bytes a second of small notices, while somebody else watches 10,000 tickers move."""
    program = run.start(ephemeral=True)
    program.ask("POST", "/v1/batch", moving(10000), timeout=60)
    for number in range(2):
        notice = {"every": 0.0166, "do": [{"notify": "n", "data": "x" * 120}]}
        program.ask("PUT", f"/v1/schedules/n{number}", notice)
    run.keep(Drain(program.stream("/v1/events?ticker=t*")))
    # What the other reader takes counts as before: several frames of each ticker on their way.
    run.wait(program, lambda: program.metric("frames_sent_total") > 100_000, "frames for the other reader")
    before = program.rss
    slow = run.keep(program.stream("/v1/events?notification=n", receive_buffer=2048))
    for _ in range(SLOW_READS):
        time.sleep(SLOW_READ_SECONDS)
        slow.recv(SLOW_BYTES)
    run.alive(program)
    run.grown(program, before, 60)


@attack("grows", slow=True)
def slow_reader_is_cut(run):
    """The same reader is told that it is too slow, and cut, before it holds more than a stream may."""
    program = run.start(ephemeral=True)
    for number in range(2):
        program.ask("PUT", f"/v1/schedules/n{number}", {"every": 0.0166, "do": [{"notify": "n", "data": "x" * 1500}]})
    before = program.rss
    slow = run.keep(program.stream("/v1/events?notification=n", receive_buffer=2048, timeout=60))
    start, tail = time.monotonic(), b""
    while time.monotonic() - start < 110:
        time.sleep(SLOW_READ_SECONDS)
        try:
            piece = slow.recv(SLOW_BYTES)
        except OSError:
            break
        if not piece:
            break
        tail = (tail + piece)[-400:]
    run.figure(f"cut after {time.monotonic() - start:.0f} s, at the end {tail[-80:]}")
    run.check(time.monotonic() - start < 109, "still there after 110 s")
    run.check(program.metric("streams_slow_total") == 1, "the metrics don't tell of it")
    run.grown(program, before, 30)


@attack("grows")
def unread_lists(run):
    """60 lists of 300 tickers whose labels are 8 KB each when escaped; nobody reads them."""
    program = run.start(ephemeral=True)
    for first in range(0, 300, 100):
        batch = [{"ticker": f"t{n}", "to": n, "duration": 0, "label": controls()} for n in range(first, first + 100)]
        program.ask("POST", "/v1/batch", lines(batch), timeout=60)
    whole = program.ask("GET", "/v1/tickers?limit=1000", timeout=60)
    run.check(len((whole.json or {}).get("items", [])) == 300, f"the list has not all of them: {whole.status}")
    run.figure(f"one list is {len(whole.body) / 1e6:.0f} MB")
    honest = run.honest(program)
    before = program.rss
    lists = [run.keep(program.stream("/v1/tickers?limit=1000", receive_buffer=4096)) for _ in range(60)]
    run.wait(program, lambda: answered(lists), "the beginning of each list")
    run.figure(f"{settle(lambda: unread(lists)) / 1e3:.0f} KB of them have come")
    run.alive(program)
    run.grown(program, before, 100)
    run.unfrozen(honest, lasting=True)


@attack("grows")
def unread_replays(run):
    """20 clients that missed thousands of large events, want them all, and read none."""
    program = run.start(ephemeral=True)
    for number in range(100):
        program.ask("PUT", f"/v1/tickers/large{number}", {"label": controls()})
    listener = run.keep(Listener(program.stream("/v1/events?ticker=large1")))
    for turn in range(40):
        batch = lines({"ticker": f"large{number}", "to": turn, "duration": 0} for number in range(100))
        program.ask("POST", "/v1/batch", batch, timeout=60)
        run.wait(program, lambda: listener.text.count("event: complete") > turn, f"the end of turn {turn}", 0.02)
    identifier = re.search(r"\nid: (\S+)\nevent: complete", listener.text[200000:])[1]
    listener.close()
    honest = run.honest(program)
    before = program.rss
    header = [f"Last-Event-ID: {identifier}"]
    readers = [
        run.keep(program.stream("/v1/events?ticker=large*", header, receive_buffer=4096)) for _ in range(20)
    ]
    run.wait(program, lambda: program.metric("replays_total") == len(readers), "what each of them missed")
    run.figure(f"{settle(lambda: unread(readers)) / 1e3:.0f} KB of it have come")
    run.alive(program)
    run.grown(program, before, 100)
    run.unfrozen(honest, lasting=True)


@attack("grows")
def instant_batch(run):
    """One batch of 115 KB that makes 49 MB of events, with nobody to hear them."""
    program = run.start()
    program.ask("PUT", "/v1/tickers/large", {"label": controls()})
    honest = run.honest(program)
    before = program.rss
    batch = lines(f'{{"ticker":"large","to":{number},"duration":0}}' for number in range(3000))
    answer = program.ask("POST", "/v1/batch", batch, timeout=120)
    run.figure(f"answered {answer.status} after {answer.seconds:.1f} s, {program.stored:.0f} MB on disk")
    run.alive(program)
    run.check(program.stored < 50, f"{program.stored:.0f} MB on disk")
    run.grown(program, before, 60)
    run.unfrozen(honest)


@attack("grows")
def unfinished_bodies(run):
    """100 connections that send all but the last bytes of 4 MiB to a path that takes 64 KiB."""
    program = run.start(ephemeral=True)
    before = program.rss
    size = 4 * 1024 * 1024
    head = f"POST /v1/tickers/a HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {size}\r\n\r\n".encode()
    held, refused = [], 0
    for _ in range(100):
        bare = run.keep(program.connect(head, timeout=2))
        held.append(bare)
        try:
            bare.sendall(b"x" * (size - 100))
        except OSError:
            refused += 1
    # Where they aren't let go of, what they sent is still held.
    left = until(lambda: all(map(ended, held)), 5)
    run.figure(f"{refused} of 100 were stopped while they sent, {'all' if left else 'not all'} were let go of")
    run.alive(program)
    run.grown(program, before, 60)


@attack("grows")
def waiting_updates(run):
    """Updates of 60 KB that wait for a motion's end: each must not write all the others anew."""
    program = run.start()
    actions = [{"notify": "n", "data": "x" * 1900}] * 31
    wrote, sent, statuses = program.written, 0, {}
    for number in range(3):
        program.ask("POST", f"/v1/tickers/q{number}", {"to": 1, "duration": 10000})
        for turn in range(64):
            body = json.dumps({"to": turn, "interrupt": "queue", "then": actions})
            answer = program.ask("POST", f"/v1/tickers/q{number}", body)
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            # What was refused costs nothing; it is counted by what was sent.
            sent += len(body) / 1e6
    wrote = program.written - wrote
    run.figure(f"sent {sent:.1f} MB, wrote {wrote:.0f} MB; {statuses}")
    run.check(wrote < sent * 6, f"{sent:.1f} MB sent are {wrote:.0f} MB written")
    wrote = program.written
    for turn in range(50):
        program.ask("POST", "/v1/tickers/q0/rate", {"rate": 1 + turn})
    wrote = program.written - wrote
    run.figure(f"50 changes of the rate wrote {wrote:.1f} MB")
    run.check(wrote < 50, f"50 small requests are {wrote:.0f} MB written")
    run.alive(program)


@attack("grows")
def absent_topics(run):
    """1,000 streams of 190 names each that never exist; and what remains when they have left."""
    program = run.start(ephemeral=True)
    before = program.rss
    streams = []
    for stream in range(1000):
        query = "&".join(f"ticker=x{stream:x}.{number:x}" for number in range(190))
        streams.append(run.keep(program.stream(f"/v1/events?{query}")))
    run.wait(program, lambda: answered(streams) and program.metric("streams") == len(streams), "all streams")
    run.alive(program)
    run.grown(program, before, 100)
    for bare in streams:
        bare.close()
    run.wait(program, lambda: program.metric('usage{name="all_topics"}') == 0, "that all have left")
    # Memory goes back when the last that was on its way for them has gone, too.
    until(lambda: program.rss - before <= 60)
    run.grown(program, before, 60, "after they left: ")


@attack("grows", slow=True)
def large_labels(run):
    """Tickers with the largest labels, until they are refused: within the budget of bytes."""
    program = run.start(ephemeral=True)
    made, label = 0, json.dumps(controls())
    while made < 120000 and program.rss < 2500:
        batch = "\n".join(f'{{"ticker":"t{n}","to":1,"duration":0,"label":{label}}}' for n in range(made, made + 150))
        answer = program.ask("POST", "/v1/batch", batch, timeout=60)
        refused = [line for line in answer.body.splitlines() if b'"status":20' not in line]
        if answer.status != 200 or refused:
            run.figure(f"refused after {made}: {(refused or [answer.body])[0][:160]}")
            break
        made += 150
    run.figure(f"{made} tickers, {program.rss:.0f} MB: {program.rss * 1024 / max(made, 1):.0f} KB each")
    run.check(program.rss < 2000, f"takes {program.rss:.0f} MB")
    run.alive(program)
    shrunk = program.ask("POST", "/v1/tickers/t1", {"to": 2, "label": "5", "duration": 0})
    run.check(shrunk.status == 202, f"a smaller label is refused: {shrunk.status} {shrunk.body[:100]}")


@attack("grows", slow=True)
def unread_lists_of_thousands(run):
    """4,000 connections that read a list of 1,000 tickers very slowly."""
    program = run.start(ephemeral=True)
    fill(program, 1000)
    honest = run.honest(program)
    before = program.rss
    lists = [run.keep(program.stream("/v1/tickers?limit=1000", receive_buffer=2048)) for _ in range(4000)]
    run.figure(f"{settle(lambda: unread(lists), still=2) / 1e6:.1f} MB of them have come")
    run.alive(program)
    run.grown(program, before, 200)
    run.unfrozen(honest)
