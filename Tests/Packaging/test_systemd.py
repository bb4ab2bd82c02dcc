"""The package and the archive under systemd, in a Debian of its own: started by its units, confined, upgraded under load, removed."""

import collections
import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from debian import ROOT, Debian, archive, obstacle, older, package

sys.path.insert(0, str(ROOT / "Tests"))
from ports import free_port  # noqa: E402

ADDRESS = "[Socket]\nListenStream=\nListenStream=127.0.0.1:{port}\n"


class Caller:
    """Asks again and again, each time by a connection of its own, and counts what it is answered."""

    def __init__(self, port):
        self.port = port
        self.answers = collections.Counter()
        self.is_ending = False
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.is_ending:
            self.answers[self.ask()] += 1

    def ask(self):
        """A status, or what went wrong."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request("GET", "/v1/tickers/still")
            return connection.getresponse().status
        except OSError as error:
            return repr(error)
        finally:
            connection.close()

    def end(self):
        """Asks no more."""
        self.is_ending = True
        self.thread.join()


@unittest.skipIf(obstacle(), obstacle())
class SystemdTest(unittest.TestCase):
    """One machine, from first to last."""

    def setUp(self):
        self.debian = Debian(package())
        self.addCleanup(self.debian.close)
        self.port = free_port()
        # As `systemctl edit tweencast.socket` writes it.
        folder = self.debian.root / "etc/systemd/system/tweencast.socket.d"
        folder.mkdir(parents=True)
        (folder / "override.conf").write_text(ADDRESS.format(port=self.port))
        self.debian.boot()

    def shown(self, unit, name):
        """What systemd knows of a unit."""
        return self.debian.run("systemctl", "show", "--value", f"--property={name}", unit).strip()

    def states(self):
        """Whether service and socket are active."""
        return [self.shown(f"tweencast.{kind}", "ActiveState") for kind in ("service", "socket")]

    def post(self, path, body):
        """Changes something; the status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", path, body)
        status = connection.getresponse().status
        connection.close()
        return status

    def wait_until(self, condition):
        """Returns when something holds that tells nobody; 60 s are for what is broken."""
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.2)

    def test_a_process_that_takes_over_is_the_service(self):
        """SIGUSR2: systemd watches the next process from then on, and hears its watchdog."""
        folder = self.debian.root / "etc/systemd/system/tweencast.service.d"
        folder.mkdir(parents=True)
        (folder / "override.conf").write_text("[Service]\nWatchdogSec=10\n")
        self.debian.install(package())
        before = self.shown("tweencast.service", "MainPID")
        self.debian.run("systemctl", "kill", "--kill-whom=main", "--signal=USR2", "tweencast")
        self.wait_until(lambda: self.shown("tweencast.service", "MainPID") not in (before, "0"))
        after = self.shown("tweencast.service", "MainPID")
        for _ in range(2):
            heard = self.shown("tweencast.service", "WatchdogTimestampMonotonic")
            self.wait_until(lambda: self.shown("tweencast.service", "WatchdogTimestampMonotonic") != heard)
        self.assertEqual(self.states(), ["active", "active"])
        self.assertEqual(self.shown("tweencast.service", "MainPID"), after)
        self.assertEqual(self.shown("tweencast.service", "NRestarts"), "0")
        self.assertEqual(self.post("/v1/tickers/still", '{"to":1}'), 202)

    def test_an_upgrade_under_load_refuses_nobody(self):
        """The socket stays open, the service is another process, and everybody is answered."""
        with tempfile.TemporaryDirectory() as folder:
            self.debian.install(older(package(), folder))
        self.assertIn(self.post("/v1/tickers/still", '{"to":250,"duration":0}'), (201, 202))
        known = {"service": "MainPID", "socket": "ActiveEnterTimestampMonotonic"}
        before = {kind: self.shown(f"tweencast.{kind}", name) for kind, name in known.items()}
        self.debian.run("systemctl", "reload", "tweencast")
        self.assertEqual(self.shown("tweencast.service", "MainPID"), before["service"])
        journal = self.debian.run("journalctl", "--unit=tweencast", "--priority=info..info", "--output=cat")
        self.assertIn(f"\nservice: ready address=http://127.0.0.1:{self.port}\n", journal)

        caller = Caller(self.port)
        self.addCleanup(caller.end)
        self.debian.install(package())
        after = {kind: self.shown(f"tweencast.{kind}", name) for kind, name in known.items()}
        caller.end()
        self.assertEqual(self.states(), ["active", "active"])
        self.assertNotEqual(after["service"], before["service"])
        self.assertEqual(after["socket"], before["socket"])
        self.assertEqual(set(caller.answers), {200})
        print(f"\n{caller.answers[200]} requests while the package was upgraded, all answered")

        self.debian.run("dpkg", "--remove", "tweencast")
        self.assertEqual(self.states(), ["inactive", "inactive"])
        self.assertIn("ConnectionRefusedError", caller.ask())
        self.debian.run("dpkg", "--purge", "tweencast")

    def test_the_archive_becomes_a_service_as_the_page_says(self):
        """Its commands, run as they stand; the viewer is found, and repeated commands change nothing."""
        page = (ROOT / "docs/deployment.md").read_text()
        commands = re.search(r"```sh\n(sudo tar .*?)```", page, re.DOTALL)[1].replace("sudo ", "")
        shutil.copy(archive(), self.debian.root / "root")
        for _ in range(2):
            self.debian.run("sh", "-ec", f"cd /root\n{commands}")
            self.assertEqual(self.states(), ["active", "active"])
            self.assertIn(self.post("/v1/tickers/still", '{"to":250,"duration":0}'), (201, 202))
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/")
        self.assertIn("<title>Tweencast</title>", connection.getresponse().read().decode())
        connection.close()

    def test_the_timers_backup_is_a_board_beside_a_running_server(self):
        """Nobody's before it is enabled. An old backup goes when a new one is made; one that can't be made says so."""
        self.debian.install(package())
        self.assertEqual(self.shown("tweencast-backup.timer", "ActiveState"), "inactive")
        self.debian.run("systemctl", "enable", "--now", "tweencast-backup.timer")
        self.assertEqual(self.shown("tweencast-backup.timer", "ActiveState"), "active")
        self.assertEqual(self.post("/v1/tickers/still", '{"to":250,"duration":0}'), 202)
        folder = self.debian.root / "var/lib/tweencast-backups"
        self.debian.run("systemctl", "start", "tweencast-backup")
        (first,) = folder.iterdir()
        self.assertRegex(first.name, r"^board-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite$")
        self.assertEqual(first.stat().st_mode & 0o077, 0)
        self.debian.run("tweencast", "check", f"/var/lib/tweencast-backups/{first.name}")
        os.utime(first, (0, 0))
        other = folder / "other"
        other.touch()
        os.utime(other, (0, 0))
        # Not in the same second: its name would be the same.
        self.wait_until(self.backs_up)
        self.assertNotIn(first, list(folder.iterdir()))
        self.assertTrue(other.exists())
        self.debian.run("dpkg", "--purge", "tweencast")
        self.assertEqual(len(list(folder.iterdir())), 2)

    def backs_up(self):
        """Makes a backup; whether that went well."""
        command = self.debian.command("systemctl", "start", "tweencast-backup")
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0

    def test_secrets_are_roots_and_the_service_has_them(self):
        """Webhooks want one. Whoever tries the settings as the service's user can't read it, and is told so."""
        secrets = self.debian.root / "etc/tweencast/environment"
        self.debian.install(package())
        settings = self.debian.root / "etc/tweencast/tweencast.toml"
        settings.write_text(settings.read_text() + 'webhook-host = "hooks.example.com"\n')
        secrets.touch(0o600)
        secrets.write_text(f"TWEENCAST_WEBHOOK_SECRET=whsec_{'A' * 32}\n")
        check = ("runuser", "-u", "tweencast", "--", "tweencast", "--check-config", "--config", "/etc/tweencast/tweencast.toml")
        checked = subprocess.run(self.debian.command(*check), capture_output=True, text=True, timeout=60)
        self.assertIn("--webhook-host needs --webhook-secret", checked.stderr)
        self.debian.run("systemctl", "restart", "tweencast")
        self.assertEqual(self.states(), ["active", "active"])
        self.assertNotIn("whsec", self.debian.run("systemctl", "show", "tweencast"))
        self.debian.run("dpkg", "--purge", "tweencast")
        self.assertEqual(os.listdir(secrets.parent), [secrets.name])

    def test_a_wrong_setting_is_mended_in_place(self):
        """A server that can't start is tried again, however often; who asks meanwhile waits, and is answered then."""
        self.debian.install(package())
        settings = self.debian.root / "etc/tweencast/tweencast.toml"
        good = settings.read_text()
        settings.write_text(good + "tick-rate = 0\n")
        restart = subprocess.run(self.debian.command("systemctl", "restart", "tweencast"), capture_output=True, timeout=60)
        self.assertNotEqual(restart.returncode, 0)
        waiting = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(waiting.close)
        waiting.request("GET", "/readyz")
        # More than systemd allows by itself.
        self.wait_until(lambda: int(self.shown("tweencast.service", "NRestarts")) > 5)
        settings.write_text(good)
        self.assertEqual(waiting.getresponse().status, 200)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
