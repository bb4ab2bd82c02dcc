"""Requests made up from the contract by schemathesis, good ones and bad ones; TWEENCAST_SEED gives another seed than 1."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Browser"))
from server import Server  # noqa: E402

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance"
)


class RandomContractTest(unittest.TestCase):
    def test_schemathesis_finds_nothing(self):
        server = Server()
        self.addCleanup(server.close)
        command = [
            sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.yaml", "--checks", CHECKS,
            "--exclude-path-regex", "(/events|selftest)$", "--seed", os.environ.get("TWEENCAST_SEED", "1"), "--max-examples", "5",
            "--phases", "examples,coverage,fuzzing", "--generation-database", "none", "--no-color",
        ]  # fmt: skip
        environment = os.environ | {"PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "contract_hooks"}
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(
                command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900
            )
        self.assertEqual(run.returncode, 0, run.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
