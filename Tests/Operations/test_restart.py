"""Restarts that nobody notices: on a socket that a supervisor holds, and on one that is handed over."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import unittest

from crowd import Reader, post
from supervised import ROOT, Supervisor

READERS = 200
RESTARTS = 3


class Publisher:
    """Publishes numbers, one after the other, for as long as it is told to."""

    def __init__(self, port):
        self.port = port
        self.count = 0
        self.statuses = set()
        self.is_ending = False

    async def run(self):
        """Publishes until it is told to end."""
        while not self.is_ending:
            await self._publish()
            await asyncio.sleep(0.01)

    async def _publish(self):
        number = self.count + 1
        self.statuses.add(await post(self.port, "/v1/notifications/number", json.dumps(number), f"n-{number}"))
        self.count = number


async def until(condition, seconds=60):
    """Returns when something has come about that tells nobody."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


async def restarts(port, restart):
    """A crowd that reads while a server is restarted; what each reader was told, and the largest gap in frames."""
    readers = [Reader(port, "notification=number&ticker=t") for _ in range(READERS)]
    publisher = Publisher(port)
    await post(port, "/v1/tickers/t", '{"to":100000,"duration":3600,"decimals":2}', "t")
    tasks = [asyncio.create_task(reader.run()) for reader in readers]
    await until(lambda: all(reader.frames for reader in readers))
    publishing = asyncio.create_task(publisher.run())
    for number in range(RESTARTS):
        await until(lambda: all(reader.notifications for reader in readers))
        await asyncio.to_thread(restart)
        # Everybody has come back, and hears what is told from here on.
        await until(lambda: all(reader.connections >= number + 2 for reader in readers))
    publisher.is_ending = True
    await publishing
    await until(lambda: all(len(reader.notifications) >= publisher.count for reader in readers))
    failures = [task.exception() for task in tasks if task.done() and not task.cancelled() and task.exception()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return readers, publisher, failures


class Events:
    """A stream of one ticker and one notification, whose head has been read."""

    def __init__(self, port, last=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {"Last-Event-ID": last} if last else {}
        self.connection.request("GET", "/v1/events?ticker=m&notification=end", headers=headers)
        self.lines = self.connection.getresponse()
        self.last = last

    def read(self, until=None):
        """Reads until an event with this name, or to the end; events with their data."""
        events, event = [], {}
        try:
            while line := self.lines.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    event[name] = value
                    continue
                self.last = event.get("id", self.last)
                events.append((event.get("event"), json.loads(event.get("data", "null"))))
                if until and events[-1][0] == until:
                    break
                event = {}
        except (http.client.IncompleteRead, ConnectionError):
            pass  # The server was killed.
        return events

    def close(self):
        """Ends the stream."""
        self.connection.close()


class MergedTest(unittest.TestCase):
    """Completions that share an event are published once, whatever ends the server between their answer and their tick."""

    LINES = 60

    def check(self, supervisor, replace, is_open):
        """Replaces the server right after its answer, and counts what a reader gets before and after.

        `replace` yields once the server was asked to end, and goes on once another serves."""
        self.addCleanup(supervisor.close)
        for repetition in range(1, 6):
            stream = Events(supervisor.port)
            stream.read("hello")
            if not is_open:
                stream.close()
            connection = http.client.HTTPConnection("127.0.0.1", supervisor.port, timeout=60)
            connection.request("POST", "/v1/batch", '{"ticker":"m","by":1,"duration":0}\n' * self.LINES)
            self.assertEqual(connection.getresponse().read().count(b'"status":20'), self.LINES)
            connection.close()
            with replace():
                events = stream.read() if is_open else []
            stream.close()
            again = Events(supervisor.port, stream.last)
            asyncio.run(post(supervisor.port, "/v1/notifications/end", "1", f"end-{repetition}"))
            events += again.read("notification")
            again.close()
            self.assertNotIn("reset", [name for name, _ in events])
            ended = [data for name, data in events if name == "complete"]
            self.assertEqual(sum(data.get("count", 1) for data in ended), self.LINES, ended)
            self.assertEqual([data["finished"] for data in ended], [True] * len(ended))
            self.assertEqual(len(ended), 17, "the seventeenth is those of all others")

    def check_signal(self, number, is_open):
        """A server that a signal ends, and that starts again."""
        supervisor = Supervisor("--drain-timeout", "1")

        @contextlib.contextmanager
        def replace():
            supervisor.process.send_signal(number)
            yield
            supervisor.process.wait(60)
            supervisor.start()

        self.check(supervisor, replace, is_open)

    def test_a_killed_server(self):
        """SIGKILL, with nobody reading, and beside an open stream."""
        self.check_signal(signal.SIGKILL, False)
        self.check_signal(signal.SIGKILL, True)

    def test_a_server_that_is_ended(self):
        """SIGTERM likewise."""
        self.check_signal(signal.SIGTERM, False)
        self.check_signal(signal.SIGTERM, True)

    def test_a_server_that_hands_over(self):
        """SIGUSR2 likewise."""
        for is_open in (False, True):
            supervisor = Supervisor("--drain-timeout", "1", watchdog=2)
            servers = [supervisor.process.pid]
            self.addCleanup(lambda servers=servers: os.kill(servers[-1], signal.SIGTERM))

            @contextlib.contextmanager
            def replace(supervisor=supervisor, servers=servers):
                os.kill(servers[-1], signal.SIGUSR2)
                yield
                hand_over(supervisor, servers)

            self.check(supervisor, replace, is_open)


def hand_over(supervisor, servers):
    """Waits until the next process serves, and adds it."""
    servers.append(supervisor.notices.wait_for_successor())
    supervisor.notices.wait_for("READY=1")
    # The one before has gone: it is the next that the supervisor hears of.
    supervisor.notices.wait_for("WATCHDOG=1")


class RestartTest(unittest.TestCase):
    """Nobody is refused, and nobody misses anything."""

    def check(self, readers, publisher, failures):
        """Each reader was told each number, once and in order."""
        self.assertEqual(failures, [])
        self.assertEqual(publisher.statuses, {204})
        for reader in readers:
            numbers = [json.loads(data)["data"] for data in reader.notifications]
            self.assertEqual(numbers, list(range(1, publisher.count + 1)))
            self.assertEqual(reader.resets, 0)
        gap = max(later - earlier for reader in readers for earlier, later in zip(reader.frames, reader.frames[1:]))
        print(f"\n{READERS} readers, {publisher.count} notifications, {RESTARTS} restarts: "
              f"the longest gap in frames {gap:.2f} s")

    def test_a_restart_on_a_supervisors_socket_loses_no_connection(self):
        """As `systemctl restart` of a service with a socket unit."""
        supervisor = Supervisor("--drain-timeout", "5")
        self.addCleanup(supervisor.close)
        self.check(*asyncio.run(restarts(supervisor.port, supervisor.restart)))

    def test_a_restart_by_handover_loses_no_connection(self):
        """SIGUSR2, for those without a supervisor that holds it."""
        supervisor = Supervisor("--drain-timeout", "5", watchdog=2)
        self.addCleanup(supervisor.close)
        servers = [supervisor.process.pid]
        self.addCleanup(lambda: os.kill(servers[-1], signal.SIGTERM))

        def restart():
            os.kill(servers[-1], signal.SIGUSR2)
            hand_over(supervisor, servers)

        self.check(*asyncio.run(restarts(supervisor.port, restart)))

    def test_a_successor_that_cannot_start_changes_nothing(self):
        """The server goes on when the program that is to take over refuses its configuration."""
        supervisor = Supervisor()
        self.addCleanup(supervisor.close)
        configuration = os.path.join(supervisor.folder.name, "tweencast.toml")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("tick-rate = 60\n")
        supervisor.end()
        supervisor.arguments = ("--config", configuration)
        supervisor.start()
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("tick-rate = 0\n")
        supervisor.process.send_signal(signal.SIGUSR2)
        status = asyncio.run(post(supervisor.port, "/v1/tickers/t", '{"to":1}', "k"))
        self.assertEqual(status, 202)
        self.assertIsNone(supervisor.process.poll())
        self.assertEqual(supervisor.end(), 0)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
