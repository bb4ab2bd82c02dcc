// What the inspector hears of one resource: stamped frames, for gaps and latency, and its motions.
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";

// Frames whose gap and latency are kept, and lines of raw events.
const MOST_FRAMES = 120;
const MOST_LINES = 20;
// Milliseconds between two frames beyond which the number was at rest.
const RESTING = 500;

/**
 * @template T
 * @param {T[]} list
 * @param {T} value
 * @param {number} most
 */
const push = (list, value, most) => {
  if (list.push(value) > most) list.shift();
};

export class Probe {
  /** Milliseconds between frames, and from tick to page.
   *  @type {number[]} */
  gaps = [];
  /** @type {number[]} */
  latencies = [];
  /** @type {string[]} */
  lines = [];
  /** Ticks without a frame. */
  empty = 0;
  /** @type {number | undefined} */
  last;
  /** @type {number | undefined} */
  seq;

  /**
   * @param {{ key: string, kind: string }} card
   * @param {(motion: Motion) => void} moved is given each motion
   */
  constructor(card, moved) {
    this.close = feedFrom().listen(card.key, {
      wants: { stamp: true, motion: card.kind !== "schedule" },
      // One that is under way may be known to the page already.
      motion: (motion) => moved(new Motion(motion)),
      each: (name, json) => this.hear(name, json),
    });
  }

  /**
   * @param {string} name
   * @param {string} json
   */
  hear(name, json) {
    // Frames without a stamp, and motions, are the board's.
    if (name === "message" || name === "motion") return;
    const isFrame = name === "stamped";
    push(this.lines, `event: ${isFrame ? "message" : name}\ndata: ${json}`, MOST_LINES);
    if (!isFrame) return;
    const { t, seq } = JSON.parse(json);
    const { status } = feedFrom();
    const now = performance.now();
    const gap = now - (this.last ?? -Infinity);
    status.skew = Math.min(status.skew ?? Infinity, Date.now() - t / 1e6);
    push(this.latencies, feedFrom().now() - t / 1e6, MOST_FRAMES);
    if (gap < RESTING) {
      push(this.gaps, gap, MOST_FRAMES);
      this.empty += this.missed(seq);
    }
    this.last = now;
    this.seq = seq ?? this.seq;
  }

  /**
   * Ticks without a frame since the last one that had a tick's number: what is told between two ticks has none.
   * @param {number | undefined} seq
   */
  missed(seq) {
    return seq === undefined || this.seq === undefined ? 0 : Math.max(0, seq - this.seq - 1);
  }
}
