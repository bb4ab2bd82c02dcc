"""One program that several attackers share, and that is killed and started again under them."""

import collections
import os
import threading
import time
import traceback

from program import Program

# What a fuzzed server may take in all, with every resource, stream and answer that the fuzzers keep.
MEMORY_MEGABYTES = 700
ANSWER_SECONDS = 5
# After as many even one that endures has said enough.
MOST_FAILURES = 10
# As often it is looked at whether all still holds, while others attack.
LOOK_SECONDS = 0.5


class Failure(Exception):
    """What must not be; ends the run."""


class Target:
    """The program, how often it was started, and what went wrong. A thread may hold it up while it asks.

    One that endures goes on after a failure, and is started again when it has ended by itself.
    """

    def __init__(self, binary, *flags, patience=1.0, endures=False, **options):
        self.program = Program(binary, *flags, **options)
        self.patience, self.endures = patience, endures
        self.memory_limit = MEMORY_MEGABYTES
        self.exits = self.hangs = 0
        self.generation, self.down = 0, False
        self.condition = threading.Condition()
        self.inside, self.closed, self.over = 0, False, False
        self.failures, self.counts = [], collections.Counter()
        self.recent, self.recent_streams = collections.deque(maxlen=60), collections.deque(maxlen=20)
        self.memory = 0.0
        if self.program.port is None:
            raise Failure(f"does not start: {self.program.last_words}")

    def fail(self, what):
        """The first ones are told; after any the run ends, if it doesn't endure."""
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(what)
            if self.endures:
                print(f"✘ {what}", flush=True)
        self.over = self.over or not self.endures or len(self.failures) >= MOST_FAILURES

    def holding(self):
        """Held by each request of the careful: with `quiet` nothing of theirs is under way."""
        return Holding(self)

    def quiet(self):
        """Waits until no request is under way, and lets none begin until `resume`."""
        with self.condition:
            self.closed = True
            self.condition.wait_for(lambda: self.inside == 0, timeout=30 * self.patience)

    def resume(self):
        with self.condition:
            self.closed = False
            self.condition.notify_all()

    def expected(self, generation) -> bool:
        """Whether a broken connection of that generation is what a kill did."""
        return self.down or generation != self.generation or not self.program.alive

    def restart(self):
        """kill -9, and started again on its folder."""
        if not self.program.alive:
            self.ended()
            return
        self.down = True
        self.memory = max(self.memory, self.program.rss)
        self.revive()
        self.counts["restarts"] += 1

    def revive(self):
        self.down = True
        if not self.program.restart():
            self.fail(f"it does not start again: {self.program.last_words}")
            self.over = True
            return
        self.generation += 1
        self.down = False

    def ended(self):
        """By itself."""
        self.exits += 1
        self.fail(f"it ended: {self.program.last_words}")
        if self.endures:
            self.revive()

    def hung(self, what):
        """It runs and doesn't answer."""
        self.hangs += 1
        self.fail(what)
        if self.endures:
            self.revive()

    def look(self):
        """What holds at any time."""
        if not self.program.alive:
            self.ended()
            return
        generation, seconds = self.generation, ANSWER_SECONDS * self.patience
        answer = self.program.ask("GET", "/healthz", timeout=seconds)
        if answer.status != 200 and self.program.alive and not self.expected(generation):
            self.hung(f"healthz is answered {answer.status} after {answer.seconds:.1f} s: {answer.body[:200]}")
        self.memory = max(self.memory, self.program.rss)
        if self.program.rss > self.memory_limit:
            self.fail(f"it takes {self.program.rss:.0f} MB, more than {self.memory_limit:.0f}")

    def summary(self) -> str:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.counts.items(), key=str))
        return f"{counts}; at most {self.memory:.0f} MB"


class Holding:
    def __init__(self, target):
        self.target = target

    def __enter__(self):
        with self.target.condition:
            self.target.condition.wait_for(lambda: not self.target.closed or self.target.over)
            self.target.inside += 1
        return self.target.generation

    def __exit__(self, *_):
        with self.target.condition:
            self.target.inside -= 1
            self.target.condition.notify_all()


class Attacker(threading.Thread):
    """A thread that does to the server what others should not feel. What it takes of the machine's processors would be
    felt, too, and is none of the server's: one that yields has what others leave, as if it ran on another machine. If it
    ends with an error, the target has failed: nobody else would attack on."""

    yields = False

    def run(self):
        if self.yields:
            os.sched_setscheduler(threading.get_native_id(), os.SCHED_IDLE, os.sched_param(0))
        try:
            self.attack()
        except Exception:
            self.target.fail(traceback.format_exc())


class Ledger(Attacker):
    """Counts up by ones, each with a key of its own and retried until it is answered: the sum must be exact."""

    def __init__(self, target):
        super().__init__(daemon=True)
        self.target, self.count = target, 0

    def attack(self):
        while not self.target.over:
            key = {"Idempotency-Key": f"ledger-{self.count}"}
            while not self.target.over:
                with self.target.holding():
                    answer = self.target.program.ask("POST", "/v1/tickers/ledger", {"by": 1, "duration": 0}, key, 5)
                if answer.status == 202:
                    self.count += 1
                    self.target.counts["counted"] += 1
                    break
                # Refused, or in the midst of a restart: again.
                time.sleep(0.1)
            # It watches, and is no load.
            time.sleep(0.02)

    def verify(self):
        """With nothing under way: what was acknowledged is there, once."""
        came = (self.target.program.ask("GET", "/v1/tickers/ledger").json or {}).get("target", 0)
        # One more may have been made whose answer was lost; its retry won't count.
        if not self.count <= came <= self.count + 1:
            self.target.fail(f"{self.count} additions were acknowledged, and the sum is {came}")
