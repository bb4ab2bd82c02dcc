// The one connection to a server: opened, changed, lost and reopened. It uses `fetch` instead of EventSource
// because a request body can hold any number of topics, and because a failed response says why it failed.
import { readEvents } from "./sse.js";
import { topicsOf } from "./subscriptions.js";

/**
 * @typedef {import("./sse.js").StreamEvent} StreamEvent
 *
 * Returns a one-time ticket for topics; or the address that does, by `POST`.
 * @typedef {string | ((topics: Record<string, string[]>) => Promise<string>)} TicketProvider
 *
 * What the stream should send: parts as JSON, and all topics in them.
 * @typedef {{ parts: string, keys: string[] }} Wanted
 *
 * Receives what the stream sends, and changes of its state.
 * @typedef {object} StreamReceiver
 * @property {(event: StreamEvent) => void} receive
 * @property {(greeting: Record<string, any>) => void} greet
 * @property {(keys: string[]) => void} confirm topics that the stream sends from now on
 * @property {(isFrozen: boolean) => void} disconnect
 * @property {(state: "unauthorized" | "forbidden", detail?: string) => void} reject the server refuses to send
 */

// Seconds of silence after which the server sends a heartbeat. A stream that is silent for nearly twice as long
// is given up.
const HEARTBEAT = 5;
const MAX_SILENCE = 1.8 * HEARTBEAT * 1000;
const MAX_RETRY_DELAY = 15_000;
const BUSY_DELAY = 1000;
// Milliseconds by which this machine's clocks differ more than before when one was set, or the machine has slept.
const CLOCK_STEP = 1000;

export class Stream {
  /** @type {Wanted} */
  wanted = { parts: "[]", keys: [] };
  /** The parts of the last request. */
  #requestedParts = "";
  /** @type {AbortController | undefined} */
  #attempt;
  /** The name by which the stream is changed, while it is open.
   *  @type {string | undefined} */
  #name;
  /** @type {string | undefined} */
  #lastID;
  /** @type {number | undefined} */
  #timer;
  /** Milliseconds after which the server wants to be asked again.
   *  @type {number | undefined} */
  #delay;
  #retries = 0;
  /** 0 while the stream waits to reopen. */
  #lastDataAt = 0;
  #clockOffset = Date.now() - performance.now();
  /** Tickets refused in a row. */
  #refusals = 0;
  #isChanging = false;
  /** Topics that the last ticket was for.
   *  @type {string[]} */
  #grantedKeys = [];
  #server;
  #ticketProvider;
  #receiver;
  #locale;

  /**
   * @param {string} server its root, with a slash at the end
   * @param {TicketProvider | undefined} ticketProvider
   * @param {StreamReceiver} receiver
   * @param {string} [locale] in which the server writes texts; as posted if it doesn't have that
   */
  constructor(server, ticketProvider, receiver, locale) {
    this.#server = server;
    this.#ticketProvider = ticketProvider;
    this.#receiver = receiver;
    this.#locale = locale;
    setInterval(() => this.#check(), 500);
    addEventListener("online", () => {
      if (this.isActive && !this.#lastDataAt) this.reopen();
    });
  }

  /** Whether the stream is open, opening, or waiting to reopen. */
  get isActive() {
    return this.#attempt !== undefined;
  }

  /** Whether the stream sends what is wanted. */
  get isUpToDate() {
    return this.#name !== undefined && this.#requestedParts === this.wanted.parts;
  }

  /** Opens the stream again at once. */
  reopen() {
    this.close();
    this.open();
  }

  /** Opens the stream, or changes it, so that it sends what is wanted. */
  update() {
    if (this.isActive) this.#change();
    else this.open();
  }

  /** @returns {Promise<void>} */
  async open() {
    const attempt = (this.#attempt = new AbortController());
    const { parts, keys } = this.wanted;
    this.#requestedParts = parts;
    this.#lastDataAt = performance.now();
    clearTimeout(this.#timer);
    try {
      const ticket = await this.#ticketFor(keys);
      const request = { ...this.#terms, parts: JSON.parse(parts), lastEventID: this.#lastID };
      const answer = await this.#send("POST", "events", request, ticket, attempt);
      const { status, ok, body } = answer;
      if (!this.#ticketProvider && (status === 401 || status === 403)) {
        const { detail } = await answer.json().catch(() => ({}));
        if (attempt !== this.#attempt) return;
        this.close();
        return this.#receiver.reject(status === 401 ? "unauthorized" : "forbidden", detail);
      }
      if (status === 422 && this.#locale) {
        const { detail } = await answer.json().catch(() => ({}));
        if (attempt !== this.#attempt) return;
        this.#dropLocale(detail);
        return this.open();
      }
      if (ok && body) await this.#read(body, keys, attempt);
    } catch {
      // There is no connection, or no ticket.
    }
    if (attempt === this.#attempt) this.#reconnect(false);
  }

  /**
   * @param {ReadableStream<Uint8Array>} body
   * @param {string[]} keys
   * @param {AbortController} attempt
   */
  #read(body, keys, attempt) {
    const receive = (/** @type {StreamEvent} */ event) => {
      if (attempt !== this.#attempt) return;
      this.#lastID = event.id ?? this.#lastID;
      this.#delay = event.retry ?? this.#delay;
      if (event.name === "bye" && JSON.parse(event.data).reason === "locales") this.#dropLocale("too many are in use");
      if (event.name !== "hello") return this.#receiver.receive(event);
      const greeting = JSON.parse(event.data);
      this.#retries = 0;
      this.#name = greeting.stream;
      this.#receiver.greet(greeting);
      this.#receiver.confirm(keys);
      this.#change();
    };
    return readEvents(body, receive, () => {
      this.#lastDataAt = performance.now();
    });
  }

  /** The options of the stream. */
  get #terms() {
    return { heartbeat: HEARTBEAT, locale: this.#locale };
  }

  /** Asks for texts as they were posted from now on.
   *  @param {string} [reason] */
  #dropLocale(reason) {
    console.warn(`No locale ${this.#locale}: ${reason}. Texts are as they were posted.`);
    this.#locale = undefined;
  }

  /** Sends one change at a time; of several that wait, only the last is sent. */
  async #change() {
    const { wanted } = this;
    const attempt = this.#attempt;
    const name = this.#name;
    if (this.#isChanging || !attempt || !name || this.isUpToDate) return;
    this.#isChanging = true;
    try {
      const isGranted = !this.#ticketProvider || wanted.keys.every((key) => this.#grantedKeys.includes(key));
      const ticket = isGranted ? "" : await this.#ticketFor(wanted.keys);
      const request = { ...this.#terms, parts: JSON.parse(wanted.parts) };
      const { ok, status } = await this.#send("PUT", `streams/${name}`, request, ticket, attempt);
      if (attempt !== this.#attempt) return;
      if (ok) {
        this.#requestedParts = wanted.parts;
        this.#receiver.confirm(wanted.keys);
      } else if (status === 429 || status === 503) {
        await this.#pause();
      } else {
        // The stream has ended, belongs to another server, or lacks a right: opening it again shows which.
        this.reopen();
      }
    } catch {
      // Reading the stream detects a lost connection; a ticket may be available later.
      if (attempt === this.#attempt) await this.#pause();
    } finally {
      this.#isChanging = false;
      this.#change();
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} request
   * @param {string} ticket
   * @param {AbortController} attempt
   */
  async #send(method, path, request, ticket, attempt) {
    attempt.signal.throwIfAborted();
    const query = ticket && `?ticket=${encodeURIComponent(ticket)}`;
    return fetch(`${this.#server}v1/${path}${query}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: attempt.signal,
      cache: "no-store",
      // A page with tickets authenticates by them alone.
      credentials: this.#ticketProvider ? "omit" : "same-origin",
    });
  }

  /** @param {string[]} keys */
  async #ticketFor(keys) {
    const provider = this.#ticketProvider;
    if (!provider) return "";
    const topics = topicsOf(keys);
    try {
      const ticket = typeof provider === "function" ? await provider(topics) : await requestTicket(provider, topics);
      if (!ticket) throw new Error("no ticket was given");
      this.#refusals = 0;
      this.#grantedKeys = keys;
      return ticket;
    } catch (error) {
      if (!this.#refusals++) console.warn(error);
      throw error;
    }
  }

  /** Waits before the next change: longer with each refused ticket. */
  #pause() {
    const delay = Math.min(MAX_RETRY_DELAY, BUSY_DELAY * 2 ** this.#refusals);
    return new Promise((resolve) => setTimeout(resolve, delay));
  }

  /** Reconnects when the server has been silent for too long, and when the time is no longer known. */
  #check() {
    const attempt = this.#attempt;
    const offset = Date.now() - performance.now();
    const isClockSet = Math.abs(offset - this.#clockOffset) > CLOCK_STEP;
    this.#clockOffset = offset;
    if (attempt && isClockSet) return this.reopen();
    if (!attempt || !this.#lastDataAt || performance.now() - this.#lastDataAt < MAX_SILENCE) return;
    this.#reconnect(true);
    attempt.abort();
  }

  /**
   * Reopens the stream after a delay. The first delay is the server's, which spreads reconnecting clients.
   * @param {boolean} isFrozen
   */
  #reconnect(isFrozen) {
    this.#attempt = new AbortController();
    this.#name = undefined;
    this.#lastDataAt = 0;
    this.#receiver.disconnect(isFrozen);
    const random = Math.min(MAX_RETRY_DELAY, 500 * 2 ** this.#retries) * (0.5 + Math.random());
    const delay = this.#retries++ ? random : (this.#delay ?? random);
    this.#timer = setTimeout(() => this.open(), delay);
  }

  close() {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.#name = undefined;
    clearTimeout(this.#timer);
    attempt?.abort();
  }

  /** Forgets the position in the stream: the next one doesn't replay missed events. */
  reset() {
    this.#lastID = undefined;
    this.#retries = 0;
  }
}

/**
 * @param {string} address
 * @param {Record<string, string[]>} topics
 */
async function requestTicket(address, topics) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(topics) });
  return (await answer.json()).ticket;
}
