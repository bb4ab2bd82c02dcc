// A motion drawn at the screen's own rate.
import { Motion, shown, textOf } from "./motion.js";
import { facesOf } from "./number-format.js";
import { wheelsOf } from "./odometer.js";

/**
 * What a player shows, as frames have it.
 * @typedef {object} Shown
 * @property {number} value
 * @property {string} text
 * @property {import("./odometer.js").WheelPart[]} [wheels]
 * @property {string} [digits] all ten, from zero
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

  /** Whether it says what is shown, and no frame does. */
  get isPlaying() {
    return this.#motion !== null;
  }

  /**
   * Plays a motion in place of the one before, at the pace of the page: a page that changes that tells of
   * the motion anew.
   * @param {import("./motion.js").MotionEvent} event
   * @param {"odometer" | "continuous"} [style] how wheels turn; without it there are none
   * @returns {boolean} false where only the server can write the text, or turn the wheels
   */
  play(event, style) {
    this.stop();
    const text = textOf(event);
    const { number } = event;
    if (!text || (style && !(number && wheelsOf(event.value, number, style)))) return false;
    const host = this.#host;
    const { feed, newest } = host;
    const motion = new Motion(event);
    const digits = number?.digits && facesOf(number.digits).join("");
    this.#motion = motion;
    const draw = (isDue = false) => {
      if (motion !== this.#motion || !feed) return;
      // A page that is paused shows where it was when it came.
      const pace = host.pace === "paused" && !newest ? "live" : host.pace;
      const sample = shown(motion, feed.now(), pace);
      // On a settled page what moves has its turn with all else there.
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

  /** Shows where it is now, on a page on which it doesn't move by itself. */
  beat() {
    if (this.#host.pace === "settled") this.#draw(true);
  }

  stop() {
    this.#motion = null;
  }
}
