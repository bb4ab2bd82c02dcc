// The page's address: what a board shows, and how, so that it can be bookmarked.

const CHOICES = {
  kind: ["ticker", "progress", "schedule"],
  order: ["name", "newest"],
  layout: ["cards", "rows", "wall"],
  pace: ["live", "settled", "paused"],
};

/** Seconds that a wall shows one page of several. */
const ROTATION = { usual: 10, least: 2, most: 3600 };

/** @typedef {"live" | "settled" | "paused"} Pace */

/** `pace` is empty where none is asked for.
 *  @typedef {{
 *    q: string, kind: string, order: string, layout: string, pace: Pace | "", cards: string[],
 *    rotate: number, kiosk: boolean,
 *  }} View */

/** What the address asks for; what it has no meaning for counts as not asked.
 *  @returns {View} */
export function readAddress() {
  const asked = new URLSearchParams(location.search);
  /** @param {keyof typeof CHOICES} name */
  const choice = (name) => CHOICES[name].find((value) => value === asked.get(name)) ?? "";
  const seconds = Number(asked.get("rotate"));
  return {
    q: asked.get("q") ?? "",
    kind: choice("kind"),
    order: choice("order"),
    layout: choice("layout"),
    pace: /** @type {Pace | ""} */ (choice("pace")),
    kiosk: ["", "1"].includes(asked.get("kiosk") ?? "0"),
    cards: (asked.get("cards") ?? "").split(",").filter(Boolean),
    rotate: seconds > 0
      ? Math.min(ROTATION.most, Math.max(ROTATION.least, seconds))
      : ROTATION.usual,
  };
}

/** Milliseconds in which changes of the address are collected: each takes a browser about ten, as
 *  much as typing may. */
const WRITING = 200;
/** @type {Record<string, string>} */
let waiting = {};
/** @type {number | undefined} */
let timer;

/** Puts values into the address, in a moment; empty ones are left out, all others stay.
 *  @param {Record<string, string>} values
 *  @returns {void} */
export function writeAddress(values) {
  Object.assign(waiting, values);
  clearTimeout(timer);
  timer = setTimeout(() => {
    put(waiting);
    waiting = {};
  }, WRITING);
}

/** @param {Record<string, string>} values */
function put(values) {
  const url = new URL(location.href);
  const news = Object.entries(values).filter(([name, value]) => url.searchParams.get(name) !== (value || null));
  // An address that says it already stays as it was written.
  if (!news.length) return;
  for (const [name, value] of news) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  history.replaceState(null, "", url);
}
