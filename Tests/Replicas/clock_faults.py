"""What becomes of time: the clock of the Redis is set, and replicas learn it over ways that are slow in one direction."""

import pathlib
import signal
import time

from cluster import FAKETIME, Replica, Wire, wait_until
from scene import (
    ALL_TOPICS,
    Skipped,
    check_frames,
    check_unbroken,
    count_all,
    fault,
    move,
    pass_until,
    schedule,
    wait_until_agreed,
    wait_until_counted,
    wait_until_ready,
)

HOUR = 3_600


@fault
def store_clock_set(scene):
    """An hour back and forth: motions and intervals go on, dates stay, and another becomes the steward within seconds."""
    redis, clock, replicas, listeners = begin_to_move(scene)
    due = schedule(replicas[1], "later", at=instant(redis, HOUR / 2))["due"]
    set_clock(clock, "-3600")
    wait_until_set(replicas, -HOUR)
    check_goes_on(listeners)
    status, body = replicas[2].ask("GET", "/v1/schedules/later")
    assert status == 200 and due.encode() in body, f"{status} {body}"
    change_steward(scene, replicas)
    listeners = [one for one in listeners if not one.has_ended]
    replicas = [one.replica for one in listeners]
    set_clock(clock, "+0")
    wait_until_set(replicas, HOUR)
    check_goes_on(listeners)
    check_unbroken(*listeners)
    wait_until_agreed(*replicas)


@fault
def store_clock_set_ahead(scene):
    """An hour ahead nothing ends and no interval fires; what has a date that was passed is told. Who comes then knows the
    same, and so it stays over a snapshot."""
    redis, clock, replicas, listeners = begin_to_move(scene, snapshot_entries=256)
    schedule(replicas[1], "passed", at=instant(redis, HOUR / 2))
    set_clock(clock, "+3600")
    wait_until_set(replicas, HOUR)
    check_goes_on(listeners)
    wait_until(lambda: listeners[0].named("fired", schedule="passed"), what="a date that the clock was set beyond")
    count_all(replicas[0], 600)
    wait_until(lambda: redis.call("HGET", "{chaos}:snapshot", "sequence"), what="a snapshot")
    (late,) = scene.start(1, redis)
    listeners.append(scene.listen(late))
    check_goes_on(listeners)
    wait_until_counted(600, *replicas, late)
    wait_until_agreed(*replicas, late)
    # A motion that is begun now takes as long as it should, on whatever replica.
    began = time.monotonic()
    move(late, "short", 2)
    for listener in listeners:
        wait_until(lambda one=listener: one.named("complete", ticker="short"), what="the end of a motion")
    assert 1.5 < time.monotonic() - began < 10
    check_unbroken(*listeners)


@fault
def store_clock_set_while_away(scene):
    """The same where it is set while the store is down, as where a machine gets its time anew."""
    redis, clock, replicas, listeners = begin_to_move(scene)
    redis.end(signal.SIGKILL)
    set_clock(clock, "+3600")
    redis.start()
    wait_until_ready(*replicas)
    wait_until_set(replicas, HOUR)
    check_goes_on(listeners)
    check_unbroken(*listeners, histories=2)
    wait_until_agreed(*replicas)


@fault
def store_paused_is_no_other_time(scene):
    """A store that answers late has not been set: what fell due meanwhile is told."""
    redis, _, replicas, listeners = begin_to_move(scene)
    schedule(replicas[1], "soon", **{"in": 1})
    redis.send(signal.SIGSTOP)
    # As long as a step would be that is looked for.
    pass_until(time.monotonic() + 1.8)
    redis.send(signal.SIGCONT)
    for listener in listeners:
        wait_until(lambda one=listener: one.named("fired", schedule="soon"), 1, "what fell due")
    assert "clock was set" not in scene.said, scene.said
    check_unbroken(*listeners)


@fault
def replica_over_a_crooked_wire(scene):
    """Answers that take longer than questions make a clock look late: no later than a replica says, from the beginning."""
    redis = scene.redis()
    (right,) = scene.start(1, redis)
    move(right, "long", 60)
    wire = Wire(redis.port)
    wire.delay_back = 0.04
    crooked = scene.add(Replica(wire))
    wait_until_ready(crooked)
    check_clock(crooked)
    wire.delay_back = 0.0
    worst = 0.0
    for _ in range(100):
        worst = max(worst, check_clock(crooked))
    wait_until(lambda: crooked.standing["clockUncertainty"] < 0.003, what="a better view")
    wait_until_agreed(right, crooked)
    return f"at most {worst * 1e3:.1f} ms off, never more than was told"


def check_clock(replica):
    """How far it is off, which on one machine is what it says of that: no more than it says that it may be."""
    standing = replica.standing
    error, told = abs(standing["clockOffset"]), standing["clockUncertainty"]
    assert error <= told + 0.00005, f"{error * 1e3:.3f} ms off, with {told * 1e3:.3f} ms told"
    return error


def begin_to_move(scene, **options):
    """Three replicas on a Redis whose clock can be set; a motion and an interval that are not to end."""
    if not FAKETIME:
        raise Skipped("libfaketime is not here")
    redis, clock = faked_redis(scene)
    replicas = scene.start(3, redis, **options)
    listeners = [scene.listen(replica, ALL_TOPICS + "&stamp") for replica in replicas]
    move(replicas[0], "long", 120)
    schedule(replicas[1], "interval", every=HOUR / 3)
    for listener in listeners:
        wait_until(lambda one=listener: one.frames_of("long"), what="frames")
    return redis, clock, replicas, listeners


def wait_until_set(replicas, seconds):
    """Until all have said that the clock was set by so much."""

    def is_said(replica):
        told = [line.partition("seconds=")[2].split()[0] for line in replica.said.splitlines() if CLOCK_SET in line]
        return any(abs(float(one) - seconds) < 2 for one in told)

    for replica in replicas:
        wait_until(lambda one=replica: is_said(one), 15, f"a clock that was set by {seconds} s")


CLOCK_SET = "the log's clock was set"


def check_goes_on(listeners):
    """Frames of the motion come evenly, nothing has ended and the interval is still to come."""
    check_frames(listeners, "long", time.monotonic(), time.monotonic() + 1)
    for listener in listeners:
        values = [value for _, value in listener.frames_of("long")]
        steps = [later - former for former, later in zip(values, values[1:])]
        assert min(steps) >= 0 and max(steps) < 50, f"a motion leapt by {max(steps)} or {min(steps)}"
        assert not listener.named("complete", ticker="long") and not listener.named("fired", schedule="interval")


def instant(redis, seconds):
    """A date so far ahead by the store's clock."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(redis.call("TIME").split()[0]) + seconds))


def faked_redis(scene):
    """A server whose clock is set by a file."""
    clock = pathlib.Path(scene.folder) / "clock"
    set_clock(clock, "+0")
    faked = {
        # Without its own allocator, which asks for the time before there is any.
        "LD_PRELOAD": f"{FAKETIME}:libc.so.6",
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    return scene.redis(environment=faked), clock


def set_clock(clock, offset):
    """In one go: a file that is half written is another time."""
    new = clock.with_suffix(".new")
    new.write_text(offset + "\n")
    new.replace(clock)


def change_steward(scene, replicas):
    """The steward dies, and another takes over."""
    stewards = []

    def is_one():
        stewards[:] = [replica for replica in replicas if replica.standing["steward"]]
        return len(stewards) == 1

    # One that has lost its office may not have heard of it yet.
    wait_until(is_one, what="one steward")
    (steward,) = stewards
    steward.end(signal.SIGKILL)
    others = [replica for replica in replicas if replica is not steward]
    wait_until(lambda: any(replica.standing["steward"] for replica in others), what="another steward")
    for listener in scene.listeners:
        if listener.replica is steward:
            wait_until(lambda one=listener: one.has_ended, what="the end of a stream")
