"""What clients asked of replicas, and what they were told: recorded, kept in a file, and printed as a timeline."""

import collections
import dataclasses
import hashlib
import json
import pathlib
import typing

from model import Answer, Request, State

ROOT = pathlib.Path(__file__).resolve().parents[2]
READ = Request("read")
# The end of what may take effect at any time.
NEVER = float("inf")
# Columns of a timeline.
WIDTH = 32


@dataclasses.dataclass
class Operation:
    """A request to one replica about one ticker, and its answer."""

    client: int
    replica: int
    resource: str
    request: Request
    # Seconds of one clock.
    start: float
    end: float = NEVER
    # None where nobody knows what became of it.
    answer: Answer | None = None
    # Whether it was read when all replicas had come to rest: then it must show everything.
    is_final: bool = False

    @property
    def is_read(self) -> bool:
        return self.request.is_read

    def __str__(self):
        kind, value, match, is_new, key = self.request
        asked = kind if value is None else f"{kind} {value!r}"
        if match is not None:
            asked += f' {"If-None-Match" if self.is_read else "If-Match"}: "{match}"'
        asked += " If-None-Match: *" * is_new + f" under the key {key}" * (key is not None)
        return f"{asked} -> {told(self.answer)}"


def told(answer: Answer | None) -> str:
    """An answer in words."""
    if answer is None:
        return "no answer"
    again = ", as before" if answer.is_replay else ""
    if answer.state:
        made = " made," if answer.is_created else ""
        return (
            f"{answer.kind}{again}:{made} revision {answer.state.revision}, {answer.state.target}{answer.state.suffix}"
        )
    return f"{answer.kind}{again}" + (f" at revision {answer.revision}" if answer.kind == "unmet" else "")


class Doubt(typing.NamedTuple):
    """A time in which a replica may have shown what a fail-over lost."""

    replica: int
    begin: float
    end: float

    def covers(self, operation: Operation) -> bool:
        return operation.replica == self.replica and operation.end >= self.begin and operation.start <= self.end


class Entry(typing.NamedTuple):
    """An operation as the search sees it."""

    number: int
    operation: Operation
    request: Request
    # What it was answered, or was if it was carried out at all.
    answer: Answer | None
    # Nothing that has ended before this is carried out later.
    floor: float
    # By when it has been carried out; NEVER if it may be left out.
    end: float
    # The session's operation on the same ticker that a read must not precede; its last change of any, from which the floor is.
    previous: int | None = None
    change: Operation | None = None

    @property
    def is_certain(self) -> bool:
        return self.end != NEVER

    @property
    def has_effect(self) -> bool:
        """Whether it changes something where it is carried out."""
        answer = self.answer
        return not self.request.is_read and (
            answer is None or (answer.kind in ("changed", "removed") and not answer.is_replay)
        )


def entries(operations: list[Operation], doubts: typing.Iterable[Doubt] = ()) -> list[Entry]:
    """All of a history, with what each read must have seen: it is at least as new as its client's own last answer at that
    replica. Where that was a change, it went through the log, and whatever had been acknowledged before lies before it."""
    changes: dict[tuple, Operation] = {}
    last: dict[tuple, int] = {}
    repeated, answered = under_keys(operations), {one.request.key for one in operations if one.answer}
    opened, found = set(), []
    for number, one in enumerate(sorted(operations, key=lambda one: one.start)):
        session = one.client, one.replica
        answer = one.answer or repeated.get(one.request.key)
        if one.answer is None and (one.is_read or answer and not answer.is_replay):
            # A read without an answer says nothing. Where another attempt under the key was carried out, this one wasn't.
            continue
        if one.answer is None and one.request.key:
            # Of all attempts without an answer the first may be carried out at any time that is open to the others.
            if one.request.key in opened:
                continue
            opened.add(one.request.key)
        if one.is_read and any(doubt.covers(one) for doubt in doubts):
            continue
        if not one.is_read and one.answer:
            changes[session] = one
        previous, change = (last.get((session, one.resource)), changes.get(session)) if one.is_read else (None, None)
        floor = one.start
        if one.is_read and not one.is_final:
            floor = change.start if change else -NEVER
        if one.answer:
            last[session, one.resource] = number
        else:
            answer = answer and answer._replace(is_replay=False)
        end = one.end if one.answer else NEVER
        # What nobody was answered about needs no memory.
        request = one.request if one.request.key in answered else one.request._replace(key=None)
        found.append(Entry(number, one, request, answer, floor, end, previous, change))
    return found


def under_keys(operations: list[Operation]) -> dict[str, Answer]:
    """The answer under each key that was carried out: that to the attempt which was, where it is known."""
    known: dict[str, Answer] = {}
    for one in operations:
        answer = one.answer
        if one.request.key and answer and answer.kind in ("changed", "removed"):
            if one.request.key not in known or not answer.is_replay:
                known[one.request.key] = answer
    return known


def by_resource(found: list[Entry]) -> dict[str, list[Entry]]:
    """Entries by ticker: each is a machine of its own."""
    parts: dict[str, list[Entry]] = {}
    for entry in found:
        parts.setdefault(entry.operation.resource, []).append(entry)
    return parts


def timeline(operations: list[Operation]) -> str:
    """A line for each operation, with the time that it took as a bar."""
    if not operations:
        return ""
    begin = min(one.start for one in operations)
    last = max(one.end if one.answer else one.start for one in operations)
    scale = (WIDTH - 1) / max(last - begin, 1e-9)
    lines = []
    for one in sorted(operations, key=lambda one: one.start):
        left = int((one.start - begin) * scale)
        right = int((one.end - begin) * scale) if one.answer else WIDTH - 1
        bar = " " * left + "=" * (right - left + 1) + (">" if one.answer is None else "")
        who = f"client {one.client:2} at replica {one.replica} {one.start - begin:8.4f} s"
        lines.append(f"{who} |{bar:{WIDTH + 1}}| {one.resource}: {one}")
    return "\n".join(lines)


def counts(operations: list[Operation]) -> str:
    """How many there are of each kind of answer."""
    kinds = collections.Counter(one.answer.kind if one.answer else "unknown" for one in operations)
    return ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))


# Files


def write(path, operations: list[Operation]):
    with open(path, "w") as file:
        for one in operations:
            fields = dataclasses.asdict(one)
            fields["start"] = round(one.start, 6)
            fields["end"] = None if one.end == NEVER else round(one.end, 6)
            if one.answer:
                # Bodies are long, and are only compared.
                digest = hashlib.sha256(one.answer.words.encode()).hexdigest()[:12]
                fields["answer"] = one.answer._replace(words=digest if one.answer.words else "")
            file.write(json.dumps(list(fields.values()), separators=(",", ":")) + "\n")


def read(path) -> list[Operation]:
    with open(path) as file:
        return [_operation(*json.loads(line)) for line in file]


def _operation(client, replica, resource, request, start, end, answer, is_final) -> Operation:
    if answer:
        kind, state, *rest = answer
        answer = Answer(kind, State(*state) if state else None, *rest)
    return Operation(
        client, replica, resource, Request(*request), start, NEVER if end is None else end, answer, is_final
    )
