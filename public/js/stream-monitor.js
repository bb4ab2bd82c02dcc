// Monitors one resource for the inspector: stamped frames, for gaps and latency, and motions.
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";

// The most frames whose gap and latency are kept, and the most raw events.
const MAX_FRAMES = 120;
const MAX_LINES = 20;
// Milliseconds between two frames from which the number was at rest.
const REST_GAP = 500;

/**
 * @template T
 * @param {T[]} list
 * @param {T} value
 * @param {number} most
 */
const push = (list, value, most) => {
  if (list.push(value) > most) list.shift();
};

export class StreamMonitor {
  /** Milliseconds between frames, and from tick to page.
   *  @type {number[]} */
  gaps = [];
  /** @type {number[]} */
  latencies = [];
  /** @type {string[]} */
  lines = [];
  /** Ticks without a frame. */
  skipped = 0;
  /** @type {number | undefined} */
  last;
  /** @type {number | undefined} */
  seq;

  /**
   * @param {{ key: string, kind: string }} card
   * @param {(motion: Motion) => void} moved called with each motion
   */
  constructor(card, moved) {
    this.close = feedFrom().listen(card.key, {
      wants: { stamp: true, motion: card.kind !== "schedule" },
      // The page may know a motion under way already.
      motion: (motion) => moved(new Motion(motion)),
      raw: (name, json) => this.receive(name, json),
    });
  }

  /**
   * @param {string} name
   * @param {string} json
   */
  receive(name, json) {
    // Unstamped frames and motions are the board's.
    if (name === "message" || name === "motion") return;
    const isFrame = name === "stamped";
    push(this.lines, `event: ${isFrame ? "message" : name}\ndata: ${json}`, MAX_LINES);
    if (!isFrame) return;
    const { t, seq } = JSON.parse(json);
    const { status } = feedFrom();
    const now = performance.now();
    const gap = now - (this.last ?? -Infinity);
    status.skew = Math.min(status.skew ?? Infinity, Date.now() - t / 1e6);
    push(this.latencies, feedFrom().now() - t / 1e6, MAX_FRAMES);
    if (gap < REST_GAP) {
      push(this.gaps, gap, MAX_FRAMES);
      this.skipped += this.skippedTicks(seq);
    }
    this.last = now;
    this.seq = seq ?? this.seq;
  }

  /**
   * The ticks without a frame since the last numbered one; a frame between two ticks has no number.
   * @param {number | undefined} seq
   */
  skippedTicks(seq) {
    return seq === undefined || this.seq === undefined ? 0 : Math.max(0, seq - this.seq - 1);
  }
}
