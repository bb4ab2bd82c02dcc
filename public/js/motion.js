// Motions as `?mode=motion` tells them: what shows at any time, at the screen's own rate.
import { Course } from "./trajectory.js";
import { fractionOf, percentOf, writing } from "./number-format.js";

/**
 * A `motion` event, as openapi.yaml has it.
 * @typedef {{ value: number, text: string, motion: Told, number?: NumberPlan, label?: (string | LabelNumber)[], rest?: string }}
 *   MotionEvent
 * @typedef {Way & { state: string, start: string, elapsed?: number, rate?: number, range?: [number | null, number | null],
 *   arrival?: number, maximum?: number | (Way & { caps?: boolean }) }} Told
 * @typedef {import("./trajectory.js").Way} Way
 * @typedef {import("./number-format.js").NumberPlan} NumberPlan
 * @typedef {NumberPlan & { of: "value" | "percent" | "fraction" | "maximum" }} LabelNumber
 *
 * What shows at a moment. `share` is that of its time, of the present cycle's where it never ends; `done`: nothing changes from
 * here on; `ended`: it has arrived.
 * @typedef {{ value: number, maximum?: number, fraction?: number, percent?: number, share: number, done: boolean,
 *   ended: boolean }} Sample
 */

/** A motion as a function of the server's time. */
export class Motion {
  /** @param {MotionEvent} event */
  constructor({ motion }) {
    const { state, start, elapsed = 0, rate = 1, range, arrival = Infinity, maximum } = motion;
    this.isPaused = state === "paused";
    this.start = Date.parse(start);
    this.elapsed = elapsed;
    this.rate = rate;
    this.isReversed = rate < 0;
    this.range = [range?.[0] ?? -Infinity, range?.[1] ?? Infinity];
    this.arrival = arrival;
    this.course = new Course(motion);
    this.isStill = motion.from === motion.to && !motion.velocity && !motion.keyframes;
    this.maximum = typeof maximum === "object" ? new Course(maximum) : maximum;
    // What sets out from all of it shows all of it until it has left; else nothing is done before it is.
    this.cap =
      typeof maximum === "object" && maximum.caps
        ? motion.from === maximum.from
          ? 1
          : 1 - 2 ** -53
        : Infinity;
    /** The curve from 0 to 1 by the share of its time, to be drawn. */
    this.at = this.at.bind(this);
  }

  /**
   * Own seconds at an instant.
   * @param {number} now milliseconds of the server's clock
   */
  time(now) {
    return this.isPaused ? this.elapsed : this.elapsed + ((now - this.start) / 1000) * this.rate;
  }

  /**
   * What a course shows, whose time is held at the end that it runs towards.
   * @param {Course} course
   * @param {number} time own seconds
   */
  follow(course, time) {
    const { elapsed, isReversed } = this;
    const end = isReversed ? Math.min(0, elapsed) : Math.max(course.end, elapsed);
    return course.value(isReversed ? Math.max(time, end) : Math.min(time, end), isReversed);
  }

  /** @param {number} time own seconds */
  maximumAt(time) {
    const { maximum } = this;
    if (!(maximum instanceof Course)) return maximum;
    const [low, high] = [maximum.from, maximum.to].sort((a, b) => a - b);
    return Math.min(Math.max(this.follow(maximum, time), low), high);
  }

  /** @param {number} time own seconds */
  valueAt(time) {
    const { course, range } = this;
    const hasArrived = time - course.delay >= this.arrival;
    const value = hasArrived ? course.to : this.follow(course, time);
    const held = Math.min(Math.max(value, range[0]), range[1]);
    return this.cap === Infinity ? held : Math.min(held, this.cap * (this.maximumAt(time) ?? Infinity));
  }

  /** @param {number} time own seconds */
  hasEnded(time) {
    const { isReversed, elapsed, course, maximum } = this;
    if (this.isPaused || this.rate === 0) return false;
    /** @type {(goal: number) => boolean} */
    const hasReached = (goal) =>
      isReversed ? time <= Math.max(Math.min(goal, elapsed), 0) : time >= Math.max(goal, elapsed, 0);
    // With the motion its maximum is where it goes.
    if (hasReached(isReversed ? 0 : course.end)) return true;
    const isThere = this.isStill || hasReached(course.settled(isReversed));
    return isThere && (!(maximum instanceof Course) || hasReached(maximum.settled(isReversed)));
  }

  /**
   * What shows at an instant.
   * @param {number} now milliseconds of the server's clock
   * @returns {Sample}
   */
  sample(now) {
    const time = this.time(now);
    return this.hasEnded(time) ? this.rest() : this.moment(time, false);
  }

  /**
   * What shows at its end; of one that never ends, at the end of a cycle.
   * @returns {Sample}
   */
  rest() {
    const { course, elapsed } = this;
    if (this.isPaused) return this.moment(elapsed, false);
    const isEndless = !Number.isFinite(course.end);
    const sample = this.moment(this.isReversed ? -Infinity : isEndless ? course.delay : Infinity, true);
    if (!isEndless || this.isReversed) return sample;
    return { ...sample, value: course.direction === "reverse" ? course.from : course.to };
  }

  /**
   * @param {number} time own seconds
   * @param {boolean} ended
   * @returns {Sample}
   */
  moment(time, ended) {
    const { course } = this;
    // On its way it keeps within its range; what it arrives at is what was asked for.
    const value = ended ? this.follow(course, time) : this.valueAt(time);
    const maximum = ended && this.maximum instanceof Course ? this.maximum.to : this.maximumAt(time);
    const sample = { value, maximum, share: this.share(time), done: ended || this.isPaused, ended };
    if (maximum === undefined) return sample;
    const isChanging = this.maximum instanceof Course && maximum !== this.maximum.to;
    const percent = percentOf(value, maximum, isChanging ? Infinity : course.to);
    return { ...sample, fraction: fractionOf(value, maximum), percent };
  }

  /** Seconds that `at` is a curve over. */
  get span() {
    const { delay, active, duration } = this.course;
    return delay + (Number.isFinite(active) ? active : duration);
  }

  /** @param {number} time own seconds */
  share(time) {
    const { span, course } = this;
    const isOver = time > span && !Number.isFinite(course.active);
    const within = isOver ? course.delay + ((time - course.delay) % course.duration) : time;
    return span > 0 ? Math.min(Math.max(within / span, 0), 1) : 1;
  }

  /**
   * How far the value has come at a share of the time.
   * @param {number} share
   */
  at(share) {
    const { from, to } = this.course;
    return (this.valueAt(share * this.span) - from) / (to - from || 1);
  }
}

/**
 * The text of samples as a function; undefined where it is the server's alone: where it follows time, or plural rules that this
 * browser doesn't know.
 * @param {MotionEvent} event
 * @returns {((sample: Sample) => string) | undefined}
 */
export function textOf({ value, text, motion, number, label, rest }) {
  const write = number ? tickerText(number) : label && labelText(label, motion);
  if (!write) return undefined;
  const isSteady = typeof motion.maximum !== "object";
  return (sample) => {
    if (sample.ended && rest !== undefined) return rest;
    // What stands still may have more digits than a double.
    return sample.value === value && isSteady ? text : write(sample);
  };
}

/** @param {NumberPlan} number */
function tickerText(number) {
  const write = writing(number);
  return write && ((/** @type {Sample} */ { value }) => write(value));
}

/**
 * @param {(string | LabelNumber)[]} label
 * @param {Told} motion
 * @returns {((sample: Sample) => string) | undefined}
 */
function labelText(label, motion) {
  const pieces = label.map((piece) => {
    if (typeof piece === "string") return () => piece;
    const { of, ...plan } = piece;
    const write = writing(plan);
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

/**
 * What a page shows of a motion at its pace, if only now and then; undefined for nothing new.
 * @param {Motion} motion
 * @param {number} now milliseconds of the server's clock
 * @param {"live" | "settled" | "paused"} pace
 */
export function shown(motion, now, pace) {
  return pace === "paused" ? undefined : motion.sample(now);
}
