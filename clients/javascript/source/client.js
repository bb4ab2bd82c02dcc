// The client's entry: a server's address and token, and what can be asked of it.
import { checkedName, listPath, serverAddress } from "./address.js";
import { isPage } from "./answers.js";
import { systemClock } from "./clock.js";
import { StreamItems } from "./items.js";
import { newKey, send } from "./requests.js";
import { Progress, Schedule, Ticker } from "./resources.js";

/**
 * @typedef {import("./items.js").StreamOptions} StreamOptions
 * @typedef {import("./resources.js").ResourceState} ResourceState
 *
 * How a client behaves.
 * @typedef {object} ClientOptions
 * @property {string} [token] sent to this server alone: no redirect is followed
 * @property {number} [patience] seconds for which a request is retried while the server can't be reached or asks to
 *   wait; 10 if it is left out. An attempt may take 30 s, but no longer than what is left of it, or 1 s if that is more
 * @property {(error: import("./error.js").TweencastError) => void} [onRetry] called before each retry of a request
 * @property {number} [heartbeat] seconds of silence after which a stream's server sends a sign of life; 5
 * @property {typeof globalThis.fetch} [fetch] in place of the global one
 * @property {import("./clock.js").Clock} [clock]
 * @property {() => number} [random] 0 or more, below 1; spreads retries
 *
 * What resources need of their client.
 * @typedef {{ connector: import("./requests.js").Connector, heartbeat: number }} Access
 */

const PATIENCE = 10;
const HEARTBEAT = 5;
// Resources on one page of a list.
const PAGE = 1000;

/**
 * A client of a Tweencast server.
 *
 *     const client = new Client("http://localhost:8080");
 *     await client.ticker("revenue").set(250, { duration: 2 });
 *     for await (const frame of client.ticker("revenue").frames()) console.log(frame.text);
 */
export class Client {
  /** @type {Access} */
  #access;

  /**
   * @param {string} server `http://localhost:8080`, or the path under which a proxy forwards:
   *   `https://example.com/tweens`
   * @param {ClientOptions} [options]
   */
  constructor(server, options = {}) {
    const { token, patience = PATIENCE, heartbeat = HEARTBEAT, onRetry, clock = systemClock } = options;
    const { random = Math.random, fetch = globalThis.fetch.bind(globalThis) } = options;
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError("a token has characters of ASCII");
    const times = { clock, random, patience: patience * 1000, onRetry };
    this.#access = { connector: { server: serverAddress(server), token, fetch, ...times }, heartbeat };
  }

  /**
   * A ticker, which need not exist; throws a TypeError where none can have this id.
   * @param {string} id
   */
  ticker(id) {
    return new Ticker(this.#access, "ticker", id);
  }

  /**
   * A progress, which need not exist; throws a TypeError where none can have this id.
   * @param {string} id
   */
  progress(id) {
    return new Progress(this.#access, "progress", id);
  }

  /**
   * A schedule, which need not exist; throws a TypeError where none can have this id.
   * @param {string} id
   */
  schedule(id) {
    return new Schedule(this.#access, "schedule", id);
  }

  /**
   * Publishes a notification.
   * @param {string} name
   * @param {unknown} [data] any JSON
   * @param {import("./resources.js").ChangeOptions} options
   * @returns {Promise<void>}
   */
  async notify(name, data, { key = newKey(), signal } = {}) {
    const body = data === undefined ? undefined : JSON.stringify(data);
    const path = `/v1/notifications/${encodeURIComponent(checkedName(name))}`;
    const request = { method: "POST", path, body, key };
    await send(this.#access.connector, request, signal);
  }

  /**
   * All tickers, progress views or schedules, in the order of their ids.
   * @param {import("./address.js").ResourceKind} kind
   * @param {{ prefix?: string, signal?: AbortSignal }} options `prefix`: only ids that begin with it
   * @returns {AsyncGenerator<ResourceState, void>}
   */
  async *list(kind, { prefix = "", signal } = {}) {
    for (let after = ""; after !== undefined; ) {
      const query = new URLSearchParams({ limit: `${PAGE}`, prefix, ...(after && { after }) });
      const request = { method: "GET", path: `${listPath(kind)}?${query}`, isAnswer: isPage };
      const page = await send(this.#access.connector, request, signal);
      yield* page.items;
      after = page.next;
    }
  }

  /**
   * Streams what topics show and what happens to them, over any number of connections. Each loop over the result has a
   * connection of its own.
   * @param {string[]} topics `ticker:revenue`; with `*` at the end all that begin with it
   * @param {StreamOptions} [options]
   */
  items(topics, options = {}) {
    return new StreamItems(this.#access.connector, this.#access.heartbeat, topics, options);
  }
}
