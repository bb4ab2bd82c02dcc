"""What clients do, by chance: each step sends something, and writes what was acknowledged into the model."""

import fractions
import json
import typing

from model import KINDS, Milestones, Move, Schedule, Track, aimed
from reader import Reader
from server import Answer, wait_until
from session import LONG_SECONDS, REST_SECONDS, TOKENS, Session

# Names are few, so that what is done to one meets what was done before.
TRACKS = [
    ("ticker", "left-a"),
    ("ticker", "left-b"),
    ("ticker", "right-a"),
    ("progress", "left-p"),
    ("progress", "right-p"),
]
SCHEDULES = ["left-tick", "right-tick", "left-soon"]
DURATIONS = [0, 0, 0.05, 0.3, 0.8, LONG_SECONDS]
MOST_READERS = 12
RELATIVE = ["by", "max", "min"]
# Each with its answer.
MALFORMED = [
    (b'{"to":', 400),
    (b'{"to":"seven"}', 422),
    (b'{"too":7}', 422),
    (b'{"to":7,"duration":-1}', 422),
    (b'{"to":7,"easing":"bumpy"}', 422),
    (b'{"to":7,"then":[{"notify":"no name"}]}', 422),
    (b'{"to":7,"start":{"after":"ticker:nobody"}}', 422),
]
# By how often they are taken.
STEPS: dict[typing.Callable[[Session], None], int] = {}


def step(weight: int):
    """Registers a step."""

    def register(function):
        STEPS[function] = weight
        return function

    return register


@step(30)
def update(session: Session):
    """A ticker or a progress is to go somewhere."""
    track = _track(session)
    interrupt = session.random.choice(["retarget", "replace", "queue"])
    body, target = _aim(session, track, interrupt)
    # Before amounts that wait, what ends at once isn't told from what comes behind them.
    is_seen = interrupt == "queue" or not track.has_relative_waiting
    body["duration"] = session.random.choice(DURATIONS if is_seen else [time for time in DURATIONS if time])
    body["interrupt"] = interrupt
    declared = set()
    if session.random.random() < 0.6:
        # No target is one of them: whether the last value of a motion crosses it is another question.
        declared = {fractions.Fraction(2 * session.random.randrange(-300, 300) + 1, 2) for _ in range(4)}
        body["milestones"] = [float(value) for value in sorted(declared)]
    if session.random.random() < 0.3:
        number = "{value}" if track.kind == "progress" else "0"
        body["label"] = f"{session.random.choice(['Lift', 'كم', '℃'])} {number}"
    answer = _send(session, track, body, _precondition(session, track))
    if answer.status == 202:
        _accept(session, track, answer, body, target, declared)


@step(5)
def batch(session: Session):
    """Updates of several tracks as lines."""
    lines, tracks = [], []
    for _ in range(session.random.randrange(1, 5)):
        track = _track(session)
        # How many still wait is not in its answer.
        if track in tracks or len(track.moves) > 1:
            continue
        body, target = _aim(session, track)
        tracks.append(track)
        lines.append((track, body | {track.kind: track.name, "duration": 0.1}, target))
    if not lines:
        return
    text = "\n".join(json.dumps(line) for _, line, _ in lines).encode()
    answer = session.ask("POST", "/v1/batch", text)
    assert answer.status == 200, f"{answer.status} {answer.body}"
    results = [json.loads(line) for line in answer.body.decode().splitlines()]
    assert len(results) == len(lines), f"{len(lines)} lines were answered by {len(results)}"
    for (track, body, target), result in zip(lines, results, strict=True):
        assert result["status"] in (200, 201), f"{body}: {result}"
        before = track.revision
        _take_revision(session, track, int(result["revision"]))
        if track.revision == before:
            _leave(track, target)
            continue
        # How far its motion had come is not in the answer.
        track.motions[track.revision] = Milestones(set(), set())
        track.begin(Move(target))


@step(10)
def handle(session: Session):
    """A verb of a track."""
    track = _track(session)
    verb = session.random.choice(["pause", "resume", "cancel", "finish", "seek", "rate"])
    if verb == "cancel" and track.has_relative_waiting:
        # Where it stands is the server's to say, and what waits is added to that.
        return
    fraction, rate = session.random.choice([0, 0.25, 0.9]), session.random.choice([1, 3])
    body = {"seek": {"fraction": fraction}, "rate": {"rate": rate}}.get(verb)
    answer = session.ask("POST", f"{track.path}/{verb}", body)
    if not _is_there(session, track):
        assert answer.status == 404, f"{verb} of {track.name}, which isn't there: {answer.status} {answer.body}"
        return
    assert answer.status in (200, 409), f"{verb} of {track.name}: {answer.status} {answer.body}"
    if answer.status == 409:
        return
    assert answer.revision >= track.revision, f"{verb}: revision {answer.revision} after {track.revision}"
    track.revision = answer.revision
    state = answer.json["motion"]["state"]
    track.is_paused = state == "paused"
    if verb == "seek":
        # What is jumped over need not be told.
        track.motions = {number: Milestones(one.possible, set()) for number, one in track.motions.items()}
    track.begin_all_but(answer.json.get("waiting", 0))
    if verb == "cancel" and state == "idle":
        # Where it stood is the server's to say.
        track.begin(Move(track.target_in(answer.json)))
    if verb == "finish" and state == "idle":
        track.moves[0].is_long = False


@step(3)
def remove(session: Session):
    track = _track(session)
    answer = session.ask("DELETE", track.path)
    assert answer.status == (204 if _is_there(session, track) else 404), f"{answer.status} {answer.body}"
    session.present.pop(track.topic, None)


@step(6)
def schedule(session: Session):
    """A schedule comes to be, changes, or is put there again as it is."""
    name = session.random.choice(SCHEDULES)
    old = session.pending.get(name)
    every = {"left-soon": {"in": LONG_SECONDS}}.get(name) or {"every": session.random.choice([0.05, 0.2])}
    count = {"ticker": f"{name}-count", "by": 1, "duration": 0}
    definition = every | {"do": [count, {"notify": f"{name}-fired"}]}
    if old and session.random.random() < 0.5:
        definition = old.definition
    answer = session.ask("PUT", f"/v1/schedules/{name}", definition)
    assert answer.status == (200 if old else 201), f"{answer.status} {answer.body}"
    if not old:
        session.pending[name] = Schedule(name, definition, answer.revision)
        session.schedules.setdefault(name, []).append(session.pending[name])
    elif definition != old.definition:
        old.definition, old.changes, old.is_paused = definition, old.changes + 1, False


@step(3)
def hold(session: Session):
    """Schedules are paused and go on, one or all."""
    if session.random.random() < 0.3:
        answer = session.ask("POST", f"/v1/schedules/{'resume' if session.are_paused else 'pause'}")
        session.are_paused = not session.are_paused
        assert answer.json["paused"] == session.are_paused, answer.body
        return
    if not session.pending:
        return
    schedule = session.random.choice(sorted(session.pending.values(), key=lambda one: one.name))
    answer = session.ask("POST", f"{schedule.path}/{'resume' if schedule.is_paused else 'pause'}")
    assert answer.status == 200, answer.body
    schedule.is_paused = not schedule.is_paused


@step(2)
def unschedule(session: Session):
    name = session.random.choice(SCHEDULES)
    answer = session.ask("DELETE", f"/v1/schedules/{name}")
    assert answer.status == (204 if name in session.pending else 404), f"{answer.status} {answer.body}"
    session.pending.pop(name, None)


@step(6)
def notify(session: Session):
    name = session.random.choice(["left-n", "right-n"])
    answer = session.ask("POST", f"/v1/notifications/{name}", {"n": session.notifications[name]})
    assert answer.status == 204, answer.body
    session.notifications[name] += 1


@step(4)
def repeat(session: Session):
    """A request that was answered is sent again under its key."""
    if not session.keyed:
        return
    path, key, body, answer = session.random.choice(session.keyed)
    again = session.ask("POST", path, body, Idempotency_Key=key)
    assert again.headers.get("idempotency-replayed") == "true", f"{key} was carried out again: {again.headers}"
    assert (again.status, again.body) == (answer.status, answer.body), f"{again.body} is not {answer.body}"


@step(3)
def send_nonsense(session: Session):
    """Nothing comes of it: what is there is compared later."""
    track = _track(session)
    body, status = session.random.choice(MALFORMED)
    if track.kind == "progress":
        body = body.replace(b'"to"', b'"current"')
    answer = session.ask("POST", track.path, body)
    assert answer.status == status, f"{body} was answered {answer.status} {answer.body}"


@step(4)
def trespass(session: Session):
    """A token meets what isn't its own: whether that is there makes no difference, and nothing changes."""
    there = [track for track in session.present.values() if track.name.startswith("right")]
    if not there:
        return
    track = session.random.choice(sorted(there, key=lambda one: one.path))
    attempts = [
        ("GET", "{}", None), ("DELETE", "{}", None), ("POST", "{}", {track.field: 1}), ("POST", "{}/pause", None),
        ("POST", "/v1/tickers/left-a", {"to": 1, "start": {"after": f"{track.kind}:NAME"}}),
        ("POST", "/v1/tickers/left-a", {"to": 1, "then": [{track.kind: "NAME", track.field: 1}]}),
    ]  # fmt: skip
    method, path, body = session.random.choice(attempts)
    answers = []
    for name in (track.name, "right-nobody"):
        own = track.path.replace(track.name, name)
        text = body and json.dumps(body).replace("NAME", name).encode()
        answer = session.ask(method, path.format(own), text, token="left")
        answers.append((answer.status, answer.body.replace(name.encode(), b"NAME")))
    assert answers[0] == answers[1], f"{method} {path} {body} tells what is there: {answers}"
    assert answers[0][0] == 403, f"{method} {path} {body} is answered {answers[0]}"


@step(5)
def listen(session: Session):
    """A reader begins, mostly of topics that tell it nothing for a while."""
    if len(session.readers) >= MOST_READERS:
        return
    kinds = session.random.choice([
        {"notification": ["left-n"]}, {"notification": ["left-*"], "ticker": ["left-a"]}, {"ticker": ["*"]},
        {"schedule": ["left-*"]}, {"progress": ["left-p", "right-p"], "notification": ["right-n"]},
        {kind: ["left-*"] for kind in KINDS},
    ])  # fmt: skip
    is_own = all(name.startswith("left") for names in kinds.values() for name in names)
    token = session.random.choice(["root", "left"]) if is_own else "root"
    reader = Reader(session.server, kinds, TOKENS[token])
    wait_until(lambda: reader.greetings or reader.wrong, REST_SECONDS, f"a greeting of {kinds}")
    # From this event on it hears everything, wherever it is meanwhile.
    session.readers.append((reader, session.mark()))


@step(6)
def leave(session: Session):
    if session.readers:
        session.random.choice(session.readers)[0].go_away()


@step(2)
def come_back(session: Session):
    for reader, _ in session.readers:
        reader.come_back()


def _track(session: Session) -> Track:
    """One that is there, or could be."""
    topic = session.random.choice(TRACKS)
    return session.present.get(topic) or Track(*topic)


def _is_there(session: Session, track: Track) -> bool:
    return track.topic in session.present


def _aim(session: Session, track: Track, interrupt: str = "retarget") -> tuple[dict, fractions.Fraction]:
    """Where to, and what target that comes to."""
    amount = fractions.Fraction(session.random.randrange(-300, 300))
    # A new one has no target yet that these could go by. Which of those that wait has begun is not known before the answer.
    is_known = _is_there(session, track) and (interrupt == "queue" or len(track.moves) == 1)
    field = session.random.choice([track.field, track.field, *(RELATIVE if is_known else [])])
    return {field: int(amount)}, aimed(field, amount, track.moves[-1].target)


def _relative(body: dict) -> tuple[str, fractions.Fraction] | None:
    return next(((field, fractions.Fraction(body[field])) for field in RELATIVE if field in body), None)


def _precondition(session: Session, track: Track) -> dict[str, str]:
    if not _is_there(session, track) or session.random.random() < 0.7:
        return {}
    return {"If-Match": session.random.choice([f'"{track.revision}"', f'"{track.revision + 1_000}"'])}


def _send(session: Session, track: Track, body: dict, headers: dict[str, str]) -> Answer:
    """With a precondition, or with a key now and then, under which it can be sent again."""
    if not headers and session.random.random() < 0.3:
        key = f"key-{len(session.keyed)}"
        answer = session.ask("POST", track.path, body, Idempotency_Key=key)
        if answer.status == 202:
            session.keyed.append((track.path, key, body, answer))
        return answer
    answer = session.ask("POST", track.path, body, **headers)
    # One that waited may have begun since, which is a revision more: the last known may be wrong, one far ahead is.
    if headers and headers["If-Match"] != f'"{track.revision}"':
        assert answer.status == 412, f"{headers} was answered {answer.status}"
    return answer


def _accept(session: Session, track: Track, answer: Answer, body: dict, target: fractions.Fraction, milestones: set):
    before, waiting, motion = track.revision, answer.json.get("waiting", 0), answer.json["motion"]
    begun = len(track.moves) - 1 - waiting
    _take_revision(session, track, answer.revision)
    track.is_paused = motion["state"] == "paused"
    if answer.revision == before + begun:
        # Those that waited have begun; it changed nothing itself.
        if body["interrupt"] != "queue":
            track.begin_all_but(waiting)
        _leave(track, target, -1 if body["interrupt"] == "queue" else 0)
        track.begin_all_but(waiting)
        return
    animation = int(answer.json.get("animation", 0))
    if animation in track.motions and body["duration"] and not (body["interrupt"] == "queue" and waiting):
        # It equals the running motion, which has other milestones now.
        known = track.motions[animation]
        track.motions[animation] = Milestones(known.possible | milestones, known.certain & milestones)
        track.begin_all_but(waiting)
        _leave(track, target, 0)
        return
    move = Move(target, body.get("label"), body["duration"] == LONG_SECONDS, _relative(body))
    is_known = True
    if body["interrupt"] == "queue":
        track.moves.append(move)
        track.begin_all_but(waiting)
        begun = 0
    elif body["duration"] == 0 and track.target_in(answer.json) != target:
        # It had ended at once, and those that waited have begun behind it; all but the last may have begun before it.
        track.begin(move)
        track.begin_all_but(waiting)
        is_known = begun == 1
    else:
        track.begin_all_but(waiting)
        track.begin(move)
        begun = 0
    # One that waits begins elsewhere.
    is_under_way = motion["state"] == "running" and not (body["interrupt"] == "queue" and waiting)
    low, high = sorted([fractions.Fraction(str(motion["from"])), target]) if is_under_way else (target, target)
    certain = {value for value in milestones if low < value < high}
    if is_known:
        track.motions[track.revision - begun] = Milestones(possible=milestones, certain=certain)


def _leave(track: Track, target: fractions.Fraction, place: int = -1):
    """What is on its way there already may stay as it is."""
    assert target == track.moves[place].target, f"{track} was to go to {target}, and nothing changed"


def _take_revision(session: Session, track: Track, revision: int):
    assert revision >= track.revision, f"{track} is at revision {revision}"
    track.revision = revision
    if not _is_there(session, track):
        session.present[track.topic] = track
        session.tracks.setdefault(track.topic, []).append(track)
