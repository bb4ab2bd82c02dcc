"""What a board must hold and must have told, by what was acknowledged. It shares no code with the server, and knows nothing
of time but that what was started ends."""

import dataclasses
import fractions
import itertools
import json
import typing

KINDS = ("ticker", "progress", "schedule", "notification")
# What is told one stream alone; everything else with a name has an id.
OF_ONE_STREAM = ("hello", "heartbeat", "reset", "bye", "limit", "rate")


class Event(typing.NamedTuple):
    number: int
    name: str
    text: str
    epoch: str

    @property
    def data(self) -> dict:
        return json.loads(self.text)

    @property
    def topic(self) -> tuple[str, str] | None:
        """What it is about; None where that is every schedule."""
        data = self.data
        return next(((kind, data[kind]) for kind in KINDS if kind in data), None)


class Heard:
    """What a reader heard over all of its connections: each named event once, in the order of their ids."""

    def __init__(self, topics: dict[str, list[str]]):
        self.topics = topics
        self.events: list[Event] = []
        self.last: str | None = None
        self.greetings, self.resets = 0, []
        # What it received and receives again, and how often that happened.
        self.retracted: list[Event] = []
        self.retractions = 0

    def hears(self, event: Event) -> bool:
        """Whether its topics have it."""
        if not event.topic:
            return False
        kind, name = event.topic
        return any(
            name == topic or topic.endswith("*") and name.startswith(topic[:-1]) for topic in self.topics.get(kind, [])
        )

    def hear(self, name: str, data: str, identifier: str | None):
        if identifier:
            self.last = identifier
        if name == "hello":
            self.greetings += 1
        if name == "reset":
            self.resets.append(data)
            if identifier:
                self._go_back(int(identifier.rpartition("-")[2]))
        if name in OF_ONE_STREAM or not name:
            return
        assert identifier, f"{name} without an id: {data}"
        epoch, _, number = identifier.rpartition("-")
        event = Event(int(number), name, data, epoch)
        last = self.events[-1] if self.events else None
        if last and last.epoch != epoch and event.number <= last.number:
            self._retract(event.number)
        else:
            assert not last or event.number > last.number, f"{event} after {last}"
        self.events.append(event)

    def _go_back(self, last: int):
        """A server lacks what comes after this number. A log that has it later gives it the same id."""
        self.retracted += [event for event in self.events if event.number > last]
        self.events = [event for event in self.events if event.number <= last]

    def _retract(self, first: int):
        """What a server sent last and had not stored when it was killed is sent again, under numbers of another epoch."""
        self.retracted += [event for event in self.events if event.number >= first]
        self.events = [event for event in self.events if event.number < first]
        self.retractions += 1


class Milestones(typing.NamedTuple):
    """Those that a motion may tell: it may show more than its target on the way; and those that lie before its end."""

    possible: set[fractions.Fraction]
    certain: set[fractions.Fraction]


@dataclasses.dataclass
class Move:
    """An update of a track that was accepted."""

    target: fractions.Fraction
    label: str | None = None
    # Longer than a session.
    is_long: bool = False
    # Where it goes if that depends on where the number rests before it: `by`, `max` or `min`, and how much.
    relative: tuple[str, fractions.Fraction] | None = None

    def aim(self, rest: fractions.Fraction):
        """The number rests there before it."""
        if self.relative:
            self.target = aimed(*self.relative, rest)

    def loses(self, rest: fractions.Fraction) -> bool:
        """Whether a number that rests there is beyond its bound."""
        field, amount = self.relative or ("", rest)
        return (field == "max" and amount < rest) or (field == "min" and amount > rest)


def aimed(field: str, amount: fractions.Fraction, rest: fractions.Fraction) -> fractions.Fraction:
    """Where an update takes a number that rests there."""
    return {"by": rest + amount, "max": max(rest, amount), "min": min(rest, amount)}.get(field, amount)


@dataclasses.dataclass
class Track:
    """A ticker or a progress."""

    kind: str
    name: str
    revision: int = 0
    label: str | None = None
    # The last that began, and those that wait behind it.
    moves: list[Move] = dataclasses.field(default_factory=lambda: [Move(fractions.Fraction(0))])
    # By animation, the milestones of its motion.
    motions: dict[int, "Milestones"] = dataclasses.field(default_factory=dict)
    is_paused: bool = False

    @property
    def topic(self) -> tuple[str, str]:
        return self.kind, self.name

    @property
    def field(self) -> str:
        return "to" if self.kind == "ticker" else "current"

    @property
    def path(self) -> str:
        return f"/v1/{'tickers' if self.kind == 'ticker' else 'progress'}/{self.name}"

    @property
    def is_long(self) -> bool:
        return any(move.is_long for move in self.moves)

    def target_in(self, body: dict) -> fractions.Fraction:
        """What an answer says that it goes to."""
        return fractions.Fraction(str(body["target" if self.kind == "ticker" else "current"]))

    def begin_all_but(self, waiting: int):
        """Only so many wait now: those before have begun."""
        assert waiting < len(self.moves), f"{waiting} updates of {self} wait"
        while len(self.moves) > waiting + 1:
            move = self.moves.pop(1)
            rest = self.moves[0].target
            # A bound that loses when it is its turn changes nothing.
            self.begin(Move(rest) if move.loses(rest) else move)

    def begin(self, move: Move):
        self.moves[0] = move
        self.label = move.label or self.label
        for before, waiting in itertools.pairwise(self.moves):
            waiting.aim(before.target)

    @property
    def has_relative_waiting(self) -> bool:
        return any(move.relative for move in self.moves[1:])


@dataclasses.dataclass
class Schedule:
    name: str
    definition: dict
    revision: int
    is_paused: bool = False
    # How often a definition of it was replaced: from then on its firings may be counted from one again.
    changes: int = 1

    @property
    def path(self) -> str:
        return f"/v1/schedules/{self.name}"


class Story:
    """What the named events of a whole session say, in the order of their ids."""

    def __init__(self, events: list[Event], before: int = 0):
        """`before`: the number of the last event before them."""
        numbers = [event.number - before for event in events]
        assert numbers == list(range(1, len(numbers) + 1)), f"ids are missing: {gaps(numbers)}"
        # By topic: one list for each life of a resource, which `removed` ends.
        self.lives: dict[tuple[str, str], list[list[Event]]] = {}
        for event in events:
            if not event.topic:
                continue
            lives = self.lives.setdefault(event.topic, [[]])
            lives[-1].append(event)
            if event.name == "removed":
                lives.append([])

    def check_tracks(self, lives: dict[tuple[str, str], list[Track]]):
        """Each motion has ended once and was told so once; each milestone was told once, on the way."""
        for topic, tracks in lives.items():
            told = self.lives.get(topic, [[]])
            assert len(told) >= len(tracks), (
                f"{topic} was deleted {len(tracks) - 1} times, and `removed` came {len(told) - 1}"
            )
            for track, events in zip(tracks, told, strict=False):
                self._check_motions(track, events)

    @staticmethod
    def ends_and_milestones(events: list[Event]) -> tuple[dict[int, bool], dict[int, list[fractions.Fraction]]]:
        """By animation of one life of a track, whether it finished, and the milestones that were told before. Each was told once.
        Merged completions that lie among others are left out: they say how many they are, and not which."""
        ends, crossed = {}, {}
        for event in events:
            data = event.data
            if event.name == "complete":
                last = int(data["animation"])
                first = int(data.get("first", last))
                if data.get("count", 1) < last - first + 1:
                    continue
                for animation in range(first, last + 1):
                    assert animation not in ends, f"animation {animation} ended twice: {event}"
                    ends[animation] = data["finished"]
            elif event.name == "milestone":
                animation = int(data["animation"])
                value = fractions.Fraction(str(data["value"]))
                assert animation not in ends, f"a milestone after the end: {event}"
                assert value not in crossed.setdefault(animation, []), f"a milestone told twice: {event}"
                crossed[animation].append(value)
        return ends, crossed

    def _check_motions(self, track: Track, events: list[Event]):
        ends, crossed = self.ends_and_milestones(events)
        for animation, milestones in track.motions.items():
            is_under_way = animation not in ends
            assert not is_under_way or track.is_long or track.is_paused, f"animation {animation} of {track} has no end"
            told = set(crossed.get(animation, []))
            assert told <= milestones.possible, f"animation {animation} of {track.name} told {told} of {milestones}"
            if ends.get(animation):
                assert told >= milestones.certain, f"animation {animation} of {track.name} told {told} of {milestones}"

    def check_schedules(self, schedules: dict[str, list[Schedule]]):
        """No firing is left out of the count, none counts twice."""
        for name, lives in schedules.items():
            begun = 0
            for events in self.lives.get(("schedule", name), []):
                count = 0
                for event in (event for event in events if event.name == "fired"):
                    now = event.data["count"]
                    begun += now == 1
                    assert now in (count + 1, 1), f"{name} fired {count} times, then {event}"
                    count = now
            assert begun <= sum(life.changes for life in lives), f"{name} began {begun} times anew: {lives}"

    def fired(self, name: str) -> int:
        lives = self.lives.get(("schedule", name), [])
        return sum(event.name == "fired" for events in lives for event in events)


def gaps(numbers: list[int]) -> str:
    """Where a list of numbers that should be 1, 2, 3… isn't."""
    there = set(numbers)
    missing = [number for number in range(1, max(numbers, default=0) + 1) if number not in there]
    return f"{missing[:10]} of {max(numbers, default=0)}; {len(numbers) - len(there)} twice"
