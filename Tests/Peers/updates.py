"""Random updates over all fields, as lines of a batch, and what is known of each ticker and progress that they go to."""

import random

from written import SHARES, WRITINGS

EASINGS = [
    "linear", "ease-in-out", "easeOut", "power-in(4)", "steps(5)", "cubic-bezier(0.3, -0.6, 0.7, 1.6)",
    "linear(0, 0.9 20% 40%, 1)", "back", "back-in", "elastic", "elastic-in-out", "bounce", "bounce-in",
]  # fmt: skip
SPRINGS = [
    {"dampingRatio": 0.4, "response": 0.2}, {"duration": 0.3, "bounce": 0.5}, {"stiffness": 200, "damping": 9},
    "smooth", "snappy", "bouncy",
]  # fmt: skip
TIMINGS = {
    "delay": [0.01, 0.1], "endDelay": [0.01, 0.1], "repeat": [1, 0.5, 2, "forever"], "autoreverse": [True],
    "rate": [0, 0.5, 3, -1, -4], "direction": ["reverse", "alternate", "alternate-reverse"], "clamp": [True, False],
    "repeatDelay": [0.05],
    "animated": [False], "interrupt": ["retarget", "replace", "queue", "reject"], "milestones": [[0, 10, 1000]],
}  # fmt: skip
# What a decay has no use for.
OF_MOTIONS = {"duration", "easing", "spring", "repeat", "autoreverse", "direction", "repeatDelay"}
TICKERS = [f"w{number}" for number in range(len(WRITINGS))]
PROGRESSES = [f"p{number}" for number in range(len(SHARES))]
# Tickers that actions move, each written as the ticker of its number.
TARGETS = [f"a{number}" for number in range(4)]


class Updates:
    """Random updates of one ticker for each way of writing and one progress for each share."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        # The greatest sequence number that was taken, by name.
        self.sequences = {}

    def number(self):
        digits = self.chance.choice([1, 2, 3, 5, 7, 9])
        whole = self.chance.randrange(10**digits) * self.chance.choice([1, 1, -1])
        scale = self.chance.choice([0, 0, 1, 2, 4])
        return f"{whole}.{self.chance.randrange(10**scale):0{scale}}" if scale else str(whole)

    def maximum(self):
        scale = self.chance.choice([0, 0, 2])
        whole = self.chance.randrange(1, 10 ** self.chance.choice([1, 3, 6]))
        return f"{whole}.{self.chance.randrange(10**scale):0{scale}}" if scale else str(whole)

    def timing(self):
        fields = {"duration": self.chance.choice([0, 0.01, 0.05, 0.2, 1, 20, "auto"])}
        if self.chance.random() < 0.3:
            fields["easing"] = self.chance.choice(EASINGS)
        elif self.chance.random() < 0.3:
            fields = {"spring": self.chance.choice(SPRINGS)}
        return fields | {
            name: self.chance.choice(values) for name, values in TIMINGS.items() if self.chance.random() < 0.1
        }

    def keyframes(self):
        """Numbers and keyframes, in the order of their offsets."""
        offsets = sorted(self.chance.random() for _ in range(self.chance.randrange(4)))
        frames = []
        for offset in offsets:
            frame = {"to": self.number()}
            if self.chance.random() < 0.5:
                frame["offset"] = offset
            if self.chance.random() < 0.3:
                frame["easing"] = self.chance.choice(EASINGS)
            frames.append(frame if len(frame) > 1 else frame["to"])
        return [*frames, self.number()]

    def decay(self):
        """How a number runs out, between bounds at times."""
        fields = {"velocity": self.chance.choice([0, 50, -3000, 1e6]), "timeConstant": self.chance.choice([0.01, 0.1])}
        if self.chance.random() < 0.3:
            fields |= {"min": -100, "max": 1000}
        return fields

    def goal(self, fields, name):
        """Gives a line its goal under the name that its kind has for one."""
        way = self.chance.choice([name] * 4 + ["by", "max", "min", "keyframes", "decay"])
        if way == "keyframes":
            fields[name] = self.keyframes()
        elif way == "decay":
            for field in OF_MOTIONS & fields.keys():
                del fields[field]
            fields["decay"] = self.decay()
        else:
            fields[way] = self.number()

    def actions(self, depth=0):
        """What is done when a motion ends: tickers of their own are moved, held and let go."""
        actions = []
        for _ in range(self.chance.choice([1, 1, 2])):
            target = self.chance.randrange(len(TARGETS))
            action = {"ticker": TARGETS[target]}
            if self.chance.random() < 0.3:
                action |= {"op": self.chance.choice(["pause", "resume", "cancel", "finish"])}
            else:
                action |= {"label": WRITINGS[target].label} | self.timing()
                self.goal(action, "to")
                if depth < 2 and self.chance.random() < 0.2:
                    action[self.chance.choice(["then", "else"])] = self.actions(depth + 1)
            if "op" in action and self.chance.random() < 0.3:
                action["delay"] = 0.05
            actions.append(action)
        return actions

    def order(self, name):
        """Where an update stands among others: behind them, late, or by another one's motion."""
        fields = {}
        if self.chance.random() < 0.2:
            fields["sequence"] = max(0, self.sequences.get(name, 0) + self.chance.choice([-2, 0, 1, 1, 5]))
        if self.chance.random() < 0.05:
            kind, names = self.chance.choice([("ticker", TICKERS), ("progress", PROGRESSES)])
            edge, offset = self.chance.choice(["with", "after"]), self.chance.choice([-0.1, 0, 0.1])
            fields["start"] = {edge: f"{kind}:{self.chance.choice(names)}", "offset": offset}
        return fields

    def ticker(self, number):
        """A line that moves a ticker."""
        writing, name = WRITINGS[number], TICKERS[number]
        fields = {"ticker": name, "label": writing.label} | self.timing() | self.order(name)
        if writing.format:
            fields["format"] = writing.format
        self.goal(fields, "to")
        for moment in ("then", "else"):
            if self.chance.random() < 0.1:
                fields[moment] = self.actions()
        if self.chance.random() < 0.1:
            fields["from"] = self.number()
        fields["decimals"] = self.chance.choice([0, 1, 2, 3])
        return fields

    def progress(self, number):
        """A line that moves a progress, its maximum, or both."""
        share, name = SHARES[number], PROGRESSES[number]
        fields = {"progress": name, "label": share.label} | self.timing() | self.order(name)
        if share.number.format:
            fields["format"] = share.number.format
        if self.chance.random() < 0.8:
            self.goal(fields, "current")
        if self.chance.random() < 0.5:
            fields["maximum"] = self.maximum()
        fields["decimals"] = self.chance.choice([0, 1, 2, 3])
        return fields

    def update(self, number):
        """A line that moves one of all."""
        return self.ticker(number) if number < len(TICKERS) else self.progress(number - len(TICKERS))

    def line(self):
        """An update, or an operation on what is on its way."""
        update = self.update(self.chance.randrange(len(TICKERS) + len(PROGRESSES)))
        if self.chance.random() < 0.85:
            return update
        verb = self.chance.choice(["pause", "resume", "resume", "cancel", "finish", "seek", "rate"])
        more = {"seek": {"fraction": self.chance.random()}, "rate": {"rate": self.chance.choice([0, 0.5, 2, -1])}}
        return (
            {"op": verb}
            | {kind: update[kind] for kind in ("ticker", "progress") if kind in update}
            | more.get(verb, {})
        )

    def expects_late(self, line):
        """Whether an update comes behind one that was taken; called with those that were taken, in their order."""
        if "sequence" not in line:
            return False
        name, sequence = line.get("ticker") or line["progress"], line["sequence"]
        last = self.sequences.get(name, -1)
        self.sequences[name] = max(sequence, last)
        return sequence <= last
