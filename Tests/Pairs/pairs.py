"""Each two of what an update, its readers, the page and time can do meet at least once, streamed and drawn, against a
model that shares no code with the server.

pairs.py [--seed N] [--only K …]
"""

import argparse
import math
import pathlib
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "Browser")]
from replay import add_seed, replay  # noqa: E402
from checks import wrong_with  # noqa: E402
from covering import cover  # noqa: E402
from factors import FACTORS, Scenario, is_possible  # noqa: E402
from page import Page  # noqa: E402
from play import Wave  # noqa: E402
from played import Played  # noqa: E402

# Scenarios at once: a page draws so many at a rate at which numbers are seen to move.
MOST_AT_ONCE = 80


def waves_of(scenarios: list[Scenario]) -> list[list[Scenario]]:
    """Those that a restart befalls by themselves, since it befalls all of a server; those that take long likewise."""
    groups: dict[str, list[Scenario]] = {}
    for one in scenarios:
        kind = "restart" if one.row["event"] == "restart" else "late" if one.is_late else ""
        groups.setdefault(kind, []).append(one)
    return [wave for some in groups.values() for wave in _parts(some)]


def _parts(some: list[Scenario]) -> list[list[Scenario]]:
    """As few as may be, of about one size."""
    count = math.ceil(len(some) / MOST_AT_ONCE)
    return [some[part::count] for part in range(count)]


def report(played: Played, seed: int) -> bool:
    """Whether it failed; then it says what is wrong, and how it comes again."""
    one, wrong = played.scenario, wrong_with(played)
    if wrong:
        print(f"{one.number}: {one.story}", *wrong, replay(seed, ["--only", one.number]), sep="\n    ", flush=True)
    return bool(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_seed(parser)
    parser.add_argument("--only", type=int, nargs="+", metavar="K", help="these scenarios alone")
    options = parser.parse_args()
    rows = cover(FACTORS, is_possible, options.seed)
    scenarios = [Scenario(number, row, options.seed) for number, row in enumerate(rows)]
    if options.only:
        scenarios = [scenarios[number] for number in options.only]
    print(f"seed {options.seed}: {len(scenarios)} of {len(rows)} scenarios", flush=True)
    page, failed, began = Page(), 0, time.monotonic()
    try:
        for some in waves_of(scenarios):
            wave = Wave(some, page)
            wave.play()
            print(f"wave of {len(some)}: {time.monotonic() - began:.1f} s", flush=True)
            failed += sum(report(played, options.seed) for played in wave.all)
    finally:
        page.close()
    print(f"{len(scenarios) - failed} scenarios passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
