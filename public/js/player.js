// A motion drawn at the screen's own rate.
import { Motion, shown, textOf } from "./motion.js";

/** Plays the motion of one ticker. */
export class Player {
  /** @type {Motion | null} */
  #motion = null;
  #host;
  #show;

  /**
   * @param {{ feed?: { pace: "live" | "settled" | "paused", now(): number } }} host
   * @param {(data: { value: number, text: string }) => void} show
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
   * @returns {boolean} false where only the server can write the text
   */
  play(event) {
    this.stop();
    const text = textOf(event);
    if (!text) return false;
    const { feed } = this.#host;
    const motion = new Motion(event);
    this.#motion = motion;
    const draw = () => {
      if (motion !== this.#motion || !feed) return;
      const sample = shown(motion, feed.now(), feed.pace);
      if (sample) this.#show({ value: sample.value, text: text(sample) });
      if (feed.pace === "live" && !sample?.done) requestAnimationFrame(draw);
    };
    draw();
    return true;
  }

  stop() {
    this.#motion = null;
  }
}
