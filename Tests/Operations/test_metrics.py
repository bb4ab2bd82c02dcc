"""The metrics of a running server: Prometheus' own tools find no fault with them, and each moves when it should."""

import tempfile
import unittest
import urllib.error
import urllib.request

from figures import OPEN_METRICS, Page, Server, Stream, page, post, promtool, receiver, until
from prometheus_client.openmetrics import parser

SECRET = "whsec_" + "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


class MetricsTest(unittest.TestCase):
    def serve(self, *flags: str, data: str | None = None) -> Server:
        server = Server("--log-level", "error", *flags, data=data)
        self.addCleanup(server.close)
        return server

    def stream(self, *arguments, **options) -> Stream:
        stream = Stream(*arguments, **options)
        self.addCleanup(stream.close)
        return stream

    def board(self) -> Server:
        """A server with something in most of its figures."""
        server = self.serve()
        stream = self.stream(server, "/v1/events?ticker=*&progress=*&schedule=*&notification=*")
        stream.read_until("event: hello")
        post(server, "/v1/tickers/a", {"to": 50, "duration": 0.3})
        post(server, "/v1/progress/p", {"current": 5, "duration": 0})
        post(server, "/v1/schedules", {"in": 0, "do": [{"notify": "N"}]})
        stream.read_until("event: complete")
        return server


class FormTest(MetricsTest):
    """Both forms, as tools read them that nobody here wrote."""

    def test_promtool_finds_no_fault_with_the_text_format(self):
        self.assertEqual(promtool("check", "metrics", given=page(self.board()).text), "")

    def test_the_reference_parser_reads_openmetrics_and_finds_the_same_figures(self):
        server = self.board()
        text = page(server, OPEN_METRICS).text
        families = list(parser.text_string_to_metric_families(text))
        names = {sample.name for family in families for sample in family.samples}
        plain = {name for name, _ in page(server).samples}
        self.assertEqual(names, plain)
        self.assertTrue(all(family.documentation for family in families))
        types = {family.name: family.type for family in families}
        self.assertEqual(types["tweencast_ticks"], "counter")
        self.assertEqual(types["tweencast_build"], "info")
        self.assertEqual(types["tweencast_frame_age_seconds"], "histogram")

    def test_no_metric_label_contains_text_of_a_client(self):
        server = self.serve()
        for path in ("/v1/tickers/Mallory", "/Mallory", "/v1/Mallory", "/v1/tickers/a/Mallory", "/v1/events?Mallory"):
            with self.assertRaises(urllib.error.HTTPError):
                urllib.request.urlopen(server.url + path)
        request = urllib.request.Request(server.url + "/v1/tickers", headers={"X-Request-ID": "Mallory"}, method="MALLORY")
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(request)
        self.assertNotIn("mallory", page(server).text.lower())


class MotionTest(MetricsTest):
    def test_motion_is_timed_from_its_ticks_to_the_kernel(self):
        server = self.serve()
        stream = self.stream(server, "/v1/events?ticker=a")
        stream.read_until("event: hello")
        before = page(server)
        post(server, "/v1/tickers/a", {"to": 1000, "duration": 1})
        frames = stream.read_until("event: complete").count("\ndata: {\"ticker\":\"a\",\"value\"")
        now = until(server, lambda now: now.sum("tweencast_frames_sent_total") >= frames)
        self.assertEqual(now.sum("tweencast_frames_sent_total"), frames)
        for name in ("tick_lateness", "tick_duration", "delivery_gap", "frame_age"):
            count = f"tweencast_{name}_seconds_count"
            # Sixty ticks in a second; fewer where the machine has more to do.
            self.assertGreater(now.sum(count) - before.sum(count), 5, name)
            mean = now.sum(f"tweencast_{name}_seconds_sum") / now.sum(count)
            self.assertLess(mean, 1, name)
        self.assertEqual(now.sum("tweencast_events_total", event="complete"), 1)
        self.assertEqual(now.sum("tweencast_events_sent_total"), 1)
        self.assertGreaterEqual(now.sum("tweencast_frames_total"), frames)

    def test_a_reader_that_asks_for_fewer_frames_misses_none(self):
        server = self.serve()
        stream = self.stream(server, "/v1/events?ticker=a&fps=2")
        stream.read_until("event: hello")
        post(server, "/v1/tickers/a", {"to": 1000, "duration": 1})
        stream.read_until("event: complete")
        now = until(server, lambda now: now.sum("tweencast_events_sent_total") == 1)
        self.assertLess(now.sum("tweencast_frames_sent_total"), 10)
        # Between its turn and its thread's a frame or two may come.
        self.assertLess(now.sum("tweencast_frames_conflated_total"), now.sum("tweencast_frames_total") / 4)
        # Its own rate is no delay of the server's.
        self.assertEqual(now.sum("tweencast_frame_age_seconds_count"), 0)

    def test_schedules_fire_and_are_timed(self):
        server = self.serve()
        for _ in range(3):
            post(server, "/v1/schedules", {"in": 0.05, "do": [{"ticker": "a", "by": 1, "duration": 0}]})
        now = until(server, lambda now: now.sum("tweencast_firings_total") == 3)
        self.assertEqual(now.sum("tweencast_firing_lateness_seconds_count"), 3)
        self.assertEqual(now.sum("tweencast_events_total", event="fired"), 3)
        self.assertEqual(now.sum("tweencast_resources", kind="ticker"), 1)
        self.assertEqual(now.sum("tweencast_resources", kind="schedule"), 0)


class StreamTest(MetricsTest):
    def test_opened_and_closed_streams_are_counted_by_reason(self):
        server = self.serve("--max-streams", "2")
        stays = self.stream(server, "/v1/events?ticker=a")
        stays.read_until("event: hello")
        once = self.stream(server, "/v1/events?ticker=a&once")
        once.read_until("event: hello")
        refused = self.stream(server, "/v1/events?ticker=a")
        refused.read_until('{"reason":"full"}')
        post(server, "/v1/tickers/a", {"to": 1, "duration": 0})
        once.read_until("event: complete")
        now = until(server, lambda now: now.sum("tweencast_streams_closed_total", reason="completed") == 1)
        self.assertEqual(now.sum("tweencast_streams"), 1)
        self.assertEqual(now.sum("tweencast_streams_opened_total"), 2)
        self.assertEqual(now.sum("tweencast_streams_refused_total", reason="full"), 1)
        self.assertEqual(now.sum("tweencast_greeting_duration_seconds_count"), 2)
        stays.close()
        now = until(server, lambda now: now.sum("tweencast_streams_closed_total", reason="client") == 1)
        self.assertEqual(now.sum("tweencast_streams_closed_total"), 2)

    def test_a_reader_that_takes_nothing_is_cut_off_and_counted(self):
        server = self.serve("--stall-timeout", "1")
        stuck = self.stream(server, "/v1/events?ticker=*", receive_buffer=4_096)
        stuck.read_until("event: hello")
        label = "x" * 3_000 + "0"
        for number in range(50):
            post(server, f"/v1/tickers/t{number}", {"label": label, "to": 1000, "duration": 1000})

        def cut(now: Page) -> float:
            return now.sum("tweencast_streams_stalled_total") + now.sum("tweencast_streams_slow_total")

        now = until(server, lambda now: cut(now) == 1)
        stalled = now.sum("tweencast_streams_closed_total", reason="stalled")
        slow = now.sum("tweencast_streams_closed_total", reason="slow")
        self.assertEqual(stalled + slow, now.sum("tweencast_streams_closed_total"))
        self.assertGreater(now.sum("tweencast_frames_conflated_total"), 0)

    def test_replays_and_resets_of_reconnecting_streams_are_counted(self):
        server = self.serve("--history", "1")
        post(server, "/v1/tickers/a", {"to": 1, "duration": 0})
        first = self.stream(server, "/v1/events?ticker=a")
        first.read_until("event: hello")
        post(server, "/v1/tickers/a", {"to": 2, "duration": 0})
        text = first.read_until("event: complete")
        seen = text.rsplit("\nid: ", 1)[1].split("\n", 1)[0]
        self.stream(server, "/v1/events?ticker=a", [f"Last-Event-ID: {seen}"]).read_until("event: hello")
        self.stream(server, "/v1/events?ticker=a", ["Last-Event-ID: 1-1"]).read_until("event: reset")
        for value in (3, 4, 5):
            post(server, "/v1/tickers/a", {"to": value, "duration": 0})
        self.stream(server, "/v1/events?ticker=a", [f"Last-Event-ID: {seen}"]).read_until("event: reset")
        now = page(server)
        self.assertEqual(now.sum("tweencast_replays_total"), 2)
        self.assertEqual(now.sum("tweencast_resets_total", reason="unknown"), 1)
        self.assertEqual(now.sum("tweencast_resets_total", reason="expired"), 1)


class RequestTest(MetricsTest):
    def test_requests_are_timed_by_route_method_and_status(self):
        server = self.serve()
        post(server, "/v1/tickers/a", {"to": 1})
        post(server, "/v1/tickers/b", {"to": 1})
        post(server, "/v1/tickers/b", {"to": "x"})
        post(server, "/v1/tickers/b/pause", None)
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(server.url + "/v1/nothing")
        urllib.request.urlopen(server.url + "/")
        now = page(server)

        def count(**labels: str) -> float:
            return now.sum("tweencast_http_request_duration_seconds_count", **labels)

        self.assertEqual(count(route="/v1/tickers/{id}", method="POST", status="202"), 2)
        self.assertEqual(count(route="/v1/tickers/{id}", status="422"), 1)
        self.assertEqual(count(route="/v1/tickers/{id}/{verb}", status="200"), 1)
        self.assertEqual(count(route="none", method="GET", status="404"), 1)
        self.assertEqual(count(route="file", status="200"), 1)
        self.assertEqual(count(), 6)
        self.assertGreater(now.sum("tweencast_http_response_bytes_total"), 1_000)
        self.assertLess(now.sum("tweencast_http_request_duration_seconds_sum"), 60)

    def test_refusals_by_limits_are_counted_and_each_limits_use_is_shown(self):
        server = self.serve("--unlimited-from", "none", "--request-rate", "1", "--connection-rate", "0")
        statuses = [post(server, "/v1/tickers/a", {"by": 1})[0] for _ in range(12)]
        self.assertIn(429, statuses)
        now = self.after_the_rate(server)
        refused = now.sum("tweencast_limit_refusals_total", name="request_rate")
        self.assertGreaterEqual(refused, statuses.count(429))
        self.assertEqual(now.sum("tweencast_usage", name="tracks"), 1)
        for name in ("messages", "commits", "commit_bytes", "log_lines", "waiting_batch_lines", "shard_bytes"):
            self.assertGreaterEqual(now.sum("tweencast_usage", name=name), 0)
            self.assertIn(f'tweencast_usage{{name="{name}"}}', now.text)

    def after_the_rate(self, server: Server) -> Page:
        """A page, when the rate lets this machine ask again."""
        while True:
            try:
                return page(server)
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 429)


class StoreTest(MetricsTest):
    def test_commits_and_the_disk_are_timed(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server("--log-level", "error", data=folder)
            try:
                for number in range(20):
                    post(server, f"/v1/tickers/t{number}", {"to": 1, "duration": 0})
                now = page(server)
                commits = now.sum("tweencast_store_commits_total")
                self.assertGreaterEqual(commits, 20)
                self.assertEqual(now.sum("tweencast_store_sync_duration_seconds_count"), commits)
                self.assertGreaterEqual(now.sum("tweencast_store_commit_duration_seconds_count"), commits)
                self.assertGreaterEqual(
                    now.sum("tweencast_store_commit_duration_seconds_sum"),
                    now.sum("tweencast_store_sync_duration_seconds_sum"),
                )
                self.assertGreater(now.sum("tweencast_store_size_bytes"), 4_096)
                self.assertEqual(now.sum("tweencast_store_failing"), 0)
                self.assertEqual(now.sum("tweencast_build_info", store="sqlite"), 1)
            finally:
                server.close()


class WebhookTest(MetricsTest):
    def test_calls_are_timed_by_what_came_of_them(self):
        with receiver(200) as takes, receiver(500) as refuses:
            server = self.serve(
                "--webhook-host", f"127.0.0.1:{takes},127.0.0.1:{refuses}", "--webhook-network", "127.0.0.0/8",
                "--webhook-secret", SECRET, "--webhook-attempts", "1",
            )  # fmt: skip
            for port in (takes, refuses):
                action = {"webhook": f"http://127.0.0.1:{port}/", "data": {}}
                self.assertEqual(post(server, "/v1/schedules", {"in": 0, "do": [action]})[0], 201)
            now = until(server, lambda now: now.sum("tweencast_webhooks_failed") == 1)
            now = until(server, lambda now: now.sum("tweencast_webhooks_delivered_total") == 1)
            count = "tweencast_webhook_call_duration_seconds_count"
            self.assertEqual(now.sum(count, outcome="delivered"), 1)
            self.assertEqual(now.sum(count, outcome="refused"), 1)
            self.assertEqual(now.sum("tweencast_webhook_calls_total"), 2)
            self.assertEqual(now.sum("tweencast_webhooks_pending"), 0)


class ProcessTest(MetricsTest):
    def test_process_metrics_agree_with_proc(self):
        server = self.serve()
        now = page(server)
        with open(f"/proc/{server.process.pid}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        self.assertEqual(now.sum("process_threads"), int(status["Threads"]))
        resident = int(status["VmRSS"].split()[0]) * 1_024
        self.assertLess(abs(now.sum("process_resident_memory_bytes") - resident), resident / 2)
        self.assertGreater(now.sum("process_virtual_memory_bytes"), now.sum("process_resident_memory_bytes"))
        self.assertGreater(now.sum("process_cpu_seconds_total"), 0)
        self.assertGreater(now.sum("process_open_fds"), 5)
        self.assertGreater(now.sum("process_max_fds"), now.sum("process_open_fds"))
        with open("/proc/uptime") as file:
            uptime = float(file.read().split()[0])
        with open(f"/proc/{server.process.pid}/stat") as file:
            ticks = int(file.read().rsplit(")", 1)[1].split()[19])
        with open("/proc/stat") as file:
            boot = next(int(line.split()[1]) for line in file if line.startswith("btime"))
        self.assertLess(abs(now.sum("process_start_time_seconds") - (boot + ticks / 100)), 1)
        self.assertLess(ticks / 100, uptime)


if __name__ == "__main__":
    unittest.main()
