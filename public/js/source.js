// One EventSource and the outboxes it fills. Runs in the worker that tabs share, or in the page where there is none.

const NAMED = ["complete", "milestone", "scheduled", "fired", "notification", "paused", "resumed", "removed"];
const KINDS = ["ticker", "progress", "schedule", "notification"];

/** The resource an event is about, as `kind:id`; cheap, as it runs for every frame. */
function keyOf(data) {
  const quick = /^\{"(ticker|progress|schedule|notification)":"([^"\\]*)"/.exec(data);
  if (quick) return `${quick[1]}:${quick[2]}`;
  const value = JSON.parse(data);
  const kind = KINDS.find((name) => name in value);
  return `${kind}:${value[kind]}`;
}

/** Milliseconds of a server's time, be it a date, seconds, milliseconds or nanoseconds. */
export function serverTime(time = Date.now()) {
  const n = Number(time);
  if (isNaN(n)) return Date.parse(time);
  return n > 1e17 ? n / 1e6 : n > 1e14 ? n / 1e3 : n > 1e11 ? n : n * 1000;
}

/** What one page has not seen: the newest frame of each resource, and events in their order. */
export class Outbox {
  topics = [];

  /** @param {(batch: object) => void} send called once for each `pull` */
  constructor(send) {
    this.send = send;
    this.clear();
  }

  clear() {
    this.batch = { frames: new Map(), events: [], received: 0 };
    this.full = false;
  }

  frame(key, data) {
    this.batch.frames.set(key, data);
    this.batch.received++;
    this.changed();
  }

  event(name, key, data) {
    if (name === "removed") this.batch.frames.delete(key);
    this.batch.events.push([name, key, data]);
    if (this.batch.events.length > 400) this.batch.events.shift();
    this.changed();
  }

  state(status) {
    this.batch.status = status;
    this.changed();
  }

  changed() {
    this.full = true;
    this.flush();
  }

  pull() {
    this.wanted = true;
    this.flush();
  }

  /** Sends after the events of the same network packet have been read. */
  flush() {
    if (!this.wanted || !this.full || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = this.wanted = 0;
      const { batch } = this;
      this.clear();
      this.send(batch);
    }, 1);
  }
}

/** The one connection to a server, for all outboxes together. */
export class Source {
  outboxes = new Set();
  latest = new Map();
  status = { state: "connecting" };
  retries = 0;

  constructor(origin) {
    this.origin = origin;
  }

  /** Takes an outbox in, or its new topics; the stream opens again when it has to carry others. */
  serve(outbox, topics) {
    outbox.topics = topics;
    if (!this.outboxes.has(outbox)) {
      this.outboxes.add(outbox);
      outbox.state(this.status);
      for (const [key, data] of this.latest) outbox.frame(key, data);
    }
    this.refresh();
  }

  drop(outbox) {
    this.outboxes.delete(outbox);
    this.refresh();
  }

  refresh() {
    const topics = new Set([...this.outboxes].flatMap((outbox) => outbox.topics));
    const needed = [...topics].filter((topic) => topic.endsWith("*") || !topics.has(topic.replace(/=.*/, "=*")));
    const query = needed.sort().join("&");
    if (query === this.query) return;
    this.query = query;
    this.close();
    if (query) this.open();
  }

  open() {
    const events = (this.events = new EventSource(`${this.origin}/v1/events?${this.query}`));
    const on = (name, act) => events.addEventListener(name, (event) => {
      this.alive();
      act(event.data);
    });
    on("message", (data) => {
      const key = keyOf(data);
      this.latest.set(key, data);
      for (const outbox of this.outboxes) outbox.frame(key, data);
    });
    for (const name of NAMED) on(name, (data) => this.named(name, data));
    on("hello", (data) => this.hello(JSON.parse(data)));
    on("reset", () => this.hello(this.greeting));
    on("heartbeat", () => {});
    on("bye", () => this.lost());
    events.onerror = () => this.lost();
    this.alive();
  }

  close() {
    clearTimeout(this.watch);
    clearTimeout(this.again);
    this.events?.close();
  }

  named(name, data) {
    const key = keyOf(data);
    if (name === "removed") this.latest.delete(key);
    for (const outbox of this.outboxes) outbox.event(name, key, data);
  }

  /** A new connection: what was known may be gone, and the frames that follow are the state now. */
  hello(greeting = {}) {
    this.greeting = greeting;
    this.retries = 0;
    this.latest.clear();
    const now = Date.now();
    this.tell({ state: "live", greeting, skew: now - serverTime(greeting.now), session: now });
  }

  lost() {
    this.tell({ state: "connecting" });
    if (this.events.readyState === EventSource.CLOSED) this.reopen();
  }

  /** EventSource gives up for good on an answer that is no stream, so that is tried again here. */
  reopen() {
    this.close();
    this.again = setTimeout(() => this.open(), Math.min(15e3, 500 * 2 ** this.retries++) * (0.5 + Math.random()));
  }

  /** Without two heartbeats the connection is dead though nothing said so. */
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
