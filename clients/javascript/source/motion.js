// Motions of `mode: "motion"`: what they show at any time, computed here.
import { Motion as Course, textOf } from "../../../public/js/motion.js";

/** @typedef {import("../../../public/js/motion.js").MotionEvent} MotionEvent */

/**
 * A motion as a function of time.
 *
 *     const motion = new Motion(event.data);
 *     motion.valueAt(0.5); // half a second after its start
 */
export class Motion {
  #course;
  #write;

  /** @param {MotionEvent} event the data of a `motion` event */
  constructor(event) {
    this.#course = new Course(event);
    this.#write = textOf(event);
    /** When it starts, by the server's clock: milliseconds of the Unix time. */
    this.start = this.#course.start;
  }

  /**
   * The value.
   * @param {number} seconds after the start, by any clock
   * @returns {number}
   */
  valueAt(seconds) {
    return this.#sample(seconds).value;
  }

  /**
   * The fraction of a progress, from 0 to 1; undefined for a ticker.
   * @param {number} seconds after the start
   * @returns {number | undefined}
   */
  fractionAt(seconds) {
    return this.#sample(seconds).fraction;
  }

  /**
   * The text; undefined if only the server can write it: for texts that depend on time, and for unknown plural rules.
   * @param {number} seconds after the start
   * @returns {string | undefined}
   */
  textAt(seconds) {
    return this.#write?.(this.#sample(seconds));
  }

  /**
   * Whether the motion has ended.
   * @param {number} seconds after the start
   * @returns {boolean}
   */
  hasEndedAt(seconds) {
    return this.#sample(seconds).ended;
  }

  /** Not by the time of day: a double of its milliseconds has no room for billionths of a second.
   *  @param {number} seconds */
  #sample(seconds) {
    const { isPaused, elapsed, rate } = this.#course;
    const time = isPaused ? elapsed : elapsed + seconds * rate;
    return this.#course.hasEnded(time) ? this.#course.rest() : this.#course.sampleAt(time, false);
  }
}
