"""motions.py page|package - the values that docs/motions.md or the Python package computes for motions, beside the server's.

Reads questions from standard input and prints the answer, both as MotionComparisonTests has them.
"""

import base64
import json
import math
import pathlib
import re
import struct
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[3]


def page():
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/motions.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict = {}
    exec("\n".join(blocks), names)
    # The page counts by the time of day, whose doubles have no room for billionths of a second.
    return lambda event, second: names["value"]({**event["motion"], "start": "1970-01-01T00:00:00.000Z"}, second)


def package():
    # Only its motions, which need no library.
    whole = types.ModuleType("tweencast")
    whole.__path__ = [str(ROOT / "clients/python/src/tweencast")]
    sys.modules["tweencast"] = whole
    from tweencast.motions import Motion

    return lambda event, second: Motion(event).value(second)


def doubles(text: str) -> list[float]:
    return [number for number, in struct.iter_unpack("<d", base64.b64decode(text))]


def main():
    value = {"page": page, "package": package}[sys.argv[1]]()
    found = {"count": 0, "equal": 0, "worst": 0.0, "description": ""}
    for question in json.load(sys.stdin):
        event, shown = json.loads(question["event"]), doubles(question["values"])
        reach = max(map(abs, [event["motion"]["from"], event["motion"]["to"], *shown]))
        for second, one, blur in zip(doubles(question["seconds"]), shown, doubles(question["blurs"])):
            computed = value(event, second)
            difference = 0 if computed == one else max(0, abs(computed - one) - blur) / reach
            found["count"] += 1
            found["equal"] += computed == one
            if not difference <= found["worst"]:
                found["worst"] = difference if math.isfinite(difference) else 1e300
                found["description"] = f"{computed} for {one} after {second} of {question['event']}"
    print(json.dumps(found))


if __name__ == "__main__":
    main()
