"""What came of a scenario: all that was answered, told and drawn."""

import dataclasses

from factors import Scenario
from reader import Reader, Told


@dataclasses.dataclass
class Answer:
    """What was answered, and between which Unix nanoseconds it was asked."""

    status: int
    json: dict | None
    sent: int
    answered: int


@dataclasses.dataclass
class Phase:
    """From a moment that lies between two on, own time goes on from one that lies between two."""

    first: int
    last: int
    own: tuple[float, float]
    rate: float

    def owns(self, at: int) -> tuple[float, float]:
        low, high = sorted(self.rate * (at - moment) / 1e9 for moment in (self.first, self.last))
        return max(self.own[0] + low, 0), max(self.own[1] + high, 0)


@dataclasses.dataclass
class Played:
    """What came of a scenario."""

    scenario: Scenario
    reader: Reader | None = None
    # Told by the witness before the update.
    known: int = 0
    phases: list[Phase] = dataclasses.field(default_factory=list)
    answers: dict[str, Answer] = dataclasses.field(default_factory=dict)
    # From here on only bounds are known.
    loose_from: int | None = None
    # Whether the first motion was over before the event came.
    was_over: bool = False
    # When what is late was drawn for the first time: while it was tested, and by the page that is open now.
    seen_first: float | None = None
    seen: float | None = None
    # How often what follows was told.
    notified: int = 0
    witnessed: list[Told] = dataclasses.field(default_factory=list)
    final: dict[str, dict] = dataclasses.field(default_factory=dict)
    # What the reader was told, to the end of what is tested.
    heard: list[Told] = dataclasses.field(default_factory=list)
    # What is drawn now, what was at rest, and whether it has gone through zero since, and when it was there.
    drawn: dict | None = None
    at_rest: dict | None = None
    has_crossed: bool = False
    crossed_at: float = 0
    # Whether it is on its way there.
    has_set_out: bool = False
    drawn_while_paused: dict | None = None
    wrong: list[str] = dataclasses.field(default_factory=list)
