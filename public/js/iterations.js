// The present iteration of a motion that repeats, alternates or runs in reverse: its ends are not the motion's.

/**
 * The `motion` of a `motion` event, as in openapi.yaml.
 * @typedef {{ state: string, start: string, from: number, to: number, duration: number, elapsed?: number,
 *   rate?: number, delay?: number, repeatDelay?: number, iterations?: number | "forever", direction?: string }} MotionState
 * @typedef {{ text: string, display: { value: string, target?: string } }} Frame
 */

export class Iterations {
  /** @type {ReturnType<typeof import("./motion.js").textOf>} */
  #write;

  /** @param {{motion: MotionState} & Record<string, any>} event */
  constructor(event) {
    const { iterations = 1, direction = "normal", rate = 1 } = event.motion;
    this.motion = event.motion;
    /** Whether the motion repeats, so that the change is counted by iteration. */
    this.isCyclic = iterations !== 1;
    if (direction === "normal" && rate >= 0) return;
    // Needed by few motions: no frame has the text of a motion's start.
    import("./lazy.js").then(({ textOf }) => {
      this.#write = textOf(/** @type {any} */ (event));
    }, () => {});
  }

  /**
   * Whether a motion has targets other than its end.
   * @param {MotionState} motion
   */
  static isNeeded({ iterations = 1, direction = "normal", rate = 1 }) {
    return iterations !== 1 || direction !== "normal" || rate < 0;
  }

  /**
   * The iteration at an instant: its index, and its ends.
   * @param {number} now milliseconds of the server's clock
   */
  at(now) {
    const { state, start, elapsed = 0, rate = 1, delay = 0, duration, repeatDelay = 0 } = this.motion;
    const { iterations = 1, direction = "normal", from, to } = this.motion;
    const passed = state === "paused" ? 0 : ((now - Date.parse(start)) / 1000) * rate;
    const iterationsPassed = Math.max(0, (elapsed + passed - delay) / (duration + repeatDelay || Infinity));
    const last = iterations === "forever" ? Infinity : Math.max(0, Math.ceil(iterations) - 1);
    const index = Math.min(Math.floor(iterationsPassed), last);
    const isTurned = direction.startsWith("alternate") && index % 2 === 1;
    const isBack = [isTurned, direction.endsWith("reverse"), rate < 0].filter(Boolean).length % 2 === 1;
    return isBack ? { index, from: to, to: from } : { index, from, to };
  }

  /**
   * The text of an iteration's end as the number alone, without affixes; undefined if only the server can write it.
   * @param {number} value
   * @param {Frame} frame the newest one
   */
  textOf(value, { text, display }) {
    const whole = this.#write?.({ value, share: 0, done: false, ended: false });
    const start = text.indexOf(display.value);
    if (whole === undefined || start < 0) return value === this.motion.to ? display.target : undefined;
    const behind = text.length - start - display.value.length;
    return whole.slice(start, whole.length - behind);
  }
}
