"""What `make dist` has built, and Debian systems of their own to install it in."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = "bookworm"
# What differs from one run to the next and belongs to no package.
PASSING = ("proc", "sys", "dev", "tmp", "run", "var/log", "var/cache")
# A download that takes so long, ten times its seconds, stands still; it begins again until so much later.
STILL_SECONDS, AGAIN_SECONDS = 240, 300
# Between the request to end and the kill.
ENDED_SECONDS = 10


def run(*command, **options):
    """What a command printed; it must do well."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def package():
    """The one that was built last."""
    (built,) = (ROOT / ".build/deb").glob("tweencast_*.deb")
    return built


def archive():
    """The one that was built last."""
    (built,) = (ROOT / ".build/dist").glob("tweencast-*.tar.gz")
    return built


def field(file, name):
    """What a package says about itself."""
    return run("dpkg-deb", "--field", file, name).strip()


def dependencies(file):
    """The names of the packages that it can't do without; of several that will do, the first."""
    return sorted(clause.split()[0] for clause in field(file, "Depends").split(","))


def older(file, folder):
    """The same package under a lower version: it has been installed before this one in the tests of upgrades."""
    tree = pathlib.Path(folder, "older")
    run("dpkg-deb", "--raw-extract", file, tree)
    control = tree / "DEBIAN/control"
    version = field(file, "Version")
    control.write_text(control.read_text().replace(f"Version: {version}\n", f"Version: {version}~older\n"))
    run("dpkg-deb", "--build", "-Znone", "--root-owner-group", tree, folder)
    shutil.rmtree(tree)
    (made,) = pathlib.Path(folder).glob("tweencast_*~older_*.deb")
    return made


def base(names, release):
    """The folder of a Debian with these packages and those that every Debian has. It is made once, by downloading: one that stands
    still is ended after four minutes and begins anew."""
    key = hashlib.sha256(" ".join([release, *names]).encode()).hexdigest()[:16]
    folder = ROOT / f".build/debian-{key}"
    if not folder.exists():
        part = folder.with_suffix(".part")
        # Nothing of it need outlast a power cut.
        kind = ("--quiet", "--variant=essential", "--dpkgopt=force-unsafe-io", "--format=directory")
        make = ("mmdebstrap", *kind, *(f"--include={name}" for name in names), release, str(part))
        # What an attempt that was ended has left is in the way of the next. mmdebstrap waits for a child that stands still;
        # timeout ends them all.
        attempt = f'rm -rf --one-file-system "$0" && exec timeout --kill-after={ENDED_SECONDS} {STILL_SECONDS} "$@"'
        command = ("bash", "-c", attempt, str(part), *make)
        run("bash", ROOT / ".ci/patiently", *command, env={**os.environ, "PATIENTLY_AGAIN": str(AGAIN_SECONDS)})
        part.rename(folder)
    return folder


def obstacle():
    """Why no other Debian can run on this machine; None where one can. Containers as a rule forbid it."""
    if os.getuid() != 0:
        return "chroot(2) is for root alone: run this as root"
    apart = ("unshare", "--mount", "--uts", "--ipc", "--pid", "--cgroup", "--fork", "--mount-proc", "true")
    done = subprocess.run(apart, capture_output=True, text=True)
    if done.returncode != 0:
        return f"the kernel allows no namespaces here: {done.stderr.strip()}"
    return None if os.access("/sys/fs/cgroup", os.W_OK) else "there is no cgroup for another systemd"


class Debian:
    """A Debian with what a package depends on, if there is one, and nothing else; no part of it is this machine's but kernel
    and network.

    Its files are the base's until they are replaced: dpkg and its like write a new file and put it in the old one's place."""

    def __init__(self, file=None, release=RELEASE):
        source = base(dependencies(file) if file else [], release)
        self.folder = tempfile.TemporaryDirectory(prefix="debian-", dir=ROOT / ".build")
        self.root = pathlib.Path(self.folder.name, "root")
        run("cp", "--archive", "--link", source, self.root)
        # Its own, as systemd writes into it.
        identity = self.root / "etc/machine-id"
        identity.unlink(missing_ok=True)
        identity.touch()
        # Whoever is no user of root's has to come this far.
        os.chmod(self.folder.name, 0o755)
        self.container = None

    def boot(self):
        """Starts its systemd, and returns when that has started everything."""
        apart = ("--register=no", "--keep-unit", "--resolv-conf=off", "--timezone=off", "--link-journal=no", "--console=pipe")
        with open(self.root.parent / "console", "w", encoding="utf-8") as console:
            self.container = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--boot", *apart, "--directory", str(self.root)],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        end = time.monotonic() + 120
        while not self.is_running():
            assert self.container.poll() is None and time.monotonic() < end, (self.root.parent / "console").read_text()
            time.sleep(0.1)

    def is_running(self):
        """Whether its systemd has started everything."""
        if not self.first_process():
            return False
        command = self.command("systemctl", "is-system-running")
        return subprocess.run(command, capture_output=True, text=True).stdout.strip() in ("running", "degraded")

    def first_process(self):
        """What this machine calls the process 1 of a Debian that was booted; empty where there is none yet."""
        return pathlib.Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children").read_text().strip()

    def close(self):
        """Ends it and takes it away."""
        if self.container:
            self.container.terminate()
            self.container.wait(60)
        self.folder.cleanup()

    def command(self, *words, user="root"):
        """What runs words in it. Where it wasn't booted no process stands between, and what is mounted for it ends with it."""
        if self.container:
            within = ("--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd")
            return ["nsenter", "--target", self.first_process(), *within, *map(str, words)]
        inside = 'mount -t proc proc "$0/proc" && exec /usr/sbin/chroot --userspec="$1" "$0" "${@:2}"'
        return ["unshare", "--mount", "bash", "-c", inside, str(self.root), f"{user}:", *map(str, words)]

    def run(self, *words, **options):
        """Runs words in it; what they printed. Nobody is there to answer questions."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        return run(*self.command(*words), env=environment, stdin=subprocess.DEVNULL, **options)

    def install(self, file):
        """Installs a package, or brings it to another version, with what is there already."""
        shutil.copy(file, self.root / "root")
        output = self.run("dpkg", "--install", f"/root/{pathlib.Path(file).name}")
        (self.root / "root" / pathlib.Path(file).name).unlink()
        return output

    def files(self):
        """The paths of all that is there and lasts."""
        found = (path.relative_to(self.root) for path in self.root.rglob("*"))
        return {str(path) for path in found if not str(path).startswith(PASSING)}
