"""What can happen to the Redis: it restarts, dies, stops, is slow, full, forgets its scripts, is emptied."""

import concurrent.futures
import pathlib
import signal
import threading
import time

from cluster import HOST, wait_until
from scene import (
    Counter,
    check_frames,
    check_refused,
    check_unbroken,
    count_all,
    fault,
    move,
    pass_until,
    reason,
    schedule,
    target,
    wait_until_agreed,
    wait_until_away,
    wait_until_counted,
    wait_until_ready,
)

# As long the store is silent: longer than a change waits for its answer (5 s), and than what moves takes to its end.
PAUSED_SECONDS = 10


def end_under_load(scene, number):
    redis = scene.redis()
    replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    counters = [Counter(replica, f"c{n}") for n, replica in enumerate(replicas)]
    move(replicas[0], "long", 60)
    wait_until(lambda: all(counter.taken > 20 for counter in counters), what="load")
    redis.end(number)
    wait_until_away(*replicas)
    since = time.monotonic()
    for listener in listeners:
        wait_until(lambda one=listener: len(one.frames_of("long", since)) > 5, what="frames while nobody answers")
    redis.start()
    wait_until_ready(*replicas)
    known = [counter.taken for counter in counters]
    wait_until(lambda: all(c.taken > n + 20 for c, n in zip(counters, known, strict=True)), what="load that goes on")
    for counter in counters:
        counter.end()
    check_unbroken(*listeners, histories=2)
    wait_until_agreed(*replicas)


@fault
def store_restarted(scene):
    """Nothing that was acknowledged is lost, and streams stay open."""
    end_under_load(scene, signal.SIGTERM)


@fault
def store_killed(scene):
    """The same without a word: `appendfsync always`."""
    end_under_load(scene, signal.SIGKILL)


@fault
def store_paused(scene):
    """For 10 s nothing that ends is told, and nothing is taken; frames go on. Then everything comes once."""
    redis = scene.redis()
    first, second = replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(first, "long", 60)
    move(first, "short", 3)
    schedule(second, "soon", **{"in": 3})
    began = time.monotonic()
    redis.send(signal.SIGSTOP)
    # One that is under way when nobody knows of it yet.
    status, headers, body = first.answer("POST", "/v1/tickers/way", {"by": 1, "duration": 0}, {"Idempotency-Key": "w"})
    waited = time.monotonic() - began
    assert status == 503 and headers["Retry-After"] and b"not known" in body, f"{status} {headers} {body}"
    assert 4 < waited < 9, f"answered after {waited:.1f} s"
    for replica in replicas:
        assert "unreachable" in check_refused(replica)
    check_frames(listeners, "long", began, began + PAUSED_SECONDS)
    for listener in listeners:
        assert not listener.named("complete") and not listener.named("fired"), listener.events
    redis.send(signal.SIGCONT)
    wait_until_ready(*replicas)
    check_unbroken(*listeners)
    for listener in listeners:
        assert len(listener.named("complete", ticker="short")) == 1, listener.events
        assert len(listener.named("fired", schedule="soon")) == 1, listener.events
    status, body = second.ask("POST", "/v1/tickers/way", {"by": 1, "duration": 0}, {"Idempotency-Key": "w"})
    assert status == 202 and target(second, "way") == 1, f"{status} {body}"
    wait_until_agreed(*replicas)


@fault
def due_while_away(scene):
    """What falls due while the store is away is told once it is back, under one id: also by a replica that comes then."""
    redis = scene.redis()
    (here,) = scene.start(1, redis)
    listener = scene.listen(here)
    count_all(here, 1)
    wait_until(lambda: listener.events, what="an event")
    before = listener.events[-1][0]
    schedule(here, "soon", **{"in": 1})
    redis.end(signal.SIGKILL)
    wait_until_away(here)
    # That it is due passes without a word: nothing shows it.
    pass_until(time.monotonic() + 1.5)
    redis.start()
    wait_until_ready(here)
    wait_until(lambda: listener.named("fired", schedule="soon"), what="what was due")
    (late,) = scene.start(1, redis)
    moved = scene.listen(late, last=before)
    wait_until(lambda: moved.named("fired", schedule="soon"), what="what was due, told of the past")
    names = ("fired", "notification", "removed")
    ids = [[event[0] for event in one.events if event[1] in names] for one in (listener, moved)]
    assert ids[0] == ids[1] and len(ids[0]) == 3, f"one event under two ids: {ids}"
    assert moved.resets == 0 and listener.resets == 0
    again = scene.listen(late, last=listener.events[-1][0])
    check_unbroken(listener, again, histories=2)
    assert not again.named("fired", schedule="soon"), "heard twice"


@fault
def wires_slow(scene):
    """100 ms each way: all is right, only later."""
    redis = scene.redis()
    replicas = scene.start(3, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    for replica in replicas:
        replica.wire.delay = 0.1
    clients = [threading.Thread(target=count_all, args=(replica, 10), daemon=True) for replica in replicas]
    for client in clients:
        client.start()
    move(replicas[0], "short", 1)
    schedule(replicas[1], "soon", **{"in": 1})
    for client in clients:
        client.join()
    wait_until_counted(30, *replicas)
    for listener in listeners:
        wait_until(lambda one=listener: one.named("fired", schedule="soon") and one.named("complete", ticker="short"))
    check_unbroken(*listeners)
    wait_until_agreed(*replicas)


@fault
def store_full(scene):
    """No room for another entry: as if it were away, and said so."""
    redis = scene.redis()
    replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(replicas[0], "long", 60)
    redis.call("CONFIG", "SET", "maxmemory", "1")
    wait_until_away(*replicas)
    for replica in replicas:
        assert "room" in check_refused(replica), reason(replica)
    now = time.monotonic()
    check_frames(listeners, "long", now, now + 1)
    redis.call("CONFIG", "SET", "maxmemory", "0")
    wait_until_ready(*replicas)
    count_all(replicas[0], 3)
    check_unbroken(*listeners)
    wait_until_agreed(*replicas)


@fault
def scripts_flushed(scene):
    """A server that has forgotten the scripts is given them again: nobody notices."""
    redis = scene.redis()
    replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(replicas[0], "short", 1)
    for number in range(20):
        redis.call("SCRIPT", "FLUSH")
        count_all(replicas[number % 2], 1)
    wait_until_counted(20, *replicas)
    wait_until(lambda: listeners[0].named("complete", ticker="short"))
    check_unbroken(*listeners)
    assert all(replica.is_ready for replica in replicas) and "unreachable" not in scene.said, scene.said


@fault
def store_emptied(scene):
    """Replicas show what they have and say what to do. No start makes an empty board; one that may restore it has it
    written back: streams stay open, and nothing is lost."""
    redis = scene.redis()
    first, second = replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(first, "long", 60)
    count_all(first, 5)
    wait_until(lambda: all(listener.frames_of("long") for listener in listeners), what="frames")
    wait_until_agreed(*replicas)
    redis.call("FLUSHALL")
    wait_until_away(*replicas)
    for replica in replicas:
        assert "--redis-empty restore" in check_refused(replica), reason(replica)
        assert "--redis-empty restore" in replica.said, replica.said
    now = time.monotonic()
    late = scene.replica(redis)
    wait_until(lambda: late.ask("GET", "/readyz")[0] == 503, what="a start without a board")
    check_frames(listeners, "long", now, now + 3)
    assert "--redis-empty restore" in reason(late) and redis.call("EXISTS", "{chaos}:head") == "0"
    assert target(first) == target(second) == 5
    wish = scene.replica(redis, redis_empty="restore")
    wait_until_ready(first, second, late, wish)
    assert [target(one) for one in (first, second, late, wish)] == [5, 5, 5, 5]
    count_all(late, 1)
    wait_until_counted(6, first, second, late, wish)
    check_unbroken(*listeners)
    wait_until_agreed(first, second, late, wish)


@fault
def store_restarted_without_its_data(scene):
    """The same by themselves, where all were started so; what is acknowledged afterwards is there for a new one."""
    redis = scene.redis("--appendonly", "no")
    replicas = scene.start(3, redis, redis_empty="restore")
    listeners = [scene.listen(replica) for replica in replicas]
    count_all(replicas[0], 5)
    wait_until_counted(5, *replicas)
    redis.end(signal.SIGKILL)
    redis.start()
    wait_until_away(*replicas)
    wait_until_ready(*replicas)
    count_all(replicas[1], 2)
    wait_until_counted(7, *replicas)
    assert "--redis-empty restore" not in scene.said, scene.said
    (late,) = scene.start(1, redis)
    assert target(late) == 7
    check_unbroken(*listeners, histories=2)
    wait_until_agreed(late, *replicas)


def lose(scene, find):
    """Keys are gone while replicas run: one of them writes its board back, and a new replica loads it."""
    redis, every = scene.redis(), 256
    replicas = scene.start(2, redis, snapshot_entries=every)
    listener = scene.listen(replicas[0])
    count_all(replicas[0], 600)

    def has_last_snapshot():
        # Another one, begun meanwhile, would leave nothing lost.
        sequence, end = redis.call("HGET", "{chaos}:snapshot", "sequence"), redis.call("HGET", "{chaos}:head", "seq")
        return bool(sequence) and int(sequence) + every > int(end)

    wait_until(has_last_snapshot, what="a snapshot")
    redis.call("DEL", *find(redis))
    wait_until(lambda: "writing the board back" in scene.said, what="a word of the writer")
    wait_until_ready(*replicas)
    wait_until(lambda: "has the whole board again" in scene.said, what="that all is there")
    count_all(replicas[1], 1)
    (late,) = scene.start(1, redis)
    assert target(late) == 601
    check_unbroken(listener)
    wait_until_agreed(late, *replicas)


@fault
def log_deleted(scene):
    """The log is gone, which a start would read behind the snapshot."""
    lose(scene, lambda _: ["{chaos}:log"])


@fault
def snapshot_evicted(scene):
    """The newest snapshot is gone, as where a policy evicts."""
    lose(scene, lambda redis: redis.call("KEYS", "{chaos}:snapshot:*").split())


@fault
def number_damaged(scene):
    """A number that can't be right stops replicas by its name; none ends, and all go on when it is mended."""
    redis = scene.redis()
    replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    for field, value in (("instant", "9300000000000000"), ("lead", "9300000000000000"), ("seen", "-9" + 18 * "0")):
        right = redis.call("HGET", "{chaos}:head", field)
        redis.call("HSET", "{chaos}:head", field, value)
        wait_until_away(*replicas)
        for replica in replicas:
            told = check_refused(replica)
            assert "following stopped" in told and f"the field {field} of the head" in told, told
            assert replica.process.poll() is None and f"the field {field} of the head" in replica.said
        redis.call("HSET", "{chaos}:head", field, right)
        wait_until_ready(*replicas)
    count_all(replicas[0], 3)
    check_unbroken(*listeners)


@fault
def copies_too_few(scene):
    """With `--redis-wait`, `/readyz` and the log say that a replica of the Redis is missing; answers say so after 5 s."""
    redis = scene.redis()
    copy = scene.redis("--replicaof", HOST, str(redis.port))
    wait_until(lambda: "state=online" in redis.call("INFO", "replication"), what="a copy")
    (replica,) = scene.start(1, redis, redis_wait=1)
    count_all(replica, 3)
    copy.end(signal.SIGKILL)
    wait_until(lambda: b"--redis-wait is 1" in replica.ask("GET", "/readyz")[1], what="a warning")
    assert replica.is_ready and "--redis-wait is 1" in replica.said, replica.said

    def send(path, body):
        began = time.monotonic()
        status, answer = replica.ask("POST", path, body)
        return status, answer, time.monotonic() - began

    line = '{"ticker":"count","by":1,"duration":0}\n'
    requests = [("/v1/tickers/count", {"by": 1, "duration": 0}), ("/v1/batch", line * 3)] * 4
    with concurrent.futures.ThreadPoolExecutor(len(requests)) as pool:
        answers = list(pool.map(lambda request: send(*request), requests))
    for status, body, seconds in answers:
        assert status == 503 and b"not known" in body and seconds > 4, f"{status} {body} {seconds:.1f}"
    copy.start()
    wait_until(lambda: b"--redis-wait" not in replica.ask("GET", "/readyz")[1], what="the end of the warning")
    count_all(replica, 1)
    assert target(replica) == 3 + 4 + 4 * 3 + 1


@fault
def settings_reloaded_while_away(scene):
    """An update rate that is read again while the Redis is away is in the log when that is back."""
    redis = scene.redis()
    file = pathlib.Path(scene.folder) / "settings"
    file.write_text("update-rate = 50\n")
    (replica,) = scene.start(1, redis, config=file)
    length = int(redis.call("XLEN", "{chaos}:log"))
    redis.send(signal.SIGSTOP)
    wait_until_away(replica)
    file.write_text("update-rate = 70\n")
    replica.send(signal.SIGHUP)
    wait_until(lambda: "settings reloaded: update-rate" in replica.said, what="a word on that")
    redis.send(signal.SIGCONT)
    wait_until_ready(replica)
    # An entry's payload begins with its format and 2, for settings.
    kinds = lambda: redis.call("EVAL", SETTINGS_ENTRIES, 1, "{chaos}:log", length)  # noqa: E731
    wait_until(lambda: kinds() == "1", what="an entry of settings")


# Counts the entries of settings behind the first so many.
SETTINGS_ENTRIES = """
local count = 0
for i, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
    if i > tonumber(ARGV[1]) and string.byte(entry[2][8], 2) == 2 then count = count + 1 end
end
return count
"""


@fault
def entry_of_a_newer_program(scene):
    """What a newer program wrote is not followed: frames go on, changes are refused, and it stays so."""
    redis = scene.redis()
    replicas = scene.start(2, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(replicas[0], "long", 60)
    wait_until_agreed(*replicas)
    append_newer(redis)
    wait_until_away(*replicas)
    check_stopped(replicas, listeners)
    # A connection that is lost and found again changes nothing of that.
    redis.end(signal.SIGKILL)
    redis.start()
    wait_until(lambda: redis.call("CLIENT", "LIST").count("name=tweencast") >= len(replicas), what="connections")
    check_stopped(replicas, listeners)


def append_newer(redis):
    """What the script appends, of a format that is not known yet."""
    redis.call(
        "EVAL",
        """
        local head = redis.call('HMGET', KEYS[1], 'seq', 'instant', 'name')
        local id, instant = string.format('%.0f', head[1] + 1), string.format('%.0f', head[2] + 1)
        redis.call('XADD', KEYS[2], id .. '-0', 't', instant, 'p', head[3], 'n', '77', 'e', string.char(255, 0, 0))
        redis.call('HSET', KEYS[1], 'seq', id, 'instant', instant, 'name', '77')
        """,
        2,
        "{chaos}:head",
        "{chaos}:log",
    )


def check_stopped(replicas, listeners):
    began = time.monotonic()
    check_frames(listeners, "long", began, began + 1)
    for replica in replicas:
        assert "format 255" in check_refused(replica), reason(replica)
        status, body = replica.ask("GET", "/v1/clients")
        assert status == 200 and b'"position"' in body, f"{status} {body}"
        assert target(replica, "long") == 1000
    for listener in listeners:
        listener.check_unbroken()
