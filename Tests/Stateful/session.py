"""A random session with one server: what it has, what it asks, and what is known of it."""

import collections
import hashlib
import json
import random

from crowd import Crowd
from model import KINDS, Schedule, Track
from reader import Reader
from server import Answer, Server, wait_until

LONG_SECONDS = 5_000
# Everything else has ended by then, on a machine that is busy, too.
REST_SECONDS = 15
TOKENS = {name: hashlib.sha256(f"token of {name}".encode()).hexdigest() for name in ("root", "left", "right")}


def tokens() -> dict:
    """The file that lets in an admin, and two who share nothing."""
    entries = []
    for name, token in TOKENS.items():
        own = [f"{kind}={name}-*" for kind in KINDS]
        digest = hashlib.sha256(token.encode()).hexdigest()
        entries.append({"name": name, "sha256": digest, "publish": own, "subscribe": own, "admin": name == "root"})
    return {"tokens": entries}


class Session:
    """Whatever was acknowledged is written into a model.

    - Parameter seed: Of all that is chosen; when an answer comes is the machine's.
    - Parameter log: Takes a line for each request.
    - Parameter server: One of its own if there is none.
    - Parameter reader: The class of its journal.
    """

    def __init__(self, seed: int, log, server: Server | None = None, reader: type[Reader] = Reader):
        self.random, self.log = random.Random(seed), log
        self.server = server or Server(tokens())
        self.crowd = Crowd(self.server, TOKENS["root"])
        # All there ever were, by topic and name, and those that are there.
        self.tracks: dict[tuple[str, str], list[Track]] = {}
        self.schedules: dict[str, list[Schedule]] = {}
        self.present: dict[tuple[str, str], Track] = {}
        self.pending: dict[str, Schedule] = {}
        self.are_paused = False
        self.notifications: collections.Counter = collections.Counter()
        # Path, key, body and answer.
        self.keyed: list[tuple[str, str, dict, Answer]] = []
        # By how many seconds the server's clock is ahead.
        self.offset = 0
        # Each with the mark from which it hears everything.
        self.readers: list[tuple[Reader, int]] = []
        self.marks = 0
        self.journal = reader(self.server, {kind: ["*"] for kind in KINDS}, TOKENS["root"])
        wait_until(
            lambda: self.journal.greetings, REST_SECONDS, lambda: f"the journal's greeting: {self.journal.wrong}"
        )

    def ask(self, method, path, body=None, token="root", **headers) -> Answer:
        """No answer is the server's fault, and a refusal says what is wrong."""
        answer = self.server.ask(method, path, body, TOKENS[token], **headers)
        text = body.decode() if isinstance(body, bytes) else json.dumps(body)
        self.log(f"{method} {path} {text} {headers or ''} {token}: {answer.status} {answer.headers.get('etag', '')}")
        assert answer.status < 500, f"{method} {path} {body} was answered {answer.status} {answer.body}"
        if answer.status >= 400:
            problem = answer.json
            assert problem["status"] == answer.status and problem["detail"], f"{method} {path}: {answer.body}"
        return answer

    def look(self, path) -> Answer:
        """A GET that no log need have: it is asked again and again."""
        return self.server.ask("GET", path, token=TOKENS["root"])

    def mark(self) -> int:
        """An event of its own, by which others are told to come before or after."""
        self.marks += 1
        answer = self.ask("POST", "/v1/notifications/mark", self.marks)
        assert answer.status == 204, answer.body
        return self.marks

    def close(self):
        self.crowd.end()
        for reader in [self.journal, *(reader for reader, _ in self.readers)]:
            reader.end()
        self.server.close()
