"""What is paired: the levels of each factor, and the scenario that a row of them is."""

import dataclasses
import decimal
import random

from covering import Row
from curves import Motion, back_out, bezier, elastic_out, in_legs, power_out, spring, steps
from writing import LABELS, Label

Decimal = decimal.Decimal

# Seconds of a motion: of most, and of one that a page opened on its way is to see, or that is to outlast restarts.
SECONDS, LONG_SECONDS = 1.4, 3.5
MAXIMUM = Decimal(1000)
# From how far above zero a number goes as far below, and in how many seconds.
CROSSING, CROSSING_SECONDS = 100, 1.0
# Updates by one, before the one that is tested, of progress that shows its rate.
FEED_COUNT = 8

# By name, where a number sets out and where it goes, as shown: of a ticker and of a progress.
TRAVELS = {
    "down through zero": ((120, -120), (900, 150)),
    "up through zero": ((-40, 143), (40, 143)),
    "slowly through zero": ((9, -9), (0, 1000)),
    "gaining digits": ((7, 12_500), (7, 850)),
    "losing digits": ((98_765, 3), (987, 3)),
    "one step": ((13, 14), (13, 14)),
    "to zero": ((42, 0), (42, 0)),
    "more than a double": ((12, 12_345_678_901_234_567), (0, 1000)),
}


def motions(seconds: float) -> dict[str, Motion]:
    def eased(easing, curve, **options) -> Motion:
        return Motion({"easing": easing, "duration": seconds}, curve, seconds, **options)

    def swinging(fields, damping, response, **options) -> Motion:
        return Motion(fields, spring(damping, response), is_spring=True, **options)

    return {
        "linear": eased("linear", lambda share: share),
        "ease out": eased("easeOut", power_out(2.8)),
        "bezier": eased("cubic-bezier(0.2, 0, 0, 1)", bezier(0.2, 0, 0, 1)),
        "steps": eased("steps(5)", steps(5)),
        "back": eased("back-out", back_out),
        "elastic": eased("elastic-out", elastic_out),
        "bouncy": swinging({"spring": {"duration": 0.7, "bounce": 0.4}}, 0.6, 0.7),
        "heavy": swinging({"spring": {"dampingRatio": 1.5, "response": 0.4}}, 1.5, 0.4),
        "clamped": swinging(
            {"spring": {"dampingRatio": 0.4, "response": 0.6}, "clamp": True}, 0.4, 0.6, is_clamped=True
        ),
        "jump": Motion({"duration": 0}, lambda share: share, 0),
        "there and back": Motion(
            {"easing": "linear", "duration": seconds / 2, "autoreverse": True}, lambda share: share, seconds / 2,
            iterations=2, alternates=True,
        ),
        "delayed": Motion(
            {"easing": "linear", "duration": seconds - 0.4, "delay": 0.2, "endDelay": 0.2}, lambda share: share,
            seconds - 0.4, delay=0.2,
        ),
        "auto": Motion({"easing": "linear", "duration": "auto"}, None),
    }  # fmt: skip


# What a raw stream is asked for besides its topic.
READERS = {
    "plain": "",
    "text": "as=text",
    "wheels": "wheels",
    "continuous": "wheels=continuous",
    "display": "display",
    "motion": "mode=motion",
    "fps": "fps=10",
    "German": "locale=de-DE&display",
    "Arabic": "locale=ar-EG",
    "lines": "as=ndjson",
    "Arabic lines": "as=ndjson&locale=ar-EG",
    "German text": "as=text&locale=de-DE",
    "German motion": "mode=motion&locale=de-DE",
}

# The attributes of an element; one that is late is put on the page while the number moves.
DRAWN = {
    "text": "",
    "span": None,
    "wheels": "wheels",
    "continuous": "wheels=continuous",
    "shortest": "wheels=shortest",
    "motion": "mode=motion",
    "motion on wheels": "mode=motion wheels",
    "card": None,
    "late wheels": "wheels",
    "late motion": "mode=motion wheels",
    "late card": None,
}

EVENTS = [
    "nothing", "pause", "seek", "faster", "back", "retarget", "replace", "queue", "cancel", "finish", "delete",
    "reconnect", "restart",
]  # fmt: skip

FACTORS = {
    "label": list(LABELS),
    "motion": list(motions(1)),
    "aim": ["to", "by", "bound", "from", "keyframes"],
    "travel": list(TRAVELS),
    "event": EVENTS,
    "reader": list(READERS),
    "drawn": list(DRAWN),
    "follow": ["nothing", "milestones", "then", "else"],
}


def is_possible(row: Row) -> bool:
    """Keyframes have easings and times of their own; motions of a page are those of numbers."""
    if row.get("aim") == "keyframes" and row.get("motion") in ("bouncy", "heavy", "clamped", "auto", "jump"):
        return False
    return True


@dataclasses.dataclass
class Scenario:
    """A row as what is sent, and what must come of it."""

    number: int
    row: Row
    seed: int

    def __post_init__(self):
        chance = random.Random(f"{self.seed} {self.number}")
        self.is_late = self.row["drawn"].startswith("late")
        is_long = self.is_late or self.row["event"] == "restart"
        self.motion = motions(LONG_SECONDS if is_long else SECONDS)[self.row["motion"]]
        # So many seconds after the update the event comes.
        self.event_after = chance.uniform(0.15, 0.7)
        unit = Decimal(1) / self.label.factor
        places = self.label.decimals
        start, target = TRAVELS[self.row["travel"]][self.label.kind == "progress"]
        share = Decimal("0.375").quantize(Decimal(1).scaleb(-places), decimal.ROUND_DOWN)
        self.start = start * unit
        if self.has_rate:
            # Room for a feed before it.
            self.start = max(self.start, Decimal(FEED_COUNT))
        # A progress keeps within its maximum; other numbers end on all of their digits.
        self.target = (
            target * unit if self.label.kind == "progress" and target in (0, 1000) else (target + share) * unit
        )
        self.places = places + (2 if self.label.factor == 100 else 0)
        # Where the motion sets out.
        self.begin = self.start
        if self.row["aim"] == "from":
            self.begin = (self.start + (self.target - self.start) / 4).quantize(Decimal(1).scaleb(-self.places))
        # Where the second update goes; one that waits has a digit more.
        further = Decimal("0.5").scaleb(-self.places) if self.has_more_digits else 0
        self.second = (self.start + (self.target - self.start) / 3).quantize(Decimal(1).scaleb(-self.places)) + further

    @property
    def label(self) -> Label:
        return LABELS[self.row["label"]]

    @property
    def id(self) -> str:
        return f"pair-{self.number}"

    @property
    def topic(self) -> str:
        return f"{self.label.kind}:{self.id}"

    @property
    def path(self) -> str:
        return f"/v1/{'progress' if self.label.kind == 'progress' else 'tickers'}/{self.id}"

    @property
    def field(self) -> str:
        return "current" if self.label.kind == "progress" else "to"

    @property
    def has_rate(self) -> bool:
        return "{rate}" in self.label.text

    @property
    def has_more_digits(self) -> bool:
        """Whether the second update has more decimals; those of money are the currency's."""
        return self.row["event"] == "queue" and (self.label.format or {}).get("style") != "currency"

    @property
    def end(self) -> Decimal:
        """Where the first motion rests when nothing befalls it."""
        return self.begin if self.motion.ends_where_it_began else self.target

    @property
    def milestones(self) -> list[Decimal]:
        """Between the beginning and the end, and neither of them."""
        way = self.target - self.begin
        return [self.begin + way * share for share in (Decimal("0.26"), Decimal("0.74"))]

    def number_text(self, value: Decimal, more: int = 0) -> str:
        return f"{value:.{self.places + more}f}"

    def first_body(self) -> dict:
        """What makes the resource, at rest."""
        start = self.start - FEED_COUNT if self.has_rate else self.start
        body = {"label": self.label.text, self.field: self.number_text(start), "duration": 0}
        if self.label.format:
            body["format"] = self.label.format
        return body | ({"maximum": int(MAXIMUM)} if self.label.kind == "progress" else {})

    def body(self) -> dict:
        """The update that is tested."""
        target = self.number_text(self.target)
        way = self.target - self.start
        aims = {
            "by": {"by": self.number_text(way)},
            "bound": {"max" if way > 0 else "min": target},
            "from": {"from": self.number_text(self.begin), self.field: target},
            "keyframes": {self.field: [
                {"to": self.number_text(self.middle), "offset": 0.25, "easing": "linear"},
                {"to": target, "offset": 1, "easing": "linear"},
            ]},
        }  # fmt: skip
        body = aims.get(self.row["aim"], {self.field: target}) | self.motion.fields
        notify = [{"notify": f"{self.row['follow']}-{self.id}"}]
        follows = {
            "milestones": {"milestones": [float(value) for value in self.milestones]},
            "then": {"then": notify},
            "else": {"else": notify},
        }
        return body | follows.get(self.row["follow"], {})

    @property
    def middle(self) -> Decimal:
        """The value of the first keyframe, half-way."""
        return ((self.start + self.target) / 2).quantize(Decimal(1).scaleb(-self.places))

    def second_body(self) -> dict:
        interrupt = self.row["event"]
        text = self.number_text(self.second, more=self.has_more_digits)
        return {self.field: text, "duration": 0.6, "easing": "ease-out", "interrupt": interrupt}

    @property
    def behind_zero(self) -> Decimal:
        """Where it goes in the end, from as far above zero: fast enough for digits to leave while others come."""
        share = Decimal("0.375").quantize(Decimal(1).scaleb(-self.label.decimals), decimal.ROUND_DOWN)
        return -(CROSSING + share) / self.label.factor

    @property
    def is_filled_again(self) -> bool:
        return self.label.kind == "progress" and self.row["drawn"] == "late card" and self.row["event"] != "delete"

    @property
    def crossing(self) -> list[dict]:
        """Updates that take it through zero. A progress has no sign: one whose card came late is filled once more,
        slowly enough for another page to be opened meanwhile."""
        if self.label.kind == "ticker":
            ends = [(-self.behind_zero, 0), (self.behind_zero, CROSSING_SECONDS)]
        else:
            ends = [(Decimal(0), 0), (MAXIMUM, LONG_SECONDS)] if self.is_filled_again else []
        return [
            {self.field: self.number_text(end), "duration": seconds, "easing": "linear", "interrupt": "replace"}
            for end, seconds in ends
        ]

    def range_of(self, low: float, high: float) -> tuple[float, float] | None:
        """Between which values it is at own times between two."""
        motion = self.motion
        begin, target = float(self.begin), float(self.target)
        if self.row["aim"] == "keyframes":
            motion = dataclasses.replace(motion, curve=in_legs(0.25, (float(self.middle) - begin) / (target - begin)))
        shares = motion.shares(low, high)
        if shares is None:
            return None
        values = sorted(begin + (target - begin) * share for share in shares)
        if self.label.kind == "progress":
            values = [min(max(value, 0.0), float(MAXIMUM)) for value in values]
        return values[0], values[1]

    def text(self, value, has_second_digits: bool = False, locale: str | None = None) -> str:
        """A ticker's text of a value, in the poster's writing or a reader's."""
        return self.label.write(
            Decimal(value), self.label.decimals + (has_second_digits and self.has_more_digits), locale
        )

    def pattern(self, value, has_second_digits: bool = False, locale: str | None = None) -> str:
        """What a progress' text must match."""
        decimals = self.label.decimals + (has_second_digits and self.has_more_digits)
        return self.label.write_progress(Decimal(value), MAXIMUM, decimals, locale)

    @property
    def story(self) -> str:
        return " · ".join(f"{name} {level}" for name, level in self.row.items())
