"""One program that several attackers share, and that is killed and started again under them."""

import collections
import threading
import time

from program import Program

# What a fuzzed server may take in all, with every resource, stream and answer that the fuzzers keep.
MEMORY_MEGABYTES = 700
ANSWER_SECONDS = 5


class Failure(Exception):
    """What must not be; ends the run."""


class Target:
    """The program, how often it was started, and what went wrong. A thread may hold it up while it asks."""

    def __init__(self, binary, *flags, patience=1.0, **options):
        self.program = Program(binary, *flags, **options)
        self.patience = patience
        self.generation, self.down = 0, False
        self.condition = threading.Condition()
        self.inside, self.closed, self.over = 0, False, False
        self.failures, self.counts = [], collections.Counter()
        self.recent = collections.deque(maxlen=60)
        self.memory = 0.0
        if self.program.port is None:
            raise Failure(f"does not start: {self.program.last_words}")

    def fail(self, what):
        """The first ones are told; after any the run ends."""
        if len(self.failures) < 10:
            self.failures.append(what)
        self.over = True

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
        return self.down or generation != self.generation

    def restart(self):
        """kill -9, and started again on its folder."""
        if not self.program.alive:
            self.fail(f"it ended by itself: {self.program.last_words}")
            return
        self.down = True
        self.memory = max(self.memory, self.program.rss)
        if not self.program.restart():
            self.fail(f"it does not start again: {self.program.last_words}")
            return
        self.generation += 1
        self.down = False
        self.counts["restarts"] += 1

    def look(self):
        """What holds at any time."""
        if not self.program.alive:
            self.fail(f"it ended: {self.program.last_words}")
            return
        generation, seconds = self.generation, ANSWER_SECONDS * self.patience
        answer = self.program.ask("GET", "/healthz", timeout=seconds)
        if answer.status != 200 and not self.expected(generation):
            self.fail(f"healthz is answered {answer.status} after {answer.seconds:.1f} s: {answer.body[:200]}")
        self.memory = max(self.memory, self.program.rss)
        if self.program.rss > MEMORY_MEGABYTES:
            self.fail(f"it takes {self.program.rss:.0f} MB, more than {MEMORY_MEGABYTES}")


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


class Ledger(threading.Thread):
    """Counts up by ones, each with a key of its own and retried until it is answered: the sum must be exact."""

    def __init__(self, target):
        super().__init__(daemon=True)
        self.target, self.count = target, 0

    def run(self):
        while not self.target.over:
            key = {"Idempotency-Key": f"ledger-{self.count}"}
            while not self.target.over:
                with self.target.holding():
                    answer = self.target.program.ask("POST", "/v1/tickers/ledger", {"by": 1, "duration": 0}, key, 5)
                if answer.status == 202:
                    self.count += 1
                    self.target.counts["counted"] += 1
                    break
                time.sleep(0.1)
            time.sleep(0.02)

    def verify(self):
        """With nothing under way: what was acknowledged is there, once."""
        came = (self.target.program.ask("GET", "/v1/tickers/ledger").json or {}).get("target", 0)
        # One more may have been made whose answer was lost; its retry won't count.
        if not self.count <= came <= self.count + 1:
            self.target.fail(f"{self.count} additions were acknowledged, and the sum is {came}")
