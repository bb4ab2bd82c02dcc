"""What is in the package that `make deb` has built: by Debian's own checks, those of systemd and man, and by shells."""

import os
import pathlib
import pty
import re
import select
import subprocess
import tempfile
import time
import unittest

import yaml
from debian import ROOT, dependencies, field, package, run

# What every Debian has anyway; an image of it, too.
EVERYWHERE = {"libc6", "libgcc-s1"}
# Of the service alone: what makes its user, and what has it read its settings again.
SERVICE_ONLY = {"systemd", "procps"}
# Webhooks over TLS need it; whoever has none can do without.
IMAGE_ONLY = {"ca-certificates"}
# systemd's measure of what a service could do, from 0 to 10.
EXPOSURE = 1.5


class PackageTest(unittest.TestCase):
    """The package, unpacked."""

    @classmethod
    def setUpClass(cls):
        cls.package = package()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        run("dpkg-deb", "--extract", cls.package, cls.root)

    def test_lintian_finds_nothing(self):
        """Neither errors nor warnings."""
        self.assertEqual(run("lintian", "--allow-root", "--fail-on", "error,warning", self.package), "")

    def test_version_is_the_programs(self):
        """There is one version, which the program tells."""
        program = run(self.root / "usr/bin/tweencast", "version").strip()
        self.assertEqual(program, f"tweencast {field(self.package, 'Version')}")

    def test_manual_page_has_no_mistakes(self):
        """man warns of nothing, and the page has every flag of the help."""
        page = self.root / "usr/share/man/man1/tweencast.1.gz"
        environment = dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="100", MANROFFSEQ="")
        done = subprocess.run(
            ["man", "--warnings", "--local-file", str(page)], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        text = re.sub(".\b", "", done.stdout)
        flags = set(re.findall(r"(?m)^ +(--[a-z-]+)", run(self.root / "usr/bin/tweencast", "--help")))
        self.assertGreater(len(flags), 50)
        self.assertEqual({flag for flag in flags if flag not in text}, set())

    def test_settings_are_good(self):
        """Those that come with the package, with the viewer where they say that it is."""
        settings = (self.root / "etc/tweencast/tweencast.toml").read_text()
        file = self.root / "settings.toml"
        file.write_text(settings.replace('"/', f'"{self.root}/'))
        checked = run(self.root / "usr/bin/tweencast", "--check-config", "--config", file)
        self.assertEqual(checked.strip(), "the configuration is good")

    def test_systemd_understands_the_units(self):
        """Every key and value of each."""
        folder = self.root / "units"
        folder.mkdir()
        names = ("tweencast.service", "tweencast.socket", "tweencast-backup.service", "tweencast-backup.timer")
        units = [self.root / "lib/systemd/system" / name for name in names]
        for unit in units:
            # The program lies elsewhere here; what else the units name, and other units, are this machine's.
            (folder / unit.name).write_text(unit.read_text().replace("/usr/bin/tweencast", f"{self.root}/usr/bin/tweencast"))
        self.assertEqual(run("systemd-analyze", "verify", "--man=no", *(folder / unit.name for unit in units)), "")

    def test_service_is_confined(self):
        """As systemd rates it; its backup, too."""
        for name in ("tweencast", "tweencast-backup"):
            unit = self.root / f"lib/systemd/system/{name}.service"
            text = run("systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={EXPOSURE * 10:.0f}", unit)
            print("\n" + re.search(r"Overall exposure level.*", text)[0])

    def test_logrotate_understands_the_rotation(self):
        """Its own dry run, with this machine's user in place of the service's."""
        file = self.root / "rotation"
        file.write_text((self.root / "etc/logrotate.d/tweencast").read_text().replace("su tweencast tweencast", "su root root"))
        self.assertNotIn("error", run("logrotate", "--debug", "--state", self.root / "rotated", file))


class ImageTest(unittest.TestCase):
    """The container's image and the services of compose.yaml, which can't be run here: what they say of the program."""

    setUpClass = classmethod(PackageTest.setUpClass.__func__)

    def setUp(self):
        self.image = (ROOT / "Dockerfile").read_text().split("\nFROM ")[-1]
        self.services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]

    def start(self, environment):
        """Starts the program in the image's environment and this one, with files and a port of its own."""
        variables = dict(word.split("=", 1) for word in re.search(r"(?m)^ENV (.*)$", self.image)[1].split())
        variables |= environment
        variables["TWEENCAST_PUBLIC"] = str(self.root / "usr/share/tweencast/public")
        command = [self.root / "usr/bin/tweencast", "--ephemeral", "--port", "0", "--lame-duck", "0"]
        return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_the_image_installs_the_programs_dependencies(self):
        """The packages are those that Debian's tools have found the program to depend on."""
        named = re.search(r"apt-get install -y --no-install-recommends ((?:[a-z0-9.+-]+|\s|\\\n)+)", self.image)[1]
        needed = set(dependencies(self.package)) - EVERYWHERE - SERVICE_ONLY | IMAGE_ONLY
        self.assertEqual(set(named.replace("\\\n", " ").split()), needed)

    def test_the_image_build_creates_the_folders_of_the_manifest(self):
        """SwiftPM accepts the manifest with the sources and nothing else."""
        command = re.search(r"(?m)^RUN (grep (?:.*\\\n)*.*)$", (ROOT / "Dockerfile").read_text())[1]
        with tempfile.TemporaryDirectory() as folder:
            run("cp", "--recursive", ROOT / "Package.swift", ROOT / "Sources", folder)
            run("sh", "-c", command, cwd=folder)
            self.assertIn("Name: tweencast", run("swift", "package", "describe", cwd=folder))

    def test_the_image_label_is_the_programs_version(self):
        """A release changes both."""
        self.assertIn(f'image.version="{field(self.package, "Version")}"', self.image)

    def test_the_image_requires_auth_and_the_composed_one_starts(self):
        """The image alone asks whom to let in; compose.yaml says so, and lets in this machine alone."""
        with self.start({}) as alone:
            self.assertIn("--auth", alone.communicate(timeout=60)[1])
        self.assertEqual(alone.returncode, 2)
        environment = dict(self.services["tweencast"]["environment"])
        # Its Redis has a name that is known there alone, and its tokens are mounted.
        del environment["TWEENCAST_STORE"]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tokens = environment["TWEENCAST_AUTH"].removeprefix("tokens:/tokens/")
        pathlib.Path(folder.name, tokens).write_text('{"anonymous": {"subscribe": ["*"]}, "tokens": []}')
        environment["TWEENCAST_AUTH"] = f"tokens:{folder.name}/{tokens}"
        self.assertNotIn("TWEENCAST_INSECURE", environment)
        with self.start(environment) as composed:
            self.assertRegex(composed.stdout.readline(), "^listening on http://0.0.0.0:")
            composed.terminate()
        self.assertEqual(composed.returncode, 0)
        ports = [port for service in self.services.values() for port in service.get("ports", [])]
        self.assertEqual([port for port in ports if not port.startswith("127.0.0.1:")], [])

    def test_a_composed_one_has_the_time_to_leave(self):
        """Docker waits for longer than the program may take."""
        service = self.services["tweencast"]
        listing = run(self.root / "usr/bin/tweencast", "config", env=service["environment"])
        drain = float(re.search(r"(?m)^# drain-timeout: ([0-9.]+)", listing)[1])
        leave = float(service["environment"]["TWEENCAST_LAME_DUCK"])
        self.assertGreater(float(service["stop_grace_period"].removesuffix("s")), leave + drain + 5)


class CompletionTest(unittest.TestCase):
    """The shells themselves complete what is typed."""

    setUpClass = classmethod(PackageTest.setUpClass.__func__)

    def test_bash_completes_commands_flags_and_folders(self):
        """A command, a flag, and a folder behind a flag that takes one."""
        script = self.root / "usr/share/bash-completion/completions/tweencast"
        for words, expected in {
            ("bac",): "backup", ("--tick",): "--tick-rate", ("--data", f"{self.root}/us"): f"{self.root}/usr",
            ("--log-level", "w"): "warning", ("--log-level", "=", "w"): "warning", ("completion", "z"): "zsh",
        }.items():
            typed = f'COMP_WORDS=(tweencast "$@") COMP_CWORD={len(words)}; _tweencast; printf "%s\\n" "${{COMPREPLY[@]}}"'
            self.assertEqual(run("bash", "-c", f'. "{script}"; {typed}', "bash", *words).split(), [expected])

    def test_fish_completes_commands_and_flags(self):
        """A command and a flag."""
        script = self.root / "usr/share/fish/vendor_completions.d/tweencast.fish"
        for typed, expected in {"bac": "backup", "--tick": "--tick-rate", "--log-level w": "warning", "completion z": "zsh"}.items():
            found = run("fish", "--no-config", "-c", f"source {script}; complete --do-complete 'tweencast {typed}'")
            self.assertEqual([line.split("\t")[0] for line in found.splitlines()], [expected])

    def test_zsh_completes_commands_and_flags(self):
        """A command and a flag, at a terminal."""
        folder = self.root / "usr/share/zsh/vendor-completions"
        terminal = Terminal("zsh", "-f", "-i")
        self.addCleanup(terminal.close)
        # With the commands' names in two pieces: what is typed is shown, too.
        terminal.type(f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D; tweencast() {{ print run: $* }}; print rea''dy\n")
        terminal.wait_for("ready")
        for typed, expected in {
            "bac": "backup", "--tick": "--tick-rate", "--log-level w": "--log-level warning",
            "--log-level=w": "--log-level=warning", "completion z": "completion zsh",
        }.items():
            terminal.type(f"tweencast {typed}\t")
            terminal.wait_for(expected)
            # The space takes the place of what a completion ends with: another one, or a flag's equals sign.
            terminal.type(" there\n")
            terminal.wait_for(f"run: {expected} there")


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, *command):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, dict(os.environ, TERM="dumb", PS1="% ", HOME="/nonexistent"))
        self.shown = ""

    def type(self, text):
        """Presses the keys."""
        os.write(self.descriptor, text.encode())

    def wait_for(self, text, seconds=60):
        """Returns when it has shown this since the last time."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            left = end - time.monotonic()
            assert left > 0 and select.select([self.descriptor], [], [], left)[0], f"no {text!r} in {self.shown!r}"
            self.shown += os.read(self.descriptor, 4096).decode(errors="replace")
        self.shown = self.shown.split(text, 1)[1]

    def close(self):
        """Hangs up."""
        os.close(self.descriptor)
        os.waitpid(self.process, 0)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
