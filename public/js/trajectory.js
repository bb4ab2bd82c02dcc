// The way of a number as a function of its own time: cycles, easings, springs, keyframes, velocities taken over. Each formula
// is the server's, with the numbers that it has worked out.
import { easingCurve, oscillation } from "./easing.js";

/**
 * The way of a `motion` event or of its maximum, as openapi.yaml and docs/motions.md have it.
 * @typedef {{ from: number, to: number, duration: number, delay?: number, endDelay?: number, easing?: string,
 *   spring?: import("./easing.js").SpringShape, velocity?: number, keyframes?: Keyframe[], launch?: Launch,
 *   iterations?: number | "forever", direction?: string, repeatDelay?: number }} Way
 * @typedef {{ to: number, offset: number, easing: string }} Keyframe
 * @typedef {{ easing?: string, chase?: number, ramp?: number, swerve?: Aside, turn?: Aside }} Launch
 * @typedef {[number, number]} Aside a speed, and the seconds in which it is gone
 * @typedef {import("./easing.js").Curve} Curve
 */

/**
 * Exact at both ends, and never past them for shares within 0...1.
 * @type {(from: number, to: number, share: number) => number}
 */
const blend = (from, to, share) => {
  if (share === 0) return from;
  if (share === 1) return to;
  const distance = to - from;
  if (!Number.isFinite(distance)) return from * (1 - share) + to * share;
  const value = from + distance * share;
  if (share < 0 || share > 1) return value;
  return Math.min(Math.max(value, Math.min(from, to)), Math.max(from, to));
};

/**
 * An easing's first cycle with the velocity in it.
 * @type {(easing: Curve, launch: Launch) => Curve}
 */
const launched = (easing, { easing: own, chase, ramp, turn }) => {
  const curve = own ? easingCurve(own) : easing;
  if (chase !== undefined) return (p) => 1 - (1 - curve(p)) * Math.exp(-chase * p);
  if (ramp !== undefined) return (p) => curve(p * (ramp + (1 - ramp) * p));
  return turn ? (p) => curve(p * p) : curve;
};

/**
 * By the share of the cycle.
 * @type {(from: number, keyframes: Keyframe[]) => Curve}
 */
const alongKeyframes = (from, keyframes) => {
  const legs = keyframes.map(({ to, offset, easing }, index) => {
    const before = keyframes[index - 1] ?? { to: from, offset: 0 };
    return { from: before.to, to, start: before.offset, end: offset, curve: easingCurve(easing) };
  });
  return (share) => {
    const leg = legs.find(({ end }) => end > share);
    if (!leg) return keyframes[keyframes.length - 1].to;
    const gone = Math.max(0, (share - leg.start) / (leg.end - leg.start));
    return blend(leg.from, leg.to, leg.curve(gone));
  };
};

/** Where a number is at a moment of its own time. */
export class Course {
  /** @param {Way} way */
  constructor(way) {
    const { iterations = 1, delay = 0, endDelay = 0, direction = "normal", repeatDelay = 0 } = way;
    const { from, to, duration, launch } = way;
    this.from = from;
    this.to = to;
    this.duration = duration;
    this.delay = delay;
    this.direction = direction;
    this.repeatDelay = repeatDelay;
    this.iterations = iterations === "forever" ? Infinity : iterations;
    const isStill = duration === 0 || this.iterations === 0;
    const pauses = Math.max(Math.ceil(this.iterations) - 1, 0) * repeatDelay || 0;
    /** Seconds of movement. */
    this.active = isStill ? 0 : duration * this.iterations + pauses;
    /** Own time at which all is over. */
    this.end = Math.max(delay + this.active + endDelay, 0);
    this.aside = launch?.swerve ?? launch?.turn;
    const [cycle, firstCycle] = this.cycles(way);
    this.cycle = cycle;
    this.firstCycle = firstCycle;
  }

  /**
   * All cycles but the first, and that, by the share that is gone.
   * @param {Way} way
   * @returns {Curve[]}
   */
  cycles({ easing = "linear", spring, keyframes, launch, velocity = 0 }) {
    const { from, to, duration, iterations, direction } = this;
    if (keyframes) return Array(2).fill(alongKeyframes(from, keyframes));
    if (!spring) {
      const curve = easingCurve(easing);
      const first = launch ? launched(curve, launch) : curve;
      return [curve, first].map((own) => (/** @type {number} */ share) => blend(from, to, own(share)));
    }
    const runsOnce = iterations === 1 && direction === "normal";
    const beginsWhole = iterations >= 1 && /^(normal|alternate)$/.test(direction);
    return [0, beginsWhole ? velocity : 0].map((speed) => {
      const displacement = oscillation(spring, from - to, speed);
      // What is left of the way when a cycle ends is spread over it, so that it turns exactly at the ends.
      const rest = runsOnce ? 0 : displacement(duration);
      return (/** @type {number} */ share) => {
        if (share <= 0 || share >= 1) return share <= 0 ? from : to;
        const value = to + displacement(share * duration) - rest * share ** 2 * (3 - 2 * share);
        return Number.isFinite(value) ? value : to;
      };
    });
  }

  /** @param {number} iteration infinity counts as even */
  isForwards(iteration) {
    const isOdd = iteration % 2 === 1;
    if (this.direction === "normal" || this.direction === "reverse") return this.direction === "normal";
    return this.direction === "alternate" ? !isOdd : isOdd || iteration === Infinity;
  }

  /**
   * The share of which cycle is gone: the order of Web Animations' timing model.
   * @param {number} time
   * @param {boolean} isReversed
   */
  place(time, isReversed) {
    const { delay, active, end, duration, iterations, repeatDelay } = this;
    const start = Math.max(Math.min(delay, end), 0);
    const finish = Math.max(Math.min(delay + active, end), 0);
    const isBefore = time < start || (isReversed && time === start);
    const isAfter = !isBefore && (time > finish || (!isReversed && time === finish));
    const isActive = !isBefore && !isAfter;
    const passed = time - delay;
    const gone = isActive ? passed : isAfter && time >= delay + active ? active : Math.max(passed, 0);
    const isDone = duration === 0 ? !isBefore : gone === active;
    const period = duration + repeatDelay;
    const begun = repeatDelay > 0 ? Math.floor(gone / period) : 0;
    if (!isDone && repeatDelay > 0 && duration > 0 && gone - begun * period >= duration) {
      return { share: this.isForwards(begun) ? 1 : 0, iteration: begun, isActive };
    }
    const cycles = isDone ? iterations : duration === 0 ? 0 : (gone - begun * repeatDelay) / duration;
    let share = cycles === Infinity ? 0 : cycles % 1;
    if (share === 0 && !isBefore && gone === active && iterations !== 0) share = 1;
    let iteration = Math.floor(cycles) - (share === 1 ? 1 : 0);
    if (isAfter && iterations === Infinity) iteration = Infinity;
    return { share: this.isForwards(iteration) ? share : 1 - share, iteration, isActive };
  }

  /**
   * The value at an own time.
   * @param {number} time
   * @param {boolean} isReversed
   */
  value(time, isReversed) {
    const { share, iteration, isActive } = this.place(time, isReversed);
    if (!isActive) return share === 0 ? this.from : share === 1 ? this.to : this.cycle(share);
    if (iteration !== 0) return this.cycle(share);
    const value = this.firstCycle(share);
    if (!this.aside) return value;
    const [speed, span] = this.aside;
    const passed = time - this.delay;
    return passed < span ? value + speed * passed * (1 - passed / span) ** 2 : value;
  }

  /**
   * The own time from which nothing moves any more.
   * @param {boolean} isReversed
   */
  settled(isReversed) {
    return Math.min(isReversed ? this.delay : this.delay + this.active, this.end);
  }
}
