"""How a server leaves: it says so and serves on (--lame-duck), then takes leave of its streams (--drain-timeout), and neither a
client that is stuck nor a signal makes more of it than that."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from figures import PATIENCE, Server, Stream, post, until

TOPICS = "/v1/events?ticker=*&notification=*"
# Longer than any test: what is seen is the lame duck, or the drain, however slow the machine is.
LONG = "3600"
BYE = re.compile(r'event: bye\nretry: (\d+)\ndata: \{"reason":"draining"\}\n\n')
PIECE = "x" * 50_000


def ready(server: Server) -> int:
    """The status of /readyz."""
    try:
        with urllib.request.urlopen(server.url + "/readyz", timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def clients(server: Server) -> list[dict]:
    with urllib.request.urlopen(server.url + "/v1/clients", timeout=PATIENCE) as answer:
        return json.loads(answer.read())["items"]


class LeavingTest(unittest.TestCase):
    def serve(self, *flags: str) -> Server:
        server = Server("--log-level", "error", *flags)
        self.addCleanup(server.kill)
        return server

    def stream(self, server: Server, path: str = TOPICS, **options) -> Stream:
        stream = Stream(server, path, **options)
        self.addCleanup(stream.close)
        return stream

    def leave(self, server: Server):
        """Asks a server to end, and returns when it says so."""
        server.process.send_signal(signal.SIGTERM)
        until(server, lambda _: ready(server) == 503)

    def check_is_served(self, server: Server, stream: Stream, number: int):
        """A change is taken, and a stream tells it."""
        self.assertEqual(post(server, "/v1/tickers/t", {"to": number, "duration": 0})[0], 202)
        stream.read_until(f'"value":{number},')


class LameDuckTest(LeavingTest):
    """A server that was told to end says so for a while, and serves on."""

    def test_a_lame_duck_serves_on_and_reports_not_ready(self):
        server = self.serve("--lame-duck", LONG)
        before = self.stream(server)
        self.check_is_served(server, before, 1)
        self.assertEqual(ready(server), 200)
        self.leave(server)
        self.check_is_served(server, before, 2)
        after = self.stream(server)
        after.read_until("event: hello")
        self.check_is_served(server, after, 3)
        before.read_until('"value":3,')
        self.assertEqual(post(server, "/v1/notifications/N", "still here")[0], 204)
        for stream in (before, after):
            self.assertNotIn("event: bye", stream.read_until('"data":"still here"'))
        self.assertEqual(urllib.request.urlopen(server.url + "/healthz", timeout=PATIENCE).status, 200)

    def test_a_lame_duck_says_bye_and_ends_when_its_time_is_over(self):
        server = self.serve("--lame-duck", "1")
        stream = self.stream(server)
        stream.read_until("event: hello")
        server.process.send_signal(signal.SIGTERM)
        self.assertRegex(stream.read_until("event: bye") + stream.read_until("draining"), "event: bye\nretry: ")
        self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_a_second_signal_ends_a_lame_duck_at_once(self):
        server = self.serve("--lame-duck", LONG)
        self.leave(server)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(PATIENCE), -signal.SIGTERM)

    def test_a_hangup_does_not_end_a_lame_duck(self):
        server = self.serve("--lame-duck", LONG)
        self.leave(server)
        for _ in range(3):
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(post(server, "/v1/tickers/t", {"to": 1, "duration": 0})[0], 202)
        self.assertIsNone(server.process.poll())


class DrainTest(LeavingTest):
    """Streams are told to go, while requests are served as before."""

    def stuck(self, server: Server) -> Stream:
        """A client that takes nothing more, though much is there for it."""
        stream = self.stream(server, "/v1/events?notification=heavy", receive_buffer=4_096)
        stream.read_until("event: hello")

        sent = [-1]

        def is_stuck(_):
            self.assertEqual(post(server, "/v1/notifications/heavy", PIECE)[0], 204)
            client = clients(server)[0]
            sent.append(client["sentBytes"])
            # Something waits, and for three events nothing more has gone out.
            return client["unsentBytes"] > 0 and sent[-3:] == [sent[-1]] * 3

        until(server, is_stuck)
        return stream

    def test_a_stream_that_reads_nothing_delays_the_end_up_to_the_drain_timeout(self):
        server = self.serve("--drain-timeout", "10", "--stall-timeout", "3600")
        self.stuck(server)
        other = self.stream(server)
        other.read_until("event: hello")
        server.process.send_signal(signal.SIGTERM)
        # From here on it drains: whoever comes is told to go, and changes are taken.
        first = BYE.search(other.read_until('"draining"}\n\n'))
        late = self.stream(server)
        second = BYE.search(late.read_until('"draining"}\n\n'))
        self.assertIn("HTTP/1.1 200 ", late.text)
        for bye in (first, second):
            self.assertGreater(int(bye[1]), 0)
        self.assertEqual(post(server, "/v1/tickers/t", {"to": 5, "duration": 0})[0], 202)
        self.assertEqual(ready(server), 503)
        # A longer end would have been cut off by the program itself, with 1.
        self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_streams_that_read_end_at_once_with_different_retry_times(self):
        server = self.serve("--drain-timeout", LONG)
        streams = [self.stream(server) for _ in range(50)]
        for stream in streams:
            stream.read_until("event: hello")
        server.process.send_signal(signal.SIGTERM)
        retries = {int(BYE.search(stream.read_until('"draining"}\n\n'))[1]) for stream in streams}
        # Each comes back after a time of its own.
        self.assertGreater(len(retries), 25)
        for stream in streams:
            stream.close()
        self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_an_answer_under_way_is_sent_to_its_end(self):
        server = self.serve("--drain-timeout", LONG)
        large = {"label": "0 " + "y" * 4_000, "to": 1_000, "duration": 3_600}
        self.assertEqual(post(server, "/v1/tickers/large", large)[0], 202)
        list_of_frames = self.stream(server, "/v1/tickers/large/frames?from=0&to=300&fps=1", receive_buffer=4_096)
        list_of_frames.read_until("\r\n\r\n")
        server.process.send_signal(signal.SIGTERM)
        # As long as it is not read, the server is there; it used to be gone after 1.5 s.
        with self.assertRaises(subprocess.TimeoutExpired):
            server.process.wait(4)
        list_of_frames.read_until("\r\n0\r\n\r\n")
        self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_an_unread_answer_delays_the_end_up_to_the_drain_timeout(self):
        server = self.serve("--drain-timeout", "1")
        large = {"label": "0 " + "y" * 4_000, "to": 1_000, "duration": 3_600}
        self.assertEqual(post(server, "/v1/tickers/large", large)[0], 202)
        frames = self.stream(server, "/v1/tickers/large/frames?from=0&to=300&fps=1", receive_buffer=4_096)
        frames.read_until("\r\n\r\n")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_a_hangup_or_handover_signal_during_a_drain_changes_nothing(self):
        server = self.serve("--drain-timeout", LONG, "--stall-timeout", "3600")
        stuck = self.stuck(server)
        other = self.stream(server)
        other.read_until("event: hello")
        server.process.send_signal(signal.SIGTERM)
        other.read_until("event: bye")
        for number in (signal.SIGHUP, signal.SIGUSR2):
            server.process.send_signal(number)
            self.assertEqual(post(server, "/v1/tickers/t", {"to": 1, "duration": 0})[0], 202)
        stuck.close()
        self.assertEqual(server.process.wait(PATIENCE), 0)


class HangupTest(LeavingTest):
    """SIGHUP has things read again, and ends nothing, whatever is read."""

    def test_reloading_a_missing_or_malformed_file_keeps_the_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "tweencast.toml"
            path.write_text('allowed-host = "a.example"\n', encoding="utf-8")
            server = self.serve("--config", str(path), "--insecure")
            path.unlink()
            self.hang_up(server)
            path.write_text("allowed-host = [", encoding="utf-8")
            self.hang_up(server)
            path.write_bytes(os.urandom(4_096))
            self.hang_up(server)
            path.write_text('allowed-host = "b.example"\n', encoding="utf-8")
            server.process.send_signal(signal.SIGHUP)
            until(server, lambda _: self.status(server, "b.example") == 200)
            self.assertEqual(self.status(server, "a.example"), 403)

    def hang_up(self, server: Server):
        """Sends the signal, and returns when its outcome was told."""
        before = until(server, lambda _: True).sum("tweencast_log_lines_total", level="error")
        server.process.send_signal(signal.SIGHUP)
        until(server, lambda page: page.sum("tweencast_log_lines_total", level="error") > before)
        self.assertEqual(self.status(server, "a.example"), 200)

    @staticmethod
    def status(server: Server, host: str) -> int:
        request = urllib.request.Request(server.url + "/v1/limits", headers={"Host": host})
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE).status
        except urllib.error.HTTPError as error:
            return error.code


if __name__ == "__main__":
    unittest.main()
