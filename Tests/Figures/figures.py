"""What a connect, a POST, a line of a batch and a frame cost the server: allocations, bytes sent, and pages of the
database a commit. These don't depend on the machine, so each is held to its threshold.

    figures.py             prints the figures; exit code 1 if one isn't what Tests/Figures/thresholds.json says
    figures.py --write     writes that file

Means, SQLite's own allocations, context switches and system calls are shown, not judged: they depend on what else
happens meanwhile, and on which rows share a page of the database. Numbers count as one digit in the bytes.
"""

import argparse
import json
import pathlib
import sys

from counted import LOGGED_PAGE, Counted
from operations import LINE, Figure, measure

THRESHOLDS = pathlib.Path(__file__).with_name("thresholds.json")
JUDGED = ("allocations", "bytes", "pages")
# A figure that is smaller by more than this has a threshold that no longer holds anything.
SLACK = 0.05
CURE = "mend it, or say why in the commit and run make figures WRITE=1"
LOWER = "so lower the threshold: make figures WRITE=1"


def judged(figures: dict[str, Figure]) -> dict[str, dict[str, float]]:
    return {
        name: {kind: getattr(figure, kind) for kind in JUDGED if getattr(figure, kind) is not None}
        for name, figure in figures.items()
        # The batches are judged, from which it follows. Beside other work one may have an allocation less by chance.
        if name != LINE
    }


def differences(figures: dict[str, dict], thresholds: dict[str, dict]) -> list[str]:
    """What isn't as the thresholds say, each with what to do."""
    found = []
    for name in {**figures, **thresholds}:
        now, known = figures.get(name, {}), thresholds.get(name, {})
        for kind in {**now, **known}:
            if kind not in now or kind not in known:
                is_new = kind in now
                found.append(f"{kind} of {name}: {'no threshold' if is_new else 'not measured'}: make figures WRITE=1")
            elif now[kind] > known[kind]:
                found.append(f"{kind} of {name}: {now[kind]:g}, and the threshold is {known[kind]:g}: {CURE}")
            elif now[kind] < known[kind] * (1 - SLACK):
                found.append(f"{kind} of {name}: {now[kind]:g}, and the threshold is {known[kind]:g}, {LOWER}")
    return found


def print_table(figures: dict[str, Figure]):
    judged_columns, shown = ["allocations", "bytes", "pages"], ["mean", "of SQLite", "mean pages", "switches", "calls"]
    print(f"{'':34}", *(f"{column:>11}" for column in judged_columns), " |", *(f"{column:>11}" for column in shown))
    for name, figure in figures.items():
        mean = figure.mean
        cells = [figure.allocations, figure.bytes, figure.pages, mean.allocations, mean.sqlite_allocations]
        cells += [mean.log_bytes / LOGGED_PAGE, figure.switches, figure.system_calls]
        texts = [f"{'-' if cell is None else f'{round(cell, 1):g}':>11}" for cell in cells]
        print(f"{name:34}", *texts[:3], " |", *texts[3:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="make the thresholds what is measured now")
    does_write = parser.parse_args().write
    program = Counted()
    try:
        figures = measure(program)
    finally:
        program.close()
    print_table(figures)
    now = judged(figures)
    if does_write:
        THRESHOLDS.write_text(json.dumps(now, indent=2) + "\n")
    elif found := differences(now, json.loads(THRESHOLDS.read_text())):
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
