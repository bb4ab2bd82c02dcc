"""Every test by name, and which gate runs it. It reads the sources, so nothing has to be built.

    inventory.py check    no test is lost: each name of .ci/tests.txt is still run, or .ci/retired.txt says why it went;
                          and each test that there is stands in .ci/tests.txt
    inventory.py write    writes .ci/tests.txt
"""

import ast
import pathlib
import re
import subprocess
import sys
import typing

from gate import GATES

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / ".ci/tests.txt"
# Each line is `KIND NAME: why it was removed`.
RETIRED = ROOT / ".ci/retired.txt"
# Test targets whose folder has another name.
SWIFT_FOLDERS = {"Fuzz/Replay": "FuzzTests"}
# Attacks that take minutes each; make verify doesn't run them either.
BY_HAND = "hand"

# Finds a Swift file's tests: the attributes of suites and tests, and types at the margin.
MARKS = re.compile(
    r"@Suite\b|@Test\b|^(?:[a-z]+ |@\w+ )*(?:struct|extension|enum|class|actor) (?P<type>\w+)", re.MULTILINE
)
TYPE = re.compile(r"\b(?:struct|class|actor|enum) (\w+)")
FUNCTION = re.compile(r"\bfunc (?:`([^`]+)`|(\w+))")


class SwiftTest(typing.NamedTuple):
    target: str
    suite: str
    name: str
    # `slow` or `random`, which Tags.swift explains.
    tags: frozenset[str]

    @property
    def identity(self) -> str:
        return f"{self.target}.{self.suite}/{self.name}"

    @property
    def pattern(self) -> str:
        """The pattern for --filter. A dot replaces each character with a meaning there."""
        return f"^{self.target}\\.{self.suite}/.?{re.sub('[^A-Za-z0-9]', '.', self.name)}.?\\("


def swift_tests() -> list[SwiftTest]:
    found = []
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        folder = str(path.parent.relative_to(ROOT / "Tests"))
        target = SWIFT_FOLDERS.get(folder, folder.split("/")[0])
        if target.endswith("Tests"):
            found += _swift_tests(target, path.read_text())
    return found


def _swift_tests(target: str, text: str) -> typing.Iterator[SwiftTest]:
    suite, suite_tags = "", frozenset()
    for mark in MARKS.finditer(text):
        attribute = _parenthesised(text, mark.end())
        end = mark.end() + len(attribute)
        if mark[0] == "@Suite":
            suite, suite_tags = TYPE.search(text, end)[1], _tags(attribute)
        elif mark[0] == "@Test":
            name = FUNCTION.search(text, end)
            yield SwiftTest(target, suite, name[1] or name[2], _tags(attribute) | suite_tags)
        elif mark["type"] != suite:
            suite, suite_tags = mark["type"], frozenset()


def _parenthesised(text: str, start: int) -> str:
    """The parentheses that begin at `start`, with their content; empty if there are none."""
    depth = 0
    for end in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[start : end + 1] if end > start else ""
    return ""


def _tags(attribute: str) -> frozenset[str]:
    return frozenset(word for tags in re.findall(r"\.tags\(([^)]*)\)", attribute) for word in re.findall(r"\w+", tags))


def python_tests(path: pathlib.Path) -> list[str]:
    """Methods of test cases, by class; inherited ones count once, where they are defined."""
    return [
        f"{path.relative_to(ROOT)} {case.name}.{method.name}"
        for case in ast.parse(path.read_text()).body
        if isinstance(case, ast.ClassDef)
        for method in case.body
        if isinstance(method, ast.FunctionDef) and method.name.startswith("test_")
    ]


def decorated(folder: str, decorator: str) -> list[tuple[str, bool]]:
    """Functions that a decorator registers, and whether it marks them as slow."""
    return [
        (function.name, any(word.arg == "slow" for word in getattr(mark, "keywords", [])))
        for path in sorted((ROOT / folder).glob("*.py"))
        for function in ast.parse(path.read_text()).body
        if isinstance(function, ast.FunctionDef)
        for mark in function.decorator_list
        if getattr(getattr(mark, "func", mark), "id", "") == decorator
    ]


def commands(gate: str) -> str:
    """What a gate would run, as make prints it without running it."""
    dry = ["make", "--dry-run", "--always-make"]
    return "".join(
        subprocess.run([*dry, part.name], cwd=ROOT, capture_output=True, text=True, check=True).stdout for part in GATES[gate]
    )


def inventory() -> list[str]:
    """One line for each test: the gates that run it, its kind and its name."""
    lines = []
    run = {gate: commands(gate) for gate in ("test", "verify")}
    for test in swift_tests():
        gates = "verify" if "slow" in test.tags else "test"
        lines.append(f"{gates} swift {test.identity}")
    for path in sorted((ROOT / "Tests").rglob("*.py")):
        name = str(path.relative_to(ROOT))
        # Tests/Browser/suite.py runs all files in its folder.
        called = "Tests/Browser/suite.py" if name.startswith("Tests/Browser/test_") else name
        gates = "+".join(gate for gate, text in run.items() if re.search(rf"{called}\b", text)) or "none"
        tests = python_tests(path)
        lines += [f"{gates} python {test}" for test in tests]
        if not tests and gates != "none":
            lines.append(f"{gates} script {name}")
        for runner, kind in (("Tests/Hostile/attacks.py", "attack"), ("Tests/Replicas/faults.py", "fault")):
            if name == runner:
                found = decorated(name.rpartition("/")[0], kind)
                lines += [f"{BY_HAND if is_slow else gates} {kind} {test}" for test, is_slow in found]
    return sorted(lines)


def without_gates(lines: typing.Iterable[str]) -> set[str]:
    return {line.split(" ", 1)[1] for line in lines}


def lost(lines: list[str]) -> list[str]:
    """Errors in the list of removed tests."""
    known = without_gates(LIST.read_text().splitlines()) if LIST.exists() else set()
    there = without_gates(lines)
    reasons = RETIRED.read_text().splitlines()
    return [f"no gate runs it: {line.removeprefix('none ')}" for line in lines if line.startswith("none ")] + [
        f"it went, and .ci/retired.txt doesn't say why: {name}"
        for name in sorted(known - there)
        # A name may contain a colon.
        if not any(line.startswith(f"{name}: ") for line in reasons)
    ]


def main() -> int:
    if sys.argv[1:] not in (["check"], ["write"]):
        sys.exit(__doc__)
    lines = inventory()
    wrong = lost(lines)
    if not wrong and sys.argv[1] == "write":
        LIST.write_text("\n".join(lines) + "\n")
    elif not wrong and lines != LIST.read_text().splitlines():
        wrong = [".ci/tests.txt isn't what there is: make names"]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    kinds = [line.split(" ", 2)[1] for line in lines]
    print("tests:", ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("swift", "python", "attack", "fault", "script")))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
