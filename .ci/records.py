"""Checks what people write for each other: the list of flaky tests, and the subjects of commits.

    records.py

Prints what is wrong, and then exits with 1.
"""

import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# One line each: `2026-11-29 NAME: what is known of the reason`.
FLAKY = ROOT / ".ci/flaky.txt"
MOST_FLAKY = 5
# A landing counts as a day with commits.
MOST_LANDINGS = 10
PARTS = "libraries board streams http store gateway service program viewer clients docs tests build".split()
MOST_CHARACTERS = 65
# Earlier commits aren't checked.
SINCE = "2026-11-29T10:00:00+00:00"


def wrong_flaky(lines: list[str], days: list[str]) -> list[str]:
    """Errors in the list; `days` are those with commits, each as an ISO date."""
    wrong = [f"{len(lines)} flaky tests are listed, {MOST_FLAKY} are the most: mend one"] if len(lines) > MOST_FLAKY else []
    for line in lines:
        entry = re.fullmatch(r"(\d{4}-\d\d-\d\d) (.+?): (.+)", line)
        try:
            date = datetime.date.fromisoformat(entry[1]).isoformat() if entry else None
        except ValueError:
            date = None
        if date is None:
            wrong.append(f"not `YYYY-MM-DD NAME: REASON`: {line}")
        elif (landings := len({day for day in days if day > date})) > MOST_LANDINGS:
            wrong.append(f"flaky for {landings} landings, {MOST_LANDINGS} are the most; mend it: {entry[2]}")
    return wrong


def wrong_subject(subject: str) -> str | None:
    """What is wrong with the subject of a commit."""
    part, colon, words = subject.partition(": ")
    if not colon or not words or unknown(part):
        return f"a subject is `PART: what is so now`, with parts of {', '.join(PARTS)}: {subject}"
    if len(subject) > MOST_CHARACTERS:
        return f"a subject of {len(subject)} characters, {MOST_CHARACTERS} are the most: {subject}"
    return None


def unknown(parts: str) -> set[str]:
    """Those of `streams, docs` that aren't parts."""
    return set(parts.split(", ")) - set(PARTS)


def git_log(*options: str) -> list[str]:
    """Lines of git log; none outside of a repository, as in an unpacked archive."""
    log = subprocess.run(["git", "log", *options], cwd=ROOT, capture_output=True, text=True)
    return log.stdout.splitlines() if log.returncode == 0 else []


def main() -> int:
    lines = FLAKY.read_text().splitlines() if FLAKY.exists() else []
    wrong = wrong_flaky(lines, git_log("--format=%as"))
    subjects = git_log("--no-merges", f"--since={SINCE}", "--format=%s")
    wrong += [reason for subject in subjects if (reason := wrong_subject(subject))]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
