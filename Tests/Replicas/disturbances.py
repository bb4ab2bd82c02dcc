"""What befalls a store, its replicas and the ways between them, by a source of chance: what chaos and histories share."""

import random
import signal
import time
import typing

from cluster import Redis, Replica, Wire, wait_until


class Lengths(typing.NamedTuple):
    """Seconds that a fault lasts, and that are the fault; one of each is drawn."""

    pauses: typing.Sequence[float]
    cuts: typing.Sequence[float]
    stops: typing.Sequence[float]
    slow: float
    # At most so long what has ended is not started again.
    away: float


class Disturbances:
    """Faults by name; each is over when its method returns, and what it did to others may not be."""

    def __init__(
        self, redis: Redis, wires: list[Wire], replicas: list[Replica], lengths: Lengths, source: random.Random
    ):
        self.redis, self.wires, self.replicas = redis, wires, replicas
        self.lengths, self.random = lengths, source

    def faults(self) -> dict[str, typing.Callable]:
        return {
            "restart": self.restart_store,
            "kill": self.kill_store,
            "pause": self.pause_store,
            "flush": lambda: self.redis.call("SCRIPT", "FLUSH"),
            "memory": self.fill_store,
            "cut": self.cut_wire,
            "slow": self.slow_wires,
            "stop": self.stop_replica,
            "die": self.kill_replica,
            "break": lambda: [wire.break_all() for wire in self.wires],
        }

    def be_away(self):
        """The time until what has ended is started again: it is the fault."""
        time.sleep(self.random.random() * self.lengths.away)

    def restart_store(self):
        self.redis.end()
        self.be_away()
        self.redis.start()

    def kill_store(self):
        self.redis.end(signal.SIGKILL)
        self.be_away()
        self.redis.start()

    def pause_store(self):
        self.redis.send(signal.SIGSTOP)
        time.sleep(self.random.choice(self.lengths.pauses))
        self.redis.send(signal.SIGCONT)

    def fill_store(self):
        self.redis.call("CONFIG", "SET", "maxmemory", "1")
        # They notice by what is written, and there is load.
        wait_until(lambda: not any(replica.is_ready for replica in self.replicas), what="a full store that is noticed")
        self.redis.call("CONFIG", "SET", "maxmemory", "0")

    def cut_wire(self):
        wire = self.random.choice(self.wires)
        wire.is_cut = True
        time.sleep(self.random.choice(self.lengths.cuts))
        wire.is_cut = False

    def slow_wires(self):
        for wire in self.wires:
            wire.delay = self.random.choice([0, 0.02, 0.1])
        time.sleep(self.lengths.slow)
        for wire in self.wires:
            wire.delay = 0

    def stop_replica(self):
        replica = self.random.choice(self.replicas)
        replica.send(signal.SIGSTOP)
        time.sleep(self.random.choice(self.lengths.stops))
        replica.send(signal.SIGCONT)

    def kill_replica(self):
        replica = self.random.choice(self.replicas)
        replica.end(signal.SIGKILL)
        self.be_away()
        replica.start()
