"""What the sessions of `Tests/Stateful` don't do: sums, actions of motions, merged completions, long definitions."""

import json

import steps
from checks import check_board
from recorded import RecordedSession
from server import wait_until
from session import LONG_SECONDS, REST_SECONDS, Session

# Of the steps of Tests/Stateful, those that keep no reader waiting while the server is dead.
STEPS = {
    step: weight for step, weight in steps.STEPS.items() if step not in (steps.listen, steps.leave, steps.come_back)
}
# More than 16 completions of a track within a tick are merged.
FLOOD = 40
LARGE = ("left-x", "left-y", "right-x")


def step(weight: int):
    """Registers a step beside the others."""

    def register(function):
        STEPS[function] = weight
        return function

    return register


@step(8)
def add(session: RecordedSession):
    answer = session.ask("POST", "/v1/tickers/sum", {"by": 1, "duration": 0})
    assert answer.status == 202, answer.body
    session.totals["sum"] += 1


@step(8)
def chain(session: RecordedSession):
    """A motion of which exactly one action runs, whether it ends or is cut off."""
    once = [{"ticker": "chained", "by": 1, "duration": 0}]
    target = session.random.randrange(1, 1_000)
    # Over another way each time, so that none equals the running one.
    motion = {"to": target, "duration": session.random.uniform(0.02, 0.2), "interrupt": "replace"}
    answer = session.ask("POST", "/v1/tickers/chain", motion | {"then": once, "else": once})
    assert answer.status == 202, answer.body
    session.totals["chained"] += 1


@step(4)
def flood(session: RecordedSession):
    line = json.dumps({"ticker": "flood", "by": 1, "duration": 0})
    answer = session.ask("POST", "/v1/batch", "\n".join([line] * FLOOD).encode())
    assert answer.status == 200, answer.body
    session.totals["flood"] += FLOOD


@step(10)
def define(session: RecordedSession):
    """A definition of which a part is stored by itself."""
    name = session.random.choice(LARGE)
    path = f"/v1/schedules/{name}"
    if name in session.large and session.random.random() < 0.2:
        assert session.ask("DELETE", path).status == 204
        del session.large[name]
        return
    text = session.random.randbytes(session.large_bytes // 2).hex()
    answer = session.ask("PUT", path, {"in": LONG_SECONDS, "do": [{"notify": "large", "data": text}]})
    assert answer.status in (200, 201), answer.body
    session.large[name] = text


def check_all(session: Session):
    """The board of Tests/Stateful, and what the steps above have made."""
    check_board(session)
    for name, total in session.totals.items():
        _check_total(session, name, total)
    for name in LARGE:
        answer = session.look(f"/v1/schedules/{name}")
        if name in session.large:
            assert answer.status == 200, f"{name} is answered {answer.status}"
            assert answer.json["definition"]["do"][0]["data"] == session.large[name], f"{name} has another definition"
        else:
            assert answer.status == 404, f"{name} is there: {answer.body[:200]}"


def _check_total(session: Session, name: str, total: int):
    def look():
        return session.look(f"/v1/tickers/{name}")

    def has_total():
        answer = look()
        return answer.status == 200 and answer.json["target"] == total

    wait_until(has_total, REST_SECONDS, lambda: f"{name} is {total}: {look().body}")
