// What a page reads: frames and events of the shared stream, once for each screen frame, at the reader's pace.
import { Outbox, Source } from "./source.js";

const QUIET = 400;
const PATIENCE = 10_000;

/** This page's connection to one server. Fires `status` and `pace`. */
export class Feed extends EventTarget {
  listeners = new Map();
  latest = new Map();
  held = new Map();
  status = { state: "connecting" };
  left = 0;

  /** `live` as it comes, `calm` once a second, `settled` values at rest only, `paused` none. */
  pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? "settled" : "live";

  constructor(origin) {
    super();
    this.origin = origin;
  }

  /**
   * Listens to one resource (`ticker:revenue`) or to all of a kind (`ticker:*`); the answer ends it.
   * @param {{frame?: (data: object, key: string) => void, event?: (name: string, data: object, key: string) => void}} listener
   */
  listen(key, listener) {
    const all = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, all.add(listener));
    if (this.latest.has(key)) listener.frame?.(this.latest.get(key), key);
    this.retopic();
    return () => {
      all.delete(listener);
      if (!all.size && this.listeners.get(key) === all) this.listeners.delete(key);
      this.retopic();
    };
  }

  /** Tells the source which topics are wanted, once for all changes of this turn. */
  async retopic() {
    if (this.changing) return;
    this.changing = true;
    await null;
    this.changing = false;
    this.source ??= this.connect();
    this.source.want([...this.listeners.keys()].map((key) => key.replace(":", "=")));
  }

  connect() {
    const shared = this.origin === location.origin && self.SharedWorker;
    const source = (shared ? sharedSource : ownSource)((batch) => this.receive(batch), this.origin);
    addEventListener("pagehide", () => source.leave(), { once: true });
    addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      this.source = null;
      this.retopic();
    });
    source.pull();
    return source;
  }

  receive({ status, events, frames, received }) {
    if (status) {
      this.status = status;
      this.dispatchEvent(new Event("status"));
    }
    for (const [name, key, data] of events) this.announce(name, key, JSON.parse(data));
    this.left += received - frames.size;
    requestAnimationFrame(() => {
      for (const [key, data] of frames) this.frame(key, JSON.parse(data));
      if (this.pace === "calm") this.next = setTimeout(() => this.source.pull(), 1000);
      else if (this.pace !== "paused") this.source.pull();
    });
  }

  setPace(pace) {
    this.pace = pace;
    clearTimeout(this.next);
    for (const key of this.held.keys()) this.release(key);
    if (pace !== "paused") this.source?.pull();
  }

  /** Readers who asked for no motion get a value once it rests, or after ten seconds on the move. */
  frame(key, data) {
    if (this.pace !== "settled" || !this.latest.has(key) || key[0] === "s") return this.show(key, data);
    const held = this.held.get(key) ?? { since: Date.now() };
    held.data = data;
    this.held.set(key, held);
    clearTimeout(held.timer);
    if (Date.now() - held.since > PATIENCE) this.release(key);
    else held.timer = setTimeout(() => this.release(key), QUIET);
  }

  release(key) {
    const held = this.held.get(key);
    this.held.delete(key);
    clearTimeout(held?.timer);
    if (held) this.show(key, held.data);
  }

  show(key, data) {
    this.latest.set(key, data);
    for (const listener of this.audience(key)) listener.frame?.(data, key);
  }

  announce(name, key, data) {
    if (name === "removed") {
      clearTimeout(this.held.get(key)?.timer);
      this.held.delete(key);
      this.latest.delete(key);
    }
    for (const listener of this.audience(key)) listener.event?.(name, data, key);
  }

  audience(key) {
    const { listeners } = this;
    return [...(listeners.get(key) ?? []), ...(listeners.get(key.replace(/:.*/, ":*")) ?? [])];
  }

  /** The server's clock in milliseconds, as far as its greeting tells. */
  now() {
    return Date.now() - (this.status.skew ?? 0);
  }
}

function sharedSource(receive) {
  const { port } = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module" });
  port.onmessage = ({ data }) => receive(data);
  return {
    want: (topics) => port.postMessage({ topics }),
    pull: () => port.postMessage({}),
    leave: () => port.postMessage({ bye: true }),
  };
}

function ownSource(receive, origin) {
  const source = new Source(origin), outbox = new Outbox(receive);
  return { want: (topics) => source.serve(outbox, topics), pull: () => outbox.pull(), leave: () => source.drop(outbox) };
}

const feeds = new Map();

/** The page's one feed from a server. */
export function feedFrom(origin = location.origin) {
  if (!feeds.has(origin)) feeds.set(origin, new Feed(origin));
  return feeds.get(origin);
}
