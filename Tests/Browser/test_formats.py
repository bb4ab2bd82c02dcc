"""Motions as a page computes them, held against the server's frames: formats and ways drawn by lot."""

import json
import os
import random
import unittest

from browser import BrowserTest

LOCALES = (
    "en-US de-DE de-CH fr-FR es-ES pt-BR pl-PL ru-RU cs-CZ sv-SE tr-TR hi-IN bn-BD mr-IN ar-EG fa-IR he-IL ja-JP zh-CN "
    "th-TH lt-LT sl-SI lv-LV cy-GB"
).split()
STYLES = (
    {"style": "decimal"},
    {"style": "currency", "currency": "EUR"},
    {"style": "currency", "currency": "USD", "currencySign": "accounting"},
    {"style": "currency", "currency": "JPY"},
    {"style": "currency", "currency": "INR", "currencyDisplay": "name"},
    {"style": "currency", "currency": "EUR", "notation": "compact"},
    {"style": "percent"},
    {"style": "compact"},
    {"style": "compact", "compactDisplay": "long"},
    {"style": "unit", "unit": "kilometer-per-hour"},
    {"style": "unit", "unit": "day", "unitDisplay": "long"},
    {"style": "decimal", "notation": "scientific"},
    {"style": "decimal", "notation": "engineering"},
    {"style": "decimal", "maximumSignificantDigits": 4},
    {"style": "currency", "currency": "USD", "trailingZeros": "strip-if-integer"},
    {"style": "clock"},
    {"style": "duration"},
)
LABELS = (
    "0",
    "Total: 0 net",
    "0 left",
    ".5 l",
    "{n, plural, =0 {none} one {# coin} few {# coins!} other {# coins}}",
    "{n, plural, offset:1 =0 {none} one {one and # of {n}} other {one and # more of {n}}}",
    "{n, selectordinal, one {#st} two {#nd} few {#rd} many {#m} other {#th}} place",
    "{n, selectordinal, =3 {third} one {#st} few {#rd} other {#th}} of {n}",
    "0:00:00",
)
ROUNDING = ("half-expand", "half-even", "half-trunc", "half-ceil", "half-floor", "ceil", "floor", "expand", "trunc")
WAYS = (
    {"easing": "linear"},
    {"easing": "easeOut"},
    {"easing": "cubic-bezier(.3, 1.4, .6, 1)"},
    {"easing": "steps(7, start)"},
    {"easing": "linear(0, .8 40%, 1)"},
    {"easing": "back-in-out"},
    {"easing": "elastic"},
    {"easing": "bounce", "delay": 0.4},
    {"easing": "ease-in-out", "repeat": 1, "autoreverse": True, "duration": 0.8, "repeatDelay": 0.2},
    {"easing": "easeIn", "duration": 0.7, "repeat": "forever", "direction": "alternate"},
    {"easing": "ease", "rate": 1.7},
    {"easing": "ease", "rate": -1},
    {"spring": {"dampingRatio": 0.4, "response": 0.7}, "clamp": "never-decrease"},
    {"spring": {"dampingRatio": 0.3, "response": 0.8}},
    {"spring": {"mass": 1, "stiffness": 100, "damping": 20}},
    {"spring": {"dampingRatio": 1.6, "response": 0.6, "initialVelocity": 2}},
    {"spring": {"dampingRatio": 0.5, "response": 0.7}, "clamp": True},
    {"spring": {"dampingRatio": 0.7, "response": 0.4}, "repeat": 2, "autoreverse": True},
)
LOOKS = ("ticker", "progress", "label", "format", "decimals", "maximum")
TEMPLATES = ("{percent}%", "{value} of {maximum}", "{fraction} ({percent})", "{value} to {target}")


def ticker(lot: random.Random, name: str) -> dict:
    style = lot.choice(STYLES)
    face = {"locale": lot.choice(LOCALES), **style, "rounding": lot.choice(ROUNDING)}
    face["sign"] = lot.choice(("auto", "always", "never", "except-zero", "negative"))
    if lot.random() < 0.2 and style["style"] not in ("clock", "duration"):
        face["minimumIntegerDigits"] = lot.randint(2, 6)
    if lot.random() < 0.2:
        face["grouping"] = lot.choice(("always", "never", "min2"))
    update = {"ticker": name, "label": lot.choice(LABELS), "format": face}
    if "maximumSignificantDigits" not in style and lot.random() < 0.5:
        update["decimals"] = lot.randint(0, 4)
    size = 10 ** lot.randint(1, 8)
    return {**update, "from": round(lot.uniform(-size, size), 2), **goal(lot, size, "to")}


def progress(lot: random.Random, name: str) -> dict:
    update = {"progress": name, "label": lot.choice(TEMPLATES), "maximum": lot.choice((100, 250, 7.5))}
    if lot.random() < 0.5:
        update["format"] = {"locale": lot.choice(LOCALES), "style": lot.choice(("decimal", "percent"))}
    if lot.random() < 0.5:
        update["decimals"] = lot.randint(0, 3)
    return {**update, **goal(lot, update["maximum"], "current")}


def goal(lot: random.Random, size: float, member: str) -> dict:
    """Where it goes and how."""
    target = abs if member == "current" else float
    way = dict(lot.choice(WAYS))
    if "easing" in way:
        way.setdefault("duration", 4)
    if "easing" in way and lot.random() < 0.15 and "clamp" not in way:
        values = [round(target(lot.uniform(-size, size)), 2) for _ in range(3)]
        return {member: values, **way}
    return {member: round(target(lot.uniform(-size, size)), 2), **way}


# Frames and motions of all, until nothing of the second round can be moving.
RECORD = """
const done = arguments[0];
const frames = (window.frames = []), motions = (window.motions = {}), ended = (window.ended = {});
const all = "/v1/events?ticker=lot-*&progress=lot-*", opened = [`${all}&stamp&wheels&fps=15`, `${all}&mode=motion`].map((url) =>
  new Promise((resolve) => {
    const stream = new EventSource(url), key = (data) => data.ticker ?? data.progress;
    stream.addEventListener("hello", resolve);
    if (url.endsWith("fps=15")) stream.addEventListener("message", ({data}) =>
      frames.push([Number(/"t":(\\d+)/.exec(data)[1]) / 1e6, JSON.parse(data)]));
    else stream.addEventListener("motion", ({data: json}) => {
      const data = JSON.parse(json);
      (motions[key(data)] ??= []).push(data);
    });
    stream.addEventListener("complete", ({data: json}) => {
      const data = JSON.parse(json);
      (ended[key(data)] ??= []).push(data.animation);
    });
  }));
Promise.all(opened).then(() => done(true));
"""

# Each frame that lies within the time of one motion, beside what the page makes of that: the value, and the text of the frame's
# own value, since dates in doubles have no more than a quarter of a microsecond, in which great numbers change.
COMPARE = """
const done = arguments[0];
const isAlike = (mine, told) => mine?.length === told?.length && (mine ?? []).every((part, index) => {
  const [own, other] = [[part].flat(), [told[index]].flat()];
  // Frames have positions to a thousandth, and one that is that near to being there is.
  return own.slice(0, 2).every((item, n) => (typeof item === "string" ? item === other[n]
    : Math.abs(item - (other[n] ?? 1)) < 2e-3)) && Math.abs((own[2] ?? 1) - (other[2] ?? 1)) < 2e-3;
});
Promise.all([import("/js/motion.js"), import("/js/odometer.js")]).then(([{Motion, textOf}, {wheelsOf}]) => {
  const found = {compared: 0, wheels: 0, motions: 0, unwritten: [], far: [], other: [], turned: [], sizes: []}, ways = {};
  for (const [key, told] of Object.entries(motions)) {
    ways[key] = told.map((data) => ({data, motion: new Motion(data), text: textOf(data)}));
    found.motions += told.length;
    for (const data of told) if (!data.motion.keyframes) found.sizes.push(new TextEncoder().encode(JSON.stringify(data)).length);
    for (const {data, text} of ways[key]) if (!text) found.unwritten.push(JSON.stringify(data));
  }
  for (const [read, frame] of frames) {
    // A last frame is of the very instant at which its motion ends; milliseconds since 1970 have a quarter of a microsecond
    // as their last digit, and may read as before it.
    const time = frame.seq === undefined ? read + 0.0005 : read;
    const told = ways[frame.ticker ?? frame.progress] ?? [];
    const place = told.findLastIndex(({motion}) => motion.start <= time);
    // What one motion ends with may be told when the next has begun, and holding one begins when its request comes.
    if (place < 0 || Math.min((told[place + 1]?.motion.start ?? Infinity) - time, time - told[place].motion.start) < 50) continue;
    const {data, motion, text} = told[place], sample = motion.sample(time);
    const stops = [data.motion, ...(data.motion.keyframes ?? [])].map(({to}) => Math.abs(to - data.motion.from));
    // How far it goes where it sets out with a velocity, too.
    const {velocity = 0, duration, launch} = data.motion, [speed, span] = launch?.turn ?? launch?.swerve ?? [velocity, duration];
    const distance = Math.max(...stops, Math.abs(speed * span), Math.abs(data.motion.from) * 1e-9, 1e-9);
    const isThere = sample.value === frame.value, {fraction} = frame;
    const maximum = data.motion.maximum?.to && fraction && !sample.ended ? frame.value / fraction : sample.maximum;
    const written = text?.({...sample, value: frame.value, fraction, maximum, ended: sample.ended && isThere});
    const note = (list) => list.push([time - motion.start, sample, written, frame, JSON.stringify(data)]);
    found.compared++;
    const share = frame.value / sample.maximum;
    if (!(Math.abs(sample.value - frame.value) / distance < 1e-5)) note(found.far);
    else if (frame.fraction && !(Math.abs(frame.fraction / share - 1) < 1e-5)) note(found.far);
    if (text && written !== frame.text) note(found.other);
    if (!data.number || sample.done) continue;
    found.wheels++;
    const wheels = wheelsOf(frame.value, data.number);
    if (!isAlike(wheels, frame.wheels)) found.turned.push([wheels, frame, data.number]);
  }
  done(found);
});
"""


class FormatLotteryTest(BrowserTest):
    def post(self, updates: list[dict]):
        for start in range(0, len(updates), 25):
            for line in self.server.request("POST", "/v1/batch", updates[start : start + 25]).splitlines():
                self.assertNotIn("title", json.loads(line))

    def test_random_formats_are_computed_by_the_page_as_frames_show_them(self):
        lot = random.Random(int(os.environ.get("SEED", "20261125")))
        names = [f"lot-{index}" for index in range(200)]
        updates = [progress(lot, name) if index % 6 == 5 else ticker(lot, name) for index, name in enumerate(names)]
        # Formats are compiled before anything moves.
        looks = [{name: update[name] for name in LOOKS if name in update} for update in updates]
        self.post([{**look, "current" if "progress" in look else "to": 0, "animated": False} for look in looks])
        self.driver.get(self.server.url + "/favicon.svg")
        self.driver.execute_async_script(RECORD)
        self.post(updates)
        self.until("return Object.keys({...motions, ...ended}).length === 200", seconds=30)
        self.until("return frames.length > 1500", seconds=30)
        # Cut off on their way, with the velocity they have; some are held, and some of these go on.
        again = [{**look, **goal(lot, 1000, "current" if "progress" in look else "to")} for look in looks]
        for update in again:
            if "progress" in update and lot.random() < 0.5:
                update["maximum"] = 500
        self.post(again)
        for index in range(0, 200, 10):
            kind = "progress" if "progress" in updates[index] else "ticker"
            self.server.post(f"{kind}:lot-{index}", "pause")
        for index in range(0, 200, 20):
            kind = "progress" if "progress" in updates[index] else "ticker"
            self.server.post(f"{kind}:lot-{index}", "resume")
        self.until("return Object.keys(ended).length > 120 && frames.length > 5000", seconds=60)
        found = self.driver.execute_async_script(COMPARE)
        self.assertEqual(found["unwritten"], [])
        self.assertGreater(found["motions"], 350)
        self.assertGreater(found["compared"], 2000)
        self.assertEqual(found["far"][:8], [])
        self.assertEqual(found["other"][:8], [])
        # With a takeover, words in many forms and a message of four at once it is longer.
        sizes = sorted(found["sizes"])
        self.assertLessEqual(sizes[len(sizes) // 2], 550)
        self.assertLessEqual(sizes[-1], 900)
        self.assertGreater(found["wheels"], 500)
        self.assertEqual(found["turned"][:8], [])


if __name__ == "__main__":
    unittest.main()
