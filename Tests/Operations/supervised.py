"""A server whose listening socket somebody else holds, as systemd does: restarts refuse nobody."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
import tested  # noqa: E402

PROGRAM = tested.program()
# Becomes the program under the number that the program is told of, with the socket as descriptor 3.
SHELL = 'exec 3<&0 0</dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; exec "$0" "$@"'


class Notices:
    """What a service tells its supervisor (sd_notify), in order."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(1)

    def next(self, process=None):
        """The next notice; 60 s are for what is broken. Fails if the process has ended without one."""
        for _ in range(60):
            try:
                return self.socket.recv(4096).decode().split("\n")
            except TimeoutError:
                if process and process.poll() is not None:
                    raise AssertionError(f"the service ended with {process.returncode}") from None
        raise AssertionError("the service notified nothing for 60 s")

    def wait_for(self, state, process=None):
        """Returns once the service has told this."""
        while state not in self.next(process):
            pass

    def wait_for_successor(self):
        """Returns the number of the process that goes on, once the service has told it."""
        while True:
            told = dict(line.split("=", 1) for line in self.next() if line)
            if "MAINPID" in told:
                return int(told["MAINPID"])


class Supervisor:
    """Holds a socket, and runs one server after the other on it."""

    def __init__(self, *arguments, watchdog=None, program=PROGRAM):
        self.folder = tempfile.TemporaryDirectory()
        self.notices = Notices(self.folder.name)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.socket.getsockname()[1]
        self.program = program
        self.arguments = arguments
        self.watchdog = watchdog
        self.process = None
        self.start()

    def start(self):
        """Starts a server, and returns when it says that it is ready."""
        environment = dict(os.environ, NOTIFY_SOCKET=self.notices.path)
        if self.watchdog:
            environment["WATCHDOG_USEC"] = str(int(self.watchdog * 1e6))
        command = ["sh", "-c", SHELL, self.program, "--data", self.folder.name + "/data", *self.arguments]
        self.process = subprocess.Popen(command, stdin=self.socket, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        self.notices.wait_for("READY=1", self.process)

    def restart(self):
        """Ends the server and starts another, as `systemctl restart` does."""
        assert self.end() == 0
        self.start()

    def end(self):
        """Ends the server; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.notices.wait_for("STOPPING=1")
        return self.process.wait(60)

    def close(self):
        """Ends everything."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        self.notices.socket.close()
        self.folder.cleanup()
