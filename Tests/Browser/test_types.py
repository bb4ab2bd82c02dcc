"""What TypeScript is told of the components: embed.d.ts."""

import re
import subprocess
import unittest

from server import ROOT

HERE = ROOT / "Tests/Browser/Types"


def problems(name: str) -> list[int]:
    """The lines of a file that the compiler refuses."""
    flags = ("--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node")
    told = subprocess.run(["tsc", *flags, str(HERE / name)], capture_output=True, text=True).stdout
    found = re.findall(rf"{re.escape(name)}\((\d+),", told)
    # Of the types themselves nothing is wrong.
    assert len(found) == len(re.findall(r"error TS", told)), told
    return [int(line) for line in found]


class TypesTest(unittest.TestCase):
    def test_types_accept_correct_use_of_the_elements(self):
        self.assertEqual(problems("right.ts"), [])

    def test_types_refuse_each_line_of_wrong_use(self):
        lines = (HERE / "wrong.ts").read_text().splitlines()
        first = lines.index('setPace("fast");') + 1
        self.assertEqual(sorted(set(problems("wrong.ts"))), list(range(first, len(lines) + 1)))
