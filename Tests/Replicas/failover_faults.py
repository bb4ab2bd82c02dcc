"""Another server takes the place of the one that had the log: with everything, or with less than was carried out."""

import signal
import time

from cluster import HOST, wait_until
from nodes import AT_ONCE, Cluster, Watched
from scene import (
    Counter,
    check_ids,
    check_unbroken,
    count,
    count_all,
    fault,
    move,
    target,
    wait_until_agreed,
    wait_until_away,
    wait_until_counted,
    wait_until_ready,
    wait_until_taken,
    wait_until_told,
)


@fault
def promotion_with_everything(scene):
    """A master dies of which a replica has everything: once it is promoted all goes on."""
    watched = Watched(scene, 2)
    replicas = scene.start(2, store=watched.store, redis_wait=1)
    listeners = [scene.listen(replica) for replica in replicas]
    move(replicas[0], "long", 60)
    for replica in replicas:
        count_all(replica, 10)
    wait_until_agreed(*replicas)
    watched.wait_until_copied()
    watched.master.end(signal.SIGKILL)
    wait_until_away(*replicas)
    watched.wait_until_promoted()
    wait_until_ready(*replicas)
    wait_until_taken(replicas[0])
    assert target(replicas[1]) == 20
    check_unbroken(*listeners, histories=2)
    wait_until_agreed(*replicas)


@fault
def promotion_under_load(scene):
    """A master dies while changes are on their way: with `--redis-wait` what was acknowledged is there."""
    watched = Watched(scene, 2)
    replicas = scene.start(2, store=watched.store, redis_wait=1)
    counters = [Counter(replica, f"c{n}") for n, replica in enumerate(replicas)]
    wait_until(lambda: all(counter.taken > 50 for counter in counters), what="load")
    watched.master.end(signal.SIGKILL)
    watched.wait_until_promoted()
    go_on(counters)
    wait_until_agreed(*replicas)
    return told(counters)


@fault
def planned_failover(scene):
    """Sentinels are asked to change the master: where each of its replicas must have it, what was acknowledged is there.

    For some seconds after another was promoted the old master still takes changes, and its other replicas copy them.
    """
    watched = Watched(scene, 2)
    replicas = scene.start(2, store=watched.store, redis_wait=2)
    counters = [Counter(replica, f"c{n}") for n, replica in enumerate(replicas)]
    change_master(watched, counters)
    go_on(counters)
    wait_until_agreed(*replicas)
    return told(counters)


@fault
def planned_failover_without_waiting(scene):
    """The same without `--redis-wait`: what the old master took when it was one no longer is lost, and all agree on it."""
    return lose_by_plan(scene)


@fault
def planned_failover_of_a_careful_master(scene):
    """The same with `min-replicas-to-write`: the old master takes nothing more once its replicas have gone."""
    return lose_by_plan(scene, "--min-replicas-to-write", "1", "--min-replicas-max-lag", "2")


def lose_by_plan(scene, *settings):
    """How soon replicas follow, and what that takes."""
    watched = Watched(scene, 1, *settings)
    replicas = scene.start(2, store=watched.store)
    counters = [Counter(replica, f"c{n}") for n, replica in enumerate(replicas)]
    began = time.monotonic()
    change_master(watched, counters)
    promoted = watched.wait_until_promoted()
    # Replicas have followed when what they write is there.
    for replica in replicas:
        follow(replica, promoted)
    seconds = time.monotonic() - began
    for counter in counters:
        counter.stop()
    wait_until_agreed(*replicas)
    acknowledged = sum(counter.taken for counter in counters)
    least = sum(max(0, counter.taken - target(counter.replica, counter.name)) for counter in counters)
    most = sum(counter.taken + counter.unknown - target(counter.replica, counter.name) for counter in counters)
    return f"followed after {seconds:.1f} s; {least} to {most} of {acknowledged} acknowledged lost"


def change_master(watched, counters):
    wait_until(lambda: all(counter.taken > 50 for counter in counters), what="load")
    wait_until(lambda: watched.sentinels[0].call("SENTINEL", "FAILOVER", "main") == "OK", what="a failover")
    watched.wait_until_promoted()


def follow(replica, server):
    """Until a replica's changes are in a server's log."""

    def is_there():
        status, _ = count(replica, "probe")
        position = int(replica.standing["position"])
        return status == 202 and int(server.call("HGET", "{chaos}:head", "seq")) >= position

    wait_until(is_there, what="a replica that follows")


def go_on(counters):
    """All of them count on, and what they were told is so."""
    known = [counter.taken for counter in counters]
    wait_until(lambda: all(c.taken > n + 50 for c, n in zip(counters, known, strict=True)), what="load that goes on")
    for counter in counters:
        counter.end()


def told(counters):
    acknowledged, unknown = sum(one.taken for one in counters), sum(one.unknown for one in counters)
    return f"{acknowledged} acknowledged, {unknown} not known"


@fault
def too_few_replicas(scene):
    """Nobody but the master has a change: after 5 s it is told that nobody knows, until there is another."""
    redis = scene.redis(*AT_ONCE)
    (replica,) = scene.start(1, redis, redis_wait=1)
    began = time.monotonic()
    status, headers, body = replica.answer("POST", "/v1/tickers/count", {"by": 1, "duration": 0})
    waited = time.monotonic() - began
    assert status == 503 and headers["Retry-After"] and b"not known" in body, f"{status} {body}"
    assert 4 < waited < 9, f"answered after {waited:.1f} s"
    scene.redis(*AT_ONCE, "--replicaof", HOST, str(redis.port))
    wait_until_taken(replica)
    assert target(replica) == 1


def lose_tail(scene, kept, lost, written):
    """A master dies of which another server, to be promoted, has less; two replicas had carried out all, one had not.

    That one finds the new master first, and writes there before others come.
    """
    redis = scene.redis(*AT_ONCE)
    other = scene.redis(*AT_ONCE, "--replicaof", HOST, str(redis.port))
    wait_until(lambda: "state=online" in redis.call("INFO", "replication"), what="a replica")
    ahead, too, behind = replicas = scene.start(3, redis)
    listeners = [scene.listen(replica) for replica in replicas]
    move(ahead, "long", 60)
    count_all(ahead, kept)
    wait_until_agreed(*replicas)
    head = redis.call("HGET", "{chaos}:head", "seq")
    wait_until(lambda: other.call("HGET", "{chaos}:head", "seq") == head, what="a copy")
    behind.wire.is_cut = True
    other.call("REPLICAOF", "NO", "ONE")
    count_all(ahead, lost)
    wait_until_agreed(ahead, too)
    assert target(too) == kept + lost
    redis.end(signal.SIGKILL)
    lead(behind, other)
    if written:
        wait_until_taken(behind)
        count_all(behind, written)
    lead(ahead, other)
    lead(too, other)
    return replicas, listeners


def lead(replica, server):
    replica.wire.lead_to(server.port)
    replica.wire.is_cut = False


def check_forked(replicas, listeners, expected):
    """All have come to what the log holds, and nobody is told an id again that was told of what is lost."""
    ahead, too, behind = listeners
    for listener in (ahead, too):
        wait_until(lambda one=listener: one.resets == 1, 30, "a reset")
    wait_until_ready(*replicas)
    wait_until_counted(expected, *replicas)
    wait_until_agreed(*replicas)
    count_all(replicas[0], 3)
    wait_until_told(*listeners)
    wait_until_agreed(*replicas)
    assert not any(listener.has_ended for listener in listeners)
    assert behind.resets == 0, "one that had lost nothing was reset"
    for listener in listeners:
        ids = [event[0] for event in list(listener.events)]
        assert len(ids) == len(set(ids)), f"told twice: {ids}"
    check_ids(*listeners)
    newest = {listener.numbers()[-1] for listener in listeners}
    assert len(newest) == 1 and newest.pop()[0] != ahead.numbers()[0][0], "no new log of events was begun"


@fault
def promotion_that_lost_the_tail(scene):
    """Replicas that had carried out more than is kept load the board anew, and say so."""
    replicas, listeners = lose_tail(scene, kept=10, lost=20, written=0)
    check_forked(replicas, listeners, 10)


@fault
def promotion_with_another_tail(scene):
    """The same where as much as was lost, and more, has come in its place."""
    replicas, listeners = lose_tail(scene, kept=10, lost=20, written=25)
    check_forked(replicas, listeners, 35)


@fault
def away_while_the_tail_was_lost(scene):
    """Whoever was away meanwhile is told that what it heard may not be so, wherever it comes back, by whatever id."""
    replicas, listeners = lose_tail(scene, kept=10, lost=20, written=0)
    for listener in listeners[:2]:
        wait_until(lambda one=listener: one.resets == 1, 30, "a reset")
    wait_until_ready(*replicas)
    wait_until_agreed(*replicas)
    # The tickers that are gone may have been heard of before the last event that is kept, and behind it.
    for last in (listeners[0].events[9][0], listeners[0].events[29][0]):
        for replica in replicas:
            reader = scene.listen(replica, last=last)
            wait_until(lambda one=reader: one.resets == 1, what=f"a reset for {last}")
    # Who comes back by an id from behind the loss is told nothing of the kind.
    count_all(replicas[0], 1)
    wait_until_told(*listeners)
    reader = scene.listen(replicas[2], last=listeners[0].events[-1][0])
    wait_until_told(reader)
    assert reader.resets == 0


@fault
def cluster_of_three(scene):
    """A board on a cluster is found from any node; its node dies, and the replica of that goes on."""
    cluster = Cluster(scene)
    replicas = scene.start(2, store=cluster.store)
    listeners = [scene.listen(replica) for replica in replicas]
    move(replicas[0], "long", 60)
    for replica in replicas:
        count_all(replica, 10)
    wait_until_agreed(*replicas)
    keys = [node.call("DBSIZE") for node in cluster.nodes[:3]]
    assert keys.count("0") == 2 and cluster.owner.call("DBSIZE") != "0", f"the board is on {keys}"
    head = cluster.owner.call("HGET", "{chaos}:head", "seq")
    wait_until(lambda: cluster.has(head), what="a copy")
    cluster.owner.end(signal.SIGKILL)
    wait_until_away(*replicas)
    wait_until(lambda: "role:master" in cluster.follower.call("INFO", "replication"), what="a failover")
    wait_until_ready(*replicas)
    wait_until_taken(replicas[1])
    assert target(replicas[0]) == 20
    check_unbroken(*listeners, histories=2)
    wait_until_agreed(*replicas)
