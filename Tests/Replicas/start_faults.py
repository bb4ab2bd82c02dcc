"""What keeps a replica from starting, or takes its rights away: each is told in words that say what to do."""

import os
import re
import signal
import subprocess

from cluster import HOST, ROOT, program, wait_until
from ports import free_port
from scene import check_refused, check_unbroken, count_all, fault, reason, wait_until_away, wait_until_ready

RIGHTS = ("~{chaos}:*", "+@all", "-@dangerous", "+info", "+config|get", "+role")


def start(store, **options):
    """Starts a program that can't; what it says."""
    environment = {"TWEENCAST_" + name.upper(): str(value) for name, value in options.items()}
    done = subprocess.run(
        [program()],
        cwd=ROOT,
        env=os.environ | environment | {"TWEENCAST_STORE": store, "TWEENCAST_PORT": str(free_port())},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode in (1, 2), f"exit {done.returncode}: {done.stderr}"
    return done.stderr


@fault
def starts_refused(scene):
    """What is wrong with the address, the login, the rights or the board is said, and the process ends."""
    redis = scene.redis()
    scene.start(1, redis)
    place = f"{HOST}:{redis.port}"
    redis.call("ACL", "SETUSER", "known", "on", ">secret", *RIGHTS)
    redis.call("ACL", "SETUSER", "elsewhere", "on", ">secret", "~{other}:*", "+@all")
    redis.call("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@read", "+client", "+role")
    for store, options, word in (
        (f"redis://{place}?name=chaos", {"tick_rate": 50}, "start with --tick-rate 60"),
        (f"redis://{place}", {}, "the board needs a name"),
        (f"redis://known:wrong@{place}?name=chaos", {}, "WRONGPASS"),
        (f"redis://elsewhere:secret@{place}?name=chaos", {}, "NOPERM"),
        (f"redis://reader:secret@{place}?name=chaos", {}, "NOPERM"),
        (f"redis://{place}/77?name=chaos", {}, "DB index is out of range"),
        (f"redis://{place}?sentinel=main&name=chaos", {}, "is this a Sentinel?"),
        (f"rediss://{place}?name=chaos", {}, "TLS"),
    ):
        said = start(store, **options)
        assert word in said, f"{store} {options}: {said}"
        assert "secret" not in said and "wrong" not in said, f"a password is told: {said}"


@fault
def starts_behind_a_lost_log(scene):
    """The log went while no replica ran: a start doesn't serve what the snapshot has, since that lacks entries."""
    redis = scene.redis()
    (replica,) = scene.start(1, redis, snapshot_entries=256)
    count_all(replica, 600)
    wait_until(lambda: redis.call("EXISTS", "{chaos}:snapshot") == "1", what="a snapshot")
    replica.end(signal.SIGTERM)
    redis.call("DEL", "{chaos}:log")
    said = start(f"redis://{HOST}:{redis.port}?name=chaos")
    assert "has lost entries of the log between" in said, said


def check_waits(replica, word):
    """It listens without a board: alive and not ready, nothing is changed, and a stream comes back by itself."""
    wait_until(lambda: replica.ask("GET", "/readyz")[0] == 503, what="an answer")
    assert "unreachable" in reason(replica), reason(replica)
    assert replica.ask("GET", "/healthz")[0] == 200
    for method, path, body in (("POST", "/v1/tickers/t", {"by": 1}), ("GET", "/v1/tickers", None), ("GET", "/metrics", None)):
        status, headers, text = replica.answer(method, path, body)
        assert status == 503 and b"not loaded yet" in text and "Retry-After" in headers, f"{path}: {status} {text}"
    status, text = replica.ask("GET", "/v1/events?ticker=*", headers={"Accept": "text/event-stream"})
    assert status == 200 and b"event: bye" in text and b"retry: " in text, text
    wait_until(lambda: word in replica.said, what=f"{word} in the log")


@fault
def starts_while_the_redis_is_away(scene):
    """Refused or hung: a replica waits, says so in /readyz, ends when it is asked to, and is ready when the Redis is."""
    redis = scene.redis()
    redis.process.kill()
    redis.process.wait()
    replica = scene.replica(store=f"redis://{HOST}:{redis.port}?name=chaos")
    check_waits(replica, "Connection refused")
    replica.send(signal.SIGTERM)
    assert replica.process.wait(60) == 0, replica.said
    replica.start()
    check_waits(replica, "Connection refused")
    redis.start()
    wait_until_ready(replica)
    count_all(replica, 3)
    redis.process.send_signal(signal.SIGSTOP)
    other = scene.replica(store=f"redis://{HOST}:{redis.port}?name=chaos")
    check_waits(other, "no answer within")
    redis.process.send_signal(signal.SIGCONT)
    wait_until_ready(replica, other)
    count_all(other, 3)


@fault
def handed_over_while_the_redis_is_away(scene):
    """SIGUSR2 while the Redis is refused or hangs: the old process stays, and goes on when the Redis is back; then it hands over."""
    redis = scene.redis()
    replica = scene.start(1, store=f"redis://{HOST}:{redis.port}?name=chaos")[0]
    count_all(replica, 3)
    for stop, resume in (
        (lambda: (redis.process.kill(), redis.process.wait()), redis.start),
        (lambda: redis.process.send_signal(signal.SIGSTOP), lambda: redis.process.send_signal(signal.SIGCONT)),
    ):
        said = replica.said.count("handover failed: no successor")
        stop()
        wait_until_away(replica)
        replica.send(signal.SIGUSR2)
        wait_until(lambda: replica.said.count("handover failed: no successor") > said, what="word of no successor", seconds=60)
        assert replica.process.poll() is None, replica.said
        assert replica.ask("GET", "/healthz")[0] == 200
        resume()
        wait_until_ready(replica)
        count_all(replica, 3)
    replica.send(signal.SIGUSR2)
    assert replica.process.wait(60) == 0, replica.said
    wait_until_ready(replica)
    count_all(replica, 3)
    # The successor is a child of the process that has gone.
    successor = pid_of(replica.port)
    os.kill(successor, signal.SIGTERM)
    wait_until(lambda: not os.path.exists(f"/proc/{successor}"), what="the end of the successor")


def pid_of(port):
    """The process that serves on a port."""
    text = subprocess.run(["ss", "-Hltnp", f"sport = :{port}"], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"pid=(\d+)", text)[1])


@fault
def rights_taken_away(scene):
    """A login that is changed under running replicas: they say so, and go on when it is right again."""
    redis = scene.redis()
    redis.call("ACL", "SETUSER", "known", "on", ">secret", *RIGHTS)
    replicas = scene.start(2, store=f"redis://known:secret@{HOST}:{redis.port}?name=chaos")
    listeners = [scene.listen(replica) for replica in replicas]
    count_all(replicas[0], 3)
    redis.call("ACL", "SETUSER", "known", "resetpass", ">other")
    redis.call("CLIENT", "KILL", "USER", "known")
    wait_until_away(*replicas)
    for replica in replicas:
        wait_until(lambda one=replica: "refuses" in reason(one), what="the reason")
        check_refused(replica)
    redis.call("ACL", "SETUSER", "known", ">secret")
    wait_until_ready(*replicas)
    count_all(replicas[1], 3)
    check_unbroken(*listeners)
