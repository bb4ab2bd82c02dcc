// The resources of a server: what they show, and what moves them.
import { amountJSON, optionalAmountJSON, resourcePath } from "./address.js";
import { isState } from "./answers.js";
import { newKey, send } from "./requests.js";
import { StreamItems } from "./items.js";

/**
 * @typedef {import("./address.js").Amount} Amount
 * @typedef {import("./items.js").Frame} Frame
 * @typedef {import("./items.js").StreamOptions} StreamOptions
 *
 * A resource as it was when the server answered: the whole answer.
 * @typedef {{ text: string, value?: number, target?: number, fraction?: number, ticker?: string, progress?: string,
 *   schedule?: string } & Record<string, any>} ResourceState
 *
 * How often a change is carried out: once for each key, however often it is sent.
 * @typedef {object} ChangeOptions
 * @property {string} [key] the `Idempotency-Key`; a new one if it is left out
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} MotionOptions
 * @property {number} [duration] seconds of the way; its default is 2, or what was set
 * @property {string} [label]
 * @property {string} [easing]
 * @property {Record<string, unknown>} [fields] more fields of the update, as openapi.yaml has them
 *
 * @typedef {MotionOptions & ChangeOptions} UpdateOptions
 */

class Resource {
  #client;
  #path;

  /**
   * @param {import("./client.js").Access} client
   * @param {import("./address.js").ResourceKind} kind
   * @param {string} id
   */
  constructor(client, kind, id) {
    this.#client = client;
    this.#path = resourcePath(kind, id);
    this.kind = kind;
    this.id = id;
    /** Its name on a stream: `ticker:revenue`. */
    this.topic = `${kind}:${id}`;
  }

  /**
   * What it shows now.
   * @param {{ signal?: AbortSignal }} options
   * @returns {Promise<ResourceState>}
   */
  get({ signal } = {}) {
    return send(this.#client.connector, { method: "GET", path: this.#path, isAnswer: isState }, signal);
  }

  /**
   * Removes it.
   * @param {ChangeOptions} options
   * @returns {Promise<void>}
   */
  async delete({ key = newKey(), signal } = {}) {
    await send(this.#client.connector, { method: "DELETE", path: this.#path, key }, signal);
  }

  /**
   * What it shows, frame by frame. Ends when the signal aborts or it is removed; throws when the server refuses.
   * @param {StreamOptions} [options]
   * @returns {AsyncGenerator<Frame, void>}
   */
  async *frames(options = {}) {
    for await (const item of new StreamItems(this.#client.connector, this.#client.heartbeat, [this.topic], options)) {
      if (item.type === "frame") yield item;
      if (item.type === "event" && item.name === "removed") return;
    }
  }

  /**
   * @protected
   * @param {string} operation behind its path
   * @param {Record<string, unknown> | undefined} fields
   * @param {UpdateOptions} options
   * @returns {Promise<ResourceState>}
   */
  post(operation, fields, { duration, label, easing, fields: more, key = newKey(), signal, ...unknown }) {
    const [name] = Object.keys(unknown);
    if (name) throw new TypeError(`there is no option ${name}; other fields of an update belong into fields`);
    // The order is always the same: the server compares the bytes of requests under one key.
    const body = fields && JSON.stringify({ ...fields, duration, label, easing, ...more });
    const request = { method: "POST", path: this.#path + operation, body, key, isAnswer: isState };
    return send(this.#client.connector, request, signal);
  }
}

/** A ticker on a server. */
export class Ticker extends Resource {
  /**
   * Moves it to a number, and creates it if there is none.
   * @param {Amount} number
   * @param {UpdateOptions} [options]
   */
  async set(number, options = {}) {
    return this.post("", { to: amountJSON(number) }, options);
  }

  /**
   * Adds to its target, and creates it if there is none.
   * @param {Amount} number
   * @param {UpdateOptions} [options]
   */
  async add(number, options = {}) {
    return this.post("", { by: amountJSON(number) }, options);
  }
}

/** A progress on a server. */
export class Progress extends Resource {
  /**
   * Moves it, and creates it if there is none.
   * @param {Amount} number how far it is
   * @param {UpdateOptions & { of?: Amount | null, from?: Amount }} options `of`: where it is done, 100 for a new one,
   *   null if that is unknown; `from`: where the motion starts
   */
  async set(number, { of, from, ...options } = {}) {
    const maximum = of === null ? null : optionalAmountJSON(of);
    return this.post("", { current: amountJSON(number), from: optionalAmountJSON(from), maximum }, options);
  }

  /**
   * Stops it where it is.
   * @param {ChangeOptions} [options]
   */
  async cancel(options = {}) {
    return this.post("/cancel", undefined, options);
  }
}

/** A schedule on a server. */
export class Schedule extends Resource {}
