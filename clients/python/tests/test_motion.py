"""Motions by values that follow from their description; clients/vectors has those of a server."""

import datetime
import unittest
from typing import Any

from tweencast import Motion


def motion(**members: Any) -> Motion:
    """A motion from 0 to 100 within a second."""
    whole = {"state": "running", "from": 0, "to": 100, "start": "2026-11-26T06:07:20.800Z", "duration": 1, **members}
    return Motion({"ticker": "a", "value": 0, "text": "", "target": 100, "animation": "1", "motion": whole})


class MotionTest(unittest.TestCase):
    """Values, maxima and ends."""

    def values(self, of: Motion, *at: float) -> list[float]:
        """Its values, without the last digits."""
        return [round(of.value(one), 9) for one in at]

    def test_a_line(self) -> None:
        line = motion(easing="linear", elapsed=-0.1)
        self.assertEqual(self.values(line, -1, 0, 0.1, 0.35, 1.1, 9), [0, 0, 0, 25, 100, 100])
        self.assertEqual([line.has_ended(at) for at in (1.0, 1.2)], [False, True])

    def test_an_instant_is_a_time(self) -> None:
        line = motion(easing="linear")
        self.assertEqual(round(line.value(line.start + datetime.timedelta(milliseconds=250)), 6), 25)
        self.assertEqual(line.start, datetime.datetime(2026, 11, 26, 6, 7, 20, 800_000, datetime.timezone.utc))

    def test_ways_there_and_back(self) -> None:
        there = motion(easing="linear", iterations=4, direction="alternate", repeatDelay=0.5)
        self.assertEqual(self.values(there, 0.5, 1.2, 2, 2.7, 3.5), [50, 100, 50, 0, 50])
        self.assertEqual(self.values(motion(easing="linear", rate=-2, elapsed=1), 0, 0.25, 2), [100, 50, 0])
        forever = motion(easing="linear", iterations="forever", direction="reverse")
        self.assertEqual((self.values(forever, 0.25, 7.25), forever.has_ended(1e9)), ([75, 75], False))

    def test_a_spring_overshoots_within_its_range(self) -> None:
        spring = {"dampingRatio": 0.3, "response": 0.5}
        free, held = motion(spring=spring, duration=3), motion(spring=spring, duration=3, range=[None, 100])
        self.assertGreater(free.value(0.27), 130)
        self.assertEqual(self.values(held, 0.27, 9), [100, 100])

    def test_a_pause_holds_it(self) -> None:
        paused = motion(easing="linear", state="paused", elapsed=0.25)
        self.assertEqual((self.values(paused, 0, 9), paused.has_ended(9)), ([25, 25], False))

    def test_a_maximum_may_move(self) -> None:
        maximum = {"from": 100, "to": 200, "duration": 2, "easing": "linear", "caps": True}
        moving = motion(easing="linear", duration=4, maximum=maximum)
        self.assertEqual([moving.maximum(at) for at in (0.0, 1.0, 3.0, 9.0)], [100, 150, 200, 200])
        self.assertEqual([moving.fraction(at) for at in (0.0, 2.0, 9.0)], [0, 0.25, 0.5])
        self.assertEqual(motion(easing="linear", maximum=0).fraction(0.5), 1)
        self.assertIsNone(motion(easing="linear").fraction(0.5))

    def test_an_easing_that_is_not_known_is_a_line(self) -> None:
        for easing in ("wobble", "wobble(3)", "linear()", "?"):
            with self.subTest(easing):
                self.assertEqual(self.values(motion(easing=easing), 0.25), [25])


if __name__ == "__main__":
    unittest.main()
