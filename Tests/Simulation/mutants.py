"""Whether the simulation finds faults: a build with each fault of Mutants, chosen one after the other.

mutants.py [--worlds 60] [NAME...] | --check

--check only sees whether each patch applies. A mutant is found by a world that passes without it.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import simulate  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATCHES = pathlib.Path(__file__).resolve().parent / "Mutants"
COPY = ROOT / ".build/mutants"
# Adds what chooses among the others.
SWITCH = PATCHES / "switch.patch"
DURATION = 20
KINDS = ("store", "log", "redis")


def patches() -> list[pathlib.Path]:
    return sorted(path for path in PATCHES.glob("*.patch") if path != SWITCH)


def check() -> int:
    """How many patches don't apply, one by one and all together."""
    wrong = 0
    for applied in ([SWITCH], [SWITCH, *patches()]):
        again = subprocess.run(["git", "apply", "--check", *applied], cwd=ROOT, capture_output=True, text=True)
        if again.returncode:
            print(f"Tests/Simulation/Mutants: {again.stderr.strip()}")
            wrong += 1
    return wrong


def build():
    """Builds the simulation with all patches, in a copy of what git knows."""
    shutil.rmtree(COPY / "Sources", ignore_errors=True)
    COPY.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    archive = subprocess.run(["tar", "c", "--null", "-T", "-"], cwd=ROOT, input=files, capture_output=True, check=True)
    subprocess.run(["tar", "x"], cwd=COPY, input=archive.stdout, check=True)
    subprocess.run(["git", "init", "--quiet"], cwd=COPY, check=True)
    subprocess.run(["git", "apply", SWITCH, *patches()], cwd=COPY, check=True)
    subprocess.run(["swift", "build", "-c", "release", "--product", "simulation"], cwd=COPY, check=True)


def find(name: str, worlds: int) -> str:
    """The first world that shows a mutant, and what is wrong there; empty if none does."""
    for seed in range(1, worlds + 1):
        for kind in KINDS:
            wrong = _wrong(name, seed, kind)
            if wrong and not _wrong("", seed, kind):
                return f"| {name} | {KINDS.index(kind) + 1 + len(KINDS) * (seed - 1)} | {seed} | {kind} | {wrong[0].splitlines()[0][:90]} |"
    return ""


def _wrong(name: str, seed: int, kind: str) -> list[str]:
    os.environ["TWEENCAST_MUTANT"] = name
    return simulate.simulate([seed], kind, DURATION)[0][0][1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of some mutants")
    parser.add_argument("--worlds", type=int, default=60, help="seeds until one counts as not found")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        return check()
    build()
    simulate.PROGRAM = COPY / ".build/release/simulation"
    print("| mutant | worlds | seed | servers | what is wrong there |\n| --- | --- | --- | --- | --- |")
    missed = []
    for name in options.names or [path.stem for path in patches()]:
        row = find(name, options.worlds)
        print(row or f"| {name} | not found in {len(KINDS) * options.worlds} |", flush=True)
        if not row:
            missed.append(name)
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
