"""Motions of `motion` events: what they show at any time."""

import datetime
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from ._trajectory import Trajectory


def _bounds(bounds: Sequence[float | None] | None) -> tuple[float, float]:
    low, high = bounds or (None, None)
    return -inf if low is None else low, inf if high is None else high


def _bounded(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


class Motion:
    """A motion as a function of time.

        motion = Motion(event.data)
        motion.value(0.5)

    The times of all methods are seconds after `start` by the server's clock, or an instant with a time zone.
    """

    def __init__(self, event: Mapping[str, Any]):
        """- event: the data of an event `motion`, which a stream with `motions` sends"""
        motion = event["motion"]
        self.event = event
        self.start = datetime.datetime.fromisoformat(motion["start"].replace("Z", "+00:00"))
        """The instant from which times count."""
        self.is_paused: bool = motion["state"] == "paused"
        self._elapsed: float = motion.get("elapsed", 0)
        self._rate: float = motion.get("rate", 1)
        self._is_backwards = self._rate < 0
        self._range = _bounds(motion.get("range"))
        self._clamp = _bounds(motion.get("clamp"))
        self._arrival: float = motion.get("arrival", inf)
        self._trajectory = Trajectory(motion)
        self._is_still = motion["from"] == motion["to"] and not motion.get("velocity") and "keyframes" not in motion
        maximum = motion.get("maximum")
        self._maximum: float | Trajectory | None = Trajectory(maximum) if isinstance(maximum, dict) else maximum
        self._cap = inf
        if isinstance(maximum, dict) and maximum.get("caps"):
            # A motion that starts at the maximum may show it; any other stays just below until it ends.
            self._cap = 1 if motion["from"] == maximum["from"] else 1 - 2.0**-53

    def value(self, at: float | datetime.datetime) -> float:
        """The number that it shows."""
        time = self._time(at)
        if self._has_ended(time):
            return self._final_value()
        trajectory = self._trajectory
        shown = trajectory.goal if time - trajectory.delay >= self._arrival else self._position(trajectory, time)
        held = _bounded(shown, self._range)
        maximum = self._maximum_at(time)
        return held if self._cap == inf or maximum is None else min(held, self._cap * maximum)

    def maximum(self, at: float | datetime.datetime) -> float | None:
        """The maximum of a progress; None for a ticker, and while it is unknown."""
        time = self._time(at)
        if isinstance(self._maximum, Trajectory) and self._has_ended(time):
            return self._maximum.goal
        return self._maximum_at(time)

    def fraction(self, at: float | datetime.datetime) -> float | None:
        """How much of a progress is done; None without a maximum."""
        value, maximum = self.value(at), self.maximum(at)
        if maximum is None:
            return None
        if maximum > 0:
            return value / maximum
        return 1 if maximum == 0 and value >= 0 else 0

    def has_ended(self, at: float | datetime.datetime) -> bool:
        """Whether nothing changes from there on."""
        return self._has_ended(self._time(at))

    def _time(self, at: float | datetime.datetime) -> float:
        """Its own time."""
        seconds = (at - self.start).total_seconds() if isinstance(at, datetime.datetime) else at
        return self._elapsed if self.is_paused else self._elapsed + seconds * self._rate

    def _position(self, trajectory: Trajectory, time: float) -> float:
        """The value on a trajectory; time stops at the end that the motion runs towards."""
        if self._is_backwards:
            return trajectory.value(max(time, min(0, self._elapsed)), True)
        return trajectory.value(min(time, max(trajectory.end, self._elapsed)), False)

    def _maximum_at(self, time: float) -> float | None:
        maximum = self._maximum
        if not isinstance(maximum, Trajectory):
            return maximum
        low, high = sorted((maximum.start, maximum.goal))
        return min(max(self._position(maximum, time), low), high)

    def _has_ended(self, time: float) -> bool:
        if self.is_paused or self._rate == 0:
            return False

        def has_reached(goal: float) -> bool:
            if self._is_backwards:
                return time <= max(min(goal, self._elapsed), 0)
            return time >= max(goal, self._elapsed, 0)

        if has_reached(0 if self._is_backwards else self._trajectory.end):
            return True
        rests = self._is_still or has_reached(self._trajectory.rest_time(self._is_backwards))
        # When the motion ends, its maximum has its final value, too.
        maximum = self._maximum
        return rests and (not isinstance(maximum, Trajectory) or has_reached(maximum.rest_time(self._is_backwards)))

    def _final_value(self) -> float:
        """The value at its end, which only a clamp bounds; if it never ends, that at the end of a cycle."""
        trajectory = self._trajectory
        if trajectory.end == inf and not self._is_backwards:
            return trajectory.start if trajectory.direction == "reverse" else trajectory.goal
        return _bounded(self._position(trajectory, -inf if self._is_backwards else inf), self._clamp)
