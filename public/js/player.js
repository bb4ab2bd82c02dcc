// Plays motions at the screen's own rate.
import { Motion, textOf } from "./motion.js";
import { scriptDigits } from "./number-format.js";
import { wheelsOf } from "./odometer.js";

/**
 * What a player shows, in the form of a frame.
 * @typedef {object} Shown
 * @property {number} value
 * @property {string} text
 * @property {import("./odometer.js").WheelPart[]} [wheels]
 * @property {string} [digits] the script's ten digits, from zero
 */

/** Plays the motion of one ticker. */
export class Player {
  /** @type {Motion | null} */
  #motion = null;
  #draw = (/** @type {boolean | undefined} */ _) => {};
  #host;
  #show;

  /**
   * @param {{ feed?: { now(): number }, pace: import("./pace.js").Pace, newest: unknown }} host
   * @param {(data: Shown) => void} show
   */
  constructor(host, show) {
    this.#host = host;
    this.#show = show;
  }

  /** Whether a motion is playing; frames are ignored then. */
  get isPlaying() {
    return this.#motion !== null;
  }

  /**
   * Plays a motion instead of the one before, at the page's pace: when that changes, the motion is passed again.
   * @param {import("./motion.js").MotionEvent} event
   * @param {"odometer" | "continuous"} [style] how wheels turn; without it there are none
   * @returns {boolean} false if only the server can write the text or turn the wheels
   */
  play(event, style) {
    this.stop();
    const text = textOf(event);
    const { number } = event;
    if (!text || (style && !(number && wheelsOf(event.value, number, style)))) return false;
    const host = this.#host;
    const { feed, newest } = host;
    const motion = new Motion(event);
    const digits = number?.digits && scriptDigits(number.digits).join("");
    this.#motion = motion;
    // The motion goes on by the clock that its start was read from, even if a later `hello` tells another time.
    const began = (feed?.now() ?? 0) - performance.now();
    const draw = (isDue = false) => {
      if (motion !== this.#motion || !feed) return;
      // A paused page shows the position at which the motion was received.
      const pace = host.pace === "paused" && !newest ? "live" : host.pace;
      const sample = pace === "paused" ? undefined : motion.sample(began + performance.now());
      // A settled page shows moving numbers together, at intervals.
      const isShown = isDue || pace !== "settled" || !newest || sample?.done;
      if (sample && isShown) {
        const { value, done } = sample;
        const wheels = style && number && wheelsOf(value, number, style, !done);
        this.#show({ value, text: text(sample), wheels, digits });
      }
      if (host.pace === "live" && !sample?.done) requestAnimationFrame(() => draw());
    };
    this.#draw = draw;
    draw();
    return true;
  }

  /** Shows the present position on a settled page. */
  refresh() {
    if (this.#host.pace === "settled") this.#draw(true);
  }

  stop() {
    this.#motion = null;
  }
}
