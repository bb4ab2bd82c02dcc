"""Attacks that once worked, each against a server of its own: what one client sends must not end, freeze or fill it,
nor make it lie.

    attacks.py [--binary PATH] [--seed N] [--list] [--quick | --slow] [--strict] [--json FILE] [NAME…]
"""

import argparse
import json
import pathlib
import sys

import access  # noqa: F401
import answers  # noqa: F401
import ending  # noqa: F401
import freezing  # noqa: F401
import growing  # noqa: F401
import lying  # noqa: F401
import rewritten  # noqa: F401
from program import raise_descriptor_limit
import tested
from replay import add_seed, given, replay
from scenario import SCENARIOS, Run

MOST_FAILURES = 6


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--binary", default=tested.PROGRAM, type=tested.program)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--quick", action="store_true", help="without the slow ones")
    parser.add_argument("--slow", action="store_true", help="the slow ones alone")
    parser.add_argument("--strict", action="store_true", help="50 ms and 1.5 times the quiet p99: for a quiet machine")
    parser.add_argument("--patience", type=float, default=1.0, help="times longer may anything take: debug builds")
    parser.add_argument("--json", metavar="FILE")
    add_seed(parser)
    return parser.parse_args()


def chosen(options):
    if unknown := set(options.names) - set(SCENARIOS):
        sys.exit(f"no such attack: {', '.join(sorted(unknown))}; --list names them")
    if options.names:
        return [SCENARIOS[name] for name in options.names]
    skipped = {True} if options.quick else {False} if options.slow else set()
    return [scenario for scenario in SCENARIOS.values() if scenario.slow not in skipped]


def main():
    options = arguments()
    scenarios = chosen(options)
    if options.list:
        for scenario in scenarios:
            print(f"{scenario.name:36} {scenario.harm:8} {'slow  ' if scenario.slow else ''}{scenario.says}")
        return 0
    raise_descriptor_limit()
    print(f"{len(scenarios)} attacks, --seed {options.seed}", flush=True)
    results = []
    for scenario in scenarios:
        if scenario.needs and not pathlib.Path(scenario.needs).exists():
            print(f"skip {scenario.name}: needs {scenario.needs}", flush=True)
            continue
        result = Run(scenario, options.binary, options.strict, options.patience, options.seed).execute()
        results.append(result)
        print(f"{'ok  ' if result['holds'] else 'FAIL'} {scenario.name} ({result['seconds']} s)")
        for failure in result["failures"][:MOST_FAILURES]:
            print(f"     ✘ {failure}")
        if (more := len(result["failures"]) - MOST_FAILURES) > 0:
            print(f"     ✘ and {more} more")
        for figure in result["figures"]:
            print(f"       {figure.rstrip()}")
        sys.stdout.flush()
    failed = [result["name"] for result in results if not result["holds"]]
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    print(f"{len(results) - len(failed)} of {len(results)} attacks came to nothing" + (f"; {failed}" if failed else ""))
    if failed:
        chosen_by = {*SCENARIOS, "--quick", "--slow"}
        print(replay(options.seed, [*failed, *(word for word in given() if word not in chosen_by)]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
