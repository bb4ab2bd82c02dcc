// Motions that are computed here; the vectors that all clients pass have the values of every curve.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Motion } from "@tweencast/client";

const start = "2026-11-26T06:07:20.802Z";
const course = { state: "running", from: 0, to: 1500, start, duration: 60, easing: "linear" };
const visitors = { ticker: "visitors", value: 0, text: "0 visitors", number: { suffix: " visitors" }, motion: course };

test("a ticker has a value and a text at each instant", () => {
  const motion = new Motion(visitors);
  assert.equal(motion.start, Date.parse(start));
  assert.deepEqual([0, 30, 59, 60, 61].map((at) => motion.valueAt(at)), [0, 750, 1475, 1500, 1500]);
  assert.equal(motion.textAt(30), "750 visitors");
  assert.deepEqual([59, 60].map((at) => motion.hasEndedAt(at)), [false, true]);
  assert.equal(motion.fractionAt(30), undefined);
});

test("a progress has a fraction", () => {
  const motion = { ...course, to: 50, maximum: 200 };
  const label = [{ of: "value" }, " of ", { of: "maximum" }];
  const upload = new Motion({ progress: "upload", value: 0, text: "0 of 200", label, motion });
  assert.equal(upload.fractionAt(30), 0.125);
  assert.equal(upload.textAt(60), "50 of 200");
});

test("what moves at another rate, or is paused, has its own time", () => {
  const twice = new Motion({ ...visitors, motion: { ...course, rate: 2, elapsed: 10 } });
  assert.equal(twice.valueAt(10), 750);
  const paused = new Motion({ ...visitors, motion: { ...course, state: "paused", elapsed: 10 } });
  assert.deepEqual([paused.valueAt(0), paused.valueAt(1000)], [250, 250]);
});

test("a text that only the server can write is left to it", () => {
  assert.equal(new Motion({ value: 0, text: "0 (1 s)", motion: course }).textAt(1), undefined);
});
