"""Streams from Tweencast and posts updates, with only Python's standard library (3.9 or later).

python3 client.py stream http://localhost:8080 'ticker=visitors'
python3 client.py add http://localhost:8080 visitors 1

TWEENCAST_TOKEN is sent where the server asks for tokens. TWEENCAST_KEY names what is added: with the same key it counts
once, even if a cron job runs twice.
"""

import http.client
import json
import os
import sys
import time
import urllib.parse
import uuid

UNREACHABLE = (OSError, http.client.HTTPException)
LONGEST = 60  # seconds that this waits at most, even if an answer asks for more


class Refused(Exception):
    """An answer that a retry would repeat."""


def send(url, method, path, body=None, headers={}):
    """An answer and its socket."""
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=10)
    if token := os.environ.get("TWEENCAST_TOKEN"):
        headers = {**headers, "Authorization": f"Bearer {token}"}
    connection.request(method, parts.path.rstrip("/") + path, body, headers)
    socket = connection.sock
    answer = connection.getresponse()
    # A redirect isn't followed: the token is for this server alone.
    if answer.status == 204 and method == "GET" or 300 <= answer.status < 500 and answer.status != 429:
        raise Refused(f"{answer.status} {answer.read().decode()}")
    return answer, socket


def retry_after(answer):
    """Seconds that an answer asks to wait, at most a minute, or 0."""
    text = answer.headers.get("Retry-After", "")
    asked = int(text) if text.isdecimal() else 0
    if asked > LONGEST:
        print(f"{answer.status}: the server asks for {asked} s, trying again in {LONGEST} s", file=sys.stderr)
    return min(asked, LONGEST)


class Stream:
    def __init__(self, url, query):
        self.url, self.query = url, query
        self.last = None  # the id to continue from
        self.retry = 2.0  # seconds until the next connection, unless the server sends others
        self.asked = 0  # the same, from an answer with Retry-After

    def events(self):
        """Names and data of events, over any number of connections."""
        failures = 0
        while True:
            self.asked = 0
            try:
                for event in self._connection():
                    failures = 0
                    yield event
            except UNREACHABLE as error:
                print(f"no stream: {error!r}", file=sys.stderr)
                failures += 1
            # The server's `retry` spreads its clients; while it stays away, attempts become rarer.
            longer = min(self.retry * 2 ** min(max(0, failures - 1), 5), 30)
            time.sleep(self.asked or max(self.retry, longer))

    def _connection(self):
        headers = {"Last-Event-ID": self.last} if self.last else {}
        answer, socket = send(self.url, "GET", f"/v1/events?{self.query}", headers=headers)
        with answer:
            self.asked = retry_after(answer)
            if answer.status != 200:
                raise http.client.HTTPException(answer.status)
            name, identity, data = "message", None, []
            for line in answer:
                if not line.endswith(b"\n"):
                    return  # cut off, perhaps inside a character
                text = line.decode().rstrip("\r\n")
                field, _, value = text.partition(": ")  # a comment has no field
                if field == "event":
                    name = value
                elif field == "id":
                    identity = value
                elif field == "retry":
                    self.retry = int(value) / 1000
                elif field == "data":
                    data.append(value)
                elif not text:
                    # The event is complete only now. One that was cut off is sent again, so its id must not be stored earlier.
                    self.last = identity or self.last
                    if name == "hello":
                        # After two missing heartbeats the connection is dead: reading it then raises.
                        socket.settimeout(2 * json.loads(data[0])["heartbeat"] + 1)
                    if data:
                        yield name, "\n".join(data)
                    if name == "bye":
                        return
                    name, identity, data = "message", None, []


def add(url, ticker, number):
    """Adds to a ticker's target once, however often it is sent."""
    key = os.environ.get("TWEENCAST_KEY") or str(uuid.uuid4())
    headers = {"Idempotency-Key": key, "Content-Type": "application/json"}
    for attempt in range(10):
        pause = min(0.5 * 2**attempt, 30)
        try:
            answer, _ = send(url, "POST", f"/v1/tickers/{ticker}", json.dumps({"by": number, "duration": 0.5}), headers)
            with answer:
                if answer.status < 400:
                    return json.load(answer)
                pause = retry_after(answer) or pause
        except UNREACHABLE as error:
            print(f"not answered: {error!r}", file=sys.stderr)
        time.sleep(pause)
    raise TimeoutError("the server doesn't answer")


def address(text):
    """The server's address from what was typed: localhost:8080/ means http://localhost:8080."""
    return ("" if "://" in text else "http://") + text.rstrip("/")


if __name__ == "__main__":
    verb, url, *rest = sys.argv[1:]
    url = address(url)
    try:
        if verb == "add":
            print(add(url, rest[0], float(rest[1]))["target"])
        else:
            for name, data in Stream(url, rest[0]).events():
                print(name, data, flush=True)
    except Refused as refusal:
        sys.exit(str(refusal))
