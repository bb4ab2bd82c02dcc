"""Random sessions with the whole API, against a model that shares no code with the server.

stateful.py [--seed N] [--sessions 4] [--rounds 5]
"""

import argparse
import collections
import concurrent.futures
import multiprocessing
import pathlib
import random
import signal
import sys
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from replay import add_seed, replay  # noqa: E402
from checks import check_board, check_story  # noqa: E402
from disturbances import DISTURBANCES  # noqa: E402
from server import FAKETIME, adopt_orphans  # noqa: E402
from session import Session  # noqa: E402
from steps import STEPS  # noqa: E402

STEPS_BEFORE, STEPS_AFTER = 12, 3
# Those of its steps that are printed where a session fails.
LAST_STEPS = 40


def run(session: Session, rounds: int):
    first = session.random.randrange(len(DISTURBANCES))
    for number in range(rounds):
        take_steps(session, STEPS_BEFORE)
        disturbance = DISTURBANCES[(first + number) % len(DISTURBANCES)]
        session.log(f"== {disturbance.__name__}")
        disturbance(session)
        take_steps(session, STEPS_AFTER)
        check_board(session)
        assert session.server.is_alive, f"it has ended: {session.server.last_words}"
        assert not session.journal.wrong, session.journal.wrong
    check_story(session)
    session.server.terminate()


def take_steps(session: Session, count: int):
    for step in session.random.choices(list(STEPS), list(STEPS.values()), k=count):
        step(session)


def play(seed: int, rounds: int) -> str:
    """What went wrong; empty where nothing did."""
    adopt_orphans()
    # Its servers end with it, those that a hand-over began as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    steps = collections.deque(maxlen=LAST_STEPS)
    session = None
    try:
        session = Session(seed, steps.append)
        run(session, rounds)
        return ""
    except Exception:
        return "\n".join([*steps, traceback.format_exc()])
    finally:
        if session:
            session.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_seed(parser)
    parser.add_argument("--sessions", type=int, default=4, help="at once, each with a server of its own")
    parser.add_argument("--rounds", type=int, default=5, help="restarts and clock steps of each session")
    options = parser.parse_args()
    if not FAKETIME:
        sys.exit("libfaketime is not here: apt-get install libfaketime")
    print(f"seed {options.seed}", flush=True)
    seeds = random.Random(options.seed)
    numbers = [seeds.randrange(1 << 31) for _ in range(options.sessions)]
    # Started afresh, so that each looks for free ports elsewhere.
    context = multiprocessing.get_context("spawn")
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(options.sessions, mp_context=context) as pool:
        for number, wrong in zip(numbers, pool.map(play, numbers, [options.rounds] * len(numbers)), strict=True):
            if wrong:
                failed += 1
                print(f"session {number} failed:\n{wrong}\n{replay(options.seed)}")
    print(f"{len(numbers) - failed} sessions passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
