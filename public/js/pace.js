// How a page moves: what its reader, or the page, wants of that.

/**
 * `live` as it comes, `settled` values at rest only, `paused` nothing but what is shown for the
 * first time.
 * @typedef {"live" | "settled" | "paused"} Pace
 */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** From the most motion to the least. */
const PACES = /** @type {const} */ (["live", "settled", "paused"]);
/** Milliseconds after which something that moves on and on is shown at rest, too. */
export const SETTLED_EVERY = 10_000;
/** @type {Set<(pace: Pace) => void>} */
const followers = new Set();
/** @type {Pace | undefined} */
let chosen;
/** What was told last. @type {Pace | undefined} */
let told;

/** @returns {Pace} */
export const pagePace = () => chosen ?? usualPace();

/**
 * That of a page on which nothing was chosen.
 * @returns {Pace}
 */
export const usualPace = () => (calm.matches ? "settled" : "live");

/**
 * Sets the pace of all that is on the page, now and later.
 * @param {Pace} [pace] left out, it is the reader's: settled where motion is to be reduced
 */
export function setPace(pace) {
  if (pace !== undefined && !PACES.includes(pace)) {
    throw new TypeError(`There is no pace ${pace}`);
  }
  chosen = pace;
  tell();
}

/**
 * Tells of the pace, now and whenever it changes.
 * @param {(pace: Pace) => void} act
 */
export function followPace(act) {
  followers.add(act);
  act(pagePace());
}

function tell() {
  const pace = pagePace();
  if (pace === told) return;
  told = pace;
  // Bars of which nobody knows how far they are move by themselves.
  document.documentElement.style.setProperty("--tween-play", pace === "live" ? "" : "paused");
  for (const act of followers) act(pace);
}

calm.addEventListener("change", () => {
  if (!chosen) tell();
});

/** Lets through what one element shows, whose own pace may be slower than the page's. */
export class Gate {
  /** What came and is not shown. @type {any} */
  #held = null;
  /** What it let through last. @type {any} */
  #shown = null;
  #openedAt = 0;
  #element;
  #attribute;
  #show;

  /**
   * @param {Element} element
   * @param {string} attribute that has its pace
   * @param {(data: any) => void} show
   */
  constructor(element, attribute, show) {
    this.#element = element;
    this.#attribute = attribute;
    this.#show = show;
  }

  /** @returns {Pace} */
  get pace() {
    const own = PACES.findIndex((name) => name === this.#element.getAttribute(this.#attribute));
    return PACES[Math.max(own, PACES.indexOf(pagePace()))];
  }

  /** @param {any} data */
  take(data) {
    this.#held = data;
    const { pace } = this;
    // What comes at the page's own pace is to be shown; what comes again is to be drawn anew.
    const isFree = pace === pagePace() || !this.#shown || this.#shown === data;
    const passed = performance.now() - this.#openedAt;
    if (isFree || (pace === "settled" && passed >= SETTLED_EVERY)) this.#open();
  }

  /** What came last is a value at rest. */
  settle() {
    if (this.#held && this.pace !== "paused") this.#open();
  }

  /** What comes next is the first. */
  reset() {
    this.#held = null;
    this.#shown = null;
  }

  #open() {
    const data = this.#held;
    this.#held = null;
    this.#shown = data;
    this.#openedAt = performance.now();
    this.#show(data);
  }
}
