// A stream as a sequence, over any number of connections.
import { checkedPattern } from "./address.js";
import { childOf } from "./clock.js";
import { Connection } from "./connection.js";
import { Course } from "./course.js";
import { WaitingItems } from "./waiting-items.js";

/**
 * @typedef {import("./requests.js").Connector} Connector
 * @typedef {import("../../../public/js/sse.js").StreamEvent} ReceivedEvent
 *
 * What a resource shows at an instant. `data` is the whole frame.
 * @typedef {{ type: "frame", topic: string, text: string, value?: number, fraction?: number, percent?: number,
 *   data: Record<string, any> }} Frame
 *
 * What has happened to a resource, or with `mode: "motion"` how it moves. `topic` is missing for an event of all
 * resources, `id` for one that isn't replayed. `data` is the whole event.
 * @typedef {{ type: "event", name: string, topic?: string, reason?: string, id?: string,
 *   data: Record<string, any> }} StreamEvent
 *
 * What comes on a stream. `connected`: a connection is open, and the state of each topic follows. `disconnected`: it
 * has ended, or there was none; another one follows.
 * @typedef {Frame | StreamEvent | { type: "connected" } | { type: "disconnected", reason: string }} StreamItem
 *
 * @typedef {object} StreamOptions
 * @property {AbortSignal} [signal] ends the stream
 * @property {number} [fps] the most frames a second of each topic
 * @property {"frames" | "motion"} [mode] `motion`: one event `motion` for each change replaces the frames
 * @property {string} [locale] in which texts are written
 * @property {string} [lastEventID] the id of the last event that was processed: the stream continues behind it
 */

const KINDS = ["ticker", "progress", "schedule", "notification"];
// The longest address with topics; more of them go into a body.
const MAX_ADDRESS = 4000;
// What only concerns the connection.
const OWN_EVENTS = new Set(["hello", "heartbeat", "rate", "bye"]);

/**
 * @param {string[]} topics
 * @param {Record<string, string | number | undefined>} terms
 * @returns {import("./requests.js").Request}
 */
export function streamRequest(topics, terms) {
  const pairs = [...new Set(topics)].map((topic) => /^(\w+):(.+)$/s.exec(topic)?.slice(1) ?? []);
  if (!pairs.length || !pairs.every(([kind]) => KINDS.includes(kind)))
    throw new TypeError(`topics are such as ticker:revenue or progress:*, of ${KINDS.join(", ")}`);
  for (const [, name] of pairs) checkedPattern(name);
  const query = new URLSearchParams(pairs);
  for (const [name, value] of Object.entries(terms)) if (value !== undefined) query.append(name, `${value}`);
  if (`${query}`.length <= MAX_ADDRESS) return { method: "GET", path: `/v1/events?${query}` };
  const named = KINDS.map((kind) => [kind, pairs.filter(([one]) => one === kind).map(([, name]) => name)]);
  const body = { ...Object.fromEntries(named.filter(([, names]) => names.length)), ...terms };
  return { method: "POST", path: "/v1/events", body: JSON.stringify(body) };
}

/**
 * The topic of a frame or an event.
 * @param {Record<string, any>} data
 */
function topicOf(data) {
  const kind = KINDS.find((one) => typeof data[one] === "string");
  return kind && `${kind}:${data[kind]}`;
}

/**
 * What an event is for a reader; undefined if it only concerns the connection.
 * @param {ReceivedEvent} event
 * @param {Record<string, any>} data
 * @returns {Frame | StreamEvent | undefined}
 */
function itemOf({ name, id }, data) {
  const topic = topicOf(data);
  if (name !== "message") {
    if (OWN_EVENTS.has(name)) return undefined;
    return { type: "event", name, topic, reason: data.reason, id, data };
  }
  if (topic === undefined || typeof data.text !== "string") return undefined;
  const { text, value, fraction, percent } = data;
  return { type: "frame", topic, text, value, fraction, percent, data };
}

/** Frames, events and connections. Ends when its signal aborts or nothing more will come; throws when the server
 *  refuses. */
export class StreamItems {
  #connector;
  #heartbeat;
  #topics;
  #options;

  /**
   * @param {Connector} connector
   * @param {number} heartbeat seconds of silence before a heartbeat
   * @param {string[]} topics
   * @param {StreamOptions} options
   */
  constructor(connector, heartbeat, topics, options) {
    streamRequest(topics, {});
    this.#connector = connector;
    this.#heartbeat = heartbeat;
    this.#topics = [...topics];
    this.#options = options;
  }

  /** @returns {AsyncIterableIterator<StreamItem>} */
  [Symbol.asyncIterator]() {
    const stop = childOf(this.#options.signal);
    const items = this.#items(stop);
    const iterator = {
      next: () => items.next(),
      // While it waits for an item, a generator can't return.
      return: () => {
        stop.abort();
        return items.return(undefined);
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /**
   * @param {AbortController} stop
   * @returns {AsyncGenerator<StreamItem, undefined>}
   */
  async *#items(stop) {
    const waiting = new WaitingItems(this.#connector.clock);
    stop.signal.addEventListener("abort", () => waiting.end());
    if (stop.signal.aborted) return;
    this.#follow(waiting, stop.signal).then(() => waiting.end(), (error) => waiting.end(error));
    try {
      for (;;) {
        const item = await waiting.take();
        if (!item || stop.signal.aborted) return;
        yield item;
      }
    } finally {
      stop.abort();
    }
  }

  /**
   * Connects until nothing more will come.
   * @param {WaitingItems} waiting
   * @param {AbortSignal} signal
   */
  async #follow(waiting, signal) {
    const { fps, mode, locale, lastEventID } = this.#options;
    const heartbeat = this.#heartbeat;
    const course = new Course(lastEventID);
    while (!signal.aborted) {
      let isOpen = false;
      /** @type {import("./connection.js").Receiver} */
      const receiver = {
        room: () => waiting.room(),
        receive: (event, data) => {
          if (!isOpen) waiting.put({ type: "connected" });
          isOpen = true;
          course.take(event);
          const item = itemOf(event, data);
          const isReplaceable = item && (item.type === "frame" || item.name === "motion");
          if (item) waiting.put(item, event.data.length, isReplaceable ? `${event.name} ${item.topic}` : undefined);
        },
      };
      const request = streamRequest(this.#topics, { fps, mode, locale, heartbeat, lastEventID: course.lastID });
      const end = await new Connection(this.#connector, request, heartbeat, receiver).read(signal);
      if (end.isOver || signal.aborted) return;
      if (!isOpen) course.fail();
      waiting.put({ type: "disconnected", reason: end.reason });
      await this.#connector.clock.sleep(course.pause(end.retryAfter), signal);
      await waiting.room();
    }
  }
}
