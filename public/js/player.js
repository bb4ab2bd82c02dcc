// A motion drawn at the screen's own rate.
import { Motion } from "./motion.js";
import { writing } from "./number.js";

/** Plays the motion of one ticker. */
export class Player {
  /** @type {Motion | null} */
  #motion = null;
  #host;
  #show;

  /**
   * @param {{ feed?: { pace: string, now(): number } }} host
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
   * Plays a motion in place of the one before.
   * @param {any} event
   * @returns {boolean} false where the text is more than a number: then it is the server's alone
   */
  play(event) {
    this.stop();
    if (!event.number) return false;
    const { feed } = this.#host;
    if (feed?.pace !== "live") return true;
    const motion = new Motion(event);
    const text = writing(event.number);
    this.#motion = motion;
    const draw = () => {
      if (motion !== this.#motion) return;
      if (feed.pace !== "live") return this.stop();
      const { value, done } = motion.sample(feed.now());
      this.#show({ value, text: text(value) });
      if (!done) requestAnimationFrame(draw);
    };
    draw();
    return true;
  }

  stop() {
    this.#motion = null;
  }
}
