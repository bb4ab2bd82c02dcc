"""The console blocks of a page, run against real servers: each command as it stands, its answer against the one shown.

A block is fenced with ```console. A line that begins with `$ ` is a command, the lines below it are what it prints, and
nothing below it means that it prints nothing. A line that begins with a space continues the one before, since answers
are one long line and pages are not. In what is shown

- `…` stands for anything within its line, and a line that begins with it for any number of lines;
- spaces stand for those that don't break, too;
- what no two runs share (times, ids that the server makes, tokens, digests) stands for whatever has its form;
- so do all numbers of a line with a number of four decimals or more: it shows a moment of a motion.

Everything else must come as it is shown, each member of an answer included, and no other. A stream (`curl -N`) that
doesn't end by itself stays open while the further commands of its section run, and what is shown of it must come before
the next.
"""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60
NUMBER = r"-?\d(?:[\d.,]*\d)?(?:e-?\d+)?"
MOMENT = re.compile(r"\d\.\d{4,}")

# What differs from run to run, by its form; the first that fits counts.
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
VOLATILE = [
    r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT",
    # Full minutes are those of schedules, and stay as they are.
    rf"(?![^Z]+:00\.000Z){TIME}",
    r"(?<=retry: )\d+",
    r'(?<="epoch":")[0-9a-f]+',
    r"(?<=^id: )[0-9a-f]+-\d+",
    r'(?<="stream":")[\w-]{22}',
    r"\b[tps]-[a-z2-7]{20}",
    r"\b[0-9a-f]{64}\b",
    r"(?<![\w-])[\w-]{43}(?![\w-])",
    r'(?<="ticket":")[\w-]+',
    r'(?<="version":")[^"]+',
    r'(?<="t":)\d{19}',
    r'(?<="seq":)\d+',
]


@dataclasses.dataclass
class Step:
    command: str
    shown: list[str]

    @property
    def is_stream(self) -> bool:
        """Whether it goes on until somebody ends it."""
        is_bounded = re.search(r"\bonce\b|text/event-stream|--max-time|selftest", self.command)
        return "curl -N" in self.command and not is_bounded

    @property
    def is_server(self) -> bool:
        return bool(re.search(r"--port \d.* &$", self.command))


def steps(page: str) -> list[Step]:
    """The commands of a page's text with what it shows of their output."""
    found: list[Step] = []
    is_console, indent = False, ""
    for line in page.splitlines():
        if line.lstrip().startswith("```"):
            # A block in a list is as far in as the list is.
            is_console, indent = line.endswith("```console"), line[:line.index("`")]
            continue
        line = line.removeprefix(indent)
        if not is_console:
            continue
        if line.startswith("$ "):
            found.append(Step(line.removeprefix("$ "), []))
        elif line.startswith(" ") and found[-1].shown:
            found[-1].shown[-1] += line.strip()
        elif line.startswith(" "):
            found[-1].command += "\n" + line
        else:
            found[-1].shown.append(line)
    for step in found:
        while step.shown and not step.shown[-1]:
            step.shown.pop()
    return found


def line_pattern(line: str) -> str:
    """A regular expression for the lines that a shown one stands for."""
    if line.startswith("…"):
        return r"(?:.*\n)*?"
    kinds = [*VOLATILE, *([NUMBER] if MOMENT.search(line) else [])]
    pieces = re.compile("|".join([*(f"(?P<k{n}>{kind})" for n, kind in enumerate(kinds)), "(?P<any>…)"]), re.MULTILINE)
    pattern, end = "", 0
    for piece in pieces.finditer(line):
        pattern += re.escape(line[end:piece.start()])
        kind = ".*?" if piece.lastgroup == "any" else kinds[int(piece.lastgroup[1:])]
        pattern += TIME if kind.endswith(TIME) else kind
        end = piece.end()
    return pattern + re.escape(line[end:]) + r"\n"


def match(shown: list[str], output: str, whole: bool) -> str | None:
    """What is wrong with an output: nothing where it is, or without `whole` begins, as shown."""
    patterns = [line_pattern(line) for line in shown]
    end = r"\n*\Z" if whole else ""
    if re.compile("".join(patterns) + end, re.MULTILINE).match(output):
        return None
    for count in range(len(shown) - 1, -1, -1):
        if begin := re.compile("".join(patterns[:count]), re.MULTILINE).match(output):
            return f"shown:  {shown[count]}\ncame:   {output[begin.end():][:1500]}"
    return f"nothing is shown, and this came: {output[:1500]}" if output.strip() else None


class Reader:
    """A process in a group of its own, and what it has printed."""

    def __init__(self, command: str, folder: str, environment: dict[str, str]):
        self.process = subprocess.Popen(
            ["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=environment,
            start_new_session=True, text=True, encoding="utf-8")
        self.lines: list[str] = []
        self.came = threading.Condition()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    @property
    def output(self) -> str:
        text = "".join(self.lines)
        return text if text.endswith("\n") or not text else text + "\n"

    def _read(self):
        for line in self.process.stdout:
            with self.came:
                self.lines.append(line.replace("\r\n", "\n"))
                self.came.notify()
        with self.came:
            self.came.notify()

    def until(self, condition) -> bool:
        """Waits until something holds of what has come, or nothing more comes."""
        with self.came:
            self.came.wait_for(lambda: condition() or not self.thread.is_alive(), PATIENCE)
            return condition()

    def end(self, by: int = signal.SIGTERM):
        if self.process.poll() is None:
            os.killpg(self.process.pid, by)
        self.process.wait(PATIENCE)
        self.thread.join(PATIENCE)
        self.process.stdout.close()


class Console:
    """Runs a page's commands in a folder of their own. `failures` tells what came otherwise than shown."""

    def __init__(self, binary: str, viewer: pathlib.Path = ROOT / "public"):
        self.folder = tempfile.TemporaryDirectory()
        self.state = pathlib.Path(self.folder.name, ".state")
        self.state.touch()
        # Pages name files as seen from a clone.
        pathlib.Path(self.folder.name, "docs").symlink_to(ROOT / "docs")
        self.environment = {
            "PATH": f"{pathlib.Path(binary).resolve().parent}:{os.environ['PATH']}",
            "HOME": self.folder.name,
            "LANG": "C.UTF-8",
            "TWEENCAST_PUBLIC": str(viewer),
        }
        # The ports that pages name, and those that the servers got.
        self.ports: dict[str, str] = {}
        self.servers: list[tuple[Step, Reader]] = []
        self.streams: list[tuple[Step, Reader]] = []
        self.failures: list[str] = []

    def __enter__(self):
        self.serve(Step("tweencast --ephemeral --port 8080 &", []))
        return self

    def __exit__(self, *_):
        for _, stream in self.streams:
            stream.end()
        for _, server in self.servers:
            server.end()
        self.folder.cleanup()

    def run(self, page: str):
        for section in re.split("^##+ ", page, flags=re.MULTILINE):
            for step in steps(section):
                if step.is_server:
                    self.serve(step)
                elif step.is_stream:
                    self.open(step)
                else:
                    self.carry_out(step)
            self.close_streams()

    def close_streams(self):
        """Waits for what is shown of them, and of the servers that the section started."""
        for step, reader in [*self.streams, *self.servers]:
            reader.until(lambda: match(step.shown, self.named(reader.output), whole=False) is None)
            self.judge(step, reader, whole=False)
        for _, stream in self.streams:
            stream.end()
        self.streams.clear()

    def serve(self, step: Step):
        """A server in the background, on a port that is free; the page's other commands find it there."""
        named = re.search(r"--port (\d+)", step.command)[1]
        command = self.actual(step.command.removesuffix(" &").replace(f"--port {named}", "--port 0"))
        server = self.start(f"exec {command} 2>server-{named}.log")
        self.servers.append((step, server))
        server.until(lambda: "listening on" in server.output)
        if not (port := re.search(r"listening on http://[^:]*:(\d+)", server.output)):
            raise RuntimeError(f"{step.command}: {pathlib.Path(self.folder.name, f'server-{named}.log').read_text()}")
        self.ports[named] = port[1]

    def start(self, command: str) -> Reader:
        # What a command exports the next ones have, as in a shell that stays open.
        return Reader(f". {self.state}\n{command}", self.folder.name, self.environment)

    def open(self, step: Step):
        """A stream that stays; it is open when its greeting has come."""
        stream = self.start(self.actual(step.command))
        self.streams.append((step, stream))
        stream.until(lambda: "\n" in stream.lines)
        if copy := re.search(r"\| tee (\S+)$", step.command):
            self.await_copy(pathlib.Path(self.folder.name, copy[1]))

    @staticmethod
    def await_copy(file: pathlib.Path):
        """`tee` prints before it writes."""
        end = time.monotonic() + PATIENCE
        while not (file.exists() and "\n\n" in file.read_text()) and time.monotonic() < end:
            time.sleep(0.01)

    def carry_out(self, step: Step):
        process = self.start(f"{self.actual(step.command)}\nstatus=$?; export -p > {self.state}; exit $status")
        try:
            code = process.process.wait(PATIENCE)
            process.thread.join(PATIENCE)
        except subprocess.TimeoutExpired:
            code = f"nothing in {PATIENCE} s"
        process.end(signal.SIGKILL)
        # 28: it was given a time, and ended with it.
        if code not in ((0, 28) if "--max-time" in step.command else (0,)):
            self.failures.append(f"$ {step.command}\nended with {code}: {process.output}")
        self.judge(step, process, whole=True)

    def judge(self, step: Step, reader: Reader, whole: bool):
        if difference := match(step.shown, self.named(reader.output), whole):
            self.failures.append(f"$ {step.command}\n{difference}")

    def actual(self, command: str) -> str:
        for named, port in self.ports.items():
            command = re.sub(rf"\b(localhost|127\.0\.0\.1):{named}\b", f"127.0.0.1:{port}", command)
        return re.sub(r"\bcurl (?=\S)", "curl -sS ", command)

    def named(self, output: str) -> str:
        for named, port in self.ports.items():
            output = re.sub(rf"\b127\.0\.0\.1:{port}\b", f"127.0.0.1:{named}", output)
        return output.replace("\u00a0", " ").replace("\u202f", " ")
