"""Faults that a history seems to show once a few of its answers have been changed: each must be found in every history that has
an answer of the kind."""

import copy
import typing

from history import Operation
from model import Answer, State

Mutation = typing.Callable[[list[Operation]], list[Operation] | None]
MUTATIONS: dict[str, Mutation] = {}


def mutation(change: Mutation) -> Mutation:
    """Has a function tried by `mutants`; it gets copies, and returns them, or None where no answer lends itself."""
    MUTATIONS[change.__name__] = change
    return change


def mutants(operations: list[Operation]) -> dict[str, list[Operation] | None]:
    return {
        name: change(sorted(copy.deepcopy(operations), key=lambda one: one.start)) for name, change in MUTATIONS.items()
    }


def _changes(operations: list[Operation]) -> list[Operation]:
    """What changed something and showed the result."""
    return [one for one in operations if one.answer and one.answer.kind == "changed" and not one.answer.is_replay]


@mutation
def a_read_is_stale(operations):
    """A client reads, where it has changed something, what was there before."""
    own: dict[tuple, State] = {}
    told: dict[tuple, State] = {}
    for one in operations:
        session = one.client, one.replica, one.resource
        if not one.answer or not one.answer.state or one.answer.is_replay:
            continue
        told[one.resource, one.answer.state.revision] = one.answer.state
        if one.answer.kind == "changed":
            own[session] = one.answer.state
        elif one.answer.state == own.get(session) and one.request.match is None:
            before = told.get((one.resource, one.answer.state.revision - 1))
            if before:
                one.answer = Answer("shown", before)
                return operations
    return None


@mutation
def a_read_goes_back(operations):
    """A client is shown, after a read, what was there before that, at the same replica."""
    own: dict[tuple, State] = {}
    told: dict[tuple, State] = {}
    for one in operations:
        session = one.client, one.replica, one.resource
        if not one.answer or one.answer.is_replay:
            continue
        if one.answer.kind != "shown":
            own.pop(session, None)
        elif one.answer.state == own.get(session) and one.request.match is None:
            before = told.get((one.resource, one.answer.state.revision - 1))
            if before:
                one.answer = Answer("shown", before)
                return operations
        else:
            own[session] = one.answer.state
        if one.answer.state:
            told[one.resource, one.answer.state.revision] = one.answer.state
    return None


@mutation
def an_acknowledged_change_is_lost(operations):
    """A client was told of a change of which nobody else knows."""
    changes = _changes(operations)
    one = changes[len(changes) // 2]
    lost = copy.deepcopy(one)
    lost.request = lost.request._replace(kind="set", value=-1, match=None, is_new=False, key=None)
    lost.answer = Answer(
        "changed", State(one.answer.state.revision, -1, one.answer.state.suffix), one.answer.is_created
    )
    return [*operations, lost]


@mutation
def a_refused_change_is_made(operations):
    """A change that was refused for certain shows in the next one."""
    known = {(one.resource, one.answer.state.revision) for one in _changes(operations)}
    for one in _changes(operations):
        if one.request.kind != "add" or one.request.key:
            continue
        if (one.resource, one.answer.state.revision + 1) in known:
            return [other for other in operations if other is not one]
    return None


@mutation
def a_condition_holds_twice(operations):
    """Two changes, each for the same revision and no other, are both made."""
    made = {
        (one.resource, one.request.match): one
        for one in _changes(operations)
        if one.request.match and not one.request.key
    }
    for one in operations:
        first = made.get((one.resource, one.request.match))
        if first and one.answer and one.answer.kind == "unmet" and one.request.kind == "set" and one.start < first.end:
            state = first.answer.state
            one.answer = Answer("changed", State(state.revision, one.request.value, state.suffix))
            return operations
    return None


@mutation
def a_ticker_is_made_twice(operations):
    """Two are told that they made what was not there."""
    for one in _changes(operations):
        if one.answer.is_created and one.request.is_new:
            other = copy.deepcopy(one)
            other.request = one.request._replace(value=-1, key=None)
            other.answer = one.answer._replace(state=one.answer.state._replace(target=-1))
            return [*operations, other]
    return None


@mutation
def a_sum_is_wrong(operations):
    """What was added is added once more."""
    for one in _changes(operations):
        if one.request.kind == "add" and not one.answer.is_created:
            target = one.answer.state.target + one.request.value
            one.answer = one.answer._replace(state=one.answer.state._replace(target=target))
            return operations
    return None


@mutation
def a_key_is_answered_differently(operations):
    for one in operations:
        if one.answer and one.answer.is_replay:
            one.answer = one.answer._replace(words=one.answer.words + " ")
            return operations
    return None


@mutation
def a_key_is_carried_out_twice(operations):
    """A repeated request is answered as the first one was, and made again."""
    for one in operations:
        if one.answer and one.answer.is_replay and one.answer.state:
            state = one.answer.state._replace(revision=one.answer.state.revision + 1)
            one.answer = one.answer._replace(state=state, is_replay=False)
            return operations
    return None


@mutation
def a_removal_is_undone(operations):
    """A client that has removed a ticker is shown it again, as it was."""
    shown: dict[str, State] = {}
    removed: dict[tuple, State] = {}
    for one in operations:
        session = one.client, one.replica, one.resource
        if one.answer and one.answer.state:
            shown[one.resource] = one.answer.state
            removed.pop(session, None)
        elif one.answer and one.answer.kind == "removed" and one.resource in shown:
            removed[session] = shown[one.resource]
        elif one.answer and one.answer.kind == "missing" and session in removed and one.is_read:
            # A number that nobody makes again.
            one.answer = Answer("shown", removed[session]._replace(revision=removed[session].revision + 1_000))
            return operations
    return None
