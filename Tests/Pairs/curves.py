"""Motions as functions of their own time: closed forms of this suite's own, from the sources that they come from."""

import dataclasses
import math
import typing

Curve = typing.Callable[[float], float]


def power_out(exponent: float) -> Curve:
    return lambda share: 1 - (1 - share) ** exponent


def bezier(x1: float, y1: float, x2: float, y2: float) -> Curve:
    """css-easing: the curve's y where its x is the share, by halving."""

    def at(one: float, two: float, s: float) -> float:
        return 3 * (1 - s) ** 2 * s * one + 3 * (1 - s) * s**2 * two + s**3

    def curve(share: float) -> float:
        if share in (0, 1):
            return share
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if at(x1, x2, middle) < share else (low, middle)
        return at(y1, y2, low)

    return curve


def steps(count: int) -> Curve:
    """css-easing: with its jumps at the ends."""
    return lambda share: 1 if share >= 1 else math.floor(share * count) / count


def in_legs(end: float, middle: float) -> Curve:
    """Evenly to a keyframe at a share of the time, and on from there."""
    return lambda share: middle * share / end if share < end else middle + (1 - middle) * (share - end) / (1 - end)


def back_out(share: float) -> float:
    """Penner: 10 % beyond."""
    overshoot = 1.70158
    return 1 + (overshoot + 1) * (share - 1) ** 3 + overshoot * (share - 1) ** 2


def elastic_out(share: float) -> float:
    """Penner, with a period of 0.3; its decay ends at 0, as in D3."""
    if share in (0, 1):
        return share
    decay = (2 ** (-10 * share) - 2**-10) / (1 - 2**-10)
    return 1 - decay * math.cos(share * 2 * math.pi / 0.3)


def spring(damping: float, response: float) -> Curve:
    """What is left of a way of 1 after so many seconds, taken from 1; from rest."""
    omega = 2 * math.pi / response

    def curve(time: float) -> float:
        if damping < 1:
            turned = omega * math.sqrt(1 - damping**2)
            wave = math.cos(turned * time) + damping * omega / turned * math.sin(turned * time)
            return 1 - math.exp(-damping * omega * time) * wave
        if damping == 1:
            return 1 - math.exp(-omega * time) * (1 + omega * time)
        root = math.sqrt(damping**2 - 1)
        slow, fast = -omega * (damping - root), -omega * (damping + root)
        return 1 - (slow * math.exp(fast * time) - fast * math.exp(slow * time)) / (slow - fast)

    return curve


@dataclasses.dataclass
class Motion:
    """How an update moves: its fields, and the share of the way by its own time."""

    fields: dict
    # By the share of a cycle; a spring's by seconds.
    curve: Curve | None
    # Seconds of a cycle; None where that is the server's to say.
    duration: float | None = None
    delay: float = 0
    iterations: int = 1
    alternates: bool = False
    is_spring: bool = False
    # Kept within the way.
    is_clamped: bool = False

    @property
    def ends_where_it_began(self) -> bool:
        return self.alternates and self.iterations % 2 == 0

    @property
    def is_jump(self) -> bool:
        return self.duration == 0

    def shares(self, low: float, high: float) -> tuple[float, float] | None:
        """Between which shares of the way it is at own times between two; None where that isn't known."""
        if self.curve is None:
            return None
        count = 24
        points = [low + (high - low) * index / count for index in range(count + 1)]
        found = [self.share(max(point, 0)) for point in points]
        # Between two points it may be a little further.
        margin = (max(found) - min(found)) / 6
        return min(found) - margin, max(found) + margin

    def share(self, own: float) -> float:
        passed = own - self.delay
        if passed <= 0:
            return 0
        if self.is_spring:
            share = self.curve(passed)
        elif not self.duration or passed >= self.duration * self.iterations:
            return 0 if self.ends_where_it_began else 1
        else:
            cycle, rest = divmod(passed / self.duration, 1)
            share = self.curve(1 - rest if self.alternates and cycle % 2 else rest)
        return min(max(share, 0), 1) if self.is_clamped else share
