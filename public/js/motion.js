// Plays a ticker's motions at the screen's own rate from `?mode=motion`: one event for each update, no frames.
import { curveOf } from "./easing.js";
import { serverTime } from "./source.js";

const DIGITS = /[-\u2212]?\d[\d,]*(?:\.\d+)?/;

/** A motion as a function of time; every form the server may give its timing in is read here, once. */
export class Motion {
  constructor(data) {
    const motion = data.motion ?? data;
    this.from = Number(motion.from ?? data.value ?? 0);
    this.to = Number(motion.to ?? data.target ?? this.from);
    this.start = motion.start === undefined ? Date.now() : serverTime(motion.start);
    const { at, duration } = curveOf(data.points ? { ...motion, easing: data.points, spring: null } : motion);
    this.at = at;
    this.duration = motion.duration ?? duration ?? 0;
    this.delay = motion.delay ?? 0;
    this.rate = motion.rate ?? 1;
    this.reverse = motion.direction ?? (motion.autoreverse ? "alternate" : "normal");
    this.cycles = this.cyclesOf(motion);
    this.state = motion.state ?? "running";
    this.fraction = motion.fraction ?? 0;
  }

  cyclesOf({ repeat = 0, autoreverse = false }) {
    const cycles = repeat === "forever" ? Infinity : Number(repeat) + 1;
    return autoreverse ? (repeat ? (cycles - 1) * 2 : 2) : cycles;
  }

  /** The value at a server time in milliseconds, and whether the end is reached. */
  sample(time) {
    if (this.state === "finished" || this.state === "idle") return { value: this.to, share: 1, done: true };
    if (this.state === "paused") return { value: this.between(this.fraction), share: this.fraction, done: true };
    const seconds = ((time - this.start) / 1000) * this.rate - this.delay;
    const whole = this.duration > 0 ? Math.max(0, seconds) / this.duration : this.cycles;
    if (whole >= this.cycles) return { value: this.between(this.ending()), share: 1, done: true };
    const cycle = Math.floor(whole);
    return { value: this.between(this.turned(cycle, whole - cycle)), share: isFinite(this.cycles) ? whole / this.cycles : whole - cycle, done: false };
  }

  ending() {
    const cycle = Math.ceil(this.cycles) - 1;
    return this.turned(cycle, this.cycles - cycle);
  }

  turned(cycle, share) {
    const odd = cycle % 2 === 1;
    const back = { reverse: true, alternate: odd, "alternate-reverse": !odd }[this.reverse] ?? false;
    return back ? 1 - share : share;
  }

  between(share) {
    const p = this.at(share);
    return p === 1 ? this.to : this.from + (this.to - this.from) * p;
  }
}

/** Reads the motion stream of one ticker and draws it; hidden tabs draw nothing and catch up at once. */
export class MotionPlayer {
  constructor(resource, element) {
    this.element = element;
    this.skew = 0;
    this.template = "0";
    this.decimals = 0;
    const events = (this.events = new EventSource(`${resource.origin}${resource.path}/events?mode=motion`));
    events.addEventListener("hello", ({ data }) => (this.skew = Date.now() - serverTime(JSON.parse(data).now)));
    events.onmessage = ({ data }) => this.rest(JSON.parse(data));
    events.addEventListener("motion", ({ data }) => this.play(JSON.parse(data)));
    for (const name of ["complete", "paused", "resumed", "removed", "milestone"]) {
      events.addEventListener(name, ({ data }) => this.event(name, JSON.parse(data)));
    }
  }

  stop() {
    this.events.close();
    cancelAnimationFrame(this.next);
  }

  rest(data) {
    this.learn(data.text, data.value);
    if (!this.motion) this.element.frame(data);
  }

  /** Takes static parts, digits and grouping from a text of the server's. */
  learn(text, value) {
    const number = DIGITS.exec(text ?? "");
    if (!number) return;
    this.template = text;
    this.grouped = number[0].includes(",");
    this.decimals = number[0].split(".")[1]?.length ?? 0;
    this.scale = value ? Number(number[0].replaceAll(",", "").replace("\u2212", "-")) / value : 1;
  }

  play(data) {
    if (data.text !== undefined) this.learn(data.text, data.value);
    this.decimals = data.decimals ?? this.decimals;
    this.motion = new Motion(data);
    cancelAnimationFrame(this.next);
    this.draw();
  }

  event(name, data) {
    if (name === "complete" && data.finished !== false) {
      this.motion = null;
      cancelAnimationFrame(this.next);
      this.learn(data.text, data.value);
      this.element.frame(data);
    }
    this.element.event(name, data);
  }

  draw() {
    if (!this.motion) return;
    const { value, done } = this.motion.sample(Date.now() - this.skew);
    this.element.frame({ value, text: this.text(value) });
    if (!done) this.next = requestAnimationFrame(() => this.draw());
  }

  text(value) {
    const number = value.toLocaleString("en-US", {
      minimumFractionDigits: this.decimals, maximumFractionDigits: this.decimals,
      useGrouping: this.grouped ?? false, signDisplay: "negative",
    });
    return this.template.replace(DIGITS, () => number);
  }
}
