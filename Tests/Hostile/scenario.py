"""What an attack is made of: the programs that it starts, the honest client beside it, and its verdict."""

import json
import random
import time
import traceback
import typing

from honest import Honest
from program import Program, folder_in_memory

SCENARIOS = {}
# A frame or an answer may take this long beside an attack: in tests, where others use the machine too; and by hand.
FREEZE_MILLISECONDS = {False: 250, True: 50}
STRICT_RATIO = 1.5
# Below this a p99 is the machine's noise, and a ratio of two of them says nothing.
NOISE_MILLISECONDS = 5
# A state that is waited for may take this long, on a machine that others use too.
STATE_SECONDS = 20
# So long nothing may change for what an unread socket holds, or a reader has read, to be all that comes: 30 ticks.
STILL_SECONDS = 0.5


class Scenario(typing.NamedTuple):
    name: str
    # What it would do if it worked: "ends", "freezes", "grows", "lies".
    harm: str
    slow: bool
    needs: str | None
    body: typing.Callable

    @property
    def says(self):
        return " ".join(self.body.__doc__.split())


def attack(harm, slow=False, needs=None):
    """Registers a function as a scenario by its name; `needs` is a file without which it can't run."""

    def register(body):
        SCENARIOS[body.__name__] = Scenario(body.__name__, harm, slow, needs, body)
        return body

    return register


class Run:
    """One scenario under way: its checks are its verdict, its figures are told whatever the verdict."""

    def __init__(self, scenario, binary, strict=False, patience=1.0, seed=0):
        self.scenario, self.binary, self.strict, self.patience = scenario, binary, strict, patience
        # The same for a scenario that runs alone as for one among others.
        self.chance = random.Random(f"{seed} {scenario.name}")
        self.failures, self.figures, self.owned = [], [], []

    def start(self, *flags, **options) -> Program:
        program = Program(self.binary, *flags, folder=folder_in_memory(), **options)
        self.owned.append(program)
        if program.port is None:
            raise RuntimeError(f"does not start: {program.last_words}")
        return program

    def keep(self, closeable):
        """Closes it when the scenario ends, however that is."""
        self.owned.append(closeable)
        return closeable

    def honest(self, program, quiet=1.0) -> Honest:
        return self.keep(Honest(program.port, quiet))

    def figure(self, text):
        self.figures.append(text)

    def check(self, holds, failure):
        if not holds:
            self.failures.append(failure)
        return holds

    def wait(self, program, condition, what, pause=0.05):
        """Waits for a state of which the attack is made, and fails where it doesn't come: then nothing was attacked. One
        that has ended comes to no state; `alive` tells of it."""

        def holds():
            try:
                return not program.alive or condition()
            except ConnectionError:
                return False

        seconds = STATE_SECONDS * self.patience
        return self.check(until(holds, seconds, pause), f"it doesn't come to it in {seconds:.0f} s: {what}")

    def pass_ticks(self, program, count=5):
        """Waits until as many ticks have passed, which only what moves and is watched makes: what comes with them has come."""
        first = program.metric("ticks_total")
        self.wait(program, lambda: program.metric("ticks_total") >= first + count, f"{count} ticks")

    def alive(self, program):
        """It runs and answers."""
        if not self.check(program.alive, f"ends: {program.last_words}"):
            return False
        health = program.ask("GET", "/healthz", timeout=10 * self.patience)
        return self.check(health.status == 200, f"alive, but healthz says {health.status} {health.body[:80]}")

    def unfrozen(self, honest, label="", lasting=False):
        """The honest client waited no longer than it may; beside what lasts, hardly longer than on a quiet server."""
        fired = honest.finish()
        self.figure(f"{label}honest: {fired} (quiet: {honest.quiet})")
        # What the machine does to an idle server isn't the attack's.
        bound = FREEZE_MILLISECONDS[self.strict] * self.patience + honest.quiet.freeze
        self.check(fired.freeze <= bound, f"{label}freezes for {fired.freeze:.0f} ms")
        if self.strict and lasting:
            for name in ("post_p99", "gap_p99"):
                was, now = getattr(honest.quiet, name), getattr(fired, name)
                limit = max(was * STRICT_RATIO, was + NOISE_MILLISECONDS)
                self.check(now <= limit, f"{label}{name} {now:.1f} ms, quiet {was:.1f} ms")
        return fired

    def grown(self, program, before, bound, label=""):
        """It takes at most `bound` MB more than `before`."""
        growth = program.rss - before
        self.figure(f"{label}grew by {growth:.0f} MB")
        self.check(growth <= bound, f"{label}grows by {growth:.0f} MB, more than {bound}")

    def execute(self) -> dict:
        start = time.monotonic()
        try:
            self.scenario.body(self)
        except Exception as error:
            self.failures.append(f"stopped by {error!r}"[:300])
            self.figure(traceback.format_exc(limit=-2))
        finally:
            for thing in reversed(self.owned):
                thing.close()
        return {
            "name": self.scenario.name, "harm": self.scenario.harm, "holds": not self.failures,
            "failures": self.failures, "figures": self.figures, "seconds": round(time.monotonic() - start, 1),
        }  # fmt: skip


def until(condition, seconds=10.0, pause=0.02):
    """Waits for something that can be observed; what it was at last."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(pause)
    return value


def settle(value, still=STILL_SECONDS, seconds=STATE_SECONDS):
    """Waits until a number stays what it is: nobody tells that no more will come. What it was at last."""
    last, end = value(), time.monotonic() + seconds
    since = time.monotonic()
    while (now := time.monotonic()) < min(since + still, end):
        time.sleep(min(0.05, max(0, since + still - now)))
        if (current := value()) != last:
            last, since = current, time.monotonic()
    return last


def lines(items) -> str:
    """An NDJSON body; text is taken as it is."""
    return "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)


def fill(program, count, prefix="t", **fields):
    """Makes tickers at rest by batches."""
    for first in range(0, count, 5000):
        batch = [
            {"ticker": f"{prefix}{number}", "to": number % 1000, "duration": 0} | fields
            for number in range(first, min(count, first + 5000))
        ]
        answer = program.ask("POST", "/v1/batch", lines(batch), timeout=120)
        refused = [line for line in answer.body.splitlines() if b'"status":20' not in line]
        if answer.status != 200 or refused:
            raise RuntimeError(f"batch: {answer.status} {refused[:1] or answer.body[:100]}")
