// What a page reads of the one stream, once for each screen frame, at the reader's pace.
import { followPace, settledEvery } from "./pace.js";
import { Pacer } from "./frame-scheduler.js";
import { ROOT } from "./base-url.js";
import { Source } from "./shared-stream.js";
import { Waiting } from "./conflating-queue.js";
import { addTo, everyOf } from "./subscriptions.js";

/**
 * @typedef {import("./shared-stream.js").Item} Item
 * @typedef {import("./stream.js").Giver} Giver
 * @typedef {import("./subscriptions.js").Listener} Listener
 * @typedef {import("./subscriptions.js").Want} Want
 *
 * Why what is shown may not be so any more: there is no such resource, it was deleted, the connection
 * is lost, or nothing comes by it.
 * @typedef {"missing" | "removed" | "connecting" | "frozen"} Staleness
 */

// What has not been told of after this time, in ms, is not there.
const GRACE = 2000;
// Of the frames that nobody would see one in so many is shown with each that somebody does: of each
// topic about two a second.
const TURNS = 30;

// Milliseconds after which it is looked whether a settled page has a value due.
const BEAT = 1000;

/**
 * A page's connection to one server. Fires `status`: `connecting`, `live`, `asked` for a token, or
 * `refused` where that may read nothing; `pace` when that is another; and `beat` when what moves on a
 * settled page is shown.
 */
class Feed extends EventTarget {
  /** The newest frames that were shown, and the motions under way, by topic. */
  latest = new Map();
  motions = new Map();
  /** @type {Partial<import("./shared-stream.js").Status>} */
  status = {};
  /** Whether the stream tells all that is wanted here, in the forms in which it is. */
  isTold = false;
  /** @type {import("./pace.js").Pace} */
  pace = "live";

  /** @type {Map<string, Set<Listener>>} */
  #listeners = new Map();
  #waiting = new Waiting();
  /** Topics that were told of on the present connection. */
  #fresh = new Set();
  /** @type {Map<string, Staleness>} */
  #stale = new Map();
  /** Counts connections. */
  #connection = 0;
  #drawsAll = false;
  /** Milliseconds since all was shown. */
  #passed = 0;
  #turn = 0;
  #pacer = new Pacer(() => this.#showWaiting());
  /** @type {number | undefined} */
  #wishing;
  /** @type {(wants: [string, Want][] | null) => void} */
  #want;

  /**
   * @param {string} server its root, with a slash at the end
   * @param {Giver} [giver]
   */
  constructor(server, giver) {
    super();
    const receive = (/** @type {Item[]} */ items) => this.#receive(items);
    const isOurs = server === ROOT && new URL(ROOT).origin === location.origin;
    if (isOurs && "SharedWorker" in self && !giver) {
      const { port } = new SharedWorker(new URL("shared-stream.js", import.meta.url), { type: "module" });
      port.onmessage = ({ data }) => receive(data);
      this.#want = (wants) => port.postMessage(wants);
    } else {
      const source = new Source(server, giver);
      this.#want = (wants) => source.want(receive, wants);
    }
    followPace((pace) => this.setPace(pace));
    setInterval(() => this.#beat(), BEAT);
    addEventListener("pagehide", () => this.#want(null));
    addEventListener("pageshow", ({ persisted }) => persisted && this.#wish());
  }

  /** Frames that this page left out. */
  get left() {
    return this.#waiting.left;
  }

  /** The server's clock in milliseconds. */
  now() {
    return Date.now() - (this.status.skew ?? 0);
  }

  /**
   * Gives a listener what comes of `ticker:revenue` or `ticker:*`, until the answer is called.
   * @param {string} key
   * @param {Listener} listener
   */
  listen(key, listener) {
    const all = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, all.add(listener));
    this.#wish();
    if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
    if (this.motions.has(key)) listener.motion?.(this.motions.get(key), key);
    const reason = this.#stale.get(key);
    if (reason) listener.stale?.(reason, key);
    else setTimeout(() => this.#isAway && all.has(listener) && this.#mark(key, this.#away), GRACE);
    return () => {
      all.delete(listener);
      this.#wish();
    };
  }

  /**
   * What was drawn last is drawn anew: numbers that no longer move are to be read.
   * @param {import("./pace.js").Pace} pace
   */
  setPace(pace) {
    this.pace = pace;
    for (const [key, all] of this.#listeners) {
      for (const listener of all) {
        if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
        if (this.motions.has(key)) listener.motion?.(this.motions.get(key), key);
      }
    }
    this.#draw(true);
    this.dispatchEvent(new Event("pace"));
  }

  /** Tells the source what is wanted, once a turn. */
  #wish() {
    clearTimeout(this.#wishing);
    this.isTold = false;
    this.#wishing = setTimeout(() => {
      this.#wishing = undefined;
      const wish = new Map();
      for (const [key, all] of this.#listeners) {
        for (const { wants = { frames: true } } of all) addTo(wish, key, wants);
        if (!all.size) this.#listeners.delete(key);
      }
      for (const known of [this.latest, this.motions, this.#stale]) {
        for (const key of known.keys()) {
          if (!wish.has(key) && !wish.has(everyOf(key))) known.delete(key);
        }
      }
      this.#want([...wish]);
    });
  }

  // What comes

  /** @param {Item[]} items */
  #receive(items) {
    for (const item of items) {
      const [name, key, data] = item;
      if (name === "status") this.#take(data);
      else if (name === "heard") this.#expect(data);
      else if (name === "told") this.isTold = data && !this.#wishing;
      else this.#hear(item);
      if (key) for (const listener of this.#of(key)) listener.each?.(name, data, key);
    }
    this.#draw();
  }

  /** @param {Item} item */
  #hear(item) {
    const [name, key] = item;
    this.#fresh.add(key);
    this.#mark(key, name === "removed" ? "removed" : null);
    if (name !== "stamped") this.#waiting.put(item);
  }

  /** @param {import("./shared-stream.js").Status} status */
  #take(status) {
    this.status = status;
    if (this.#isAway) {
      this.#connection++;
      this.#fresh.clear();
      // A page that has only just begun shows nothing yet that could be out of date.
      if (status.greeting) for (const key of this.#listeners.keys()) this.#mark(key, this.#away);
    } else {
      for (const key of this.#listeners.keys()) if (key === everyOf(key)) this.#mark(key, null);
    }
    this.dispatchEvent(new Event("status"));
  }

  get #isAway() {
    return this.status.state !== "live";
  }

  /** @returns {Staleness} */
  get #away() {
    return this.status.frozen ? "frozen" : "connecting";
  }

  /**
   * The stream tells of these from now on: what it doesn't is not there.
   * @param {string[]} keys
   */
  #expect(keys) {
    const connection = this.#connection;
    setTimeout(() => {
      if (connection !== this.#connection || this.#isAway) return;
      for (const key of keys) {
        const isOurs = key !== everyOf(key) && this.#listeners.has(key);
        if (isOurs && !this.#fresh.has(key)) this.#mark(key, "missing");
      }
    }, GRACE);
  }

  /**
   * @param {string} key
   * @param {Staleness | null} reason nil: what is shown is so
   */
  #mark(key, reason) {
    if ((this.#stale.get(key) ?? null) === reason) return;
    if (reason) this.#stale.set(key, reason);
    else this.#stale.delete(key);
    for (const listener of this.#listeners.get(key) ?? []) listener.stale?.(reason, key);
  }

  // What is shown

  #beat() {
    this.#passed += BEAT;
    if (this.#passed < settledEvery()) return;
    this.#passed = 0;
    this.#draw(true);
  }

  /**
   * Who wants values settled gets one when an event says it rests, and all now and then.
   * @param {boolean} [all]
   */
  #draw(all = false) {
    this.#drawsAll ||= all;
    this.#pacer.ask();
  }

  #showWaiting() {
    const drawsAll = this.#drawsAll;
    const isLive = drawsAll || this.pace === "live";
    this.#drawsAll = false;
    this.#turn = (this.#turn + 1) % TURNS;
    let asleep = 0;
    for (const [place, [name, key]] of [...this.#waiting.items]) {
      const isFrame = place === key;
      // What a paused page has not shown yet would be taken for what is so now.
      const isFirst = isFrame ? !this.latest.has(key) : name === "motion" && !this.motions.has(key);
      if (this.pace === "paused" && !isFirst) continue;
      if (!isFrame) this.#show(place, name);
      else if (drawsAll || isFirst) this.#show(place);
      else if (!isLive && !key.startsWith("schedule:")) continue;
      else if (!this.#sleeps(key) || asleep++ % TURNS === this.#turn) this.#show(place);
    }
    if (drawsAll) this.dispatchEvent(new Event("beat"));
    // Those left have their turn even if nothing else comes.
    if (asleep) this.#pacer.askSoon();
  }

  /** Shows at once what waits of a topic, for who sees it from now on.
   *  @param {string} key */
  catchUp(key) {
    if (this.pace === "live") this.#show(key);
  }

  /** @param {string} key */
  #sleeps(key) {
    return this.#of(key).every(({ frame, isAsleep }) => !frame || isAsleep?.(key));
  }

  /**
   * Gives listeners what waits; before the event of a value at rest, the value.
   * @param {string | number} place
   * @param {string} [name] of an event
   */
  #show(place, name) {
    const [, key, json] = this.#waiting.take(place) ?? [];
    if (!key) return;
    const data = JSON.parse(json);
    if (!name) {
      this.latest.set(key, data);
      for (const listener of this.#of(key)) listener.frame?.(data, key);
    } else if (name === "motion") {
      this.motions.set(key, data);
      for (const listener of this.#of(key)) listener.motion?.(data, key);
    } else {
      if (name === "removed") this.latest.delete(key);
      else if (data.reason !== "superseded") this.#show(key);
      if (name === "complete" && data.reason !== "superseded") this.motions.delete(key);
      for (const listener of this.#of(key)) listener.event?.(data, key, name);
    }
  }

  /**
   * Those who listen to a topic, or to all of its kind.
   * @param {string} key
   */
  #of(key) {
    return [...(this.#listeners.get(key) ?? []), ...(this.#listeners.get(everyOf(key)) ?? [])];
  }
}

/** @type {Map<Giver | undefined, Map<string, Feed>>} */
const feeds = new Map();

/**
 * The page's feed from a server; with tickets, one for each giver of them.
 * @param {string} [server] its root, with a slash at the end
 * @param {Giver} [giver]
 */
export function feedFrom(server = ROOT, giver) {
  const all = feeds.get(giver) ?? new Map();
  feeds.set(giver, all);
  if (!all.has(server)) all.set(server, new Feed(server, giver));
  return /** @type {Feed} */ (all.get(server));
}
