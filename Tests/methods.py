"""Runs the tests of a file of unittest, or some of them, and writes what became of each method.

    methods.py [--json FILE] FILE [CLASS | CLASS.METHOD]…

FILE gets a list of {"name": "Class.test_name", "passed": true, "message": "…"}; of a skipped method, which counts as passed, the
message is `skipped: REASON`. A file without tests fails.
"""

import argparse
import json
import pathlib
import sys
import unittest


class Recorder(unittest.TextTestResult):
    """A result that keeps each method's first failure, or why it was skipped."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.messages: dict[str, str] = {}
        self.skips: dict[str, str] = {}

    def startTest(self, test):  # noqa: N802
        super().startTest(test)
        self.messages.setdefault(name_of(test), "")

    def addSkip(self, test, reason):  # noqa: N802
        super().addSkip(test, reason)
        self.skips[name_of(test)] = f"skipped: {' '.join(reason.split())}"

    def addFailure(self, test, err):  # noqa: N802
        super().addFailure(test, err)
        self.note(test, err)

    def addError(self, test, err):  # noqa: N802
        super().addError(test, err)
        self.note(test, err)

    def addUnexpectedSuccess(self, test):  # noqa: N802
        super().addUnexpectedSuccess(test)
        self.messages[name_of(test)] = "passed, and a failure is expected"

    def addSubTest(self, test, subtest, err):  # noqa: N802
        super().addSubTest(test, subtest, err)
        if err:
            self.note(test, err)

    def note(self, test, err):
        name = name_of(test)
        text = f"{err[0].__name__}: {err[1]}".strip().splitlines()[0]
        self.messages[name] = self.messages.get(name) or text[:300]

    def results(self) -> list[dict]:
        return [
            {"name": name, "passed": not message, "message": message or self.skips.get(name, "")}
            for name, message in {**dict.fromkeys(self.skips, ""), **self.messages}.items()
        ]


def name_of(test) -> str:
    """`Class.method`; the class alone if its preparation failed, which has no method."""
    # A part of a method belongs to the method.
    test = getattr(test, "test_case", test)
    if isinstance(test, unittest.TestCase):
        return f"{type(test).__name__}.{test._testMethodName}"
    # An error of setUpClass or setUpModule: `setUpClass (module.Class)`.
    return test.id().partition("(")[2].rstrip(")").rpartition(".")[2] or test.id()


def run(module: str, names: list[str], stream=sys.stdout) -> list[dict]:
    """Runs tests of a module that can be imported."""
    wanted = [f"{module}.{name}" for name in names] or [module]
    suite = unittest.defaultTestLoader.loadTestsFromNames(wanted)
    runner = unittest.TextTestRunner(stream=stream, verbosity=2, resultclass=Recorder)
    return runner.run(suite).results()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    # As if the file had been started itself.
    sys.path[0] = str(options.file.resolve().parent)
    # The name of a module is what a failed setUpModule has.
    results = run(options.file.stem, [name for name in options.names if name != options.file.stem])
    if options.json:
        options.json.write_text(json.dumps(results))
    if not results:
        print("no test was found")
    return 0 if results and all(one["passed"] for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
