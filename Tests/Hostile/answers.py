"""Attacks by what is asked for: answers that cost much to make, or to keep until somebody reads them."""

import threading
import time

from growing import controls
from program import HOST, Connection
from scenario import attack, lines, settle
from sockets import answered, unread

# No address is exempt from the limits, as none would be that comes from elsewhere.
LIMITS = ("--unlimited-from", "none")
LABEL = "0 " + "y" * 4080
# Those who ask for much come from another address than the honest client, whose limits are its own.
ELSEWHERE = "127.0.0.2"
# A list of 3,601 frames, each with a label.
FRAMES = "/frames?from=0&to=3600&fps=1"


def statuses(bares):
    """How often each status was answered; of what is unread its first line alone is read."""
    counts = {}
    for bare in bares:
        status = bare.recv(12)[9:12].decode()
        counts[status] = counts.get(status, 0) + 1
    return counts


@attack("grows")
def unread_frames(run):
    """150 connections ask for a list of frames with a label of 4 KB, 15 MB each, and read nothing; another server beside it."""
    program, control = run.start(*LIMITS, ephemeral=True), run.start(*LIMITS, ephemeral=True)
    for server in (program, control):
        server.ask("POST", "/v1/tickers/large", {"label": LABEL, "to": 1000000, "duration": 3600})
    whole = program.ask("GET", "/v1/tickers/large" + FRAMES, timeout=60)
    run.check(len((whole.json or {}).get("frames", [])) == 3601, f"the list has not all frames: {whole.status}")
    run.figure(f"one list is {len(whole.body) / 1e6:.0f} MB")
    honest, beside = run.honest(program), run.honest(control)
    before = program.rss
    lists = [run.keep(program.stream("/v1/tickers/large" + FRAMES, receive_buffer=4096)) for _ in range(150)]
    run.wait(program, lambda: answered(lists), "the beginning of each list")
    run.figure(f"{settle(lambda: unread(lists)) / 1e3:.0f} KB of them have come")
    run.alive(program)
    run.grown(program, before, 40)
    run.unfrozen(honest, lasting=True)
    run.unfrozen(beside, "control: ")
    run.figure(f"counted: {waiting(program)}")


def waiting(program):
    """The bytes that the server counts as unread; asked from an address that has read its answers."""
    return program.metric('usage{name="unread_answers"}', source=ELSEWHERE)


@attack("grows")
def unread_batches(run):
    """60 connections send a batch of 10,000 lines that are refused, and don't read the two megabytes of answers."""
    program = run.start(*LIMITS, "--update-rate", "0", ephemeral=True)
    before = program.rss
    body = lines(['{"ticker":"a","easing":"none"}'] * 10000).encode()
    head = f"POST /v1/batch HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    batches = []
    for _ in range(60):
        batches.append(run.keep(program.connect(head + body, receive_buffer=4096)))
        run.wait(program, lambda: answered(batches[-1:]), "the beginning of its answer")
    run.figure(f"{settle(lambda: unread(batches)) / 1e3:.0f} KB of them have come")
    run.grown(program, before, 60)
    found = statuses(batches)
    run.figure(f"answered {found}")
    run.check(found.get("503", 0) > 40, "they aren't refused")
    run.check(waiting(program) < 20e6, f"{waiting(program):.0f} bytes wait to be read, of 16 MiB")
    # Small requests are answered as before; others' changes have room of their own.
    run.check(program.ask("GET", "/v1/tickers").status == 200, "a short answer is refused")
    refused = program.ask("POST", "/v1/tickers/a", {"to": 1})
    run.check(refused.status == 503 and "retry-after" in refused.headers, f"a change is answered {refused.status}")
    for bare in batches:
        bare.close()
    run.wait(program, lambda: waiting(program) == 0, "that nothing waits to be read")
    run.check(program.ask("POST", "/v1/tickers/a", {"to": 1}).status == 202, "a change is refused when all has been read")
    run.alive(program)


@attack("grows")
def unread_schedules(run):
    """350 connections ask for a schedule of 60 KB, and read nothing."""
    program = run.start(*LIMITS, ephemeral=True)
    actions = [{"notify": "n", "data": "x" * 1900}] * 31
    made = program.ask("PUT", "/v1/schedules/s", {"in": 3600, "do": actions})
    run.check(made.status == 201, f"the schedule is answered {made.status}")
    before = program.rss
    asked = [run.keep(program.stream("/v1/schedules/s", receive_buffer=4096)) for _ in range(350)]
    run.wait(program, lambda: answered(asked), "the beginning of each answer")
    found = statuses(asked)
    run.figure(f"answered {found}")
    run.check(set(found) == {"200", "503"}, f"answered {found}")
    run.check(waiting(program) <= 16 << 20, f"{waiting(program):.0f} bytes wait to be read, of 16 MiB")
    run.alive(program)
    run.grown(program, before, 80)


@attack("grows")
def frames_of_controls(run):
    """Lists of frames of 28 MB, whose label is six times as long when it is escaped, read by a client that stops at times."""
    program = run.start(ephemeral=True)
    program.ask("POST", "/v1/tickers/large", {"label": "0 " + controls(1_300), "to": 1000000, "duration": 3600})
    before = program.rss
    lists = [run.keep(program.stream("/v1/tickers/large" + FRAMES, receive_buffer=4096)) for _ in range(20)]
    run.wait(program, lambda: answered(lists), "the beginning of each list")
    for bare in lists:
        run.check(len(bare.recv(100_000)) > 0, "a list ends early")
    run.alive(program)
    run.grown(program, before, 40)


class Asking(threading.Thread):
    """Asks for one thing after the other on a kept connection, until it is closed."""

    def __init__(self, port, path):
        super().__init__(daemon=True)
        self.connection, self.path = Connection(port, source=ELSEWHERE), path
        self.stopped, self.statuses = False, {}
        self.start()

    def run(self):
        while not self.stopped:
            status = self.connection.ask("GET", self.path()).status
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def close(self):
        self.stopped = True
        self.join()
        self.connection.close()


# What is measured is what others wait in this time.
ASKED_SECONDS = 4


def beside_askers(run, label, path):
    """Four clients ask for one thing after the other; what others wait, there and at a server that nobody asks."""
    program, control = run.start(*LIMITS, ephemeral=True), run.start(*LIMITS, ephemeral=True)
    for server in (program, control):
        server.ask("POST", "/v1/tickers/large", {"label": label, "to": 1000000, "duration": 3600})
    honest, beside = run.honest(program), run.honest(control)
    askers = [run.keep(Asking(program.port, path)) for _ in range(4)]
    time.sleep(ASKED_SECONDS)
    fired, control_fired = run.unfrozen(honest, lasting=True), run.unfrozen(beside, "control: ")
    for asker in askers:
        asker.close()
    found = {status: sum(asker.statuses.get(status, 0) for asker in askers) for status in (200, 429)}
    run.figure(f"answered {found}")
    run.check(found[200] > 0, "nothing was answered")
    run.check(
        fired.post_p50 <= control_fired.post_p50 + MOST_OF_A_MEDIAN * run.patience,
        f"a change waits {fired.post_p50:.0f} ms, beside {control_fired.post_p50:.0f} ms at the other server")
    run.alive(program)


# Milliseconds more than at a server beside it that the median of changes may take; it was 145 for pictures.
MOST_OF_A_MEDIAN = 60


@attack("freezes")
def pictures_of_marks(run):
    """Pictures of a label whose 120 characters have 31 bytes each, every one different."""
    chance = run.chance
    label = "0 " + ("e" + "\u0301" * 15) * 120
    beside_askers(run, label, lambda: f"/v1/tickers/large/image.svg?label={chance.randrange(10**9)}")


@attack("freezes")
def lists_of_controls(run):
    """Lists of frames whose label is six times as long when it is escaped: 28 MB each."""
    beside_askers(run, "0 " + controls(1_300), lambda: "/v1/tickers/large" + FRAMES)
