"""Structured fuzz: requests of every kind, plausible and extreme, with readers of every kind of stream beside them.

    structured.py [--binary PATH] [--seed N] [--requests N] [--restart N] [--patience N]

Nothing may end the process; each answer comes in time and is one that the contract knows; every so often, and at the
end, the server is killed and started again, and what was there is there. The seed is printed, and gives the same
requests again.
"""

import argparse
import sys
import time

import snapshot
from demands import Requests
from program import Connection, Program, raise_descriptor_limit
import tested
from replay import add_seed, replay
from scenario import until
from target import ANSWER_SECONDS, LOOK_SECONDS, Attacker, Failure, Ledger, Target
from watchers import Watchers, strict

WORKERS = 3
# A server that a request ends has ended this long after the answer.
END_SECONDS = 0.5
# Said by RFC 9110 to mean that it may work later: with Retry-After.
LATER = {503, 507}


def fault(request, answer) -> str | None:
    """What is wrong with an answer."""
    status = answer.status
    if status >= 500 and not (status in LATER and "retry-after" in answer.headers):
        return f"answered {status}: {answer.body[:300]}"
    kind = answer.headers.get("content-type", "")
    if status >= 400 and request.method != "HEAD":
        if kind != "application/problem+json":
            return f"{status} as {kind or 'nothing'}: {answer.body[:200]}"
        problem = strict(answer.body)
        if problem.get("status") != status or not problem.get("detail"):
            return f"{status} without saying why: {answer.body[:200]}"
    if kind == "application/json" and request.method != "HEAD":
        strict(answer.body)
    if kind == "application/x-ndjson":
        for line in answer.body.splitlines():
            strict(line)
    return None


class Worker(Attacker):
    """A client that sends one request after the other on one connection."""

    def __init__(self, target, seed):
        super().__init__(daemon=True)
        self.target, self.requests = target, Requests(seed)
        self.connection, self.generation = None, None

    def attack(self):
        while not self.target.over:
            with self.target.holding() as generation:
                self.step(generation)
            if self.target.down:
                time.sleep(0.02)

    def step(self, generation):
        target = self.target
        if self.generation != generation or self.connection is None:
            self.connection = Connection(target.program.port, ANSWER_SECONDS * target.patience)
            self.generation = generation
        request = self.requests.request()
        target.recent.append(request)
        answer = self.connection.ask(*request[:4])
        target.counts["requests"] += 1
        target.counts[answer.status] += 1
        if answer.status == 0:
            if not target.expected(generation):
                reason = answer.body.decode()
                target.fail(f"no answer after {answer.seconds:.1f} s ({reason}): {request.curl()}")
            return
        try:
            wrong = fault(request, answer)
        except ValueError as error:
            wrong = f"no JSON ({error}): {answer.body[:200]}"
        if wrong:
            target.fail(f"{wrong}\n    {request.curl()}")


class StructuredFuzz:
    """Workers, watchers and a ledger on one target."""

    def __init__(self, target, seed):
        self.target = target
        self.ledger = Ledger(target)
        self.threads = [Worker(target, seed * 100 + number) for number in range(WORKERS)]
        self.threads += [Watchers(target, seed), self.ledger]
        for thread in self.threads:
            thread.start()

    def restart_quietly(self):
        """Between two requests: what was acknowledged is compared with what is there afterwards."""
        target, program = self.target, self.target.program
        target.quiet()
        try:
            # What falls due between the two looks would be a difference that is none.
            program.ask("POST", "/v1/schedules/pause", timeout=10 * target.patience)
            event = snapshot.last_event(program)
            before = snapshot.take(program)
            target.restart()
            if target.over:
                return
            after = snapshot.take(program)
            wrong = snapshot.compare(before, after, lambda: snapshot.removed_since(program, event))
            target.counts["compared"] += len(before)
            for difference in wrong[:3]:
                target.fail(f"after a restart {difference}")
            self.ledger.verify()
            program.ask("POST", "/v1/schedules/resume", timeout=10 * target.patience)
        except (OSError, ValueError) as error:
            target.fail(f"around a restart: {error}")
        finally:
            target.resume()

    def finish(self):
        self.target.over = True
        self.target.resume()
        for thread in self.threads:
            thread.join(10)


def culprit(binary, recent):
    """The one request that ends a fresh server, if one does."""
    for request in reversed(recent):
        program = Program(binary, ephemeral=True)
        try:
            program.ask(request.method, request.path, request.body, request.headers, timeout=2)
            if until(lambda: not program.alive, END_SECONDS):
                return request
        finally:
            program.close()
    return None


def report(target, binary):
    for failure in target.failures if not target.endures else ():
        print(f"✘ {failure}")
    if target.failures:
        recent = [*target.recent_streams, *target.recent]
        print("the last streams and requests, the newest last:")
        for request in [*list(target.recent_streams)[-6:], *list(target.recent)[-12:]]:
            print(f"    {request.curl()}")
        if not target.program.alive and (alone := culprit(binary, recent)):
            print(f"this one alone does it:\n    {alone.curl(100_000)}")
    print(target.summary(), flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=tested.PROGRAM, type=tested.program)
    add_seed(parser)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--restart", type=int, default=5_000, help="requests between two restarts")
    parser.add_argument("--patience", type=float, default=1.0, help="times longer may anything take: debug builds")
    return parser.parse_args()


FLAGS = [
    "--webhook-secret", "whsec_" + "A" * 40, "--webhook-host", "127.0.0.1:9,127.0.0.1:10", "--webhook-network",
    "127.0.0.0/8", "--webhook-attempts", "2",
]  # fmt: skip


def main():
    options = arguments()
    print(f"structured fuzz of {options.requests} requests, --seed {options.seed}", flush=True)
    raise_descriptor_limit()
    try:
        target = Target(options.binary, *FLAGS, patience=options.patience)
    except Failure as failure:
        sys.exit(str(failure))
    fuzz = StructuredFuzz(target, options.seed)
    restart = options.restart
    while target.counts["requests"] < options.requests and not target.over:
        time.sleep(LOOK_SECONDS)
        target.look()
        if target.counts["requests"] >= restart and not target.over:
            fuzz.restart_quietly()
            restart += options.restart
    if not target.over:
        fuzz.restart_quietly()
    fuzz.finish()
    report(target, options.binary)
    target.program.close()
    if target.failures:
        print(replay(options.seed))
    return 1 if target.failures else 0


if __name__ == "__main__":
    sys.exit(main())
