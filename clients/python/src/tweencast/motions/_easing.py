"""Easings, by the texts that the server uses for them, and springs."""

import re
from collections.abc import Callable, Mapping
from math import cos, exp, floor, log, pi, sin, sqrt, ulp
from typing import Any

Curve = Callable[[float], float]
"""Progress by the share of a time, both from 0 to 1."""

_KEYWORDS = {
    "ease": "cubic-bezier(0.25, 0.1, 0.25, 1)",
    "ease-in": "cubic-bezier(0.42, 0, 1, 1)",
    "ease-out": "cubic-bezier(0, 0, 0.58, 1)",
    "ease-in-out": "cubic-bezier(0.42, 0, 0.58, 1)",
    "step-start": "steps(1, start)",
    "step-end": "steps(1)",
}


def easing_curve(easing: str) -> Curve:
    """The curve of an easing; that of one that isn't known is a line."""
    match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", _KEYWORDS.get(easing, easing))
    name, inside = (match[1], match[2] or "") if match else ("linear", "")
    if name == "cubic-bezier":
        return _bezier(*map(float, inside.split(",")))
    if name == "steps":
        count, _, position = inside.partition(",")
        return _steps(int(count), position.strip() or "end")
    kind, _, form = name.partition("-")
    if kind == "power":
        power = float(inside)
        return _in_form(lambda p: p**power, form)
    if kind in _LEADS:
        return _in_form(_LEADS[kind], form)
    return _polyline(inside) if name == "linear" and inside else lambda p: p


def _bezier(x1: float, y1: float, x2: float, y2: float) -> Curve:
    def along(a: float, b: float, s: float) -> float:
        return (((1 + 3 * (a - b)) * s + 3 * (b - 2 * a)) * s + 3 * a) * s

    def slope(s: float) -> float:
        return (3 * (1 + 3 * (x1 - x2)) * s + 6 * (x2 - 2 * x1)) * s + 3 * x1

    def curve(p: float) -> float:
        if p <= 0 or p >= 1:
            return min(max(p, 0.0), 1.0)
        # Newton's method, or bisection where that is slow.
        s = p
        for _ in range(8):
            error = along(x1, x2, s) - p
            if abs(error) < 1e-12:
                return along(y1, y2, s)
            if slope(s) < 1e-6:
                break
            s -= error / slope(s)
            if not 0 <= s <= 1:
                break
        low, high = 0.0, 1.0
        for _ in range(60):
            s = (low + high) / 2
            low, high = (s, high) if along(x1, x2, s) < p else (low, s)
        return along(y1, y2, s)

    return curve


def _steps(count: int, position: str) -> Curve:
    is_both = "both" in position
    first = 1 if "start" in position or is_both else 0
    jumps = count + (1 if is_both else -1 if "none" in position else 0)

    def curve(p: float) -> float:
        scaled = count * p
        nearest = floor(scaled + 0.5)
        # Products such as 0.1 · 10 miss their edge by the last bit.
        step = nearest if abs(scaled - nearest) <= ulp(p) * count else floor(scaled)
        return min(max(step + first, 0), jumps) / jumps

    return curve


def _polyline(stops: str) -> Curve:
    points = [[float(number.rstrip("%")) for number in stop.split()] for stop in stops.split(",")]
    last = max(len(points) - 1, 1)
    values = [point[0] for point in points]
    places = [point[1] / 100 if len(point) > 1 else index / last for index, point in enumerate(points)]

    def curve(p: float) -> float:
        index = max((index for index in range(last) if places[index] <= p), default=0)
        length = places[index + 1] - places[index]
        if length <= 0:
            return values[index + 1]
        return values[index] + (values[index + 1] - values[index]) * ((p - places[index]) / length)

    return curve


def _back(p: float) -> float:
    return p * p * (2.70158 * p - 1.70158)


def _elastic(p: float) -> float:
    # Stretched to be 0 at its start, where Penner's is 2⁻¹⁰.
    decay: float = (exp(-10 * log(2) * (1 - p)) - 2**-10) / (1 - 2**-10)
    return decay * cos(2 * pi / 0.3 * (1 - p))


def _bounce(p: float) -> float:
    # The end of each fall, the time of its peak, and the progress at the peak.
    falls = ((1, 0, 0), (2, 1.5, 0.75), (2.5, 2.25, 0.9375), (3, 2.625, 0.984375))
    rest = 1 - p
    _, middle, top = next((fall for fall in falls if rest < fall[0] / 2.75), falls[-1])
    distance = rest - middle / 2.75
    return 1 - (7.5625 * distance * distance + top)


_LEADS: dict[str, Curve] = {"back": _back, "elastic": _elastic, "bounce": _bounce}


def _in_form(lead: Curve, form: str) -> Curve:
    """A curve at the start, at the end or at both."""

    def curve(p: float) -> float:
        if p <= 0 or p >= 1:
            return 0.0 if p <= 0 else 1.0
        if form == "in":
            return lead(p)
        if form == "in-out":
            return lead(2 * p) / 2 if p < 0.5 else 1 - lead(2 - 2 * p) / 2
        return 1 - lead(1 - p)

    return curve


def spring_displacement(spring: Mapping[str, Any], displacement: float, velocity: float) -> Curve:
    """A spring's displacement from its target by the time in seconds, in one closed form for all damping ratios.

    y(t) = y₀ C(t) + (v₀ + z w y₀) S(t), where C is the damped cosine, and S the damped sine over its frequency.
    """
    response: float = spring["response"]
    ratio: float = spring["dampingRatio"]
    if response == 0:
        return lambda _: 0.0
    undamped = 2 * pi / response
    decay = ratio * undamped
    drive = velocity + decay * displacement
    # (1 - z)(1 + z) keeps its digits near 1, where 1 - z² loses them.
    discriminant = undamped * undamped * ((1 - ratio) * (1 + ratio))
    frequency = sqrt(abs(discriminant))

    def curve(seconds: float) -> float:
        x = discriminant * seconds * seconds
        if x < -1e-6:
            # Not cosh and sinh, which overflow. The slower of the two rates is in the form that doesn't cancel.
            slow, fast = exp(-undamped * undamped / (decay + frequency) * seconds), exp(-(decay + frequency) * seconds)
            cosine, sine = (slow + fast) / 2, (slow - fast) / (2 * frequency)
        else:
            envelope, angle = exp(-decay * seconds), frequency * seconds
            if x <= 1e-6:
                cosine, sine = envelope * (1 - x / 2 + x * x / 24), envelope * seconds * (1 - x / 6 + x * x / 120)
            else:
                cosine, sine = envelope * cos(angle), envelope * sin(angle) / frequency
        return displacement * cosine + drive * sine

    return curve
