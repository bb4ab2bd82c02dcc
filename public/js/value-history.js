// The last values of each resource, for sparklines, and its last values at rest, for the change since then.

/** The most points kept of one resource. */
const MAX_POINTS = 60;
/** The most resources kept; beyond that the oldest is forgotten. */
const MAX_KEYS = 2000;
/** Milliseconds between two points. */
const SPACING = 500;

/** @typedef {{time: number, value: number}} Point `time` in milliseconds of the page */
/** @typedef {{points: Point[], rest?: number, before?: number}} Past */

/** @type {Map<string, Past>} */
const pasts = new Map();

/** @param {string} key
 *  @returns {Past} */
function pastOf(key) {
  let past = pasts.get(key);
  if (!past) {
    past = { points: [] };
    pasts.set(key, past);
    if (pasts.size > MAX_KEYS) pasts.delete(/** @type {string} */ (pasts.keys().next().value));
  }
  return past;
}

/** Records a value that is shown.
 *  @param {string} key
 *  @param {number} value
 *  @param {number} time milliseconds
 *  @returns {void} */
export function recordValue(key, value, time) {
  const { points } = pastOf(key);
  const last = points.at(-1);
  if (last && time - last.time < SPACING) last.value = value;
  else if (points.push({ time, value }) > MAX_POINTS) thin(points);
}

/** Drops the least important point: older points are further apart.
 *  @param {Point[]} points */
function thin(points) {
  const now = points[points.length - 1].time;
  const gap = (/** @type {number} */ at) =>
    (points[at + 1].time - points[at - 1].time) / (now - points[at].time);
  let least = 1;
  for (let at = 2; at < points.length - 1; at++) if (gap(at) < gap(least)) least = at;
  points.splice(least, 1);
}

/** Adds the server's history before the values recorded here.
 *  @param {string} key
 *  @param {readonly Point[]} points oldest first
 *  @returns {void} */
export function prependHistory(key, points) {
  const past = pastOf(key);
  const begin = past.points[0]?.time ?? Infinity;
  past.points = [...points.filter(({ time }) => time < begin), ...past.points].slice(-MAX_POINTS);
}

/** Records a value at rest, from which the next motion starts.
 *  @param {string} key
 *  @param {number} value
 *  @returns {void} */
export function recordRest(key, value) {
  const past = pastOf(key);
  if (past.rest !== undefined) past.before = past.rest;
  past.rest = value;
}

/** The change of a number: while it moves since it last rested, at rest since the rest before.
 *  @param {string} key
 *  @param {number} value
 *  @param {boolean} isMoving
 *  @returns {number | undefined} undefined if it has not rested yet */
export function changeSinceRest(key, value, isMoving) {
  const { rest, before } = pastOf(key);
  const from = isMoving ? rest : before;
  return from === undefined ? undefined : value - from;
}

/** The points of a resource, oldest first.
 *  @param {string} key
 *  @returns {readonly Point[]} */
export function pointsOf(key) {
  return pastOf(key).points;
}

/** @param {string} key
 *  @returns {void} */
export function forgetHistory(key) {
  pasts.delete(key);
}

/** The SVG path of a sparkline. Its points are evenly spaced, so that old ones take no more space than recent ones.
 *  @param {readonly Point[]} points
 *  @param {number} width
 *  @param {number} height
 *  @returns {string} */
export function sparkline(points, width, height) {
  if (points.length < 2) return "";
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  const places = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    const y = range ? height - ((value - low) / range) * height : height / 2;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${places.join("L")}`;
}
