"""Random requests, made of random documents: what a careless and a malicious client send to each path."""

import urllib.parse

from documents import (
    DATES, EASINGS, LOCALES, ODD_DATES, ODD_EASINGS, ODD_IDS, ODD_LOCALES, ODD_RULES, ODD_SPRINGS, ODD_ZONES, RULES,
    SPRINGS, STREAM_FORMS, VERBS, ZONES, Documents, Raw, Request,
)  # fmt: skip

PLACES = {"ticker": "/v1/tickers", "progress": "/v1/progress", "schedule": "/v1/schedules"}
READS = [
    "/v1/tickers", "/v1/progress", "/v1/schedules", "/v1/clients", "/v1/webhooks/failed", "/metrics", "/readyz",
    "/healthz", "/openapi.yaml", "/asyncapi.yaml", "/",
]  # fmt: skip
PATCHES = [
    b"\\u0000", b"\\ud800", b"\\ud800\\udc00", b"\\ud83d\\u0041", b"\\", b'"', b"{", b"[", b"1e999", b"\xed\xa0\x80",
    b"\xff", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\x00", b"\n", b"\r\n",
]  # fmt: skip


class Requests(Documents):
    """The requests of one client."""

    def format(self):
        fields = {"locale": self.one(LOCALES, ODD_LOCALES)} if self.likely(0.8) else {}
        fields["style"] = self.one(["decimal", "currency", "percent", "unit", "compact"], ["bogus", ""])
        if fields["style"] == "currency" or self.likely(0.1):
            fields["currency"] = self.one(["USD", "JPY", "EUR", "BHD"], ["XXX", "usd", "NOPE", "€", "", "CLF"])
        if fields["style"] == "unit" or self.likely(0.1):
            fields["unit"] = self.one(["kilometer-per-hour", "percent", "byte", "celsius"], ["bogus", "", "x" * 65])
        choices = {
            "grouping": [True, False, "auto", "always", "min2", "never"], "currencySign": ["standard", "accounting"],
            "sign": ["auto", "always", "never", "negative", "except-zero"], "unitDisplay": ["short", "long"],
            "currencyDisplay": ["symbol", "code", "name", "narrow-symbol"], "compactDisplay": ["short", "long"],
            "notation": ["standard", "compact", "scientific", "engineering"],
            "trailingZeros": ["auto", "strip-if-integer"],
            "rounding": ["ceil", "floor", "expand", "trunc", "half-ceil", "half-floor", "half-even", "half-trunc"],
        }  # fmt: skip
        fields |= {name: self.one(values, ["x", None, 5]) for name, values in choices.items() if self.likely(0.2)}
        counts = {"minimumIntegerDigits": 21, "minimumDecimals": 20, "maximumDecimals": 20}
        if self.likely(0.2):
            counts = {"minimumSignificantDigits": 21, "maximumSignificantDigits": 21}
        for name, top in counts.items():
            if self.likely(0.15):
                fields[name] = self.one([1, 2, 3], [0, top, top + 1, -1, Raw("1e1"), Raw("1.5"), Raw("1e19")], 0.3)
        return fields

    def timing(self, fields):
        short = ["0", "0.01", "0.05", "0.3", "1", "5", "100", '"auto"']
        if self.likely(0.75):
            fields["duration"] = Raw(self.one(short, ["1e-320", "1e-300", "1e-9", "31536000", "-1", "31536001"], 0.1))
        for name in ("delay", "endDelay"):
            if self.likely(0.08):
                fields[name] = Raw(self.one(["0.01", "0.1", "2"], ["1e-320", "31536000", "-0", "1e300"]))
        if self.likely(0.3):
            fields["easing"] = self.one(EASINGS, ODD_EASINGS, 0.2)
        elif self.likely(0.25):
            fields["spring"] = self.one(SPRINGS, ODD_SPRINGS, 0.4)
            if self.likely(0.9) and fields["spring"] != {"dampingRatio": 0.7}:
                fields.pop("duration", None)
        if self.likely(0.12):
            fields["repeat"] = self.one([1, 0.5, 3, "forever"], [Raw("1e9"), Raw("1e308"), Raw("1e-300"), -1, "x"], 0.3)
        if self.likely(0.1):
            fields["direction"] = self.one(["normal", "reverse", "alternate", "alternate-reverse"], ["x", 1])
        if self.likely(0.1):
            fields["repeatDelay"] = self.one([0.1, 1], [-1, Raw("1e300"), Raw("5e-324"), "x"], 0.3)
        if self.likely(0.1):
            odd = ["0", "1e-320", "1000", "1001", "1e-9", "-1000", "-1e-320", "-1001"]
            fields["rate"] = Raw(self.one(["1", "2", "0.5", "-1"], odd, 0.3))
        if self.likely(0.12):
            count = self.one([1, 3], [100, 101])
            fields["milestones"] = [self.number() for _ in range(count)]
        if self.likely(0.3):
            fields["interrupt"] = self.one(["retarget", "replace", "queue", "queue", "reject"], ["x", None])
        if self.likely(0.08):
            fields["clamp"] = self.one([True, False, "never-decrease"], ["never", 1, None])
        for name in ("autoreverse", "animated"):
            if self.likely(0.08):
                fields[name] = self.one([True, False], ["true", 1, None])
        return fields

    def face(self, kind, fields):
        if self.likely(0.35):
            fields["label"] = self.text()
        elif kind == "ticker" and self.likely(0.1):
            fields |= {"prefix": self.text(), "suffix": self.text()}
        if self.likely(0.12):
            fields["decimals"] = self.one([0, 1, 2, 5], [20, 21, -1, Raw("1.5"), Raw("1e1"), Raw("1e300")])
        if self.likely(0.2):
            fields["format"] = self.format()
        if self.likely(0.06):
            fields["ttl"] = Raw(self.one(["30", "5", "1000"], ["0", "0.01", "1e-320", "31536000", "-1"], 0.3))
        if kind == "ticker" and self.likely(0.05) and "prefix" not in fields:
            fields["index"] = self.one([0, 1], [2, 999, 1000, -1, Raw("1e19")])
        if kind == "progress" and self.likely(0.3):
            fields["maximum"] = self.one([Raw("100"), Raw("7.5"), None], [self.number(0.5)], 0.3)
        if kind == "progress" and self.likely(0.15):
            fields["appearance"] = {"shape": self.one(["bar", "pie", "ring"], ["x"]), "own": self.data()}
        return fields

    def update(self, kind, depth=0):
        fields, name = {}, "to" if kind == "ticker" else "current"
        fields["by" if self.likely(0.25) else name] = self.number()
        if self.likely(0.12):
            fields["from"] = self.number()
        self.face(kind, self.timing(fields))
        if depth < 6 and self.likely(0.12 if depth == 0 else 0.3):
            fields["then"] = self.actions(depth + 1)
        if self.likely(0.008):
            fields[self.text()] = self.junk()
        return fields

    def definition(self, kind):
        return self.face(kind, self.timing({}))

    def actions(self, depth=0):
        count = self.one([0, 1, 1, 2, 3], [32, 33]) if depth < 2 else 1
        return [self.action(depth) for _ in range(count)]

    def action(self, depth):
        kind = self.chance.random()
        if kind < 0.3:
            return {"notify": self.identifier()} | ({"data": self.data()} if self.likely(0.6) else {})
        if kind < 0.36:
            # To ports on which nobody listens.
            url = self.one(
                [f"http://127.0.0.1:{port}/x" for port in self.ports], ["https://example.invalid/", "x", "http://["]
            )
            return {"webhook": url, "data": self.data()}
        if kind < 0.37:
            return self.junk()
        kind = self.chance.choice(["ticker", "progress"])
        return {kind: self.identifier()} | self.update(kind, depth)

    def schedule(self):
        fields = {"do": self.actions()}
        if self.likely(0.5):
            fields["in"] = Raw(
                self.one(["0", "0.01", "0.5", "60", "1000"], ["315360000", "315360001", "1e-320", "-1", "1e300"])
            )
        elif self.likely(0.4):
            fields["at"] = self.one(DATES, ODD_DATES, 0.3)
        if self.likely(0.4) or not fields.keys() & {"in", "at"}:
            fields["every"] = self.one([*RULES, 0.05, 0.3, 2, 1000], [*ODD_RULES, 0.01, 0.009, Raw("1e-320")], 0.2)
            if isinstance(fields["every"], str) and self.likely(0.4):
                fields["timeZone"] = self.one(ZONES, ODD_ZONES)
            if self.likely(0.3):
                fields["count"] = self.one([1, 2, 5], [Raw("1e9"), Raw("1e10"), 0, Raw("1.5")])
        if self.likely(0.06):
            fields["until"] = self.one(DATES, ODD_DATES)
        if self.likely(0.3):
            fields["ifMissed"] = self.one(["fire", "skip"], ["x"])
        if self.likely(0.3):
            fields["label"] = self.text()
        return fields

    def line(self):
        kind = self.chance.choice(["ticker", "progress", "schedule"])
        if kind != "schedule" and self.likely(0.65):
            return {kind: self.identifier()} | self.update(kind)
        fields = {"op": self.one([*VERBS, "delete"], ["x", ""]), kind: self.identifier()}
        if fields["op"] == "seek":
            fields["fraction"] = self.number()
        if fields["op"] == "rate":
            fields["rate"] = self.number()
        return fields

    def mutated(self, body: bytes) -> bytes:
        body = bytearray(body)
        for _ in range(self.chance.randint(1, 4)):
            place, kind = self.chance.randrange(len(body) + 1), self.chance.random()
            if kind < 0.4:
                body[place : place + 1] = bytes([self.chance.randrange(256)])
            elif kind < 0.6:
                del body[place : place + self.chance.randint(1, 9)]
            elif kind < 0.85:
                body[place:place] = self.chance.choice(PATCHES)
            else:
                body[place:place] = body[max(0, place - 20) : place]
        return bytes(body)

    def headers(self):
        fields = {"Content-Type": "application/json"}
        if self.likely(0.06):
            fields["Idempotency-Key"] = self.one(
                [f"k{self.chance.randint(0, 300)}"], ["", "k" * 255, "k" * 256, "\xe9", "a b"]
            )
        if self.likely(0.04):
            fields["If-Match"] = self.one(
                ['"1"', '"2"', '"5"', "*"], ['""', "1", 'W/"1"', f'"{2**63}"', '"' + "9" * 19 + '"'], 0.3
            )
        if self.likely(0.02):
            fields["Content-Type"] = self.chance.choice(["text/plain", "", "application/json; charset=latin1", "x/y"])
        if self.likely(0.01):
            fields["X-" + "y" * 20] = "z" * self.chance.choice([100, 5000])
        return fields

    def path(self, kind) -> str:
        return f"{PLACES[kind]}/{self.one([self.identifier()], ODD_IDS, 0.015)}"

    def request(self) -> Request:
        """One request and all that belongs to it."""
        method, path, body = self.chance.choices(
            [
                self.move,
                self.define,
                self.plan,
                self.play,
                self.batch,
                self.remove,
                self.look,
                self.watch,
                self.nonsense,
            ],
            [46, 7, 14, 12, 6, 2, 9, 2, 2],
        )[0]()
        if body is not None:
            body = (body if isinstance(body, str) else self.write(body)).encode("utf-8", "surrogatepass")
            body = self.mutated(body) if self.likely(0.04) else body
        return Request(method, path, body, self.headers())

    def move(self):
        kind = self.chance.choice(["ticker", "progress"])
        place = PLACES[kind] if self.likely(0.04) else self.path(kind)
        return "POST", place, self.update(kind)

    def define(self):
        kind = self.chance.choice(["ticker", "progress"])
        return "PUT", self.path(kind), self.definition(kind)

    def plan(self):
        verb = self.chance.random()
        if verb < 0.05:
            return "POST", f"/v1/schedules/{self.chance.choice(['pause', 'resume', 'resume'])}", ""
        if verb < 0.12:
            return "POST", f"{self.path('schedule')}/{self.chance.choice(['pause', 'resume'])}", ""
        preview = self.one(["", "?preview=5"], ["?preview=0", "?preview=101", "?preview=1e2", "?preview="])
        if verb < 0.2:
            return "POST", f"/v1/schedules{preview}", self.schedule()
        return "PUT", f"{self.path('schedule')}{preview}", self.schedule()

    def play(self):
        verb = self.chance.choice(VERBS)
        body = {"seek": {self.one(["fraction", "seconds"]): self.number()}, "rate": {"rate": self.number()}}.get(
            verb, ""
        )
        return "POST", f"{self.path(self.chance.choice(['ticker', 'progress']))}/{verb}", body

    def batch(self):
        separator = self.one(["\n"], ["\r\n", "\n\n", " ", ""])
        return (
            "POST",
            "/v1/batch",
            separator.join(self.write(self.line()) for _ in range(self.one([1, 3, 6], [0, 40, 300]))),
        )

    def remove(self):
        return "DELETE", self.path(self.chance.choice(list(PLACES))), None

    def look(self):
        if self.likely(0.5):
            return self.one(["GET"], ["HEAD", "OPTIONS"]), self.path(self.chance.choice(list(PLACES))), None
        limit = self.one(
            ["?limit=1000", "?limit=1", ""],
            ["?limit=0", "?limit=1001", "?limit=-1", f"?limit={2**64}", "?limit=", "?after=%00"],
        )
        after = f"{'&' if limit else '?'}after={self.identifier()}" if self.likely(0.2) else ""
        path = self.chance.choice(READS)
        return "GET", path + (limit + after if path.startswith("/v1") else ""), None

    def watch(self):
        """Topics by body; of the stream no more than its head is read."""
        topics = {kind: [self.one([self.identifier(), "a*", "*"], ["", "**", "x" * 129, "."])] for kind in PLACES}
        more = self.one(
            [{}, {"fps": 5}, {"once": True}],
            [{"fps": self.number(0.5)}, {"lastEventID": "x"}, {"x": 1}, {"fps": "1"}],
            0.4,
        )
        if self.likely(0.5):
            return "POST", "/v1/events", topics | more
        parts = [topics | self.one([{}, {"wheels": "up"}, {"mode": "motion"}], [{"wheels": 1}, {"parts": []}], 0.4)]
        name = self.chance.choice(["A" * 22, "A" * 21 + "B", "é" * 11, "../events", self.identifier()])
        return self.chance.choice(
            [
                ("POST", "/v1/events", {"parts": parts * self.chance.choice([1, 8, 9])} | more),
                ("PUT", f"/v1/streams/{urllib.parse.quote(name, safe='')}", {"parts": parts} | more),
            ]
        )

    def nonsense(self):
        return (
            self.chance.choice(["POST", "PUT", "PATCH", "DELETE"]),
            self.path(self.chance.choice(list(PLACES))),
            self.junk(),
        )

    def stream(self) -> tuple:
        """A stream's path and headers."""
        place = self.one(
            ["/v1/events?ticker=*&progress=*&schedule=*&notification=*", "/v1/events?ticker=a&ticker=b*&progress=c"]
        )
        odd = [
            "&fps=1e-300",
            "&fps=0",
            "&fps=x",
            "&mode=x",
            "&wheels=x",
            "&as=",
            "&once=2",
            "&ticker=",
            "&ticker=" + "x" * 200,
        ]
        identifiers = [
            "x-1",
            "-",
            "1-9223372036854775807",
            "a-99999999999999999999",
            "",
            "\x85",
            "a" * 5000,
            "0-0",
            "1-1-1",
        ]
        headers = [f"Last-Event-ID: {self.chance.choice(identifiers)}"] if self.likely(0.15) else []
        return place + self.one(STREAM_FORMS, odd, 0.1), headers
