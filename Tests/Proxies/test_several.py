"""Several servers behind each proxy, as docs/deployment.md has it: restarted one after the other, and not ready."""

import sys
import threading
import unittest
import uuid

from proxies import KINDS, ROOT, Apache, Caddy, Certificate, HAProxy, Nginx, wait_until
from source import Source

sys.path.insert(0, str(ROOT / "Tests/Replicas"))
from cluster import HOST, Redis, Replica  # noqa: E402

TOPICS = "/v1/events?ticker=*&notification=*"
CHANGES = 10
AWAY = (502, 503, 504)


def another(kind, line, first, second):
    """A line of a recipe that names a server, and what the page says for one more."""
    place, other = f"{HOST}:{first}", f"{HOST}:{second}"
    if place not in line:
        return line
    if kind is Caddy:
        return line.replace(place, f"{place} {other}") + "\n\t\tlb_policy least_conn"
    if kind is Nginx:
        servers = [f"server {one} max_fails=1 fail_timeout=1s;" for one in (place, other)]
        return "\n".join(["zone tweencast 64k;", "least_conn;", *servers])
    return line + "\n" + line.replace(place, other).replace("server one", "server two").replace("/one", "/two")


class Writer(threading.Thread):
    """Changes a ticker through a proxy, and asks again under the same key until a change has been taken."""

    def __init__(self, proxy):
        super().__init__(daemon=True)
        self.proxy, self.path = proxy, f"/v1/tickers/count-{proxy.name}"
        self.answers = []
        self.start()

    def run(self):
        for _ in range(CHANGES):
            change = ("--http1.1", "-d", '{"by":1,"duration":0}', "-H", f"Idempotency-Key: {uuid.uuid4()}")
            # Nothing else than that nobody is there.
            while self.ask(*change) in AWAY:
                pass

    def ask(self, *options):
        self.answers.append(self.proxy.status(self.path, *options))
        return self.answers[-1]


class SeveralTest(unittest.TestCase):
    def setUp(self):
        self.redis = Redis()
        self.addCleanup(self.redis.clean)
        store = f"redis://{HOST}:{self.redis.port}?name=board"
        self.replicas = [Replica(None, store=store, drain_timeout=2) for _ in range(2)]
        for replica in self.replicas:
            self.addCleanup(replica.log.close)
            self.addCleanup(replica.end)
            wait_until(lambda one=replica: one.is_ready, lambda one=replica: f"not ready: {one.said}")
        certificate = Certificate()
        self.addCleanup(certificate.remove)
        self.trust = ("--cacert", str(certificate.chain))
        first, second = (replica.port for replica in self.replicas)
        self.proxies = []
        for kind in KINDS:

            def edited(text, kind=kind):
                return "\n".join(another(kind, line, first, second) for line in text.splitlines()) + "\n"

            self.proxies.append(kind(first, certificate, edited))
            self.addCleanup(self.proxies[-1].close)

    def listen(self, root, *options, last=""):
        source = Source(root + TOPICS, *self.trust, *options, last=last)
        self.addCleanup(source.end)
        return source

    def notify(self, name, *sources):
        """Has something told, and waits until it has been."""
        body = {"to": 0, "duration": 0, "then": [{"notify": name}]}
        status, answer = self.replicas[0].ask("POST", "/v1/tickers/told", body)
        self.assertEqual(status, 202, answer)
        for source in sources:
            wait_until(lambda one=source: one.has_been_notified(name), lambda one=source: f"{name} wasn't told: {one}")

    def restart(self, replica):
        replica.end()
        replica.start()
        wait_until(lambda: replica.is_ready, lambda: f"not ready: {replica.said}")

    def test_a_rolling_restart_of_replicas_loses_no_change_or_event(self):
        sources = [self.listen(proxy.url, how) for proxy in self.proxies for how in ("--http2", "--http1.1")]
        for source in sources:
            wait_until(lambda one=source: one.greetings, lambda one=source: f"no greeting: {one}")
        self.notify("begin", *sources)
        first = sources[0].last
        for replica in self.replicas:
            writers = [Writer(proxy) for proxy in self.proxies]
            self.restart(replica)
            for writer in writers:
                writer.join(60)
                with self.subTest(writer.proxy.name):
                    self.assertEqual(writer.answers.count(202), CHANGES, writer.answers[-3:])
                    print(f"{writer.proxy.name:>8}: {len(writer.answers) - CHANGES} answers that nobody was there")
        self.notify("end", *sources)
        plain = self.listen(f"http://{HOST}:{self.replicas[1].port}", last=first)
        wait_until(lambda: plain.has_been_notified("end"), f"the end wasn't told: {plain}")
        for source in sources:
            with self.subTest(source.url):
                self.assertEqual(set(source.answers), {(200, "text/event-stream", "")})
                self.assertEqual(source.events[-len(plain.events) :], plain.events)
                self.assertEqual(source.resets, 0)
        for proxy in self.proxies:
            with self.subTest(proxy.name):
                self.assertIn(f'"target":{2 * CHANGES},', proxy.curl(f"/v1/tickers/count-{proxy.name}"))

    def test_proxies_send_no_requests_to_replicas_that_are_not_ready(self):
        """Without their Redis replicas go on showing what they know, and say that they aren't ready."""
        stream = self.listen(self.proxies[0].url)
        wait_until(lambda: stream.greetings, f"no greeting: {stream}")
        asking = [proxy for proxy in self.proxies if isinstance(proxy, (Caddy, HAProxy, Apache))]
        self.redis.end()
        for proxy in asking:
            wait_until(lambda one=proxy: one.status("/v1/tickers") == 503, f"{proxy.name} doesn't see it")
        # nginx doesn't ask: it passes on what a replica answers, and holds no 503 against it.
        for _ in range(3 * len(self.replicas)):
            self.assertEqual(self.proxies[0].status("/readyz"), 503)
            self.assertEqual(self.proxies[0].status("/v1/tickers"), 200)
        self.assertEqual(self.replicas[0].ask("GET", "/v1/tickers")[0], 200)
        self.redis.start()
        for proxy in asking:
            wait_until(lambda one=proxy: one.status("/v1/tickers") == 200, f"{proxy.name} doesn't see that it is over")
        self.assertEqual(len(stream.answers), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
