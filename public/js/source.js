// One EventSource and the outboxes it fills. Runs in the shared worker, or in the page where there is none.

/** Events that are not frames. */
const NAMED = ["complete", "milestone", "scheduled", "fired", "notification", "paused", "resumed", "removed"];
const HISTORY = 400;

/** The resource an event's data is about, as `kind:id`; cheap, as it runs for every frame. */
export function keyOf(data) {
  const quick = /^\{"(ticker|progress|schedule|notification)":"([^"\\]*)"/.exec(data);
  if (quick) return `${quick[1]}:${quick[2]}`;
  const value = JSON.parse(data);
  const kind = ["ticker", "progress", "schedule", "notification"].find((name) => name in value);
  return kind ? `${kind}:${value[kind]}` : "";
}

/** What one page has not seen yet: the newest frame of each resource, and events in their order. */
export class Outbox {
  /** @param {(batch: object) => void} send called once for each `pull` */
  constructor(send) {
    this.send = send;
    this.topics = [];
    this.wanted = false;
    this.clear();
  }

  clear() {
    this.frames = new Map();
    this.events = [];
    this.status = null;
    this.received = 0;
  }

  /** Keeps a frame until it is pulled; an older one of the same resource is left out. */
  frame(key, data) {
    this.frames.set(key, data);
    this.received++;
    this.flushSoon();
  }

  event(name, key, data) {
    if (name === "removed") this.frames.delete(key);
    this.events.push([name, key, data]);
    if (this.events.length > HISTORY) this.events.shift();
    this.flushSoon();
  }

  state(status) {
    this.status = status;
    this.flushSoon();
  }

  /** The page is ready for one more batch. */
  pull() {
    this.wanted = true;
    this.flushSoon();
  }

  /** Sends after the events of the same network packet have been read. */
  flushSoon() {
    if (!this.wanted || this.timer || !(this.frames.size || this.events.length || this.status)) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.wanted = false;
      const { frames, events, status, received } = this;
      this.clear();
      this.send({ frames, events, status, received });
    }, 1);
  }
}

/** The one connection to a server, for all outboxes together. */
export class Source {
  constructor(origin) {
    this.origin = origin;
    this.outboxes = new Set();
    this.latest = new Map();
    this.status = { state: "connecting" };
    this.query = "";
    this.retries = 0;
  }

  add(outbox) {
    this.outboxes.add(outbox);
    outbox.state(this.status);
    for (const [key, data] of this.latest) outbox.frame(key, data);
    this.refresh();
  }

  remove(outbox) {
    this.outboxes.delete(outbox);
    this.refresh();
  }

  /** Opens the stream again when the pages together want other topics than it carries. */
  refresh() {
    const topics = new Set([...this.outboxes].flatMap((outbox) => outbox.topics));
    const wanted = [...topics].filter((topic) => topic.endsWith("*") || !topics.has(`${topic.split("=")[0]}=*`));
    const query = wanted.sort().join("&");
    if (query === this.query && this.events) return;
    this.query = query;
    this.close();
    if (query) this.open();
  }

  open() {
    const events = (this.events = new EventSource(`${this.origin}/v1/events?${this.query}`));
    events.onmessage = (message) => this.frame(message.data);
    events.addEventListener("hello", (message) => this.hello(JSON.parse(message.data)));
    for (const name of NAMED) events.addEventListener(name, (message) => this.named(name, message.data));
    events.addEventListener("heartbeat", () => this.alive());
    events.addEventListener("reset", () => this.hello(this.greeting));
    events.addEventListener("bye", () => this.lost());
    events.onerror = () => this.lost();
    this.alive();
  }

  close() {
    clearTimeout(this.watch);
    clearTimeout(this.again);
    this.events?.close();
    this.events = null;
  }

  frame(data) {
    this.alive();
    const key = keyOf(data);
    this.latest.set(key, data);
    for (const outbox of this.outboxes) outbox.frame(key, data);
  }

  named(name, data) {
    this.alive();
    const key = keyOf(data);
    if (name === "removed") this.latest.delete(key);
    for (const outbox of this.outboxes) outbox.event(name, key, data);
  }

  /** A new connection: what was known may be gone, the frames that follow are the state now. */
  hello(greeting = {}) {
    this.greeting = greeting;
    this.retries = 0;
    this.latest.clear();
    this.alive();
    this.tell({ state: "live", greeting, skew: Date.now() - serverTime(greeting.now), session: Date.now() });
  }

  lost() {
    this.tell({ state: "connecting" });
    if (this.events?.readyState === EventSource.CLOSED) this.reopen();
  }

  /** EventSource gives up for good on an answer that is no stream, so that is tried again here. */
  reopen() {
    this.close();
    const pause = Math.min(15_000, 500 * 2 ** this.retries++) * (0.5 + Math.random());
    this.again = setTimeout(() => this.open(), pause);
  }

  /** Two heartbeats missed: the connection is dead though nothing said so. */
  alive() {
    if (Date.now() - this.seen < 1000) return;
    this.seen = Date.now();
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.tell({ state: "connecting" });
      this.reopen();
    }, 2500 * (this.greeting?.heartbeat ?? 15));
  }

  tell(status) {
    this.status = status;
    for (const outbox of this.outboxes) outbox.state(status);
  }
}

/** Milliseconds of a server's `now`, be it a date, seconds, milliseconds or nanoseconds. */
export function serverTime(now) {
  if (typeof now === "string" && !/^\d+$/.test(now)) return Date.parse(now);
  const n = Number(now ?? Date.now());
  return n > 1e17 ? n / 1e6 : n > 1e14 ? n / 1e3 : n > 1e11 ? n : n * 1000;
}
