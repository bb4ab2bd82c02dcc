// Motions of `?mode=motion`: what they show at any time, at the screen's own rate.
import { fractionOf, numberFormatter, percentOf } from "./number-format.js";
import { Trajectory } from "./trajectory.js";

/**
 * A `motion` event, as in openapi.yaml.
 * @typedef {{ value: number, text: string, motion: MotionState, number?: NumberPlan, label?: (string | LabelNumber)[], rest?: string }}
 *   MotionEvent
 * @typedef {MotionSpec & { state: string, start: string, elapsed?: number, rate?: number, range?: Bounds, clamp?: Bounds,
 *   arrival?: number, maximum?: number | (MotionSpec & { caps?: boolean }) }} MotionState
 * @typedef {[low: number | null, high: number | null]} Bounds
 * @typedef {import("./trajectory.js").MotionSpec} MotionSpec
 * @typedef {import("./number-format.js").NumberPlan} NumberPlan
 * @typedef {NumberPlan & { of: "value" | "percent" | "fraction" | "maximum" }} LabelNumber
 *
 * What a motion shows at an instant. `share` is the fraction of its time, or of the present cycle's if it never ends;
 * `done`: nothing changes from here on; `ended`: the motion has ended.
 * @typedef {{ value: number, maximum?: number, fraction?: number, percent?: number, share: number, done: boolean,
 *   ended: boolean }} Sample
 */

/** @type {(value: number, bounds?: Bounds) => number} */
const bounded = (value, [low, high] = [null, null]) =>
  Math.min(Math.max(value, low ?? -Infinity), high ?? Infinity);

/** A motion as a function of the server's time. */
export class Motion {
  /** @param {MotionEvent} event */
  constructor({ motion }) {
    const { state, start, elapsed = 0, rate = 1, range, clamp, arrival = Infinity, maximum } = motion;
    this.isPaused = state === "paused";
    this.start = Date.parse(start);
    this.elapsed = elapsed;
    this.rate = rate;
    this.isReversed = rate < 0;
    this.range = range;
    this.clamp = clamp;
    this.arrival = arrival;
    this.trajectory = new Trajectory(motion);
    this.isStill = motion.from === motion.to && !motion.velocity && !motion.keyframes;
    this.maximum = typeof maximum === "object" ? new Trajectory(maximum) : maximum;
    // A motion that starts at the maximum may show it; any other stays just below until it ends.
    this.cap =
      typeof maximum === "object" && maximum.caps
        ? motion.from === maximum.from
          ? 1
          : 1 - 2 ** -53
        : Infinity;
    /** The motion's curve, from 0 to 1 over `span`, for drawing. */
    this.at = this.at.bind(this);
  }

  /**
   * The motion's local time at an instant, in seconds.
   * @param {number} now milliseconds of the server's clock
   */
  time(now) {
    return this.isPaused ? this.elapsed : this.elapsed + ((now - this.start) / 1000) * this.rate;
  }

  /**
   * The value on a trajectory; time stops at the end that the motion runs towards.
   * @param {Trajectory} trajectory
   * @param {number} time local, in seconds
   */
  positionOn(trajectory, time) {
    const { elapsed, isReversed } = this;
    const end = isReversed ? Math.min(0, elapsed) : Math.max(trajectory.end, elapsed);
    return trajectory.value(isReversed ? Math.max(time, end) : Math.min(time, end), isReversed);
  }

  /** @param {number} time local, in seconds */
  maximumAt(time) {
    const { maximum } = this;
    if (!(maximum instanceof Trajectory)) return maximum;
    const [low, high] = [maximum.from, maximum.to].sort((a, b) => a - b);
    return Math.min(Math.max(this.positionOn(maximum, time), low), high);
  }

  /** @param {number} time local, in seconds */
  valueAt(time) {
    const { trajectory } = this;
    const hasArrived = time - trajectory.delay >= this.arrival;
    const value = hasArrived ? trajectory.to : this.positionOn(trajectory, time);
    const held = bounded(value, this.range);
    return this.cap === Infinity ? held : Math.min(held, this.cap * (this.maximumAt(time) ?? Infinity));
  }

  /** @param {number} time local, in seconds */
  hasEnded(time) {
    const { isReversed, elapsed, trajectory, maximum } = this;
    if (this.isPaused || this.rate === 0) return false;
    /** @type {(goal: number) => boolean} */
    const hasReached = (goal) =>
      isReversed ? time <= Math.max(Math.min(goal, elapsed), 0) : time >= Math.max(goal, elapsed, 0);
    // When the motion ends, its maximum has its final value, too.
    if (hasReached(isReversed ? 0 : trajectory.end)) return true;
    const isThere = this.isStill || hasReached(trajectory.restTime(isReversed));
    return isThere && (!(maximum instanceof Trajectory) || hasReached(maximum.restTime(isReversed)));
  }

  /**
   * What the motion shows at an instant.
   * @param {number} now milliseconds of the server's clock
   * @returns {Sample}
   */
  sample(now) {
    const time = this.time(now);
    return this.hasEnded(time) ? this.rest() : this.sampleAt(time, false);
  }

  /**
   * What the motion shows at its end; if it never ends, at the end of a cycle.
   * @returns {Sample}
   */
  rest() {
    const { trajectory, elapsed } = this;
    if (this.isPaused) return this.sampleAt(elapsed, false);
    const isEndless = !Number.isFinite(trajectory.end);
    const sample = this.sampleAt(this.isReversed ? -Infinity : isEndless ? trajectory.delay : Infinity, true);
    if (!isEndless || this.isReversed) return sample;
    return { ...sample, value: trajectory.direction === "reverse" ? trajectory.from : trajectory.to };
  }

  /**
   * @param {number} time local, in seconds
   * @param {boolean} ended
   * @returns {Sample}
   */
  sampleAt(time, ended) {
    const { trajectory } = this;
    // On the way the value stays within its range; of that only a clamp bounds the final one.
    const value = ended ? bounded(this.positionOn(trajectory, time), this.clamp) : this.valueAt(time);
    const maximum = ended && this.maximum instanceof Trajectory ? this.maximum.to : this.maximumAt(time);
    const sample = { value, maximum, share: this.share(time), done: ended || this.isPaused, ended };
    if (maximum === undefined) return sample;
    const isChanging = this.maximum instanceof Trajectory && maximum !== this.maximum.to;
    const percent = percentOf(value, maximum, isChanging ? Infinity : trajectory.to);
    return { ...sample, fraction: fractionOf(value, maximum), percent };
  }

  /** The seconds that the curve `at` spans. */
  get span() {
    const { delay, active, duration } = this.trajectory;
    return delay + (Number.isFinite(active) ? active : duration);
  }

  /** @param {number} time local, in seconds */
  share(time) {
    const { span, trajectory } = this;
    const isOver = time > span && !Number.isFinite(trajectory.active);
    const within = isOver ? trajectory.delay + ((time - trajectory.delay) % trajectory.duration) : time;
    return span > 0 ? Math.min(Math.max(within / span, 0), 1) : 1;
  }

  /**
   * The progress of the value at a fraction of the span.
   * @param {number} share
   */
  at(share) {
    const { from, to } = this.trajectory;
    return (this.valueAt(share * this.span) - from) / (to - from || 1);
  }
}

/**
 * A function that writes a sample's text; undefined if only the server can write it: for texts that depend on time, and
 * for plural rules that this browser doesn't know.
 * @param {MotionEvent} event
 * @returns {((sample: Sample) => string) | undefined}
 */
export function textOf({ value, text, motion, number, label, rest }) {
  const write = number ? tickerText(number) : label && labelText(label, motion);
  if (!write) return undefined;
  const isSteady = typeof motion.maximum !== "object";
  return (sample) => {
    if (sample.ended && rest !== undefined) return rest;
    // The text at rest may have more digits than a double.
    return sample.value === value && isSteady ? text : write(sample);
  };
}

/** @param {NumberPlan} number */
function tickerText(number) {
  const write = numberFormatter(number);
  return write && ((/** @type {Sample} */ { value }) => write(value));
}

/**
 * @param {(string | LabelNumber)[]} label
 * @param {MotionState} motion
 * @returns {((sample: Sample) => string) | undefined}
 */
function labelText(label, motion) {
  const pieces = label.map((piece) => {
    if (typeof piece === "string") return () => piece;
    const { of, ...plan } = piece;
    const write = numberFormatter(plan);
    if (!write) return undefined;
    const decimals = plan.decimals?.[1] ?? 0;
    return (/** @type {Sample} */ sample) => {
      const { value, maximum = 0, fraction = 0 } = sample;
      if (of !== "percent") return write({ value, maximum, fraction }[of]);
      const final = typeof motion.maximum === "object" ? motion.maximum.to : maximum;
      const end = final === maximum ? motion.to : Infinity;
      return write(percentOf(value, maximum, end, decimals) / 10 ** decimals);
    };
  });
  if (pieces.includes(undefined)) return undefined;
  return (sample) => pieces.map((piece) => piece?.(sample)).join("");
}
