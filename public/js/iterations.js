// Where a number is going that goes over and over, to and fro, or back: that is not where its motion ends.

/**
 * A `motion` event's motion, as openapi.yaml has it.
 * @typedef {{ state: string, start: string, from: number, to: number, duration: number, elapsed?: number,
 *   rate?: number, delay?: number, repeatDelay?: number, iterations?: number | "forever", direction?: string }} Told
 * @typedef {{ text: string, display: { value: string, target?: string } }} Frame
 */

export class Legs {
  /** @type {ReturnType<typeof import("./motion.js").textOf>} */
  #write;

  /** @param {{motion: Told} & Record<string, any>} event */
  constructor(event) {
    const { iterations = 1, direction = "normal", rate = 1 } = event.motion;
    this.motion = event.motion;
    /** Whether one way follows another, so that what changes is counted by ways. */
    this.isCyclic = iterations !== 1;
    if (direction === "normal" && rate >= 0) return;
    // Few motions turn round, and no frame has the text of where they began.
    import("./lazy.js").then(({ textOf }) => {
      this.#write = textOf(/** @type {any} */ (event));
    }, () => {});
  }

  /**
   * Whether a motion goes elsewhere on its way than where it ends.
   * @param {Told} motion
   */
  static isNeeded({ iterations = 1, direction = "normal", rate = 1 }) {
    return iterations !== 1 || direction !== "normal" || rate < 0;
  }

  /**
   * The way that it is on at an instant: its number, and its ends.
   * @param {number} now milliseconds of the server's clock
   */
  at(now) {
    const { state, start, elapsed = 0, rate = 1, delay = 0, duration, repeatDelay = 0 } = this.motion;
    const { iterations = 1, direction = "normal", from, to } = this.motion;
    const passed = state === "paused" ? 0 : ((now - Date.parse(start)) / 1000) * rate;
    const ways = Math.max(0, (elapsed + passed - delay) / (duration + repeatDelay || Infinity));
    const last = iterations === "forever" ? Infinity : Math.max(0, Math.ceil(iterations) - 1);
    const iteration = Math.min(Math.floor(ways), last);
    const isTurned = direction.startsWith("alternate") && iteration % 2 === 1;
    const isBack = [isTurned, direction.endsWith("reverse"), rate < 0].filter(Boolean).length % 2 === 1;
    return isBack ? { iteration, from: to, to: from } : { iteration, from, to };
  }

  /**
   * An end of the way as the number shows it, without the words around; undefined where it can't be written here.
   * @param {number} value
   * @param {Frame} frame the newest
   */
  textOf(value, { text, display }) {
    const whole = this.#write?.({ value, share: 0, done: false, ended: false });
    const start = text.indexOf(display.value);
    if (whole === undefined || start < 0) return value === this.motion.to ? display.target : undefined;
    const behind = text.length - start - display.value.length;
    return whole.slice(start, whole.length - behind);
  }
}
