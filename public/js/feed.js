// What a page reads: frames and events of the shared stream, handed out once per screen frame at the reader's pace.
import { Outbox, Source } from "./source.js";

/** How fast a page draws: as it comes, once a second, not at all, or only values that have come to rest. */
export const PACES = ["live", "calm", "paused", "settled"];
const QUIET = 400;
const PATIENCE = 10_000;

/** The connection of this page to one server. */
export class Feed extends EventTarget {
  constructor(origin) {
    super();
    this.origin = origin;
    this.listeners = new Map();
    this.latest = new Map();
    this.held = new Map();
    this.status = { state: "connecting" };
    this.left = 0;
    this.drawn = 0;
    this.pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? "settled" : "live";
  }

  /**
   * Listens to one resource (`ticker:revenue`) or to all of a kind (`ticker:*`).
   * @param {{frame?: (data: object, key: string) => void, event?: (name: string, data: object, key: string) => void}} listener
   * @returns {() => void} call it to stop
   */
  listen(key, listener) {
    if (!this.listeners.has(key)) this.listeners.set(key, new Set());
    this.listeners.get(key).add(listener);
    const known = this.latest.get(key);
    if (known) listener.frame?.(known, key);
    this.retopic();
    return () => {
      this.listeners.get(key)?.delete(listener);
      if (!this.listeners.get(key)?.size) this.listeners.delete(key);
      this.retopic();
    };
  }

  /** Tells the source which topics are wanted, once for all changes of this turn. */
  retopic() {
    if (this.changing) return;
    this.changing = true;
    queueMicrotask(() => {
      this.changing = false;
      const topics = [...this.listeners.keys()].map((key) => key.replace(":", "="));
      this.source ??= this.connect();
      this.source.want(topics);
    });
  }

  connect() {
    const pull = () => this.source.pull();
    addEventListener("pagehide", () => this.source.leave());
    addEventListener("pageshow", (event) => event.persisted && (this.source = null, this.retopic()));
    setTimeout(pull);
    const receive = (batch) => this.receive(batch);
    const shared = this.origin === location.origin && typeof SharedWorker === "function";
    return shared ? sharedSource(receive) : ownSource(this.origin, receive);
  }

  receive(batch) {
    if (batch.status) this.tell(batch.status);
    for (const [name, key, data] of batch.events) this.announce(name, key, JSON.parse(data));
    this.batch = batch;
    this.left += batch.received - batch.frames.size;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { frames } = this.batch;
    for (const [key, data] of frames) this.frame(key, JSON.parse(data));
    this.drawn += frames.size;
    if (this.pace === "calm") this.next = setTimeout(() => this.source.pull(), 1000);
    else if (this.pace !== "paused") this.source.pull();
    else this.waiting = true;
  }

  setPace(pace) {
    this.pace = pace;
    clearTimeout(this.next);
    for (const key of [...this.held.keys()]) this.release(key);
    if (pace !== "paused" && this.source) this.source.pull();
    this.waiting = false;
    this.dispatchEvent(new Event("pace"));
  }

  /** Readers who asked for no motion get a value once it rests, or after ten seconds on the move. */
  frame(key, data) {
    if (this.pace !== "settled" || !this.latest.has(key) || key.startsWith("schedule:")) return this.show(key, data);
    const held = this.held.get(key) ?? { since: Date.now() };
    clearTimeout(held.timer);
    held.data = data;
    this.held.set(key, held);
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
    if (name === "complete") {
      const held = this.held.get(key);
      if (held) Object.assign(held.data, { value: data.value, text: data.text });
      this.release(key);
    }
    if (name === "removed") {
      this.held.delete(key);
      this.latest.delete(key);
    }
    for (const listener of this.audience(key)) listener.event?.(name, data, key);
  }

  *audience(key) {
    yield* this.listeners.get(key) ?? [];
    yield* this.listeners.get(`${key.split(":")[0]}:*`) ?? [];
  }

  tell(status) {
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }

  /** The server's clock in milliseconds, as far as the greeting tells. */
  now() {
    return Date.now() - (this.status.skew ?? 0);
  }
}

function sharedSource(receive) {
  const worker = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module", name: "tweencast" });
  worker.port.onmessage = ({ data }) => receive(data);
  return {
    want: (topics) => worker.port.postMessage({ topics }),
    pull: () => worker.port.postMessage({}),
    leave: () => worker.port.postMessage({ bye: true }),
  };
}

function ownSource(origin, receive) {
  const source = new Source(origin);
  const outbox = new Outbox(receive);
  return {
    want: (topics) => {
      outbox.topics = topics;
      if (source.outboxes.has(outbox)) source.refresh(); else source.add(outbox);
    },
    pull: () => outbox.pull(),
    leave: () => source.remove(outbox),
  };
}

const feeds = new Map();

/** The page's one feed from a server. */
export function feedFrom(origin = location.origin) {
  if (!feeds.has(origin)) feeds.set(origin, new Feed(origin));
  return feeds.get(origin);
}
