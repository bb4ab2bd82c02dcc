"""The program that the suites drive: the one that TWEENCAST names, else that of make program."""

import os
import pathlib
import sys

# Before a command that is to end by a signal: in a shell's background and under nohup the tests ignore some, and what they start
# would, too.
WITH_SIGNALS = ("env", "--default-signal=HUP,INT,QUIT,TERM")
PROGRAM = os.environ.get("TWEENCAST") or str(pathlib.Path(__file__).resolve().parents[1] / ".build/release/tweencast")


def program(path: str = PROGRAM) -> str:
    """Its path; without it a suite ends."""
    if not os.access(path, os.X_OK):
        sys.exit(f"there is no program {path}: make program")
    return path
