"""The value of a number by its own time: cycles, easings, springs, keyframes and velocities that are taken over."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from math import ceil, exp, floor, inf, isfinite
from typing import Any

from ._easing import Curve, easing_curve, spring_displacement


def interpolate(start: float, end: float, share: float) -> float:
    """Exact at both ends, and within them for shares of 0 to 1."""
    if share == 0:
        return start
    if share == 1:
        return end
    distance = end - start
    if not isfinite(distance):
        return start * (1 - share) + end * share
    value = start + distance * share
    return min(max(value, min(start, end)), max(start, end)) if 0 < share < 1 else value


def _with_launch(easing: Curve, launch: Mapping[str, Any]) -> Curve:
    """The curve of an easing's first cycle, which starts with a velocity."""
    curve = easing_curve(launch["easing"]) if "easing" in launch else easing
    if "chase" in launch:
        chase = launch["chase"]
        return lambda p: 1 - (1 - curve(p)) * exp(-chase * p)
    if "ramp" in launch:
        ramp = launch["ramp"]
        return lambda p: curve(p * (ramp + (1 - ramp) * p))
    return (lambda p: curve(p * p)) if "turn" in launch else curve


def _keyframe_curve(start: float, keyframes: Sequence[Mapping[str, Any]]) -> Curve:
    """Values by the share of the cycle."""
    curves = [easing_curve(keyframe["easing"]) for keyframe in keyframes]

    def value(share: float) -> float:
        before, offset = start, 0.0
        for keyframe, curve in zip(keyframes, curves):
            if keyframe["offset"] > share:
                passed = max(0.0, (share - offset) / (keyframe["offset"] - offset))
                return interpolate(before, keyframe["to"], curve(passed))
            before, offset = keyframe["to"], keyframe["offset"]
        return before

    return value


CycleCurve = Callable[[float, float], float]
"""A value by the share of its cycle, and by the seconds since the delay."""


def _spring_curve(spec: Mapping[str, Any], velocity: float, runs_once: bool) -> CycleCurve:
    start, end, duration = spec["from"], spec["to"], spec["duration"]
    displacement = spring_displacement(spec["spring"], start - end, velocity)
    # What remains at a cycle's end is spread over the cycle, so that it turns exactly at its ends.
    rest = 0.0 if runs_once else displacement(duration)

    def value(share: float, passed: float) -> float:
        if share <= 0 or share >= 1:
            return float(start if share <= 0 else end)
        try:
            if runs_once:
                shown = end + displacement(passed)
            else:
                shown = end + displacement(share * duration) - rest * share * share * (3 - 2 * share)
        except (OverflowError, ValueError):
            return float(end)
        return shown if isfinite(shown) else float(end)

    return value


@dataclasses.dataclass(frozen=True)
class Phase:
    """Where a number is within its cycles."""

    share: float
    """Of the cycle, in the direction of its values."""
    cycle: float
    is_active: bool


class Trajectory:
    """The value of a number at each moment of its own time, in seconds."""

    def __init__(self, spec: Mapping[str, Any]):
        cycles = spec.get("iterations", 1)
        self.start: float = spec["from"]
        self.goal: float = spec["to"]
        self.duration: float = spec["duration"]
        self.delay: float = spec.get("delay", 0)
        self.direction: str = spec.get("direction", "normal")
        self.pause: float = spec.get("repeatDelay", 0)
        self.cycles: float = inf if cycles == "forever" else cycles
        is_finite = isfinite(self.cycles)
        pauses = self.pause * max(ceil(self.cycles) - 1, 0) if is_finite else inf if self.pause else 0
        is_still = self.duration == 0 or self.cycles == 0
        self.active: float = 0 if is_still else self.duration * self.cycles + pauses
        """Seconds of movement."""
        self.end: float = max(self.delay + self.active + spec.get("endDelay", 0), 0)
        """The time at which everything is over."""
        launch = spec.get("launch", {})
        self._aside: Sequence[float] = launch.get("swerve") or launch.get("turn") or (0, 0)
        self._cycle, self._first_cycle = self._curves(spec)

    def _curves(self, spec: Mapping[str, Any]) -> tuple[CycleCurve, CycleCurve]:
        """The values of all cycles but the first, and of the first, by the share of the cycle."""
        if "keyframes" in spec:
            curve = _keyframe_curve(self.start, spec["keyframes"])
            return lambda p, _: curve(p), lambda p, _: curve(p)
        if "spring" in spec:
            runs_once = self.cycles == 1 and self.direction == "normal"
            begins_whole = self.cycles >= 1 and self.direction in ("normal", "alternate")
            velocity = spec.get("velocity", 0) if begins_whole else 0
            return _spring_curve(spec, 0, runs_once), _spring_curve(spec, velocity, runs_once)
        easing = easing_curve(spec.get("easing", "linear"))
        first = _with_launch(easing, spec.get("launch", {}))
        start, goal = self.start, self.goal
        return lambda p, _: interpolate(start, goal, easing(p)), lambda p, _: interpolate(start, goal, first(p))

    def _is_forwards(self, cycle: float) -> bool:
        is_odd = cycle % 2 == 1
        if self.direction in ("normal", "reverse"):
            return self.direction == "normal"
        return not is_odd if self.direction == "alternate" else is_odd or cycle == inf

    def phase(self, time: float, is_backwards: bool) -> Phase:
        """The phase at a time, as in the timing model of Web Animations, filled on both sides."""
        first = max(min(self.delay, self.end), 0)
        last = max(min(self.delay + self.active, self.end), 0)
        is_before = time < first or (is_backwards and time == first)
        is_after = not is_before and (time > last or (not is_backwards and time == last))
        is_active = not is_before and not is_after
        passed = time - self.delay if is_active else max(time - self.delay, 0)
        if is_after and time >= self.delay + self.active:
            passed = self.active
        is_done = passed == self.active if self.duration else not is_before
        begun = floor(passed / (self.duration + self.pause)) if self.pause > 0 and not is_done else 0
        if self.pause > 0 and self.duration > 0 and not is_done:
            if passed - begun * (self.duration + self.pause) >= self.duration:
                return Phase(1 if self._is_forwards(begun) else 0, begun, is_active)
        turns = self.cycles
        if not is_done:
            turns = (passed - begun * self.pause) / self.duration if self.duration else 0
        share = 0 if turns == inf else turns % 1
        if share == 0 and not is_before and passed == self.active and self.cycles:
            share = 1
        cycle = inf if turns == inf else floor(turns) - (1 if share == 1 else 0)
        return Phase(share if self._is_forwards(cycle) else 1 - share, cycle, is_active)

    def value(self, time: float, is_backwards: bool) -> float:
        """The value at a time; its bounds are left aside."""
        phase, passed = self.phase(time, is_backwards), time - self.delay
        if not phase.is_active and phase.share in (0, 1):
            return self.goal if phase.share else self.start
        if not phase.is_active or phase.cycle != 0:
            return self._cycle(phase.share, passed)
        value, (speed, span) = self._first_cycle(phase.share, passed), self._aside
        if passed >= span:
            return value
        rest = 1 - passed / span
        return value + speed * passed * rest * rest

    def rest_time(self, is_backwards: bool) -> float:
        """The time from which the value rests."""
        return min(self.delay if is_backwards else self.delay + self.active, self.end)
