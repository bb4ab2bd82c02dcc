"""A ticker as a sequential machine, by openapi.yaml alone: what each request does to it, and which answers that allows."""

import typing

# Nothing is known of it; where a history begins in the middle.
ANY = "any"


class State(typing.NamedTuple):
    """A ticker that exists; one that doesn't is None."""

    # The contract promises that it grows with every change; it grows by one, and begins at one.
    revision: int
    target: int
    # What PUT sets: the text behind the number.
    suffix: str


class Request(typing.NamedTuple):
    """What was asked."""

    # `set`, `add`, `define`, `remove` or `read`.
    kind: str
    # The number, or the suffix.
    value: int | str | None = None
    # The revision of `If-Match`; of a read, that of `If-None-Match`.
    match: int | None = None
    # `If-None-Match: *`
    is_new: bool = False
    key: str | None = None

    @property
    def is_read(self) -> bool:
        return self.kind == "read"


class Answer(typing.NamedTuple):
    """What was said."""

    # `changed`, `removed`, `missing`, `unmet` (412), `shown`, `same` (304).
    kind: str
    state: State | None = None
    # Whether it was made by this request.
    is_created: bool = False
    # Whether it repeats an earlier answer.
    is_replay: bool = False
    # What an `unmet` says of the revision.
    revision: int | None = None
    # All that another answer to the same key must repeat.
    words: str = ""


def changed(state: State | None, request: Request) -> State | None:
    """What a change makes of a ticker."""
    revision, target, suffix = state or (0, 0, "")
    if request.kind == "remove":
        return None
    if request.kind == "define":
        return State(revision + 1, target, request.value)
    return State(revision + 1, target + request.value if request.kind == "add" else request.value, suffix)


def is_met(state: State | None, request: Request) -> bool:
    """Whether the conditions of a change hold."""
    if request.is_new and state:
        return False
    return request.match is None or (state is not None and state.revision == request.match)


def explains(state, request: Request, answer: Answer) -> bool:
    """Whether a ticker in this state gives an answer that changes nothing."""
    if state == ANY:
        return answer.kind in ("same", "unmet") and answer.revision != request.match
    match answer.kind:
        case "shown":
            return state == answer.state and state.revision != request.match
        case "same":
            return state is not None and state.revision == request.match
        case "missing":
            return state is None
    return not is_met(state, request) and (state.revision if state else None) == answer.revision


def revision_before(request: Request, answer: Answer) -> int | None:
    """The revision that a ticker had when a request was answered so; 0 if there was none, None if that isn't known."""
    match answer.kind:
        case "changed":
            return answer.state.revision - 1
        case "shown":
            return answer.state.revision
        case "missing":
            return 0
        case "same" | "removed":
            return request.match
    return answer.revision or 0


def narrowed(answer: Answer):
    """The one state that a read, or a 404, shows; ANY where it shows none."""
    return {"shown": answer.state, "missing": None}.get(answer.kind, ANY)


def step(state, request: Request, answer: Answer | None):
    """The state behind a change that was carried out; ANY where there is none that fits the answer, if that is known."""
    if state == ANY:
        return _first(request, answer)
    if not is_met(state, request) or (request.kind == "remove" and state is None):
        return ANY
    after = changed(state, request)
    if answer and (answer.kind != "removed") and (after != answer.state or answer.is_created != (state is None)):
        return ANY
    return after


def _first(request: Request, answer: Answer | None):
    """The state behind a change to a ticker of which nothing is known: all that its answer says."""
    if answer is None:
        return ANY
    if answer.kind == "removed":
        return None
    was = answer.state.revision - 1
    fits = (request.match in (None, was)) and answer.is_created == (was == 0) and (was == 0 or not request.is_new)
    return answer.state if fits else ANY
