// How a page moves: what its reader, or the page, wants of that.

/**
 * `live` as it comes, `settled` values at rest, and now and then, `paused` nothing but what is shown for the
 * first time.
 * @typedef {"live" | "settled" | "paused"} Pace
 */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** From the most motion to the least. */
const PACES = /** @type {const} */ (["live", "settled", "paused"]);
/** Milliseconds after which something that moves on and on is shown at rest, too: for who chose that,
 *  and for who never wants to see it move, but has to know. */
const CHOSEN_EVERY = 10_000;
const CALM_EVERY = 1000;
/** @type {Set<(pace: Pace) => void>} */
const followers = new Set();
/** @type {Pace | undefined} */
let chosen;
/** What was told last.
 *  @type {Pace | undefined} */
let told;

/** @returns {Pace} */
export const pagePace = () => chosen ?? usualPace();

/**
 * The one with less motion of the page's and an element's own.
 * @param {string | null} own
 * @param {Pace} page
 * @returns {Pace}
 */
export const slower = (own, page) =>
  PACES[Math.max(PACES.indexOf(/** @type {Pace} */ (own)), PACES.indexOf(page))];

/**
 * That of a page on which nothing was chosen.
 * @returns {Pace}
 */
export const usualPace = () => (calm.matches ? "settled" : "live");

/** Milliseconds between two values of what moves on a settled page. */
export const settledEvery = () => (calm.matches ? CALM_EVERY : CHOSEN_EVERY);

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
