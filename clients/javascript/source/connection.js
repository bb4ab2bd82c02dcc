// One connection of a stream: opened, read until it ends, and given up when it is silent for too long.
import { readEvents } from "../../../public/js/sse.js";
import { childOf } from "./clock.js";
import { TweencastError } from "./error.js";
import { refusal, sendOnce, unreachable } from "./requests.js";

/**
 * @typedef {import("../../../public/js/sse.js").StreamEvent} StreamEvent
 * @typedef {import("./requests.js").Connector} Connector
 * @typedef {import("./requests.js").Request} Request
 *
 * Receives what a connection brings.
 * @typedef {object} Receiver
 * @property {(event: StreamEvent, data: Record<string, any>) => void} receive events whose data is understood
 * @property {() => Promise<void>} room ends when more may come
 *
 * Why a connection ended. With `isOver`, nothing more will come.
 * @typedef {{ reason: string, retryAfter?: number, isOver?: boolean }} End
 */

// The most bytes that come without an event's end. The server's events are half as long.
const MAX_EVENT = 131_072;

/**
 * The data of an event; undefined if it is not understood, and thus ignored: a later version may send it.
 * @param {StreamEvent} event
 * @returns {Record<string, any> | undefined}
 */
function dataOf({ data }) {
  try {
    const value = JSON.parse(data);
    return value && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

export class Connection {
  #connector;
  #request;
  #receiver;
  /** Ends it. */
  #attempt = new AbortController();
  /** Ends the watch over its silence.
   *  @type {AbortController | undefined} */
  #watching;
  /** Why this side ended it. */
  #reason = "";
  /** Seconds of silence before the server's next heartbeat. */
  #heartbeat;
  #lastByteAt;
  /** Bytes since an event's end. */
  #pending = 0;
  /** Whether nothing is read because too much waits already. */
  #isPaused = false;

  /**
   * @param {Connector} connector
   * @param {Request & { headers?: Record<string, string> }} request
   * @param {number} heartbeat in seconds
   * @param {Receiver} receiver
   */
  constructor(connector, request, heartbeat, receiver) {
    this.#connector = connector;
    this.#request = request;
    this.#heartbeat = heartbeat;
    this.#receiver = receiver;
    this.#lastByteAt = connector.clock.now();
  }

  /**
   * Reads the stream to its end; throws where the server refuses for good.
   * @param {AbortSignal} signal
   * @returns {Promise<End>}
   */
  async read(signal) {
    this.#attempt = childOf(signal);
    this.#watch();
    try {
      const answer = await sendOnce(this.#connector, this.#request, this.#attempt.signal);
      if (answer.status === 204) return { reason: "nothing more will come", isOver: true };
      if (answer.status !== 200 || !answer.body) throw await refusal(answer);
      await readEvents(this.#paced(answer.body.getReader()), (event) => this.#receive(event), () => {});
      return { reason: this.#reason || "the connection was closed" };
    } catch (error) {
      if (this.#reason || signal.aborted) return { reason: this.#reason };
      const failure = error instanceof TweencastError ? error : unreachable(this.#connector.server, error);
      if (!failure.isTemporary) throw failure;
      return { reason: failure.message, retryAfter: failure.retryAfter };
    } finally {
      this.#attempt.abort();
    }
  }

  /** @param {string} reason */
  #close(reason) {
    this.#reason = reason;
    this.#attempt.abort();
  }

  /**
   * The body as `readEvents` reads it, no faster than there is room for more.
   * @param {ReadableStreamDefaultReader<Uint8Array>} reader
   */
  #paced(reader) {
    const read = async () => {
      // What was read before has been taken by now.
      if (this.#pending > MAX_EVENT) this.#close(`an event has more than ${MAX_EVENT} bytes`);
      this.#isPaused = true;
      await this.#receiver.room();
      this.#isPaused = false;
      this.#lastByteAt = this.#connector.clock.now();
      const piece = await reader.read();
      this.#lastByteAt = this.#connector.clock.now();
      this.#pending += piece.value?.length ?? 0;
      return piece;
    };
    return { getReader: () => ({ read }) };
  }

  /** @param {StreamEvent} event */
  #receive(event) {
    this.#pending = 0;
    const data = dataOf(event);
    if (!data || this.#reason) return;
    if (event.name === "hello" && data.heartbeat > 0) {
      this.#heartbeat = data.heartbeat;
      this.#watch();
    }
    this.#receiver.receive(event, data);
    if (event.name === "bye") this.#close(`the server says goodbye: ${data.reason ?? ""}`);
  }

  /** Gives the connection up after two missing heartbeats. */
  async #watch() {
    const { clock } = this.#connector;
    this.#watching?.abort();
    this.#watching = childOf(this.#attempt.signal);
    const { signal } = this.#watching;
    while (!signal.aborted) {
      if (this.#isPaused) this.#lastByteAt = clock.now();
      const left = this.#lastByteAt + 2000 * this.#heartbeat + 1000 - clock.now();
      if (left <= 0) return this.#close("nothing came for two heartbeats");
      await clock.sleep(left, signal);
    }
  }
}
