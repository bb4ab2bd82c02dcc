"""Histories of real processes: 20 clients ask three replicas under faults, and every answer must be one that a single server
could have given, in one order; reads may be older, but not older than their reader knows. In the end a stale read is planted,
which must be found. histories.py [--operations N] [--seed N] [--only FAULT] [--record FILE]"""

import argparse
import sys
import time
import typing

import checker
import history
import shortest
from clients import Crowd
from history import Operation
from stage import REPLICAS, Stage, wait_until
from stale import Stale

sys.path.append(str(history.ROOT / "Tests"))
from replay import add_seed, replay  # noqa: E402
from tested import program  # noqa: E402

# So many answers a history has beside those that come during faults.
OPERATIONS = 3_000
# And so many in which a stale read is planted.
PLANTED = 300
# Seconds until load goes on, wherever it was kept up.
PATIENCE = 60


class Finding(typing.NamedTuple):
    """The shortest history that fails, and what is wrong with it."""

    words: str
    operations: list[Operation]

    def __str__(self):
        return f"{self.words}:\n{history.timeline(self.operations)}"


def check(operations: list[Operation], doubts=()) -> Finding | None:
    """What is wrong with a history; None if nothing is."""
    if pair := checker.unequal(operations):
        return Finding("two answers under one key that differ, or were both carried out", pair)
    parts = history.by_resource(history.entries(operations, doubts))
    for name, part in sorted(parts.items()):
        if not checker.Search(part).is_possible():
            found = shortest.shortest(part)
            these = f"{len(found)} of {len(part)} operations on {name}"
            return Finding(f"no order explains these {these}, whatever the others were answered", found)
    return None


def play(stage: Stage, operations: int, names: list[str]):
    """Has clients ask, with a fault after each share of the operations."""
    crowd, faults = stage.crowd, stage.faults()
    crowd.start()
    share = operations // (len(names) + 1)
    for name in names:
        go_on(crowd, share)
        known, began = crowd.answered, time.monotonic()
        faults[name]()
        took = time.monotonic() - began
        stage.wait_until_taken()
        waited = time.monotonic() - began - took
        print(
            f"{name}: {took:.1f} s, {waited:.1f} s until all took changes; {crowd.answered - known} answers", flush=True
        )
    go_on(crowd, share)
    crowd.end()


def go_on(crowd: Crowd, answers: int):
    """Until there are so many more."""
    most = crowd.answered + answers
    wait_until(lambda: crowd.errors or crowd.answered >= most, PATIENCE, "answers")


def read_all(stage: Stage):
    """Reads everything everywhere when all replicas are at one place: nobody's answer may be newer than that."""
    wait_until(lambda: stage.is_at_rest, what="replicas at one place")
    client = stage.crowd.clients[0]
    for replica in range(REPLICAS):
        for resource in sorted({one.resource for one in stage.crowd.operations}):
            assert client.ask(resource, history.READ, replica, is_final=True), f"replica {replica} doesn't answer"


def plant(stage: Stage) -> Finding:
    """Puts a proxy before one replica that answers reads from its memory, and finds the stale read."""
    proxy = Stale(stage.replicas[0].port)
    try:
        crowd = Crowd([proxy.port, *stage.crowd.ports[1:]], stage.crowd.seed, "planted")
        crowd.start()
        go_on(crowd, PLANTED)
        crowd.end()
    finally:
        proxy.shutdown()
        proxy.server_close()
    finding = check(crowd.operations)
    assert finding, "a planted stale read was not found"
    stale = max(finding.operations, key=lambda one: one.end)
    assert stale.is_read and stale.replica == 0, f"a stale read was planted, and found was something else: {finding}"
    return finding


def run(stage: Stage, arguments):
    names = [arguments.only] if arguments.only else sorted(stage.faults())
    play(stage, arguments.operations, stage.random.sample(names, len(names)))
    read_all(stage)
    operations = stage.crowd.operations
    if arguments.record:
        history.write(arguments.record, operations)
    began = time.monotonic()
    finding = check(operations, stage.doubts)
    seconds = time.monotonic() - began
    doubtful = sum(one.is_read and any(doubt.covers(one) for doubt in stage.doubts) for one in operations)
    print(
        f"{len(operations)} operations: {history.counts(operations)}; {stage.crowd.refused} refused besides", flush=True
    )
    assert not finding, str(finding)
    print(f"one order explains all but {doubtful} reads in a fail-over: found in {seconds:.1f} s", flush=True)
    print(f"planted and found: {plant(stage)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=OPERATIONS)
    parser.add_argument("--only", help="a fault")
    parser.add_argument("--record", help="a file for the history")
    add_seed(parser)
    arguments = parser.parse_args()
    print(f"histories, --seed {arguments.seed}", flush=True)
    # Before there is a store that would be left behind.
    program()
    stage = Stage(arguments.seed)
    try:
        run(stage, arguments)
    except BaseException:
        for number, replica in enumerate(stage.replicas):
            print(f"replica {number} on {replica.port}:\n{replica.said}", flush=True)
        print(replay(arguments.seed), flush=True)
        raise
    finally:
        stage.clean()
    return 0


if __name__ == "__main__":
    sys.exit(main())
