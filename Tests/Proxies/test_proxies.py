"""The recipes of packaging/proxies, all four at a time in front of one server, and clients that come through them."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import requests

from proxies import KINDS, RECIPES, ROOT, Certificate, Front, Nginx, modules_of_apache, wait_until
from source import Source

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server, program  # noqa: E402

TOPICS = "/v1/events?ticker=*&notification=*"
AWAY = (502, 503, 504)
# Seconds without a byte; a heartbeat comes later.
PATIENCE = 30
FRAMES = 150
MOTIONS = 20
BATCH_BYTES, LINES = 4_194_304, 64
# Of a crowd, and the streams on each.
CONNECTIONS, STREAMS = 20, 6


def gaps(source):
    """Milliseconds between the frames of a motion: the median and the 99th of a hundred."""
    instants = [at for at, _ in source.frames[1 : FRAMES + 1]]
    between = sorted(1000 * (later - at) for at, later in zip(instants, instants[1:], strict=False))
    return between[len(between) // 2], between[99 * len(between) // 100]


class ProxyTest(unittest.TestCase):
    """One server that is started again where it was, and proxies of all kinds before it."""

    kinds = KINDS

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.server = cls.started()
        cls.addClassCleanup(lambda: cls.server.close())
        cls.certificate = Certificate()
        cls.addClassCleanup(cls.certificate.remove)
        cls.proxies = [cls.proxy(kind) for kind in cls.kinds]

    @classmethod
    def started(cls, port=0):
        # A short leave: those who are told of it come back when it is over.
        flags = ("--trusted-proxy", "127.0.0.1/32", "--insecure", "--drain-timeout", "2")
        return Server(*flags, port=port, data=cls.folder)

    @classmethod
    def proxy(cls, kind, edit=lambda text: text, server=None):
        proxy = kind((server or cls.server).port, cls.certificate, edit)
        cls.addClassCleanup(proxy.close)
        return proxy

    def source(self, path, proxy=None, *options, last=""):
        """A client of a proxy's, or of the server itself."""
        trust = ("--cacert", str(self.certificate.chain))
        source = Source((proxy or self.server).url + path, *trust, *options, last=last)
        self.addCleanup(source.end)
        return source

    def notify(self, name):
        """Tells a named event, behind all that were told before."""
        self.server.post("ticker:told", to=0, duration=0, then=[{"notify": name}])
        self.server.post("ticker:told", to=1, duration=0)

    def wait_for_greetings(self, *sources):
        for source in sources:
            wait_until(lambda one=source: one.greetings, lambda one=source: f"no greeting: {one}")

    def wait_for_notification(self, name, *sources):
        for source in sources:
            wait_until(lambda one=source: one.has_been_notified(name), lambda one=source: f"{name} wasn't told: {one}")

    def told_since(self, first, name):
        """What the server has told since an event, up to a notification."""
        source = self.source(TOPICS, last=first)
        self.wait_for_notification(name, source)
        source.end()
        return source.events


class WayTest(ProxyTest):
    def test_events_are_forwarded_at_once_over_http_2(self):
        self.notify("begin")
        self.server.post("ticker:lone", label="0", to=0, duration=0)
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                # What is held back until more comes would be held back for 50 s.
                source = self.source("/v1/tickers/lone/events?heartbeat=50", proxy)
                self.wait_for_greetings(source)
                count = len(source.frames)
                self.server.post("ticker:lone", by=1, duration=0)
                wait_until(lambda: len(source.frames) > count and source.events, lambda: f"no frame: {source}", 30)
                self.assertEqual(source.version, "HTTP/2")
                self.assertEqual(source.answers, [(200, "text/event-stream", "")])

    def test_events_are_forwarded_at_once_to_a_client_without_sse(self):
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                path = f"/v1/events?notification=collected-{proxy.name}&heartbeat=60"
                trust = str(self.certificate.chain)
                with requests.get(proxy.url + path, stream=True, verify=trust, timeout=PATIENCE) as answer:
                    lines = answer.iter_lines()
                    self.assertTrue(any(b"tickRate" in line for line in lines))
                    self.server.request("POST", f"/v1/notifications/collected-{proxy.name}", {})
                    self.assertTrue(any(b'{"notification"' in line for line in lines))

    def test_frames_flow_while_a_motion_runs(self):
        self.server.post("ticker:flow", label="0", to=0, duration=0)
        ways = {"direct": self.source("/v1/tickers/flow/events")}
        ways |= {proxy.name: self.source("/v1/tickers/flow/events", proxy) for proxy in self.proxies}
        self.wait_for_greetings(*ways.values())
        self.server.post("ticker:flow", to=1e6, duration=120)
        for name, source in ways.items():
            wait_until(lambda one=source: len(one.frames) > FRAMES, f"{name}: no {FRAMES} frames")
        self.assertEqual(self.server.get("ticker:flow")["motion"]["state"], "running")
        self.server.post("ticker:flow", "finish")
        for name, source in ways.items():
            median, late = gaps(source)
            print(f"{name:>8}: between {FRAMES} frames {median:.1f} ms, p99 {late:.1f} ms")

    def test_a_client_that_reconnects_is_replayed_what_it_missed(self):
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                source = self.source(TOPICS, proxy)
                self.wait_for_greetings(source)
                self.notify("before")
                self.wait_for_notification("before", source)
                source.end()
                last = source.last
                for number in range(20):
                    self.server.post("ticker:missed", to=number, duration=0)
                self.notify(f"after-{proxy.name}")
                again = self.source(TOPICS, proxy, last=last)
                self.wait_for_notification(f"after-{proxy.name}", again)
                self.assertEqual(again.resets, 0)
                told = self.told_since(last, f"after-{proxy.name}")
                # Those of one tick may come as one that counts them.
                missed = [json.loads(data) for _, name, data in told if name == "complete" and '"missed"' in data]
                self.assertEqual(sum(end.get("count", 1) for end in missed), 20)
                self.assertEqual(again.events[: len(told)], told)

    def test_the_longest_batch_passes_and_a_longer_one_does_not(self):
        """The server's bound, and not one of the proxy's below or above it."""
        changes = [f'{{"ticker":"batch-{number}","to":1,"duration":0}}' for number in range(LINES)]
        batch = "".join(change.ljust(BATCH_BYTES // LINES - 1) + "\n" for change in changes).encode()
        self.assertEqual(len(batch), BATCH_BYTES)
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                answer = proxy.curl("/v1/batch", "--data-binary", "@-", body=batch)
                self.assertEqual(len(re.findall(r'"status":20[012]', answer)), LINES, answer[:500])
                self.assertEqual(proxy.status("/v1/batch", "--data-binary", "@-", body=batch + b" "), 413)

    def test_the_client_is_who_the_proxy_saw(self):
        forged = ("X-Forwarded-For: 203.0.113.7", "Forwarded: for=203.0.113.7", "X-Real-IP: 203.0.113.7")
        headers = [part for field in forged for part in ("-H", field)]
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                name = f"seen-by-{proxy.name}"
                source = self.source(f"/v1/events?ticker={name}", proxy, "--interface", "127.0.0.2", *headers)
                wait_until(lambda: source.greetings, f"no greeting: {source}")
                self.assertEqual(self.peers(f"ticker/{name}"), ["127.0.0.2"])
                source.end()
                # It is seen to be gone with the next thing that it is told, if not before.
                self.server.post(f"ticker:{name}", label="0", to=1e6, duration=60)
                wait_until(lambda: not self.peers(f"ticker/{name}"), "a client that left is still there")

    def test_a_crowd_leaves_room_for_others(self):
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                name = f"crowd-of-{proxy.name}"
                crowd = [self.listen_often(proxy, f"/v1/events?ticker={name}") for _ in range(CONNECTIONS)]
                count = CONNECTIONS * STREAMS
                wait_until(lambda: len(self.peers(f"ticker/{name}")) == count, f"there are no {count} streams")
                self.assertEqual(proxy.status("/v1/tickers"), 200)
                for one in crowd:
                    one.kill()
                self.server.post(f"ticker:{name}", label="0", to=1e6, duration=60)
                wait_until(lambda: not self.peers(f"ticker/{name}"), "some that left are still there")

    def listen_often(self, proxy, path):
        """Several streams on one connection, as a browser has them."""
        wishes = [part for _ in range(STREAMS) for part in (proxy.url + path, "--output", "/dev/null")]
        command = ["curl", "--silent", "--parallel", "--cacert", str(self.certificate.chain), *wishes]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def peers(self, topic):
        """Whom the server tells of a topic."""
        clients = self.server.request("GET", "/v1/clients?limit=1000")["items"]
        return [client["peer"] for client in clients if topic in client["topics"]]

    def test_streams_in_every_form_are_sent_as_they_are(self):
        motion = json.dumps({"label": "0 " + "long " * 100, "to": 5, "duration": 0.3}).encode()
        for proxy in self.proxies:
            for form in ("application/x-ndjson", "text/event-stream"):
                with self.subTest(f"{proxy.name}, {form}"):
                    asked = ("-H", f"Accept: {form}", "-H", "Accept-Encoding: gzip", "--data-binary", "@-")
                    told = ("--output", "/dev/null", "--write-out", "%header{content-type} %header{content-encoding}")
                    self.assertEqual(proxy.curl("/v1/tickers", *asked, *told, body=motion).split(), [form])

    def test_answers_are_compressed_and_plain_http_is_sent_on(self):
        self.server.request("POST", "/v1/batch", [{"ticker": f"list-{number}", "to": 5} for number in range(100)])
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                encoding = ("-H", "Accept-Encoding: gzip", "--write-out", "%header{content-encoding}")
                self.assertEqual(proxy.curl("/v1/tickers", "--output", "/dev/null", *encoding), "gzip")
                told = ("--write-out", "%{http_code} %{redirect_url}")
                sent = proxy.curl("/v1/tickers?limit=5", "--output", "/dev/null", *told, root=proxy.plain_url)
                self.assertRegex(sent, r"^308 https://localhost(:\d+)?/v1/tickers\?limit=5$")


    def test_the_page_on_deployment_names_the_modules_that_were_loaded(self):
        page = ROOT / "docs/deployment.md"
        self.assertEqual(modules_of_apache(page), modules_of_apache(RECIPES / "apache.conf"))


class RestartTest(ProxyTest):
    """The server is stopped and away for a while, as with an upgrade."""

    kinds = (*KINDS, Front)

    def test_a_server_restart_behind_a_proxy_loses_and_repeats_no_event(self):
        sources = [self.source(TOPICS, proxy, how) for proxy in self.proxies for how in ("--http2", "--http1.1")]
        self.wait_for_greetings(*sources)
        self.notify("begin")
        self.wait_for_notification("begin", *sources)
        first = sources[0].events[0][0]
        self.begin_motions()
        port = self.server.port
        self.server.close()
        self.check_errors_of_others()
        # All have been answered by their proxy alone, and more than once.
        for source in sources:
            wait_until(lambda one=source: one.turned_away > 1 or one.has_failed, lambda one=source: f"not away: {one}")
        type(self).server = self.started(port)
        for source in sources:
            wait_until(lambda one=source: one.greetings > 1 or one.has_failed, lambda one=source: f"not back: {one}")
        for source in sources:
            self.wait_for_notification(f"moved-{MOTIONS - 1}", source)
        self.notify("end")
        self.wait_for_notification("end", *sources)
        told = self.told_since(first, "end")
        self.assertGreater(len(told), 2 * MOTIONS)
        for source in sources:
            with self.subTest(source.url):
                self.assertGreater(source.byes, 0)
                self.assertEqual(source.resets, 0)
                self.assertEqual(set(source.answers), {(200, "text/event-stream", "")})
                self.assertEqual(source.events[1 : len(told) + 1], told)

    def begin_motions(self):
        """Some end at once, most while the server is away."""
        for number in range(MOTIONS):
            after = [{"notify": f"moved-{number}"}]
            self.server.post(f"ticker:moving-{number}", to=10, duration=number / 10, then=after)

    def check_errors_of_others(self):
        """Whoever isn't an EventSource is told that the server is away."""
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                self.assertIn(proxy.status("/v1/tickers"), AWAY)
                # Not by HTTP/2: curl 7.88 may take an answer that comes before its body has gone for a broken stream.
                change = ("--http1.1", "-d", '{"to":5}')
                self.assertIn(proxy.status("/v1/tickers/a", *change), AWAY)
                # A change that wasn't taken is no stream.
                self.assertIn(proxy.status("/v1/tickers", *change, "-H", "Accept: text/event-stream"), AWAY)

    def test_without_the_recipes_error_page_a_client_fails(self):
        def uncured(text):
            return re.sub(r"error_page.*", "", text)

        proxy = self.proxy(Nginx, uncured)
        source = self.source(TOPICS, proxy)
        self.wait_for_greetings(source)
        port = self.server.port
        self.server.close()
        wait_until(lambda: source.has_failed, f"it goes on: {source}")
        self.assertEqual(source.answers[-1][0], 502)
        type(self).server = self.started(port)


class AccessTest(ProxyTest):
    """The server as the page on deployment has it started, behind nginx: whoever comes without a token is nobody."""

    kinds = ()

    def recipe(self) -> list[str]:
        """The flags of the page's command, with files of the test's own."""
        page = (ROOT / "docs/deployment.md").read_text()
        flags = re.search(r"(?m)^tweencast (--data .*\\\n.*)$", page)[1].replace("\\\n", " ").split()
        place = flags.index("--data")
        del flags[place : place + 2]
        said = subprocess.run([program(), "token", "--name", "admin", "--admin"], capture_output=True, text=True, check=True)
        self.token, entry = said.stdout.strip().splitlines()
        tokens = pathlib.Path(self.folder, "tokens.json")
        tokens.write_text(f'{{"tokens": [{entry}]}}')
        return [flag.replace("/etc/tweencast/tokens.json", str(tokens)) for flag in flags]

    def test_nobody_changes_or_lists_without_a_token(self):
        flags = self.recipe()
        server = Server(*(flag.replace("tweencast.example.com", "localhost") for flag in flags))
        self.addCleanup(server.close)
        proxy = self.proxy(Nginx, server=server)
        asked = [
            ("POST", "/v1/tickers/a", b'{"to":1}'), ("DELETE", "/v1/tickers/a", None), ("GET", "/v1/tickers", None),
            ("GET", "/v1/clients", None), ("GET", "/metrics", None), ("GET", "/v1/events?ticker=a", None),
        ]
        for method, path, body in asked:
            options = ("-X", method, *(("--data-binary", "@-") if body else ()))
            with self.subTest(path):
                self.assertIn(proxy.status(path, *options, body=body), (401, 403))
        own = ("-H", f"Authorization: Bearer {self.token}")
        self.assertEqual(proxy.status("/v1/tickers/a", *own, "--data-binary", "@-", body=b'{"to":1}'), 202)
        self.assertEqual(proxy.status("/v1/clients", *own), 200)

    def test_a_server_open_to_other_machines_without_auth_does_not_start(self):
        for flags in (["--trusted-proxy", "127.0.0.1/32"], ["--allowed-host", "tweencast.example.com"]):
            with self.assertRaisesRegex(RuntimeError, f"{flags[0]}.* lets other machines in: set --auth"):
                Server(*flags)

    def test_every_recipe_sets_auth(self):
        for name in ("nginx.conf", "Caddyfile", "haproxy.cfg", "apache.conf"):
            self.assertIn("--auth", (RECIPES / name).read_text(), name)


class PathTest(ProxyTest):
    """A site that has other things as well, and Tweencast under a path."""

    kinds = ()

    def under_path(self, *flags, address):
        server = Server(*flags)
        self.addCleanup(server.close)

        def moved(text):
            text = text.replace("location / {", "location /tweens/ {")
            return text.replace("proxy_pass http://tweencast;", f"proxy_pass {address};")

        # Its readiness is asked for under the path as well.
        class Moved(Nginx):
            def curl(self, path, *options, **more):
                return super().curl("/tweens" + path, *options, **more)

        return server, self.proxy(Moved, moved, server)

    def check(self, server, proxy):
        server.post("ticker:a", label="0", to=7, duration=0)
        self.assertEqual(json.loads(proxy.curl("/v1/tickers/a"))["value"], 7)
        self.assertIn("<title>", proxy.curl("/"))
        source = self.source("/tweens/v1/tickers/a/events", proxy)
        self.wait_for_greetings(source)

    def test_the_prefix_is_taken_away(self):
        self.check(*self.under_path(address="http://tweencast/"))

    def test_the_prefix_is_passed_on(self):
        self.check(*self.under_path("--base-path", "/tweens", address="http://tweencast"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
