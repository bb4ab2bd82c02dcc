"""Three replicas over a Redis and its replica, with every fault of docs/replicas.md that leaves the board as it was."""

import pathlib
import random
import signal
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Replicas"))
from clients import Crowd  # noqa: E402
from cluster import CLOCK_AHEAD, HOST, Redis, Replica, Successors, Wire, wait_until  # noqa: E402
from disturbances import Disturbances, Lengths  # noqa: E402
from history import Doubt  # noqa: E402
from nodes import AT_ONCE  # noqa: E402

REPLICAS = 3
SETTINGS = ("--appendfsync", "always", *AT_ONCE)
# Less and more than clients wait for an answer, and than it takes a replica to notice that its store is silent (2 s).
LENGTHS = Lengths(pauses=[0.5, 2.5], cuts=[0.5, 2.5], stops=[0.5, 2.5], slow=1, away=0.5)
# Entries behind which a snapshot is due: there are several in a history.
SNAPSHOT_ENTRIES = 256
# Seconds for which a process that is replaced goes on.
DRAIN_SECONDS = 1
# Nobody else asks for it.
PROBE = "probe"


class Stage(Disturbances):
    """What clients ask, and what befalls it."""

    def __init__(self, seed: int):
        redis = Redis(*SETTINGS)
        self.stores = [redis]
        self.follower = self._follow(redis)
        wires = [Wire(redis.port) for _ in range(REPLICAS)]
        options = {"snapshot_entries": SNAPSHOT_ENTRIES, "redis_wait": 1, "drain_timeout": DRAIN_SECONDS}
        # One of them has a clock that is an hour off: the time is the store's.
        clocks = [None] * (REPLICAS - 1) + [CLOCK_AHEAD]
        replicas = [Replica(wire, clock, **options) for wire, clock in zip(wires, clocks, strict=True)]
        super().__init__(redis, wires, replicas, LENGTHS, random.Random(seed))
        self.crowd = Crowd([replica.port for replica in replicas], seed)
        self.doubts: list[Doubt] = []
        self.wait_until_taken()

    def faults(self):
        return {
            **super().faults(),
            "failover": self.fail_over,
            "forget": lambda: self.redis.call("DEL", "{chaos}:log"),
            "leave": self.restart_replica,
            "alone": self.start_without_store,
            "all": self.kill_all,
            "handover": self.hand_over,
        }

    def wait_until_taken(self) -> list[float]:
        """Until every replica carries out changes, and the store's replica confirms them; when that was, at each."""
        return [self._taken(replica) for replica in self.replicas]

    @property
    def is_at_rest(self) -> bool:
        standings = [replica.standing for replica in self.replicas]
        return len({(one["position"], one["digest"]) for one in standings}) == 1

    @staticmethod
    def _taken(replica: Replica) -> float:
        wait_until(
            lambda: replica.ask("POST", f"/v1/tickers/{PROBE}", {"by": 1, "duration": 0})[0] == 202, what="a change"
        )
        return time.monotonic()

    def _follow(self, redis: Redis) -> Redis:
        follower = Redis("--replicaof", HOST, str(redis.port), *SETTINGS)
        self.stores.append(follower)
        return follower

    # Faults

    def fail_over(self):
        """The store dies; its replica, which has all that was acknowledged, takes its place. What it lacks may have been shown:
        entries that came behind every one that was acknowledged."""
        ended = [one for one in list(self.crowd.operations) if one.answer and not one.is_read]
        begin = max((one.start for one in ended), default=0)
        self.redis.end(signal.SIGKILL)
        self.redis = self.follower
        # When it starts again, too, it follows nobody.
        self.redis.arguments = SETTINGS
        self.redis.call("REPLICAOF", "NO", "ONE")
        for wire in self.wires:
            wire.lead_to(self.redis.port)
        self.follower = self._follow(self.redis)
        self.doubts += [Doubt(number, begin, end) for number, end in enumerate(self.wait_until_taken())]

    def restart_replica(self):
        """One is asked to end, and starts again."""
        replica = self.random.choice(self.replicas)
        replica.end()
        replica.start()

    def start_without_store(self):
        """One starts while the store is away."""
        self.redis.end()
        self.kill_replica()
        self.redis.start()

    def kill_all(self):
        """Only the log is left."""
        for replica in self.replicas:
            replica.end(signal.SIGKILL)
        for replica in self.replicas:
            replica.start()

    def hand_over(self):
        """A process takes over from another, and dies: it was nobody's child."""
        replica = self.random.choice(self.replicas)
        replica.send(signal.SIGUSR2)
        wait_until(lambda: replica.process.poll() is not None, what="the end of the old process")
        self._taken(replica)
        Successors(replica).clean()
        replica.start()

    def clean(self):
        self.crowd.is_ending = True
        for replica in self.replicas:
            replica.end(signal.SIGKILL)
            Successors(replica).clean()
        for store in self.stores:
            store.clean()
