// What is known of each resource's past: its last values, for sparklines and for what changed since it
// rested, and when it came, which is kept over a reload: no frame tells either.

/** Points kept of one resource. */
const MOST_POINTS = 60;
/** Resources of which points are kept; beyond, the one that was seen first is forgotten. */
const MOST_KEYS = 2000;
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
    if (pasts.size > MOST_KEYS) pasts.delete(/** @type {string} */ (pasts.keys().next().value));
  }
  return past;
}

/** Takes note of a value that is shown.
 *  @param {string} key
 *  @param {number} value
 *  @param {number} time milliseconds
 *  @returns {void} */
export function record(key, value, time) {
  const { points } = pastOf(key);
  const last = points.at(-1);
  if (last && time - last.time < SPACING) last.value = value;
  else if (points.push({ time, value }) > MOST_POINTS) thin(points);
}

/** Leaves out the point that is missed least: the older they are, the further apart they lie.
 *  @param {Point[]} points */
function thin(points) {
  const now = points[points.length - 1].time;
  const gap = (/** @type {number} */ at) =>
    (points[at + 1].time - points[at - 1].time) / (now - points[at].time);
  let least = 1;
  for (let at = 2; at < points.length - 1; at++) if (gap(at) < gap(least)) least = at;
  points.splice(least, 1);
}

/** Puts what the server remembers before what was seen here: where a number was to go, and when.
 *  @param {string} key
 *  @param {readonly Point[]} points the oldest first
 *  @returns {void} */
export function remember(key, points) {
  const past = pastOf(key);
  const begin = past.points[0]?.time ?? Infinity;
  past.points = [...points.filter(({ time }) => time < begin), ...past.points].slice(-MOST_POINTS);
}

/** Takes note of a value at rest: the one that the next motion sets out from.
 *  @param {string} key
 *  @param {number} value
 *  @returns {void} */
export function rested(key, value) {
  const past = pastOf(key);
  if (past.rest !== undefined) past.before = past.rest;
  past.rest = value;
}

/** What a number is away from where it last rested: on its way from where it set out, at rest from
 *  the rest before.
 *  @param {string} key
 *  @param {number} value
 *  @param {boolean} isMoving
 *  @returns {number | undefined} nothing as long as it has not rested */
export function changeOf(key, value, isMoving) {
  const { rest, before } = pastOf(key);
  const from = isMoving ? rest : before;
  return from === undefined ? undefined : value - from;
}

/** The points of a resource, the oldest first.
 *  @param {string} key
 *  @returns {readonly Point[]} */
export function pointsOf(key) {
  return pastOf(key).points;
}

/** @param {string} key
 *  @returns {void} */
export function forget(key) {
  pasts.delete(key);
}

/** An SVG path of points in a box, evenly spread: what is long ago takes no more room than what was
 *  just now.
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

// MARK: When resources came

/** Resources that are remembered; beyond, the first is forgotten. */
const MOST_BIRTHS = 2000;
/** Milliseconds until what came is stored. */
const STORING = 500;
const NAME = "tweencast.births";

export class Births {
  /** @type {Map<string, number>} */
  times = new Map();

  constructor() {
    try {
      this.times = new Map(JSON.parse(localStorage.getItem(NAME) ?? "[]"));
    } catch {
      // What another version of the page stored in another form counts as nothing.
    }
    this.last = Math.max(0, ...this.times.values());
  }

  /** A number that is greater for what was seen later.
   *  @param {string} key
   *  @returns {number} */
  of(key) {
    let time = this.times.get(key);
    if (time === undefined) {
      time = ++this.last;
      this.times.set(key, time);
      if (this.times.size > MOST_BIRTHS) this.times.delete(
        /** @type {string} */ (this.times.keys().next().value)
      );
      this.store();
    }
    return time;
  }

  /** @param {string} key
   *  @returns {void} */
  forget(key) {
    if (this.times.delete(key)) this.store();
  }

  store() {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => localStorage.setItem(NAME, JSON.stringify([...this.times])), STORING
    );
  }
}
