"""Attacks by pages of other origins and by names of other hosts; and lines that forge others."""

import json
import re
import tempfile

from program import HOST, ROOT
from scenario import attack

EVIL = "http://evil.example"
# How each line of the log begins.
LOG_LINE = re.compile(r"20\S+Z (debug|info|warning|error) [a-z]+: ")
READS = [
    "/v1/tickers", "/v1/tickers/a", "/v1/progress", "/v1/schedules", "/v1/clients", "/v1/webhooks/failed", "/metrics",
    "/v1/events?ticker=a", "/v1/tickers/a/events", "/v1/selftest",
]  # fmt: skip


def status_of(program, request: str) -> int:
    answer = program.raw(request.encode("latin-1"), seconds=3)
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0


def get(program, path, *headers, version="1.1", method="GET") -> int:
    """The status of a request with exactly these headers."""
    return status_of(program, "\r\n".join([f"{method} {path} HTTP/{version}", *headers, "Connection: close", "", ""]))


@attack("lies")
def foreign_host(run):
    """Names of other hosts, on a loopback address and on all of them: a rebound page reads and writes nothing."""
    for flags in ((), ("--host", "0.0.0.0", "--insecure")):
        program = run.start(*flags, ephemeral=True)
        where = " ".join(flags) or "loopback"
        program.ask("POST", "/v1/tickers/a", {"to": 1})
        program.ask("PUT", "/v1/schedules/s", {"in": 1000, "do": []})
        for host in (f"evil.example:{program.port}", "127.0.0.1.evil.example", "evil", "localhost.evil.example"):
            for path in READS:
                status = get(program, path, f"Host: {host}")
                run.check(status in (400, 403, 421), f"{where}: GET {path} as {host} is answered {status}")
            origin = f"Origin: http://{host}"
            status = get(program, "/v1/schedules", f"Host: {host}", origin, method="DELETE")
            run.check(status in (400, 403, 421), f"{where}: DELETE /v1/schedules as {host} is answered {status}")
        kept = program.ask("GET", "/v1/schedules/s").status
        run.check(kept == 200, f"{where}: a page of another host deleted a schedule")
        run.check(
            get(program, "/v1/tickers", f"Host: localhost:{program.port}") == 200, f"{where}: localhost is refused"
        )
    program = run.start("--host", "0.0.0.0", "--insecure", "--allowed-host", "counter.example", ephemeral=True)
    run.check(get(program, "/v1/tickers", "Host: counter.example") == 200, "a listed host is refused")


@attack("lies")
def foreign_origin(run):
    """Pages of other origins: they read nothing and write nothing, by any route."""
    program = run.start(ephemeral=True)
    program.ask("POST", "/v1/tickers/a", {"to": 1})
    host = f"Host: {HOST}:{program.port}"
    # Not the same host by https: what a proxy in front of it has taken off isn't seen here.
    origins = (EVIL, "null", f"http://{HOST}:{program.port}.evil.example", f"http://{HOST}:1", "file://")
    for origin in origins:
        for path in READS:
            status = get(program, path, host, f"Origin: {origin}")
            run.check(status == 403, f"{origin} reads {path}: {status}")
        for method, path in (
            ("DELETE", "/v1/tickers/a"),
            ("POST", "/v1/schedules/pause"),
            ("POST", "/v1/tickers/a/pause"),
        ):
            status = get(program, path, host, f"Origin: {origin}", "Content-Length: 0", method=method)
            run.check(status == 403, f"{origin}: {method} {path} is answered {status}")
    crossed = get(program, "/v1/events?ticker=a", host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")
    run.check(crossed == 403, f"a request that a page of another site makes without Origin is answered {crossed}")
    own = get(program, "/v1/tickers", host, f"Origin: http://{HOST}:{program.port}")
    run.check(own == 200, f"its own origin is answered {own}")
    answer = program.ask("GET", "/v1/tickers", headers={"Origin": EVIL})
    allowed = answer.headers.get("access-control-allow-origin")
    run.check(allowed is None, f"a foreign origin is told {allowed}")
    listed = run.start("--cors-origin", EVIL, ephemeral=True)
    answer = listed.ask("GET", "/v1/tickers", headers={"Origin": EVIL})
    allowed = answer.headers.get("access-control-allow-origin")
    run.check(answer.status == 200 and allowed == EVIL, f"a listed origin is answered {answer.status}, told {allowed}")
    other = listed.ask("GET", "/v1/tickers", headers={"Origin": EVIL + ":81"}).status
    run.check(other == 403, f"an origin that isn't listed is answered {other}")


@attack("lies")
def adders(run):
    """Whoever may only add, by at most 1: nothing else changes a number, by any way to send it, and each addition counts."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as tokens:
        rights = {"subscribe": ["ticker=v*"], "add": [{"topics": ["ticker=v*"], "atMost": 1}]}
        tokens.write(json.dumps({"anonymous": rights}))
        tokens.flush()
        program = run.start("--auth", f"tokens:{tokens.name}", ephemeral=True)
    run.check(program.ask("POST", "/v1/tickers/v", {"by": 1}).status == 202, "an addition is refused")
    amounts = [2, -1, 0, 0.5, 1.0000000001, 1e-300, "1.5", "-1", "NaN", 1e308, None, True, [1], {"to": 9}]
    fields = [{"to": 9}, {"max": 9}, {"min": -9}, {"from": 9}, {"label": "9"}, {"then": [{"ticker": "v", "to": 9}]},
              {"decay": {"velocity": 9}}, {"milestones": []}, {"ttl": 1}, {"decimals": 3}, {"sequence": 9}]  # fmt: skip
    bodies = [{"by": amount} for amount in amounts] + fields + [{"by": 1, **field} for field in fields]
    for body in bodies:
        for method, path, sent in (
            ("POST", "/v1/tickers/v", body), ("PUT", "/v1/tickers/v", body), ("POST", "/v1/tickers", body),
            ("POST", "/v1/progress/v", body), ("POST", "/v1/tickers/w", body),
            ("POST", "/v1/schedules", {"in": 0, "do": [{"ticker": "v", **body}]}),
        ):  # fmt: skip
            status = program.ask(method, path, sent).status
            run.check(400 <= status < 500, f"{method} {path} {sent} is answered {status}")
        answer = program.ask("POST", "/v1/batch", {"ticker": "v", **body})
        run.check(b'"status":20' not in answer.body, f"a batch with {body} is answered {answer.body[:80]}")
    for method, path in (("POST", "/v1/tickers/v/pause"), ("POST", "/v1/tickers/v/cancel"), ("DELETE", "/v1/tickers/v")):
        status = program.ask(method, path).status
        run.check(status in (401, 403), f"{method} {path} is answered {status}")
    target = json.loads(program.ask("GET", "/v1/tickers/v").body)["target"]
    run.check(target == 1, f"one addition of 1 made {target}")
    run.alive(program)


@attack("lies")
def foreign_frames(run):
    """Pages that frame an overlay: the listed origins alone, by each form of the address."""
    program = run.start("--cors-read-origin", "https://blog.example", "--public", str(ROOT / "public"), ephemeral=True)
    for path in ("/overlay?ticker=a", "/overlay.html", "/overlay?ticker=a&label=%22", "/", "/index.html", "/selftest"):
        head = program.raw(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode(), seconds=3)
        # A page may be framed by what all of its policies allow.
        allowed = re.findall(r"frame-ancestors ([^;,\r]*)", head.partition(b"\r\n\r\n")[0].decode())
        wanted = "'self' https://blog.example" if path.startswith("/overlay") else "'none'"
        run.check(wanted in allowed, f"{path} may be framed by {allowed}")


@attack("lies")
def host_lines(run):
    """Requests without a host, with two, with one in a wrong form, and with one in the request's target."""
    program = run.start(ephemeral=True)
    good = f"Host: {HOST}:{program.port}"
    cases = {
        "no Host": ([], "1.1", {400}), "no Host in HTTP/1.0": ([], "1.0", {200}),
        "two Hosts": ([good, "Host: evil.example"], "1.1", {400}), "the same Host twice": ([good, good], "1.1", {400}),
        "two Hosts, evil first": (["Host: evil.example", good], "1.1", {400}),
        "a space before the colon": (["Host : evil.example", good], "1.1", {400}), "one Host": ([good], "1.1", {200}),
    }  # fmt: skip
    for name, (headers, version, wanted) in cases.items():
        status = get(program, "/v1/tickers", *headers, version=version)
        run.check(status in wanted, f"{name}: {status}")
    own = get(program, f"http://{HOST}:{program.port}/v1/tickers", good)
    run.check(own == 200, f"an absolute target is answered {own}")
    evil = get(program, "http://evil.example/v1/tickers", good)
    run.check(evil in (400, 403, 421), f"an absolute target of another host is answered {evil}")
    run.alive(program)


@attack("lies")
def ids_of_dots(run):
    """`.` and `..` as ids: no URL can name them, so nothing may be called so."""
    program = run.start(ephemeral=True)
    for name in (".", ".."):
        taken = {
            "batch": program.ask("POST", "/v1/batch", {"ticker": name, "to": 1}).body.count(b'"status":20'),
            "schedule": program.ask("POST", "/v1/schedules", {"id": name, "in": 9, "do": []}).status == 201,
            "action": program.ask("POST", "/v1/tickers/a", {"to": 1, "then": [{"ticker": name, "to": 1}]}).status
            == 202,
            "path": get(program, f"/v1/schedules/{name.replace('.', '%2e')}/pause", f"Host: {HOST}", method="POST")
            == 200,
        }
        run.check(not any(taken.values()), f"{name!r} is taken: {[key for key, value in taken.items() if value]}")


@attack("lies")
def forged_log_lines(run):
    """Labels, ids, URLs and paths with line breaks and escapes: the log has no line that a client wrote."""
    hung = "--webhook-host", "127.0.0.1:9", "--webhook-network", "127.0.0.0/8", "--webhook-attempts", "1"
    program = run.start("--webhook-secret", "whsec_" + "A" * 40, *hung)
    forged = "{x\ntweencast: FORGED\x1b[2J\u2028tweencast: FORGED\r\u0085}"
    program.ask("POST", "/v1/tickers/busy", {"to": 1, "duration": 1000})
    actions = [
        {"progress": "p", "current": 1, "label": forged},
        {"ticker": "p", "to": 1, "format": {"locale": forged}},
        {"ticker": "p", "to": 1, "label": "{n, plural, one {" + forged},
        {"webhook": "http://127.0.0.1:9/" + forged, "data": forged},
        {"webhook": "http://127.0.0.1:9/x", "data": forged},
        {"ticker": "busy", "to": 2, "interrupt": "reject", "label": forged},
    ]
    fired = 0
    for action in actions:
        program.ask("POST", "/v1/schedules", {"in": 0, "do": [action], "label": forged})
        fired += program.ask("POST", "/v1/schedules", {"in": 0, "do": [action]}).status == 201
        program.ask("POST", "/v1/tickers/t", {"to": 1, "duration": 0, "then": [action]})
        program.ask("POST", "/v1/batch", json.dumps({"ticker": "t", "to": 2, "duration": 0, "then": [action]}))
    get(program, "/v1/tickers/%0atweencast:%20FORGED%1b%5b2J", f"Host: {HOST}")
    get(program, "/v1/tickers", "Host: a\x85tweencast: FORGED\x1b[2J")
    run.wait(program, lambda: program.metric("firings_total") == fired, "what the schedules do")
    run.wait(program, lambda: program.metric("webhooks_pending") == 0, "the end of the webhooks")
    run.wait(program, lambda: program.metric('usage{name="log_lines"}') == 0, "a log that is written")
    run.check("given up" in program.log and "refused" in program.log, "the log doesn't tell what became of the actions")
    run.alive(program)
    lines = program.log.split("\n")
    run.figure(f"{len(lines) - 1} lines of log, {fired} schedules fired")
    forgeries = [line for line in lines if line and (not LOG_LINE.match(line) or "\x1b" in line or "\u2028" in line)]
    run.check(not forgeries, f"the log says {forgeries[:1]!r}")
