// What the inspector hears of one resource: stamped frames, for gaps and latency, and its motions.
import { pathOf } from "./client.js";
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";
import { listen } from "./source.js";

/** Frames whose gap and latency are kept, and lines of raw events. */
const MOST_FRAMES = 120;
const MOST_LINES = 20;
/** Milliseconds between two frames beyond which the number was at rest. */
const RESTING = 500;

/** @template T
 *  @param {T[]} list
 *  @param {T} value
 *  @param {number} most */
const push = (list, value, most) => {
  if (list.push(value) > most) list.shift();
};

export class Probe {
  /** Milliseconds between frames, and from tick to page. @type {number[]} */
  gaps = [];
  /** @type {number[]} */
  latencies = [];
  /** @type {string[]} */
  lines = [];
  /** Ticks without a frame. */
  empty = 0;
  /** @type {EventSource[]} */
  streams = [];

  /** @param {import("./card.js").Card} card
   *  @param {(motion: Motion) => void} moved is given each motion */
  constructor(card, moved) {
    this.card = card;
    this.moved = moved;
    this.open();
  }

  open() {
    const path = `${pathOf(this.card.key)}/events`;
    this.streams = [listen(`${path}?stamp`, (name, data) => this.hear(name, data))];
    if (this.card.kind === "schedule") return;
    this.streams.push(listen(`${path}?mode=motion`, (name, data) => {
      if (name === "motion") this.moved(new Motion(JSON.parse(data)));
    }));
  }

  close() {
    for (const stream of this.streams) stream.close();
  }

  /** Streams of its own that were refused don't come back by themselves. */
  reopen() {
    if (!this.streams.some(({ readyState }) => readyState === EventSource.CLOSED)) return;
    this.close();
    this.open();
  }

  /** @param {string} name
   *  @param {string} data */
  hear(name, data) {
    push(this.lines, `event: ${name}\ndata: ${data}`, MOST_LINES);
    if (name !== "message") return;
    const { t, seq } = JSON.parse(data);
    const { status } = feedFrom();
    const now = performance.now();
    const gap = now - (this.last ?? -Infinity);
    status.skew = Math.min(status.skew, Date.now() - t / 1e6);
    push(this.latencies, feedFrom().now() - t / 1e6, MOST_FRAMES);
    if (gap < RESTING) {
      push(this.gaps, gap, MOST_FRAMES);
      this.empty += seq - (this.seq ?? seq) - 1;
    }
    this.last = now;
    this.seq = seq;
  }
}
