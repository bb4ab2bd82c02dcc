"""Motions, computed without frames: docs/motions.md has the formulas."""

from ._motion import Motion

__all__ = ["Motion"]
