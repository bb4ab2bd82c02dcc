"""The proxies of packaging/proxies, each run from its recipe, with names and ports of the tests' own in it."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from ports import free_port  # noqa: E402

RECIPES = ROOT / "packaging/proxies"
HOST = "localhost"
# What Debian's Apache has loaded anyway, and what a2enmod brings along for those that the recipe names.
DEBIAN_MODULES = "mpm_event authz_core authz_host alias mime filter setenvif reqtimeout"
NEEDED_MODULES = "proxy socache_shmcb slotmem_shm"
MODULES = pathlib.Path("/usr/lib/apache2/modules")


def program(name: str) -> str:
    """Where a server of a Debian package lies: not everybody has its folder among those that are searched."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") or name


def modules_of_apache(path: pathlib.Path) -> str:
    """The modules that a file has enabled."""
    return re.search(r"a2enmod (.*)", path.read_text())[1]


def wait_until(is_so, what, seconds=60):
    """Waits until something is so, and gives it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := is_so():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what() if callable(what) else what}: not within {seconds} s")


class Certificate:
    """One for `localhost` that signs itself, in the three files that the recipes name."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tweencast-tls-"))
        self.chain, self.key, self.both = (self.folder / name for name in ("chain.pem", "key.pem", "both.pem"))
        subprocess.run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
            f" -addext subjectAltName=DNS:{HOST} -keyout {self.key} -out {self.chain}".split(),
            check=True,
            capture_output=True,
        )
        self.both.write_text(self.chain.read_text() + self.key.read_text())

    def remove(self):
        shutil.rmtree(self.folder)


class Proxy:
    """A proxy in front of a server, run from files of packaging/proxies. `edit` changes them first."""

    name: str
    # The files of the recipe, and where they are looked for.
    files: dict[str, str]
    scheme = "https"

    def __init__(self, server_port: int, certificate: Certificate, edit=lambda text: text):
        self.server_port, self.certificate = server_port, certificate
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tweencast-proxy-"))
        # Apache's children aren't root.
        self.folder.chmod(0o755)
        self.port, self.plain_port = free_port(), free_port()
        self.url, self.plain_url = f"{self.scheme}://{HOST}:{self.port}", f"http://{HOST}:{self.plain_port}"
        (self.folder / "main").write_text(self.main())
        for recipe, place in self.files.items():
            path = self.folder / place
            path.parent.mkdir(exist_ok=True)
            path.write_text(edit(self.placed((RECIPES / recipe).read_text())))
        self.log = open(self.folder / "log", "w+b")
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder))
        # In a group of its own: with its children.
        self.process = subprocess.Popen(
            self.command(),
            cwd=self.folder,
            env=environment,
            stdout=self.log,
            stderr=self.log,
            start_new_session=True,
        )
        wait_until(self._serves, lambda: f"{self.name} is no way to the server: {self.said}")

    def main(self) -> str:
        """The configuration around the recipe, about as Debian has it."""
        raise NotImplementedError

    def command(self) -> list[str]:
        raise NotImplementedError

    def placed(self, text: str) -> str:
        """A recipe with the tests' names, ports and files in it, and nothing else changed."""
        for name, value in {
            "/etc/ssl/certs/tweencast.example.com.pem": self.certificate.chain,
            "/etc/ssl/private/tweencast.example.com.key": self.certificate.key,
            "/etc/ssl/private/tweencast.example.com.pem": self.certificate.both,
            "/etc/apache2": self.folder,
            "127.0.0.1:8080": f"127.0.0.1:{self.server_port}",
            "tweencast.example.com": HOST,
        }.items():
            text = text.replace(name, str(value))
        text = re.sub(r"(:|listen )443\b", rf"\g<1>{self.port}", text)
        return re.sub(r"(:|listen )80\b", rf"\g<1>{self.plain_port}", text)

    @property
    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()[-4000:].decode(errors="replace")

    def _serves(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}: {self.said}")
        return self.status("/readyz") == 200

    def curl(self, path: str, *options: str, body: bytes | None = None, root: str = "") -> str:
        """What curl prints of an answer through the proxy."""
        trust = ("--cacert", str(self.certificate.chain))
        command = ["curl", "-sS", "--max-time", "60", *trust, *options, (root or self.url) + path]
        return subprocess.run(command, input=body, capture_output=True).stdout.decode()

    def status(self, path: str, *options: str, body: bytes | None = None) -> int:
        """An answer's status; 0 where there is none."""
        return int(self.curl(path, "--output", "/dev/null", "--write-out", "%{http_code}", *options, body=body))

    def close(self):
        """Ends it and its children at once: Apache alone would take ten seconds for it."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)


class Nginx(Proxy):
    name = "nginx"
    files = {"nginx.conf": "site", "nginx-snippet.conf": "snippets/tweencast.conf"}

    @property
    def process_settings(self):
        return "daemon off; " + ("user root; " if os.getuid() == 0 else "") + f"pid {self.folder}/pid;"

    @property
    def folder_settings(self):
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        return " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in kinds)

    def main(self):
        return (
            f"{self.process_settings} error_log stderr; events {{ worker_connections 768; }}\n"
            f"http {{ access_log off; gzip on; {self.folder_settings} include site; }}"
        )

    def command(self):
        return [program("nginx"), "-e", "stderr", "-p", str(self.folder), "-c", str(self.folder / "main")]


class Front(Nginx):
    """The nginx of packaging/nginx.conf, which is a whole configuration and speaks no TLS: here with one replica behind it."""

    name = "nginx before replicas"
    files = {"../nginx.conf": "main", "nginx-snippet.conf": "snippets/tweencast.conf"}
    scheme = "http"

    def placed(self, text):
        text = text.replace("server tweencast:8080", f"server 127.0.0.1:{self.server_port}")
        text = text.replace("listen 8080", f"listen {self.port}")
        return text.replace("http {", f"{self.process_settings}\nhttp {{ {self.folder_settings}")


class Caddy(Proxy):
    name = "Caddy"
    files = {"Caddyfile": "site"}

    def main(self):
        # A site's address has no port: that is Caddy's to choose, as is the one from where it sends on.
        return (
            f"{{\n\thttp_port {self.plain_port}\n\thttps_port {self.port}\n\tadmin off\n\tskip_install_trust\n}}\n"
            f"import {self.folder}/site\n"
        )

    def command(self):
        return [program("caddy"), "run", "--config", str(self.folder / "main"), "--adapter", "caddyfile"]


class HAProxy(Proxy):
    name = "HAProxy"
    files = {"haproxy.cfg": "site"}

    def main(self):
        pages = "".join(f"    errorfile {code} /etc/haproxy/errors/{code}.http\n" for code in (500, 502, 503, 504))
        return (
            "global\n    log stderr format raw local0 notice\n"
            "defaults\n    log global\n    mode http\n    timeout connect 5000\n    timeout client 50000\n"
            f"    timeout server 50000\n{pages}"
        )

    def command(self):
        return [program("haproxy"), "-db", "-f", str(self.folder / "main"), "-f", str(self.folder / "site")]


class Apache(Proxy):
    name = "Apache"
    files = {"apache.conf": "site", "apache-away.asis": "tweencast-away.asis"}

    def main(self):
        modules = f"{DEBIAN_MODULES} {NEEDED_MODULES} {modules_of_apache(RECIPES / 'apache.conf')}".split()
        loaded = "".join(f"LoadModule {module}_module {MODULES}/mod_{module}.so\n" for module in modules)
        # It refuses to answer as root.
        user = "User nobody\nGroup nogroup\n" if os.getuid() == 0 else ""
        return (
            f"{loaded}{user}ServerName {HOST}\nDefaultRuntimeDir {self.folder}\nPidFile {self.folder}/pid\n"
            f"ErrorLog /dev/stderr\nTypesConfig /etc/mime.types\nTimeout 300\nKeepAliveTimeout 5\n"
            f"Listen {self.plain_port}\nListen {self.port}\n<Directory />\n    Require all denied\n</Directory>\n"
            # As in Debian's mods-available/mpm_event.conf.
            "StartServers 2\nMinSpareThreads 25\nMaxSpareThreads 75\nThreadLimit 64\nThreadsPerChild 25\n"
            "MaxRequestWorkers 150\nInclude site\n"
        )

    def command(self):
        return [program("apache2"), "-d", str(self.folder), "-f", str(self.folder / "main"), "-DFOREGROUND"]


KINDS = (Nginx, Caddy, HAProxy, Apache)
