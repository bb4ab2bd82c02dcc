"""Whether there is an order in which a sequential machine gives all answers of a history: Wing and Gong's search, with the
memory that Lowe gave it ("Testing for linearizability", 2016). Each ticker is searched by itself.

An operation that was answered is carried out once, between its request and its answer; one that wasn't at any time behind its
request, or never. A read may lie before its request, but not before its floor: see history.py. What changes nothing is carried
out as soon as the state allows it, which never hurts: so the search branches only where several changes fit."""

import typing

import model
from history import NEVER, Entry, Operation

# So many states of a search are looked at. A history that needs more is undecided, which fails, too.
MOST_STATES = 300_000


class Undecided(Exception):
    """The search took too long."""


class Place(typing.NamedTuple):
    """Where a search is: what has been carried out, by bits; the ticker; the keys that were carried out."""

    done: int
    state: model.State | str | None
    keys: frozenset


class Search:
    """Looks for an order of one ticker's operations."""

    def __init__(self, found: list[Entry], initial=None, most=MOST_STATES):
        self.entries = sorted(found, key=lambda entry: entry.floor)
        bits = {entry.number: 1 << place for place, entry in enumerate(self.entries)}
        self.bits, self.all = list(bits.values()), (1 << len(bits)) - 1
        # What was left out of a history, or may be, orders nothing.
        certain = {entry.number: bits[entry.number] for entry in self.entries if entry.is_certain}
        self.before = [certain.get(entry.previous, 0) for entry in self.entries]
        self.certain = sum(certain.values())
        self.initial, self.most = initial, most

    def is_possible(self) -> bool:
        # For all that must be done, which of what may be left out was done, too: with less of that done, more is possible.
        seen: dict[tuple, list[int]] = {}
        looked_at = 0
        waiting = [Place(0, self.initial, frozenset())]
        while waiting:
            place, candidates, is_complete = self._settled(waiting.pop())
            if is_complete:
                return True
            known = seen.setdefault((place.done & self.certain, place.state, place.keys), [])
            optional = place.done & ~self.certain
            if any(less & ~optional == 0 for less in known):
                continue
            known.append(optional)
            looked_at += 1
            if looked_at > self.most:
                raise Undecided(f"{len(self.entries)} operations, {self.most} states")
            # What was answered is tried first.
            candidates.sort(key=lambda number: self.entries[number].is_certain)
            waiting += [after for number in candidates if (after := self._after(place, number))]
        return False

    def _settled(self, place: Place) -> tuple[Place, list[int], bool]:
        """The place behind all that changes nothing; which operations can follow; whether all that was answered is done."""
        done, state, keys = place
        while True:
            window, closing = self._window(done)
            if closing == NEVER:
                return Place(done, state, keys), [], True
            candidates, absorbed = [], 0
            for number in window:
                entry = self.entries[number]
                if self.before[number] & ~done:
                    continue
                if entry.has_effect:
                    candidates.append(number)
                elif self._is_explained(entry, state, keys):
                    absorbed |= self.bits[number]
                elif state == model.ANY and model.narrowed(entry.answer) != model.ANY:
                    candidates.append(number)
            if not absorbed:
                return Place(done, state, keys), [] if self._is_too_late(window, state) else candidates, False
            done |= absorbed

    def _window(self, done: int) -> tuple[list[int], float]:
        """Operations to come that nothing else must precede, unless it is their session's, and when the first has ended."""
        window, closing = [], NEVER
        left = self.all & ~done
        while left:
            bit = left & -left
            left ^= bit
            number = bit.bit_length() - 1
            entry = self.entries[number]
            if entry.floor > closing:
                break
            window.append(number)
            closing = min(closing, entry.end)
        return window, closing

    def _is_too_late(self, window: list[int], state) -> bool:
        """Whether the operation that must be done first needs a revision that is no longer, or not yet, to be had: it only
        grows, unless the ticker is removed. Else changes that may or may not be made would be tried in all their orders."""
        first = min((self.entries[number] for number in window), key=lambda entry: entry.end)
        needed = None if first.answer.is_replay else model.revision_before(first.request, first.answer)
        if state == model.ANY or needed is None:
            return False
        others = [entry for number in window if (entry := self.entries[number]).has_effect and entry is not first]
        removals = sum(entry.request.kind == "remove" for entry in others)
        revision, changes = state.revision if state else 0, len(others) - removals
        return not (revision <= needed <= revision + changes or (removals and needed <= changes))

    @staticmethod
    def _is_explained(entry: Entry, state, keys: frozenset) -> bool:
        key = entry.request.key
        if entry.answer.is_replay:
            return key in keys
        # Under a key that was carried out nothing is refused.
        return key not in keys and model.explains(state, entry.request, entry.answer)

    def _after(self, place: Place, number: int) -> Place | None:
        """The place behind an operation; None where it can't be next."""
        entry = self.entries[number]
        done = place.done | self.bits[number]
        if not entry.has_effect:
            return Place(done, model.narrowed(entry.answer), place.keys)
        state = model.step(place.state, entry.request, entry.answer)
        # Of the attempts under a key, history.py and `unequal` leave one that may be carried out.
        keys = place.keys | {entry.request.key} if entry.request.key else place.keys
        return None if state == model.ANY else Place(done, state, keys)


def unequal(operations: list[Operation]) -> list[Operation]:
    """Two answers under one key that are not the same, or were both carried out; empty where there are none."""
    known: dict[str, list[Operation]] = {}
    for one in sorted(operations, key=lambda one: one.end):
        key = one.request.key
        # Refusals are not kept.
        if not key or not one.answer or one.answer.kind not in ("changed", "removed"):
            continue
        for other in known.setdefault(key, []):
            if other.answer.words != one.answer.words or not (other.answer.is_replay or one.answer.is_replay):
                return [other, one]
        known[key].append(one)
    return []
