"""The shortest history that fails, of one that does.

Whatever is left out is left open rather than forgotten, so that what remains fails by itself: a history is cut behind an
instant, and before one, where nothing is known of the ticker; reads and refusals go; and what changed something may have
changed it or not. The rest are answers that no order explains, whatever was asked and answered besides."""

import typing

import checker
import model
from history import NEVER, Entry, Operation

# So many states of a search are looked at before a cut counts as one too many.
MOST_STATES = 5_000


def shortest(found: list[Entry]) -> list[Operation]:
    """The operations whose answers can't be explained, of all on one ticker."""
    ends = sorted(entry.end for entry in found if entry.is_certain)
    # The more there is, the less can be explained.
    found = _until(found, _first(ends, lambda end: _fails(_until(found, end), None)))
    initial = None
    if _fails(_since(found, -NEVER), model.ANY):
        starts = sorted(entry.floor for entry in found)[::-1]
        begin = _first(starts, lambda start: _fails(_since(found, start), model.ANY))
        found, initial = _since(found, begin), model.ANY
    return _witnesses([entry for entry in _essential(found, initial) if entry.is_certain])


def _witnesses(found: list[Entry]) -> list[Operation]:
    """Their operations; and where the last one is a read that follows another session's change, what it follows that by: its
    reader's own last change at that replica."""
    operations = [entry.operation for entry in found]
    last = max(found, key=lambda entry: entry.end)
    if last.change and last.previous not in {entry.number for entry in found} and not last.operation.is_final:
        operations.append(last.change)
    return operations


def _fails(found: list[Entry], initial) -> bool:
    """Whether no order explains it; not where that takes long to find out."""
    try:
        return not checker.Search(found, initial, MOST_STATES).is_possible()
    except checker.Undecided:
        return False


def _first(instants: list[float], is_so: typing.Callable[[float], bool]) -> float:
    """The first of which it is so, where it is so of all behind that; the last where it isn't of any."""
    low, high = 0, len(instants) - 1
    while low < high:
        middle = (low + high) // 2
        if is_so(instants[middle]):
            high = middle
        else:
            low = middle + 1
    return instants[low]


def _until(found: list[Entry], end: float) -> list[Entry]:
    """As it was known at an instant."""
    kept = [
        _open(entry) if entry.is_certain and entry.end > end else entry
        for entry in found
        if entry.operation.start <= end
    ]
    return [entry for entry in kept if entry]


def _since(found: list[Entry], begin: float) -> list[Entry]:
    """What came behind an instant, without what was kept under keys before."""
    kept = []
    for entry in found:
        if entry.answer and entry.answer.is_replay or entry.end < begin:
            continue
        if entry.floor < begin:
            if not entry.has_effect:
                continue
            # It may have been carried out before.
            entry = entry._replace(end=NEVER)
        kept.append(entry._replace(request=entry.request._replace(key=None)))
    return kept


def _open(entry: Entry) -> Entry | None:
    """An entry of whose answer nothing is known; None where it doesn't matter then."""
    return entry._replace(answer=None, end=NEVER) if entry.has_effect else None


def _essential(found: list[Entry], initial) -> list[Entry]:
    """Opens as many as can be, in parts that get smaller."""
    size = len(found)
    while size:
        place = 0
        while place < len(found):
            part = found[place : place + size]
            opened = [other for entry in part if (other := _open(entry))]
            if opened != part and _fails(rest := found[:place] + opened + found[place + size :], initial):
                found = rest
                place += len(opened)
            else:
                place += size
        size //= 2
    return found
