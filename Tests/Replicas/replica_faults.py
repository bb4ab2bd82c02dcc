"""What can happen to one replica: it is cut off, sleeps, dies, has a clock of its own."""

import concurrent.futures
import json
import signal
import threading
import time

from cluster import CLOCK_AHEAD, FAKETIME, HOST, Successors, wait_until
from island import Island, Islander
from scene import (
    ALL_TOPICS,
    Skipped,
    check_frames,
    check_refused,
    check_unbroken,
    count,
    count_all,
    fault,
    move,
    pass_until,
    schedule,
    target,
    wait_until_agreed,
    wait_until_away,
    wait_until_counted,
    wait_until_ready,
    wait_until_told,
)

# As long one is stopped whose listeners are told everything, later.
STOPPED_SECONDS = 5


@fault
def replica_cut_off(scene):
    """One is cut off until others take it for gone: there it is as if the store were away, elsewhere nothing happens."""
    redis = scene.redis()
    cut, *others = replicas = scene.start(3, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(cut, "long", 60)
    wait_until_agreed(*replicas)
    began = time.monotonic()
    cut.wire.is_cut = True
    wait_until_away(cut)
    assert "unreachable" in check_refused(cut)
    count_all(others[0], 10)
    wait_until_counted(10, *others)
    assert all(replica.is_ready for replica in others)
    wait_until(lambda: len(others[0].standing["replicas"]) == 2, 30, "that it is taken for gone")
    check_frames(listeners, "long", began, time.monotonic())
    check_refused(cut)
    cut.wire.is_cut = False
    wait_until_ready(cut)
    wait_until_agreed(*replicas)
    assert target(cut) == 10
    check_unbroken(*listeners)
    wait_until(lambda: len(others[0].standing["replicas"]) == 3, what="that it is there again")


@fault
def replica_in_a_dead_network(scene):
    """The same where the network itself is down: packets go nowhere, and connections hang."""
    island = scene.keep(Island())
    redis = scene.redis("--bind", HOST, island.store_host, "--protected-mode", "no")
    cut = scene.add(Islander(island, redis))
    (other,) = scene.start(1, redis)
    wait_until_ready(cut)
    listeners = [scene.listen(replica) for replica in (cut, other)]
    move(cut, "long", 60)
    wait_until_agreed(cut, other)
    began = time.monotonic()
    island.cut()
    wait_until_away(cut)
    check_refused(cut)
    count_all(other, 10)
    check_frames(listeners, "long", began, time.monotonic() + 1)
    island.mend()
    wait_until_ready(cut)
    wait_until_agreed(cut, other)
    assert target(cut) == 10
    count_all(cut, 3)
    check_unbroken(*listeners)


@fault
def replica_stopped(scene):
    """One is stopped for 5 s: its listeners are told everything, later."""
    redis = scene.redis()
    stopped, other = replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(other, "short", 2)
    schedule(other, "soon", **{"in": 2})
    stopped.send(signal.SIGSTOP)
    end = time.monotonic() + STOPPED_SECONDS
    count_all(other, 50)
    # What falls due meanwhile is told by whoever is there.
    wait_until(lambda: listeners[1].named("fired", schedule="soon") and listeners[1].named("complete", ticker="short"))
    pass_until(end)
    stopped.send(signal.SIGCONT)
    wait_until_ready(stopped)
    check_unbroken(*listeners)
    wait_until_agreed(*replicas)
    count_all(stopped, 3)


@fault
def reader_ahead_of_a_replica(scene):
    """A reader who comes to a replica that is cut off is sent away, and receives nothing twice after the replica has caught up."""
    redis = scene.redis()
    here, cut = replicas = scene.start(2, redis)
    listener = scene.listen(here)
    wait_until_told(listener)
    wait_until_agreed(*replicas)
    cut.wire.is_cut = True
    wait_until_told(listener)
    last = listener.events[-1][0]
    for _ in range(2):
        status, body = cut.ask("GET", "/v1/events?" + ALL_TOPICS, headers={"Last-Event-ID": last})
        assert status == 200 and b"event: bye" in body and b'{"reason":"behind"}' in body, f"{status} {body}"
        assert b"retry: " in body and b"id:" not in body and b"event: reset" not in body, body
    cut.wire.is_cut = False
    wait_until_ready(cut)
    moved = scene.listen(cut, last=last)
    check_unbroken(listener, moved)
    # An id that the log lacks, too, is unknown at once.
    epoch = last.rpartition("-")[0]
    lost = scene.listen(cut, last=f"{epoch}-999999")
    wait_until(lambda: lost.resets == 1, what="a reset")


@fault
def batch_sent_again_at_once(scene):
    """The same batch on two connections at once has one answer, and counts once."""
    (replica,) = scene.start(1, scene.redis())
    lines = "".join(f'{{"ticker":"{name}","by":1,"duration":0}}\n' for name in ("a", "b"))
    for number in range(40):
        headers = {"Idempotency-Key": f'"k{number}"'}
        start = threading.Barrier(3)

        def send(_, start=start, headers=headers):
            start.wait()
            return replica.ask("POST", "/v1/batch", lines, headers)

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            answers = list(pool.map(send, range(3)))
        assert {status for status, _ in answers} == {200}, answers
        assert len({body for _, body in answers}) == 1, answers
    assert target(replica, "a") == target(replica, "b") == 40


@fault
def replica_killed(scene):
    """One dies without a word: its listeners go on elsewhere by the id that they were told last."""
    redis = scene.redis()
    dying, other = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in (dying, other)]
    move(dying, "short", 2)
    count_all(dying, 10)
    wait_until(lambda: all(len(listener.events) >= 10 for listener in listeners), what="events")
    dying.end(signal.SIGKILL)
    wait_until(lambda: listeners[0].has_ended, what="the end of a stream")
    count_all(other, 10)
    before = listeners[0].events
    moved = scene.listen(other, last=before[-1][0])
    wait_until_told(listeners[1], moved)
    moved.events[:0] = before
    check_unbroken(listeners[1], moved)
    dying.start()
    wait_until_ready(dying)
    wait_until_agreed(dying, other)


@fault
def sleeper_behind_the_log(scene):
    """One sleeps until the log no longer reaches back to it: it loads the board anew, and its listeners are told."""
    redis = scene.redis()
    sleeper, other = replicas = scene.start(2, redis, snapshot_entries=256)
    listeners = [scene.listen(replica) for replica in replicas]
    move(other, "long", 60)
    wait_until_agreed(*replicas)
    place = int(sleeper.standing["position"])
    sleeper.send(signal.SIGSTOP)

    def is_cut():
        count_all(other, 20)
        return int(redis.call("XRANGE", "{chaos}:log", "-", "+", "COUNT", 1).split("-")[0]) > place + 1

    wait_until(is_cut, what="a log that was cut")
    woken = time.monotonic()
    sleeper.send(signal.SIGCONT)
    wait_until(lambda: listeners[0].resets == 1, 20, "a reset")
    wait_until_ready(sleeper)
    wait_until_agreed(*replicas)
    assert target(sleeper) == target(other)
    wait_until_told(*listeners)
    wait_until(lambda: listeners[0].frames_of("long", woken), what="frames that go on")
    assert listeners[0].resets == 1 and not listeners[0].has_ended
    listeners[1].check_unbroken()
    now = {epoch for listener in listeners for epoch, _ in listener.numbers()}
    assert len(now) == 1, f"nothing was lost, and events have begun another log: {now}"


@fault
def replica_handed_over(scene):
    """While one process takes over from another whoever has written at either reads it at either."""
    redis = scene.redis()
    (replica,) = scene.start(1, redis, drain_timeout=4)
    scene.keep(Successors(replica))
    count_all(replica, 1)
    # Streams keep the old process; the new one learns everything later than that.
    for _ in range(20):
        scene.listen(replica)
    replica.wire.delay_of_new = 0.05
    replica.send(signal.SIGUSR2)
    own, stale, looks = 1, [], 0
    while replica.process.poll() is None:
        own += count(replica)[0] == 202
        status, body = replica.ask("GET", "/v1/tickers/count")
        if status == 200:
            looks += 1
            stale += [own] if json.loads(body)["target"] < own else []
    wait_until_ready(replica)
    assert target(replica) == own and not stale, f"{len(stale)} of {looks} looks showed less than was answered"
    return f"{looks} looks"


@fault
def replica_clock_off(scene):
    """One whose clock is an hour off makes the same frames and dates: the time is the store's."""
    if not FAKETIME:
        raise Skipped("libfaketime is not here")
    redis = scene.redis()
    (right,) = scene.start(1, redis)
    wrong = scene.replica(redis, CLOCK_AHEAD)
    replicas = [right, wrong]
    wait_until_ready(wrong)
    listeners = [scene.listen(replica, ALL_TOPICS + "&stamp") for replica in replicas]
    move(wrong, "motion", 2)
    made = schedule(wrong, "soon", **{"in": 1})
    wait_until(lambda: right.ask("GET", "/v1/schedules/soon")[0] == 200, what="the schedule")
    assert made["due"] == json.loads(right.ask("GET", "/v1/schedules/soon")[1])["due"]
    for listener in listeners:
        wait_until(lambda one=listener: one.named("complete", ticker="motion"), what="the end of the motion")
    check_unbroken(*listeners)
    wait_until_agreed(*replicas)
    offsets = [replica.standing["clockOffset"] for replica in replicas]
    assert abs(offsets[0]) < 60 and abs(offsets[1] + 3600) < 60, f"{offsets} s are told as the clocks' offsets"
    frames = [
        {data["t"]: data for _, data in listener.frames if data.get("ticker") == "motion"} for listener in listeners
    ]
    common = frames[0].keys() & frames[1].keys()
    assert len(common) > 30, f"{len(common)} of {[len(one) for one in frames]} frames are of common ticks"
    for instant in common:
        assert frames[0][instant] == frames[1][instant], f"{frames[0][instant]} and {frames[1][instant]}"
    return f"{len(common)} frames of common ticks"
