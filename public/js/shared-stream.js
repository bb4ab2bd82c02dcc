// One stream for all subscribers: those of a page, or, in the shared worker, all tabs of a browser.
import { BASE_URL } from "./base-url.js";
import { Stream } from "./stream.js";
import { mergeSubscription, streamParts, wildcardOf } from "./subscriptions.js";

/**
 * @typedef {import("./subscriptions.js").Subscription} Subscription
 * @typedef {import("./subscriptions.js").Subscriptions} Subscriptions
 *
 * What a subscriber receives: the name of an event, its topic, and its data as JSON. Some names are not those of
 * events: `status`, `resync` (the state of all topics follows), `subscribed` (topics that the stream sends from now on),
 * `ready` (whether it sends all that is wanted), `stamped` (a frame with its tick).
 * @typedef {[name: string, key: string, data: any]} Item
 *
 * @typedef {(items: Item[]) => void} Subscriber
 *
 * `frozen`: the connection is open, but nothing arrives. `detail` says why the server rejects the stream,
 * `endReason` why the last stream ended; `skew` is how far this clock is ahead of the server's, in milliseconds.
 * @typedef {object} Status
 * @property {"connecting" | "live" | "unauthorized" | "forbidden"} state
 * @property {boolean} [frozen]
 * @property {string} [detail]
 * @property {string | null} [endReason]
 * @property {Record<string, any>} [greeting]
 * @property {number} [skew]
 */

// A changed motion arrives within this time, in ms, unless a clock was set.
const MAX_DELAY = 5000;
// A page that subscribes to nothing keeps its stream for this time, in ms: it may be between two components.
const KEEP_OPEN = 5000;
/** @type {Item} */
const RESYNC = ["resync", "", null];

/**
 * Whether no motion of a topic is under way after an event.
 * @param {string} name
 * @param {string} json
 */
export const endsMotion = (name, json) => /complete|removed/.test(name) && !json.includes('"reason":"superseded"');

/**
 * When a motion began by the server's clock, in ms; NaN if there is none.
 * @param {string | undefined} json
 */
const startOf = (json = "") => Date.parse(/"start":"([^"]*)/.exec(json)?.[1] ?? "");

/** The stream from one server, with the tickets of one provider. */
export class SharedStream {
  /** @type {Map<Subscriber, Subscriptions>} */
  #subscribers = new Map();
  /** The newest frames, and the motions under way, by topic. */
  #latest = new Map();
  #motions = new Map();
  /** @type {Status} */
  #status = { state: "connecting" };
  /** Why the stream ended.
   *  @type {string | null} */
  #endReason = null;
  /** @type {Item[]} */
  #batch = [];
  /** The topics that the stream sends.
   *  @type {string[]} */
  #subscribed = [];
  /** When the stream began to send more topics. Their motions began earlier. */
  #confirmedAt = 0;
  /** @type {number | undefined} */
  #closeTimer;
  #stream;

  /**
   * @param {string} server its root, with a slash at the end
   * @param {import("./stream.js").TicketProvider} [ticketProvider]
   * @param {string} [locale]
   */
  constructor(server, ticketProvider, locale) {
    this.#stream = new Stream(server, ticketProvider, this, locale);
    if (server !== BASE_URL || ticketProvider) return;
    new BroadcastChannel("session").onmessage = ({ data }) => this.#restart(data === "out");
  }

  /**
   * Replaces what a subscriber receives; null removes the subscriber.
   * @param {Subscriber} subscriber
   * @param {[string, Subscription][] | null} subscriptions
   */
  subscribe(subscriber, subscriptions) {
    const before = this.#subscribers.get(subscriber);
    const isNew = !before && subscriptions !== null;
    if (subscriptions) this.#subscribers.set(subscriber, new Map(subscriptions));
    else this.#subscribers.delete(subscriber);
    if (isNew) {
      // Why an earlier stream ended concerns only the pages that had it.
      if (!this.#stream.isActive) {
        this.#endReason = null;
        this.disconnect(false);
      }
      subscriber([["status", "", this.#status]]);
    }
    this.#replay(subscriber, before);
    this.#update(isNew);
  }

  /**
   * Sends a subscriber the known state of topics that it has just added.
   * @param {Subscriber} subscriber
   * @param {Subscriptions} [before]
   */
  #replay(subscriber, before) {
    const added = new Set(this.#subscribers.get(subscriber)?.keys());
    for (const key of before?.keys() ?? []) added.delete(key);
    if (!added.size || this.#status.state !== "live") return;
    const isAdded = (/** @type {string} */ key) => added.has(key) || added.has(wildcardOf(key));
    /** @type {Item[]} */
    const items = [["subscribed", "", this.#subscribed.filter(isAdded)]];
    if (!before) items.unshift(RESYNC);
    for (const [key, data] of this.#latest) if (isAdded(key)) items.push(["message", key, data]);
    for (const [key, data] of this.#motions) if (isAdded(key)) items.push(["motion", key, data]);
    subscriber(items);
  }

  /** @param {boolean} isNew loading a page again retries a rejected stream */
  #update(isNew) {
    /** @type {Subscriptions} */
    const merged = new Map();
    for (const subscriptions of this.#subscribers.values()) {
      for (const [key, one] of subscriptions) mergeSubscription(merged, key, one);
    }
    clearTimeout(this.#closeTimer);
    if (!this.#subscribers.size) return this.#close();
    if (!merged.size) {
      this.#closeTimer = setTimeout(() => this.#close(), KEEP_OPEN);
      return;
    }
    const stream = this.#stream;
    const wanted = { parts: JSON.stringify(streamParts(merged)), keys: [...merged.keys()] };
    const isUnchanged = wanted.parts === stream.wanted.parts;
    stream.wanted = wanted;
    // The stream sends a new key already when a wildcard covers it.
    if (isUnchanged && stream.isUpToDate) this.confirm(wanted.keys);
    else this.#enqueue("ready", "", false);
    if (isUnchanged && (stream.isActive || !isNew)) return;
    for (const known of [this.#latest, this.#motions]) {
      for (const key of known.keys()) {
        if (!merged.has(key) && !merged.has(wildcardOf(key))) known.delete(key);
      }
    }
    stream.update();
  }

  /** Closes the stream, and forgets its state: the next subscriber starts fresh. */
  #close() {
    this.#stream.close();
    this.#stream.reset();
    this.#stream.wanted = { parts: "[]", keys: [] };
    this.#endReason = null;
    this.#subscribed = [];
    this.#latest.clear();
    this.#motions.clear();
  }

  /**
   * Reopens the stream after signing in or out; signing out removes everything that was shown.
   * @param {boolean} isSignedOut
   */
  #restart(isSignedOut) {
    for (const data of isSignedOut ? [...this.#latest.values()] : []) this.#dispatch("removed", data);
    this.#stream.close();
    this.#stream.reset();
    this.disconnect(false);
    if (this.#stream.wanted.keys.length) this.#stream.open();
  }

  // What the stream sends

  /** @param {import("./sse.js").StreamEvent} event */
  receive({ name, data }) {
    if (name === "reset") {
      this.#resync();
      this.#enqueue("subscribed", "", this.#subscribed);
    } else if (name === "bye") this.#endReason = JSON.parse(data).reason;
    else if (name !== "heartbeat") this.#dispatch(name, data);
  }

  /** @param {Record<string, any>} greeting */
  greet(greeting) {
    this.#endReason = null;
    const skew = Date.now() - Date.parse(greeting.now);
    this.#setStatus({ state: "live", frozen: false, greeting, skew });
    this.#resync();
  }

  /** @param {string[]} keys */
  confirm(keys) {
    this.#confirmedAt = performance.now();
    const before = new Set(this.#subscribed);
    this.#subscribed = keys;
    const added = keys.filter((key) => !before.has(key));
    if (added.length) this.#enqueue("subscribed", "", added);
    this.#enqueue("ready", "", this.#stream.isUpToDate);
  }

  /** @param {boolean} isFrozen */
  disconnect(isFrozen) {
    this.#subscribed = [];
    this.#setStatus({ state: "connecting", frozen: isFrozen, endReason: this.#endReason });
  }

  /**
   * @param {"unauthorized" | "forbidden"} state
   * @param {string} [detail]
   */
  reject(state, detail) {
    this.#subscribed = [];
    this.#setStatus({ state, detail, endReason: this.#endReason });
    this.#endReason = null;
    if (state === "forbidden") this.#resync();
  }

  /** The stream sends the current state next. */
  #resync() {
    this.#latest.clear();
    this.#motions.clear();
    this.#enqueue(...RESYNC);
  }

  /**
   * @param {string} name
   * @param {string} data
   */
  #dispatch(name, data) {
    const key = data.replace(/^\{"(\w+)":"([^"]*)"[^]*/, "$1:$2");
    if (name === "message" && /,"t":\d+(,"seq":\d+)?\}$/.test(data)) return this.#enqueue("stamped", key, data);
    if (name === "motion" && this.#showsClockSet(key, data)) return this.#stream.reopen();
    if (name === "message") this.#latest.set(key, data);
    if (name === "motion") this.#motions.set(key, data);
    if (name === "removed") this.#latest.delete(key);
    if (endsMotion(name, data)) this.#motions.delete(key);
    this.#enqueue(name, key, data);
  }

  /**
   * Compares a motion's start with the server's clock as it is known here. A start in the future shows how late `hello` was.
   * @param {string} key
   * @param {string} data
   * @returns {boolean} whether one of the clocks must have been set: `hello` has to tell the time again
   */
  #showsClockSet(key, data) {
    const { skew = 0 } = this.#status;
    const start = startOf(data);
    const before = startOf(this.#motions.get(key));
    const ahead = start - (Date.now() - skew);
    const isChange = before ? start !== before : performance.now() - this.#confirmedAt > MAX_DELAY;
    if (start < before || (isChange && Math.abs(ahead) > MAX_DELAY)) return true;
    if (ahead > 0) this.#setStatus({ skew: skew - ahead });
    return false;
  }

  /** @param {Partial<Status>} changes */
  #setStatus(changes) {
    this.#status = { ...this.#status, ...changes };
    this.#enqueue("status", "", this.#status);
  }

  /**
   * Sends what arrived in one packet together, to each subscriber only its own topics.
   * @param {Item} item
   */
  #enqueue(...item) {
    if (this.#batch.push(item) > 1) return;
    setTimeout(() => {
      const batch = this.#batch;
      this.#batch = [];
      for (const [subscriber, subscriptions] of this.#subscribers) {
        const isOwn = (/** @type {string} */ key) => subscriptions.has(key) || subscriptions.has(wildcardOf(key));
        subscriber(batch.filter(([, key]) => !key || isOwn(key)));
      }
    }, 1);
  }
}

if ("SharedWorkerGlobalScope" in self) {
  const stream = new SharedStream(BASE_URL);
  addEventListener("connect", (event) => {
    const [port] = /** @type {MessageEvent} */ (event).ports;
    const subscriber = (/** @type {Item[]} */ items) => port.postMessage(items);
    port.onmessage = ({ data }) => stream.subscribe(subscriber, data);
  });
}
