"""Random faults under load, then an audit: nothing that was acknowledged is lost, nothing happens twice, and all replicas
have come to the same. The seed is fresh and printed, and gives the same faults and changes again, though not the same
interleaving: chaos.py [--rounds N] [--seed N] [--only FAULT]"""

import argparse
import http.server
import itertools
import json
import random
import signal
import sys
import threading
import time

from cluster import CLOCK_AHEAD, HOST, Redis, Replica, Wire, wait_until
from disturbances import Disturbances, Lengths
from replay import add_seed, replay
from same import Inputs, compare_frames
from stream import Reader, Watcher

REPLICAS = 3
COUNTERS = 20
CLIENTS = 6
# So many times they count before a fault, and after it.
LOAD = 170
# Of the calls of webhooks so many fail, and are sent again.
FAILING = 0.1
SNAPSHOT_ENTRIES = 256
# Seconds for which a change is sent again, and minutes for which its key is known: longer.
PATIENCE = 120
KEY_MINUTES = 3
# Motions whose frames are compared after each round.
MOTIONS = 5
# How long a fault lasts: less and more than replicas wait for the store (5 s), or for each other (10 s); and as long as load goes
# by slow wires.
LENGTHS = Lengths(pauses=[1, 4, 10], cuts=[1, 4], stops=[0.5, 4, 12], slow=2, away=1)


class Receiver(http.server.ThreadingHTTPServer):
    """Takes webhooks, and notes under which ids each was sent."""

    daemon_threads = True

    def __init__(self, seed):
        self.seed, self.ids = seed, {}
        self.lock = threading.Lock()
        super().__init__((HOST, 0), Hook)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.lock:
            calls = self.server.ids.setdefault(self.path, [])
            calls.append(self.headers["webhook-id"])
            # By itself, not by when it comes: the same calls fail whatever comes first.
            lot = random.Random(f"{self.server.seed} {self.path} {len(calls)}")
        status = 503 if lot.random() < FAILING else 204
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        if status == 204:
            with self.server.lock:
                self.server.ids.setdefault("taken " + self.path, []).append(self.headers["webhook-id"])

    def log_message(self, *_):
        pass


class Board:
    """A store, replicas, and those who listen; and what was asked of them."""

    def __init__(self, seed):
        # How often it is asked depends on nothing but the faults so far: they come again in their order. What is asked for
        # until it is taken has a source of its own.
        self.random, self.motions = random.Random(seed), random.Random(f"{seed} motions")
        self.redis = Redis("--appendfsync", "always")
        self.receiver = Receiver(seed)
        self.wires = [Wire(self.redis.port) for _ in range(REPLICAS)]
        options = {
            "webhook_host": f"{HOST}:{self.receiver.port}",
            "snapshot_entries": SNAPSHOT_ENTRIES,
            # All clients are one address, whose answers of a whole day would soon find no room.
            "idempotency_minutes": KEY_MINUTES,
        }
        # One of them has a clock that is an hour off: the time is the store's.
        clocks = [None] * (REPLICAS - 1) + [CLOCK_AHEAD]
        self.replicas = [Replica(wire, clock, **options) for wire, clock in zip(self.wires, clocks, strict=True)]
        self.disturbances = Disturbances(self.redis, self.wires, self.replicas, LENGTHS, self.random)
        wait_until(lambda: all(replica.is_ready for replica in self.replicas), what="the replicas")
        query = "ticker=c*&schedule=*&notification=*"
        self.readers = [Reader(self.replicas, query, seed=seed + n) for n in range(4)]
        for reader in self.readers:
            reader.start()
        self.counts = {f"c{n}": 0 for n in range(COUNTERS)}
        self.schedules = 0
        self.keys = itertools.count()

    # Load

    def until_taken(self, lot, method, path, body):
        """Sends a change under one key to one replica after another, until one says that it was carried out."""
        key = f"chaos-{next(self.keys)}"
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            replica = lot.choice(self.replicas)
            status, answer = replica.ask(method, path, body, {"Idempotency-Key": key}, timeout=8)
            if 200 <= status < 300:
                return
            assert status in (0, 503, 507), f"{status} {answer}"
            time.sleep(0.05)
        raise AssertionError(f"{path} was never taken, but answered {status} {answer}")

    def work(self, lot, stop, lock):
        """One client: counts up, makes schedules, moves what is watched."""
        while not stop.is_set():
            choice = lot.random()
            if choice < 0.7:
                name = f"c{lot.randrange(COUNTERS)}"
                self.until_taken(lot, "POST", f"/v1/tickers/{name}", {"by": 1, "duration": lot.choice([0, 0.1, 1])})
                with lock:
                    self.counts[name] += 1
            elif choice < 0.85:
                with lock:
                    self.schedules += 1
                    number = self.schedules
                url = f"http://{HOST}:{self.receiver.port}/{number}"
                self.until_taken(
                    lot,
                    "POST",
                    "/v1/schedules",
                    {
                        "id": f"s{number}",
                        "in": lot.choice([0, 0.2, 2]),
                        "do": [{"notify": "fired", "data": number}, {"webhook": url}],
                    },
                )
            else:
                body = {"current": lot.randrange(100), "maximum": 100, "duration": 0.5}
                self.until_taken(lot, "POST", f"/v1/progress/p{lot.randrange(5)}", body)

    def wait_for_load(self):
        """Until the clients have counted on: around a fault there is load, however fast the machine."""
        known = self.counted
        wait_until(lambda: self.counted >= known + LOAD, PATIENCE, lambda: f"load: {self.counted - known} of {LOAD}")

    @property
    def counted(self):
        return sum(self.counts.values())

    # Faults

    def faults(self):
        return {**self.disturbances.faults(), "sleep": self.sleep_past_log}

    def sleep_past_log(self):
        """One sleeps while others write more than the log keeps."""
        replica = self.random.choice(self.replicas)
        replica.send(signal.SIGSTOP)
        others = [other for other in self.replicas if other is not replica]
        for _ in range(3 * SNAPSHOT_ENTRIES):
            self.random.choice(others).ask("POST", "/v1/tickers/x", {"by": 1, "duration": 0})
        replica.send(signal.SIGCONT)

    # Audit

    def audit(self):
        wait_until(lambda: all(replica.is_ready for replica in self.replicas), what="readiness")
        for name, count in self.counts.items():
            if count:
                wait_until(lambda n=name, c=count: self.target(n) == [c] * REPLICAS, 20, f"{name} at {count}")
        self.wait_for_webhooks()
        for path, ids in list(self.receiver.ids.items()):
            assert len(set(ids)) == 1, f"{path} was sent as {set(ids)}"
        wait_until(self.agree, 20, "one digest")
        self.compare_readers()
        return self.compare_frames()

    def target(self, name):
        found = []
        for replica in self.replicas:
            status, body = replica.ask("GET", f"/v1/tickers/{name}")
            found.append(json.loads(body)["target"] if status == 200 else body)
        return found

    def wait_for_webhooks(self):
        try:
            wait_until(lambda: not self.untaken(), 60)
        except AssertionError:
            number = self.untaken()[0]
            raise AssertionError(
                f"webhooks of {self.untaken()} were never taken: "
                f"{[replica.ask('GET', f'/v1/schedules/s{number}') for replica in self.replicas]}, "
                f"{self.replicas[0].ask('GET', '/v1/webhooks')}"
            ) from None

    def untaken(self):
        """Schedules whose webhook was not taken."""
        with self.receiver.lock:
            return [number for number in range(1, self.schedules + 1) if f"taken /{number}" not in self.receiver.ids]

    def agree(self):
        """Whether all are at one place with one digest."""
        standings = [replica.standing for replica in self.replicas]
        return len({(one["position"], one["digest"]) for one in standings}) == 1 and all(
            one["lag"] == 0 for one in standings
        )

    def compare_readers(self):
        """What moved readers heard: each event once, and all of them the same."""
        wait_until(lambda: len({reader.last for reader in self.readers}) == 1, 30, "the readers at one place")
        logs = [list(reader.events) for reader in self.readers]
        for reader in self.readers:
            assert not reader.doubled, f"told twice: {reader.doubled[:5]}"
        merged = {}
        for log in logs:
            for event in log:
                assert merged.setdefault(event[0], event) == event, f"told as another: {event} {merged[event[0]]}"
        for reader, log in zip(self.readers, logs):
            first = log[0][0] if log else None
            missing = set(merged) - {event[0] for event in log}
            if reader.resets == 0 and first:
                number = int(first.rpartition("-")[2])
                missed = [i for i in missing if int(i.rpartition("-")[2]) > number]
                assert not missed, f"a reader missed {sorted(missed)[:5]}"
        fired = [event[2] for event in merged.values() if event[1] == "notification"]
        assert len(fired) == len(set(fired)), "a schedule fired twice"

    def compare_frames(self):
        """Motions at random replicas: frames of the same tick have the same bytes everywhere."""
        watchers = [Watcher(replica, "/v1/events?ticker=m*&stamp") for replica in self.replicas]
        for watcher in watchers:
            watcher.start()
        wait_until(lambda: all(watcher.has_begun for watcher in watchers), what="the streams")
        inputs = Inputs()
        for number in range(MOTIONS):
            begin = time.time()
            body = {"to": self.motions.randrange(1_000), "duration": 0.7}
            self.until_taken(self.motions, "POST", f"/v1/tickers/m{number}", body)
            inputs.add(f"ticker m{number}", begin, time.time())
        wait_until(lambda: self.agree() and not any(replica.is_moving for replica in self.replicas), 30, "rest")
        for watcher in watchers:
            watcher.end()
        common, early = compare_frames("motions", watchers, inputs)
        assert common, "no frame was seen at two replicas"
        return common

    def clean(self):
        for reader in self.readers:
            reader.end()
        for replica in self.replicas:
            replica.end(signal.SIGKILL)
        self.redis.clean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only")
    add_seed(parser)
    arguments = parser.parse_args()
    print(f"random faults, --seed {arguments.seed}", flush=True)
    board = Board(arguments.seed)
    faults = board.faults()
    names = [arguments.only] if arguments.only else sorted(faults)
    # Each kind comes up before one comes again.
    order = []
    try:
        for number in range(arguments.rounds):
            order = order or board.random.sample(names, len(names))
            fault = order.pop()
            stop, lock = threading.Event(), threading.Lock()
            errors = []
            began = time.monotonic()

            def client(lot, stop=stop, lock=lock, errors=errors):
                try:
                    board.work(lot, stop, lock)
                except Exception as error:  # told below, where it can fail the run
                    errors.append(error)

            lots = [random.Random(f"{arguments.seed} {number} {one}") for one in range(CLIENTS)]
            clients = [threading.Thread(target=client, args=(lot,)) for lot in lots]
            for one in clients:
                one.start()
            try:
                board.wait_for_load()
                faults[fault]()
                board.wait_for_load()
            finally:
                stop.set()
                for one in clients:
                    one.join()
            assert not errors, errors
            audited = time.monotonic()
            frames = board.audit()
            moves = sum(reader.moves for reader in board.readers)
            print(
                f"{number + 1}: {fault}; {board.counted} counted, {board.schedules} schedules, "
                f"{moves} moves, {frames} frames the same; {audited - began:.1f} s, {time.monotonic() - audited:.1f} s "
                "until all agreed",
                flush=True,
            )
    except BaseException:
        for number, replica in enumerate(board.replicas):
            print(f"replica {number} on {replica.port}:\n{replica.said}", flush=True)
        print(replay(arguments.seed), flush=True)
        raise
    finally:
        board.clean()
    return 0


if __name__ == "__main__":
    sys.exit(main())
