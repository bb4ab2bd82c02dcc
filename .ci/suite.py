"""Runs commands of a suite one after another, or some at once: files of unittest, a folder's suite.py that runs many of them, and
scripts with their arguments.

    suite.py [--jobs N] [--rerun] COMMAND…

With --rerun, what failed is run once more, alone, when all commands have ended: a method of a test file, or a whole script.
What passes then is flaky: the suite passes, and .build/parts/flaky.txt names it. What fails again, or is skipped then, has failed.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build/parts"
FLAKY = LOGS / "flaky.txt"
# Runs methods of a test file and writes what became of each.
METHODS = ROOT / "Tests/methods.py"
SHOWN_LINES = 80


class Result(typing.NamedTuple):
    """What became of a method or a script; `command` runs it again."""

    name: str
    command: str
    passed: bool
    message: str
    log: pathlib.Path

    @property
    def is_skipped(self) -> bool:
        return self.passed and self.message.startswith("skipped: ")


def runner(script: str, results: str) -> list[str]:
    """The command for a script; `results` is the file for its methods' results, if it has methods."""
    if pathlib.Path(script).name == "suite.py":
        return [script, "--json", results]
    return [str(METHODS), "--json", results, script] if pathlib.Path(script).name.startswith("test_") else [script]


def run(command: str, attempt: str = "") -> list[Result]:
    """Runs a command and returns its results; a script has one."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / (re.sub(r"\W+", "-", command.removeprefix("Tests/"))[:100].strip("-") + f"{attempt}.log")
    # A suite that hangs is ended without a word of its own.
    print(f"{command}{attempt}: begins, log {log.relative_to(ROOT)}", flush=True)
    began = time.monotonic()
    script, *words = shlex.split(command)
    with tempfile.NamedTemporaryFile(suffix=".json") as results, log.open("w") as output:
        code = subprocess.run(
            [sys.executable, *runner(script, results.name), *words],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
        ).returncode  # fmt: skip
        written = pathlib.Path(results.name).read_text()
    has_methods = runner(script, "") != [script]
    found = [
        Result(f"{script} {one['name']}", f"{script} {one['name']}", one["passed"], last_line(one["message"]), log)
        for one in json.loads(written or "[]")
    ]
    # A file that ended before its last test, or has none, counts as one failure.
    ended_early = has_methods and (not found or code != 0 and all(one.passed for one in found))
    if ended_early or not has_methods:
        found.append(Result(command, command, code == 0 and not ended_early, last_line(log.read_text(errors="replace")), log))
    failed, skipped = sum(not one.passed for one in found), sum(one.is_skipped for one in found)
    counts = f"{len(found) - failed} of {len(found)} passed" + (f" ({skipped} skipped)" if skipped else "")
    print(f"{command}{attempt}: {counts}, {time.monotonic() - began:.0f} s", flush=True)
    return found


def last_line(text: str) -> str:
    """The last line with words, which says what broke: of a traceback, and of what a script printed."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def rerun(results: list[Result]) -> list[Result]:
    """Runs each failure once more, alone; lists those that pass as flaky."""
    final = [one for one in results if one.passed]
    for first in (one for one in results if not one.passed):
        print(f"runs again, alone: {first.name}: {first.message}", flush=True)
        again = run(first.command, "-again")
        if any(one.is_skipped for one in again):
            # That says nothing about the failure.
            final.append(first)
            continue
        if all(one.passed for one in again):
            with FLAKY.open("a") as file:
                file.write(f"{first.name}: {first.message} ({first.log.relative_to(ROOT)})\n")
        final += again
    return final


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    parser.add_argument("--jobs", type=int, default=1, help="commands at once")
    parser.add_argument("--rerun", action="store_true")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = [one for found in pool.map(run, options.commands) for one in found]
    if options.rerun:
        results = rerun(results)
    failed = [one for one in results if not one.passed]
    for one in failed:
        lines = one.log.read_text(errors="replace").splitlines()
        print(f"\n✘ {one.name}: {one.message}\nthe end of {one.log.relative_to(ROOT)}:", *lines[-SHOWN_LINES:], sep="\n")
        print(f"again: .venv/bin/python3 {one.command}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
