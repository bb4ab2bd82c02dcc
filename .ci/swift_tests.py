"""Runs the built Swift tests in several processes, because most tests of a server wait, and a process has only as many test threads
as the machine has cores.

    swift_tests.py [--slow | --random] [--only REGEX] [--skip REGEX]

Runs all tests that aren't tagged slow; with --slow or --random those with that tag. TWEENCAST_SEED gives the random ones another
seed than their fixed ones.
--only and --skip choose by names such as `MachineTests.DeterminismTests/two processes`.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

import inventory

ROOT = inventory.ROOT
BUNDLE = ROOT / ".build/debug/tweencastPackageTests.xctest"
COMMAND = [str(BUNDLE), "--testing-library", "swift-testing"]
PROCESSES = 5
FAILED_TEST = re.compile(r"✘ Test (?!run |case ).* failed after")
WHAT_FAILED = re.compile("✘|recorded an issue|error:|Fatal error|signal code")
MOST_LINES = 40
STARTED, ENDED = re.compile(r'◇ Test (".+") started\.$', re.MULTILINE), re.compile(r'[✔✘] Test (".+?")(?: with .*)? (?:passed|failed) after')
# Seconds without a line after which a process is stuck.
SILENCE = 300


def chosen(options: argparse.Namespace) -> list[inventory.SwiftTest]:
    tests = inventory.swift_tests()
    if different := built() ^ {test.identity for test in tests}:
        sys.exit(f"{BUNDLE} is of other sources (make test-build): {sorted(different)[:5]}")
    return [
        test
        for test in tests
        if ("slow" in test.tags) == options.slow
        and ("random" in test.tags or not options.random)
        and re.search(options.only, test.identity)
        and not (options.skip and re.search(options.skip, test.identity))
    ]


def built() -> set[str]:
    """The tests in the bundle."""
    if not BUNDLE.exists():
        sys.exit(f"there is no {BUNDLE}: make test-build")
    listed = subprocess.run([*COMMAND, "--list-tests"], capture_output=True, text=True, check=True).stdout
    return {re.sub(r"/(?:`([^`]*)`|([^`(]*))\(.*$", r"/\1\2", line) for line in listed.splitlines()}


def start(number: int, tests: list[inventory.SwiftTest], environment: dict[str, str]) -> tuple[subprocess.Popen, pathlib.Path]:
    log = ROOT / f".build/parts/swift-tests-{number}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    filters = [word for test in tests for word in ("--filter", test.pattern)]
    with log.open("w") as output:
        child = subprocess.Popen([*COMMAND, *filters], cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
    return child, log


def ended(child: subprocess.Popen, log: pathlib.Path) -> int:
    """The exit code; names the tests of a process that is stuck, and ends it."""
    while True:
        try:
            return child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            if time.time() - log.stat().st_mtime < SILENCE:
                continue
        text = log.read_text(errors="replace")
        print(f"{log.relative_to(ROOT)} is silent; not ended:", *sorted({*STARTED.findall(text)} - {*ENDED.findall(text)}), sep="\n")
        child.kill()


def run(tests: list[inventory.SwiftTest], environment: dict[str, str]) -> tuple[int, int]:
    """How many passed and failed; prints the failures."""
    # Whole suites, because a suite's order of tests applies only within one process; in turn, so that each process gets some of
    # every target.
    suites = sorted({(test.target, test.suite) for test in tests})
    shares = [suites[number::PROCESSES] for number in range(min(PROCESSES, len(suites)))]
    running = [
        start(number, [test for test in tests if (test.target, test.suite) in share], environment)
        for number, share in enumerate(shares)
    ]
    ran, failed = 0, 0
    for child, log in running:
        code = ended(child, log)
        text = log.read_text(errors="replace")
        end = re.search(r"Test run with (\d+) tests? in ", text)
        ran += int(end[1]) if end else 0
        if code == 0 and end:
            continue
        wrong = [line[:600] for line in text.splitlines() if WHAT_FAILED.search(line)]
        failed += max(1, len({line.split(" failed after")[0] for line in wrong if FAILED_TEST.match(line)}))
        print(f"\n{log.relative_to(ROOT)} ended with {code}:", *wrong[-MOST_LINES:], sep="\n")
        for seed in sorted({seed for line in wrong for seed in re.findall(r"seed → (\d+)", line)}):
            print(f"replay: TWEENCAST_SEED={seed} make unit ONLY='a name from above'")
    if ran < len(tests) and not failed:
        print(f"{len(tests)} tests were chosen, and {ran} came to an end")
        failed = len(tests) - ran
    return max(0, ran - failed), failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--slow", action="store_true")
    which.add_argument("--random", action="store_true")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--skip", metavar="REGEX")
    options = parser.parse_args()
    tests = chosen(options)
    if not tests:
        sys.exit("no test is called so")
    environment = {"TWEENCAST": str(ROOT / ".build/release/tweencast"), **os.environ}
    if not pathlib.Path(environment["TWEENCAST"]).exists():
        sys.exit(f"there is no {environment['TWEENCAST']}: make program")
    passed, failed = run(tests, environment)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
