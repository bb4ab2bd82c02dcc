"""Runs every test_*.py beside it, two classes at a time. Names given as arguments choose modules, classes or methods, as in
`./run test_board test_cards.CardTest.test_milestones_colour_a_card`."""

import argparse
import collections
import concurrent.futures
import inspect
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest

HERE = pathlib.Path(__file__).parent
# Processes with a browser each: most of a test is waiting for a motion's end.
WORKERS = 2
# These begin first, because their tests take long; of the others those with the longest text.
FIRST = ("test_guidelines.GuidelineTest", "test_jumps.JumpTest", "test_standing.StandingTest", "test_signin.SignInTest")


def tests(suite: unittest.TestSuite):
    """The tests of a suite, of those in it too."""
    for test in suite:
        yield from tests(test) if isinstance(test, unittest.TestSuite) else [test]


class Results(unittest.TestResult):
    """Reports each test as it ends. What fails outside of a test, when a class is set up or cleaned, is reported as `place`."""

    def __init__(self, place: str, report):
        super().__init__()
        self.place, self.report = place, report
        self.is_running = False

    def startTest(self, test):
        super().startTest(test)
        self.is_running, self.began, self.faults, self.reason = True, time.monotonic(), [], ""

    def stopTest(self, test):
        super().stopTest(test)
        self.is_running = False
        seconds = time.monotonic() - self.began
        self._send(test.id(), not self.faults, "\n".join(self.faults) or self.reason, seconds)

    def addError(self, test, err):
        super().addError(test, err)
        if self.is_running:
            self.faults.append(self.errors[-1][1])
        else:
            self._send(self.place, False, f"{test}\n{self.errors[-1][1]}", 0)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.faults.append(self.failures[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.faults.append(f"{subtest}\n{self._exc_info_to_string(err, test)}")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.reason = f"skipped: {reason}"

    def _send(self, name: str, passed: bool, message: str, seconds: float):
        self.report({"name": name, "passed": passed, "message": message, "seconds": round(seconds, 2)})


def work():
    """Runs tests in this process: those of a class for each line of standard input; writes a line for each test, and an empty one."""
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    # What tests print doesn't belong there.
    os.dup2(2, 1)
    for line in sys.stdin:
        place, names = json.loads(line)
        suite = unittest.defaultTestLoader.loadTestsFromNames(names)
        suite.run(Results(place, lambda result: print(json.dumps(result), file=channel)))
        print(file=channel)


class Worker:
    """A process that runs the tests of one class after another."""

    def __init__(self):
        self.process: subprocess.Popen | None = None

    def run(self, place: str, names: list[str]):
        """Gives the result of each test when it has ended."""
        if not self.process:
            command = [sys.executable, __file__, "--worker"]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        print(json.dumps([place, names]), file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            if line == "\n":
                return
            yield json.loads(line)
        # One that didn't come to its end has failed, whatever it said before.
        yield {"name": place, "passed": False, "message": f"its process ended with {self.close()}", "seconds": 0}

    def close(self) -> int:
        if not self.process:
            return 0
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        code = self.process.wait()
        self.process = None
        return code


def classes(names: list[str]) -> tuple[list[tuple[str, list[str]]], list[dict]]:
    """The classes of these modules, classes and methods with their tests, the longest first; what can't be loaded, as results."""
    found, faults = collections.defaultdict(list), []
    length = {}
    loader = unittest.TestLoader()
    for test in tests(loader.loadTestsFromNames(names)):
        if isinstance(test, unittest.loader._FailedTest):
            name = test.id().removeprefix("unittest.loader._FailedTest.")
            faults.append({"name": name, "passed": False, "message": str(test._exception), "seconds": 0})
        else:
            place = f"{type(test).__module__}.{type(test).__qualname__}"
            found[place].append(test.id())
            length[place] = len(inspect.getsource(type(test)))
    return sorted(found.items(), key=lambda item: (item[0] not in FIRST, -length[item[0]])), faults


def run(names: list[str]) -> list[dict]:
    """Runs tests, prints each as it ends, and gives their results."""
    waiting, results = classes(names)
    for result in results:
        show(result)
    lock = threading.Lock()
    queue = iter(waiting)

    def serve():
        worker = Worker()
        while True:
            with lock:
                if not (item := next(queue, None)):
                    break
            for result in worker.run(*item):
                with lock:
                    results.append(result)
                    show(result)
        worker.close()

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for future in [pool.submit(serve) for _ in itertools.islice(waiting, WORKERS)]:
            future.result()
    return results


def show(result: dict):
    print(f"{'ok' if result['passed'] else 'FAILED':6} {result['seconds']:6.2f} s  {result['name']}", flush=True)
    if result["message"]:
        print(result["message"].rstrip(), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="modules, classes or methods; all if none is given")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="where to write the results: name, passed, message")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(HERE))
    if options.worker:
        work()
        return 0
    results = run(options.names or [path.stem for path in sorted(HERE.glob("test_*.py"))])
    if options.json:
        listed = [{name: result[name] for name in ("name", "passed", "message")} for result in results]
        options.json.write_text(json.dumps(listed, indent=1) + "\n")
    failed = [result["name"] for result in results if not result["passed"]]
    passed = sum(result["passed"] and not result["message"] for result in results)
    print(*(f"failed: {name}" for name in failed), sep="\n", end="\n" if failed else "")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
