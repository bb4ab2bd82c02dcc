// What is said to screen readers: what comes, arrives, is done or fails. Numbers that are sent on and
// on say nothing before they rest.
import { write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { list, local, words } from "./i18n.js";

/** Milliseconds in which it is collected: many numbers are one sentence, and none waits for the last
 *  of all. */
const COLLECTING = 2000;
/** Numbers that a sentence tells; of those beyond it tells how many. */
const MOST_TOLD = 5;
/** Milliseconds after the first frames in which what comes has been there before. */
const GREETING = 1000;
/** Milliseconds for which a number rests before that is an arrival, and how many of its usual gaps
 *  between two motions: one that sets out every ten seconds has not arrived within them. */
const RESTING = { least: 3000, most: 60_000, gaps: 1.5 };
/** Numbers that are known; beyond, the first is forgotten. */
const MOST_KNOWN = 2000;
/** What a progress comes to that is said at once. */
const ENDS = ["done", "stalled"];

/** What is known of one number.
 *  @typedef {{said?: string, state?: string, movedAt?: number, gap: number, timer?: number}} Known */

export class Speech {
  /** @type {Map<string, Known>} */
  known = new Map();
  /** What the next sentence says, by ids.
   *  @type {Map<string, string>} */
  waiting = new Map();
  more = 0;
  isGreeted = false;
  /** @type {number | undefined} */
  greeting;
  /** @type {number | undefined} */
  timer;

  /** @param {HTMLElement} region
   *  @param {() => boolean} isWanted */
  constructor(region, isWanted) {
    this.region = region;
    this.isWanted = isWanted;
    const listener = {
      wants: { frames: true, display: true, motion: true },
      // It has no need for frames of what nobody sees.
      isAsleep: () => true,
      frame: (/** @type {any} */ data, /** @type {string} */ key) => this.frame(data, key),
      motion: (/** @type {any} */ _, /** @type {string} */ key) => clearTimeout(this.of(key).timer),
      event: (/** @type {any} */ data, /** @type {string} */ key, /** @type {string} */ name) =>
        this.event(data, key, name),
    };
    for (const kind of ["ticker", "progress", "schedule"]) feedFrom().listen(`${kind}:*`, listener);
  }

  /** @param {string} key
   *  @returns {Known} */
  of(key) {
    const known = this.known.get(key) ?? { gap: 0 };
    if (!this.known.has(key)) {
      this.known.set(key, known);
      if (this.known.size > MOST_KNOWN) this.forget(/** @type {string} */ (this.known.keys().next().value));
    }
    return known;
  }

  /** @param {string} key */
  forget(key) {
    clearTimeout(this.known.get(key)?.timer);
    this.known.delete(key);
  }

  /** One that was not there before has come; a progress may have come to an end.
   *  @param {any} data
   *  @param {string} key */
  frame({ text, display }, key) {
    if (!this.isGreeted) this.greeting ??= setTimeout(() => (this.isGreeted = true), GREETING);
    const isNew = !this.known.has(key);
    const known = this.of(key);
    const { state } = display ?? {};
    const isEnd = known.state !== undefined && state !== known.state && ENDS.includes(state);
    known.state = state;
    if (isEnd) this.say(key, `${text} ${words(state)}`);
    else if (isNew && this.isGreeted) this.say(key, display?.target ?? text);
  }

  /** @param {any} data
   *  @param {string} key
   *  @param {string} name */
  event({ finished, text }, key, name) {
    if (name === "removed") return this.forget(key);
    if (name === "skipped") return this.say(key, words("skipped"));
    if (name !== "complete") return;
    const known = this.of(key);
    const now = performance.now();
    known.gap = now - (known.movedAt ?? -Infinity);
    known.movedAt = now;
    clearTimeout(known.timer);
    if (!finished) return;
    const { least, most, gaps } = RESTING;
    const rest = known.gap > most ? least : Math.max(least, known.gap * gaps);
    known.timer = setTimeout(() => {
      if (!ENDS.includes(known.state ?? "")) this.say(key, text);
    }, rest);
  }

  /** Says it with the next sentence, unless it was what was said last.
   *  @param {string} key
   *  @param {string} text */
  say(key, text) {
    const known = this.of(key);
    if (!this.isWanted() || known.said === text) return;
    known.said = text;
    const id = key.slice(key.indexOf(":") + 1);
    if (this.waiting.size < MOST_TOLD || this.waiting.has(id)) this.waiting.set(id, text);
    else this.more++;
    this.timer ??= setTimeout(() => this.tell(), COLLECTING);
  }

  tell() {
    const told = [...this.waiting].map(([id, text]) => `${id} ${text}`);
    if (this.more) told.push(words("{count} more", { count: local(this.more) }));
    write(this.region, list(told));
    this.waiting.clear();
    this.more = 0;
    this.timer = undefined;
  }
}
