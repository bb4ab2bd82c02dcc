"""The archive that `make dist` has built: its bytes, the list of its contents, and that it runs where nothing is installed."""

import hashlib
import http.server
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.request

from debian import ROOT, Debian, archive, obstacle, run

DIST = ROOT / ".build/dist"
SECRET = {"TWEENCAST_WEBHOOK_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
# The parts of the C library.
MACHINES_OWN = re.compile(r"(ld-linux-x86-64|libc|libm|libresolv|libnss_\w+)\.so\.\d+")


def commands():
    """What the README says to run first, line by line."""
    return re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1].splitlines()


def digest(file):
    """Its SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


class ContentsTest(unittest.TestCase):
    """The archive, unpacked."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        run("tar", "--extract", "--file", archive(), "--directory", folder.name)
        (cls.root,) = pathlib.Path(folder.name).iterdir()

    def test_the_same_sources_make_the_same_bytes(self):
        """In another folder, in another time zone and language, by a user whose files are private."""
        with tempfile.TemporaryDirectory() as folder:
            tracked = run("git", "ls-files", "packaging", "public", "docs", "*.md", "LICENSE", cwd=ROOT).splitlines()
            run("cp", "--parents", *tracked, folder, cwd=ROOT)
            moment = run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
            environment = dict(os.environ, SOURCE_DATE_EPOCH=moment, TZ="Pacific/Auckland", LC_ALL="C")
            script = "umask 077; packaging/viewer public v && packaging/deb $0 v d && packaging/archive $0 v d"
            run("bash", "-c", script, ROOT / ".build/release/tweencast", cwd=folder, env=environment)
            built = [file for file in DIST.iterdir() if file.name != "SHA256SUMS"]
            self.assertEqual(len(built), 3)
            for file in built:
                self.assertEqual(digest(pathlib.Path(folder, "d", file.name)), digest(file), file.name)

    def test_checksums_are_right(self):
        """Of everything that is beside them."""
        self.assertEqual(run("sha256sum", "--check", "SHA256SUMS", cwd=DIST).count(": OK\n"), 3)

    def test_the_bill_of_materials_lists_the_program_and_its_libraries(self):
        """Every library with its digest and its package, and that package's licence; and the program."""
        bill = json.loads((DIST / f"{self.root.name}-linux-x86_64.cdx.json").read_text())
        listed = {part["name"]: part["hashes"][0]["content"] for part in bill["components"]}
        self.assertEqual(listed, {file.name: digest(file) for file in (self.root / "lib").iterdir()})
        program = bill["metadata"]["component"]
        self.assertEqual(program["hashes"][0]["content"], digest(self.root / "tweencast"))
        self.assertEqual(f"tweencast {program['version']}", run(self.root / "tweencast", "version").strip())
        for part in bill["components"]:
            self.assertTrue(part["licenses"] and part["supplier"]["name"] and part["version"], part["name"])
            package = next(fact["value"] for fact in part["properties"] if fact["name"] == "debian:package")
            self.assertTrue((self.root / "licenses" / package).is_file(), package)

    def test_no_newer_c_library_is_needed_than_the_readme_says(self):
        """By the versions of all symbols that the program and its libraries ask for."""
        said = re.search(r"glibc (2\.\d+) or later", (ROOT / "README.md").read_text())[1]
        asked = run("objdump", "--dynamic-syms", self.root / "tweencast", *(self.root / "lib").iterdir())
        self.assertEqual(max(set(re.findall(r"\bGLIBC_(2\.\d+)", asked)), key=lambda name: int(name[2:])), said)

    def test_the_program_contains_no_path_of_its_build(self):
        """No folder of this machine is in the program."""
        program = (self.root / "tweencast").read_bytes()
        for folder in (str(ROOT), "/.build/"):
            self.assertNotIn(folder.encode(), program)

    def test_systemd_understands_the_units(self):
        """They start the program in /opt/tweencast, with settings that are good."""
        unit = (self.root / "systemd/tweencast.service").read_text()
        self.assertIn("ExecStart=/opt/tweencast/tweencast --config", unit)
        folder = self.root.parent / "units"
        folder.mkdir()
        for source in self.root.glob("systemd/*.*"):
            if source.suffix in (".service", ".socket", ".timer"):
                (folder / source.name).write_text(source.read_text().replace("/opt/tweencast/tweencast", f"{self.root}/tweencast"))
        self.assertEqual(len(list(folder.iterdir())), 4)
        self.assertEqual(run("systemd-analyze", "verify", "--man=no", *folder.iterdir()), "")
        checked = run(self.root / "tweencast", "--check-config", "--config", self.root / "systemd/tweencast.toml")
        self.assertEqual(checked.strip(), "the configuration is good")


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes calls."""

    def do_POST(self):  # noqa: N802
        """Says that it has taken it."""
        self.server.paths.append(self.path)
        self.send_response(204)
        self.end_headers()
        self.server.came.set()

    def log_message(self, *_):
        """Says nothing."""


@unittest.skipIf(obstacle(), obstacle())
class RunTest(unittest.TestCase):
    """In Debian systems with only what each must have: no time zones, no certificates, no library that the program needs."""

    def start(self, release, *flags):
        """Unpacks it and starts it as the README says; flags are added. Returns the system, the process and its address."""
        debian = Debian(release=release)
        self.addCleanup(debian.close)
        # A folder of pages that aren't the viewer's is in the way.
        debian.run("install", "-d", "-o", "nobody", "/srv/t", "/srv/t/public")
        shutil.copy(archive(), debian.root / "srv/t")
        unpack, serve = commands()
        debian.run("sh", "-c", f"cd /srv/t && {unpack}")
        command = debian.command("sh", "-c", f"cd /srv/t && exec {serve} {shlex.join(flags)}", user="nobody")
        with open(debian.root / "srv/log", "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, env={"TWEENCAST_PORT": "0", "PATH": "/bin", **SECRET}, stdout=subprocess.PIPE, stderr=log, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        address = re.fullmatch(r"listening on (http://\S+)\n", process.stdout.readline())
        self.assertTrue(address, (debian.root / "srv/log").read_text())
        return debian, process, address[1]

    def check(self, release):
        """It streams, serves the pages, knows zones, uses no library but its own, and ends when it is asked to."""
        debian, process, address = self.start(release, "--webhook-host", "hooks.example.com")
        with urllib.request.urlopen(f"{address}/v1/events?ticker=*", timeout=60) as stream:
            self.assertTrue(any(line.startswith(b'data: {"ticker":') for line in stream))
        with urllib.request.urlopen(address, timeout=60) as page:
            self.assertIn("<title>Tweencast</title>", page.read().decode())
        schedule = b'{"every":"0 9 * * MON-FRI","timeZone":"Europe/Berlin","do":[{"notify":"n"}]}'
        request = urllib.request.Request(f"{address}/v1/schedules/s", schedule, method="PUT")
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.assertEqual(answer.status, 201)
        maps = pathlib.Path(f"/proc/{process.pid}/maps").read_text()
        libraries = {pathlib.Path(path) for path in re.findall(r"(/\S+\.so\S*)", maps)}
        self.assertGreater(len(libraries), 20)
        foreign = {path for path in libraries if path.parent.name != "lib" or "tweencast-" not in path.parent.parent.name}
        self.assertEqual([path.name for path in foreign if not MACHINES_OWN.fullmatch(path.name)], [])
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 0)
        log = (debian.root / "srv/log").read_text()
        for missing in ("no time zones on this machine (package tzdata)", "no certificate authorities on this machine"):
            self.assertIn(missing, log)

    def test_the_archive_runs_in_debian_12(self):
        """As it is after its installer's first step."""
        self.check("bookworm")

    def test_the_archive_runs_in_debian_13(self):
        """Whose libraries are others."""
        self.check("trixie")

    def test_webhooks_use_the_certificate_file_of_fedora(self):
        """Fedora's file of them."""
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = pathlib.Path(folder, "key"), pathlib.Path(folder, "certificate")
            kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=receiver")
            run("openssl", "req", "-x509", *kind, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate)
            receiver = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
            receiver.paths, receiver.came = [], threading.Event()
            authorities = certificate.read_text()
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        host = f"127.0.0.1:{receiver.server_port}"
        debian, _, address = self.start("trixie", "--webhook-host", host)
        folder = debian.root / "etc/pki/tls/certs"
        folder.mkdir(parents=True)
        (folder / "ca-bundle.crt").write_text(authorities)
        update = f'{{"to":1,"duration":0,"then":[{{"webhook":"https://{host}/done"}}]}}'
        with urllib.request.urlopen(f"{address}/v1/tickers/t", update.encode(), timeout=60):
            self.assertTrue(receiver.came.wait(60), (debian.root / "srv/log").read_text())
        self.assertEqual(receiver.paths, ["/done"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
