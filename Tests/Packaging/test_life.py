"""The package's life in a Debian of its own: installed, run by its unit's lines, upgraded, removed, purged.

No systemd runs there, and the service is started here by its unit's lines; test_systemd.py has one that runs."""

import http.client
import os
import tempfile
import unittest

from debian import ROOT, Debian, field, obstacle, older, package, run
from service import Service

CONFIGURATION = "etc/tweencast/tweencast.toml"
# What stays until the package is purged: the settings, the board, and which units are to be started.
LASTING = ("etc/tweencast", "etc/logrotate.d", "var/lib/tweencast", "etc/systemd/system", "var/lib/systemd")
# What belongs to no package or to all of them: users, and what is known of packages.
COMMON = ("etc/passwd", "etc/group", "etc/shadow", "etc/gshadow", "etc/.pwd.lock", "var/lib/dpkg")


@unittest.skipIf(obstacle(), obstacle())
class LifeTest(unittest.TestCase):
    """One package, from first to last."""

    def setUp(self):
        self.package = package()
        self.debian = Debian(self.package)
        self.addCleanup(self.debian.close)
        self.before = self.debian.files()

    def added(self):
        """What is there that wasn't before any package."""
        return {name for name in self.debian.files() - self.before if not name.startswith(COMMON)}

    def service(self):
        """The service, started."""
        service = Service(self.debian)
        self.addCleanup(service.close)
        service.start()
        return service

    def older(self):
        """A package of a lower version with the same files: what is tried are the package's scripts and dpkg's rules."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return older(self.package, folder.name)

    def version(self):
        """The version that is installed."""
        return self.debian.run("dpkg-query", "--show", "--showformat=${Version}", "tweencast")

    def test_installed_it_serves(self):
        """With what it depends on and nothing else, as its own user, with the viewer and the settings that it came with."""
        self.debian.install(self.package)
        self.assertEqual(self.debian.run("tweencast", "version").strip(), f"tweencast {field(self.package, 'Version')}")
        for link in ("sockets.target.wants/tweencast.socket", "multi-user.target.wants/tweencast.service"):
            self.assertTrue((self.debian.root / "etc/systemd/system" / link).is_symlink(), link)
        service = self.service()
        self.assertIn("<title>Tweencast</title>", service.text("/"))
        self.assertEqual(service.ask("/v1/tickers/t", {"to": 5, "duration": 0})["value"], 5)
        user = int(self.debian.run("id", "--user", "tweencast"))
        self.assertEqual(os.stat(f"/proc/{service.process.pid}").st_uid, user)
        state = self.debian.root / "var/lib/tweencast"
        self.assertIn("tweencast.sqlite", [path.name for path in state.iterdir()])
        for path in (state, *state.iterdir()):
            self.assertEqual((path.stat().st_uid, path.stat().st_mode & 0o077), (user, 0), path)
        self.assertEqual(service.end(), 0)

    def test_an_upgrade_keeps_the_board_and_the_settings(self):
        """The old program serves until it is restarted, and who connects meanwhile is answered by the new one."""
        self.debian.install(self.older())
        self.assertIn("~older", self.version())
        configuration = self.debian.root / CONFIGURATION
        configuration.write_text(edited := configuration.read_text() + "heartbeat = 7\n")
        service = self.service()
        service.ask("/v1/tickers/still", {"to": 250, "duration": 0})
        service.ask("/v1/tickers/moving", {"label": "0", "to": 3600, "duration": 3600, "easing": "linear"})
        before = service.ask("/v1/tickers/moving")["value"]

        # The settings were edited, and are asked about by nobody: they are new in neither version.
        self.debian.install(self.package)
        self.assertEqual(self.version(), field(self.package, "Version"))
        self.assertEqual(service.ask("/v1/tickers/still")["value"], 250)
        self.assertEqual(service.end(), 0)
        waiting = http.client.HTTPConnection(service.address.removeprefix("http://"), timeout=60)
        self.addCleanup(waiting.close)
        waiting.request("GET", "/v1/tickers/still")
        service.start()
        self.assertEqual(waiting.getresponse().status, 200)
        self.assertEqual(service.ask("/v1/tickers/still")["value"], 250)
        self.assertGreater(service.ask("/v1/tickers/moving")["value"], before)
        self.assertEqual(configuration.read_text(), edited)
        self.assertEqual(os.listdir(configuration.parent), [configuration.name])
        listing = self.debian.run("tweencast", "config", "--config", "/" + CONFIGURATION)
        self.assertRegex(listing, r"(?m)^heartbeat = 7\b")
        self.assertEqual(service.end(), 0)

    def test_removed_it_leaves_board_and_settings_and_purged_nothing(self):
        """What was removed goes on where it was when it is installed again."""
        self.debian.install(self.package)
        service = self.service()
        service.ask("/v1/tickers/still", {"to": 250, "duration": 0})
        self.assertEqual(service.end(), 0)
        self.debian.run("dpkg", "--remove", "tweencast")
        self.assertEqual([name for name in self.added() if not name.startswith(LASTING)], [])
        self.assertTrue({CONFIGURATION, "var/lib/tweencast/tweencast.sqlite"} <= self.added())

        self.debian.install(self.package)
        service.start()
        self.assertEqual(service.ask("/v1/tickers/still")["value"], 250)
        self.assertEqual(service.end(), 0)
        self.debian.run("dpkg", "--purge", "tweencast")
        self.assertEqual(self.added(), set())

    def test_a_purge_leaves_what_is_mounted_below(self):
        """It is another file system, of copies say; the board beside it goes, and the purge ends."""
        self.debian.install(self.package)
        state = self.debian.root / "var/lib/tweencast"
        (state / "backup").mkdir(parents=True)
        (state / "tweencast.sqlite").touch()
        script = 'mount -t tmpfs none "$0" && mkdir "$0/copies" && touch "$0/copy" && "$@" && ls "$0"'
        purge = self.debian.command("dpkg", "--purge", "tweencast")
        output = run("unshare", "--mount", "bash", "-c", script, state / "backup", *purge)
        self.assertEqual(output.split()[-2:], ["copies", "copy"])
        self.assertEqual(os.listdir(state), ["backup"])

    def test_a_purge_takes_the_board_where_a_link_leads_to_it(self):
        """Whoever has it on another disk keeps the folder and the link, and nothing in them."""
        self.debian.install(self.package)
        board = self.debian.root / "srv/board"
        (board / "folder").mkdir(parents=True)
        (board / "folder/tweencast.sqlite").touch()
        (self.debian.root / "var/lib/tweencast").symlink_to("/srv/board")
        self.debian.run("dpkg", "--purge", "tweencast")
        self.assertEqual(os.listdir(board), [])


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
