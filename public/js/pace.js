// The pace of a page: how much of it moves, as the reader or the page has chosen.

/**
 * `live` draws each frame; `settled` shows values at rest, and moving ones at intervals; `paused` only first values.
 * @typedef {"live" | "settled" | "paused"} Pace
 */

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** From the most motion to the least. */
const PACES = /** @type {const} */ (["live", "settled", "paused"]);
/** Milliseconds between two values of a moving number on a settled page: where that was chosen, and where the system
 *  asks for reduced motion. */
const SETTLED_INTERVAL = 10_000;
const REDUCED_MOTION_INTERVAL = 1000;
/** @type {Set<(pace: Pace) => void>} */
const listeners = new Set();
/** @type {Pace | undefined} */
let chosenPace;
/** The pace that listeners were last called with.
 *  @type {Pace | undefined} */
let lastPace;

/** @returns {Pace} */
export const pagePace = () => chosenPace ?? defaultPace();

/**
 * The slower of an element's pace and the page's.
 * @param {string | null} own
 * @param {Pace} page
 * @returns {Pace}
 */
export const slower = (own, page) =>
  PACES[Math.max(PACES.indexOf(/** @type {Pace} */ (own)), PACES.indexOf(page))];

/**
 * The pace of a page that has chosen none.
 * @returns {Pace}
 */
export const defaultPace = () => (reducedMotion.matches ? "settled" : "live");

/** Milliseconds between two values of a moving number on a settled page. */
export const settledInterval = () => (reducedMotion.matches ? REDUCED_MOTION_INTERVAL : SETTLED_INTERVAL);

/**
 * Sets the pace of the page.
 * @param {Pace} [pace] without it the reader's system decides
 */
export function setPace(pace) {
  if (pace !== undefined && !PACES.includes(pace)) {
    throw new TypeError(`There is no pace ${pace}`);
  }
  chosenPace = pace;
  notify();
}

/**
 * Calls a function with the pace, now and whenever it changes.
 * @param {(pace: Pace) => void} listener
 */
export function followPace(listener) {
  listeners.add(listener);
  listener(pagePace());
}

function notify() {
  const pace = pagePace();
  if (pace === lastPace) return;
  lastPace = pace;
  // Stops bars of unknown progress, which are animated.
  document.documentElement.style.setProperty("--tween-play", pace === "live" ? "" : "paused");
  for (const act of listeners) act(pace);
}

reducedMotion.addEventListener("change", () => {
  if (!chosenPace) notify();
});
