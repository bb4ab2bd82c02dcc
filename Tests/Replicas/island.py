"""A replica in a network of its own: what is cut there is cut as in a real one, where nobody says so."""

import os
import shutil
import subprocess

from cluster import Replica
from scene import Skipped


class Island:
    """A network namespace, with one way for those who ask and one to the store."""

    def __init__(self):
        self.name = f"tweencast-{os.getpid()}"
        # Two networks of four addresses each, of a range that is nobody's but a laboratory's (RFC 2544).
        base = f"198.18.{os.getpid() % 256}"
        self.outside, self.inside = (f"{base}.1", f"{base}.5"), (f"{base}.2", f"{base}.6")
        self.links = [f"tw{way}{os.getpid()}" for way in "as"]
        if os.geteuid() != 0 or not shutil.which("ip"):
            raise Skipped("networks are root's to make, by ip")
        try:
            self._make()
        except subprocess.CalledProcessError as error:
            self.clean()
            raise Skipped(f"no network can be made here: {error.stderr.strip()}") from None

    def _make(self):
        ip("netns", "add", self.name)
        for link, outside, inside in zip(self.links, self.outside, self.inside, strict=True):
            ip("link", "add", link, "type", "veth", "peer", "name", "in-" + link, "netns", self.name)
            ip("address", "add", outside + "/30", "dev", link)
            ip("-n", self.name, "address", "add", inside + "/30", "dev", "in-" + link)
            ip("link", "set", link, "up")
            ip("-n", self.name, "link", "set", "in-" + link, "up")

    @property
    def store_host(self):
        """Where the store is to listen."""
        return self.outside[1]

    def cut(self):
        ip("link", "set", self.links[1], "down")

    def mend(self):
        ip("link", "set", self.links[1], "up")

    def clean(self):
        # The links go with it.
        subprocess.run(["ip", "netns", "delete", self.name], capture_output=True, check=False)


def ip(*words):
    subprocess.run(["ip", *words], capture_output=True, text=True, check=True)


class Islander(Replica):
    """A tweencast there."""

    def __init__(self, island, redis):
        self.host = island.inside[0]
        self.starter = ("ip", "netns", "exec", island.name)
        store = f"redis://{island.store_host}:{redis.port}?name=chaos"
        super().__init__(None, host=self.host, insecure=1, store=store)
