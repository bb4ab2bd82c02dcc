// What waits to be shown: the newest frame and motion of each topic, and the last events, in order.

/** @typedef {import("./shared-stream.js").Item} Item */

/** The most events that wait. */
const MOST_EVENTS = 500;

export class Waiting {
  /** By place: a topic's frame has the topic itself. @type {Map<string | number, Item>} */
  items = new Map();
  events = 0;
  /** Frames in whose place a newer one came. */
  left = 0;

  /** @param {Item} item */
  put(item) {
    const [name, key] = item;
    if (name === "removed") this.items.delete(key);
    const place = this.placeOf(name, key);
    if (this.items.delete(place) && name === "message") this.left++;
    this.items.set(place, item);
  }

  /**
   * @param {string} name
   * @param {string} key
   */
  placeOf(name, key) {
    if (name === "message") return key;
    return name === "motion" ? `motion ${key}` : this.events++ % MOST_EVENTS;
  }

  /** @param {string | number} place */
  take(place) {
    const item = this.items.get(place);
    this.items.delete(place);
    return item;
  }
}
