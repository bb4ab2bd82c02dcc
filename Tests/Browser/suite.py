"""Runs every test_*.py beside it, two at a time; names given as arguments choose modules, as in `./run test_board`."""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).parent
# Modules at a time: most of a test is waiting for a motion's end.
WORKERS = 2


def run(names: list[str]) -> tuple[int, int]:
    """Runs modules, or tests in them, in this process; how many passed and failed."""
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    # A test with several failed subtests has failed once.
    failed = len({test.id().split(" ")[0] for test, _ in result.failures + result.errors})
    return result.testsRun - failed - len(result.skipped), failed


def run_apart(name: str) -> tuple[int, int]:
    """Runs a module in a process of its own, and shows what it said when it has ended."""
    child = subprocess.run([sys.executable, __file__, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(child.stdout, end="", flush=True)
    counts = re.findall(r"^(\d+) passed, (\d+) failed$", child.stdout, re.MULTILINE)
    # One that didn't come to its end has failed, whatever it said before.
    return (int(counts[-1][0]), int(counts[-1][1])) if counts else (0, 1)


def main() -> int:
    sys.path.insert(0, str(HERE))
    names = sys.argv[1:]
    if len(names) == 1:
        passed, failed = run(names)
    else:
        # The longest begin first.
        modules = names or [path.stem for path in sorted(HERE.glob("test_*.py"), key=lambda path: -path.stat().st_size)]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            results = list(pool.map(run_apart, modules))
        passed, failed = sum(count for count, _ in results), sum(count for _, count in results)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
