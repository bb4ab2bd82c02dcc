// The value of a number as a function of its local time: iterations, easings, springs, keyframes, inherited velocities.
// Each formula is the server's, with the numbers that the server has computed and in the same order: the results have the same bits.
import { easingCurve, springDisplacement } from "./easing.js";

/**
 * A motion of a `motion` event, or of its maximum, as in openapi.yaml and docs/motions.md.
 * @typedef {{ from: number, to: number, duration: number, delay?: number, endDelay?: number, easing?: string,
 *   spring?: import("./easing.js").SpringShape, velocity?: number, keyframes?: Keyframe[], launch?: Launch,
 *   iterations?: number | "forever", direction?: string, repeatDelay?: number }} MotionSpec
 * @typedef {{ to: number, offset: number, easing: string }} Keyframe
 * @typedef {{ easing?: string, chase?: number, ramp?: number, swerve?: Deviation, turn?: Deviation }} Launch
 * @typedef {[number, number]} Deviation a speed, and the seconds in which it fades
 * @typedef {import("./easing.js").Curve} Curve
 * @typedef {(share: number, passed: number) => number} CycleCurve by the share of the cycle; `passed` are seconds since the delay
 */

/**
 * Exact at both ends, and within them for shares of 0 to 1.
 * @type {(from: number, to: number, share: number) => number}
 */
const interpolate = (from, to, share) => {
  if (share === 0) return from;
  if (share === 1) return to;
  const distance = to - from;
  if (!Number.isFinite(distance)) return from * (1 - share) + to * share;
  const value = from + distance * share;
  if (share < 0 || share > 1) return value;
  return Math.min(Math.max(value, Math.min(from, to)), Math.max(from, to));
};

/**
 * The curve of an easing's first cycle, which starts with the inherited velocity.
 * @type {(easing: Curve, launch: Launch) => Curve}
 */
const withLaunch = (easing, { easing: own, chase, ramp, turn }) => {
  const curve = own ? easingCurve(own) : easing;
  if (chase !== undefined) return (p) => 1 - (1 - curve(p)) * Math.exp(-chase * p);
  if (ramp !== undefined) return (p) => curve(p * (ramp + (1 - ramp) * p));
  return turn ? (p) => curve(p * p) : curve;
};

/**
 * The curve through keyframes, by the share of the cycle.
 * @type {(from: number, keyframes: Keyframe[]) => Curve}
 */
const keyframeCurve = (from, keyframes) => {
  const segments = keyframes.map(({ to, offset, easing }, index) => {
    const before = keyframes[index - 1] ?? { to: from, offset: 0 };
    return { from: before.to, to, start: before.offset, end: offset, curve: easingCurve(easing) };
  });
  return (share) => {
    const segment = segments.find(({ end }) => end > share);
    if (!segment) return keyframes[keyframes.length - 1].to;
    const gone = Math.max(0, (share - segment.start) / (segment.end - segment.start));
    return interpolate(segment.from, segment.to, segment.curve(gone));
  };
};

/** The value of a number at each moment of its local time. */
export class Trajectory {
  /** @param {MotionSpec} spec */
  constructor(spec) {
    const { iterations = 1, delay = 0, endDelay = 0, direction = "normal", repeatDelay = 0 } = spec;
    const { from, to, duration, launch } = spec;
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
    /** The local time at which everything is over. */
    this.end = Math.max(delay + this.active + endDelay, 0);
    this.deviation = launch?.swerve ?? launch?.turn;
    const [cycle, firstCycle] = this.cycles(spec);
    this.cycle = cycle;
    this.firstCycle = firstCycle;
  }

  /**
   * The curves of all cycles but the first, and of the first, by their share.
   * @param {MotionSpec} spec
   * @returns {CycleCurve[]}
   */
  cycles({ easing = "linear", spring, keyframes, launch, velocity = 0 }) {
    const { from, to, duration, iterations, direction } = this;
    if (keyframes) return Array(2).fill(keyframeCurve(from, keyframes));
    if (!spring) {
      const curve = easingCurve(easing);
      const first = launch ? withLaunch(curve, launch) : curve;
      return [curve, first].map((own) => (/** @type {number} */ share) => interpolate(from, to, own(share)));
    }
    const runsOnce = iterations === 1 && direction === "normal";
    const beginsWhole = iterations >= 1 && /^(normal|alternate)$/.test(direction);
    return [0, beginsWhole ? velocity : 0].map((speed) => {
      const displacement = springDisplacement(spring, from - to, speed);
      // A spring's remaining distance at a cycle's end is spread over the cycle, so that it turns exactly at its ends.
      const rest = runsOnce ? 0 : displacement(duration);
      /** @type {CycleCurve} */
      const curve = (share, passed) => {
        if (share <= 0 || share >= 1) return share <= 0 ? from : to;
        const value = runsOnce
          ? to + displacement(passed)
          : to + displacement(share * duration) - rest * share * share * (3 - 2 * share);
        return Number.isFinite(value) ? value : to;
      };
      return curve;
    });
  }

  /** @param {number} iteration infinity counts as even */
  isForwards(iteration) {
    const isOdd = iteration % 2 === 1;
    if (this.direction === "normal" || this.direction === "reverse") return this.direction === "normal";
    return this.direction === "alternate" ? !isOdd : isOdd || iteration === Infinity;
  }

  /**
   * The iteration, and the share of it that has passed, as in the timing model of Web Animations.
   * @param {number} time
   * @param {boolean} isReversed
   */
  phaseAt(time, isReversed) {
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
   * The value at a local time.
   * @param {number} time
   * @param {boolean} isReversed
   */
  value(time, isReversed) {
    const { share, iteration, isActive } = this.phaseAt(time, isReversed);
    const passed = time - this.delay;
    if (!isActive) return share === 0 ? this.from : share === 1 ? this.to : this.cycle(share, passed);
    if (iteration !== 0) return this.cycle(share, passed);
    const value = this.firstCycle(share, passed);
    if (!this.deviation) return value;
    const [speed, span] = this.deviation;
    const rest = 1 - passed / span;
    return passed < span ? value + speed * passed * rest * rest : value;
  }

  /**
   * The local time from which the value rests.
   * @param {boolean} isReversed
   */
  restTime(isReversed) {
    return Math.min(isReversed ? this.delay : this.delay + this.active, this.end);
  }
}
