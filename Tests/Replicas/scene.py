"""What a fault is played on: servers, replicas and listeners that go when it is over; and what is asked of all of them."""

import http.client
import json
import shutil
import signal
import tempfile
import threading
import time

from cluster import Redis, Replica, Wire, wait_until
from stream import blocks

FAULTS = {}
ALL_TOPICS = "ticker=*&progress=*&schedule=*&notification=*"


def fault(play):
    """Has a function played by the runner."""
    FAULTS[play.__name__] = play
    return play


class Skipped(Exception):
    """A fault that this machine doesn't let anybody make."""


class Listener(threading.Thread):
    """One stream, from beginning to end: what it was told, and when."""

    def __init__(self, replica, query=ALL_TOPICS, last=None):
        super().__init__(daemon=True)
        self.replica, self.query, self.last = replica, query, last
        self.events, self.frames, self.resets = [], [], 0
        self.has_ended = self.is_greeted = False
        self.connection = http.client.HTTPConnection(replica.host, replica.port, timeout=60)
        self.start()

    def run(self):
        try:
            headers = {"Last-Event-ID": self.last} if self.last else {}
            self.connection.request("GET", "/v1/events?" + self.query, headers=headers)
            for event in blocks(self.connection.getresponse()):
                self._take(event)
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass
        self.has_ended = True

    def _take(self, event):
        match event.get("event"):
            case "hello":
                self.is_greeted = True
            case "reset":
                self.resets += 1
            case None if "data" in event:
                self.frames.append((time.monotonic(), json.loads(event["data"])))
            case name if "id" in event:
                self.events.append((event["id"], name, json.loads(event["data"])))

    def end(self):
        if self.connection.sock:
            self.connection.sock.close()

    def named(self, name, **fields):
        """Events of a name whose data has these fields."""
        return [event for event in list(self.events) if event[1] == name and fields.items() <= event[2].items()]

    def frames_of(self, ticker, since=0.0):
        """Its values, as they came."""
        return [(at, data["value"]) for at, data in list(self.frames) if at >= since and data.get("ticker") == ticker]

    def numbers(self):
        """The log of events and the number of each, by its id."""
        return [(epoch, int(number)) for epoch, _, number in (event[0].rpartition("-") for event in list(self.events))]

    def check_unbroken(self, histories=1):
        """Its stream has stayed open, and it was told every event once: in one log of events as long as the store's data
        has one history."""
        assert not self.has_ended, "a stream ended"
        assert self.resets == 0, f"{self.resets} resets"
        numbers = self.numbers()
        assert len({epoch for epoch, _ in numbers}) <= histories, f"more logs of events: {numbers}"
        found = [number for _, number in numbers]
        assert not found or found == list(range(found[0], found[0] + len(found))), f"not consecutive: {found}"


class Scene:
    """Everything that one fault needs."""

    def __init__(self):
        self.servers, self.replicas, self.listeners = [], [], []
        self.folder = tempfile.mkdtemp(prefix="tweencast-scene-")

    def redis(self, *arguments, **options):
        return self.keep(Redis("--appendfsync", "always", *arguments, **options))

    def keep(self, server):
        self.servers.append(server)
        return server

    def replica(self, redis=None, environment=None, **options):
        """A replica behind a wire of its own, or one that goes to the `store` among the options."""
        return self.add(Replica(Wire(redis.port) if redis else None, environment, **options))

    def add(self, replica):
        self.replicas.append(replica)
        return replica

    def start(self, count, redis=None, **options):
        """So many replicas, ready."""
        replicas = [self.replica(redis, **options) for _ in range(count)]
        for replica in replicas:
            wait_until(lambda one=replica: one.is_ready, what="readiness")
        return replicas

    def listen(self, replica, query=ALL_TOPICS, last=None):
        listener = Listener(replica, query, last)
        self.listeners.append(listener)
        wait_until(lambda: listener.is_greeted, what="a greeting")
        return listener

    @property
    def said(self):
        logs = [f"replica {number} on {one.port}:\n{one.said}" for number, one in enumerate(self.replicas)]
        return "\n".join(logs)

    def close(self):
        for listener in self.listeners:
            listener.end()
        for replica in self.replicas:
            replica.end(signal.SIGKILL)
        for server in self.servers:
            server.clean()
        shutil.rmtree(self.folder, ignore_errors=True)


class Counter(threading.Thread):
    """Counts up on one replica until it is ended, and knows what was acknowledged."""

    def __init__(self, replica, name):
        super().__init__(daemon=True)
        self.replica, self.name = replica, name
        self.taken, self.unknown, self.other, self.is_ending = 0, 0, set(), False
        self.start()

    def run(self):
        while not self.is_ending:
            status, body = count(self.replica, self.name)
            if status == 202:
                self.taken += 1
            elif b"not known" in body:
                self.unknown += 1
            elif status != 503:
                self.other.add((status, body))
            # The pace of the load.
            time.sleep(0.005)

    def stop(self):
        self.is_ending = True
        self.join()
        assert not self.other, self.other

    def end(self):
        """What was acknowledged is there; what was refused isn't."""
        self.stop()
        found = target(self.replica, self.name)
        most = self.taken + self.unknown
        assert self.taken <= found <= most, f"{found} of {self.taken} acknowledged, {self.unknown} unknown"


# What is asked


def count(replica, name="count", key=None):
    """Counts one up; the status and the body."""
    headers = {"Idempotency-Key": key} if key else {}
    return replica.ask("POST", f"/v1/tickers/{name}", {"by": 1, "duration": 0}, headers)


def count_all(replica, number, name="count"):
    """Counts up as often; each time it must be taken."""
    for _ in range(number):
        status, body = count(replica, name)
        assert status == 202, f"{status} {body}"


def move(replica, name, seconds, to=1000):
    """Begins a motion."""
    status, body = replica.ask("POST", f"/v1/tickers/{name}", {"from": 0, "to": to, "duration": seconds})
    assert status == 202, f"{status} {body}"


def schedule(replica, name, **when):
    """Makes a schedule that notifies under its name; what it was answered."""
    status, body = replica.ask("POST", "/v1/schedules", {"id": name, "do": [{"notify": name}], **when})
    assert status == 201, f"{status} {body}"
    return json.loads(body)


def target(replica, name="count"):
    status, body = replica.ask("GET", f"/v1/tickers/{name}")
    assert status == 200, f"{status} {body}"
    return json.loads(body)["target"]


def check_refused(replica):
    """A change is refused at once, with a word on when to try again, and `/readyz` says why."""
    status, headers, body = replica.answer("POST", "/v1/tickers/refused", {"to": 1, "duration": 0})
    assert status == 503 and headers["Retry-After"], f"{status} {headers} {body}"
    assert b"nothing was changed" in body, body
    return reason(replica)


def reason(replica):
    """Why a replica isn't ready."""
    status, body = replica.ask("GET", "/readyz")
    assert status == 503, f"{status} {body}"
    return json.loads(body)["reason"]


# What must come of it


def wait_until_ready(*replicas):
    for replica in replicas:
        wait_until(lambda one=replica: one.is_ready, what="readiness")


def wait_until_away(*replicas):
    """Until they know that they can't follow the log."""
    for replica in replicas:
        wait_until(lambda one=replica: one.ask("GET", "/readyz")[0] == 503, what="unreadiness")


def wait_until_taken(replica, seconds=60):
    """Until changes are taken again."""
    wait_until(lambda: count(replica, "probe")[0] == 202, seconds, "a change that is taken")


def wait_until_agreed(*replicas):
    """Until all are at one place with one digest."""

    def agree():
        standings = [replica.standing for replica in replicas]
        return len({(one["position"], one["digest"]) for one in standings}) == 1 and not any(
            one["lag"] for one in standings
        )

    wait_until(agree, 20, "one digest")


def wait_until_counted(number, *replicas):
    """Until all have come so far: what one has answered reaches the others a moment later."""
    wait_until(lambda: [target(one) for one in replicas] == [number] * len(replicas), what=f"the count of {number}")


def wait_until_told(*listeners):
    """Until all have been told the same, and this one event of a name of its own."""
    name = f"end{time.monotonic_ns()}"
    schedule(listeners[0].replica, name, **{"in": 0})
    for listener in listeners:
        wait_until(lambda one=listener: one.named("notification", notification=name), 20, f"{name} on a stream")


def check_unbroken(*listeners, histories=1):
    """All were told every event once, and the same, on streams that stayed open."""
    wait_until_told(*listeners)
    for listener in listeners:
        listener.check_unbroken(histories)
    check_ids(*listeners)


def check_ids(*listeners):
    """What two were told under one id is the same."""
    events = {}
    for listener in listeners:
        for event in list(listener.events):
            assert events.setdefault(event[0], event) == event, f"told as another: {event}, {events[event[0]]}"


def pass_until(end):
    """For times that are the fault, or what is measured; what shows by itself that it has come is waited for."""
    time.sleep(max(0, end - time.monotonic()))


def check_frames(listeners, ticker, begin, end, gap=2.0):
    """Frames of a motion have come all the time, and never went back. That time passes: it is what is looked at."""
    pass_until(end)
    for listener in listeners:
        frames = [frame for frame in listener.frames_of(ticker, begin) if frame[0] < end]
        instants = [begin, *(at for at, _ in frames), end]
        longest = max(later - at for at, later in zip(instants, instants[1:]))
        assert longest < gap, f"no frame for {longest:.1f} s"
        values = [value for _, value in frames]
        assert values == sorted(values), "a motion went back"
