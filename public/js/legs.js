// Where a number is going that goes over and over, to and fro, or back: that is not where its motion ends.
import { Motion, textOf } from "./motion.js";

export class Legs {
  /** @param {import("./motion.js").MotionEvent} event */
  constructor(event) {
    this.motion = new Motion(event);
    this.write = textOf(event);
    /** Whether each way begins where the last one ended, or at the start anew. */
    this.isCyclic = (event.motion.iterations ?? 1) !== 1;
  }

  /**
   * The way that it is on at an instant: its number, and its ends.
   * @param {number} now milliseconds of the server's clock
   */
  at(now) {
    const { course, isReversed } = this.motion;
    const { iteration } = course.place(this.motion.time(now), isReversed);
    const isOut = course.isForwards(iteration) !== isReversed;
    const [from, to] = isOut ? [course.from, course.to] : [course.to, course.from];
    return { iteration, from, to };
  }

  /**
   * A value as the number shows it, without the words around; undefined where the server alone can write it.
   * @param {number} value
   * @param {{text: string, display: {value: string}}} frame the newest
   */
  textOf(value, { text, display }) {
    const whole = this.write?.({ value, share: 0, done: false, ended: false });
    const start = text.indexOf(display.value);
    if (whole === undefined || start < 0) return undefined;
    const behind = text.length - start - display.value.length;
    return whole.slice(start, whole.length - behind);
  }
}
