"""The gates themselves: what hangs is ended, what failed by chance is told from what is broken, nothing run is no success, and
lists have their limits. Also what several suites share."""

import contextlib
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
import explore  # noqa: E402
import gate  # noqa: E402
import records  # noqa: E402
import suite  # noqa: E402

for folder in ("Hostile", "Packaging", "Replicas"):
    sys.path.append(str(ROOT / "Tests" / folder))
import debian  # noqa: E402
import same  # noqa: E402
import target  # noqa: E402

# Fails until it has run so many times.
FLAKY_TEST = """
import pathlib, unittest

class FlakyTest(unittest.TestCase):
    def test_fails_at_first(self):
        runs = pathlib.Path(__file__).with_name("runs")
        count = int(runs.read_text()) + 1 if runs.exists() else 1
        runs.write_text(str(count))
        self.assertGreater(count, {failures}, "not yet")

    def test_passes(self):
        pass
"""


# Fails when it runs first, and is skipped then.
SKIPPED_TEST = """
import pathlib, unittest

class SkippedTest(unittest.TestCase):
    def test_fails_then_skips(self):
        ran = pathlib.Path(__file__).with_name("ran")
        if ran.exists():
            self.skipTest("it has run")
        ran.touch()
        self.fail("broken")
"""


class FolderTest(unittest.TestCase):
    """A test with a folder, where the gate's programs keep their logs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for module in (suite, gate, explore):
            for name, value in (("ROOT", self.folder), ("LOGS", self.folder / "logs"), ("FLAKY", self.folder / "flaky.txt")):
                if hasattr(module, name):
                    patch = unittest.mock.patch.object(module, name, value)
                    patch.start()
                    self.addCleanup(patch.stop)

    def run_main(self, module, *words: str) -> tuple[int, str]:
        """The exit code and the output of a program."""
        output = io.StringIO()
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)}
        self.addCleanup(lambda: [signal.signal(*known) for known in handlers.items()])
        with unittest.mock.patch.object(sys, "argv", [module.__name__, *words]), contextlib.redirect_stdout(output):
            code = module.main()
        return code, output.getvalue()

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return name


class SuiteTest(FolderTest):
    def test_a_method_that_passes_when_it_runs_again_is_listed_as_flaky(self):
        code, output = self.run_main(suite, "--rerun", self.write("test_some.py", FLAKY_TEST.format(failures=1)))
        self.assertEqual((code, output.splitlines()[-1]), (0, "2 passed, 0 failed"))
        log = "logs/test_some-py.log"
        expected = f"test_some.py FlakyTest.test_fails_at_first: AssertionError: 1 not greater than 1 : not yet ({log})\n"
        self.assertEqual((self.folder / "flaky.txt").read_text(), expected)

    def test_a_method_that_fails_twice_has_failed_and_isnt_run_a_third_time(self):
        code, output = self.run_main(suite, "--rerun", self.write("test_some.py", FLAKY_TEST.format(failures=2)))
        self.assertEqual((code, output.splitlines()[-1]), (1, "1 passed, 1 failed"))
        self.assertEqual((self.folder / "runs").read_text(), "2")
        self.assertFalse((self.folder / "flaky.txt").exists())

    def test_a_failed_test_is_not_rerun_outside_the_gate(self):
        code, output = self.run_main(suite, self.write("test_some.py", FLAKY_TEST.format(failures=1)))
        self.assertEqual((code, output.splitlines()[-1]), (1, "1 passed, 1 failed"))
        self.assertIn("again: .venv/bin/python3 test_some.py FlakyTest.test_fails_at_first", output)

    def test_a_script_runs_again_with_its_arguments(self):
        text = "import pathlib, sys\nran = pathlib.Path(sys.argv[1])\nif not ran.exists():\n    ran.touch()\n    sys.exit('broken')\n"
        code, output = self.run_main(suite, "--rerun", f"{self.write('attack.py', text)} ran")
        self.assertEqual((code, output.splitlines()[-1]), (0, "1 passed, 0 failed"))
        self.assertEqual((self.folder / "flaky.txt").read_text(), "attack.py ran: broken (logs/attack-py-ran.log)\n")

    def test_a_file_that_cant_be_imported_fails(self):
        code, output = self.run_main(suite, "--rerun", self.write("test_some.py", "import nothing_of_that_name\n"))
        self.assertEqual((code, output.splitlines()[-1]), (1, "0 passed, 1 failed"))

    def test_a_process_that_ends_before_its_last_test_fails(self):
        text = "import os, unittest\nclass EndTest(unittest.TestCase):\n    def test_ends(self):\n        os._exit(0)\n"
        code, output = self.run_main(suite, self.write("test_some.py", text))
        self.assertEqual((code, output.splitlines()[-1]), (1, "0 passed, 1 failed"))

    def test_a_file_without_tests_fails(self):
        code, output = self.run_main(suite, "--rerun", self.write("test_some.py", "import unittest\n"))
        self.assertEqual((code, output.splitlines()[-1]), (1, "0 passed, 1 failed"))
        self.assertIn("no test was found", output)

    def test_a_folder_whose_suite_runs_nothing_fails(self):
        text = "import pathlib, sys\npathlib.Path(sys.argv[2]).write_text('[]')\n"
        self.assertEqual(self.run_main(suite, self.write("suite.py", text))[0], 1)

    def test_a_failed_method_that_is_skipped_when_it_runs_again_has_failed(self):
        code, output = self.run_main(suite, "--rerun", self.write("test_some.py", SKIPPED_TEST))
        self.assertEqual((code, output.splitlines()[-1]), (1, "0 passed, 1 failed"))
        self.assertFalse((self.folder / "flaky.txt").exists())

    def test_a_file_whose_tests_are_all_skipped_passes_and_says_so(self):
        self.write("ran", "")
        code, output = self.run_main(suite, self.write("test_some.py", SKIPPED_TEST))
        self.assertEqual(code, 0, output)
        self.assertIn("test_some.py: 1 of 1 passed (1 skipped), ", output)

    def test_a_method_that_passes_although_it_should_fail_has_failed(self):
        text = "import unittest\nclass SomeTest(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_passes(self):\n        pass\n"
        code, output = self.run_main(suite, self.write("test_some.py", text))
        self.assertEqual((code, output.splitlines()[-1]), (1, "0 passed, 1 failed"))

    def test_a_suite_says_where_its_log_is_before_it_runs(self):
        output = self.run_main(suite, self.write("attack.py", "print('hello')\n"))[1]
        self.assertEqual(output.splitlines()[0], "attack.py: begins, log logs/attack-py.log")


class GateTest(FolderTest):
    def run_gate(self, scripts: dict[str, str], parts=None, limit=10) -> tuple[int, str]:
        """Runs a shell script for each part."""
        parts = parts or [gate.Part(name, 1) for name in scripts]
        running = gate.Gate("test", parts, dict.fromkeys(scripts, 1), lambda name: ["bash", "-c", scripts[name]])
        output = io.StringIO()
        limits = unittest.mock.patch.multiple(gate, LEAST_LIMIT=limit, PATIENCE=0)
        with contextlib.redirect_stdout(output), limits:
            code = running.run()
            running.stop()
        return code, output.getvalue()

    def test_a_part_begins_when_those_before_it_have_passed(self):
        parts = [gate.Part("second", 1, ("first",)), gate.Part("first", 1)]
        code, output = self.run_gate({"first": f"touch {self.folder}/first", "second": f"rm {self.folder}/first"}, parts)
        self.assertEqual(code, 0, output)

    def test_parts_run_beside_each_other_up_to_the_most_load(self):
        fifos = [self.folder / name for name in ("one", "two")]
        for fifo in fifos:
            subprocess.run(["mkfifo", fifo], check=True)
        # Each waits for the other.
        scripts = {"one": f"echo >{fifos[0]}; cat {fifos[1]}", "two": f"cat {fifos[0]}; echo >{fifos[1]}"}
        self.assertEqual(self.run_gate(scripts)[0], 0)
        busy = [gate.Part("one", gate.MOST_LOAD), gate.Part("two", gate.MOST_LOAD)]
        self.assertEqual(self.run_gate(scripts, busy, limit=1)[0], 1)

    def test_a_part_that_hangs_is_ended_with_all_that_it_started(self):
        # Nothing ends while a process holds the pipe open.
        fifo = self.folder / "open"
        os.mkfifo(fifo)
        with open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
            code, output = self.run_gate({"stuck": f"echo begun; sleep 1000 >{fifo} & wait"}, limit=0.5)
            os.set_blocking(reader.fileno(), True)
            self.assertEqual(reader.read(), b"")
        self.assertEqual(code, 1)
        self.assertRegex(output, "stuck hung: ended after . s. The end of logs/stuck.log:\nbegun\n")

    def test_a_part_that_works_past_its_limit_goes_on(self):
        with unittest.mock.patch.multiple(gate, SPAN_SECONDS=0.5, WORK_SHARE=0.01, MOST_PATIENCE=1_000):
            code, output = self.run_gate({"busy": "for ((i = 0; i < 900000; i++)); do :; done"}, limit=0.5)
        self.assertEqual(code, 0, output)

    def test_a_part_that_works_without_end_is_ended(self):
        with unittest.mock.patch.multiple(gate, SPAN_SECONDS=0.1):
            code, output = self.run_gate({"busy": "while :; do :; done"}, limit=0.2)
        self.assertEqual(code, 1)
        self.assertIn("busy hung", output)

    def test_processes_in_a_session_of_their_own_are_ended_too(self):
        fifo = self.folder / "open"
        os.mkfifo(fifo)
        with open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
            # The request to end does not reach what it started.
            other = f"trap '' TERM; sleep 1000 >{fifo} & wait; wait"
            code, _ = self.run_gate({"stuck": f'setsid bash -c "{other}" & wait'}, limit=0.5)
            os.set_blocking(reader.fileno(), True)
            self.assertEqual(reader.read(), b"")
        self.assertEqual(code, 1)

    def test_a_part_that_installs_may_take_as_long_as_its_patience(self):
        text = (ROOT / ".ci/patiently").read_text()
        again, limit = (int(re.search(rf"{name}:-(\d+)", text)[1]) for name in ("AGAIN", "LIMIT"))
        for part in (part for parts in gate.GATES.values() for part in parts if part.name.endswith("tools") or part.name == "packages"):
            self.assertGreaterEqual(part.limit(1), gate.LEAST_LIMIT + 3 * (again + limit), part.name)
        self.assertEqual(gate.Part("lint", 1).limit(1), gate.LEAST_LIMIT)

    def test_a_command_that_blocks_ends_and_is_run_again(self):
        times = {"PATIENTLY_AGAIN": "0", "PATIENTLY_LIMIT": "0.2"}
        done = subprocess.run(["bash", ROOT / ".ci/patiently", "sleep", "1000"], env={**os.environ, **times}, timeout=60)
        self.assertEqual(done.returncode, 124)

    def test_a_download_of_a_debian_that_stands_still_begins_anew(self):
        program, tries = self.folder / "mmdebstrap", self.folder / "tries"
        # The first time it leaves half a folder, and waits for a child that no signal but a kill ends.
        program.write_text(
            "#!/bin/bash\nmkdir \"${@: -1}\" || exit\nif ! [ -e "
            f"{tries} ]; then touch {tries}; trap '' TERM; bash -c 'trap \"\" TERM; sleep 1000 & wait; wait'; fi\n"
        )
        program.chmod(0o755)
        (self.folder / ".build").mkdir()
        (self.folder / ".ci").symlink_to(ROOT / ".ci")
        path = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        with unittest.mock.patch.multiple(debian, ROOT=self.folder, STILL_SECONDS=0.2, ENDED_SECONDS=0.2):
            with unittest.mock.patch.dict(os.environ, path):
                self.assertTrue(debian.base([], "bookworm").is_dir())
        self.assertTrue(tries.exists())

    def test_parts_after_the_program_dont_build_it_again(self):
        scripts = {"program": 'test -z "$TWEENCAST"', "later": 'test "$TWEENCAST" = ' + str(gate.PROGRAM)}
        parts = [gate.Part("program", 1), gate.Part("later", 1, ("program",))]
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("TWEENCAST", None)
            self.assertEqual(self.run_gate(scripts, parts)[0], 0)

    def test_a_failure_shows_its_log_and_ends_the_gate(self):
        parts = [gate.Part("broken", 1), gate.Part("later", 1, ("broken",))]
        code, output = self.run_gate({"broken": "echo what broke; exit 3", "later": "true"}, parts)
        self.assertEqual(code, 1)
        self.assertIn("broken failed with exit code 3. The end of logs/broken.log:\nwhat broke\n", output)
        self.assertTrue(output.endswith("make test failed in broken. By itself: make broken\n"))

    def test_closing_lines_are_added_up(self):
        scripts = {"one": "echo 3 passed, 0 failed", "two": "echo 4 sessions passed, 0 failed"}
        self.assertIn("\ntest: 7 passed, 0 failed\n", self.run_gate(scripts)[1])

    def test_children_get_the_signals_that_a_background_ignores(self):
        lines = "import gate, signal, subprocess, sys; gate.restore_signals(); subprocess.run([sys.executable, '-c', 'import signal; print(signal.getsignal(signal.SIGINT))'])"  # noqa: E501
        done = subprocess.run(
            [sys.executable, "-c", lines], cwd=ROOT / ".ci", capture_output=True, text=True, check=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        )  # fmt: skip
        self.assertIn("default_int_handler", done.stdout)

    def test_processes_started_while_a_part_is_ended_are_ended_too(self):
        lines = """
import os, time
while True:
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    os.write(1, b"started\\n")
    time.sleep(0.001)
"""
        child = subprocess.Popen([sys.executable, "-c", lines], stdout=subprocess.PIPE, start_new_session=True)
        with child.stdout as output:
            output.readline()
            gate.end(child.pid, grace=1)
            # Ends when nobody has the pipe open any more.
            output.read()
        child.wait()

    def test_a_signal_in_the_middle_of_a_start_acts_at_its_end(self):
        steps = []
        with unittest.mock.patch.object(gate, "ENDING_SIGNALS", (signal.SIGUSR1,)):
            before = signal.signal(signal.SIGUSR1, lambda *_: steps.append("acted"))
            try:
                with gate.signals_wait():
                    signal.raise_signal(signal.SIGUSR1)
                    steps.append("started")
            finally:
                signal.signal(signal.SIGUSR1, before)
        self.assertEqual(steps, ["started", "acted"])

    def test_the_page_has_the_seconds_of_each_part(self):
        page = ROOT / "CONTRIBUTING.md"
        for name, parts in gate.GATES.items():
            with unittest.mock.patch.object(gate, "PAGE", page):
                self.assertEqual({"all", *(part.name for part in parts)}, set(gate.expected_seconds(name)))


class ExploreTest(FolderTest):
    def test_a_failure_stands_in_the_table_with_its_command_and_the_others_go_on(self):
        explorers = {"fails": "test {seed} -lt 0", "passes": "echo {seed}"}
        with unittest.mock.patch.object(explore, "EXPLORERS", explorers):
            code, output = self.run_main(explore, "--seconds", "0")
        self.assertEqual(code, 1)
        self.assertRegex(output, r"FAIL fails 0 s: test \d+ -lt 0\n")
        self.assertRegex(output, r"ok   passes 0 s: echo \d+\n")
        self.assertRegex(output, r"\n1 failures:\n  fails        test \d+ -lt 0\n               log: logs/0-fails.log\n$")

    def test_each_turn_has_another_seed(self):
        with unittest.mock.patch.object(explore, "EXPLORERS", {"one": "echo {seed}", "two": "echo {seed}"}):
            code, output = self.run_main(explore, "--seconds", "0")
        seeds = {line.rpartition(" ")[2] for line in output.splitlines() if line.startswith("ok")}
        self.assertEqual((code, len(seeds)), (0, 2))


    def test_when_it_is_ended_nothing_that_it_started_goes_on(self):
        fifo = self.folder / "open"
        os.mkfifo(fifo)
        lines = f"""
import pathlib, sys, explore
explore.ROOT, explore.LOGS = pathlib.Path({str(self.folder)!r}), pathlib.Path({str(self.folder)!r})
explore.EXPLORERS = {{"one": "(setsid sleep 1000 & sleep 1000) >{fifo}"}}
sys.argv[1:] = []
explore.main()
"""
        child = subprocess.Popen([sys.executable, "-c", lines], cwd=ROOT / ".ci", stderr=subprocess.DEVNULL)
        with fifo.open("rb") as reader:
            child.terminate()
            self.assertEqual(reader.read(), b"")
        self.assertEqual(child.wait(), 130)


class SharedTest(unittest.TestCase):
    def test_an_attacker_that_ends_with_an_error_ends_the_run(self):
        class Broken(target.Attacker):
            def attack(self):
                raise ValueError("a mistake of its own")

        broken = Broken()
        broken.target = unittest.mock.Mock()
        broken.start()
        broken.join()
        self.assertIn("ValueError: a mistake of its own", broken.target.fail.call_args[0][0])

    def test_frames_of_an_instant_are_the_same_but_for_a_missing_tick(self):
        frame, other = '{"ticker":"m","value":%d,"t":5%s}', ',"seq":3'
        self.assertTrue(same.is_same(frame % (1, other), frame % (1, "")))
        self.assertTrue(same.is_same(frame % (1, ""), frame % (1, other)))
        for wrong in (frame % (2, ""), frame % (2, other), frame % (1, ',"seq":4')):
            self.assertFalse(same.is_same(frame % (1, other), wrong), wrong)


class RecordsTest(unittest.TestCase):
    DAYS = [f"2026-12-{day:02}" for day in range(1, 31)]

    def test_a_sixth_flaky_test_is_too_many(self):
        lines = [f"2026-12-25 test_some.py SomeTest.test_{number}: slow page" for number in range(6)]
        self.assertEqual(records.wrong_flaky(lines[:5], self.DAYS), [])
        self.assertEqual(len(records.wrong_flaky(lines, self.DAYS)), 1)

    def test_a_flaky_test_is_mended_within_ten_landings(self):
        self.assertEqual(records.wrong_flaky(["2026-12-20 name: reason"], self.DAYS), [])
        self.assertIn("flaky for 11 landings", records.wrong_flaky(["2026-12-19 name: reason"], self.DAYS)[0])

    def test_a_line_has_a_date_a_name_and_a_reason(self):
        for line in ("name: reason", "2026-12-20 name", "2026-13-20 name: reason", ""):
            self.assertIn("not `YYYY-MM-DD NAME: REASON`", records.wrong_flaky([line], self.DAYS)[0])

    def test_a_subject_names_its_part_and_is_short(self):
        for subject in ("http: answers are read within 120 s", "streams, docs: texts are cut before they are walked"):
            self.assertIsNone(records.wrong_subject(subject))
        for subject in ("no part", "kitchen: hot", "http:", "http, kitchen: hot", "http: " + "x" * 60):
            self.assertIsNotNone(records.wrong_subject(subject), subject)


if __name__ == "__main__":
    unittest.main(verbosity=2)
