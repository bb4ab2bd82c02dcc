"""Writes penner.json: Robert Penner's back, elastic and bounce as his equations have them, in t, b, c and d.
    python3 Tests/Vectors/make-penner-vectors.py
Elastic is his equation scaled so that it begins where it starts, an in-out form is two halves; slopes are differences of five points."""

import json
import math
from pathlib import Path


def back_in(t, b, c, d):
    s = 1.70158
    t /= d
    return c * t * t * ((s + 1) * t - s) + b


def elastic_in(t, b, c, d):
    p = d * 0.3
    s = p / (2 * math.pi) * math.asin(1)
    t = t / d - 1
    fading = (math.pow(2, 10 * t) - 2**-10) / (1 - 2**-10)
    return -(c * fading * math.sin((t * d - s) * 2 * math.pi / p)) + b


def bounce_out(t, b, c, d):
    t /= d
    if t < 1 / 2.75:
        return c * (7.5625 * t * t) + b
    if t < 2 / 2.75:
        t -= 1.5 / 2.75
        return c * (7.5625 * t * t + 0.75) + b
    if t < 2.5 / 2.75:
        t -= 2.25 / 2.75
        return c * (7.5625 * t * t + 0.9375) + b
    t -= 2.625 / 2.75
    return c * (7.5625 * t * t + 0.984375) + b


def bounce_in(t, b, c, d):
    return c - bounce_out(d - t, 0, c, d) + b


def out(inward):
    return lambda t, b, c, d: c - inward(d - t, 0, c, d) + b


def in_out(inward):
    outward = out(inward)

    def both(t, b, c, d):
        if t < d / 2:
            return inward(t * 2, 0, c, d) * 0.5 + b
        return outward(t * 2 - d, 0, c, d) * 0.5 + c * 0.5 + b

    return both


curves = {
    "back-in": back_in, "back-out": out(back_in), "back-in-out": in_out(back_in),
    "elastic-in": elastic_in, "elastic-out": out(elastic_in), "elastic-in-out": in_out(elastic_in),
    "bounce-in": bounce_in, "bounce-out": bounce_out, "bounce-in-out": in_out(bounce_in),
}
step = 1e-4
cases = []
for name, curve in curves.items():
    for index in range(41):
        # Off the seams of the bounces, and inside by more than two steps.
        p = min(max(index / 40 + (0.001 if index < 20 else -0.001), 0.001), 0.999)

        def at(x):
            return curve(7 * x, 0, 1, 7)

        slope = (at(p - 2 * step) - 8 * at(p - step) + 8 * at(p + step) - at(p + 2 * step)) / (12 * step)
        cases.append({"kind": "easing", "id": f"{name} {p:.4f}", "fn": name, "input": p, "expect": at(p),
                      "slope": slope, "tol": 1e-12})
path = Path(__file__).with_name("penner.json")
lines = ",\n".join(json.dumps(case) for case in cases)
about = "Penner's equations for back, elastic and bounce, by make-penner-vectors.py; slopes to 1e-6 of their size"
path.write_text(f'{{"about": {json.dumps(about)}, "cases": [\n{lines}\n]}}\n')
