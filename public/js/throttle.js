// Limits what one element shows: to its own pace, and to the time after it first becomes visible.
import { pagePace, settledInterval, slower } from "./pace.js";
import { observeVisibility } from "./visibility.js";

/** Seconds in which a number counts up when it first becomes visible. */
const COUNT_UP_SECONDS = 1.5;

/**
 * Passes on what an element should show. The element's attributes, with a prefix: `pace`; `when="visible"`, which
 * waits until the element is visible, and then counts up; `from` and `over`, the number at which counting starts
 * and the seconds that it takes.
 */
export class Throttle {
  /** Received and not shown yet.
   *  @type {any} */
  #pending = null;
  /** Shown last.
   *  @type {any} */
  #shown = null;
  #openedAt = 0;
  #wasSeen = false;
  /** Identifies the present count, or the wait for it.
   *  @type {object | null} */
  #countUp = null;
  /** @type {() => void} */
  #unobserve = () => {};
  #element;
  #prefix;
  #show;

  /**
   * @param {Element} element
   * @param {string} prefix of the attributes' names
   * @param {(data: any) => void} show
   */
  constructor(element, prefix, show) {
    this.#element = element;
    this.#prefix = prefix;
    this.#show = show;
  }

  /** @param {string} name */
  #attribute(name) {
    return this.#element.getAttribute(this.#prefix + name);
  }

  get pace() {
    return slower(this.#attribute("pace"), pagePace());
  }

  /**
   * Starts over: the next value is the first.
   * @param {Element} place the element that shows it
   */
  start(place) {
    this.stop();
    if (this.#attribute("when") !== "visible" || this.#wasSeen) return;
    this.#countUp = {};
    this.#unobserve = observeVisibility(place, (isVisible) => {
      if (!isVisible) return;
      this.#unobserve();
      this.#wasSeen = true;
      if (this.#pending) this.#startCountUp();
    });
  }

  /** Shows nothing more. */
  stop() {
    this.#unobserve();
    this.#countUp = null;
    this.#pending = null;
    this.#shown = null;
  }

  /**
   * @param {any} data
   * @param {boolean} [isPaced] whether the sender keeps to the element's pace
   */
  receive(data, isPaced = false) {
    const isFirst = !this.#pending;
    this.#pending = data;
    if (this.#countUp) {
      if (isFirst && this.#wasSeen) this.#startCountUp();
      return;
    }
    const { pace } = this;
    // A value at the page's own pace is shown; the one that is shown already is drawn again.
    const isFree = isPaced || pace === pagePace() || !this.#shown || this.#shown === data;
    const passed = performance.now() - this.#openedAt;
    if (isFree || (pace === "settled" && passed >= settledInterval())) this.#emit();
  }

  /** Shows the last value received: it is at rest. */
  settle() {
    if (this.#pending && !this.#countUp && this.pace !== "paused") this.#emit();
  }

  #emit() {
    const data = this.#pending;
    this.#pending = null;
    this.#shown = data;
    this.#openedAt = performance.now();
    this.#show(data);
  }

  /** Counts up to the present value, which may move on meanwhile. */
  async #startCountUp() {
    const turn = (this.#countUp = {});
    const counting = this.pace === "live" && (await import("./count-up.js").catch(() => null));
    if (turn !== this.#countUp) return;
    const own = this.#attribute("from");
    const seconds = Number(this.#attribute("over") ?? COUNT_UP_SECONDS);
    const begun = performance.now();
    const before = this.#element.textContent ?? "";
    const draw = () => {
      if (turn !== this.#countUp) return;
      const share = (performance.now() - begun) / 1000 / seconds;
      const isOver = !counting || !(share < 1) || this.pace !== "live";
      if (isOver) {
        this.#countUp = null;
        this.#emit();
        return;
      }
      this.#show(counting.countUpFrame(this.#pending, own, before, share));
      requestAnimationFrame(draw);
    };
    draw();
  }
}
