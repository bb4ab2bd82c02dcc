"""contents.py TREE - prints what an archive's folder contains, as a bill of materials in CycloneDX 1.5: the program and its parts,
and each library with its Debian package, licences and digest. The libraries and the Swift toolchain must be this machine's."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FIELDS = "${Package}\n${Version}\n${Architecture}\n${source:Package} ${source:Version}\n${Maintainer}"


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def digest(file: pathlib.Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def licences(file: pathlib.Path) -> list[dict]:
    """The names of the licences in a package's copyright file, if it has the form that names them."""
    text = file.read_text()
    names = set(re.findall(r"^License: *(\S.*)$", text, re.MULTILINE)) if text.startswith("Format:") else set()
    return [{"license": {"name": name}} for name in sorted(names) or [f"see licenses/{file.name}"]]


def library(file: pathlib.Path, tree: pathlib.Path) -> dict:
    """A shared library and its package."""
    package, path = output("dpkg-query", "--search", f"*/{os.uname().machine}-linux-gnu/{file.name}").split(": ")
    assert digest(pathlib.Path(path)) == digest(file), f"{file} isn't {path}"
    name, version, architecture, source, maintainer = output(
        "dpkg-query", "--show", f"--showformat={FIELDS}", package).split("\n")
    return {
        "type": "library", "bom-ref": f"lib/{file.name}", "name": file.name, "version": version,
        "supplier": {"name": maintainer},
        "hashes": [{"alg": "SHA-256", "content": digest(file)}],
        "licenses": licences(tree / "licenses" / name),
        "purl": f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}",
        "properties": [{"name": "debian:package", "value": name}, {"name": "debian:source", "value": source}],
    }


def part(name: str, version: str, licence: str, supplier: str) -> dict:
    """What is linked into the program."""
    return {
        "type": "library", "name": name, "version": version, "supplier": {"name": supplier},
        "licenses": [{"expression": licence}],
    }


def program(tree: pathlib.Path) -> dict:
    """The program and its parts."""
    file = tree / "tweencast"
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    cxx = output("dpkg-query", "--show", "--showformat=${Version}", "libstdc++-12-dev")
    icu = re.search(rb"icudt(\d+)l", file.read_bytes())[1].decode()
    return {
        "type": "application", "bom-ref": "tweencast", "name": "tweencast",
        "version": tree.name.removeprefix("tweencast-"), "supplier": {"name": "Tweencast contributors"},
        "licenses": [{"license": {"id": "MIT"}}],
        "hashes": [{"alg": "SHA-256", "content": digest(file)}],
        "components": [
            part("Swift runtime and Foundation", swift, "Apache-2.0 WITH Swift-exception", "Swift project"),
            part("GNU C++ runtime", cxx, "GPL-3.0-or-later WITH GCC-exception-3.1", "GCC project"),
            part("ICU with the data of CLDR", icu, "Unicode-3.0", "Unicode, Inc."),
        ],
    }


def main(tree: pathlib.Path) -> None:
    """Prints the bill."""
    libraries = [library(file, tree) for file in sorted((tree / "lib").iterdir())]
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    bill = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment), "component": program(tree)},
        "components": libraries,
        "dependencies": [{"ref": "tweencast", "dependsOn": [part["bom-ref"] for part in libraries]}],
    }
    print(json.dumps(bill, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
