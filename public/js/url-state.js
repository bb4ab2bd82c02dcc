// The view of the board in the page's URL, so that it can be bookmarked.

const CHOICES = {
  kind: ["ticker", "progress", "schedule"],
  order: ["name", "newest"],
  layout: ["cards", "rows", "wall"],
  pace: ["live", "settled", "paused"],
};

/** Seconds that a wall of several pages shows each. */
const ROTATION = { normal: 10, least: 2, most: 3600 };

/** @typedef {"live" | "settled" | "paused"} Pace */

/** `pace` is empty if the URL has none.
 *  @typedef {{
 *    q: string, kind: string, order: string, layout: string, pace: Pace | "", cards: string[],
 *    rotate: number, kiosk: boolean,
 *  }} View */

/** Reads the view from the URL; invalid values are ignored.
 *  @returns {View} */
export function readURLState() {
  const params = new URLSearchParams(location.search);
  /** @param {keyof typeof CHOICES} name */
  const choice = (name) => CHOICES[name].find((value) => value === params.get(name)) ?? "";
  const seconds = Number(params.get("rotate"));
  return {
    q: params.get("q") ?? "",
    kind: choice("kind"),
    order: choice("order"),
    layout: choice("layout"),
    pace: /** @type {Pace | ""} */ (choice("pace")),
    kiosk: ["", "1"].includes(params.get("kiosk") ?? "0"),
    cards: (params.get("cards") ?? "").split(",").filter(Boolean),
    rotate: seconds > 0
      ? Math.min(ROTATION.most, Math.max(ROTATION.least, seconds))
      : ROTATION.normal,
  };
}

/** Milliseconds in which changes are collected: writing the URL takes a browser about ten, as long as a keystroke. */
const WRITE_DELAY = 200;
/** @type {Record<string, string>} */
let pending = {};
/** @type {number | undefined} */
let timer;

/** Writes values into the URL after a delay. Empty ones are removed; other parameters stay.
 *  @param {Record<string, string>} values
 *  @returns {void} */
export function writeURLState(values) {
  Object.assign(pending, values);
  clearTimeout(timer);
  timer = setTimeout(() => {
    replaceURL(pending);
    pending = {};
  }, WRITE_DELAY);
}

/** @param {Record<string, string>} values */
function replaceURL(values) {
  const url = new URL(location.href);
  const changes = Object.entries(values).filter(([name, value]) => url.searchParams.get(name) !== (value || null));
  // A URL with the same values keeps its spelling.
  if (!changes.length) return;
  for (const [name, value] of changes) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  history.replaceState(null, "", url);
}
