// One stream for all readers, in a page or in the worker that all tabs share.
import { ROOT } from "./base-url.js";
import { Stream } from "./stream.js";
import { addTo, everyOf, partsOf } from "./subscriptions.js";

/**
 * @typedef {import("./subscriptions.js").Want} Want
 * @typedef {import("./subscriptions.js").Wish} Wish
 *
 * What a reader is given: the name of an event, its topic, and its data as JSON. Some are no events of the
 * stream's: `status`, `heard` (topics that it tells of from now on), `told` (whether it tells all that is
 * wanted), `stamped` (a frame with its tick).
 * @typedef {[name: string, key: string, data: any]} Item
 *
 * @typedef {(items: Item[]) => void} Reader
 *
 * `frozen`: the connection is there, and nothing comes by it. `detail` says why nobody may listen, `ended`
 * why the last stream ended; `skew` is how far this clock is before the server's, in milliseconds.
 * @typedef {object} Status
 * @property {"connecting" | "live" | "asked" | "refused"} state
 * @property {boolean} [frozen]
 * @property {string} [detail]
 * @property {string | null} [ended]
 * @property {Record<string, any>} [greeting]
 * @property {number} [skew]
 */

// What is told within this time after a stream's beginning, in ms, is there; what isn't has gone.
const GREETING = 2000;
// A page between two components keeps its stream, in ms.
const LINGER = 5000;

/** The stream from one server, with tickets of one giver. */
export class Source {
  /** @type {Map<Reader, Wish>} */
  readers = new Map();
  /** The newest frames, and the motions that are under way, by topic. */
  latest = new Map();
  motions = new Map();
  /** @type {Status} */
  status = { state: "connecting" };
  /** Why the stream ended.
   *  @type {string | null} */
  ended = null;
  /** @type {Item[]} */
  batch = [];
  /** What the stream tells of.
   *  @type {string[]} */
  heard = [];
  /** Topics that were told of on this stream. */
  seen = new Set();
  /** @type {number | undefined} */
  lingering;

  /**
   * @param {string} server its root, with a slash at the end
   * @param {import("./stream.js").Giver} [giver]
   */
  constructor(server, giver) {
    this.stream = new Stream(server, giver, {
      take: (event) => this.take(event),
      greet: (greeting) => this.greet(greeting),
      hear: (keys) => this.hear(keys),
      lose: (isFrozen) => this.lose(isFrozen),
      refuse: (state, detail) => this.refuse(state, detail),
    });
    if (server !== ROOT || giver) return;
    new BroadcastChannel("session").onmessage = ({ data }) => this.renounce(data === "out");
  }

  /**
   * Says what a reader wants from now on; a page that is left wants nothing more.
   * @param {Reader} reader
   * @param {[string, Want][] | null} wants
   */
  want(reader, wants) {
    const before = this.readers.get(reader);
    const isNew = !before && wants !== null;
    if (wants) this.readers.set(reader, new Map(wants));
    else this.readers.delete(reader);
    if (isNew) {
      // What is left of a stream that ended is for those who saw it.
      if (!this.stream.isWanted) {
        this.ended = null;
        this.lose(false);
      }
      reader([["status", "", this.status]]);
    }
    this.retell(reader, before);
    this.update(isNew);
  }

  /**
   * Tells a reader what is known of topics that it didn't want before.
   * @param {Reader} reader
   * @param {Wish} [before]
   */
  retell(reader, before) {
    const news = new Set(this.readers.get(reader)?.keys());
    for (const key of before?.keys() ?? []) news.delete(key);
    if (!news.size || this.status.state !== "live") return;
    const isNews = (/** @type {string} */ key) => news.has(key) || news.has(everyOf(key));
    /** @type {Item[]} */
    const items = [["heard", "", this.heard.filter(isNews)]];
    for (const [key, data] of this.latest) if (isNews(key)) items.push(["message", key, data]);
    for (const [key, data] of this.motions) if (isNews(key)) items.push(["motion", key, data]);
    reader(items);
  }

  /** @param {boolean} isNew a page that was loaded anew is one that wants it to be tried anew */
  update(isNew) {
    /** @type {Wish} */
    const wish = new Map();
    for (const wants of this.readers.values()) {
      for (const [key, want] of wants) addTo(wish, key, want);
    }
    clearTimeout(this.lingering);
    if (!this.readers.size) return this.forget();
    if (!wish.size) {
      this.lingering = setTimeout(() => this.forget(), LINGER);
      return;
    }
    const { stream } = this;
    const demand = { parts: JSON.stringify(partsOf(wish)), keys: [...wish.keys()] };
    const isAsked = demand.parts === stream.demand.parts;
    stream.demand = demand;
    // What comes under another name, as one of all of a kind, is told already.
    if (isAsked && stream.isTold) this.hear(demand.keys);
    else this.put("told", "", false);
    if (isAsked && (stream.isWanted || !isNew)) return;
    for (const known of [this.latest, this.motions]) {
      for (const key of known.keys()) {
        if (!wish.has(key) && !wish.has(everyOf(key))) known.delete(key);
      }
    }
    stream.ask();
  }

  /** Nobody wants anything. */
  forget() {
    this.stream.close();
    this.stream.forget();
    // Whoever wants the same later asks for it anew.
    this.stream.demand = { parts: "[]", keys: [] };
    this.ended = null;
    this.heard = [];
    this.latest.clear();
    this.motions.clear();
  }

  /**
   * What was let in before counts no more; whoever signs out leaves nothing behind.
   * @param {boolean} isOut
   */
  renounce(isOut) {
    for (const data of isOut ? [...this.latest.values()] : []) this.pass("removed", data);
    this.stream.close();
    this.stream.forget();
    this.lose(false);
    if (this.readers.size) this.stream.open();
  }

  // What comes

  /** @param {import("./sse.js").StreamEvent} event */
  take({ name, data }) {
    if (name === "reset") this.renew();
    else if (name === "bye") this.ended = JSON.parse(data).reason;
    else if (name !== "heartbeat") this.pass(name, data);
  }

  /** @param {Record<string, any>} greeting */
  greet(greeting) {
    this.ended = null;
    const skew = Date.now() - Date.parse(greeting.now);
    this.tell({ state: "live", frozen: false, greeting, skew });
    this.renew();
  }

  /** @param {string[]} keys */
  hear(keys) {
    const before = new Set(this.heard);
    this.heard = keys;
    const news = keys.filter((key) => !before.has(key));
    if (news.length) this.put("heard", "", news);
    this.put("told", "", this.stream.isTold);
  }

  /** @param {boolean} isFrozen */
  lose(isFrozen) {
    this.heard = [];
    this.tell({ state: "connecting", frozen: isFrozen, ended: this.ended });
  }

  /**
   * @param {"asked" | "refused"} state
   * @param {string} [detail]
   */
  refuse(state, detail) {
    this.heard = [];
    this.tell({ state, detail, ended: this.ended });
    this.ended = null;
    if (state === "refused") this.renew();
  }

  /** The frames that follow are the state now; what has none soon is gone. */
  renew() {
    const before = [...this.latest];
    const seen = (this.seen = new Set());
    this.motions.clear();
    setTimeout(() => {
      if (seen !== this.seen) return;
      for (const [key, data] of before) {
        if (this.latest.has(key) && !seen.has(key)) this.pass("removed", data);
      }
    }, GREETING);
  }

  /**
   * @param {string} name
   * @param {string} data
   */
  pass(name, data) {
    const key = data.replace(/^\{"(\w+)":"([^"]*)"[^]*/, "$1:$2");
    this.seen.add(key);
    if (name === "message" && /,"t":\d+(,"seq":\d+)?\}$/.test(data)) return this.put("stamped", key, data);
    const isEnd = name === "complete" && !data.includes('"superseded"');
    if (name === "message") this.latest.set(key, data);
    else if (name === "motion") this.motions.set(key, data);
    else if (name === "removed") this.latest.delete(key);
    if (isEnd || name === "removed") this.motions.delete(key);
    this.put(name, key, data);
  }

  /** @param {Partial<Status>} news */
  tell(news) {
    this.status = { ...this.status, ...news };
    this.put("status", "", this.status);
  }

  /**
   * Hands out what came in one packet at once, to each reader what it wants.
   * @param {Item} item
   */
  put(...item) {
    if (this.batch.push(item) > 1) return;
    setTimeout(() => {
      const { batch } = this;
      this.batch = [];
      for (const [reader, wish] of this.readers) {
        reader(batch.filter(([, key]) => !key || wish.has(key) || wish.has(everyOf(key))));
      }
    }, 1);
  }
}

if ("SharedWorkerGlobalScope" in self) {
  const source = new Source(ROOT);
  addEventListener("connect", (event) => {
    const [port] = /** @type {MessageEvent} */ (event).ports;
    const reader = (/** @type {Item[]} */ items) => port.postMessage(items);
    port.onmessage = ({ data }) => source.want(reader, data);
  });
}
