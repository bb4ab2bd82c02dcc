"""What is compared: the board at rest with the model, and in the end all that was told."""

import fractions

from disturbances import set_clock
from model import Event, Schedule, Story, Track
from reader import Reader
from server import wait_until
from session import LONG_SECONDS, REST_SECONDS, TOKENS, Session
from steps import SCHEDULES, TRACKS


def check_board(session: Session):
    """What is short has ended, and the board is what the model says."""
    for track in session.present.values():
        _check_track(session, track)
    for kind, path in (("ticker", "/v1/tickers"), ("progress", "/v1/progress")):
        listed = {(kind, item[kind]) for item in session.ask("GET", f"{path}?limit=1000").json["items"]}
        expected = {topic for topic in session.present if topic[0] == kind}
        assert listed & set(TRACKS) == expected, f"{path} lists {listed}, and there are {expected}"
    for schedule in session.pending.values():
        _check_schedule(session, schedule)


def _check_track(session: Session, track: Track):
    def look():
        answer = session.look(track.path)
        assert answer.status == 200, f"{track} is answered {answer.status} {answer.body}"
        return answer

    def is_at_rest():
        answer = look()
        return answer if track.is_long or track.is_paused or answer.json["motion"]["state"] == "idle" else None

    answer = wait_until(is_at_rest, REST_SECONDS, lambda: f"{track} rests; {look().body}")
    body = answer.json
    # One revision more for each that has waited, and began.
    begun = len(track.moves) - 1 - body.get("waiting", 0)
    assert answer.revision == track.revision + begun, f"{track} is {answer.body}"
    track.revision = answer.revision
    track.begin_all_but(body.get("waiting", 0))
    assert not track.label or body["label"] == track.label, f"{track} says {body['label']}"
    assert track.target_in(body) == track.moves[0].target, f"{track} is {answer.body}"
    if body["motion"]["state"] == "idle":
        assert fractions.Fraction(str(body["value"])) == track.moves[0].target, f"{track} rests at {body['value']}"
    elif not track.is_paused:
        _check_motion(session, track, body["motion"])


def _check_motion(session: Session, track: Track, motion: dict):
    """A motion that takes longer than a session goes on, and is not near its end."""
    assert motion["state"] == "running", f"{track} is {motion}"
    assert 0 <= motion["elapsed"] < LONG_SECONDS, f"{track} has been moved along: {motion}"

    def goes_on():
        return session.look(track.path).json["motion"]["elapsed"] > motion["elapsed"]

    wait_until(goes_on, REST_SECONDS, f"{track} goes on from {motion}")


def _check_schedule(session: Session, schedule: Schedule):
    answer = session.look(schedule.path)
    assert answer.status == 200, f"{schedule} is answered {answer.status} {answer.body}"
    body = answer.json
    is_held = schedule.is_paused or session.are_paused
    assert body["state"] == ("paused" if is_held else "pending"), f"{schedule} is {answer.body}"
    if is_held:
        return
    if "in" in schedule.definition:
        assert LONG_SECONDS / 2 < body["remaining"] <= LONG_SECONDS, f"{schedule} is due in {body['remaining']} s"
        return
    wait_until(
        lambda: session.look(schedule.path).json["fired"] > body["fired"],
        REST_SECONDS,
        f"{schedule} fires: {answer.body}",
    )


def check_story(session: Session):
    """Whatever moves comes to its end, everybody comes back, and what each was told is compared."""
    if session.offset:
        set_clock(session)
    for schedule in session.pending.values():
        assert session.ask("DELETE", schedule.path).status == 204
    for reader, _ in session.readers:
        reader.come_back()
    for track in session.present.values():
        _check_track(session, track)
    mark = session.mark()
    wait_until(lambda: _number(session, mark), REST_SECONDS, lambda: f"the last mark: {session.journal.wrong}")
    events = session.journal.events[:]
    story = Story(events)
    story.check_tracks(session.tracks)
    story.check_schedules(session.schedules)
    _check_counters(session, story)
    for name, count in session.notifications.items():
        told = [event.data["data"]["n"] for event in events if event.topic == ("notification", name)]
        assert told == list(range(count)), f"{count} notifications of {name}: {told}"
    for reader, mark in session.readers:
        _check_reader(reader, _number(session, mark), events, session.journal.retracted)


def _number(session: Session, mark: int) -> int:
    """The number of a mark's event; 0 before the journal has it."""
    marks = (event for event in session.journal.events if event.topic == ("notification", "mark"))
    return next((event.number for event in marks if event.data["data"] == mark), 0)


def _check_counters(session: Session, story: Story):
    """What a firing does is done once for each."""
    for name in SCHEDULES:
        answer = session.ask("GET", f"/v1/tickers/{name}-count")
        count = answer.json["target"] if answer.status == 200 else 0
        assert count == story.fired(name), f"{name} fired {story.fired(name)} times, and {name}-count is {count}"


def _check_reader(reader: Reader, mark: int, events: list[Event], retracted: list[Event]):
    """From a mark on it has heard what the journal has of its topics: everything, once, and in the same words."""
    gone = {(event.epoch, event.number) for event in retracted}
    expected = [event for event in events if event.number > mark and reader.hears(event)]

    def heard() -> list[Event]:
        found = [event for event in reader.events if event.number > mark and event.topic]
        return [event for event in found if (event.epoch, event.number) not in gone]

    def missing() -> str:
        missed = set(expected) - set(heard())
        return f"a reader of {reader.topics} heard {len(heard())} of {len(expected)} events; missing {list(missed)[:3]}"

    wait_until(lambda: reader.wrong or len(heard()) >= len(expected), REST_SECONDS, missing)
    assert not reader.wrong and not reader.resets, f"{reader.topics}: {reader.wrong} {reader.resets}"
    # Whose action it was is not told to who may not read that.
    is_admin = reader.token == TOKENS["root"]
    for event, told in zip(expected, heard(), strict=True):
        assert event == told or not is_admin and _without_source(event) == _without_source(told), (
            f"{told} is not {event}"
        )


def _without_source(event: Event) -> tuple:
    return event.number, event.epoch, event.name, {field: value for field, value in event.data.items() if field != "by"}
