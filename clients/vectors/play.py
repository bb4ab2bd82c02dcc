"""Runs a client's program through the scenarios of streams.json and the motions of motions.json.

python3 clients/vectors/play.py PROGRAM [ARGUMENT…]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from server import PATIENCE, Server

HERE = pathlib.Path(__file__).parent
# Seconds, for the programs: they close a stream that stays silent from its start after twice as long and a second.
HEARTBEAT = "2"


def scenarios() -> list[dict]:
    return json.loads((HERE / "streams.json").read_text())


def motions() -> list[dict]:
    return json.loads((HERE / "motions.json").read_text())


def without_repeats(items: list[dict]) -> list[dict]:
    """Items with one `disconnected` for several in a row: how often a client tries is its own affair."""
    end = {"item": "disconnected"}
    return [item for index, item in enumerate(items) if not (index and item == end and items[index - 1] == end)]


class Program:
    """A client's program on its way through a scenario."""

    def __init__(self, command: list[str], arguments: list[str], token: str | None):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TWEENCAST_")}
        environment["HEARTBEAT"] = HEARTBEAT
        if token:
            environment["TWEENCAST_TOKEN"] = token
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [*command, "items", *arguments], stdout=subprocess.PIPE, stderr=self.errors, env=environment, text=True,
            encoding="utf-8")
        self.items: list[dict] = []
        self.is_over = False
        self.came = threading.Condition()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            with self.came:
                self.items.append(json.loads(line))
                self.came.notify_all()
        with self.came:
            self.is_over = True
            self.came.notify_all()

    def wait_for(self, items: list[dict]):
        """Waits until as many items have come; what they are is compared at the end."""
        count = len(without_repeats(items))
        with self.came:
            self.came.wait_for(lambda: self.is_over or len(without_repeats(self.items)) >= count, PATIENCE)

    def end(self) -> str:
        """Waits for its end, and returns what it complained of."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = f"nothing in {PATIENCE} s, and a kill"
        self.thread.join(PATIENCE)
        self.process.stdout.close()
        self.errors.seek(0)
        with self.errors:
            errors = self.errors.read()[-2000:]
        return "" if code == 0 else f"the program ends with {code}: {errors}"


def play(scenario: dict, command: list[str]) -> list[str]:
    """What a program does wrong in a scenario, a sentence each."""
    started, holder = threading.Event(), []

    def wait_for_items(items: list[dict]):
        started.wait(PATIENCE)
        holder[0].wait_for(items)

    server = Server(scenario, wait_for_items)
    program = Program(command, [server.url, *scenario["topics"]], scenario.get("token"))
    holder.append(program)
    started.set()
    complaint = program.end()
    server.close()
    faults = [*server.faults, *([complaint] if complaint else [])]
    expected, came = without_repeats(scenario["items"]), without_repeats(program.items)
    if came != expected:
        faults.append(f"items\n  {came}\nare not\n  {expected}")
    return faults


def compare_motions(command: list[str]) -> list[str]:
    """The values that a program computes otherwise than the server, a sentence each."""
    text = (HERE / "motions.json").read_text()
    run = subprocess.run([*command, "motions"], input=text, capture_output=True, text=True, timeout=PATIENCE)
    if run.returncode:
        return [f"the program ends with {run.returncode}: {run.stderr[-2000:]}"]
    faults, vectors, computed = [], json.loads(text), json.loads(run.stdout)
    if len(computed) != len(vectors):
        return [f"{len(computed)} lists of values for {len(vectors)} motions"]
    for vector, values in zip(vectors, computed):
        motion = vector["event"]["motion"]
        for at, value, expected in zip(vector["at"], values, vector["values"], strict=True):
            reach = max(abs(motion["to"] - motion["from"]), abs(expected), 1)
            if not abs(value - expected) <= 1e-9 * reach:
                faults.append(f"{vector['name']}, after {at} s: {value} is not {expected}")
    return faults


def main(command: list[str]) -> int:
    failed = 0
    for scenario in scenarios():
        began = time.monotonic()
        faults = play(scenario, command)
        print(f"{'failed' if faults else 'ok    '} {time.monotonic() - began:5.1f} s  {scenario['name']}", flush=True)
        print("".join(f"  {fault}\n" for fault in faults), end="", flush=True)
        failed += bool(faults)
    faults = compare_motions(command)
    print(f"{'failed' if faults else 'ok    '} {len(motions())} motions")
    print("".join(f"  {fault}\n" for fault in faults), end="")
    return 1 if failed or faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
