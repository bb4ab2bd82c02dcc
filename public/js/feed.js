// What a page shows of the shared stream: at most once a screen frame, at the pace of the page.
import { BASE_URL } from "./base-url.js";
import { ConflatingQueue } from "./conflating-queue.js";
import { FrameScheduler } from "./frame-scheduler.js";
import { followPace, settledInterval } from "./pace.js";
import { SharedStream, endsMotion } from "./shared-stream.js";
import { mergeSubscription, wildcardOf } from "./subscriptions.js";

/**
 * @typedef {import("./shared-stream.js").Item} Item
 * @typedef {import("./stream.js").TicketProvider} TicketProvider
 * @typedef {import("./subscriptions.js").Listener} Listener
 * @typedef {import("./subscriptions.js").Subscription} Subscription
 *
 * Why what is shown may be out of date: the resource doesn't exist, it was removed, the connection is lost, or
 * nothing arrives through it.
 * @typedef {"missing" | "removed" | "connecting" | "frozen"} Staleness
 */

// A topic without a frame after this time, in ms, is missing.
const GRACE = 2000;
// A new stream sends the current state within this time, in ms, even of a large board to a phone. What it has not sent by
// then no longer exists.
const SNAPSHOT_TIME = 4000;
// A motion that is under way follows the frame of its topic within this time, in ms, on a slow network too.
const MOTION_TIME = 1000;
// Off-screen topics take turns: one in so many is shown in each, at intervals of so many milliseconds, so each topic twice a
// second. A turn in every screen frame would cost as much as what is on the screen: the browser lays out and paints each.
const OFFSCREEN_TURNS = 4;
const OFFSCREEN_INTERVAL = 125;

// Milliseconds between checks whether a settled page is due for a refresh.
const REFRESH_CHECK = 1000;

/**
 * A page's view of one server. Fires `status` when the connection's state changes, `pace` when the page's pace
 * does, and `refresh` when a settled page shows what moves.
 */
class Feed extends EventTarget {
  /** The newest frames shown, and the motions under way, by topic. */
  latest = new Map();
  motions = new Map();
  /** @type {Partial<import("./shared-stream.js").Status>} */
  status = {};
  /** Whether the stream sends everything that the listeners want, in the form they want it. */
  isReady = false;
  /** @type {import("./pace.js").Pace} */
  pace = "live";

  /** @type {Map<string, Set<Listener>>} */
  #listeners = new Map();
  #queue = new ConflatingQueue();
  /** Counts connections, and states that were sent again on one. */
  #generation = 0;
  /** The last generations that sent anything of each resource, and its motion if that is under way.
   *  @type {Map<string, number>} */
  #sent = new Map();
  /** @type {Map<string, number>} */
  #moving = new Map();
  /** @type {Map<string, Staleness>} */
  #stale = new Map();
  #drawsAll = false;
  /** Milliseconds since the last refresh. */
  #sinceRefresh = 0;
  #offscreenTurn = 0;
  /** When the next turn begins, in milliseconds of the page. */
  #offscreenDue = 0;
  #scheduler = new FrameScheduler(() => this.#showQueued());
  /** @type {number | undefined} */
  #updateTimer;
  #subscribe = (/** @type {[string, Subscription][] | null} */ _) => {};

  /**
   * @param {string} server its root, with a slash at the end
   * @param {TicketProvider} [ticketProvider]
   * @param {string} [locale]
   */
  constructor(server, ticketProvider, locale) {
    super();
    const receive = (/** @type {Item[]} */ items) => this.#receiveItems(items);
    followPace((pace) => this.setPace(pace));
    setInterval(() => this.#refreshIfDue(), REFRESH_CHECK);
    // A page that the browser keeps behind another one, or freezes, receives nothing; it catches up when it is back.
    const leave = () => this.#subscribe(null);
    const comeBack = () => this.#updateSubscriptions();
    addEventListener("pagehide", leave);
    addEventListener("pageshow", ({ persisted }) => persisted && comeBack());
    document.addEventListener("freeze", leave);
    document.addEventListener("resume", comeBack);
    const connectHere = () => {
      const stream = new SharedStream(server, ticketProvider, locale);
      this.#subscribe = (wants) => stream.subscribe(receive, wants);
    };
    const isOwnServer = server === BASE_URL && server.startsWith(`${location.origin}/`);
    if (!isOwnServer || ticketProvider || locale) {
      connectHere();
      return;
    }
    try {
      const worker = new SharedWorker(new URL("shared-stream.js", import.meta.url), { type: "module" });
      worker.port.onmessage = ({ data }) => receive(data);
      // Its script could not be loaded.
      worker.onerror = () => {
        connectHere();
        comeBack();
      };
      this.#subscribe = (wants) => worker.port.postMessage(wants);
    } catch {
      // The browser has no shared workers, or none for this page.
      connectHere();
    }
  }

  /** Frames that this page skipped because a newer one arrived first. */
  get droppedFrames() {
    return this.#queue.droppedFrames;
  }

  /** The server's clock in milliseconds. */
  now() {
    return Date.now() - (this.status.skew ?? 0);
  }

  /**
   * Adds a listener to `ticker:revenue` or `ticker:*`; the function returned removes it.
   * @param {string} key
   * @param {Listener} listener
   */
  listen(key, listener) {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    this.#updateSubscriptions();
    if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
    if (this.motions.has(key)) listener.motion?.(this.motions.get(key), key);
    const reason = this.#stale.get(key);
    if (reason) listener.stale?.(reason, key);
    else setTimeout(() => {
      if (this.#isOffline && listeners.has(listener)) this.#setStale(key, this.#offlineReason);
    }, GRACE);
    return () => {
      listeners.delete(listener);
      this.#updateSubscriptions();
    };
  }

  /**
   * Draws everything again, so that numbers that stop moving are readable.
   * @param {import("./pace.js").Pace} pace
   */
  setPace(pace) {
    this.pace = pace;
    for (const [key, listeners] of this.#listeners) {
      for (const listener of listeners) {
        if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
        if (this.motions.has(key)) listener.motion?.(this.motions.get(key), key);
      }
    }
    this.#requestDraw(true);
    this.dispatchEvent(new Event("pace"));
  }

  /** Sends the listeners' subscriptions to the shared stream, once a turn. */
  #updateSubscriptions() {
    clearTimeout(this.#updateTimer);
    this.isReady = false;
    this.#updateTimer = setTimeout(() => {
      this.#updateTimer = undefined;
      const merged = new Map();
      for (const [key, listeners] of this.#listeners) {
        for (const { wants = { frames: true } } of listeners) mergeSubscription(merged, key, wants);
        if (!listeners.size) this.#listeners.delete(key);
      }
      for (const known of [this.latest, this.motions, this.#stale, this.#sent, this.#moving]) {
        for (const key of known.keys()) {
          if (!merged.has(key) && !merged.has(wildcardOf(key))) known.delete(key);
        }
      }
      this.#subscribe([...merged]);
    });
  }

  // What arrives

  /** @param {Item[]} items */
  #receiveItems(items) {
    for (const item of items) {
      const [name, key, data] = item;
      if (name === "status") this.#setStatus(data);
      else if (name === "resync") this.#resync();
      else if (name === "subscribed") this.#expectFrames(data);
      else if (name === "ready") this.isReady = data && !this.#updateTimer;
      else this.#enqueue(item);
      if (key) for (const listener of this.#listenersOf(key)) listener.raw?.(name, data, key);
    }
    this.#requestDraw();
  }

  /** @param {Item} item */
  #enqueue(item) {
    const [name, key, json] = item;
    const generation = this.#generation;
    const isRemoved = name === "removed";
    this.#setStale(key, isRemoved ? "removed" : null);
    if (isRemoved) this.#sent.delete(key);
    else this.#sent.set(key, generation);
    if (name === "stamped") return;
    this.#queue.put(item);
    if (name === "motion") this.#moving.set(key, generation);
    if (endsMotion(name, json)) this.#moving.delete(key);
    // A topic that had a motion has come to rest, unless that is sent again, too.
    const isUnended = () => (this.#moving.get(key) ?? generation) < generation;
    if (name === "message" && isUnended()) setTimeout(() => {
      if (generation === this.#generation && isUnended()) this.#receiveItems([["complete", key, json]]);
    }, MOTION_TIME);
  }

  /** The stream sends the current state next: what it doesn't send was removed. */
  #resync() {
    const generation = ++this.#generation;
    setTimeout(() => {
      if (generation !== this.#generation) return;
      for (const [key, last] of this.#sent) {
        const json = `{"${key.replace(":", '":"')}","reason":"deleted"}`;
        if (last < generation) this.#receiveItems([["removed", key, json]]);
      }
    }, SNAPSHOT_TIME);
  }

  /** @param {import("./shared-stream.js").Status} status */
  #setStatus(status) {
    this.status = status;
    if (this.#isOffline) {
      this.#generation++;
      // Before the first connection there is nothing that could be out of date.
      if (status.greeting) for (const key of this.#listeners.keys()) this.#setStale(key, this.#offlineReason);
    } else {
      for (const key of this.#listeners.keys()) if (key === wildcardOf(key)) this.#setStale(key, null);
    }
    this.dispatchEvent(new Event("status"));
  }

  get #isOffline() {
    return this.status.state !== "live";
  }

  /** @returns {Staleness} */
  get #offlineReason() {
    return this.status.frozen ? "frozen" : "connecting";
  }

  /**
   * Expects a frame of each of these topics soon; a topic without one is missing.
   * @param {string[]} keys
   */
  #expectFrames(keys) {
    const generation = this.#generation;
    setTimeout(() => {
      if (generation !== this.#generation) return;
      for (const key of keys) {
        const isOurs = key !== wildcardOf(key) && this.#listeners.has(key);
        const isKnown = this.#sent.get(key) === generation || this.#stale.get(key) === "removed";
        if (isOurs && !isKnown) this.#setStale(key, "missing");
      }
    }, GRACE);
  }

  /**
   * @param {string} key
   * @param {Staleness | null} reason null: what is shown is current
   */
  #setStale(key, reason) {
    if ((this.#stale.get(key) ?? null) === reason) return;
    if (reason) this.#stale.set(key, reason);
    else this.#stale.delete(key);
    for (const listener of this.#listeners.get(key) ?? []) listener.stale?.(reason, key);
  }

  // What is shown

  #refreshIfDue() {
    this.#sinceRefresh += REFRESH_CHECK;
    if (this.#sinceRefresh < settledInterval()) return;
    this.#sinceRefresh = 0;
    this.#requestDraw(true);
  }

  /**
   * @param {boolean} [all] shows what moves on a settled page, too
   */
  #requestDraw(all = false) {
    this.#drawsAll ||= all;
    this.#scheduler.request();
  }

  #showQueued() {
    if (this.#queue.hasLost) {
      this.#queue.hasLost = false;
      // What exists, and moves, is sent again.
      this.#subscribe(null);
      this.#updateSubscriptions();
    }
    const drawsAll = this.#drawsAll;
    const isLive = drawsAll || this.pace === "live";
    this.#drawsAll = false;
    const now = performance.now();
    const isTurn = now >= this.#offscreenDue;
    if (isTurn) {
      this.#offscreenTurn = (this.#offscreenTurn + 1) % OFFSCREEN_TURNS;
      this.#offscreenDue = now + OFFSCREEN_INTERVAL;
    }
    let offscreen = 0;
    for (const [slot, [name, key]] of [...this.#queue.items]) {
      const isFrame = slot === key;
      // A paused page still shows the first value: its place would be empty otherwise.
      const isFirst = isFrame ? !this.latest.has(key) : name === "motion" && !this.motions.has(key);
      if (this.pace === "paused" && !isFirst) continue;
      if (!isFrame) this.#show(slot, name);
      else if (drawsAll || isFirst) this.#show(slot);
      else if (!isLive && !key.startsWith("schedule:")) continue;
      else if (!this.#isOffscreen(key)) this.#show(slot);
      else if (offscreen++ % OFFSCREEN_TURNS === this.#offscreenTurn && isTurn) this.#show(slot);
    }
    if (drawsAll) this.dispatchEvent(new Event("refresh"));
    // The others follow even if nothing else arrives.
    if (offscreen) this.#scheduler.requestSoon();
  }

  /** Shows what is queued of a topic that has just come into view.
   *  @param {string} key */
  catchUp(key) {
    if (this.pace === "live") this.#show(key);
  }

  /** @param {string} key */
  #isOffscreen(key) {
    return this.#listenersOf(key).every(({ frame, isOffscreen }) => !frame || isOffscreen?.(key));
  }

  /**
   * Passes a queued item to its listeners; before an event, the frame that belongs to it.
   * @param {string | number} slot
   * @param {string} [name] of an event
   */
  #show(slot, name) {
    const [, key, json] = this.#queue.take(slot) ?? [];
    if (!key) return;
    const data = JSON.parse(json);
    if (!name) {
      this.latest.set(key, data);
      for (const listener of this.#listenersOf(key)) listener.frame?.(data, key);
    } else if (name === "motion") {
      this.motions.set(key, data);
      for (const listener of this.#listenersOf(key)) listener.motion?.(data, key);
    } else {
      if (name === "removed") this.latest.delete(key);
      else if (data.reason !== "superseded") this.#show(key);
      if (endsMotion(name, json)) this.motions.delete(key);
      for (const listener of this.#listenersOf(key)) listener.event?.(data, key, name);
    }
  }

  /**
   * The listeners of a topic and of its wildcard.
   * @param {string} key
   */
  #listenersOf(key) {
    return [...(this.#listeners.get(key) ?? []), ...(this.#listeners.get(wildcardOf(key)) ?? [])];
  }
}

/** @type {Map<TicketProvider | undefined, Map<string, Feed>>} */
const feeds = new Map();

/**
 * The page's feed from a server; one for each provider of tickets, and for each locale.
 * @param {string} [server] its root, with a slash at the end
 * @param {TicketProvider} [ticketProvider]
 * @param {string} [locale]
 */
export function feedFrom(server = BASE_URL, ticketProvider, locale) {
  const all = feeds.get(ticketProvider) ?? new Map();
  feeds.set(ticketProvider, all);
  const name = locale ? `${server} ${locale}` : server;
  if (!all.has(name)) all.set(name, new Feed(server, ticketProvider, locale));
  return /** @type {Feed} */ (all.get(name));
}
