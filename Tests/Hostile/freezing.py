"""Attacks that keep everybody else waiting: for an answer, for a frame, for a place."""

import itertools
import json
import select
import socket
import threading
import time

from program import HOST, Connection
from scenario import attack, fill, lines, settle
from sockets import answered, ended, unread

# Streams of a frame a second, which may come no sooner: what they hold is all when as long nothing came.
SLOW_STREAM_SECONDS = 1.2
# What is measured is how many frames others have in this time.
FRAMES_SECONDS = 4
# A byte of a body or a head comes as often: sooner than any time that bytes could renew.
DRIP_SECONDS = 1
# Heads of which a byte comes every fourth of those must all be gone after this time.
DRIPPED_SECONDS = 60
# What is measured is what is written in this time, by schedules that fire a hundred times a second.
ANNOUNCED_SECONDS = 6
# What a server may write a second, whatever its schedules announce.
WRITTEN_MEGABYTES = 60
# How many times what another refusal costs one with a hint may: it was 4.6 s a batch while all names were compared.
MOST_OF_A_HINT = 15
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def names(count):
    """That many different short names."""
    every = itertools.chain.from_iterable(itertools.product(LETTERS, repeat=length) for length in (1, 2, 3, 4))
    return ["".join(letters) for letters in itertools.islice(every, count)]


def moving(count, **fields):
    """A batch that starts as many long motions."""
    motion = {"from": 0, "to": 1000000, "duration": 36000, "decimals": 3} | fields
    return lines({"ticker": f"t{number}"} | motion for number in range(count))


def rests(program, name) -> bool:
    """Whether a ticker's motion is over."""
    return (program.ask("GET", f"/v1/tickers/{name}").json or {}).get("motion", {}).get("state") == "idle"


class Drain(threading.Thread):
    """Reads a stream as fast as it comes and keeps nothing."""

    def __init__(self, bare):
        super().__init__(daemon=True)
        self.bare = bare
        self.bare.settimeout(0.2)
        self.stopped, self.received = False, 0
        self.start()

    def run(self):
        while not self.stopped:
            try:
                piece = self.bare.recv(1 << 20)
            except TimeoutError:
                continue
            except OSError:
                return
            if not piece:
                return
            self.take(piece)

    def take(self, piece):
        self.received += len(piece)

    def close(self):
        self.stopped = True
        self.join()
        self.bare.close()


class Listener(Drain):
    """A drain that keeps what it reads."""

    def __init__(self, bare):
        self.pieces = []
        super().__init__(bare)

    def take(self, piece):
        self.pieces.append(piece)

    @property
    def text(self):
        return b"".join(self.pieces).decode("utf-8", "replace")


@attack("freezes")
def wheels_far_spring(run):
    """A spring that goes very far, shown on wheels that turn one way: each turn by a subtraction would take hours."""
    program = run.start(ephemeral=True)
    honest = run.honest(program)
    far = {"dampingRatio": 0.5, "response": 100000, "initialVelocity": 1000000}
    ways = ("up", "down", "shortest", "continuous", "odometer")
    for way in ways:
        program.ask("POST", f"/v1/tickers/{way}", {"to": 0})
        stream = run.keep(program.stream(f"/v1/tickers/{way}/events?wheels={way}"))
        for path, body in (("", {"to": 9, "spring": far}), ("/seek", {"seconds": 10000})):
            program.ask("POST", f"/v1/tickers/{way}{path}", body, timeout=5)
            told = unread([stream])
            run.wait(program, lambda: unread([stream]) > told, f"a frame of {way}{path}", pause=0.02)
        run.keep(program.stream(f"/v1/tickers/far-{way}/events?wheels={way}"))
        program.ask("POST", f"/v1/tickers/far-{way}", {"from": -1e37, "to": "9" * 38, "duration": 1}, timeout=5)
    for way in ways:
        run.wait(program, lambda: rests(program, f"far-{way}"), f"the end of far-{way}")
    run.alive(program)
    run.unfrozen(honest)


@attack("freezes")
def many_member_names(run):
    """An object with 50,000 different names, twice at once: as many comparisons as pairs would take seconds."""
    program = run.start(ephemeral=True)
    body = "{" + ",".join(f'"{name}":1' for name in names(50000)) + "}"
    honest = run.honest(program)
    head = f"POST /v1/batch HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n"
    asked = [run.keep(program.connect((head + body).encode())) for _ in range(2)]
    start = time.monotonic()
    for bare in asked:
        bare.settimeout(60)
        bare.recv(100)
    run.figure(f"both answered after {time.monotonic() - start:.2f} s")
    run.alive(program)
    run.unfrozen(honest)


@attack("freezes")
def doubled_patterns(run):
    """One stream that asks for every ticker a hundred times, over 10,000 tickers."""
    patterns_over(run, tickers=10000, patterns=100, expression="ticker=*", streams=5)


@attack("freezes", slow=True)
def doubled_patterns_many_tickers(run):
    """The same over 100,000 tickers, and all patterns of a viewer."""
    patterns_over(run, tickers=100000, patterns=100, expression="ticker=*", streams=1)
    patterns_over(run, tickers=100000, patterns=1, expression="ticker=*&progress=*&schedule=*", streams=3)
    patterns_over(run, tickers=100000, patterns=180, expression="progress=*", streams=1)


@attack("freezes")
def short_prefixes(run):
    """Streams of 60 different short prefixes each, over 10,000 tickers: none covers another."""
    program = run.start(ephemeral=True)
    fill(program, 10000, prefix="")
    honest = run.honest(program)
    query = "&".join(f"ticker={number}*" for number in range(100, 160))
    greet(run, program, [run.keep(program.stream(f"/v1/events?{query}&fps=1")) for _ in range(5)])
    run.alive(program)
    run.unfrozen(honest)


def greet(run, program, streams):
    """Waits until unread streams of a frame a second have all that comes at first of what is there."""
    run.wait(program, lambda: answered(streams), "streams that are greeted")
    run.figure(f"{settle(lambda: unread(streams), SLOW_STREAM_SECONDS) / 1e3:.0f} KB came on {len(streams)} streams")


def patterns_over(run, tickers, patterns, expression, streams):
    program = run.start(ephemeral=True)
    fill(program, tickers)
    honest = run.honest(program)
    query = "&".join([expression] * patterns)
    greet(run, program, [run.keep(program.stream(f"/v1/events?fps=1&{query}")) for _ in range(streams)])
    run.alive(program)
    run.unfrozen(honest, f"{tickers} tickers, {patterns} of {expression}: ")
    program.kill()


@attack("freezes")
def prefixes_of_many_streams(run):
    """500 streams of 190 prefixes that nothing has, then a batch of 1,000 new tickers."""
    program = run.start(ephemeral=True)
    streams = []
    for stream in range(500):
        query = "&".join(f"ticker=z{stream:03d}{number:03d}*" for number in range(190))
        streams.append(run.keep(program.stream(f"/v1/events?{query}")))
    run.wait(program, lambda: answered(streams) and program.metric("streams") == len(streams), "all streams")
    honest = run.honest(program)
    batch = lines({"ticker": f"n{number}", "to": 5} for number in range(1000))
    answer = program.ask("POST", "/v1/batch", batch, timeout=60)
    run.figure(f"batch answered {answer.status} after {answer.seconds:.2f} s")
    run.wait(program, lambda: rests(program, "n999"), "the end of what the batch began")
    run.alive(program)
    run.unfrozen(honest)


@attack("freezes")
def formats_of_a_batch(run):
    """A batch in which each of 4,000 lines has a locale that was never asked for; then the same in nested actions."""
    program = run.start(ephemeral=True)

    def new_format():
        tag = "".join(run.chance.choices(LETTERS[:26], k=8))
        locale = run.chance.choice(["de", "ar", "hi", "pl"]) + "-x-" + tag
        return {"locale": locale, "style": "currency", "currency": "USD", "currencyDisplay": "name"}

    honest = run.honest(program)
    batch = lines({"ticker": "f", "to": number, "duration": 0, "format": new_format()} for number in range(4000))
    answer = program.ask("POST", "/v1/batch", batch, timeout=60)
    taken = answer.body.count(b'"status":20')
    run.figure(f"{taken} lines taken after {answer.seconds:.1f} s")
    due = 0
    for number in range(30):
        actions = [{"ticker": f"n{n}", "to": 1, "duration": 0, "format": new_format()} for n in range(32)]
        program.ask("POST", f"/v1/tickers/start{number}", {"to": number, "duration": 0, "then": actions})
        due += program.ask("PUT", f"/v1/schedules/s{number}", {"in": 0, "do": actions}).status == 201
    run.check(due > 0, "no schedule was taken")
    run.wait(program, lambda: program.metric("firings_total") == due, "what the schedules do")
    run.alive(program)
    run.unfrozen(honest)


@attack("freezes")
def misspelt_fields(run):
    """Batches in which each of 10,000 lines has a field that there isn't: looking for the one that was meant costs little
    beside a refusal for another reason, whatever is written."""
    program = run.start(ephemeral=True)
    honest = run.honest(program)

    def processor_time(**field):
        before = program.metric("process_cpu_seconds_total")
        answer = program.ask("POST", "/v1/batch", lines([{"ticker": "t", "to": 1} | field] * 10000), timeout=60)
        refused = answer.body.count(b'"status":422')
        run.check(refused == 10000, f"{field}: {refused} lines are refused: {answer.body[:100]}")
        return program.metric("process_cpu_seconds_total") - before

    other = processor_time(duration=-1)
    for name in ("duratoin", "xxxxxxxx", "durationduration" * 3, "\N{GREEN APPLE}\N{GREEN APPLE}"):
        time_of_name = processor_time(**{name: 1})
        run.figure(f"{name}: {time_of_name:.2f} s of processor, another refusal {other:.2f} s")
        run.check(time_of_name <= MOST_OF_A_HINT * other, f"{name} costs {time_of_name / other:.1f} times a refusal")
    run.alive(program)
    run.unfrozen(honest)


@attack("freezes")
def extras_stream_closes(run):
    """A stream with the strings, and one with the wheels, of 10,000 tickers comes and goes."""
    program = run.start(ephemeral=True)
    fill(program, 10000)
    honest = run.honest(program)
    for extra in ("display", "wheels"):
        drain = run.keep(Drain(program.stream(f"/v1/events?ticker=t*&{extra}")))
        run.wait(program, lambda: drain.received > 0, "a greeting")
        run.figure(f"{extra}: {settle(lambda: drain.received) / 1e3:.0f} KB were read")
        drain.close()
        # The honest client's is left.
        run.wait(program, lambda: program.metric("streams") == 1, "that the stream is gone")
        run.pass_ticks(program)
    run.alive(program)
    run.unfrozen(honest)


@attack("freezes", slow=True)
def extras_of_all_that_moves(run):
    """One stream with the wheels, then one with the strings, while 10,000 tickers move: others keep their frames."""
    program = run.start(ephemeral=True)
    program.ask("POST", "/v1/batch", moving(10000), timeout=60)
    for extra in ("fps=60", "wheels", "wheels=up", "display"):
        honest = run.honest(program)
        drain = run.keep(Drain(program.stream(f"/v1/events?ticker=t*&{extra}")))
        # What it is told at first is told in portions, and isn't what is measured.
        run.wait(program, lambda: program.metric("streams") == 2 and all_topics(program, 10000), "all topics", pause=0.2)
        honest.mark()
        before = drain.received
        time.sleep(FRAMES_SECONDS)
        fired = honest.finish()
        drain.close()
        run.figure(f"{extra}: {fired}; {(drain.received - before) / FRAMES_SECONDS / 1e6:.0f} MB/s to its reader")
        share = fired.frames_per_second / max(honest.quiet.frames_per_second, 1)
        run.check(share > 0.75, f"{extra}: honest frames fall to {share:.0%}")
    run.alive(program)


def all_topics(program, count) -> bool:
    """Whether a stream follows as many."""
    clients = (program.ask("GET", "/v1/clients").json or {}).get("items", [])
    return any(client["topicCount"] == count for client in clients)


@attack("freezes", slow=True)
def headers_drip(run):
    """8,300 connections that send a byte of their head every few seconds: newcomers are served all the same."""
    program = run.start(ephemeral=True)
    held, refused = [], 0
    for number in range(8300):
        try:
            # From several addresses, as many clients would.
            bare = run.keep(drip_socket(program.port, f"127.0.0.{2 + number % 8}"))
            held.append(bare)
        except OSError:
            refused += 1
    run.figure(f"{len(held)} connected, {refused} refused")
    asked, served, worst = 0, 0, 0.0
    end = time.monotonic() + DRIPPED_SECONDS
    while time.monotonic() < end:
        for bare in held:
            try:
                bare.send(b"a")
            except OSError:
                pass
        for _ in range(4):
            answer = program.ask("GET", "/healthz", timeout=5)
            asked, served, worst = asked + 1, served + (answer.status == 200), max(worst, answer.seconds)
            time.sleep(DRIP_SECONDS)
    cut = sum(ended(bare) for bare in held)
    run.figure(f"{served} of {asked} newcomers answered, at worst after {worst:.1f} s; {cut} cut after {DRIPPED_SECONDS} s")
    run.check(served >= asked * 0.5, f"only {served} of {asked} newcomers are answered")
    run.check(cut >= len(held) * 0.9, f"only {cut} of {len(held)} were cut in {DRIPPED_SECONDS} s")
    told = program.metric("connections_displaced_total") + program.metric("connections_late_total")
    run.check(told >= cut * 0.9, f"the metrics tell of {told:.0f}")
    answer = program.ask("GET", "/healthz")
    run.check(answer.status == 200, f"afterwards healthz says {answer.status}")


def drip_socket(port, source):
    bare = socket.socket()
    bare.bind((source, 0))
    bare.settimeout(3)
    bare.connect((HOST, port))
    bare.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
    bare.setblocking(False)
    return bare


def cut_after(program, begun: bytes, seconds) -> float | None:
    """How long it takes until a request that goes on by a byte a second is cut, or answered."""
    with program.connect(begun) as bare:
        start = time.monotonic()
        while (elapsed := time.monotonic() - start) < seconds:
            try:
                bare.setblocking(True)
                bare.send(b"a")
            except OSError:
                return elapsed
            if select.select([bare], [], [], DRIP_SECONDS)[0] and ended(bare):
                return time.monotonic() - start
    return None


@attack("freezes")
def head_never_ends(run):
    """A head of which a byte comes every second: cut after the time that a head has, which bytes don't renew."""
    program = run.start(ephemeral=True)
    seconds = cut_after(program, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", 25)
    run.figure(f"cut after {seconds or 25:.0f} s")
    run.check(seconds, "not cut after 25 s")
    run.alive(program)


@attack("freezes", slow=True)
def body_never_ends(run):
    """The same with a body."""
    program = run.start(ephemeral=True)
    head = b"POST /v1/tickers/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n{"
    seconds = cut_after(program, head, 90)
    run.figure(f"cut after {seconds or 90:.0f} s")
    run.check(seconds, "not cut after 90 s")
    run.alive(program)


@attack("freezes")
def schedules_every_hundredth(run):
    """108 schedules that each announce 60 KB a hundred times a second."""
    program = run.start()
    honest = run.honest(program)
    before, wrote = program.rss, program.written
    notices = json.dumps({"every": 0.01, "do": [{"notify": "n", "data": "x" * 1900}] * 32})
    statuses, start = [], time.monotonic()
    while len(statuses) < 108 and time.monotonic() < start + 15:
        statuses.append(program.ask("PUT", f"/v1/schedules/bomb{len(statuses)}", notices, timeout=30).status)
    time.sleep(ANNOUNCED_SECONDS)
    rate = (program.written - wrote) / (time.monotonic() - start)
    run.figure(f"{len(statuses)} PUTs answered {sorted(set(statuses))}, wrote {rate:.0f} MB/s")
    # What is bounded by each turn's bytes; a disk must bear it beside everybody else's commits.
    run.check(rate <= WRITTEN_MEGABYTES, f"writes {rate:.0f} MB/s, more than {WRITTEN_MEGABYTES}")
    run.alive(program)
    run.grown(program, before, 100)
    run.unfrozen(honest, lasting=True)
    if run.check(program.restart(), f"does not start: {program.last_words}"):
        ready = program.ask("GET", "/readyz", timeout=10 * run.patience)
        run.check(ready.status == 200, f"after a restart readyz says {ready.status}")


@attack("freezes")
def all_schedules(run):
    """Thousands of schedules, all of them paused, resumed and removed by a request each."""
    program = run.start()
    connection, count = Connection(program.port), 20000 if run.strict else 4000
    for number in range(count):
        connection.ask("PUT", f"/v1/schedules/s{number}", {"in": 36000 + number, "do": [{"notify": "n"}]})
    connection.close()
    honest = run.honest(program)
    for method, path in (
        ("POST", "/v1/schedules/pause"), ("POST", "/v1/schedules/resume"), ("DELETE", "/v1/schedules")
    ):  # fmt: skip
        start = time.monotonic()
        answer = program.ask(method, path, timeout=60)
        run.figure(f"{method} {path}: {answer.status} after {time.monotonic() - start:.2f} s")
        run.check(answer.status in (200, 204), f"{method} {path} is answered {answer.status}")
    left = program.ask("GET", "/v1/schedules?limit=1").json
    run.check(not left["items"], f"{left['pending']} schedules are left")
    run.alive(program)
    run.unfrozen(honest)
