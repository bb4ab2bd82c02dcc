"""Power cuts: random sessions with a recorded disk, and starts with what each of many cuts would have left.

cuts.py [--seed N] [--cuts 500] [--planted log|database|copies|folders]
cuts.py --recording FOLDER --cut NUMBER

A session that fails is kept, and the second form repeats one of its cuts. `--planted` loses syncs: the suite must fail.
"""

import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import random
import signal
import sys
import tempfile
import traceback
import typing

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "Stateful"), str(TESTS / "PowerCuts")]
from changes import STEPS, define  # noqa: E402
from cutting import PLANTS, Cut, Expectations, Workshop, cuts, images  # noqa: E402
from disk import Image  # noqa: E402
from recorded import DATA, Recording, RecordedSession  # noqa: E402
from recovery import recover  # noqa: E402
from replay import ROOT, add_seed, replay  # noqa: E402
from server import adopt_orphans  # noqa: E402
from tape import Tape  # noqa: E402
from tested import program  # noqa: E402

KEPT_RECORDINGS = ROOT / ".build/cuts"
# Of one session. More sessions are better than more cuts of one, and cost more.
LEAST_CUTS, MOST_CUTS, LEAST_SESSIONS = 25, 500, 4
STEPS_OF_ROUND = 15
# Bytes of a long definition. One session in so many has those that make the log long enough to be moved beside commits.
SMALL, LARGE, LARGE_EVERY, FILLING = 700, 60_000, 4, 150
# Starts of a server for each session; all other cuts are looked at by `check`.
STARTS = 6
# Cuts within which a planted fault is found.
PLANTED_CUTS = 60
LAST_STEPS, SHOWN = 12, 5
SHARED_MEMORY = "/dev/shm"


class Task(typing.NamedTuple):
    """A session to record, and what to do with it."""

    seed: int
    # Numbers of its cuts.
    numbers: range
    has_large: bool
    plant: str | None


class Result(typing.NamedTuple):
    counts: collections.Counter
    # By number of a cut, what is wrong; None for the session itself.
    wrong: list[tuple[int | None, list[str]]]
    # Planted faults that were found.
    found: set[str]


def record(task: Task) -> Recording:
    """Plays a session to its end."""
    adopt_orphans()
    log = collections.deque(maxlen=LAST_STEPS)
    session = RecordedSession(task.seed, lambda line: log.append(line[:200]), LARGE if task.has_large else SMALL)
    try:
        befalls = 2 * [session.die_soon, session.restart] + [session.add_strangers, session.back_up]
        session.random.shuffle(befalls)
        for befall in befalls:
            for step in session.random.choices(list(STEPS), list(STEPS.values()), k=STEPS_OF_ROUND):
                step(session)
            befall()
        for _ in range(FILLING if task.has_large else 0):
            define(session)
        session.server.terminate()
        return session.recording()
    except Exception as error:
        raise AssertionError("\n".join([*log, traceback.format_exc()])) from error
    finally:
        session.close()


def play(task: Task) -> Result:
    """Records a session, and looks at its cuts. What fails is kept."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    use_shared_memory()
    try:
        recording = record(task)
    except AssertionError as error:
        return Result(collections.Counter(), [(None, [str(error)])], set())
    result = look(task, recording)
    if result.wrong:
        folder = KEPT_RECORDINGS / str(task.seed)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "recording").write_bytes(pickle.dumps((task, recording)))
    return result


def look(task: Task, recording: Recording) -> Result:
    tape, shop = Tape(recording.tape), Workshop()
    wrong, found = [], set()
    try:
        expected = Expectations(recording, tape, shop)
        chosen = cuts(tape, task.seed, task.numbers)
        tried = cuts(tape, task.seed, range(PLANTED_CUTS))
        expected.prepare(chosen + tried)
        started = {cut.number for cut in random.Random(task.seed).sample(chosen, min(STARTS, len(chosen)))}
        for cut, image in images(tape, task.seed, chosen, task.plant):
            shop.counts["cuts"] += 1
            if faults := expected.check(cut, image) or start(expected, cut, image, cut.number in started):
                wrong.append((cut.number, [f"{cut} of {len(tape.operations)}", *faults]))
        if not task.plant and not wrong and len(chosen) > 1:
            found = {plant for plant in PLANTS if is_found(plant, tape, task, tried, expected)}
            wrong = check_starts(expected, chosen, task)
        assert shop.counts["cuts"] == len(chosen), f"{shop.counts['cuts']} of {len(chosen)} cuts"
        return Result(shop.counts, wrong, found)
    finally:
        shop.close()


def is_found(plant: str, tape: Tape, task: Task, tried: list[Cut], expected: Expectations) -> bool:
    """Whether one of some cuts shows a planted fault by what is wrong then."""
    planted = images(tape, task.seed, tried, plant)
    return any(PLANTS[plant].words in wrong for cut, image in planted for wrong in expected.check(cut, image))


def check_starts(expected: Expectations, chosen: list[Cut], task: Task) -> list[tuple[int | None, list[str]]]:
    """A server that starts with what an early cut left can't be taken for one with what the last left."""
    _, early = next(images(expected.tape, task.seed, chosen[len(chosen) // 2 :], None))
    return (
        []
        if recover(expected, chosen[-1], early)
        else [(None, ["the checks are blind: a server that starts with an old store passes"])]
    )


def start(expected: Expectations, cut: Cut, image: Image, is_chosen: bool) -> list[str]:
    """A server's start, for some cuts and for each kind of store that is none yet."""
    digest = Image.digest(image.store(DATA))
    if not is_chosen and (expected.verdict(image).contents or digest in expected.begun):
        return []
    expected.begun.add(digest)
    expected.shop.counts["starts"] += 1
    return recover(expected, cut, image)


def use_shared_memory():
    """Where the machine has memory for files, nothing of a session needs its disk."""
    if os.access(SHARED_MEMORY, os.W_OK):
        tempfile.tempdir = SHARED_MEMORY


def tasks(seed: int, count: int, plant: str | None) -> list[Task]:
    seeds = random.Random(seed)
    sessions = max(LEAST_SESSIONS, -(-count // MOST_CUTS))
    share, rest = divmod(max(count, sessions * LEAST_CUTS), sessions)
    return [
        Task(seeds.randrange(1 << 31), range(share + (number < rest)), number % LARGE_EVERY == LARGE_EVERY - 1, plant)
        for number in range(sessions)
    ]


def repeat(folder: pathlib.Path, number: int) -> int:
    """One cut of a session that was kept."""
    use_shared_memory()
    task, recording = pickle.loads((folder / "recording").read_bytes())
    result = look(task._replace(numbers=range(number, number + 1)), recording)
    report(task, result)
    print(f"{1 - len(result.wrong)} passed, {len(result.wrong)} failed")
    return 1 if result.wrong else 0


def report(task: Task, result: Result):
    for number, wrong in result.wrong[:SHOWN]:
        print(f"cut {number} of session {task.seed} failed:", *wrong[:SHOWN], sep="\n  ")
        if number is not None:
            folder = (KEPT_RECORDINGS / str(task.seed)).relative_to(ROOT)
            print(f"  again: .venv/bin/python3 Tests/PowerCuts/cuts.py --recording {folder} --cut {number}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_seed(parser)
    parser.add_argument("--cuts", type=int, default=500)
    parser.add_argument("--planted", choices=PLANTS, help="syncs that do nothing")
    parser.add_argument("--recording", type=pathlib.Path, help="a session that was kept")
    parser.add_argument("--cut", type=int, help="the number of one of its cuts")
    options = parser.parse_args()
    if options.recording:
        return repeat(options.recording, options.cut)
    return run(tasks(options.seed, options.cuts, options.planted), options)


def run(work: list[Task], options: argparse.Namespace) -> int:
    # Without it, each session would end half made.
    program()
    print(f"seed {options.seed}", flush=True)
    counts, found, passed, failed = collections.Counter(), set(), 0, 0
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        for task, result in zip(work, pool.map(play, work), strict=True):
            report(task, result)
            counts.update(result.counts)
            found |= result.found
            failed += len(result.wrong)
            passed += result.counts["cuts"] - sum(number is not None for number, _ in result.wrong)
    cut, stores, starts, resets = (counts[name] for name in ("cuts", "stores", "starts", "resets"))
    print(
        f"  {cut} cuts of {len(work)} sessions, {stores} stores that differ, {starts} starts, {resets} of them with a reset"
    )
    if not options.planted and not failed and found != set(PLANTS):
        print(f"the checks are blind: no cut shows a lost sync of {sorted(set(PLANTS) - found)}")
        failed += 1
    if failed:
        print(replay(options.seed))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
