"""Replicas of one board under random updates at random replicas: all that readers are told is the same, whichever they
ask, in whatever form, and moved from one to the next as often as one likes. same.py [--replicas N] [--forms A,B] [--updates N]
[--moves N] [--seed N]"""

import argparse
import collections
import http.client
import json
import random
import re
import sys
import threading
import time

from cluster import HOST, Redis, Replica, Wire, wait_until
from replay import add_seed, replay
from stream import Reader, Watcher

TICKERS, PROGRESSES = 200, 20
CLIENTS = 4
EVERYTHING = "ticker=*&progress=*&schedule=*&notification=*"
# Every form that a stream has. Stamped frames say which tick they are of.
FORMS = {
    "frames": f"/v1/events?{EVERYTHING}&stamp",
    "wheels": "/v1/events?ticker=*&stamp&wheels=odometer",
    "display": "/v1/events?ticker=*&progress=*&stamp&display=parts",
    "locale": "/v1/events?ticker=*&progress=*&stamp&locale=hi-IN-u-nu-deva",
    "slower": "/v1/events?ticker=*&progress=*&stamp&fps=10",
    "one": "/v1/tickers/t0/events?stamp",
    "text": "/v1/tickers/t0/events?as=text",
    "motion": "/v1/events?ticker=*&mode=motion",
}
# Seconds within which an input has reached all replicas at the most; a frame of a tick before that may lack it.
ARRIVAL = 0.25
# Seconds that pass at the most between a store that doesn't answer in time, as where its disk is busy, and all replicas'
# having noticed and found it again.
OUTAGE = 10
# The most of all updates that it may fail: else there is nothing to compare.
MOST_REFUSED = 0.2
# The number of a frame's tick.
SEQUENCE = re.compile(r',"seq":\d+')
# The most of all frames of common ticks that may differ, whatever was on its way.
MOST_EARLY = 0.1


class Inputs:
    """When what was told of a resource may have been on its way to some of the replicas."""

    def __init__(self):
        self.spans = collections.defaultdict(list)
        self.outages = []
        self.lock = threading.Lock()

    def add(self, topic, begin, end):
        with self.lock:
            self.spans[topic].append((begin, end + ARRIVAL))

    def add_outage(self, begin, end):
        """The store was away: what one has heard of may come to the others whenever they find it again."""
        with self.lock:
            self.outages.append((begin - OUTAGE, end + OUTAGE))

    def cover(self, topic, instant) -> bool:
        with self.lock:
            return any(begin - ARRIVAL <= instant <= end for begin, end in self.spans[topic]) or any(
                begin <= instant <= end for begin, end in self.outages
            )


class Load:
    """Updates of everything, at random replicas."""

    def __init__(self, replicas, inputs, seed):
        self.replicas, self.inputs, self.seed = replicas, inputs, seed
        self.count = self.refused = 0
        self.errors = []
        self.is_ending = False
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.is_ending = True
        for thread in self.threads:
            thread.join()
        assert not self.errors, self.errors[0]
        assert self.refused <= MOST_REFUSED * self.count, f"{self.refused} of {self.count} updates were refused"

    def work(self, number):
        source = random.Random(f"{self.seed} {number}")
        connections = [http.client.HTTPConnection(HOST, replica.port, timeout=30) for replica in self.replicas]
        try:
            while not self.is_ending:
                path, body, topics = self.change(source)
                connection = source.choice(connections)
                begin = time.time()
                connection.request("POST", path, json.dumps(body))
                answer = connection.getresponse()
                text = answer.read()
                assert answer.status in (200, 201, 202, 409, 503), f"{path} {body}: {answer.status} {text}"
                if answer.status == 503:
                    self.inputs.add_outage(begin, time.time())
                    self.refused += 1
                for topic in topics:
                    self.inputs.add(topic, begin, time.time())
                self.count += 1
                # The pace of the load.
                time.sleep(source.random() * 0.02)
        except Exception as error:  # told in the end, where it can fail the run
            self.errors.append(error)

    @staticmethod
    def change(source):
        """A path, a body, and the topics that it touches at once."""
        name = f"t{source.randrange(TICKERS)}"
        choice = source.random()
        if choice < 0.35:
            body = {
                "label": f"Umsatz: {source.randrange(1, 2000)},50 €",
                "format": {"locale": "de-DE"},
                "to": source.randrange(100_000),
                "duration": source.choice([0, 0.2, 1, 3]),
            }
            return f"/v1/tickers/{name}", body, [f"ticker {name}"]
        if choice < 0.5:
            return f"/v1/tickers/{name}", {"by": source.randrange(-5, 6), "duration": 0.4}, [f"ticker {name}"]
        if choice < 0.65:
            body = {
                "to": source.randrange(1000),
                "spring": {"duration": 1, "bounce": 0.4},
                "then": [{"notify": "arrived", "data": name}],
            }
            return f"/v1/tickers/{name}", body, [f"ticker {name}"]
        if choice < 0.85:
            name = f"p{source.randrange(PROGRESSES)}"
            body = {"current": source.randrange(500), "maximum": 500, "duration": source.choice([0.2, 2])}
            return f"/v1/progress/{name}", body, [f"progress {name}"]
        body = {
            "id": f"s{source.randrange(1 << 30)}",
            "in": source.choice([0, 0.1, 0.5]),
            "do": [{"ticker": name, "by": 1, "duration": 0.3}, {"notify": "fired", "data": name}],
        }
        return "/v1/schedules", body, [f"schedule {body['id']}"]


def compare_events(watchers, inputs):
    """Named events: the same ids, in the same order, with the same bytes."""
    begin = max(watcher.events[0][0] for watcher in watchers)
    logs = [[event[1:] for event in watcher.events if event[0] >= begin] for watcher in watchers]
    assert logs[0], "no event was told"
    for log in logs[1:]:
        for one, other in zip(logs[0], log):
            assert one == other, f"told as {one} here and as {other} there"
        assert len(log) == len(logs[0]), f"{len(log)} events here, {len(logs[0])} there"
    numbers = [event[0] for event in watchers[0].events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "numbers are missing"
    return len(logs[0])


def note_events(watcher, inputs):
    """What was told by name came with an entry of its own: it, too, took its way to all replicas."""
    for _, kind, data, received in watcher.told:
        event = json.loads(data)
        begin = received - ARRIVAL
        if kind == "notification" and event.get("data", "").startswith("t"):
            inputs.add(f"ticker {event['data']}", begin, received)
        for field in ("ticker", "progress", "schedule"):
            if field in event:
                inputs.add(f"{field} {event[field]}", begin, received)


def is_same(one, other):
    """Whether frames of one instant are the same, but for a `seq` that one of them lacks: a last frame between ticks has none,
    where the frame of a tick would have followed with the same number."""
    (plain, ticks), (others_plain, others_ticks) = (SEQUENCE.subn("", frame) for frame in (one, other))
    return one == other or plain == others_plain and ticks != others_ticks


def compare_frames(form, watchers, inputs):
    """Frames of the same tick: the same bytes, unless an input was still on its way."""
    common = early = 0
    for other in watchers[1:]:
        for (topic, instant), frame in other.frames.items():
            known = watchers[0].frames.get((topic, instant))
            if known is None:
                continue
            common += 1
            if is_same(known, frame):
                continue
            assert inputs.cover(topic, instant / 1e9), f"{form}: {known} and {frame}"
            early += 1
    return common, early


def shown(form, watcher):
    """What a reader has come to, by topic. Of frames it is the text: one whose text equals the last one's is not sent,
    whatever its value."""
    if form == "text":
        return {"": watcher.texts[-1]} if watcher.texts else {}
    if form == "motion":
        motions = [json.loads(data) for data in list(watcher.motions)]
        # Motions are told from the tick on that follows an input; each says by itself where it goes.
        found = {motion["ticker"]: (int(motion.get("animation", 0)), motion["target"]) for motion in motions}
        # One that is over by then, on a machine that was busy, is told by its end alone.
        for _, kind, data in list(watcher.events):
            event = json.loads(data)
            if kind == "complete" and event.get("ticker") in found:
                last = int(event["animation"]), event["value"]
                found[event["ticker"]] = max(found[event["ticker"]], last, key=lambda one: one[0])
        return found
    last = {topic: frame for (topic, _), frame in list(watcher.frames.items())}
    return {topic: json.loads(frame)["text"] for topic, frame in last.items() if not topic.startswith("schedule")}


def ends(form, watchers):
    """Where readers of one form have come to different ends."""
    found = [shown(form, watcher) for watcher in watchers]
    if not all(found):
        return ["nothing was shown"]
    topics = set().union(*found)
    return [(topic, *one) for topic in topics if len(set(one := [end.get(topic) for end in found])) > 1]


def is_settled(replicas):
    standings = [replica.standing for replica in replicas]
    return len({(one["position"], one["digest"]) for one in standings}) == 1


def compare(watchers, mover, inputs):
    count = compare_events(watchers["frames"], inputs)
    note_events(watchers["frames"][0], inputs)
    print(f"{count} named events: the same ids, order and bytes", flush=True)
    for form, group in watchers.items():
        if form == "motion":
            print(f"motion: {sum(len(watcher.motions) for watcher in group)} told", flush=True)
        elif form != "text":
            common, early = compare_frames(form, group, inputs)
            assert early <= MOST_EARLY * common, f"{form}: {early} of {common} frames of common ticks differ"
            print(
                f"{form}: {common} frames of common ticks, {common - early} with the same bytes, "
                f"{early} of ticks before an input had reached both",
                flush=True,
            )
    # The moved reader has heard all that the others have, since it came, and nothing twice.
    assert mover.resets == 0 and not mover.doubled, f"{mover.resets} resets, twice: {mover.doubled[:3]}"
    heard = [event[0] for event in mover.events]
    known = [f"{watchers['frames'][0].epoch}-{event[0]}" for event in watchers["frames"][0].events]
    assert heard == known[known.index(heard[0]) :][: len(heard)], "the moved reader missed an event, or order"
    assert heard[-1] == known[-1], f"the moved reader heard up to {heard[-1]} of {known[-1]}"
    print(f"a reader that was moved {mover.moves} times: {len(heard)} events, none lost, none twice", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--forms", default=",".join(FORMS), help="frames among them")
    parser.add_argument("--moves", type=int, default=100)
    add_seed(parser)
    arguments = parser.parse_args()
    print(f"random updates, --seed {arguments.seed}", flush=True)
    redis = Redis()
    replicas = [Replica(Wire(redis.port)) for _ in range(arguments.replicas)]
    try:
        wait_until(lambda: all(replica.is_ready for replica in replicas), what="the replicas")
        for number in range(TICKERS):
            body = {"label": "Umsatz: 0,00 €", "format": {"locale": "de-DE"}, "to": 0}
            status, text = replicas[0].ask("POST", f"/v1/tickers/t{number}", body)
            assert 200 <= status < 300, text
        wait_until(lambda: is_settled(replicas), what="the tickers on all replicas")
        watchers = {
            form: [Watcher(replica, path) for replica in replicas]
            for form, path in FORMS.items()
            if form in arguments.forms.split(",")
        }
        everyone = [watcher for group in watchers.values() for watcher in group]
        for watcher in everyone:
            watcher.start()
        wait_until(lambda: all(watcher.has_begun for watcher in everyone), what="the streams")
        mover = Reader(replicas, EVERYTHING, seed=arguments.seed, most=8)
        mover.start()
        inputs = Inputs()
        load = Load(replicas, inputs, arguments.seed)
        wait_until(lambda: load.count >= arguments.updates and mover.moves >= arguments.moves, 600, "the moves")
        load.end()
        print(f"{load.count} updates, of which {load.refused} were refused", flush=True)
        # The last motion has come to its end, and all have heard of it.
        wait_until(lambda: is_settled(replicas) and not any(replica.is_moving for replica in replicas), 30, "rest")
        last = max(watcher.events[-1][0] for watcher in watchers["frames"])
        wait_until(
            lambda: all(watcher.events[-1][0] == last for watcher in watchers["frames"]),
            what=lambda: f"the last event: {[watcher.state for watcher in watchers['frames']]}",
        )
        wait_until(lambda: mover.last and mover.last.endswith(f"-{last}"), what="the moved reader")
        for form, group in watchers.items():
            wait_until(
                lambda form=form, group=group: not ends(form, group),
                what=lambda form=form, group=group: (
                    f"{form}: {[watcher.state for watcher in group]}, one end of {ends(form, group)[:3]}"
                ),
            )
        mover.end()
        for watcher in everyone:
            watcher.end()
        compare(watchers, mover, inputs)
    except BaseException:
        for number, replica in enumerate(replicas):
            print(f"replica {number} on {replica.port}:\n{replica.said}", flush=True)
        print(replay(arguments.seed), flush=True)
        raise
    finally:
        for replica in replicas:
            replica.end()
        redis.clean()
    return 0


if __name__ == "__main__":
    sys.exit(main())
