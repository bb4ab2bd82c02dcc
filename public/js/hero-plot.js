// The curve of a motion, with a playhead that moves along it.
import { formatNumber } from "./i18n.js";
import { Trajectory } from "./trajectory.js";

/** @typedef {import("./trajectory.js").MotionSpec & { state?: string, start?: string, elapsed?: number, rate?: number }} Motion */

/** Intervals of a drawn curve. */
const SAMPLES = 120;
/** A share just below 1: at 1 the next iteration begins. */
const LAST = 1 - 1e-9;

/** A number for a label.
 *  @param {number} value */
const labelled = (value) => formatNumber(Number(value.toPrecision(6)));

export class HeroPlot {
  /** The trajectory drawn.
   *  @type {Trajectory | undefined} */
  #trajectory;
  /** @type {Motion | undefined} */
  #motion;
  #iteration = 0;
  /** The lowest and the highest value drawn.
   *  @type {[number, number]} */
  #range = [0, 1];
  #parts;

  /** @param {Element} element */
  constructor(element) {
    const [ends, curve, passed] = element.querySelectorAll("path");
    const [top, bottom, seconds] = element.querySelectorAll("span");
    const head = /** @type {HTMLElement} */ (element.querySelector("i"));
    this.#parts = { ends, curve, passed, top, bottom, seconds, head };
  }

  /** Draws a motion that has not begun.
   *  @param {Motion} motion */
  preview(motion) {
    this.#draw(motion);
    this.#place(0);
  }

  /** Draws a motion under way.
   *  @param {Motion} motion
   *  @param {number} now milliseconds of the server's clock */
  follow(motion, now) {
    this.#draw(motion);
    this.move(now);
  }

  /** Moves the playhead to an instant.
   *  @param {number} now milliseconds of the server's clock */
  move(now) {
    const motion = this.#motion;
    const trajectory = this.#trajectory;
    if (!motion?.start || !trajectory) return;
    const { state, start, elapsed = 0, rate = 1 } = motion;
    const time = elapsed + (state === "paused" ? 0 : (now - Date.parse(start)) / 1000 * rate) - trajectory.delay;
    const period = trajectory.duration + trajectory.repeatDelay;
    const last = Math.max(0, Math.ceil(trajectory.iterations) - 1);
    const iteration = period ? Math.min(Math.max(0, Math.floor(time / period)), last) : 0;
    if (iteration !== this.#iteration) this.#draw(motion, iteration);
    this.#place((time - iteration * period) / trajectory.duration);
  }

  /** Moves the playhead to the end. */
  finish() {
    this.#place(1);
  }

  /** The value at a share of the present iteration.
   *  @param {number} share */
  #valueAt(share) {
    const { delay, duration, repeatDelay } = /** @type {Trajectory} */ (this.#trajectory);
    const begin = delay + this.#iteration * (duration + repeatDelay);
    return this.#trajectory?.value(begin + Math.min(share, LAST) * duration, false) ?? 0;
  }

  /** @param {number} value from 0 at the top to 100 */
  #height(value) {
    const [low, high] = this.#range;
    return 100 * (high - value) / (high - low || 1);
  }

  /** @param {Motion} motion
   *  @param {number} [iteration] */
  #draw(motion, iteration = 0) {
    this.#motion = motion;
    this.#trajectory = new Trajectory(motion);
    this.#iteration = iteration;
    const { from, to, duration } = this.#trajectory;
    const values = Array.from({ length: SAMPLES + 1 }, (_, at) => this.#valueAt(at / SAMPLES));
    this.#range = [Math.min(from, to, ...values), Math.max(from, to, ...values)];
    const points = values.map((value, at) => `${100 * at / SAMPLES} ${this.#height(value)}`);
    const { ends, curve, passed, top, bottom, seconds } = this.#parts;
    const [high, low] = [Math.max(from, to), Math.min(from, to)];
    ends.setAttribute("d", `M0 ${this.#height(low)}H100M0 ${this.#height(high)}H100`);
    for (const path of [curve, passed]) path.setAttribute("d", `M${points.join("L")}`);
    top.textContent = labelled(high);
    bottom.textContent = labelled(low);
    top.style.top = `${this.#height(high)}%`;
    bottom.style.top = `${this.#height(low)}%`;
    seconds.textContent = `${formatNumber(Number(duration.toPrecision(2)))} s`;
  }

  /** @param {number} share of the present iteration */
  #place(share) {
    const at = Math.min(Math.max(share, 0), 1);
    const { head, passed } = this.#parts;
    head.style.translate = `${100 * at}cqi ${this.#height(this.#valueAt(at))}cqb`;
    /** @type {SVGElement} */ (passed.ownerSVGElement).style.clipPath = `inset(-1rem ${100 - 100 * at}% -1rem -1rem)`;
  }
}
