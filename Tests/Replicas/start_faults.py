"""What keeps a replica from starting, or takes its rights away: each is told in words that say what to do."""

import os
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
        (f"redis://{HOST}:{free_port()}?name=chaos", {}, "Connection refused"),
        (f"redis://{place}?sentinel=main&name=chaos", {}, "is this a Sentinel?"),
        (f"rediss://{place}?name=chaos", {}, "TLS"),
    ):
        said = start(store, **options)
        assert word in said, f"{store} {options}: {said}"
        assert "secret" not in said and "wrong" not in said, f"a password is told: {said}"


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
