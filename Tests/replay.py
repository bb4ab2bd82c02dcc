"""Seeds of suites that leave much to chance, and the command that plays one again: what a failure ends with."""

import pathlib
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FIXED_SEED = 1


def add_seed(parser):
    """The option `--seed`. The default is fixed, so a gate's run draws the same each time; make explore draws others."""
    parser.add_argument("--seed", type=int, default=FIXED_SEED, help="of an earlier run")


def replay(seed=None, words=None) -> str:
    """What this process was started by, with its seed; `words` are said in place of what was given besides."""
    words = given() if words is None else words
    seeded = [] if seed is None else ["--seed", seed]
    script = pathlib.Path(sys.argv[0]).resolve().relative_to(ROOT)
    return "replay: " + shlex.join(map(str, [".venv/bin/python3", script, *words, *seeded]))


def given() -> list:
    """The arguments without a seed."""
    words = iter(sys.argv[1:])
    # Behind `--seed` comes the seed.
    return [word for word in words if not (word == "--seed" and next(words)) and not word.startswith("--seed=")]
