"""Runs the parts of a gate, beside each other as long as cores are idle, and prints one line as each part ends.

    gate.py test | verify

What a part prints goes to .build/parts/NAME.log; a failure shows the log's end. A part that takes three times as long as
CONTRIBUTING.md says, and at least two minutes, is ended unless its processes still work: on a busy machine it may take nine
times as long. One that installs has 36 minutes more.
"""

import contextlib
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build/parts"
PAGE = ROOT / "CONTRIBUTING.md"
PROGRAM = ROOT / ".build/release/tweencast"
# Two cores, and one more because parts often wait.
MOST_LOAD = 3.0
# A part that doesn't work counts as hung after this many times its seconds, and after LEAST_LIMIT seconds at the earliest.
PATIENCE, LEAST_LIMIT = 3, 120
# Past its limit a part goes on for spans of so many seconds while its processes use such a share of a core, up to so many times
# its limit.
SPAN_SECONDS, WORK_SHARE, MOST_PATIENCE = 30, 0.05, 3
# Added for a part that installs: two commands of .ci/packages and one of pip, each patient for 120 s and then 600 s at most. The
# three Debians of packages, each patient for 540 s, take no longer.
INSTALL_SECONDS = 3 * (120 + 600)
SHOWN_LINES = 200
ENDING_SIGNALS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
# Between the request to end and the kill.
GRACE_SECONDS = 5
# A suite's last line; the gate adds them up.
COUNTS = re.compile(r"^(\d+)(?: \w+)? passed, (\d+) failed$", re.MULTILINE)


class Part(typing.NamedTuple):
    """`make NAME`, once all of `after` have passed. `load` is the number of cores that it keeps busy. One that `installs` waits
    for the network."""

    name: str
    load: float
    after: tuple[str, ...] = ()
    installs: bool = False

    def limit(self, seconds: float) -> float:
        """The seconds after which it is ended unless it works, if it takes `seconds` otherwise."""
        return max(LEAST_LIMIT, PATIENCE * seconds) + (INSTALL_SECONDS if self.installs else 0)


# In the order in which parts are considered. The two builds have folders of their own, since SwiftPM runs one command at a time in
# each.
GATES = {
    "test": [
        Part("build-tools", 1, installs=True),
        Part("program", 1.3, ("build-tools",)),
        Part("tools", 1, ("build-tools",), installs=True),
        Part("test-build", 1.2, ("tools",)),
        Part("lint", 0.5, ("tools",)),
        Part("simulator", 1, ("program",)),
        Part("contract", 0.3, ("program", "tools")),
        Part("board", 0.3, ("program", "tools")),
        Part("stateful", 0.4, ("program", "tools")),
        # Its numbers move while a browser draws them: it waits for the builds, and leaves a core to others.
        Part("pairs", 2, ("program", "test-build")),
        Part("cuts", 1, ("program", "tools")),
        Part("simulate", 2, ("simulator", "tools")),
        Part("figures", 1, ("program", "tools")),
        Part("unit", 3, ("program", "test-build")),
    ],
    "verify": [
        Part("verify-tools", 1, installs=True),
        Part("program", 2, ("verify-tools",)),
        Part("test-build", 2, ("program",)),
        # The longest first. Their tests mostly wait: for motions' ends, for apt.
        Part("browser", 1.2, ("test-build",)),
        Part("clients", 0.9, ("test-build",)),
        Part("packages", 0.6, ("test-build",), installs=True),
        Part("proxies", 0.3, ("test-build",)),
        Part("operations", 0.3, ("test-build",)),
        Part("types", 1, ("verify-tools",)),
        Part("replicas", 1.5, ("test-build",)),
        Part("peers", 1, ("test-build",)),
        Part("portability", 0.8, ("verify-tools",)),
        Part("slow", 1, ("test-build",)),
        Part("hostile", 3, ("test-build",)),
    ],
}


def needs_program(part: Part) -> bool:
    """Whether it runs when the program has been built, itself or by a part before it."""
    return not {"program", "test-build"}.isdisjoint(part.after)


def expected_seconds(gate: str) -> dict[str, int]:
    """The seconds of each part, from the table in CONTRIBUTING.md whose head names the gate."""
    table = re.search(rf"^\| part of `make {gate}` .*\n\|.*\n((?:\|.*\n)+)", PAGE.read_text(), re.MULTILINE)
    return {name: int(seconds) for name, seconds in re.findall(r"^\| ([a-z-]+) \| (\d+) \|", table[1], re.MULTILINE)}


def with_descendants(processes: typing.Iterable[int]) -> set[int]:
    """These processes, and all that they have started and that have a parent among them."""
    children: dict[int, list[int]] = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name, in parentheses, may hold any byte. The state and the parent follow.
            parent = int(stat.read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found, waiting = set(), list(processes)
    while waiting:
        if (process := waiting.pop()) not in found:
            found.add(process)
            waiting += children.get(process, [])
    return found


def cpu_seconds(processes: typing.Iterable[int]) -> float:
    """What these processes have used, and those that they have waited for."""
    ticks = 0
    for process in processes:
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def end(leader: int, grace: float):
    """Ends a child that leads a process group, and all that it started, also in sessions of their own. It isn't reaped."""
    held: dict[int, int] = {}
    for number, seconds in ((signal.SIGTERM, grace), (signal.SIGKILL, 0)):
        stop_all(leader, held)
        for ending in (number, signal.SIGCONT):
            send_to_all(held, ending)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(leader, ending)
        select.select([held[leader]], [], [], seconds)
    for descriptor in held.values():
        os.close(descriptor)


def stop_all(leader: int, held: dict[int, int]):
    """Stops a process and all that it started, and adds a descriptor of each: it names no other process later.

    What is stopped starts nothing more, so a look that finds nothing new has found all. What started between a look and a signal
    would lose its parent, and couldn't be found any more.
    """
    looked = set(held)
    while new := with_descendants([leader, *held]) - looked:
        looked |= new
        for process in new:
            with contextlib.suppress(ProcessLookupError):
                held[process] = os.pidfd_open(process)
        send_to_all(held, signal.SIGSTOP)


def send_to_all(held: dict[int, int], number: signal.Signals):
    for descriptor in held.values():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(descriptor, number)


class Running:
    """A part that has been started, in a process group of its own."""

    def __init__(self, part: Part, command: list[str], limit: float):
        self.part, self.limit, self.began = part, limit, time.monotonic()
        self.longest, self.used = MOST_PATIENCE * limit, 0.0
        self.log = LOGS / f"{part.name}.log"
        # Once there is a program, no part builds it again: beside each other they would wait for SwiftPM, and for each other.
        environment = {"TWEENCAST": str(PROGRAM), **os.environ} if needs_program(part) else os.environ
        with self.log.open("w") as output:
            self.child = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        self.descriptor = os.pidfd_open(self.child.pid)
        self.hung = False

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def goes_on(self) -> bool:
        """Whether a part past its limit works, so that it gets another span: that the machine is busy is no fault of it."""
        before, self.used = self.used, cpu_seconds(with_descendants([self.child.pid]))
        # Less than before: a process has ended that nobody in the tree waited for.
        works = self.used < before or self.used - before >= WORK_SHARE * SPAN_SECONDS
        if not works or self.seconds >= self.longest:
            return False
        self.limit = self.seconds + SPAN_SECONDS
        return True

    def wait(self) -> tuple[int, float]:
        """The exit code of a part that has ended, and the seconds of CPU that it used."""
        os.close(self.descriptor)
        _, status, usage = os.wait4(self.child.pid, 0)
        self.child.returncode = os.waitstatus_to_exitcode(status)
        return self.child.returncode, usage.ru_utime + usage.ru_stime

    def end(self):
        """Ends it and all that it started."""
        end(self.child.pid, GRACE_SECONDS)


class Gate:
    """Starts parts, waits for them, and reports."""

    def __init__(self, name: str, parts: list[Part], seconds: dict[str, int], command=lambda part: ["make", "--no-print-directory", part]):
        self.name, self.waiting, self.seconds, self.command = name, list(parts), seconds, command
        self.running: list[Running] = []
        self.passed: set[str] = set()
        self.began = time.monotonic()

    def run(self) -> int:
        LOGS.mkdir(parents=True, exist_ok=True)
        total = self.seconds.get("all", sum(self.seconds.values()))
        names = ", ".join(part.name for part in self.waiting)
        print(f"make {self.name}: some {total} s on two cores: {names}\nlogs: {LOGS.relative_to(ROOT)}", flush=True)
        while self.waiting or self.running:
            self.start_parts()
            if not self.end_parts():
                return 1
        self.report_counts()
        print(f"make {self.name} passed in {time.monotonic() - self.began:.0f} s", flush=True)
        return 0

    def start_parts(self):
        for part in list(self.waiting):
            load = sum(running.part.load for running in self.running)
            if self.passed.issuperset(part.after) and (load + part.load <= MOST_LOAD or not self.running):
                self.waiting.remove(part)
                limit = part.limit(self.seconds[part.name])
                with signals_wait():
                    self.running.append(Running(part, self.command(part.name), limit))

    def end_parts(self) -> bool:
        """Waits until a part ends or hangs; whether all is well."""
        left = min(running.limit - running.seconds for running in self.running)
        ended, _, _ = select.select([running.descriptor for running in self.running], [], [], max(0, left))
        for running in list(self.running):
            if running.descriptor not in ended and (running.seconds < running.limit or running.goes_on()):
                continue
            if running.descriptor not in ended:
                running.hung = True
                running.end()
            self.running.remove(running)
            code, cpu = running.wait()
            if not self.report(running, code, cpu):
                self.stop()
                return False
            self.passed.add(running.part.name)
        return True

    def report(self, running: Running, code: int, cpu: float) -> bool:
        part, seconds = running.part, running.seconds
        was = self.seconds[part.name]
        line = f"  {part.name:14} {seconds:5.0f} s (expected {was}), {cpu / max(seconds, 0.1):.1f} cores"
        if code == 0 and not running.hung:
            print(line, flush=True)
            return True
        log = running.log.read_text(errors="replace").splitlines()
        reason = f"hung: ended after {seconds:.0f} s" if running.hung else f"failed with exit code {code}"
        print(f"{line}\n\n{part.name} {reason}. The end of {running.log.relative_to(ROOT)}:", flush=True)
        print(*log[-SHOWN_LINES:], sep="\n", flush=True)
        print(f"\nmake {self.name} failed in {part.name}. By itself: make {part.name}", flush=True)
        return False

    def report_counts(self):
        """Adds up the closing lines of all suites."""
        counts = [COUNTS.findall((LOGS / f"{name}.log").read_text(errors="replace")) for name in self.passed]
        passed, failed = (sum(int(count[side]) for found in counts for count in found) for side in (0, 1))
        print(f"{self.name}: {passed} passed, {failed} failed", flush=True)

    def stop(self):
        for running in self.running:
            running.end()


@contextlib.contextmanager
def signals_wait():
    """Lets a signal act at the end of the block: one that ends a program in the middle of a start would leave the child behind."""
    came: list[int] = []
    acts = {number: signal.signal(number, lambda number, _: came.append(number)) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, act in acts.items():
            signal.signal(number, act)
    for number in came[:1]:
        signal.raise_signal(number)


def restore_signals():
    """Restores the signals that a shell ignores for a background or nohup command; children would ignore them too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(130))


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in GATES:
        sys.exit(__doc__)
    restore_signals()
    name = sys.argv[1]
    gate = Gate(name, GATES[name], expected_seconds(name))
    try:
        return gate.run()
    finally:
        gate.stop()


if __name__ == "__main__":
    sys.exit(main())
