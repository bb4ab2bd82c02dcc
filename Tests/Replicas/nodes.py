"""Servers that watch over one another: Sentinels with a master and its replicas, and a cluster."""

import pathlib
import subprocess
import tempfile

from cluster import HOST, Redis, wait_until
from ports import free_port

SLOTS = 16_384
# A replica is given everything at once, not when others may have come.
AT_ONCE = ("--repl-diskless-sync-delay", "0")


class Sentinel(Redis):
    """One that watches a master by the name of `main`."""

    def __init__(self, master):
        folder = tempfile.mkdtemp(prefix="tweencast-sentinel-")
        self.settings = pathlib.Path(folder) / "sentinel.conf"
        self.settings.write_text(
            f"dir {folder}\nlogfile log\nsentinel monitor main {HOST} {master.port} 2\n"
            "sentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 6000\n"
        )
        super().__init__(folder=folder)

    @property
    def command(self):
        return ["redis-server", str(self.settings), "--port", str(self.port), "--bind", HOST, "--sentinel"]

    @property
    def master_port(self):
        return int(self.call("SENTINEL", "get-master-addr-by-name", "main").split()[1])


class Watched:
    """A master, its replicas, and three Sentinels."""

    def __init__(self, scene, count, *settings):
        self.master = scene.redis(*AT_ONCE, *settings)
        self.others = [scene.redis(*AT_ONCE, "--replicaof", HOST, str(self.master.port)) for _ in range(count)]
        wait_until(lambda: self.master.call("INFO", "replication").count("state=online") == count, what="replicas")
        self.sentinels = [scene.keep(Sentinel(self.master)) for _ in range(3)]
        for sentinel in self.sentinels:
            wait_until(lambda one=sentinel: self._knows_all(one), what="a Sentinel that knows all")
        hosts = ",".join(f"{HOST}:{sentinel.port}" for sentinel in self.sentinels)
        self.store = f"redis://{hosts}?sentinel=main&name=chaos"

    def _knows_all(self, sentinel):
        state = sentinel.call("SENTINEL", "master", "main").split()
        known = dict(zip(state[::2], state[1::2], strict=False))
        return known.get("num-slaves") == str(len(self.others)) and known.get("num-other-sentinels") == "2"

    def wait_until_copied(self):
        """Until every replica has the whole log."""
        head = self.master.call("HGET", "{chaos}:head", "seq")
        for one in self.others:
            wait_until(lambda o=one: int(o.call("HGET", "{chaos}:head", "seq") or 0) >= int(head), what="a copy")

    def wait_until_promoted(self):
        """The new master, once two Sentinels name it."""
        old = self.master.port

        def is_named():
            return sum(sentinel.master_port != old for sentinel in self.sentinels) >= 2

        wait_until(is_named, what="a failover")
        ports = [port for port in (sentinel.master_port for sentinel in self.sentinels) if port != old]
        return next(one for one in self.others if one.port == ports[0])


class Cluster:
    """Three nodes that share the slots, and a replica of the one that has the board's."""

    def __init__(self, scene):
        self.nodes, self.buses = [], []
        for _ in range(4):
            bus = free_port()
            self.buses.append(bus)
            self.nodes.append(
                scene.redis(
                    *AT_ONCE, "--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-node-timeout", "1500"
                )
            )
        first = self.nodes[0]
        for index, node in enumerate(self.nodes[:3]):
            node.call("CLUSTER", "ADDSLOTSRANGE", SLOTS * index // 3, SLOTS * (index + 1) // 3 - 1)
        for node, bus in zip(self.nodes[1:], self.buses[1:], strict=True):
            first.call("CLUSTER", "MEET", HOST, node.port, bus)
        for node in self.nodes:
            wait_until(lambda one=node: self._serves(one), what="the cluster")
        slot = int(first.call("CLUSTER", "KEYSLOT", "{chaos}:log"))
        self.owner = self.nodes[next(index for index in range(3) if slot < SLOTS * (index + 1) // 3)]
        self.follower = self.nodes[3]
        name = self.owner.call("CLUSTER", "MYID")
        wait_until(lambda: self.follower.call("CLUSTER", "REPLICATE", name) == "OK", what="a replica")
        wait_until(lambda: "state=online" in self.owner.call("INFO", "replication"), what="a replica in step")
        # Those first in the address that don't have the board: whoever asks them is sent on.
        order = sorted(self.nodes, key=lambda node: node is self.owner)
        self.store = f"redis://{','.join(f'{HOST}:{node.port}' for node in order)}?name=chaos"

    def _serves(self, node):
        info = node.call("CLUSTER", "INFO").split()
        return "cluster_state:ok" in info and "cluster_known_nodes:4" in info and "cluster_size:3" in info

    def has(self, sequence):
        """Whether the replica has an entry; it tells only whom it is allowed to by `READONLY`, on one connection."""
        words = "READONLY\nHGET {chaos}:head seq\n"
        done = subprocess.run(
            ["redis-cli", "-p", str(self.follower.port)], input=words, capture_output=True, text=True, timeout=30
        )
        return done.stdout.split()[-1] == sequence
