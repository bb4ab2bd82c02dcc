"""What a simulated world's history says: requests with their answers, and what each reader heard and shows."""

import dataclasses
import json
import pathlib
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Stateful"))
from model import Event, Heard  # noqa: E402


@dataclasses.dataclass
class Request:
    """A writer's request, with all attempts under its key."""

    number: int
    writer: int
    method: str
    target: str
    body: str
    key: str
    # Whose token it carries: its writer's `own`, that of an`other` writer, of `mute`, of a `stranger`, or of `nobody`.
    bearer: str
    # The revision in its `If-Match`, as it is written there; empty without.
    condition: str
    # When it was sent first, in nanoseconds.
    asked: int
    # When it was sent, to which server, and when its token expires; 0 for never.
    sent: list[tuple[int, str, int]] = dataclasses.field(default_factory=list)
    # Whether it named the revision that its writer's last change had made, and nobody else could have changed that.
    is_certain: bool = False
    # Each as `answer` in the history.
    answers: list[dict] = dataclasses.field(default_factory=list)
    attempts: int = 0

    def __str__(self) -> str:
        return f"{self.method} {self.target} {self.body[:200]} ({self.number}, by {self.bearer})"

    @property
    def known(self) -> list[dict]:
        """Answers that say what came of it. A 503 may come from a server that did what it was asked, and a 401 to its writer's own
        token, which has expired, says nothing of earlier attempts."""
        return [
            answer
            for answer in self.answers
            if answer["status"] < 500 and not (answer["status"] == 401 and answer["expires"])
        ]

    @property
    def status(self) -> int | None:
        """nil where nobody knows what came of it."""
        return self.known[0]["status"] if self.known else None

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and self.status < 300

    @property
    def is_refused(self) -> bool:
        """Whether nothing came of it: that was its answer, or that of each attempt. Only one 503 says that nobody knows."""
        if self.status is not None:
            return not self.is_accepted
        return len(self.answers) == self.attempts and not any("is not known" in answer["body"] for answer in self.answers)

    @property
    def path(self) -> str:
        return self.target.split("?")[0]

    @property
    def tracks(self) -> list[str]:
        """The paths of its writer's numbers that it may change."""
        if self.method == "GET":
            return []
        if self.path == "/v1/batch":
            return [f"/v1/tickers/{line['ticker']}" for line in self.lines if "to" in line]
        return ["/".join(self.path.split("/")[:4])]

    @property
    def json(self) -> dict:
        return json.loads(self.body) if self.body else {}

    @property
    def lines(self) -> list[dict]:
        """Of a batch."""
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def results(self) -> list[dict]:
        """Of an accepted batch, the answer to each line."""
        return [json.loads(line) for line in self.known[0]["body"].splitlines()]


@dataclasses.dataclass
class Connection:
    """An open stream."""

    asked: int
    opened: int
    # When its token ends; 0 for never.
    expires: int
    ended: int | None = None
    # Whether its reader read late.
    is_delayed: bool = False
    # When it was told that its token had expired.
    told: int | None = None


@dataclasses.dataclass
class Ticket:
    """A one-time ticket."""

    asked: int
    made: int
    # When its owner's token ends; 0 for never.
    expires: int
    uses: dict[int, "Use"] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Use:
    """A request with a ticket."""

    sent: int
    answered: int | None = None
    # The answer's status, `stream` or `lost`; nil without any.
    outcome: str | None = None


class Listener(Heard):
    """A reader of the world."""

    def __init__(self, topics: str, form: str, is_narrow: bool, has_tickets: bool):
        kinds: dict[str, list[str]] = {}
        for kind, name in urllib.parse.parse_qsl(topics):
            kinds.setdefault(kind, []).append(name)
        super().__init__(kinds)
        self.form = form
        # Whether its token gives no right to some of its topics.
        self.is_narrow = is_narrow
        # Whether it reads with one-time tickets, which give a right to its topics alone.
        self.has_tickets = has_tickets
        self.connections: list[Connection] = []
        self.start: int | None = None
        self.frames: dict[str, str] = {}
        self.is_open = False
        # The lines of a terminal, and the first thing that it was sent and can't show.
        self.screen = self.misplaced = ""

    def hear(self, name: str, data: str, identifier: str | None):
        super().hear(name, data, identifier)
        if name == "hello" and self.start is None and identifier:
            self.start = int(identifier.rpartition("-")[2])


class World:
    """A history, line by line."""

    def __init__(self, begins: dict):
        self.seed, self.kind, self.has_tokens = begins["seed"], begins["kind"], begins["tokens"]
        self.requests: dict[int, Request] = {}
        self.listeners: dict[int, Listener] = {}
        self.audits: list[dict] = []
        self.progress: list[dict] = []
        self.calls: list[dict] = []
        self.pages: list[dict] = []
        self.rested: list[dict] = []
        self.starts: list[dict] = []
        self.moving: list[dict] = []
        self.halted: list[dict] = []
        # Streams that were refused because a token had expired.
        self.refusals: list[dict] = []
        # By reader and text, and by reader and use.
        self.tickets: dict[tuple[int, str], Ticket] = {}
        self.uses: dict[tuple[int, int], Use] = {}
        # When servers began to run, or ended.
        self.changes_of_servers: list[int] = []
        # Bodies that broke off.
        self.cuts: list[dict] = []
        # By path, the revision that a number must have.
        self.certain: dict[str, str] = {}
        self.wrong: list[str] = []
        self.now = 0
        # When the log lost entries last.
        self.lost_at = -1
        self.kills = self.losses = self.unconfirmed = self.rewrites = self.full_disks = 0
        self.marks: dict[str, int] = {}

    def take(self, line: dict):
        self.now = line["at"]
        getattr(self, "_" + line["is"].replace(" ", "_"))(line)

    def _asks(self, line: dict):
        number = line["n"]
        if number not in self.requests:
            self.requests[number] = Request(
                number, line["writer"], line["method"], line["target"], line["body"], line["key"], line["bearer"], line["ifMatch"],
                line["at"],
            )  # fmt: skip
        request = self.requests[number]
        request.attempts += 1
        request.sent.append((line["at"], line["server"], line["expires"]))
        for path in request.tracks if request.bearer == "own" else ():
            known = self.certain.pop(path, None)
            request.is_certain = request.attempts == 1 and bool(known) and known == request.condition

    def _answer(self, line: dict):
        request = self.requests[line["n"]]
        # A writer waits for each answer.
        line["sent"], line["server"], line["expires"] = request.sent[-1]
        request.answers.append(line)
        # What waits for its turn changes a number later.
        is_whole = "queue" not in request.body and '"waiting"' not in line["body"]
        if self.lasts(request) and request.attempts == 1 and line["status"] < 300 and line["etag"] and is_whole:
            for path in request.tracks:
                self.certain[path] = line["etag"]

    def _reads(self, line: dict):
        self.listeners[line["reader"]] = Listener(line["topics"], line["form"], line["isNarrow"], line["hasTickets"])

    def _event(self, line: dict):
        self._hear(line["reader"], line["name"], line["data"], line["id"] or None)

    def _line(self, line: dict):
        event = json.loads(line["line"])
        text = json.dumps(event["data"], ensure_ascii=False, separators=(",", ":"))
        self._hear(line["reader"], event["event"], text, event.get("id"))

    def _hear(self, reader: int, name: str, data: str, identifier: str | None):
        if name == "bye" and json.loads(data)["reason"] == "expired":
            self.listeners[reader].connections[-1].told = self.now
        try:
            self.listeners[reader].hear(name, data, identifier)
        except AssertionError as error:
            self.wrong.append(f"reader {reader}: {error}")

    def _lost(self, line: dict):
        if "body" in line:
            self.cuts.append(line)

    def _shows(self, line: dict):
        listener = self.listeners[line["reader"]]
        listener.frames, listener.is_open = line["frames"], line["isOpen"]
        listener.screen, listener.misplaced = line["screen"], line["misplaced"]

    def _opened(self, line: dict):
        self.listeners[line["reader"]].connections.append(Connection(line["asked"], line["at"], line["expires"]))

    def _ended(self, line: dict):
        connections = self.listeners[line["reader"]].connections
        if connections and connections[-1].ended is None:
            connections[-1].ended, connections[-1].is_delayed = line["at"], line["isDelayed"]

    def _refused(self, line: dict):
        self.refusals.append(line)

    def _ticket(self, line: dict):
        self.tickets[line["reader"], line["ticket"]] = Ticket(line["asked"], line["at"], line["expires"])

    def _spends(self, line: dict):
        use = self.uses[line["reader"], line["use"]] = Use(line["at"])
        self.tickets[line["reader"], line["ticket"]].uses[line["use"]] = use

    def _spent(self, line: dict):
        use = self.uses[line["reader"], line["use"]]
        use.answered, use.outcome = line["at"], line["outcome"]

    def _killed(self, line: dict):
        self.kills += 1
        self.changes_of_servers.append(line["at"])

    def _stops(self, line: dict):
        self.changes_of_servers.append(line["at"])

    def _stopped(self, line: dict):
        # One that ends in one step has no line for its begin.
        self.changes_of_servers.append(line["at"])

    def _suffix_lost(self, line: dict):
        self.losses += 1
        self.lost_at = line["at"]
        # What was acknowledged may be gone, and the revisions with it.
        self.certain.clear()

    def _unconfirmed_lost(self, line: dict):
        """What was acknowledged is not gone."""
        self.unconfirmed += 1

    def _board_lost(self, line: dict):
        """Replicas write it back: nothing that any of them had is gone."""
        self.rewrites += 1

    def _not_stored(self, line: dict):
        self.full_disks += 1

    def _audit(self, line: dict):
        self.audits.append(line)

    def _progress(self, line: dict):
        self.progress.append(line)

    def _page(self, line: dict):
        self.pages.append(line)

    def _rested(self, line: dict):
        self.rested.append(line)

    def _set_off(self, line: dict):
        self.starts.append(line)

    def _moving(self, line: dict):
        self.moving.append(line)

    def _halted(self, line: dict):
        self.halted.append(line)

    def _called(self, line: dict):
        self.calls.append(line)

    def _wrong(self, line: dict):
        self.wrong.append(line["what"])

    def _marks(self, line: dict):
        self.marks = {name: count for name, count in line.items() if name not in ("is", "at")}

    def _nothing(self, line: dict):
        """What only tells a reader of the history where it is."""

    _not_started = _redis = _disk_full = _taken_back = _started = _rests = _ends = _nothing

    def lasts(self, request: Request) -> bool:
        """Whether no log has lost entries since it was sent first."""
        return request.asked > self.lost_at

    @property
    def took_back(self) -> bool:
        """Whether readers may have heard of changes that nobody acknowledged and that are gone."""
        return bool(self.losses or self.unconfirmed or self.full_disks)

    @property
    def keeps_time(self) -> bool:
        """Whether no clock was set by which a token ends."""
        return not any(self.marks.get(name) for name in ("clock set", "redis clock set"))

    @property
    def has_gaps(self) -> bool:
        """Whether the first reader may miss events, or may have heard of what is gone."""
        return self.took_back or bool(self.journal.resets)

    @property
    def may_reset(self) -> bool:
        """Whether a replica may have loaded the board again, or may know less than a reader."""
        return self.took_back or bool(self.rewrites)

    @property
    def journal(self) -> Listener:
        """The first reader hears of everything."""
        return self.listeners[0]

    def found(self, target: str) -> list[dict]:
        """The answers of all servers at the end."""
        return [audit for audit in self.audits if audit["target"] == target]


def events_of(listener: Listener) -> list[Event]:
    return [event for event in listener.events if event.topic]
