// The one connection to a server: opened, changed, lost and found again. It is read by `fetch` and not by
// EventSource: a body holds any number of topics, and an answer tells why it is no stream.
import { readEvents } from "./sse.js";
import { topicsOf } from "./subscriptions.js";

/**
 * @typedef {import("./sse.js").StreamEvent} StreamEvent
 *
 * Gives a one-time ticket for topics; or the address that does, by `POST`.
 * @typedef {string | ((topics: Record<string, string[]>) => Promise<string>)} Giver
 *
 * What it is to tell: parts as JSON, and all topics in them.
 * @typedef {{ parts: string, keys: string[] }} Demand
 *
 * Who is told of what comes.
 * @typedef {object} Receiver
 * @property {(event: StreamEvent) => void} take
 * @property {(greeting: Record<string, any>) => void} greet
 * @property {(keys: string[]) => void} hear topics that it tells of by now
 * @property {(isFrozen: boolean) => void} lose
 * @property {(state: "asked" | "refused", detail?: string) => void} refuse nobody may listen as it is
 */

// Seconds of silence after which the server says something; what is silent for nearly twice as long is
// given up.
const HEARTBEAT = 5;
const SILENCE = 1.8 * HEARTBEAT * 1000;
const LONGEST_RETRY = 15_000;
const BUSY = 1000;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Stream {
  /** @type {Demand} */
  demand = { parts: "[]", keys: [] };
  /** What was asked for when it was opened, or changed last. */
  told = "";
  /** @type {AbortController | undefined} */
  attempt;
  /** The name by which it is changed, while it is open.
   *  @type {string | undefined} */
  name;
  /** @type {string | undefined} */
  lastID;
  /** @type {number | undefined} */
  timer;
  /** Milliseconds after which the server wants to be asked again.
   *  @type {number | undefined} */
  delay;
  retries = 0;
  heardAt = 0;
  isChanging = false;
  /** Topics that the last ticket was for.
   *  @type {string[]} */
  granted = [];

  /**
   * @param {string} server its root, with a slash at the end
   * @param {Giver | undefined} giver
   * @param {Receiver} receiver
   */
  constructor(server, giver, receiver) {
    this.server = server;
    this.giver = giver;
    this.receiver = receiver;
    setInterval(() => this.look(), 500);
  }

  /** Whether it is open, or will be. */
  get isWanted() {
    return this.attempt !== undefined;
  }

  /** Whether what it tells is what is asked for. */
  get isTold() {
    return this.name !== undefined && this.told === this.demand.parts;
  }

  /** Has it tell what is asked for by now. */
  ask() {
    if (this.isWanted) this.change();
    else this.open();
  }

  async open() {
    const attempt = (this.attempt = new AbortController());
    const { parts, keys } = this.demand;
    this.told = parts;
    this.heardAt = performance.now();
    clearTimeout(this.timer);
    try {
      const ticket = await this.ticketFor(keys);
      const wish = { parts: JSON.parse(parts), heartbeat: HEARTBEAT, lastEventID: this.lastID };
      const answer = await this.send("POST", "events", wish, ticket, attempt);
      const { status, ok, body } = answer;
      if (!this.giver && (status === 401 || status === 403)) {
        const { detail } = await answer.json().catch(() => ({}));
        if (attempt !== this.attempt) return;
        this.close();
        return this.receiver.refuse(status === 401 ? "asked" : "refused", detail);
      }
      if (ok && body) await this.read(body, keys, attempt);
    } catch (error) {
      if (this.giver && attempt === this.attempt) console.warn(error);
    }
    if (attempt === this.attempt) this.retry(false);
  }

  /**
   * @param {ReadableStream<Uint8Array>} body
   * @param {string[]} keys
   * @param {AbortController} attempt
   */
  read(body, keys, attempt) {
    const take = (/** @type {StreamEvent} */ event) => {
      if (attempt !== this.attempt) return;
      this.lastID = event.id ?? this.lastID;
      this.delay = event.retry ?? this.delay;
      if (event.name !== "hello") return this.receiver.take(event);
      const greeting = JSON.parse(event.data);
      this.retries = 0;
      this.name = greeting.stream;
      this.receiver.greet(greeting);
      this.receiver.hear(keys);
      this.change();
    };
    return readEvents(body, take, () => {
      this.heardAt = performance.now();
    });
  }

  /** One change at a time; the last of them counts. */
  async change() {
    const { attempt, name, demand } = this;
    if (this.isChanging || !attempt || !name || this.isTold) return;
    this.isChanging = true;
    try {
      const isGranted = !this.giver || demand.keys.every((key) => this.granted.includes(key));
      const ticket = isGranted ? "" : await this.ticketFor(demand.keys);
      const wish = { parts: JSON.parse(demand.parts), heartbeat: HEARTBEAT };
      const { ok, status } = await this.send("PUT", `streams/${name}`, wish, ticket, attempt);
      if (attempt !== this.attempt) return;
      if (ok) {
        this.told = demand.parts;
        this.receiver.hear(demand.keys);
      } else if (status === 429 || status === 503) {
        await pause(BUSY);
      } else {
        // It is another server's, or has ended, or may not tell all of it: opening tells which.
        this.close();
        this.open();
      }
    } catch {
      // What keeps a request from coming through the stream finds out; tickets may come later.
      if (attempt === this.attempt) await pause(BUSY);
    } finally {
      this.isChanging = false;
      this.change();
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} wish
   * @param {string} ticket
   * @param {AbortController} attempt
   */
  async send(method, path, wish, ticket, attempt) {
    attempt.signal.throwIfAborted();
    const query = ticket && `?ticket=${encodeURIComponent(ticket)}`;
    return fetch(`${this.server}v1/${path}${query}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
      signal: attempt.signal,
      cache: "no-store",
      // Whoever has tickets is known by them alone.
      credentials: this.giver ? "omit" : "same-origin",
    });
  }

  /** @param {string[]} keys */
  async ticketFor(keys) {
    const { giver } = this;
    if (!giver) return "";
    const topics = topicsOf(keys);
    const ticket = typeof giver === "function" ? await giver(topics) : await post(giver, topics);
    if (!ticket) throw new Error("no ticket was given");
    this.granted = keys;
    return ticket;
  }

  /** The server may be there and say nothing. */
  look() {
    const { attempt, heardAt } = this;
    if (!attempt || !heardAt || performance.now() - heardAt < SILENCE) return;
    this.retry(true);
    attempt.abort();
  }

  /**
   * Comes back: at first when the server asked for it, so that a crowd doesn't return as one.
   * @param {boolean} isFrozen
   */
  retry(isFrozen) {
    this.attempt = new AbortController();
    this.name = undefined;
    this.heardAt = 0;
    this.receiver.lose(isFrozen);
    const random = Math.min(LONGEST_RETRY, 500 * 2 ** this.retries) * (0.5 + Math.random());
    const delay = this.retries++ ? random : (this.delay ?? random);
    this.timer = setTimeout(() => this.open(), delay);
  }

  close() {
    const { attempt } = this;
    this.attempt = undefined;
    this.name = undefined;
    clearTimeout(this.timer);
    attempt?.abort();
  }

  /** What it missed is of no use any more. */
  forget() {
    this.lastID = undefined;
    this.retries = 0;
  }
}

/**
 * @param {string} address
 * @param {Record<string, string[]>} topics
 */
async function post(address, topics) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(topics) });
  return (await answer.json()).ticket;
}
