// Announces to screen readers what appears, arrives, is done or fails. A number that keeps moving is announced
// only when it rests.
import { setText } from "./dom.js";
import { feedFrom } from "./feed.js";
import { formatList, formatNumber, translate } from "./i18n.js";

/** Milliseconds for which messages are collected into one announcement. */
const COLLECT_TIME = 2000;
/** The most numbers in an announcement; of the others it gives the count. */
const MAX_ANNOUNCED = 5;
/** Milliseconds after the first frames in which new resources are taken to be old ones. */
const GREETING = 1000;
/** How long a number must rest to count as arrived: milliseconds, or this many of its usual gaps between two
 *  motions if that is longer. A number that moves every ten seconds doesn't arrive in between. */
const REST_TIME = { least: 3000, most: 60_000, gaps: 1.5 };
/** The most numbers remembered; beyond that the oldest is forgotten. */
const MAX_KNOWN = 2000;
/** States of a progress that are announced at once. */
const ENDS = ["done", "stalled"];

/** What is remembered of one number.
 *  @typedef {{announced?: string, state?: string, movedAt?: number, gap: number, timer?: number}} Known */

export class Announcer {
  /** @type {Map<string, Known>} */
  #known = new Map();
  /** The texts of the next announcement, by id.
   *  @type {Map<string, string>} */
  #queued = new Map();
  #more = 0;
  #isGreeted = false;
  /** @type {number | undefined} */
  #greeting;
  /** @type {number | undefined} */
  #timer;
  #region;
  #isWanted;

  /** @param {HTMLElement} region
   *  @param {() => boolean} isWanted */
  constructor(region, isWanted) {
    this.#region = region;
    this.#isWanted = isWanted;
    const listener = {
      wants: { frames: true, display: true, motion: true },
      // Announcements don't need frames of what is off-screen.
      isOffscreen: () => true,
      frame: (/** @type {any} */ data, /** @type {string} */ key) => this.#frame(data, key),
      motion: (/** @type {any} */ _, /** @type {string} */ key) => clearTimeout(this.#stateOf(key).timer),
      event: (/** @type {any} */ data, /** @type {string} */ key, /** @type {string} */ name) =>
        this.#event(data, key, name),
    };
    const feed = feedFrom();
    // What is there already is not new.
    for (const [key, data] of feed.latest) this.#frame(data, key);
    for (const kind of ["ticker", "progress", "schedule"]) feed.listen(`${kind}:*`, listener);
  }

  /** @param {string} key
   *  @returns {Known} */
  #stateOf(key) {
    const known = this.#known.get(key) ?? { gap: 0 };
    if (!this.#known.has(key)) {
      this.#known.set(key, known);
      if (this.#known.size > MAX_KNOWN) this.#forget(/** @type {string} */ (this.#known.keys().next().value));
    }
    return known;
  }

  /** @param {string} key */
  #forget(key) {
    clearTimeout(this.#known.get(key)?.timer);
    this.#known.delete(key);
  }

  /** Announces a new resource, or a progress that is done or has stalled.
   *  @param {any} data
   *  @param {string} key */
  #frame({ text, display }, key) {
    if (!this.#isGreeted) this.#greeting ??= setTimeout(() => (this.#isGreeted = true), GREETING);
    const isNew = !this.#known.has(key);
    const known = this.#stateOf(key);
    const { state } = display ?? {};
    const isEnd = known.state !== undefined && state !== known.state && ENDS.includes(state);
    known.state = state;
    if (isEnd) this.#queue(key, `${text} ${translate(state)}`);
    else if (isNew && this.#isGreeted) this.#queue(key, display?.target ?? text);
  }

  /** @param {any} data
   *  @param {string} key
   *  @param {string} name */
  #event({ finished, text }, key, name) {
    if (name === "removed") return this.#forget(key);
    if (name === "skipped") return this.#queue(key, translate("skipped"));
    if (name !== "complete") return;
    const known = this.#stateOf(key);
    const now = performance.now();
    known.gap = now - (known.movedAt ?? -Infinity);
    known.movedAt = now;
    clearTimeout(known.timer);
    if (!finished) return;
    const { least, most, gaps } = REST_TIME;
    const rest = known.gap > most ? least : Math.max(least, known.gap * gaps);
    known.timer = setTimeout(() => {
      if (!ENDS.includes(known.state ?? "")) this.#queue(key, text);
    }, rest);
  }

  /** Adds a text to the next announcement, unless it was the last one announced.
   *  @param {string} key
   *  @param {string} text */
  #queue(key, text) {
    const known = this.#stateOf(key);
    if (!this.#isWanted() || known.announced === text) return;
    known.announced = text;
    const id = key.slice(key.indexOf(":") + 1);
    if (this.#queued.size < MAX_ANNOUNCED || this.#queued.has(id)) this.#queued.set(id, text);
    else this.#more++;
    this.#timer ??= setTimeout(() => this.#announce(), COLLECT_TIME);
  }

  #announce() {
    const messages = [...this.#queued].map(([id, text]) => `${id} ${text}`);
    if (this.#more) messages.push(translate("{count} more", { count: formatNumber(this.#more) }));
    setText(this.#region, formatList(messages));
    this.#queued.clear();
    this.#more = 0;
    this.#timer = undefined;
  }
}
