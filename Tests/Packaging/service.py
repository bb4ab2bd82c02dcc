"""The packaged service in a Debian without systemd: started by its unit's lines, on a socket that is held for it."""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request

from debian import ROOT

sys.path.insert(0, str(ROOT / "Tests/Operations"))
from supervised import SHELL, Notices  # noqa: E402

UNIT = "lib/systemd/system/tweencast.service"


def unit(root):
    """The lines of the installed unit's section [Service], the last of those with one name."""
    lines = (root / UNIT).read_text().split("[Service]")[1].split("[Install]")[0].splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


class Service:
    """What systemd does with both units, as far as this needs it: user, folder, socket and notices."""

    def __init__(self, debian):
        self.debian = debian
        self.unit = unit(debian.root)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        notices = debian.root / "run/notices"
        notices.mkdir()
        self.notices = Notices(str(notices))
        self.process = None

    def make_state(self):
        """The folder that the service keeps its state in."""
        user = self.unit["User"]
        folder = f"/var/lib/{self.unit['StateDirectory']}"
        mode = self.unit["StateDirectoryMode"]
        self.debian.run("install", "-d", "-o", user, "-g", self.unit["Group"], "-m", mode, folder)
        os.chmod(self.notices.path, 0o666)

    def start(self):
        """Starts it, and returns when it says that it is ready."""
        self.make_state()
        command = self.debian.command("sh", "-c", SHELL, *shlex.split(self.unit["ExecStart"]), user=self.unit["User"])
        environment = {"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/run/notices/notify"}
        with open(self.debian.root / "run/log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdin=self.socket, env=environment, stdout=log, stderr=log)
        self.notices.wait_for("READY=1")

    def end(self):
        """Ends it as systemd does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def close(self):
        """Ends whatever there is."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        self.notices.socket.close()

    def ask(self, path, body=None):
        """What it answers, as JSON."""
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(self.address + path, data, timeout=60) as answer:
            return json.load(answer)

    def text(self, path):
        """What it answers, as text."""
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return answer.read().decode()
