"""Attacks after which an answer isn't true: acknowledged and lost, taken and impossible, left out and not told."""

import functools
import glob
import json
import re
import shutil
import socketserver
import sqlite3
import threading
import time

from ending import FAKETIME, faked
from freezing import Listener
from growing import controls
from program import HOST, Connection
from scenario import attack, fill, lines, settle, until
from sockets import answered


def target(program, name):
    return (program.ask("GET", f"/v1/tickers/{name}").json or {}).get("target")


def in_background(program, *calls):
    """Starts each when the commit of the one before is under way; their results when all have ended."""
    results = [None] * len(calls)

    def work(index, call):
        results[index] = call()

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(calls)]
    for index, thread in enumerate(threads):
        thread.start()
        # One that was answered at once waits for no commit.
        until(lambda: results[index] or program.metric('usage{name="commits"}') > index, 5, pause=0.01)
    return threads, results


@attack("lies")
def retry_while_commit_fails(run):
    """While a commit is under way, a retry with its key, or the same update: neither is acknowledged if it fails."""
    program = run.start()
    program.ask("POST", "/v1/tickers/sum", {"by": 10, "duration": 0})
    cases = (("a retry", {"Idempotency-Key": "k"}, {"by": 1, "duration": 0}), ("the same update", {}, {"to": 500}))
    for name, headers, body in cases:
        store = sqlite3.connect(glob.glob(f"{program.data}/*.sqlite")[0], isolation_level=None)
        store.execute("BEGIN IMMEDIATE")
        # Both have ended before the loop goes on.
        ask = functools.partial(program.ask, "POST", "/v1/tickers/sum", body, headers)
        threads, answers = in_background(program, ask, ask)
        for thread in threads:
            thread.join()
        run.wait(program, lambda: program.ask("GET", "/readyz").status == 503, "a store that is known to fail")
        store.execute("COMMIT")
        store.close()
        until(lambda: program.ask("POST", "/v1/tickers/other", {"to": time.time()}).status == 202, 15)
        came, statuses = target(program, "sum"), [answer.status for answer in answers]
        run.figure(f"{name}: answered {statuses}, the target afterwards is {came}")
        wanted = 11 if "by" in body else 500
        run.check(202 not in statuses or came == wanted, f"{name}: answered {statuses}, but the target is {came}")
    run.alive(program)


@attack("lies")
def retry_before_power_cut(run):
    """The same, with a power cut in place of a failure: who was answered 202 finds it after the restart."""
    program = run.start()
    program.ask("POST", "/v1/tickers/sum", {"by": 10, "duration": 0})
    store = sqlite3.connect(glob.glob(f"{program.data}/*.sqlite")[0], isolation_level=None)
    store.execute("BEGIN IMMEDIATE")
    body, key = {"by": 1, "duration": 0}, {"Idempotency-Key": "k"}
    threads, answers = in_background(program, *[lambda: program.ask("POST", "/v1/tickers/sum", body, key)] * 2)
    program.kill()
    store.execute("ROLLBACK")
    store.close()
    for thread in threads:
        thread.join()
    run.check(program.start(), f"does not start: {program.last_words}")
    statuses, came = [answer.status for answer in answers], target(program, "sum")
    run.figure(f"answered {statuses}, the target afterwards is {came}")
    run.check(202 not in statuses or came == 11, f"answered {statuses}, but the target is {came}")


@attack("lies")
def impossible_actions(run):
    """Actions with what can never work are refused as the same update would be, with the field's place."""
    program = run.start(ephemeral=True)
    wrong = {
        "format/currency": {"ticker": "p", "to": 1, "format": {"style": "currency", "currency": "NOPE"}},
        "format": {"ticker": "p", "to": 1, "format": {"style": "unit", "unit": "bogus"}},
        "index": {"ticker": "fresh", "to": 1, "index": 5, "label": "1 2"},
        "label": {"progress": "q", "current": 1, "label": "{nonsense}"},
        "easing": {"ticker": "p", "to": 1, "easing": "bogus"},
        "then/0/label": {"ticker": "p", "to": 1, "then": [{"progress": "q", "current": 1, "label": "{x"}]},
    }
    for field, action in wrong.items():
        name = action.get("ticker") or action.get("progress")
        kind = "tickers" if "ticker" in action else "progress"
        alone = {key: value for key, value in action.items() if key not in ("ticker", "progress")}
        direct = program.ask("POST", f"/v1/{kind}/{name}", alone)
        for path, prefix, body in (
            ("/v1/schedules", "/do/0/", {"in": 0, "do": [action]}),
            ("/v1/tickers/host", "/then/0/", {"to": 1, "then": [action]}),
            ("/v1/progress/host", "/then/0/", {"current": 1, "then": [action]}),
        ):
            answer = program.ask("POST", path, body)
            told = f"{path} with {field}: {answer.status} {answer.pointer!r}, alone {direct.status} {direct.pointer!r}"
            run.check(answer.status == direct.status == 422, told)
            run.check(answer.status != 422 or answer.pointer.startswith(prefix), told)
    program.ask("POST", "/v1/tickers/two", {"to": 1, "label": "1 2"})
    fine = program.ask("POST", "/v1/schedules", {"in": 0, "do": [{"ticker": "two", "to": 3, "index": 1}]})
    run.check(fine.status == 201, f"an action that works is answered {fine.status} {fine.body[:100]}")
    run.alive(program)


def heard(text, event):
    """Which tickers an event was told of."""
    return set(re.findall(rf'event: {event}\ndata: {{"ticker":"(\w+)"', text))


@attack("lies")
def topics_left_out(run):
    """A stream of all of 12,000 tickers hears of all, or says of how many it doesn't."""
    program = run.start(ephemeral=True)
    fill(program, 12000)
    listener = run.keep(Listener(program.stream("/v1/events?ticker=*")))
    run.wait(program, lambda: listener.pieces, "a greeting")
    settle(lambda: len(listener.pieces))
    followed = set(re.findall(r'\ndata: {"ticker":"(\w+)"', listener.text))
    run.check(followed, "nothing is shown of any ticker")
    for first in range(0, 12000, 2000):
        changed = {f"t{n}" for n in range(first, first + 2000)}
        batch = lines({"ticker": name, "to": 5555, "duration": 0} for name in changed)
        program.ask("POST", "/v1/batch", batch, timeout=60)
        # What it was shown it hears of, before there is more to tell.
        run.wait(program, lambda: changed & followed <= heard(listener.text, "complete"), f"the ends from t{first} on")
    settle(lambda: len(listener.pieces))
    text = listener.text
    known = heard(text, "complete")
    hello = re.search(r"event: hello\n(?:\w+: .*\n)*?data: (.*)", text)
    said = bool(re.search(r"event: limit\n", text)) or '"leftOut"' in (hello[1] if hello else "")
    run.figure(f"heard of {len(known)}; hello: {hello[1] if hello else None}")
    run.check(len(known) == 12000 or said, f"heard of {len(known)} of 12,000, and nothing says so")


@attack("lies")
def instants_to_all_listeners(run):
    """A batch of 9,000 instant updates: who listens to all of them hears all, or is told why not."""
    program = run.start(ephemeral=True)
    fill(program, 9000)
    listener = run.keep(Listener(program.stream("/v1/events?ticker=*")))
    run.wait(program, lambda: listener.text.count('\ndata: {"ticker"') == 9000, "that all are shown", pause=0.1)
    batch = lines({"ticker": f"t{n}", "to": 5555, "duration": 0} for n in range(9000))
    answer = program.ask("POST", "/v1/batch", batch, timeout=60)
    until(lambda: not listener.is_alive() or len(heard(listener.text, "complete")) == 9000, 10, pause=0.5)
    text = listener.text
    known = len(heard(text, "complete"))
    run.figure(f"batch {answer.status}, heard of {known}, the stream {'goes on' if listener.is_alive() else 'ended'}")
    run.check(known == 9000 or "event: bye" in text, f"heard of {known} of 9,000, then silence")
    run.check(listener.is_alive() or "event: bye" in text, "the stream ended without a word")


@attack("lies")
def many_query_parameters(run):
    """Requests of 1 to 5,000 parameters: each has an answer, be it that they are too many."""
    program = run.start(ephemeral=True)
    silent = {}
    for count in (1, 100, 200, 209, 210, 211, 220, 230, 249, 250, 251, 500, 1000, 2000, 5000):
        query = "&".join(f"ticker=t{number}" for number in range(count))
        for path in ("/v1/events?", "/v1/tickers?limit=1&"):
            request = f"GET {path}{query} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
            answer = program.raw(request.encode(), seconds=4)
            status = int(answer.split(b" ", 2)[1]) if answer else 0
            if status not in (200, 400, 413, 414, 422, 431):
                silent[f"{path}, {count}"] = status
    run.check(not silent, f"no proper answer: {silent}")
    named = program.ask("POST", "/v1/events", {"ticker": [f"t{n}" for n in range(3000)], "once": "x"})
    run.check(named.status == 422, f"POST /v1/events with a wrong field is answered {named.status}")
    request = json.dumps({"ticker": [f"t{number}" for number in range(3000)]}).encode()
    head = f"POST /v1/events HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(request)}\r\n\r\n".encode()
    answer = program.raw(head + request, until=b"event: hello")
    run.check(b"event: hello" in answer, f"POST /v1/events with 3,000 topics is answered {answer[:60]}")
    run.alive(program)


def flood_keys(program, name, count):
    """Updates a ticker as often, each time under a key of its own; how often each status came."""
    connection, statuses = Connection(program.port), {}
    for number in range(count):
        body = {"to": number, "duration": 0}
        status = connection.ask("POST", f"/v1/tickers/{name}", body, {"Idempotency-Key": f"k{number}"}).status
        statuses[status] = statuses.get(status, 0) + 1
    connection.close()
    return statuses


@attack("lies")
def retry_keys_flooded(run):
    """700 requests with large answers and keys of their own: a key used before still counts once, or 503."""
    program = run.start(ephemeral=True)
    once = {"Idempotency-Key": "honest"}
    first = program.ask("POST", "/v1/tickers/sum", {"by": 1, "duration": 0}, once)
    program.ask("PUT", "/v1/tickers/large", {"label": controls()})
    statuses = flood_keys(program, "large", 1500)
    again = program.ask("POST", "/v1/tickers/sum", {"by": 1, "duration": 0}, once)
    run.figure(f"the flood was answered {statuses}; first {first.status}, retry {again.status}")
    run.check(target(program, "sum") == 1, f"a retry counted: the sum is {target(program, 'sum')}")
    run.check(again.status in (202, 503), f"the retry is answered {again.status}")
    run.check(again.status != 202 or again.body == first.body, "the retry has another answer than the first")
    run.alive(program)


@attack("lies", slow=True)
def retry_keys_exhausted(run):
    """More keys than are kept: none that was used is forgotten; what can't be kept is refused before it counts."""
    program = run.start(ephemeral=True)
    once = {"Idempotency-Key": "honest"}
    program.ask("POST", "/v1/tickers/sum", {"by": 1, "duration": 0}, once)
    statuses = flood_keys(program, "j", 110000)
    again = program.ask("POST", "/v1/tickers/sum", {"by": 1, "duration": 0}, once)
    run.figure(f"the flood was answered {statuses}; retry {again.status}")
    run.check(target(program, "sum") == 1, f"a retry counted: the sum is {target(program, 'sum')}")


@attack("lies")
def retry_of_a_stream(run):
    """A request that is answered by a stream, sent twice with one key: one ticker, not two."""
    program = run.start(ephemeral=True)
    head = f"POST /v1/tickers HTTP/1.1\r\nHost: {HOST}\r\nIdempotency-Key: k\r\nAccept: text/event-stream\r\n"
    request = (head + 'Content-Length: 21\r\n\r\n{"to":1,"duration":0}').encode()
    answers = [program.raw(request, until=b'data: {"ticker"') for _ in range(2)]
    made = [item["ticker"] for item in program.ask("GET", "/v1/tickers").json["items"]]
    run.figure(f"tickers: {made}, answers {[answer[9:12] for answer in answers]}")
    run.check(len(made) == 1, f"one request with a key made {len(made)} tickers")
    run.alive(program)


@attack("lies")
def cancelled_text_after_restart(run):
    """What a cancelled motion shows is what it shows after a restart."""
    program = run.start()
    program.ask("POST", "/v1/tickers/a", {"label": "0 coins", "to": 100, "duration": 7})
    program.ask("POST", "/v1/tickers/b", {"label": "$0", "to": 99, "duration": 5, "easing": "ease"})
    program.ask("POST", "/v1/progress/p", {"current": 77, "duration": 5, "label": "{value} of {maximum}"})
    paths = ["/v1/tickers/a", "/v1/tickers/b", "/v1/progress/p"]
    # In the midst of their way, where the text is neither the first nor the last.
    run.wait(program, lambda: all(1 < program.ask("GET", path).json["value"] < 50 for path in paths), "the midst")
    for path in paths:
        program.ask("POST", f"{path}/cancel")
    before = {path: program.ask("GET", path).json for path in paths}
    run.check(program.restart(), f"does not start: {program.last_words}")
    for path in paths:
        after = program.ask("GET", path).json or {}
        for field in ("text", "value", "target", "current", "revision"):
            was, now = before[path].get(field), after.get(field)
            run.check(was == now, f"{path}: {field} was {was!r} and is {now!r}")


@attack("lies")
def data_folder_deleted(run):
    """The folder goes away while the server runs: soon nothing is acknowledged any more."""
    program = run.start()
    program.ask("POST", "/v1/tickers/a", {"to": 1})
    shutil.rmtree(program.data)

    def refused():
        return program.ask("POST", "/v1/tickers/b", {"to": time.time()}).status in (503, 507)

    start = time.monotonic()
    noticed = until(refused, 10, pause=0.1)
    run.figure(f"noticed after {time.monotonic() - start:.1f} s" if noticed else "not noticed")
    run.check(noticed, "changes are acknowledged for 10 s, and kept nowhere")
    ready = program.ask("GET", "/readyz")
    run.check(ready.status == 503, f"readyz says {ready.status} {ready.body[:80]}")
    run.check(program.ask("GET", "/v1/tickers/a").status == 200, "what is there can't be read any more")


class Receiver(socketserver.ThreadingTCPServer):
    """A webhook receiver that answers 200, or one that takes calls in and never answers."""

    daemon_threads = allow_reuse_address = True
    request_queue_size = 1000

    def __init__(self, hangs):
        self.calls, self.hangs, self.released = 0, hangs, threading.Event()
        super().__init__((HOST, 0), None)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        request.settimeout(5)
        if self.hangs:
            self.released.wait(60)
            return
        try:
            if request.recv(65536):
                self.calls += 1
                request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        except OSError:
            pass

    def close(self):
        self.released.set()
        self.shutdown()
        self.server_close()


@attack("lies")
def hung_webhook_receiver(run):
    """One receiver hangs and has 10,880 calls waiting: another's call is made all the same."""
    hung, honest = run.keep(Receiver(hangs=True)), run.keep(Receiver(hangs=False))
    program = run.start(
        "--webhook-secret", "whsec_" + "A" * 40, "--webhook-network", "127.0.0.0/8",
        "--webhook-host", f"{HOST}:{hung.port},{HOST}:{honest.port}")  # fmt: skip

    def call(receiver, count=1, size=1):
        action = {"webhook": f"http://{HOST}:{receiver.port}/x", "data": "y" * size}
        return program.ask("POST", "/v1/schedules", {"in": 0, "do": [action] * count}).status

    run.check(call(honest) == 201 and until(lambda: honest.calls == 1, 5), "no call is made at all")
    before = program.rss
    statuses = [call(hung, 32, 1800) for _ in range(340)]
    fired = 1 + statuses.count(201)
    run.wait(program, lambda: program.metric("firings_total") == fired, "what the schedules do")
    run.wait(program, lambda: program.metric('usage{name="webhook_calls"}') > 0, "calls that hang")
    status = call(honest)
    made = until(lambda: honest.calls == 2, 8 * run.patience)
    run.figure(f"requests answered {sorted(set(statuses))}; then the other's {status}, {honest.calls - 1} calls made")
    run.check(made, "the call to the other receiver isn't made")
    run.grown(program, before, 100)
    code = program.terminate(30)
    run.check(code == 0, f"SIGTERM: exit {code}")


@attack("lies")
def few_descriptors(run):
    """1,500 streams at a limit of 1,024 descriptors: each is answered or refused, and others are served."""
    program = run.start(descriptors=1024)
    streams, refused = [], 0
    for _ in range(1500):
        try:
            streams.append(run.keep(program.stream("/v1/events?ticker=h", timeout=2)))
        except OSError:
            refused += 1
    until(lambda: answered(streams), 8, pause=0.2)
    told = 0
    for bare in streams:
        bare.setblocking(False)
        try:
            told += bare.recv(100) != b""
        except OSError:
            pass
    health = program.ask("GET", "/healthz", timeout=5 * run.patience)
    posted = program.ask("POST", "/v1/tickers/a", {"to": 1}, timeout=5 * run.patience)
    run.figure(
        f"{told} of {len(streams)} answered, {refused} refused; healthz {health.status}, POST {posted.status}"
    )
    run.check(told == len(streams), f"{len(streams) - told} of {len(streams)} streams get not one byte")
    run.check(health.status == 200 and posted.status == 202, f"healthz {health.status}, POST {posted.status}")


@attack("lies", needs=FAKETIME)
def clock_jumps(run):
    """The clock goes ten years ahead and comes back: what is due each minute isn't due in ten years."""
    folder = run.start(ephemeral=True).work
    clock = folder / "clock"
    clock.write_text("+0\n")
    program = run.start(environment=faked(FAKETIME_TIMESTAMP_FILE=str(clock), FAKETIME_NO_CACHE="1"))
    program.ask("PUT", "/v1/schedules/often", {"every": "* * * * *", "do": [{"notify": "n"}]})
    program.ask("POST", "/v1/tickers/moving", {"from": 0, "to": 1000, "duration": 100})
    for offset in ("+1h", "+0", "+10y", "+0"):
        jumps = program.log.count("the wall clock was set")
        # In one step: half a file would be a jump of its own, and a message that often has its share of a minute.
        (folder / "clock.new").write_text(offset + "\n")
        (folder / "clock.new").replace(clock)
        run.wait(program, lambda: program.log.count("the wall clock was set") > jumps, f"a clock at {offset}")
        due = (program.ask("GET", "/v1/schedules/often").json or {}).get("remaining")
        run.figure(f"{offset}: due in {due} s")
        run.check(due is not None and due <= 61, f"at {offset} it is due in {due} s")
    run.alive(program)
