// What one element shows of what comes: at a pace of its own, and from its first sight on.
import { pagePace, settledEvery, slower } from "./pace.js";
import { watch } from "./visibility.js";

/** Seconds in which a number counts up when it is first seen. */
const COUNTING = 1.5;

/**
 * Lets through what an element shows. Its attributes, behind a prefix: `pace`; `when="visible"`,
 * which shuts it until the element is first seen, from where on it counts up; `from` and `over`,
 * the number that it does that from and the seconds that it takes.
 */
export class Gate {
  /** What came and is not shown.
   *  @type {any} */
  #held = null;
  /** What it let through last.
   *  @type {any} */
  #shown = null;
  #openedAt = 0;
  #wasSeen = false;
  /** What counts at present, or waits for a sight.
   *  @type {object | null} */
  #turn = null;
  /** @type {() => void} */
  #unwatch = () => {};
  #element;
  #prefix;
  #show;

  /**
   * @param {Element} element
   * @param {string} prefix of its attributes' names
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
   * What comes from now on is the first.
   * @param {Element} place where it is shown
   */
  begin(place) {
    this.end();
    if (this.#attribute("when") !== "visible" || this.#wasSeen) return;
    this.#turn = {};
    this.#unwatch = watch(place, (isSeen) => {
      if (!isSeen) return;
      this.#unwatch();
      this.#wasSeen = true;
      if (this.#held) this.#count();
    });
  }

  /** Nothing more is shown. */
  end() {
    this.#unwatch();
    this.#turn = null;
    this.#held = null;
    this.#shown = null;
  }

  /**
   * @param {any} data
   * @param {boolean} [isPaced] whether it comes at the element's own pace
   */
  take(data, isPaced = false) {
    const isFirst = !this.#held;
    this.#held = data;
    if (this.#turn) {
      if (isFirst && this.#wasSeen) this.#count();
      return;
    }
    const { pace } = this;
    // What comes at the page's own pace is to be shown; what comes again is to be drawn anew.
    const isFree = isPaced || pace === pagePace() || !this.#shown || this.#shown === data;
    const passed = performance.now() - this.#openedAt;
    if (isFree || (pace === "settled" && passed >= settledEvery())) this.#open();
  }

  /** What came last is a value at rest. */
  settle() {
    if (this.#held && !this.#turn && this.pace !== "paused") this.#open();
  }

  #open() {
    const data = this.#held;
    this.#held = null;
    this.#shown = data;
    this.#openedAt = performance.now();
    this.#show(data);
  }

  /** Counts up to what is so, which may go on moving meanwhile. */
  async #count() {
    const turn = (this.#turn = {});
    const counting = this.pace === "live" && (await import("./count-up.js").catch(() => null));
    if (turn !== this.#turn) return;
    const own = this.#attribute("from");
    const seconds = Number(this.#attribute("over") ?? COUNTING);
    const begun = performance.now();
    const before = this.#element.textContent ?? "";
    const draw = () => {
      if (turn !== this.#turn) return;
      const share = (performance.now() - begun) / 1000 / seconds;
      const isOver = !counting || !(share < 1) || this.pace !== "live";
      if (isOver) {
        this.#turn = null;
        this.#open();
        return;
      }
      this.#show(counting.rising(this.#held, own, before, share));
      requestAnimationFrame(draw);
    };
    draw();
  }
}
