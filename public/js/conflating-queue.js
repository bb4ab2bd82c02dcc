// What waits to be shown: the newest frame and motion of each topic, and the latest events in order.

/** @typedef {import("./shared-stream.js").Item} Item */

/** The most events kept: as many as may come while a page is hidden or paused. */
const MAX_EVENTS = 5000;

export class ConflatingQueue {
  /** By slot; a frame's slot is its topic. @type {Map<string | number, Item>} */
  items = new Map();
  #events = 0;
  /** Frames that a newer one has replaced. */
  droppedFrames = 0;
  /** Whether there were more events than are kept. */
  hasLost = false;

  /** @param {Item} item */
  put(item) {
    const [name, key] = item;
    if (name === "removed") {
      this.items.delete(key);
      this.items.delete(`motion ${key}`);
    }
    const slot = this.#slotOf(name, key);
    const isReplaced = this.items.delete(slot);
    if (isReplaced && name === "message") this.droppedFrames++;
    if (isReplaced && typeof slot === "number") this.hasLost = true;
    this.items.set(slot, item);
  }

  /**
   * @param {string} name
   * @param {string} key
   */
  #slotOf(name, key) {
    if (name === "message") return key;
    return name === "motion" ? `motion ${key}` : this.#events++ % MAX_EVENTS;
  }

  /** @param {string | number} slot */
  take(slot) {
    const item = this.items.get(slot);
    this.items.delete(slot);
    return item;
  }
}
